import SpindleModel

extension LanePicture {
  /// A part of a task's life, and the letter that it shows as.
  private struct TaskPiece {
    var start: Instant
    var end: Instant
    var letter: Character
  }

  /// What the letters of tasks mean, in the order of the legend.
  private static let taskLetters: [(letter: Character, meaning: String, ink: TextStyle.Ink)] = [
    ("#", "on a thread", .green), ("r", "waits for its turn", .yellow), ("i", "io", .cyan),
    ("z", "sleeps", .cyan), ("t", "waits for a task", .red), ("g", "waits for its group", .red),
    ("c", "waits for its continuation", .red), ("e", "waits for an element", .red),
  ]

  /// A lane for each task from being made to its end: when it was on a thread, and what it waited for.
  mutating func taskLines(_ only: [String]) -> [String] {
    let patterns = only.map { Array($0.utf8) }
    var tasks = store.items.filter { item in
      guard item.isTask && item.submitted < to && item.ended >= from else { return false }
      let name = Array((store.name(of: item.item) ?? "").utf8)
      return patterns.isEmpty || patterns.contains { NamePattern.matches(name[...], $0) }
    }
    tasks.sort { $0.item < $1.item }
    guard !tasks.isEmpty else { return ["no task was there in this time"] }
    var piecesByTask: [ItemIndex: [SpanSlice]] = [:]
    for list in store.spans {
      for span in list where span.kind == .item {
        piecesByTask[span.item, default: []].append(span)
      }
    }
    let hidden = tasks.count - laneLimit
    if hidden > 0 {
      // Those that were there longest are drawn, in their order.
      let longest = tasks.sorted {
        ($1.ended - $1.submitted, $0.item) < ($0.ended - $0.submitted, $1.item)
      }
      let chosen = Set(longest.prefix(laneLimit).map(\.item))
      tasks.removeAll { !chosen.contains($0.item) }
    }
    share(tasks.map { store.name(of: $0.item) ?? "" })
    var used: Set<LaneCell> = []
    var lines = [axis]
    for task in tasks {
      let pieces = LanePicture.pieces(of: task, piecesByTask[task.item] ?? [])
      let cells = cells(pieces)
      used.formUnion(cells)
      lines.append(lane(store.name(of: task.item) ?? "", painted(cells)))
    }
    if hidden > 0 {
      let text = "and \(Int64(hidden).counted("task")) that were there for less time"
      lines.append(style.paint(text, .dim))
    }
    let known = LanePicture.taskLetters.filter { row in used.contains { $0.letter == row.letter } }
    var texts = known.map { "\($0.letter) \($0.meaning)" }
    if used.contains(where: \.isShare) {
      texts.append("\(LaneCell.shares) on a thread for that share of it")
    }
    return lines + style.wrapped(texts.joined(separator: ", "), indent: "")
  }

  /// A task's life in order, without holes.
  private static func pieces(of task: ItemSlice, _ spans: [SpanSlice]) -> [TaskPiece] {
    var pieces: [TaskPiece] = []
    var (time, wait) = (task.submitted, TaskWait.executor)
    for span in spans.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      let ready = max(time, Instant(span.start.nanoseconds - span.value))
      pieces.append(TaskPiece(start: time, end: ready, letter: letter(wait)))
      pieces.append(TaskPiece(start: ready, end: span.start, letter: letter(.executor)))
      pieces.append(TaskPiece(start: span.start, end: span.end, letter: "#"))
      (time, wait) = (span.end, span.suspension ?? .executor)
    }
    pieces.append(TaskPiece(start: time, end: task.ended, letter: letter(wait)))
    return pieces.filter { $0.start < $0.end }
  }

  private static func letter(_ wait: TaskWait) -> Character {
    switch wait {
    case .executor, .yield: "r"
    case .io: "i"
    case .sleep: "z"
    case .task: "t"
    case .group, .groupEnd: "g"
    case .continuation: "c"
    case .stream: "e"
    }
  }

  /// What each column shows: what has most of it, or where that is a thread, how much of it the task has one.
  private func cells(_ pieces: [TaskPiece]) -> [LaneCell] {
    var next = 0
    return (0..<columns).map { column in
      let (start, end) = bounds(of: column)
      while next < pieces.count && pieces[next].end <= start { next += 1 }
      var lengths: [Character: Int64] = [:]
      var index = next
      while index < pieces.count && pieces[index].start < end {
        let piece = pieces[index]
        lengths[piece.letter, default: 0] +=
          min(piece.end, end).nanoseconds - max(piece.start, start).nanoseconds
        index += 1
      }
      let most = LanePicture.taskLetters.max {
        lengths[$0.letter, default: 0] < lengths[$1.letter, default: 0]
      }
      guard let most, let length = lengths[most.letter] else { return .absent }
      let cell = LaneCell(letter: most.letter, ink: most.ink)
      if most.letter != "#" { return cell }
      return LaneCell.share(length, of: end.nanoseconds - start.nanoseconds, most.ink, full: cell)
    }
  }
}
