import SpindleModel

/// A trace with a schedule of its own.
enum ScheduledTrace {
  /// The text of a trace with a `schedule` block behind all that it has.
  static func text(of source: SourceText, with schedule: Schedule) -> String {
    var text = String(decoding: source.utf8, as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    let lines = schedule.lines.map { "    \($0)\n" }.joined()
    return text + "\n\nschedule {\n\(lines)}\n"
  }
}
