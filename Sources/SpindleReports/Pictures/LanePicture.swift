package import SpindleModel

/// A window of a timeline as lanes of letters, for a terminal.
package struct LanePicture {
  /// What has a lane.
  package enum Lanes: String, CaseIterable, Sendable {
    /// Each core, with the thread that it runs.
    case core
    /// Each thread, with its state.
    case thread
    /// Each queue, pool and actor, with what waits for it.
    case queue
    /// Each task, on a thread or waiting.
    case task
  }

  let store: TimelineStore
  let from: Instant
  let to: Instant
  let style: TextStyle
  /// The most lanes that are drawn; folded ones are counted.
  var laneLimit = 40
  /// How wide the names are, and how many columns the time has.
  private(set) var nameWidth = 4
  private(set) var columns = 20

  /// A picture of the time between two moments.
  package init(_ store: TimelineStore, from: Instant, to: Instant, style: TextStyle) {
    (self.store, self.from, self.to, self.style) = (store, from, to, style)
  }

  /// A picture of the time that a cause is about, with a little before and after.
  package init(_ store: TimelineStore, window cause: Cause, style: TextStyle) {
    let margin = (cause.to.nanoseconds - cause.from.nanoseconds) / 10
    let end = store.record?.end ?? cause.to
    self.init(
      store, from: Instant(max(0, cause.from.nanoseconds - margin)),
      to: min(end, cause.to + Nanoseconds(margin)), style: style)
  }

  /// The lines of the picture: the axis, a lane each, the folded lanes, and the legend; none where there is
  /// no time between its start and its end.
  ///
  /// `only` are patterns of names; none shows all. Linear in the states of the window, and in the lanes times
  /// the columns.
  package mutating func lines(by lanes: Lanes, only: [String] = []) -> [String] {
    if to <= from { return [] }
    switch lanes {
    case .thread: return threadLines(shown(only), isChosen: !only.isEmpty, hasMarks: true)
    case .core: return coreLines(only)
    case .queue: return queueLines(only)
    case .task: return taskLines(only)
    }
  }

  /// The names of the lanes of the run, with their kind, when none of them matches one of the patterns; nil
  /// when one does, and without patterns.
  package func others(by lanes: Lanes, than only: [String]) -> (sort: String, names: [String])? {
    if only.isEmpty { return nil }
    let sort: String
    let names: [String]
    switch lanes {
    case .thread, .core: (sort, names) = ("thread", store.threadNames)
    case .queue: (sort, names) = ("queue or actor", store.lanes.map { store.name(of: $0.lane) })
    case .task:
      sort = "task"
      names = store.items.lazy.filter(\.isTask).compactMap { store.name(of: $0.item) }
    }
    let patterns = only.map { Array($0.utf8) }
    let isKnown = names.contains { name in
      patterns.contains { NamePattern.matches(Array(name.utf8)[...], $0) }
    }
    return isKnown ? nil : (sort, names)
  }

  /// The lanes of some threads only.
  package mutating func lines(of threads: [ThreadIndex]) -> [String] {
    to > from ? threadLines(threads, isChosen: true) : []
  }

  // MARK: Columns

  /// When a column begins.
  func time(of column: Int) -> Instant {
    let whole = Int128(to.nanoseconds - from.nanoseconds)
    return Instant(from.nanoseconds + Int64(whole * Int128(column) / Int128(columns)))
  }

  /// The column in which a moment lies.
  func column(of time: Instant) -> Int {
    let whole = Int128(to.nanoseconds - from.nanoseconds)
    let passed = Int128(min(max(time, from), to).nanoseconds - from.nanoseconds)
    return min(columns - 1, Int(passed * Int128(columns) / whole))
  }

  /// Shares the width between names and time.
  mutating func share(_ names: [String]) {
    let widest = names.reduce(4) { max($0, DisplayWidth.columns($1)) }
    nameWidth = min(widest, max(8, style.width / 4))
    columns = max(10, style.width - nameWidth - 2)
  }

  /// A lane: its name, then its letters.
  func lane(_ name: String, _ cells: String) -> String {
    "\(DisplayWidth.fitted(name, to: nameWidth))  \(cells)"
  }

  /// The axis: round moments, as many as there is room for.
  var axis: String {
    var cells = ""
    var used = 0
    for time in LanePicture.ticks(from: from, to: to, most: columns / 11) {
      let place = column(of: time)
      let label = "|\(time)"
      if place >= used && place + label.count <= columns {
        cells += String(repeating: " ", count: place - used) + label
        used = place + label.count
      }
    }
    return style.paint(lane("", cells), .dim)
  }

  /// Round moments between two, at most about that many.
  static func ticks(from: Instant, to: Instant, most: Int) -> [Instant] {
    let whole = to.nanoseconds - from.nanoseconds
    let ticks = Int64(max(1, most))
    var step: Int64 = 1
    while step * ticks < whole {
      let digits = [2, 5, 10].lazy.map { step * $0 }.first { $0 * ticks >= whole }
      step = digits ?? step * 10
    }
    let (quotient, remainder) = from.nanoseconds.quotientAndRemainder(dividingBy: step)
    var time = (quotient + (remainder == 0 ? 0 : 1)) * step
    var moments: [Instant] = []
    while time <= to.nanoseconds {
      moments.append(Instant(time))
      let (next, overflow) = time.addingReportingOverflow(step)
      if overflow { break }
      time = next
    }
    return moments
  }

  /// What the letters mean that are used.
  func legend(_ used: Set<LaneCell>, _ others: [String] = []) -> [String] {
    let states = LaneState.all.filter { used.contains($0.cell) && $0 != .absent }
    var texts = states.map { "\($0.letter) \($0.meaning)" }
    if used.contains(where: \.isShare) {
      texts.insert(
        "\(LaneCell.shares) runs for that share of it",
        at: states.contains(.running) ? 1 + (states.firstIndex(of: .running) ?? 0) : 0)
    }
    texts += others
    return texts.isEmpty ? [] : style.wrapped(texts.joined(separator: ", "), indent: "")
  }
}
