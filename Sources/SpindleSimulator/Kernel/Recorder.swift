import SpindleModel

/// Appends to the log and hands it on in chunks.
struct Recorder: ~Copyable {
  /// Whether anybody reads the log; when nobody does, no entry is handed on or counted.
  let isOn: Bool
  /// Whether anybody reads the entries that only a complete log needs.
  let isComplete: Bool
  /// Whether anybody wants to know what comes before what.
  let watchesOrder: Bool
  /// Whether anybody may want the run to end.
  let isWatched: Bool
  /// How many entries there were, those that nobody reads included, up to the last that was handed on.
  private(set) var total: Int64 = 0
  /// Whether the run is over, so that nothing more is handed on.
  private var isClosed = false
  /// Whether a consumer wants the run to end.
  private(set) var isStopped = false
  private let buffer: UnsafeMutablePointer<LogEntry>
  /// Where the next entry goes.
  private var next: UnsafeMutablePointer<LogEntry>
  private let end: UnsafeMutablePointer<LogEntry>
  /// Who looks for races and for locks in both orders, and up to where they have read: they may be asked at any
  /// moment, and then have read all.
  var races: RaceDetector
  var lockOrder: LockOrder
  private var shown: UnsafeMutablePointer<LogEntry>
  /// Rounds of loops that are told once.
  private var rounds = LogRounds()
  /// Copies of what may be a part of a round since somebody asked for that; nil where nobody did.
  private var kept: [LogEntry]?
  /// How many entries fit behind a full chunk.
  ///
  /// These are the first and the last round of many, one that is not complete, and the entry for the others.
  private static let room = 3 * LogRounds.longest + 1
  private let consumers: [any LogConsumer]
  /// Who holds threads in front of their steps; nil in a run as it is.
  let driver: ScheduleDriver?

  /// Creates a recorder for `consumers`.
  ///
  /// The standard chunk has 20 KB: what is written is still near when it is read.
  init(
    consumers: [any LogConsumer],
    races: RaceDetector = RaceDetector(isOn: false, sharesNumbers: false),
    lockOrder: LockOrder = LockOrder(isOn: false, sharesNumbers: false),
    driver: ScheduleDriver? = nil, chunk: Int
  ) {
    self.consumers = consumers
    self.driver = driver
    // No closure, as '||' has one, may see the recorder before all of it is there.
    let watches = races.isOn || lockOrder.isOn || driver != nil
    watchesOrder = watches
    isOn = !consumers.isEmpty || watches
    isComplete = watches || consumers.contains { $0.needsEveryEntry }
    isWatched = consumers.contains { $0.mayStopRun }
    buffer = .allocate(capacity: chunk + Recorder.room)
    (next, shown, end) = (buffer, buffer, buffer + chunk)
    self.races = races
    self.lockOrder = lockOrder
  }

  deinit { buffer.deallocate() }

  /// Adds an entry.
  ///
  /// Also when nobody reads it: to ask each time would cost the runs that somebody reads.
  @inline(__always)
  mutating func record(_ entry: LogEntry) {
    assert(next < end + Recorder.room, "the log's buffer is full")
    next.initialize(to: entry)
    next += 1
    if next >= end { flush() }
  }

  /// Counts an entry that nobody reads.
  @inline(__always)
  mutating func skip() {
    if isOn { total &+= 1 }
    rounds.next = nil
  }

  /// Lets all consumers look whether the run is to end; whether one wants that.
  @inline(never)
  mutating func look() -> Bool {
    for consumer in consumers {
      consumer.look()
      if consumer.stopsRun { isStopped = true }
    }
    return isStopped
  }

  // MARK: Rounds of loops

  /// Adds an entry that a round of a loop may leave which waits for something.
  @inline(__always)
  mutating func recordRound(_ entry: LogEntry) {
    if rounds.next != next { rounds.restart() }
    if kept != nil { kept?.append(entry) }
    if rounds.count >= LogRounds.patience { return recordLooking(entry) }
    record(entry)
    rounds.count &+= 1
    rounds.next = next
  }

