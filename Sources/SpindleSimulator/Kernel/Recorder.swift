import SpindleModel

/// Appends to the log and hands it on in chunks.
struct Recorder: ~Copyable {
  /// Whether anybody reads the log; when nobody does, no entry is handed on or counted.
  let isOn: Bool
  /// Whether anybody reads the entries that only a complete log needs.
  let isComplete: Bool
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
  /// Who looks for races, and up to where it has read: it may be asked at any moment, and then has read all.
  var races: RaceDetector
  private var shown: UnsafeMutablePointer<LogEntry>
  private let consumers: [any LogConsumer]

  /// Creates a recorder for `consumers`.
  ///
  /// The standard chunk has 20 KB: what is written is still near when it is read.
  init(
    consumers: [any LogConsumer],
    races: consuming RaceDetector = RaceDetector(isOn: false, sharesNumbers: false),
    chunk: Int
  ) {
    self.consumers = consumers
    isOn = !consumers.isEmpty || races.isOn
    isComplete = races.isOn || consumers.contains { $0.needsEveryEntry }
    isWatched = consumers.contains { $0.mayStopRun }
    buffer = .allocate(capacity: chunk)
    (next, shown, end) = (buffer, buffer, buffer + chunk)
    self.races = races
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

  /// The detector of races reads all that has been recorded.
  @inline(never)
  mutating func catchUp() {
    demand(races.isOn, "nobody looks for races")
    let (first, count) = (shown, next - shown)
    shown = next
    if count > 0 { races.receive(UnsafeBufferPointer(start: first, count: count)) }
  }

  /// Hands on what has been recorded since the last time.
  @inline(never)
  mutating func flush() {
    demand(next <= end, "the log's buffer has \(next - buffer) entries")
    if races.isOn { catchUp() }
    let entries = UnsafeBufferPointer(start: buffer, count: next - buffer)
    (next, shown) = (buffer, buffer)
    if entries.isEmpty || !isOn { return }
    total &+= Int64(entries.count)
    for consumer in consumers {
      consumer.receive(entries)
      if consumer.stopsRun { isStopped = true }
    }
  }
}
