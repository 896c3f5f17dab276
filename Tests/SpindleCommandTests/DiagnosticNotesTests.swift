import SpindleLanguage
import SpindleModel
import SpindleRun
import Testing

@testable import SpindleCommand

/// Comments that say what is wrong with a trace.
@Suite struct DiagnosticNotesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// Line, column and length of the diagnostics, counted from 1, each with the message "m".
    let reported: [(line: Int, column: Int, length: Int)]
    let differences: Int

    init(
      _ claim: String, _ text: String, _ reported: [(line: Int, column: Int, length: Int)],
      differences: Int = 0
    ) {
      (testDescription, self.text) = (claim, text)
      (self.reported, self.differences) = (reported, differences)
    }
  }

  static let rows = [
    Row("a caret under the text", "    abc\n    // ^ error: m\n", [(1, 8, 1)]),
    Row("a caret one column off", "    abc d\n    // ^ error: m\n", [(1, 9, 1)], differences: 2),
    Row("a caret without white space", "  abc\n  //^ error: m\n", [(1, 5, 1)]),
    Row("another message", "    abc\n    // ^ error: n\n", [(1, 8, 1)], differences: 2),
    Row("another severity", "    abc\n    // ^ warning: m\n", [(1, 8, 1)], differences: 2),
    Row("reported only", "    abc\n", [(1, 5, 3)], differences: 1),
    Row("noted only", "    abc\n    // ^ error: m\n", [], differences: 1),
    Row(
      "several below one line", "abc defg h\n//  ^ error: m\n//       ^ error: m\n",
      [(1, 5, 4), (1, 10, 1)]),
    Row(
      "two at one place need two", "    abc\n    // ^ error: m\n", [(1, 8, 1), (1, 8, 1)],
      differences: 1),
    Row("the first columns", "abc\n// ^ error: m\n", [(1, 1, 3)]),
    Row("the first columns, tight", "abc\n//^ error: m\n", [(1, 3, 1)]),
    Row("not the first columns", "abcdef\n//   ^ error: m\n", [(1, 1, 3)], differences: 2),
    Row("an underline of the right length", "    abc\n//  ^~~ error: m\n", [(1, 5, 3)]),
    Row(
      "an underline that is too short", "    abc\n//  ^~ error: m\n", [(1, 5, 3)], differences: 2),
    Row("the end of the file", "main\n// ^ error: m\n", [(3, 1, 0)]),
    Row("tabs count as one column", "\tabc\n\t//^ error: m\n", [(1, 4, 1)]),
    Row("characters, not bytes", "éé abc\n// ^ error: m\n", [(1, 4, 3)]),
    Row("an ordinary comment", "abc\n// ^ see above\n", []),
  ]

  @Test("each diagnostic has exactly one comment", arguments: rows)
  func eachHasOneComment(row: Row) {
    let source = SourceText(name: "t", row.text)
    let reported = row.reported.map { place in
      let line = Array(source.line(place.line))
      let before = String(line.prefix(place.column - 1)).utf8.count
      let start = Int(source.lineStarts[place.line - 1]) + before
      let text = String(line.dropFirst(place.column - 1).prefix(place.length)).utf8.count
      return Diagnostic(
        severity: .error, message: "m", range: SourceRange(start, start + text), source: source)
    }
    let differences = DiagnosticNotes(source).differences(from: reported)
    #expect(differences.count == row.differences, "\(differences)")
  }

  @Test func onlyErrorsMakeATraceRefused() {
    let warned = DiagnosticNotes(SourceText(name: "t", "a\n// ^ warning: m\n"))
    #expect(!warned.expectsErrors)
    #expect(!warned.isEmpty)
    #expect(DiagnosticNotes(SourceText(name: "t", "a\n// ^ error: m\n")).expectsErrors)
    #expect(DiagnosticNotes(SourceText(name: "t", "")).isEmpty)
  }
}