  /// The same, where so many came before it in a row that they may be rounds.
  @inline(never)
  private mutating func recordLooking(_ entry: LogEntry) {
    if rounds.round.isEmpty {
      record(entry)
      if rounds.look(at: entry) { flush() }
    } else if rounds.goesOn(entry) {
      next.initialize(to: entry)
      next += 1
      if rounds.isComplete {
        // Who wants to know what comes before what sees each round, also those that the log does not tell.
        if watchesOrder { catchUp() }
        next = rounds.complete(before: next)
        if watchesOrder { shown = next }
      }
    } else {
      rounds.restart()
      record(entry)
    }
    rounds.next = next
  }

  /// Keeps copies of what rounds leave from here on.
  mutating func beginKeeping() { kept = [] }

  /// Keeps no copies any more.
  mutating func endKeeping() { kept = nil }

  /// The copies, behind which it begins anew.
  mutating func takeKept() -> [LogEntry] {
    let entries = kept ?? []
    kept = kept == nil ? nil : []
    return entries
  }

  /// What changes whenever something else is recorded than what rounds leave, where rounds leave something or nothing.
  func others(besideRounds: Bool) -> Int64 {
    besideRounds ? rounds.rows + (rounds.next == next ? 0 : 1) : total + Int64(next - buffer)
  }

  /// Records what a round left `count` times more, each time later by `period`, with values that grow by `growth`.
  ///
  /// Returns how many of these times are recorded one by one.
  mutating func repeatRound(
    _ round: [LogEntry], _ count: Int64, later period: Int64, growth: [Int64]
  ) -> Int64 {
    demand(count > 0 && kept == nil, "a round is recorded \(count) times")
    if round.isEmpty || !isOn { return 0 }
    var entries = round
    for passed in 0..<count {
      if rounds.pass(count - passed, of: entries.count, later: period, before: next) {
        return passed
      }
      for index in entries.indices {
        entries[index].time += period
        entries[index].value &+= growth[index]
        recordRound(entries[index])
      }
    }
    return count
  }

  /// Whoever wants to know what comes before what reads all that has been recorded.
  @inline(never)
  mutating func catchUp() {
    demand(watchesOrder, "nobody looks for races or cycles")
    let entries = UnsafeBufferPointer(start: shown, count: next - shown)
    shown = next
    if entries.isEmpty { return }
    driver?.receive(entries)
    if races.isOn { races.order.receive(entries) }
    if lockOrder.isOn { lockOrder.order.receive(entries) }
  }

  /// Flushes the log to the order trackers, then applies `tell`.
  @inline(never)
  mutating func tellOrder(_ tell: (inout HappensBefore) -> Void) {
    catchUp()
    eachOrder(tell)
  }

  private mutating func eachOrder(_ tell: (inout HappensBefore) -> Void) {
    if races.isOn { tell(&races.order) }
    if lockOrder.isOn { tell(&lockOrder.order) }
    if let driver, driver.recordsSteps {
      tell(&driver.recorder.order)
      tell(&driver.recorder.must)
    }
  }

  /// The run is over: what is recorded from now on is no part of it.
  mutating func close() { isClosed = true }

  /// Hands on what has been recorded since the last time.
  @inline(never)
  mutating func flush() {
    if watchesOrder { catchUp() }
    let entries = UnsafeBufferPointer(start: buffer, count: next - buffer)
    rounds.next = rounds.next == next && rounds.round.isEmpty ? buffer : nil
    (next, shown) = (buffer, buffer)
    if entries.isEmpty || !isOn || isClosed { return }
    total &+= Int64(entries.count)
    for consumer in consumers {
      consumer.receive(entries)
      if consumer.stopsRun { isStopped = true }
    }
  }
}
