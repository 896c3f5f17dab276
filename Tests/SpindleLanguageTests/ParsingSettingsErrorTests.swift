@testable import SpindleLanguage
import SpindleModel
import Testing

/// Mistakes in the settings of a trace: each row shows every error, and no other may follow from them.
@Suite struct ParsingSettingsErrorTests {
  typealias Row = ParsingErrorTests.Row

  static let rows = [
    Row("a trace without title", "trace { seed: 1 }", "1:7 'trace' needs a title: 'trace \"…\"'"),
    Row(
      "settings", "machine { cores = 2; memory 1GB, 5\n policy: .fifo, costs: .zero }",
      "1:17 expected a setting: 'name: value'", "1:29 expected a setting: 'name: value', not '1GB'",
      "2:15 settings are separated by a new line or ';'"),
    Row(
      "a typed parameter", "param n: Int = 6",
      "1:8 a 'param' takes its type from its value: 'param name = value'"),
    Row(
      "an expectation", "main { a( }\nfunc f() { b( }\nexpect { c( }",
      "1:11 expected a value, not '}'", "2:15 expected a value, not '}'",
      "3:13 expected a value, not '}'"),
    Row(
      "a percentage with a unit", "expect { makespan == 1 ± 2ms% }", "1:26 a percentage has no unit"
    ),
    Row(
      "a percentage of nothing", "expect { makespan == 5 % }", "1:26 expected a value, not '}'"),
  ]

  @Test(arguments: rows)
  func isTold(row: Row) {
    let found = GrammarParser.parse(SourceText(name: "x", row.text)).diagnostics
    #expect(found.map(ParsingErrorTests.shown) == row.errors, sourceLocation: row.location)
  }
}
