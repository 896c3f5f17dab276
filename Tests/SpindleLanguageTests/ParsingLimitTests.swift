@testable import SpindleLanguage
import SpindleModel
import Testing

/// Texts that are nested out of all reason: one error, and what follows is read as usual.
///
/// On the main thread, whose stack has 8 MB: without optimisation a level takes up to 10 KB, and
/// the threads of a pool may have 512 KB only.
@MainActor @Suite struct ParsingLimitTests {
  nonisolated static let many = 20_000

  nonisolated static let nests: [(claim: String, text: String)] = [
    ("parentheses", repeated("(") + "1" + repeated(")")),
    ("open parentheses", repeated("(")),
    ("arrays", repeated("[") + repeated("]")),
    ("calls", repeated("f(") + repeated(")")),
    ("calls of calls", "f" + repeated("(1)")),
    ("closures", repeated("f { ") + repeated(" }")),
    ("closures of closures", "f" + repeated(" { }.g")),
    ("captures", repeated("f { [a = ")),
    ("closed captures", repeated("f { [a = ") + repeated("] in }")),
    ("negations", repeated("!") + "a"),
    ("signs", repeated("- ") + "1"),
    ("ranges", repeated("...") + "1"),
    ("references", repeated("&f(")),
    ("tries", repeated("try await ") + "f()"),
    ("choices", repeated("a ? b : ") + "c"),
    ("branches as values", repeated("a(if b { c } else { ")),
    ("members", "a" + repeated(".b")),
    ("optional members", "a" + repeated("?.b")),
    ("key paths", "f(\\" + repeated(".a") + ")"),
    ("forced values", "a" + repeated("!")),
    ("elements", "a" + repeated("[0]")),
    ("elements of tuples", "a" + repeated(".0.1")),
    ("sums", "1" + repeated(" + 1")),
    ("casts", "a" + repeated(" as B")),
    ("defaults", repeated("a ?? ") + "b"),
    ("products in sums", repeated("a * b + ") + "c"),
    ("comparisons and more", repeated("a || b && ") + "c"),
    ("sums in front of sums", repeated("(a + b * ") + "c" + repeated(") + d")),
    ("conditions", "if " + repeated("(a, ") + "a { }"),
    ("blocks", repeated("if a { ") + repeated(" }")),
    ("open blocks", repeated("if a { ")),
    ("else", repeated("if a { } else { ") + repeated("}")),
    ("else if", "if a { }" + repeated(" else if a { }")),
    ("switches", repeated("switch a { case 1: ")),
    ("subjects", repeated("switch ")),
    ("functions", repeated("func f() { ")),
    ("accessors", repeated("var a: Int { get { ")),
    ("types in types", repeated("struct A { ")),
    ("types", "let x: " + repeated("[") + "Int" + repeated("]") + " = 1"),
    ("optional types", "let x: Int" + repeated("?") + " = nil"),
    ("members of types", "let x: A" + repeated(".B") + " = nil"),
    ("type arguments", "let x: " + repeated("A<") + "Int" + repeated(">")),
    ("types of functions", "let x: " + repeated("() -> ") + "Int"),
    ("types in parentheses", "let x: " + repeated("(") + "Int"),
    ("existential types", "let x: " + repeated("any ") + "P"),
    ("what types are not", "let x: " + repeated("~") + "P"),
    ("types as values", "f" + repeated("([[Int") + ")"),
    ("attributes", "let x: " + repeated("@A<") + "Int"),
    ("patterns", "let " + repeated("(a, ") + "b"),
    ("patterns of cases", "if case " + repeated(".a(")),
    ("patterns of named cases", "if case " + repeated("A.b(")),
    ("optional patterns", "if case a" + repeated("?") + " = b { }"),
    ("owners of cases", "if case A" + repeated(".B") + ".c(1) = b { }"),
    ("closures in patterns", repeated("if case A.b({ ")),
    ("values in texts", repeated("\"\\(") + "1" + repeated(")\"")),
    ("alternating", repeated("f { (") + repeated(") }")),
  ]

