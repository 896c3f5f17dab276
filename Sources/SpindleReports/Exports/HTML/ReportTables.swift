import SpindleModel

/// What a report holds of a run's timeline: its columns, of the stretches of time that are kept.
struct ReportTables {
  private(set) var columns = ReportColumns()
  /// Texts that columns name by number.
  private(set) var texts: [String] = []

  private let store: TimelineStore
  private let windows: [ClosedRange<Instant>]?
  private var textNumbers: [String: Int64] = [:]
  private var placeNumbers: [Int32: Int64] = [:]
  private var positions: [(line: Int64, column: Int64)] = []

  /// The tables of a run; with `windows` only of what touches one of them.
  init(_ store: TimelineStore, windows: [ClosedRange<Instant>]?) {
    (self.store, self.windows) = (store, windows)
    addThreads()
    addLanes()
    addStates()
    addSpans()
    addItems()
    addHolds()
    addNotes()
    addPath()
    columns.add("places.line", .numbers, positions.map(\.line))
    columns.add("places.column", .numbers, positions.map(\.column))
  }

  // MARK: What is kept

  private func isKept(_ from: Instant, _ to: Instant) -> Bool {
    guard let windows else { return true }
    return windows.contains { from <= $0.upperBound && to >= $0.lowerBound }
  }

  /// Whether an item is kept: one that only waits all the time of a stretch is not, as there can be very
  /// many of them.
  private static func keeps(_ item: ItemSlice, _ windows: [ClosedRange<Instant>]) -> Bool {
    windows.contains { window in
      window.contains(item.submitted)
        || item.started <= window.upperBound && item.ended >= window.lowerBound
    }
  }

  /// How many rows there would be.
  static func count(_ store: TimelineStore, in windows: [ClosedRange<Instant>]) -> Int {
    func touches(_ from: Instant, _ to: Instant) -> Bool {
      windows.contains { from <= $0.upperBound && to >= $0.lowerBound }
    }
    var count = 0
    for states in store.states {
      for window in windows {
        let first = states.partition { $0.end < window.lowerBound }
        count += states.partition { $0.start <= window.upperBound } - first
      }
    }
    for spans in store.spans { count += spans.count { touches($0.start, $0.end) } }
    count += store.items.count { keeps($0, windows) }
    return count + store.holds.count { touches($0.start, $0.end) }
  }

  // MARK: Texts and places

  private mutating func text(_ text: String) -> Int64 {
    if let number = textNumbers[text] { return number }
    let number = Int64(texts.count)
    textNumbers[text] = number
    texts.append(text)
    return number
  }

  /// The number of a name; -1 for none.
  private mutating func text(_ name: NameID) -> Int64 {
    store.text(name).map { text($0) } ?? -1
  }

  /// The number of an instruction's line and column; -1 for none.
  private mutating func place(_ place: Int32) -> Int64 {
    if let number = placeNumbers[place] { return number }
    guard let run = store.run, place >= 0, Int(place) < run.program.places.count,
      run.program.places[Int(place)].count > 0
    else { return -1 }
    let range = run.program.places[Int(place)]
    let number = Int64(positions.count)
    placeNumbers[place] = number
    let source = run.program.source
    positions.append(
      (
        Int64(source.lineNumber(at: range.lowerBound)), Int64(source.column(at: range.lowerBound))
      ))
    return number
  }

  // MARK: Tables

  private mutating func addThreads() {
    let threads = store.threads
    let names = threads.map { text(store.name(of: $0.thread)) }
    columns.add("threads.name", .numbers, names)
    columns.add("threads.time", .moments, threads) { $0.time.nanoseconds }
    columns.add("threads.end", .moments, threads) { thread in
      store.states[Int(thread.thread.raw)].last?.end.nanoseconds ?? thread.time.nanoseconds
    }
    columns.add("threads.origin", .bytes, threads) { Int64($0.origin.rawValue) }
    columns.add("threads.maker", .numbers, threads) { Int64($0.maker.raw) }
    columns.add("threads.place", .numbers, threads.map { place($0.place) })
  }

