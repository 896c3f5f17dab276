/// Annotations of a run in GitHub Actions, at the lines that they are about.
///
/// Source: docs.github.com, "Workflow commands for GitHub Actions", and what its toolkit escapes
/// (packages/core/src/command.ts in actions/toolkit).
package enum GitHubText {
  /// How many annotations of one sort GitHub shows of a step.
  private static let limit = 10

  /// The commands for the failures of some tests, and for the notices of those that failed.
  package static func annotations(_ cases: [TestCase]) -> String {
    var (errors, warnings): ([String], [String]) = ([], [])
    for test in cases {
      for failure in test.failures {
        errors.append(
          line("error", test.name, failure.place, failure.kind.rawValue, shortened(failure)))
      }
      for notice in test.notices where notice.severity == "warning" {
        warnings.append(line("warning", test.name, notice.place, notice.rule, notice.text))
      }
    }
    return (errors.prefix(limit) + warnings.prefix(limit)).joined()
  }

  /// How many lines of a difference from a log are printed; the whole of it is in the step's own log.
  private static let differenceLimit = 8

  /// The text of a failure, of a long difference its beginning.
  private static func shortened(_ failure: TestFailure) -> String {
    let lines = failure.text.split(separator: "\n")
    guard failure.kind == .difference, lines.count > differenceLimit else { return failure.text }
    let more = Int64(lines.count - differenceLimit).counted("more line")
    return lines.prefix(differenceLimit).joined(separator: "\n") + "\nand \(more)"
  }

  private static func line(
    _ command: String, _ path: String, _ place: TestPlace?, _ title: String, _ text: String
  ) -> String {
    let at = place.map { ",line=\($0.line),col=\($0.column)" } ?? ""
    let file = property(path)
    return "::\(command) file=\(file)\(at),title=\(property(title))::\(data(text))\n"
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
