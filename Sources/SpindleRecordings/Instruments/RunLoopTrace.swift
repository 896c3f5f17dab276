import SpindleModel

/// Passes of run loops as a trace: what a loop did between two waits is an item of it.
///
/// Source: sforteln/xctrace-query-mcp-server:tests/fixtures/xcode-27.0, exports of 12 rows each.
struct RunLoopTrace {
  /// The most passes that are taken.
  static let limit = 50_000

  /// A change of what a loop does: it begins or ends a pass, or a wait.
  private struct Change: Hashable {
    var time: Int64
    /// By how much it is deeper in passes, and in waits.
    var pass: Int
    var wait: Int
  }

  /// The loop of a thread.
  private struct Loop {
    var name = ""
    var isMain = false
    var process: Int64 = -1
    var changes: [Change] = []
    var modes: [String: Int] = [:]
    /// From when to when it was busy.
    var busy: [(start: Int64, end: Int64)] = []

    var ran: Int64 { busy.reduce(0) { $0 + $1.end - $1.start } }
  }

  private enum Column: Int, CaseIterable {
    case start, duration, kind, mode, isMain, thread, timestamp, event

    var name: String {
      [
        "start", "duration", "interval-type", "mode", "is-main", "thread", "timestamp",
        "event-type",
      ][rawValue]
    }
  }

  private var loops: [Loop] = []
  private var places: [Int64: Int] = [:]
  private var processes: [Int64: String] = [:]
  private var firstUnread: RecordingMistake?
  private var unread = 0
  private var isCut = false
  private var rows = 0
  private let recording: String
  private let table: String

  /// The trace of the loops in an export.
  static func text(
    _ bytes: any RecordingBytes, recording: String, _ choice: RecordingChoice
  ) throws -> String {
    let table = try InstrumentsTable.name(.runLoops, of: bytes)
    var trace = RunLoopTrace(recording: recording, table: table)
    let columns = Column.allCases.map(\.name)
    try ExportReader.read(bytes, table: table, columns: columns) { part, reader in
      switch part {
      case .mistake(let mistake): trace.pass(mistake)
      case .row(let row): try trace.take(row, reader)
      }
    }
    return try trace.lines(choice).joined(separator: "\n") + "\n"
  }

  private init(recording: String, table: String) {
    (self.recording, self.table) = (recording, table)
  }

  private mutating func pass(_ mistake: RecordingMistake) {
    firstUnread = firstUnread ?? mistake
    unread += 1
  }

  private mutating func take(_ row: ExportReader.Row, _ reader: ExportReader) throws {
    let isEvents = table == "runloop-events"
    let needed: [Column] =
      isEvents ? [.timestamp, .event, .kind, .thread] : [.start, .duration, .kind, .thread]
    for column in needed where !reader.has[column.rawValue] {
      throw RecordingMistake(.line(row.line), "the table '\(table)' has no column '\(column.name)'")
    }
    func fault(_ reason: String) {
      pass(RecordingMistake(.line(row.line), "row \(row.number): \(reason)"))
    }
    if let reason = row.fault { return fault(reason) }
    func cell(_ column: Column) -> ExportValue? { row.cells[column.rawValue] }
    guard let thread = cell(.thread), thread.hasNumber else { return fault("it names no thread") }
    let time = cell(isEvents ? .timestamp : .start)?.number ?? -1
    let duration = isEvents ? 0 : cell(.duration)?.number ?? -1
    guard time >= 0, time < 1 << 60, duration >= 0, duration < 1 << 60 else {
      return fault("its start or duration is not a time")
    }
    let (passes, waits): (Int, Int)
    switch reader.values.text(cell(.kind)) {
    case "Individual Iteration", "individual_iteration": (passes, waits) = (1, 0)
    case "Waiting For Events", "waiting_for_events": (passes, waits) = (0, 1)
    default: return
    }
    rows += 1
    if rows > 20 * Self.limit {
      isCut = true
      return
    }
    let place = place(of: thread, reader)
    if reader.values.text(cell(.isMain)) == "Yes" { loops[place].isMain = true }
    if passes == 1 { loops[place].modes[reader.values.text(cell(.mode)), default: 0] += 1 }
    guard isEvents else {
      loops[place].changes.append(Change(time: time, pass: passes, wait: waits))
      loops[place].changes.append(Change(time: time + duration, pass: -passes, wait: -waits))
      return
    }
    switch cell(.event)?.number {
    case 1: loops[place].changes.append(Change(time: time, pass: passes, wait: waits))
    case 2: loops[place].changes.append(Change(time: time, pass: -passes, wait: -waits))
    default: return
    }
  }

  private mutating func place(of thread: ExportValue, _ reader: ExportReader) -> Int {
    if let place = places[thread.number] { return place }
    let label = ExportedThread(reader.values.text(thread))
    places[thread.number] = loops.count
    let process = thread.process >= 0 ? thread.process : label.process ?? -1
    if !label.processName.isEmpty { processes[process] = label.processName }
    loops.append(Loop(name: label.name, isMain: label.isMain, process: process))
    return loops.count - 1
  }

  // MARK: Passes

