@testable import SpindleLanguage
import SpindleModel
import Testing

/// A diagnostic as it is shown, and the nearest name.
@Suite struct DiagnosticsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let range: Range<Int>
    let shown: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ range: Range<Int>, _ shown: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.range) = (claim, text, range)
      (self.shown, self.location) = (shown, location)
    }
  }

  static let rows = [
    Row("a word", "work(5sec)", 6..<9, "t:1:7: error: m\n1 | work(5sec)\n  |       ^~~"),
    Row("one character", "a b", 2..<3, "t:1:3: error: m\n1 | a b\n  |   ^"),
    Row("nothing, behind the line", "f(a", 3..<3, "t:1:4: error: m\n1 | f(a\n  |    ^"),
    Row("an empty text", "", 0..<0, "t:1:1: error: m\n1 | \n  | ^"),
    Row(
      "characters, not bytes", "let café = é", 12..<14,
      "t:1:12: error: m\n1 | let café = é\n  |            ^"),
    // Each of the two characters takes two columns: four in front of the caret, and two below it.
    Row(
      "wide characters take two columns", "\"日本\" é", 1..<7,
      "t:1:2: error: m\n1 | \"日本\" é\n  |  ^~~~"),
    Row(
      "a caret behind wide characters", "\"日本\" x", 9..<10,
      "t:1:6: error: m\n1 | \"日本\" x\n  |        ^"),
    Row("tabs stay", "\ta\tb", 3..<4, "t:1:4: error: m\n1 | \ta\tb\n  | \t \t^"),
    Row("only its first line", "f(\n  a)", 0..<6, "t:1:1: error: m\n1 | f(\n  | ^~"),
    Row("lines of another system", "a\r\nbc\r\n", 3..<5, "t:2:1: error: m\n2 | bc\n  | ^~"),
    Row(
      "a wide gutter", String(repeating: "\n", count: 99) + "a b", 101..<102,
      "t:100:3: error: m\n100 | a b\n    |   ^"),
    Row(
      "what would upset a terminal", "a\u{1B}b", 1..<2, "t:1:2: error: m\n1 | a\u{FFFD}b\n  |  ^"),
    Row("past the end", "ab", 90..<95, "t:1:3: error: m\n1 | ab\n  |   ^"),
    Row(
      "an editor's mark counts for nothing", "\u{FEFF}ab", 4..<5, "t:1:2: error: m\n1 | ab\n  |  ^"),
  ]

  @Test("one diagnostic", arguments: rows)
  func rendering(row: Row) {
    let diagnostic = diagnostic(row.text, row.range)
    #expect(diagnostic.rendered() == row.shown, sourceLocation: row.location)
  }

  @Test func longLinesAreCutAroundTheCaret() {
    let text = String(repeating: "é", count: 500) + "X" + String(repeating: "b", count: 500)
    let lines = diagnostic(text, 1000..<1001).rendered().split(separator: "\n")
    #expect(lines[0] == "t:1:501: error: m")
    #expect(
      lines[1] == "1 | …\(String(repeating: "é", count: 50))X\(String(repeating: "b", count: 79))…")
    #expect(lines[2] == "  | \(String(repeating: " ", count: 51))^")
  }

  @Test func coloursAreAskedFor() {
    let shown = diagnostic("a", 0..<1).rendered(color: true)
    #expect(shown.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(shown.contains("\u{1B}[1mm\u{1B}[0m"))
  }

  @Test func reportsAreSortedByTextAndPlace() {
    let (first, second) = (SourceText(name: "t", "a b\nc"), SourceText(name: "u", "d"))
    let diagnostics = [
      Diagnostic(severity: .error, message: "3", range: SourceRange(4, 5), source: first),
      Diagnostic(severity: .note, message: "4", range: SourceRange(0, 1), source: second),
      Diagnostic(severity: .warning, message: "1", range: SourceRange(2, 3), source: first),
      Diagnostic(severity: .error, message: "2", range: SourceRange(2, 3), source: first),
    ]
    let lines = renderedReport(diagnostics).split(separator: "\n")
    #expect(
      lines.enumerated().filter { $0.offset % 3 == 0 }.map { String($0.element) } == [
        "t:1:3: warning: 1", "t:1:3: error: 2", "t:2:1: error: 3", "u:1:1: note: 4",
      ])
    #expect(renderedReport([]) == "")
  }

  static let names = ["async", "sync", "start", "suspend", "name", "isCancelled", "io"]

  static let nearestNames: [(name: String, near: String?)] = [
    ("asnyc", "async"), ("asyn", "async"), ("syn", "sync"), ("strat", "start"), ("Async", "async"),
    ("iscancelled", "isCancelled"), ("isCanceled", "isCancelled"), ("IO", "io"), ("oi", nil),
    ("wait", nil), ("", nil), ("x", nil), ("start", nil), ("nome", "name"),
    ("suspended", "suspend"),
  ]

  @Test("the nearest name", arguments: nearestNames.indices)
  func suggestions(index: Int) {
    let row = DiagnosticsTests.nearestNames[index]
    #expect(nearest(row.name, in: DiagnosticsTests.names) == row.near, "\(row.name)")
  }

  private func diagnostic(_ text: String, _ range: Range<Int>) -> Diagnostic {
    Diagnostic(
      severity: .error, message: "m", range: SourceRange(range.lowerBound, range.upperBound),
      source: SourceText(name: "t", text))
  }
}
