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
  /// Copies of what was recorded since somebody asked for that, up to the last that was handed on; nil where nobody did.
  private var kept: [LogEntry]?
  /// Where the rest of it begins.
  private var keptFrom: UnsafeMutablePointer<LogEntry>
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
    buffer = .allocate(capacity: chunk)
    (next, shown, end) = (buffer, buffer, buffer + chunk)
    keptFrom = buffer
    self.races = races
    self.lockOrder = lockOrder
  }

  deinit { buffer.deallocate() }

  /// Adds an entry.
  ///
  /// Also when nobody reads it: to ask each time would cost the runs that somebody reads.
  @inline(__always)
  mutating func record(_ entry: LogEntry) {
    assert(next < end, "the log's buffer is full")
    next.initialize(to: entry)
    next += 1
    if next == end { flush() }
  }

  /// Counts an entry that nobody reads.
  @inline(__always)
  mutating func skip() { if isOn { total &+= 1 } }

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

  /// Keeps copies of what is recorded from here on.
  mutating func beginKeeping() { (kept, keptFrom) = ([], next) }

  /// Keeps no copies any more.
  mutating func endKeeping() { kept = nil }

  /// The copies, behind which it begins anew.
  mutating func takeKept() -> [LogEntry] {
    keep()
    let entries = kept ?? []
    kept = []
    return entries
  }

  private mutating func keep() {
    kept? += UnsafeBufferPointer(start: keptFrom, count: next - keptFrom)
    keptFrom = next
  }

  /// Records entries `count` times more, each time later by `period`.
  ///
  /// Who looks for races and orders of locks is told nothing: the rounds of one thread while nobody else does anything
  /// tell no more than the first and the last of them.
  mutating func repeatKept(_ round: [LogEntry], _ count: Int64, later period: Int64) {
    demand(count > 0, "a round is recorded \(count) times")
    if round.isEmpty || !isOn { return }
    flush()
    var round = round
    for _ in 0..<count {
      for index in round.indices {
        round[index].time += period
        next.initialize(to: round[index])
        next += 1
        if next == end {
          shown = next
          flush()
        }
      }
    }
    shown = next
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

  /// Hands on what has been recorded since the last time.
  @inline(never)
  mutating func flush() {
    demand(next <= end, "the log's buffer has \(next - buffer) entries")
    if watchesOrder { catchUp() }
    if kept != nil { keep() }
    let entries = UnsafeBufferPointer(start: buffer, count: next - buffer)
    (next, shown, keptFrom) = (buffer, buffer, buffer)
    if entries.isEmpty || !isOn { return }
    total &+= Int64(entries.count)
    for consumer in consumers {
      consumer.receive(entries)
      if consumer.stopsRun { isStopped = true }
    }
  }
}