  /// Finds when a loop was busy: in a pass, and not waiting.
  ///
  /// A loop that runs within another one's pass waits for both.
  private func busy(_ changes: [Change]) -> [(start: Int64, end: Int64)] {
    var result: [(start: Int64, end: Int64)] = []
    var (passes, waits) = (0, 0)
    // At one moment what ends does so before what begins.
    for change in changes.sorted(by: { ($0.time, $0.pass, $0.wait) < ($1.time, $1.pass, $1.wait) })
    {
      let was = passes > 0 && waits == 0
      // The recording begins within some that only end.
      passes = max(0, passes + change.pass)
      waits = max(0, waits + change.wait)
      let isBusy = passes > 0 && waits == 0
      if isBusy && !was {
        if let last = result.last, last.end == change.time {
          result[result.count - 1].end = .max
        } else {
          result.append((change.time, .max))
        }
      } else if was && !isBusy {
        result[result.count - 1].end = change.time
      }
    }
    if result.last?.end == .max { result.removeLast() }
    return result.filter { $0.end > $0.start }
  }

  private func process(_ wanted: String?) throws -> Int64? {
    var all = ExportedProcesses(names: processes)
    for loop in loops { all.ran(loop.process, for: loop.ran) }
    return try all.chosen(wanted, of: "loops")
  }

  // MARK: Text

  private mutating func lines(_ choice: RecordingChoice) throws -> [String] {
    let begin = loops.flatMap(\.changes).map(\.time).min() ?? 0
    let from = begin + min(1 << 60, choice.from?.rawValue ?? 0)
    let to = begin + min(1 << 60, choice.to?.rawValue ?? 1 << 60)
    var count = 0
    for index in loops.indices {
      let all = busy(loops[index].changes).filter { $0.start >= from && $0.start < to }
      let some = all.prefix(max(0, Self.limit - count))
      if some.count < all.count { isCut = true }
      count += some.count
      loops[index].busy = Array(some)
    }
    let process = try process(choice.process)
    let own = loops.filter { !$0.busy.isEmpty && (process == nil || $0.process == process) }
    guard let first = own.compactMap({ $0.busy.first?.start }).min() else {
      throw firstUnread ?? RecordingMistake(.whole, "no run loop turns in it")
    }
    let names = TraceNames(
      own.enumerated().map { ($1.isMain ? "main loop" : $1.name, Int32($0)) })
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    let program = TraceNames.printable(process.flatMap { processes[$0] } ?? "all run loops")
    var lines = TraceNotes.text(notes(own, file, program, process))
    lines += ["trace \"\(program), as \(TraceNames.printable(file)) has it\"", ""]
    lines += ["param cores = \(max(2, min(own.count, 64)))", ""]
    lines += ["machine { platform: .macOS; cores: cores; costs: .zero }", "", "main {"]
    let main = own.firstIndex(where: \.isMain)
    for place in own.indices where place != main {
      let call = "\(names.functions[place])()"
      lines.append("    Thread.detachNewThread(name: \"\(names.shown[place])\") { \(call) }")
    }
    if let main { lines += body(own[main], first) }
    lines.append("}")
    for place in own.indices where place != main {
      lines += ["", "func \(names.functions[place])() {"]
      lines += body(own[place], first)
      lines += ["    RunLoop.current.run()", "}"]
    }
    return lines
  }

  /// Each time that a loop was busy, as an item that comes when it did.
  private func body(_ loop: Loop, _ first: Int64) -> [String] {
    let starts = loop.busy.map { $0.start - first }
    let lengths = loop.busy.map { $0.end - $0.start }
    let round = [
      FoldedOperation(kind: .operation(.sleep, target: -1), lengths: starts),
      FoldedOperation(kind: .operation(.work, target: -1), lengths: lengths),
    ]
    let count = loop.busy.count
    let rounds = [FoldedOperation(kind: .loop(count: count, round), lengths: [])]
    let text = FunctionText(count == 1 ? round : rounds) { kind, _, length in
      kind == .sleep
        ? "let moment = \(length)" : "perform(afterDelay: moment) { work(\(length)) }"
    }
    return text.lines.map { "    " + $0 }
  }

  private func notes(
    _ own: [Loop], _ file: String, _ program: String, _ process: Int64?
  ) -> [(String, String)] {
    let ran = own.reduce(0) { $0 + $1.ran }
    let times = own.reduce(0) { $0 + $1.busy.count }
    var modes: [String: Int] = [:]
    for loop in own { modes.merge(loop.modes) { $0 + $1 } }
    let shown = modes.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(6)
      .map { "\($0.value) in \(TraceNames.printable($0.key))" }
    var notes = [
      ("imported", "from \(TraceNames.printable(file)), \(RecordingFormat.runLoops.name)"),
      (
        "program",
        "\(program)\(process.map { " (\($0))" } ?? ""), \(own.count) run loops, busy \(times) times "
          + "for \(TraceNotes.length(ran))" + (isCut ? "; the rest is too much for a trace" : "")
      ), ("passes", shown.joined(separator: ", ")),
    ]
    if let mistake = firstUnread {
      notes.append(("repaired", "\(unread) rows skipped: \(mistake.sentence(of: "in it"))"))
    }
    notes.append(
      (
        "not in it",
        "which source or timer came, so that each time is an item that comes at its moment, in the "
          + "default mode; cores; what a loop waited for within an item, which is part of its work"
      ))
    return notes
  }
}
