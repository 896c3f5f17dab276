import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

/// Every text that a review typed, and whether it runs or is answered: `Tests/Reviewed/spellings.txt`.
///
/// A heading `### name`, a text, and what comes of it: `= finished` or another outcome, or `| ` with the first
/// error, which says what to write. The review judged each; what it found wrong was mended.
@Suite struct ReviewedSpellingTests {
  struct Case {
    var name: String
    var text: [Substring] = []
    var expected = ""
  }

  /// All texts, in the order of the file.
  static func cases() throws -> [Case] {
    var cases: [Case] = []
    for line in try Repository.lines("Tests/Reviewed/spellings.txt") {
      if line.hasPrefix("### ") {
        cases.append(Case(name: String(line.dropFirst(4))))
      } else if cases.isEmpty {
        // What stands before the first says what the file is about.
      } else if line.hasPrefix("= ") || line.hasPrefix("| ") {
        cases[cases.count - 1].expected = String(line)
      } else {
        cases[cases.count - 1].text.append(Substring(line))
      }
    }
    return cases
  }

  @Test func eachComesToWhatItCameTo() throws {
    for each in try Self.cases() {
      #expect(Self.result(of: each.text.joined(separator: "\n")) == each.expected, "\(each.name)")
    }
  }

  @Test func allAreThere() throws {
    let cases = try Self.cases()
    #expect(cases.count == 396)
    #expect(
      cases.count(where: { $0.expected.hasPrefix("| ") }) < 140, "most are taken as they stand")
    for each in cases where each.expected.hasPrefix("| ") {
      #expect(each.expected.count > 12, "\(each.name) is answered without a word")
    }
  }

  /// The outcome of a text, or its first error.
  static func result(of text: String) -> String {
    var limits = RunLimits()
    limits.steps = 200_000
    let run = TestRun(text, limits: limits)
    if let first = run.diagnostics.first(where: { $0.severity == .error }) {
      return "| \(first.message)"
    }
    return "= \(run.record?.outcome.kind.name ?? "nothing")"
  }
}
