import SpindleModel

extension LanePicture {
  /// The threads whose names match one of the patterns; all where there is none.
  func shown(_ only: [String]) -> [ThreadIndex] {
    let patterns = only.map { Array($0.utf8) }
    return store.threads.map(\.thread).filter { thread in
      let name = Array(store.name(of: thread).utf8)
      return patterns.isEmpty || patterns.contains { NamePattern.matches(name[...], $0) }
    }
  }

  /// The lanes of threads; with `hasMarks` what they marked below.
  mutating func threadLines(
    _ threads: [ThreadIndex], isChosen: Bool, hasMarks: Bool = false
  ) -> [String] {
    let rows = threads.map { ($0, store.pieces(of: $0, from: from, to: to)) }
    var (active, idle) = ([(ThreadIndex, [TimePiece])](), [ThreadIndex]())
    for row in rows {
      let isActive = row.1.contains { !$0.isIdle }
      if isActive || isChosen && row.1.contains(where: { $0.kind != .noThread }) {
        active.append(row)
      } else {
        idle.append(row.0)
      }
    }
    var folded: [ThreadIndex] = []
    if active.count > laneLimit {
      // Those that did most are drawn, in their order.
      let busy = active.map { $0.1.reduce(0) { $0 + ($1.isIdle ? 0 : $1.length) } }
      let order = active.indices.sorted { busy[$0] == busy[$1] ? $0 < $1 : busy[$0] > busy[$1] }
      let chosen = Set(order.prefix(laneLimit))
      folded = active.indices.filter { !chosen.contains($0) }.map { active[$0].0 }
      active = active.indices.filter { chosen.contains($0) }.map { active[$0] }
    }
    let marks = hasMarks ? markLanes(isChosen ? Set(threads) : nil) : []
    share(active.map { store.name(of: $0.0) } + marks.map(\.name))
    var used: Set<LaneState> = []
    var lines = [axis]
    for (thread, pieces) in active {
      let cells = cells(pieces)
      used.formUnion(cells)
      lines.append(lane(store.name(of: thread), painted(cells)))
    }
    lines += self.lines(of: marks)
    lines += fold(idle, "idle or not there", "thread") + fold(folded, "less busy", "thread")
    lines += legend(used, marks.isEmpty ? [] : ["^ a mark"])
    return lines + holders(active.map(\.0))
  }

  /// What is not drawn.
  private func fold(_ threads: [ThreadIndex], _ why: String, _ noun: String) -> [String] {
    guard let first = threads.first, let last = threads.last else { return [] }
    let names =
      threads.count == 1
      ? store.name(of: first) : "\(store.name(of: first)) to \(store.name(of: last))"
    let text = "and \(Int64(threads.count).counted(noun)) \(why): \(names)"
    return style.wrapped(text, indent: "").map { style.paint($0, .dim) }
  }

  /// What each column shows: the state that has most of it, idling only where nothing else is.
  private func cells(_ pieces: [TimePiece]) -> [LaneState] {
    var cells: [LaneState] = []
    var next = 0
    for column in 0..<columns {
      let start = time(of: column)
      let end = max(time(of: column + 1), Instant(start.nanoseconds + 1))
      while next < pieces.count && pieces[next].end <= start { next += 1 }
      var lengths: [LaneState: Int64] = [:]
      var index = next
      while index < pieces.count && pieces[index].start < end {
        let piece = pieces[index]
        let (first, last) = (max(piece.start, start), min(piece.end, end))
        let costEnd = cost(piece)
        let costs = max(0, min(last, costEnd).nanoseconds - first.nanoseconds)
        lengths[.cost, default: 0] += costs
        lengths[LaneState(piece), default: 0] +=
          last.nanoseconds - first.nanoseconds - costs
        index += 1
      }
      let states = LaneState.all.filter { lengths[$0, default: 0] > 0 }
      let telling = states.filter { $0 != .idle && $0 != .absent }
      let most = (telling.isEmpty ? states : telling).max {
        lengths[$0, default: 0] < lengths[$1, default: 0]
      }
      cells.append(most ?? .absent)
    }
    return cells
  }

  /// Until when the costs of getting the core last, which come first.
  private func cost(_ piece: TimePiece) -> Instant {
    guard piece.kind == .work, let slice = piece.slice else { return piece.start }
    let end = slice.start.nanoseconds + max(0, slice.overhead.rawValue)
    return Instant(max(piece.start.nanoseconds, min(piece.end.nanoseconds, end)))
  }
}
