import SpindleModel
import SpindleReports

/// A run made by hand: its log in words, and what the simulator would say at the end.
struct SmallLog {
  var program = Program()
  var machine = ResolvedMachine(
    platform: .ideal, cores: [CoreDescription(), CoreDescription()], memory: .gigabytes(1),
    costs: "zero", policy: "fifo")
  var record: RunRecord
  private(set) var entries: [LogEntry] = []
  private(set) var names: [String] = WellKnownName.allCases.map(\.text)

  init(kinds: [String] = []) {
    record = RunRecord(
      on: machine, outcome: Outcome(.finished), end: .start, makespan: .start)
    program.title = "small"
    program.kinds = kinds.map { WorkKind(pattern: $0, isNamed: true) }
    record.cores = [.init(busy: .zero, overhead: .zero), .init(busy: .zero, overhead: .zero)]
  }

  /// The number of a name, which is added when it is new.
  mutating func name(_ text: String) -> Int32 {
    if let index = names.firstIndex(of: text) { return Int32(index) }
    names.append(text)
    return Int32(names.count - 1)
  }

  /// Adds an entry; times are in milliseconds, and the run lasts at least as long.
  mutating func add(
    _ milliseconds: Double, _ event: LogEvent, thread: Int32 = -1, object: String? = nil,
    other: Int32 = -1, subject: Int32 = -1, value: Int64 = 0, detail: UInt8 = 0, core: Int16 = -1
  ) {
    let time = Int64(milliseconds * 1_000_000)
    entries.append(
      LogEntry(
        time: time, event: event, detail: detail, core: core, thread: thread,
        object: object.map { name($0) } ?? -1, other: other, subject: subject,
        place: Int32(entries.count), value: value))
    record.end = max(record.end, Instant(time))
    record.makespan = record.end
  }

  /// Changes the entry at `index`.
  mutating func replaceEntry(_ index: Int, _ change: (inout LogEntry) -> Void) {
    change(&entries[index])
  }

  /// Adds the main thread, in slot 0.
  mutating func addMain() {
    add(0, .threadCreated, thread: 0, object: "main", detail: ThreadOrigin.main.rawValue)
  }

  /// Adds another thread.
  mutating func addThread(_ slot: Int32, _ name: String, at milliseconds: Double = 0) {
    add(
      milliseconds, .threadCreated, thread: slot, object: name,
      detail: ThreadOrigin.thread.rawValue)
  }

  /// Adds an item that is handed over, begins and ends.
  mutating func addItem(
    _ name: String, kind: Int32 = -1, on thread: Int32, submitted: Double, started: Double,
    ended: Double
  ) {
    add(submitted, .itemSubmitted, thread: 0, object: name, subject: kind)
    add(
      started, .itemStarted, thread: thread, object: name, subject: kind,
      value: Int64((started - submitted) * 1_000_000))
    add(
      ended, .itemEnded, thread: thread, object: name, subject: kind,
      value: Int64((ended - submitted) * 1_000_000))
  }

  /// Adds a mark.
  mutating func mark(_ milliseconds: Double, _ text: String, on thread: Int32 = 0) {
    add(milliseconds, .mark, thread: thread, object: text)
  }

  /// Gives the log, in order of time, to `consumers`, `chunk` entries at a time.
  func run(_ consumers: [any LogConsumer], chunk: Int = 3) {
    let table = NameTable(names)
    let order = self.entries.indices.sorted {
      let (left, right) = (self.entries[$0].time, self.entries[$1].time)
      return left == right ? $0 < $1 : left < right
    }
    let ordered = order.map { self.entries[$0] }
    for consumer in consumers {
      consumer.begin(RunDescription(program: program, machine: machine, names: table))
      ordered.withUnsafeBufferPointer { all in
        for start in stride(from: 0, to: all.count, by: chunk) {
          let end = min(all.count, start + chunk)
          consumer.receive(UnsafeBufferPointer(rebasing: all[start..<end]))
        }
      }
      consumer.end(record)
    }
  }

  /// The numbers of the run.
  var metrics: RunMetrics {
    let metrics = Metrics()
    run([metrics])
    return metrics.result
  }

  /// The digest of the run.
  var digest: String {
    let logDigest = LogDigest()
    run([logDigest])
    return logDigest.text
  }

  /// The log as text.
  func text(limit: Int? = nil, chunk: Int = 3) -> String {
    let collected = Collected()
    run([LogText(limit: limit) { collected.bytes += $0 }], chunk: chunk)
    return String(decoding: collected.bytes, as: UTF8.self)
  }

  private final class Collected {
    var bytes: [UInt8] = []
  }
}

/// A length in milliseconds.
func milliseconds(_ count: Double) -> Nanoseconds {
  Nanoseconds(Int64(count * 1_000_000))
}
