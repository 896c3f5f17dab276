import SpindleModel

extension LanePicture {
  /// The threads whose names match one of the patterns; all without patterns.
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
    var (active, quiet) = ([(ThreadIndex, [TimePiece])](), [(thread: ThreadIndex, why: String)]())
    for row in rows {
      let isActive = row.1.contains { !$0.isIdle }
      if isActive || isChosen && row.1.contains(where: { $0.kind != .noThread }) {
        active.append(row)
      } else {
        quiet.append((row.0, quietness(of: row.0, row.1)))
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
    var used: Set<LaneCell> = []
    var lines = [axis]
    var alike: [ThreadIndex] = []
    var last: [LaneCell] = []
    for (thread, pieces) in active {
      let cells = cells(pieces)
      used.formUnion(cells)
      if cells != last { lines += foldAlike(&alike, isChosen: isChosen, cells: last) }
      alike.append(thread)
      last = cells
    }
    lines += foldAlike(&alike, isChosen: isChosen, cells: last)
    lines += self.lines(of: marks)
    for why in LanePicture.quietness {
      lines += fold(quiet.filter { $0.why == why }.map(\.thread), why, "thread")
    }
    lines += fold(folded, "less busy", "thread")
    lines += legend(used, marks.isEmpty ? [] : ["^ a mark"])
    return lines + holders(active.map(\.0))
  }

  /// The lanes of neighbours that look the same: of many the first two.
  private func foldAlike(
    _ threads: inout [ThreadIndex], isChosen: Bool, cells: [LaneCell]
  ) -> [String] {
    let isFolded = !isChosen && threads.count > LanePicture.alikeLimit
    let drawn = isFolded ? threads.prefix(2) : threads[...]
    let lines = drawn.map { lane(store.name(of: $0), painted(cells)) }
    defer { threads = [] }
    return isFolded ? lines + fold(Array(threads.dropFirst(2)), "drawn alike", "thread") : lines
  }

  /// How many neighbouring lanes may look the same.
  private static let alikeLimit = 6

  /// The lanes that are not drawn.
  private func fold(_ threads: [ThreadIndex], _ why: String, _ noun: String) -> [String] {
    guard let first = threads.first, let last = threads.last else { return [] }
    let names =
      threads.count == 1
      ? store.name(of: first) : "\(store.name(of: first)) to \(store.name(of: last))"
    let text = "and \(Int64(threads.count).counted(noun)) \(why): \(names)"
    return style.wrapped(text, indent: "").map { style.paint($0, .dim) }
  }

  /// Why a thread has no lane, the most telling first.
  private static let quietness = ["there for no time", "idle", "not there"]

  /// Why a thread has no lane: it idles, is not there, or is there for no time, as one that begins to wait when the
  /// run ends.
  private func quietness(of thread: ThreadIndex, _ pieces: [TimePiece]) -> String {
    let isInstant = store.states[Int(thread.raw)].contains {
      $0.start == $0.end && $0.start >= from && $0.start <= to
        && ($0.state != .waiting || $0.reason?.facts.family != .idle)
    }
    if pieces.contains(where: { $0.kind != .noThread }) { return LanePicture.quietness[1] }
    return LanePicture.quietness[isInstant ? 0 : 2]
  }

  /// What each column shows: the state that has most of its time, or where that is on a core or idle, how much of
  /// it the thread is on a core.
  private func cells(_ pieces: [TimePiece]) -> [LaneCell] {
    var next = 0
    return (0..<columns).map { column in
      let (start, end) = bounds(of: column)
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
      return LanePicture.cell(lengths, of: end.nanoseconds - start.nanoseconds)
    }
  }

  /// What a column of this length shows that has these states.
  private static func cell(_ lengths: [LaneState: Int64], of whole: Int64) -> LaneCell {
    let (work, costs) = (lengths[.running, default: 0], lengths[.cost, default: 0])
    var most = (state: LaneState.absent, length: Int64(0))
    for state in LaneState.all where state != .absent && state != .running && state != .cost {
      let length = lengths[state, default: 0]
      if length > most.length { most = (state, length) }
    }
    let isOnCore =
      work + costs > 0
      && (work + costs >= most.length || most.state == .idle)
    if !isOnCore { return most.state.cell }
    let full = (costs > work ? LaneState.cost : .running).cell
    return LaneCell.share(work + costs, of: whole, full.ink, full: full)
  }

  /// Until when the costs of getting the core last, which come first.
  private func cost(_ piece: TimePiece) -> Instant {
    guard piece.kind == .work, let slice = piece.slice else { return piece.start }
    let end = slice.start.nanoseconds + max(0, slice.overhead.rawValue)
    return Instant(max(piece.start.nanoseconds, min(piece.end.nanoseconds, end)))
  }
}
