@testable import SpindleLanguage
import SpindleModel
import Testing

/// Texts that are nested out of all reason: one error, and what follows is read as usual.
///
/// On the main thread, whose stack has 8 MB: without optimisation a level takes up to 10 KB, and
/// the threads of a pool may have 512 KB only.
@MainActor @Suite struct ParsingLimitTests {
  nonisolated static let many = 10_000

  nonisolated static let nests: [(claim: String, text: String)] = [
    ("parentheses", repeated("(") + "1" + repeated(")")),
    ("open parentheses", repeated("(")),
    ("arrays", repeated("[") + repeated("]")),
    ("calls", repeated("f(") + repeated(")")),
    ("closures", repeated("f { ") + repeated(" }")),
    ("negations", repeated("!") + "a"),
    ("signs", repeated("- ") + "1"),
    ("choices", repeated("a ? b : ") + "c"),
    ("members", "a" + repeated(".b")),
    ("elements", "a" + repeated("[0]")),
    ("sums", "1" + String(repeating: " + 1", count: 100_000)),
    ("products in sums", repeated("a * b + ") + "c"),
    ("comparisons and more", repeated("a || b && ") + "c"),
    ("conditions", "if " + repeated("a, ") + "a { }"),
    ("blocks", repeated("if a { ") + repeated(" }")),
    ("open blocks", repeated("if a { ")),
    ("else", repeated("if a { } else { ") + repeated("}")),
    ("types", "let x: " + repeated("[") + "Int" + repeated("]") + " = 1"),
    ("values in texts", repeated("\"\\(") + "1" + repeated(")\"")),
    ("alternating", repeated("f { (") + repeated(") }")),
  ]

  @Test("one error, then on", arguments: nests.indices)
  func nest(index: Int) {
    let (claim, text) = ParsingLimitTests.nests[index]
    let source = SourceText(name: "x", "main {\n  \(text)\n}\n\nfunc f() { g( }\n")
    let (tree, diagnostics) = Parser.parse(source)
    let messages = diagnostics.map { "\(source.lineNumber(at: $0.range.lowerBound)) \($0.message)" }
    #expect(
      messages == [
        "2 this is nested more than 256 levels deep", "5 expected a value, not '}'",
      ], "\(claim)")
    #expect(tree.declarations.count == 2, "\(claim)")
    #expect(tree.shown.utf8.count > 0)
  }

  nonisolated static let chains: [(claim: String, text: String)] = [
    ("else if", "if a { }" + repeated(" else if a { }")),
    ("arguments", "f(" + repeated("a, ") + "b)"),
    ("statements", repeated("a()\n")),
    ("closures of one call", "f { } " + repeated("a: { } ")),
    ("values of one text", "f(\"" + repeated("\\(a)") + "\")"),
  ]

  @Test("long but not deep", arguments: chains.indices)
  func chain(index: Int) {
    let (claim, text) = ParsingLimitTests.chains[index]
    let (tree, diagnostics) = Parser.parse(SourceText(name: "x", "main {\n\(text)\n}\n"))
    #expect(diagnostics.map(\.message) == [], "\(claim)")
    #expect(tree.declarations.count == 1, "\(claim)")
  }

  @Test func deepestNestingIsReadAndWalked() {
    // Two levels are the block of `main` and the expression itself.
    let levels = Parser.deepestNesting - 2
    let nested = String(repeating: "(", count: levels) + "1" + String(repeating: ")", count: levels)
    let (_, diagnostics) = Parser.parse(SourceText(name: "x", "main { \(nested) }"))
    #expect(diagnostics == [])
    let one = SourceText(name: "x", "main { (\(nested)) }")
    #expect(Parser.parse(one).diagnostics.count == 1)
  }

  private nonisolated static func repeated(_ text: String) -> String {
    String(repeating: text, count: many)
  }
}