  private mutating func addLanes() {
    let lanes = store.lanes
    columns.add("lanes.name", .numbers, lanes.map { text(store.name(of: $0.lane)) })
    columns.add("lanes.family", .bytes, lanes) { Int64($0.family.rawValue) }
    columns.add("lanes.time", .moments, lanes) { $0.time.nanoseconds }
    columns.add("lanes.place", .numbers, lanes.map { place($0.place) })
  }

  private mutating func addStates() {
    let kept = store.states.map { $0.filter { isKept($0.start, $0.end) } }
    columns.add("states.count", .numbers, kept) { Int64($0.count) }
    let all = kept.flatMap { $0 }
    columns.add("states.kind", .bytes, all) { slice in
      switch slice.state {
      case .running: 0
      case .ready: 1
      case .waiting: 2 + Int64(slice.reason?.rawValue ?? 0)
      }
    }
    // A state begins where the one before it ended, except for what is not kept.
    var (gaps, last) = ([Int64](), Int64(0))
    gaps.reserveCapacity(all.count)
    for slice in all {
      gaps.append(slice.start.nanoseconds - last)
      last = slice.end.nanoseconds
    }
    columns.add("states.gap", .signed, gaps)
    columns.add("states.length", .lengths, all) { $0.length.rawValue }
    columns.add("states.began", .bytes, all) { Int64($0.began.rawValue) }
    columns.add("states.ended", .bytes, all) { Int64($0.ended.rawValue) }
    columns.add("states.place", .numbers, all.map { place($0.place) })
    let runs = all.filter { $0.state == .running }
    columns.add("runs.core", .numbers, runs) { Int64($0.core.index) }
    columns.add("runs.cost", .lengths, runs) { $0.overhead.rawValue }
    let others = all.filter { $0.state != .running }
    columns.add("others.agent", .numbers, others) { Int64($0.agent.raw) }
    let waits = all.filter { $0.state == .waiting }
    columns.add("waits.lane", .numbers, waits) { Int64($0.lane.raw) }
    columns.add("waits.name", .numbers, waits.map { $0.lane.isNone ? text($0.name) : -1 })
  }

  private mutating func addSpans() {
    let kept = store.spans.map { $0.filter { isKept($0.start, $0.end) } }
    columns.add("spans.count", .numbers, kept) { Int64($0.count) }
    let all = kept.flatMap { $0 }
    columns.add("spans.kind", .bytes, all) {
      Int64($0.kind.rawValue) << 1 | ($0.isComplete ? 1 : 0)
    }
    columns.add("spans.start", .moments, all) { $0.start.nanoseconds }
    columns.add("spans.length", .lengths, all) { $0.end.nanoseconds - $0.start.nanoseconds }
    columns.add("spans.depth", .bytes, all) { Int64(min($0.depth, 255)) }
    columns.add("spans.item", .steps, all) { Int64($0.item.raw) }
    columns.add("spans.lane", .numbers, all) { Int64($0.lane.raw) }
    columns.add("spans.name", .numbers, all.map { $0.kind == .item ? -1 : text($0.name) })
    columns.add("spans.value", .numbers, all) {
      $0.kind == .iteration ? Int64(Int32(clamping: $0.value)) : 0
    }
    columns.add("spans.left", .bytes, all) { Int64($0.suspension.map { $0.rawValue + 1 } ?? 0) }
    columns.add("spans.place", .numbers, all.map { $0.kind == .item ? -1 : place($0.place) })
  }

