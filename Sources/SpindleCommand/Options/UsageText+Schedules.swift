/// Mistakes in how schedules are asked for, in alphabetical order.
extension UsageText {
  static func lateForm(_ text: some Shown) -> String {
    "'--late' needs a duration such as 50ms, not '\(text)'"
  }

  static func requireForm(_ word: some Shown) -> String {
    "'--require' needs 'complete', not '\(word)'"
  }

  static func scheduleForm(
    _ source: some Shown, line: Int, _ column: Int, _ message: some Shown
  ) -> String {
    "\(source) is not a schedule: \(message), at \(line):\(column)"
  }

  static let searchHasOneForm =
    "parts of a search have no '--format': give '--json' or nothing to 'spindle merge'"

  static func strategyUnknown(_ name: some Shown, near proposal: some Shown) -> String {
    "unknown strategy '\(name)'\(proposal)"
  }

  static func traceOfPartsChanged(_ path: some Shown) -> String {
    "the parts are of another text of '\(path)' than it has now"
  }
}