  @Test("one error, then on", arguments: nests.indices)
  func nest(index: Int) {
    let (claim, text) = ParsingLimitTests.nests[index]
    let source = SourceText(name: "x", "main {\n  \(text)\n}\n\nfunc f() { g( }\n")
    let (tree, diagnostics) = GrammarParser.parse(source)
    let messages = diagnostics.map { "\(source.lineNumber(at: $0.range.lowerBound)) \($0.message)" }
    #expect(
      messages == [
        "2 this is nested more than 256 levels deep", "5 expected a value, not '}'",
      ], "\(claim)")
    #expect(tree.count == 2, "\(claim)")
    #expect(tree.shown.utf8.count > 0)
  }

  nonisolated static let chains: [(claim: String, text: String)] = [
    ("arguments", "f(" + repeated("a, ") + "b)"),
    ("statements", repeated("a()\n")),
    ("conditions", "if " + repeated("a, ") + "a { }"),
    ("closures of one call", "f { } " + repeated("a: { } ")),
    ("values of one text", "f(\"" + repeated("\\(a)") + "\")"),
    ("cases", "switch a { " + repeated("case .a(let b): c()\n") + "}"),
    ("names", "let a = 1" + repeated(", b = 2")),
    ("comparisons that are no types", repeated("f(a<b, c)\n")),
    ("sequences of closures", repeated("f { [a] in b }\n")),
    ("computed values", repeated("var a: Int { get { 1 } }\n")),
  ]

  @Test("long but not deep", arguments: chains.indices)
  func chain(index: Int) {
    let (claim, text) = ParsingLimitTests.chains[index]
    let (tree, diagnostics) = GrammarParser.parse(SourceText(name: "x", "main {\n\(text)\n}\n"))
    #expect(diagnostics.map(\.message) == [], "\(claim)")
    #expect(tree.count == 1, "\(claim)")
  }

  nonisolated static let wrong: [(claim: String, text: String)] = [
    ("errors on each line", repeated("a( }\n")),
    ("open braces on each line", repeated("func f() {\n")),
    ("open brackets on each line", repeated("f([\n")),
    ("open types", repeated("f(a<b, ")),
    ("open closures", repeated("f({ [a, (\n")),
    ("open accessors", repeated("var a: Int { get {\n")),
    ("open texts", repeated("f(\"a) {\n")),
    ("braces that close nothing", repeated("}\n")),
    ("misindented braces", repeated("  func f() { {\n}\n")),
    ("open branches", repeated("#if A\n")),
    ("words that mean nothing", repeated("a b ")),
    ("errors that are tried", repeated("f([a.b(\n)\n")),
  ]

  @Test("wrong everywhere, in linear time", arguments: wrong.indices)
  func error(index: Int) {
    let (claim, text) = ParsingLimitTests.wrong[index]
    let clock = ContinuousClock()
    let source = SourceText(name: "x", text)
    var isWrong = false
    let time = clock.measure { isWrong = !GrammarParser.parse(source).diagnostics.isEmpty }
    #expect(isWrong, "\(claim)")
    // Without optimisation, on a busy machine; what is not linear takes hours.
    #expect(time < .seconds(100), "\(claim)")
  }

  @Test func deepestNestingIsReadAndWalked() {
    // Two levels are the block of `main` and the expression itself.
    let levels = GrammarParser.deepestNesting - 2
    let nested = String(repeating: "(", count: levels) + "1" + String(repeating: ")", count: levels)
    let (_, diagnostics) = GrammarParser.parse(SourceText(name: "x", "main { \(nested) }"))
    #expect(diagnostics == [])
    let one = SourceText(name: "x", "main { (\(nested)) }")
    #expect(GrammarParser.parse(one).diagnostics.count == 1)
  }

  private nonisolated static func repeated(_ text: String) -> String {
    String(repeating: text, count: many)
  }
}