  private mutating func addItems() {
    let items = store.items.filter { item in
      windows.map { ReportTables.keeps(item, $0) } ?? true
    }
    .sorted { ($0.item, $0.submitted) < ($1.item, $1.submitted) }
    columns.add("items.number", .steps, items) { Int64($0.item.raw) }
    columns.add(
      "items.name", .numbers,
      items.map { item in
        store.run.map { text(item.name(in: $0.names, $0.program)) } ?? -1
      })
    columns.add("items.kind", .numbers, items) { Int64($0.kind) }
    columns.add("items.submitted", .moments, items) { $0.submitted.nanoseconds }
    columns.add("items.wait", .lengths, items) {
      $0.started.nanoseconds - $0.submitted.nanoseconds
    }
    columns.add("items.service", .lengths, items) { $0.ended.nanoseconds - $0.started.nanoseconds }
    columns.add("items.flags", .bytes, items) { item in
      var flags = Int64(item.outcome.rawValue)
      if item.hasStarted { flags |= 8 }
      if item.isBarrier { flags |= 16 }
      if item.isTask { flags |= 64 }
      return item.needsNoThread ? flags | 32 : flags
    }
    columns.add("items.submitter", .numbers, items) { Int64($0.submitter.raw) }
    columns.add("items.parent", .numbers, items) {
      $0.parent.isNone ? 0 : Int64($0.item.raw) - Int64($0.parent.raw)
    }
    columns.add("items.thread", .numbers, items) { Int64($0.thread.raw) }
    columns.add("items.lane", .numbers, items) { Int64($0.lane.raw) }
    columns.add("items.place", .numbers, items.map { place($0.place) })
  }

  private mutating func addHolds() {
    let holds = store.holds.filter { isKept($0.start, $0.end) }
    columns.add("holds.kind", .bytes, holds) { Int64($0.kind.rawValue) }
    columns.add("holds.lane", .numbers, holds) { Int64($0.lane.raw) }
    columns.add("holds.thread", .numbers, holds) { Int64($0.thread.raw) }
    columns.add("holds.waited", .lengths, holds) { $0.waited.rawValue }
    columns.add("holds.item", .steps, holds) { Int64($0.item.raw) }
    columns.add("holds.start", .moments, holds) { $0.start.nanoseconds }
    columns.add("holds.length", .lengths, holds) { $0.end.nanoseconds - $0.start.nanoseconds }
    columns.add("holds.place", .numbers, holds.map { place($0.place) })
  }

  private mutating func addNotes() {
    let notes = store.notes.filter { isKept($0.time, $0.time) }
    columns.add("notes.kind", .bytes, notes) { Int64($0.kind.rawValue) }
    columns.add("notes.time", .moments, notes) { $0.time.nanoseconds }
    columns.add("notes.thread", .numbers, notes) { Int64($0.thread.raw) }
    columns.add("notes.name", .numbers, notes.map { text($0.name) })
    columns.add("notes.value", .moments, notes) { $0.value }
  }

  /// The critical path: on which thread it was from when to when.
  private mutating func addPath() {
    var parts: [(thread: ThreadIndex, start: Instant, end: Instant)] = []
    if let last = store.lastAtWork {
      for step in CriticalPath(store, to: last.thread, at: last.time).steps {
        if let part = parts.last, part.thread == step.thread, part.end == step.piece.start {
          parts[parts.count - 1].end = step.piece.end
        } else {
          parts.append((step.thread, step.piece.start, step.piece.end))
        }
      }
    }
    parts = parts.filter { isKept($0.start, $0.end) }
    columns.add("path.thread", .numbers, parts) { Int64($0.thread.raw) }
    columns.add("path.start", .moments, parts) { $0.start.nanoseconds }
    columns.add("path.length", .lengths, parts) { $0.end.nanoseconds - $0.start.nanoseconds }
  }

  // MARK: Where nothing finer is kept

  /// Adds how the time was spent in a fixed number of parts of the run.
  mutating func add(_ shares: CoarseShares) {
    columns.add("coarse.threads", .bytes, shares.threads.flatMap { $0.map(shares.share) })
    columns.add("coarse.cores", .bytes, shares.cores.flatMap { $0.map(shares.share) })
    columns.add("coarse.lanes", .lengths, shares.lanes.flatMap { $0 })
    columns.add("coarse.laneMeans", .lengths, shares.laneMeans.flatMap { $0 })
    columns.add("coarse.live", .lengths, shares.live)
    columns.add("coarse.memory", .lengths, shares.memory)
  }
}
