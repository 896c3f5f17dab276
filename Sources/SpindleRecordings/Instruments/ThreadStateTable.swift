/// A thread's state from one moment to another, as a row of the table 'thread-state' has it.
struct ThreadInterval: Hashable, Sendable {
  /// What a thread is doing.
  enum State: Hashable, Sendable {
    /// It has a core, or an interrupt has taken the core from it for a moment.
    case running
    /// It could run.
    case ready
    /// It waits.
    case waiting
    /// It has ended.
    case ended
  }

  var start: Int64
  var end: Int64
  /// Whose it is, as a place in the list of threads.
  var thread: Int32
  var state: State
  /// The core, -1 where unknown.
  var core: Int32
  /// Mach's priority, -1 where unknown.
  var priority: Int32
  /// The thread that made it runnable, as a place in the list of threads; -1 for none.
  var waker: Int32 = -1
  /// Whether that was a thread.
  var context = RecordedEvent.Context.thread
}

/// Keeps rows that have come, until no earlier one can come: tables are in the order of time but for a few
/// rows.
struct IntervalQueue {
  /// How many rows may precede one that is earlier than they.
  static let capacity = 1 << 15

  private var heap: [(interval: ThreadInterval, order: Int64)] = []
  private var count: Int64 = 0

  /// Whether it has to give one away before it can take another.
  var isFull: Bool { heap.count >= Self.capacity }

  /// When the first of them begins; nil for none.
  var first: Int64? { heap.first?.interval.start }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (heap[one], heap[other])
    return (one.interval.start, one.order) < (other.interval.start, other.order)
  }

  mutating func add(_ interval: ThreadInterval) {
    assert(!isFull, "\(heap.count) rows are kept, and one more comes")
    heap.append((interval, count))
    count += 1
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The first of them, which is in it no more.
  mutating func take() -> ThreadInterval? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first.interval }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if isBefore(child, least) { least = child }
      }
      if least == place { return first.interval }
      heap.swapAt(place, least)
      place = least
    }
  }
}

/// Reads the table 'thread-state' of Instruments, whose rows are intervals, as events.
///
/// Source of its columns: jlipworth/Labstream:scripts/tests/test_perf_macos_launch_idle.py; of its states:
/// sforteln/xctrace-query-mcp-server:aidocs/typeAudit/C-svt-bands.md. No whole export is public, so that none
/// was tried.
struct ThreadStateTable<Receiver: RecordingReceiver> {
  private enum Column: Int, CaseIterable {
    case start, thread, state, duration, process, core, priority, note, waker

    var name: String {
      switch self {
      case .start: "start"
      case .thread: "thread"
      case .state: "state"
      case .duration: "duration"
      case .process: "process"
      case .core: "core"
      case .priority: "priority"
      case .note: "note"
      case .waker: "made-runnable-by-thread"
      }
    }
  }

  private var events: IntervalEvents<Receiver>
  private var queue = IntervalQueue()
  private var places: [Int64: Int32] = [:]
  /// By place of a text in the export: what state it names.
  private var states: [Int32: ThreadInterval.State] = [:]
  private var hasColumns = false

  private init(_ receiver: Receiver) { events = IntervalEvents(receiver) }

  /// Reads all of an export.
  static func read(_ bytes: any RecordingBytes, into receiver: inout Receiver) throws {
    var table = ThreadStateTable(receiver)
    let columns = Column.allCases.map(\.name)
    try ExportReader.read(bytes, table: "thread-state", columns: columns) { part, reader in
      switch part {
      case .mistake(let mistake): table.events.receiver.receive(.unread(mistake))
      case .row(let row): try table.take(row, reader)
      }
    }
    while let interval = table.queue.take() { table.events.take(interval) }
    table.events.finish()
    receiver = table.events.receiver
  }

