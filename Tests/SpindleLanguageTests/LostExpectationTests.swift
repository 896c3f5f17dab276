@testable import SpindleLanguage
import SpindleModel
import Testing

/// No statement of `expect` vanishes: each is in the program, or an error says why it is not.
@Suite struct LostExpectationTests {
  static let head = """
    let t = Thread(name: "t") { }
    let op = Operation(name: "op") { }
    var total = 0
    var list = [1]
    main { t.start(); op.start(); total += 1; list.append(2); mark("m") }

    """

  /// What a measure may look like, right or wrong; `$` stands for the word.
  static let forms = [
    "$", "$.bogus", "$.isEmpty", "$.count", "$.peak", "$.p95", "$()", "$.bogus()", "$(\"t\")",
    "$(\"t\").bogus", "$(\"t\").max", "$(of: t)", "$(of: t).isEmpty", "$(of: \"t\").count",
    "$(total)", "$(list)", "$(list).count", "$(nothing)", "$[0]", "$[0].bogus", "-$", "($)",
    "$.bogus.bogus", "$ + 1", "!$",
  ]

  /// What may stand behind it; `$` stands for the measure.
  static let conditions = [
    "$", "$ == 1", "$ < 1ms", "$ == []", "$ == [:]", "$ == .finished", "$ == \"x\"", "$ == nil",
    "1 == $", "[] == $", ".finished == $", "$ == $", "!($ == 1)", "$ == 1 && $ == 2",
    "$ == 1s ± 1%",
  ]

  /// Each word with a third of the pairs of form and condition; which one depends on its length.
  @Test(arguments: Vocabulary.measureWords + ["nothing", "total", "t", "app", "now"])
  func staysOrIsTold(word: String) {
    for (number, form) in Self.forms.enumerated() {
      let measure = form.replacing("$", with: word)
      for (other, condition) in Self.conditions.enumerated()
      where (number + other + word.utf8.count) % 3 == 0 {
        let written = condition.replacing("$", with: measure)
        let text = Self.head + "expect { outcome == .finished; \(written) }"
        let (program, diagnostics) = CompilerSupport.compile(text)
        let isTold = diagnostics.contains { $0.severity == .error }
        #expect(
          isTold ? program == nil : program?.expectations.count == 2,
          "'\(written)' is neither an expectation nor an error")
      }
    }
  }

  @Test(
    "a condition that is unknown is told too", arguments: ["findings.isEmpty", "n.x", "nothing"])
  func conditionIsTold(condition: String) {
    let text = Self.head + "expect { if \(condition) { makespan < 1s } }"
    #expect(CompilerSupport.compile(text).diagnostics.contains { $0.severity == .error })
  }
}
