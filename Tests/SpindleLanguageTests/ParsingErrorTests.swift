@testable import SpindleLanguage
import SpindleModel
import Testing

/// Texts with mistakes: each row shows every error, and no other may follow from them.
@Suite struct ParsingErrorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let errors: [String]
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ errors: String...,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.errors, self.location) = (claim, text, errors, location)
    }
  }

  static let numbers = [
    Row(
      "past 64 bits", "9223372036854775808",
      "1:1 '9223372036854775808' does not fit: a number has 64 bits"),
    Row(
      "too large with its unit", "300000000h",
      "1:1 '300000000h' does not fit: a length of time is at most 100,000h"),
    Row(
      "too large a size", "9999999999GB",
      "1:1 '9999999999GB' does not fit: a size is at most 1,073,741,824GB, which is 1 EB"),
    Row(
      "just too long", "100000.000000001h",
      "1:1 '100000.000000001h' does not fit: a length of time is at most 100,000h"),
    Row(
      "too many digits", "0.1234567891", "1:1 '0.1234567891' has more than 9 digits after the point"
    ),
    Row("finer than a nanosecond", "1.5ns", "1:1 '1.5ns' is finer than a nanosecond"),
    Row("a part of a byte", "0.3KB", "1:1 '0.3KB' is not a whole number of bytes"),
    Row("a unit that is near", "5sec", "1:2 unknown unit 'sec'; did you mean '5s'?"),
    Row("a unit in other letters", "5µs", "1:2 unknown unit 'µs'; did you mean '5us'?"),
    Row("a unit in the wrong case", "512kb", "1:4 unknown unit 'kb'; did you mean '512KB'?"),
    Row(
      "a unit that is none", "5apples",
      "1:2 unknown unit 'apples'; the units are ns, us, ms, s, min, h, B, KB, MB, GB"),
    Row("hexadecimal", "0xFG", "1:2 a number is written in decimal digits"),
    Row("a point first", ".5", "1:1 a decimal begins with a digit: write '0.5', not '.5'"),
    Row("a percentage with a unit", "1 ± 2ms%", "1:5 a percentage has no unit"),
    Row("a bare percent sign", "5 %", "1:4 expected a value"),
  ]

  static let expressions = [
    Row("nothing", "", "1:1 expected a value"),
    Row("nothing behind an operator", "a +", "1:4 expected a value"),
    Row("nothing between", "f(a, , b)", "1:6 expected a value, not ','"),
    Row(
      "chained comparisons", "a < b < c",
      "1:7 comparisons can't be chained; join two of them with '&&'"),
    Row("three ends", "a ..< b ..< c", "1:9 a range has two ends"),
    Row(
      "a tuple", "(a, b)",
      "1:3 a trace has no tuples: declare a 'struct'; as many values "
        + "as names are allowed in 'let (a, b) = (1, 2)'"),
    Row("an open choice", "a ? b", "1:6 '?' needs a ':' with the other value"),
    Row("an assignment inside", "f(a) = 1", "1:6 expected nothing more, not '='"),
    Row("a missing comma", "f(a b)", "1:5 expected ',' or ')' before 'b'"),
    Row("an open call", "f(a", "1:4 expected ',' or ')': the '(' of line 1 is still open"),
    Row("an open array", "[a, b", "1:6 expected ',' or ']': the '[' of line 1 is still open"),
    Row(
      "a chain that goes nowhere", "a?+b",
      "1:2 '?' belongs before '.', '(', '[' or an assignment: 'x?.cancel()'"),
    Row("a default that is missing", "a ?? )", "1:6 expected a value, not ')'"),
    Row("an element of a tuple", "a.0", "1:3 '0' is not a member; an element is written 'a[i]'"),
    Row("two indices", "a[1, 2]", "1:4 the brackets take one value: 'a[i]'"),
    Row("an await of nothing", "f(await)", "1:8 expected a value, not ')'"),
    Row("a cast", "a as Int", "1:3 a trace has no 'as'; every type is known from its value"),
    Row("single quotes", "f('a', b)", "1:3 a text needs double quotes: \"…\""),
    Row("curly quotes", "f(“a b”)", "1:3 a text needs straight double quotes: \"…\""),
    Row(
      "an unknown escape", #""a\qb""#,
      #"1:3 unknown escape; escapes are \n, \t, \r, \0, \\, \", \u{…} and \( )"#),
    Row(
      "a surrogate", #""\u{D800}""#,
      #"1:2 '\u{…}' holds 1 to 6 hexadecimal digits that name a character"#),
    Row("an open text", "f(\"a)", "1:3 this text is not closed; '\"' closes it, on the same line"),
    Row("a mistake in a value", #""a\(1 +)b""#, "1:8 expected a value, not ')'"),
    Row("two values in one", #""\(a b)""#, "1:6 expected ')' before 'b'"),
    Row(
      "a text over lines", "\"\"\"\na\n\"\"\"",
      "1:1 a text is on one line; '\\n' in it breaks the line"),
    Row(
      "names of a closure's parameters, and none", "f { i in g($0) }",
      "1:12 a closure has either names for its parameters or '$0'"),
    Row("too many parameters", "f { g($16) }", "1:7 a closure has at most 16 parameters"),
    Row(
      "a capture list alone", "f { [weak self] in g( }", "1:23 expected a value, not '}'"),
    Row("typed parameters", "f { (i: ) in g(i) }", "1:9 expected a type, not ')'"),
  ]

  @Test("expressions", arguments: numbers + expressions)
  func checkExpression(row: Row) {
    check(Parser.parseExpression(SourceText(name: "x", row.text), in: SyntaxArena()).1, row)
  }

  static let statements = [
    Row(
      "two statements on a line", "a() b()",
      "2:5 a statement ends at the line's end or at ';': 'b' can't follow here"),
    Row("a bracket too many", "a())\nb()", "2:4 this ')' closes nothing"),
    Row(
      "an open call does not swallow the next line", "work(1ms\nio(1ms)",
      "2:9 expected ',' or ')': the '(' of line 2 is still open"),
    Row(
      "a closure where the call is open", "f(name: \"x\" { a() }\nb( }",
      "2:13 expected ',' or ')' before '{'", "3:4 expected a value, not '}'"),
    Row(
      "each line has its own", "let = 3\nlet x\nvar y: = 2",
      "2:5 expected a name for 'let', not '='",
      "3:6 a 'let' needs a value: 'let name = value', which may be 'if a { 1 } else { 2 }' or a "
        + "'switch'",
      "4:8 expected a type, not '='"),
    Row(
      "two names at once", "let (a, b, c) = d",
      "2:5 a trace has no tuples: declare a 'struct'; as many values "
        + "as names are allowed in 'let (a, b) = (1, 2)'"),
    Row(
      "an assignment as condition", "if a = b { c() }",
      "2:6 '=' assigns, and is a statement of its own; did you mean '=='?"),
    Row(
      "an optional binding", "if let a = b { c( }",
      "2:19 expected a value, not '}'"),
    Row("no condition", "while { a() }", "2:7 expected a condition behind 'while'"),
    Row("no block", "if a\nb()", "2:5 'if' needs a block: '{ … }'"),
    Row("a block without its brace", "if a\n  b()\n}\nc()", "2:5 'if' needs a block: '{ … }'"),
    Row("else alone", "else { a() }", "2:1 expected a statement, not 'else'"),
    Row(
      "a loop without in", "for i { }",
      "2:7 'for' is written 'for x in a ..< b' or 'for x in array'"),
    Row(
      "a loop as in C", "for i = 0; i < n; i++ { }",
      "2:7 'for' is written 'for x in a ..< b' or 'for x in array'",
      "2:20 '++' is not part of the language; did you mean '+= 1'?"),
    Row(
      "repeat without while", "repeat { }\na()",
      "2:11 'repeat { … }' ends with 'while' and a condition"),
    Row(
      "a pattern to catch", "do { } catch is 5 { a() }",
      "2:17 'catch' takes every error, 'catch is CancellationError' that of a cancelled task, 'catch is "
        + "NetworkError' those of an enum, and 'catch NetworkError.offline' that of a case; its message is 'error'"
    ),
    Row(
      "switch", "switch a {\ncase 1: b()\ndefault: c()\n}\nd(",
      "6:3 expected a value"),
    Row(
      "a case without statements", "switch a {\ncase 1:\ndefault: b()\n}",
      "3:1 a case needs a statement; 'break' does nothing"),
    Row(
      "something else in a switch", "switch a {\nb()\ndefault: c()\n}",
      "3:1 a 'switch' holds cases: 'case value:' or 'default:'"),
    Row(
      "a function inside", "  func f() { a( }\nb()",
      "2:17 expected a value, not '}'"),
    Row(
      "a declaration inside", "  machine { cores: 2 }",
      "2:3 'machine' is only allowed at the top of a trace"),
    Row(
      "a lone block", "{ a() }\nb()",
      "2:1 a block needs something to run it: 'do { … }' runs it in place"),
    Row(
      "modifiers", "private lazy let a = try f(",
      "2:9 a trace has no 'lazy'; a 'let' or 'var' gets its value at its declaration",
      "2:28 expected a value"),
    Row(
      "several names", "let a = 1, b",
      "2:13 a 'let' needs a value: 'let name = value', which may be 'if a { 1 } else { 2 }' or a "
        + "'switch'"),
    Row("a reserved name", "let in = 1", "2:5 'in' is a word of the language and can't be a name"),
    Row(
      "conditional compilation", "#if DEBUG\na()\n#endif",
      "2:1 a trace has no '#if': leave the line out",
      "4:1 a trace has no '#endif': leave the line out"),
  ]

  @Test("statements", arguments: statements)
  func checkStatement(row: Row) {
    check(Parser.parse(SourceText(name: "x", "main {\n\(row.text)\n}\n")).diagnostics, row)
  }

  static let declarations = [
    Row(
      "not UTF-8 is told from a NUL", "main { }\n\u{0}",
      "2:1 the character U+0000 is not part of the language"),
    Row("an open comment", "main {\n/* a\n}", "2:1 this comment is not closed; '*/' closes it"),
    Row(
      "an open brace", "main {\n  a()\n", "1:6 this '{' is not closed before the end of the text"),
    Row(
      "the brace that is open shows by indentation",
      "main {\n    if a {\n        b()\n}\n\nfunc f() { c( }\n",
      "2:10 this '{' is not closed before 'func' on line 6", "6:15 expected a value, not '}'"),
    Row("a brace too many", "main { }\n}\nfunc f() { }", "2:1 this '}' closes nothing"),
    Row(
      "statements at the top", "for i in a { b() }\nx = 1\n5",
      "1:1 'for' is not allowed at the top of a trace; it belongs in 'main { … }' or a function",
      "2:3 '=' is not allowed at the top of a trace; it belongs in 'main { … }' or a function",
      "3:1 a value alone is not allowed at the top of a trace"),
    Row(
      "Swift's declarations", "import Foundation\nmain { extension A { func f() { } } }",
      "2:8 a trace has no 'extension'; write its members in the class itself"),
    Row(
      "a class that is not closed", "final class A {\n  func f() { }\nmain { }",
      "1:15 this '{' is not closed before 'main' on line 3"),
    Row(
      "members that are none", "class A {\n  5\n  var a: Int { set { } }\n  let\n}\nmain { }",
      "2:3 expected a member of the class ('let', 'var', 'func', 'init'), not '5'",
      "3:14 a property of a trace is stored, or computed by '{ value }' or '{ get { value } set { … } }'; write a method that sets it",
      "4:6 expected a name for 'let'"),
    Row(
      "attributes", "@MainActor func f(_ a: @escaping () -> Void) async throws { b( }",
      "1:64 expected a value, not '}'"),
    Row(
      "generics", "func f<T>(a: Lock<T>) { }",
      "1:7 a trace has no type parameters: write one for each type that is used, such as Int",
      "1:18 a type has no parameters in angle brackets; an array's is '[T]'"),
    Row(
      "parameters of a function", "func f(a, b: Int...) { }",
      "1:9 expected ':' and the parameter's type, not ','"),
    Row(
      "no parameters at all", "func f { a() }",
      "1:8 expected '(' and parameters behind the function's name, not '{'"),
    Row("a trace without title", "trace { seed: 1 }", "1:7 'trace' needs a title: 'trace \"…\"'"),
    Row(
      "settings", "machine { cores = 2; memory 1GB, 5\n policy: .fifo, costs: .zero }",
      "1:17 expected a setting: 'name: value'", "1:29 expected a setting: 'name: value', not '1GB'",
      "2:15 settings are separated by a new line or ';'"),
    Row(
      "a typed parameter", "param n: Int = 6",
      "1:8 a 'param' takes its type from its value: 'param name = value'"),
    Row(
      "every error of a text", "main { a( }\nfunc f() { b( }\nexpect { c( }",
      "1:11 expected a value, not '}'", "2:15 expected a value, not '}'",
      "3:13 expected a value, not '}'"),
  ]

  @Test("declarations", arguments: declarations)
  func checkDeclaration(row: Row) {
    check(Parser.parse(SourceText(name: "x", row.text)).diagnostics, row)
  }

  @Test func textThatIsNotUTF8() {
    let source = SourceText(name: "x", utf8: Array("main { }\n".utf8) + [0xFF, 0xFE])
    let diagnostics = Parser.parse(source).diagnostics
    #expect(
      diagnostics.map(shown) == [
        "2:1 a trace is written in UTF-8, and the byte 0xFF is not allowed here"
      ])
  }

  private func check(_ diagnostics: [Diagnostic], _ row: Row) {
    #expect(diagnostics.map(shown) == row.errors, sourceLocation: row.location)
  }

  private func shown(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic.source.position(of: diagnostic.range)) \(diagnostic.message)"
  }
}