  private mutating func take(_ row: ExportReader.Row, _ reader: ExportReader) throws {
    if !hasColumns {
      hasColumns = true
      for column in [Column.start, .thread, .state, .duration] where !reader.has[column.rawValue] {
        throw RecordingMistake(
          .line(row.line), "the table 'thread-state' has no column '\(column.name)'")
      }
      events.tellsInterrupts = reader.has[Column.note.rawValue]
    }
    func pass(_ reason: String) {
      events.receiver.receive(
        .unread(RecordingMistake(.line(row.line), "row \(row.number): \(reason)")))
    }
    if let fault = row.fault { return pass(fault) }
    // A core that has nothing to run has a row without a thread.
    guard let thread = row.cells[Column.thread.rawValue] else { return }
    guard let start = row.cells[Column.start.rawValue], start.number >= 0,
      let duration = row.cells[Column.duration.rawValue], duration.number >= 0,
      case let (end, overflow) = start.number.addingReportingOverflow(duration.number), !overflow
    else { return pass("its start or duration is not a time") }
    guard let name = row.cells[Column.state.rawValue] else { return pass("it has no state") }
    guard let state = state(name, reader) else {
      return pass("the state '\(TraceNames.printable(reader.values.text(name)))' is not known")
    }
    guard let place = place(of: thread, reader, row.cells[Column.process.rawValue]) else {
      return pass("its thread has no number")
    }
    var interval = ThreadInterval(
      start: start.number, end: end, thread: place, state: state,
      core: core(row.cells[Column.core.rawValue], reader),
      priority: Int32(clamping: row.cells[Column.priority.rawValue]?.number ?? -1))
    wake(&interval, row, reader)
    while queue.isFull, let first = queue.take() { events.take(first) }
    queue.add(interval)
  }

  /// The thread that made the thread runnable: from the column, and before Xcode 16 from the note.
  private mutating func wake(
    _ interval: inout ThreadInterval, _ row: ExportReader.Row, _ reader: ExportReader
  ) {
    let note = row.cells[Column.note.rawValue]
    // An interrupt has the name of the interrupted thread.
    if note?.process == 1 { interval.context = .interrupt }
    if !reader.has[Column.note.rawValue] { interval.context = .unknown }
    if let waker = row.cells[Column.waker.rawValue] {
      interval.waker = place(of: waker, reader, nil) ?? -1
    } else if let note, note.hasNumber {
      interval.waker = place(of: ExportValue(number: note.number), reader, nil) ?? -1
    }
  }

  private mutating func state(
    _ value: ExportValue, _ reader: ExportReader
  ) -> ThreadInterval.State? {
    if let known = states[value.text] { return known }
    let state: ThreadInterval.State
    switch reader.values.text(value) {
    case "Running", "Interrupted": state = .running
    case "Runnable", "Preempted": state = .ready
    // A parked worker of a queue is idle; a throttled or unknown thread has no core.
    case "Blocked", "Idle", "Throttled", "Unknown": state = .waiting
    case "Terminated": state = .ended
    default: return nil
    }
    states[value.text] = state
    return state
  }

  /// `CPU 7 (P Core)`, and 7.
  private mutating func core(_ value: ExportValue?, _ reader: ExportReader) -> Int32 {
    guard let value else { return -1 }
    let text = reader.values.text(value)
    var number = value.number
    if !value.hasNumber {
      number = Int64(text.drop { !$0.isNumber }.prefix(while: \.isNumber)) ?? -1
    }
    guard (0..<512).contains(number) else { return -1 }
    if text.contains("(E") { events.isEfficiency(Int32(number)) }
    return Int32(number)
  }

  /// The place of a thread in the list; nil where it has no number.
  private mutating func place(
    of thread: ExportValue, _ reader: ExportReader, _ process: ExportValue?
  ) -> Int32? {
    var known = ExportedThread("")
    var number = thread.number
    if !thread.hasNumber {
      known = ExportedThread(reader.values.text(thread))
      number = known.number ?? .min
    }
    guard number >= 0 else { return nil }
    let place: Int32
    if let old = places[number] {
      place = old
      if !events.isUnnamed(place, thread.text) { return place }
    } else {
      place = events.add(number)
      places[number] = place
    }
    if thread.text >= 0 {
      known = ExportedThread(reader.values.text(thread))
      events.name(place, thread.text, known.name, isMain: known.isMain)
    }
    let owner = process?.number ?? thread.process
    let of = owner >= 0 ? owner : known.process ?? -1
    if of >= 0 {
      let name = ExportedThread(reader.values.text(process)).name
      events.process(place, of, known.processName.isEmpty ? Self.plain(name) : known.processName)
    }
    return place
  }

  /// `App (12345)` without its number.
  private static func plain(_ name: String) -> String {
    guard name.hasSuffix(")"), let open = name.lastIndex(of: "(") else { return name }
    let rest = name[..<open]
    return rest.last == " " ? String(rest.dropLast()) : name
  }
}
