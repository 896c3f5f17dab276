/// A Swift task of the table 'SwiftTaskStateTable', with what it did.
struct RecordedTask: Hashable, Sendable {
  /// The state in a row.
  struct Span: Hashable, Sendable {
    /// What it did.
    enum Kind: Hashable, Sendable {
      /// It is made or ends, or nothing is known of it yet.
      case making
      /// It waits for a thread or for an actor.
      case enqueued
      case running
      /// It waits for the task `other`.
      case awaiting
      /// It waits for something else.
      case suspended
    }

    var start: Int64
    var end: Int64
    var kind: Kind
    /// On which actor it ran, as a place in the list of actors; -1 for none.
    var actor: Int32
    /// For which task it waited, by its place; -1 for none.
    var other: Int32
    /// The thread on which it ran, by its number; -1 where unknown.
    var thread: Int64
  }

  /// Its number, and that of its process.
  var number: Int64
  var process: Int64
  var name = ""
  /// The first known priority: 9 to 33, as Swift counts; 0 where unknown.
  var priority: Int64 = 0
  var spans: [Span] = []

  /// How long it ran.
  var ran: Int64 {
    spans.reduce(0) { $0 + ($1.kind == .running ? $1.end - $1.start : 0) }
  }
}

/// Reads the table 'SwiftTaskStateTable' of Instruments.
///
/// Source: sforteln/xctrace-query-mcp-server:tests/fixtures/xcode-27.0, an export of 331 rows.
struct TaskStates {
  /// The most rows that are taken.
  static let limit = 250_000
  static let mainActor: Int32 = 0

  private(set) var tasks: [RecordedTask] = []
  /// What actors are called; the first is the main actor.
  private(set) var actors: [String] = ["Main Actor"]
  /// What processes are called.
  private(set) var processes: [Int64: String] = [:]
  /// What can't be read: the first of it, and how much.
  private(set) var firstUnread: RecordingMistake?
  private(set) var unread = 0
  /// Whether there are more rows than are taken.
  private(set) var isCut = false
  private var rows = 0
  private var places: [Pair: Int32] = [:]
  private var actorPlaces: [Pair: Int32] = [:]

  private struct Pair: Hashable { var one: Int64, other: Int64 }

  private enum Column: Int, CaseIterable {
    case start, duration, task, actor, state, priority, waits, process, thread, enqueued

    var name: String {
      [
        "start", "duration", "task", "actor", "state", "priority", "waiting-for", "process",
        "thread", "enqueued-actor",
      ][rawValue]
    }
  }

  /// Reads all of an export.
  init(_ bytes: any RecordingBytes) throws {
    let columns = Column.allCases.map(\.name)
    try ExportReader.read(bytes, table: "SwiftTaskStateTable", columns: columns) { part, reader in
      switch part {
      case .mistake(let mistake): pass(mistake)
      case .row(let row): try take(row, reader)
      }
    }
    for index in tasks.indices { tasks[index].spans.sort { $0.start < $1.start } }
  }

  private mutating func pass(_ mistake: RecordingMistake) {
    firstUnread = firstUnread ?? mistake
    unread += 1
  }

  private mutating func take(_ row: ExportReader.Row, _ reader: ExportReader) throws {
    for column in [Column.start, .duration, .task, .state] where !reader.has[column.rawValue] {
      throw RecordingMistake(
        .line(row.line), "the table 'SwiftTaskStateTable' has no column '\(column.name)'")
    }
    func fault(_ reason: String) {
      pass(RecordingMistake(.line(row.line), "row \(row.number): \(reason)"))
    }
    if let reason = row.fault { return fault(reason) }
    func cell(_ column: Column) -> ExportValue? { row.cells[column.rawValue] }
    guard let start = cell(.start)?.number, start >= 0, start < 1 << 60,
      let duration = cell(.duration)?.number, duration >= 0, duration < 1 << 60
    else { return fault("its start or duration is not a time") }
    guard let task = cell(.task), task.number >= 0 else { return fault("it names no task") }
    guard let kind = kind(reader.values.text(cell(.state)), isEnqueued: cell(.enqueued) != nil)
    else {
      let state = TraceNames.printable(reader.values.text(cell(.state)))
      return fault("the state '\(state)' is not known")
    }
    if rows >= Self.limit {
      isCut = true
      return
    }
    rows += 1
    let process = cell(.process)?.number ?? task.process
    let place = place(of: task.number, in: process)
    if let owner = cell(.process), processes[process] == nil {
      processes[process] = Self.plain(reader.values.text(owner), process)
    }
    if tasks[place].name.isEmpty {
      tasks[place].name = Self.plain(reader.values.text(task), task.number)
    }
    if tasks[place].priority == 0 { tasks[place].priority = max(0, cell(.priority)?.number ?? 0) }
    let other = cell(.waits).map { Int32(self.place(of: $0.number, in: process)) } ?? -1
    tasks[place].spans.append(
      RecordedTask.Span(
        start: start, end: start + duration, kind: kind,
        actor: actor(cell(.actor), process, reader), other: other,
        thread: cell(.thread)?.number ?? -1))
  }

  private func kind(_ state: String, isEnqueued: Bool) -> RecordedTask.Span.Kind? {
    switch state {
    case "Running": .running
    case "Creating", "Unknown", "Ending": .making
    case "Enqueued": .enqueued
    case "Suspended": isEnqueued ? .enqueued : .suspended
    case "Continuation": .suspended
    case "Waiting": .awaiting
    default: nil
    }
  }

  private mutating func place(of number: Int64, in process: Int64) -> Int {
    let key = Pair(one: process, other: number)
    if let place = places[key] { return Int(place) }
    places[key] = Int32(tasks.count)
    tasks.append(RecordedTask(number: number, process: process))
    return tasks.count - 1
  }

  /// The place of an actor; -1 for the executor that all share.
  private mutating func actor(
    _ value: ExportValue?, _ process: Int64, _ reader: ExportReader
  ) -> Int32 {
    guard let value else { return -1 }
    let text = reader.values.text(value)
    if text.hasPrefix("Main Actor") { return Self.mainActor }
    if text.isEmpty || text.hasPrefix("Global Concurrent Executor") { return -1 }
    let key = Pair(one: process, other: value.hasNumber ? value.number : Int64(value.text))
    if let place = actorPlaces[key] { return place }
    let place = Int32(actors.count)
    actorPlaces[key] = place
    let name = text.hasSuffix(")") ? text.lastIndex(of: "(").map { String(text[..<$0]) } : nil
    actors.append(name ?? text)
    return place
  }

  /// A name without the number in parentheses behind it; none where it is only an address.
  private static func plain(_ text: String, _ number: Int64) -> String {
    let tail = " (\(number))"
    let name = text.hasSuffix(tail) ? String(text.dropLast(tail.count)) : text
    return name.hasPrefix("0x") ? "task" : name
  }
}
