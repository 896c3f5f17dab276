/// The table of Instruments in an export, and the message about those that can't become a trace.
enum InstrumentsTable {
  /// Tables that are read, the best first.
  static let read: [(name: String, format: RecordingFormat)] = [
    ("thread-state", .instruments), ("SwiftTaskStateTable", .swiftTasks),
    ("runloop-intervals", .runLoops), ("runloop-events", .runLoops),
  ]

  /// The command that exports a table.
  static func command(_ table: String, of recording: String = "X.trace") -> String {
    "xctrace export --input \(recording) --xpath '/trace-toc/run[@number=\"1\"]/data/table"
      + "[@schema=\"\(table)\"]'"
  }

  /// Whether a recording begins as a file of markup does.
  static func isMarkup(_ start: [UInt8]) -> Bool {
    var start = start[...]
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 == 0x20 || (9...13).contains($0) }
    return start.starts(with: "<?xml".utf8) || start.starts(with: "<trace-".utf8)
  }

  /// Which table an export holds first, of those that are read; throws what to export instead.
  static func format(of bytes: any RecordingBytes) throws -> RecordingFormat {
    let found = try tables(of: bytes)
    for name in found.names where found.root == "trace-query-result" {
      if let known = read.first(where: { $0.name == name }) { return known.format }
    }
    guard let root = found.root else {
      throw RecordingMistake(.line(1), "it begins as markup does, and has no element")
    }
    throw refusal(root, found)
  }

  /// Which of the tables for a format an export holds.
  static func name(_ format: RecordingFormat, of bytes: any RecordingBytes) throws -> String {
    let names = try tables(of: bytes).names
    return read.first { $0.format == format && names.contains($0.name) }?.name ?? ""
  }

  /// The content of an export: its outermost element, its tables up to the first that is read, and whether it
  /// has rows.
  private struct Found {
    var root: String?
    var names: [String] = []
    var line = 1
    var hasRows = false
    var isCut = false
  }

  private static func tables(of bytes: any RecordingBytes) throws -> Found {
    var found = Found()
    found.isCut = try bytes.forEachMark { mark, line in
      guard case .tag(let tag) = mark, tag.opens else { return true }
      if found.root == nil {
        found.root = String(decoding: tag.name.prefix(64), as: UTF8.self)
        found.line = line
      }
      if tag.isCalled("row") { found.hasRows = true }
      let isTable = found.root == "trace-toc" && tag.isCalled("table")
      guard isTable || tag.isCalled("schema") else { return true }
      let name = tag.attribute(isTable ? "schema" : "name").map { MarkupText.plain($0) } ?? ""
      if found.names.count < 1_000, !found.names.contains(name) { found.names.append(name) }
      return isTable || !read.contains { $0.name == name }
    }
    return found
  }

  private static func refusal(_ root: String, _ found: Found) -> RecordingMistake {
    if root == "trace-toc" {
      let known = read.first { found.names.contains($0.name) }?.name
      return RecordingMistake(
        .whole,
        "it is Instruments' table of contents"
          + (known == nil
            ? ", and has no table that is read: record with 'System Trace', then " : ": ")
          + "export a table with \(command(known ?? "thread-state"))")
    }
    guard root == "trace-query-result" else {
      return RecordingMistake(
        .line(found.line), "it is markup, but no export of xctrace: it begins with <\(root)>")
    }
    guard let name = found.names.first else {
      let what =
        found.hasRows
        ? "the export has rows and no table, as those of a track's details have"
        : found.isCut ? "the export ends before its table begins" : "the export holds no table"
      return RecordingMistake(.whole, "\(what): export one with \(command("thread-state"))")
    }
    return RecordingMistake(.whole, advice(name))
  }

  /// What to export instead of a table.
  private static func advice(_ name: String) -> String {
    let shown = TraceNames.printable(name)
    switch name {
    case "SwiftTaskLifetime", "SwiftTasksInfoTable", "SwiftTaskCreationEvent", "SwiftActorLifetime",
      "SwiftActorQueueSize":
      return "the table '\(shown)' lists Swift tasks without their "
        + "states: export 'SwiftTaskStateTable' with \(command("SwiftTaskStateTable"))"
    case "time-sample", "time-profile", "cpu-profile", "counters-profile":
      return "the table '\(shown)' has samples, without the times of dispatches and "
        + "wake-ups: record with 'System Trace' and export 'thread-state' with "
        + command("thread-state")
    default:
      return "no trace can be made of the table '\(shown)': export 'thread-state' with "
        + "\(command("thread-state")), or 'SwiftTaskStateTable', 'runloop-intervals' or "
        + "'runloop-events'"
    }
  }
}
