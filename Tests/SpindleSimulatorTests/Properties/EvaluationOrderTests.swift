import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// What is evaluated first: every compound assignment, and every place where one thing stands beside
/// another.
///
/// No value here is this project's own. Each row is also a Swift program: its declarations, its body, and
/// a `print` of its expression. What stands in the row is what that program printed when Swift 6.3.1
/// on Linux had compiled it, with these helpers:
///
///     var order = 0
///     func t(_ n: Int) -> Int { order = order * 10 + n; return n }
///     func b(_ n: Int, _ truth: Bool) -> Bool { order = order * 10 + n; return truth }
@Suite struct EvaluationOrderTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let declarations: String
    let body: String
    let expression: String
    let printed: String

    init(
      _ claim: String, _ declarations: String, _ body: String, _ expression: String,
      _ printed: String
    ) {
      (testDescription, self.declarations, self.body) = (claim, declarations, body)
      (self.expression, self.printed) = (expression, printed)
    }
  }

  @Test("what Swift does", arguments: shared + local)
  func isSwifts(_ row: Row) {
    let run = TestRun(
      """
      machine { platform: .macOS; cores: 1; costs: .zero }
      var order = 0
      func t(_ n: Int) -> Int { order = order * 10 + n; return n }
      func b(_ n: Int, _ truth: Bool) -> Bool { order = order * 10 + n; return truth }
      \(row.declarations)
      main {
          \(row.body)
          record("printed", "\\(\(row.expression))")
      }
      expect { values == ["printed": "\(row.printed)"] }
      """)
    #expect(run.record != nil, "\(run.messages)")
    #expect(run.verdicts.filter { !$0.holds }.map(\.seen) == [])
  }
}
