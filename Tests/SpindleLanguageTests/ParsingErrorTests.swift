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
      "past 64 bits", "18446744073709551616",
      "1:1 '18446744073709551616' does not fit: a number has 64 bits"),
    Row(
      "past 64 bits in hexadecimal", "0x1_0000_0000_0000_0000",
      "1:1 '0x1_0000_0000_0000_0000' does not fit: a number has 64 bits"),
    Row("too large a decimal", "1e12", "1:1 '1e12' does not fit: a decimal is below 9.3 billion"),
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
      "too many digits", "0.1234567891s",
      "1:1 '0.1234567891s' has more than 9 digits after the point"),
    Row("finer than a nanosecond", "1.5ns", "1:1 '1.5ns' is finer than a nanosecond"),
    Row("a part of a byte", "0.3KB", "1:1 '0.3KB' is not a whole number of bytes"),
    Row("a unit that is near", "5sec", "1:2 unknown unit 'sec'; did you mean '5s'?"),
    Row("a unit in other letters", "5µs", "1:2 unknown unit 'µs'; did you mean '5us'?"),
    Row("a unit in the wrong case", "512kb", "1:4 unknown unit 'kb'; did you mean '512KB'?"),
    Row(
      "a unit that is none", "5apples",
      "1:2 unknown unit 'apples'; the units are ns, us, ms, s, min, h, B, KB, MB, GB"),
    Row("a digit that is none", "0xFG", "1:4 'G' is not a digit of a hexadecimal number"),
    Row("a digit too large", "0b102", "1:5 '2' is not a digit of a binary number"),
    Row("no digits", "0x", "1:1 a hexadecimal number needs a digit"),
    Row(
      "a unit that is apart", "5 ms",
      "1:3 a unit follows its number without a space; did you mean '5ms'?"),
    Row("a point first", ".5", "1:1 a decimal begins with a digit: write '0.5', not '.5'"),
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
    Row("an open choice", "a ? b", "1:6 '?' needs a ':' with the other value"),
    Row("an assignment inside", "f(a) = 1", "1:6 expected nothing more, not '='"),
    Row("a missing comma", "f(a b)", "1:5 expected ',' or ')' before 'b'"),
    Row("an open call", "f(a", "1:4 expected ',' or ')': the '(' of line 1 is still open"),
    Row("an open array", "[a, b", "1:6 expected ',' or ']': the '[' of line 1 is still open"),
    Row(
      "a chain that goes nowhere", "a?+b",
      "1:2 '?' belongs before '.', '(', '[' or an assignment: 'x?.cancel()'"),
    Row("a default that is missing", "a ?? )", "1:6 expected a value, not ')'"),
    Row("an await of nothing", "f(await)", "1:8 expected a value, not ')'"),
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
      "names of a closure's parameters, and none", "f { i in g($0) }",
      "1:12 a closure has either names for its parameters or '$0'"),
    Row("too many parameters", "f { g($16) }", "1:7 a closure has at most 16 parameters"),
    Row(
      "an open text over lines", "f(\"\"\"\n  a)",
      "1:3 this text is not closed; '\"\"\"' closes it, on a line of its own"),
    Row(
      "a capture list without 'in'", "f { [weak self] g() }",
      "1:17 expected 'in' behind the capture list, not 'g'"),
    Row(
      "a capture list alone", "f { [weak self] in g( }", "1:23 expected a value, not '}'"),
    Row("typed parameters", "f { (i: ) in g(i) }", "1:9 expected a type, not ')'"),
    Row("a member that is none", "a. + b", "1:4 expected a member's name after '.', not '+'"),
    Row("a member on the next line", "a.\nb", "1:3 expected a member's name after '.'"),
    Row("a type that is none", "a as? 5", "1:7 expected a type, not '5'"),
    Row("entries and elements", "[a: 1, b]", "1:8 an entry of a dictionary has a key and a value"),
    Row("a word for a sign", "a and b", "1:3 a trace has no 'and'; use '&&'"),
  ]

  @Test("expressions", arguments: numbers + expressions)
  func checkExpression(row: Row) {
    let source = SourceText(name: "x", row.text)
    check(
      GrammarParser.parseExpression(in: source, at: SourceRange(0, source.utf8.count)).1, row)
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
      "3:6 a 'let' needs a type or a value: 'let name: Int' or 'let name = value'",
      "4:8 expected a type, not '='"),
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
      "a pattern to catch", "do { } catch is 5 { a( }",
      "2:17 expected a type, not '5'", "2:24 expected a value, not '}'"),
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
      "modifiers", "nonisolated(unsafe) let a = try f(", "2:35 expected a value"),
    Row(
      "several names", "let a = 1, b",
      "2:13 a 'let' needs a type or a value: 'let name: Int' or 'let name = value'"),
    Row(
      "a name of several without a type", "var a, b = 1",
      "2:6 a 'var' needs a type or a value: 'var name: Int' or 'var name = value'"),
    Row("a reserved name", "let in = 1", "2:5 'in' is a word of the language and can't be a name"),
    Row(
      "conditional compilation", "a()\n#endif\nb( }", "3:1 this '#endif' belongs to no '#if'",
      "4:4 expected a value, not '}'"),
    Row(
      "a case outside", "case 1: a()\nb(", "2:1 a 'case' belongs in a 'switch'",
      "3:3 expected a value"
    ),
    Row(
      "a case without its colon", "switch a {\ncase 1 b()\ndefault: c( }",
      "3:8 expected ':' behind the case, not 'b'", "4:13 expected a value, not '}'"),
    Row(
      "a label without a loop", "a: b()",
      "2:1 a label belongs before a loop, 'do', 'if' or 'switch'"),
    Row(
      "guard without else", "guard a { return }",
      "2:9 expected 'else' behind the condition of 'guard', not '{'"),
    Row(
      "a word for else", "if a { }\nelsif b { }\nc(", "3:1 a trace has no 'elsif'; use 'else if'",
      "4:3 expected a value"),
    Row(
      "a range of two points", "for i in 0..3 { a( }",
      "2:11 '..' is not part of the language; did you mean '..<' or '...'?",
      "2:20 expected a value, not '}'"),
    Row(
      "a comment of other languages", "# it's a (comment\nb(",
      "2:1 '#' is not part of the language; a comment begins with '//'", "3:3 expected a value"),
    Row(
      "a text without an end before a closure", "q.async(name: \"x) {\n  b( }\n}",
      "2:15 this text is not closed; '\"' closes it, on the same line",
      "3:6 expected a value, not '}'"),
    Row(
      "a value without an end", "print(\"\\(n\")",
      "2:8 this '\\(' is not closed; ')' closes it, before the text's '\"'"),
    Row(
      "a pattern without its value", "if case .a { b( }",
      "2:12 expected '=' and a value behind the pattern, not '{'", "2:17 expected a value, not '}'"),
  ]

  @Test("statements", arguments: statements)
  func checkStatement(row: Row) {
    check(GrammarParser.parse(SourceText(name: "x", "main {\n\(row.text)\n}\n")).diagnostics, row)
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
      "declarations of the top in a body",
      "import Foundation\nmain { extension A { func f() { } } }",
      "2:8 'extension' is only allowed at the top of a trace"),
    Row(
      "a class that is not closed", "final class A {\n  func f() { }\nmain { }",
      "1:15 this '{' is not closed before 'main' on line 3"),
    Row(
      "members that are none", "class A {\n  5\n  var a: Int { set { } }\n  let\n}\nmain { }",
      "2:3 expected a member of the class ('let', 'var', 'func', 'init'), not '5'",
      "3:16 a property with a 'set' also needs a 'get'",
      "4:6 expected a name for 'let'"),
    Row(
      "attributes", "@MainActor func f(_ a: @escaping () -> Void) async throws { b( }",
      "1:64 expected a value, not '}'"),
    Row(
      "type parameters", "func f<T(a: Int) { }\nfunc g(a: Lock<Int) { }",
      "1:9 expected '>' behind the type parameters, not '('",
      "2:19 expected '>' behind the types, not ')'"),
    Row(
      "members of an enum", "enum E {\n  a, b\n  case 5\n}",
      "2:3 expected a member of the enum ('case', 'var', 'func'), not 'a'",
      "3:8 expected a name for 'case', not '5'"),
    Row(
      "a type without a name", "class { }\nstruct S: { }",
      "1:7 expected a name for 'class', not '{'", "2:11 expected a type, not '{'"),
    Row(
      "a type without a block", "struct S\nfunc f() { a( }", "1:9 'struct' needs a block: '{ … }'",
      "2:15 expected a value, not '}'"),
    Row(
      "a function without a block", "func f()\nfunc g() { a( }",
      "1:9 'func' needs a block: '{ … }'", "2:15 expected a value, not '}'"),
    Row(
      "a block whose brace is missing", "func f()\n  a( )\n  b( }\nfunc g() { c( }",
      "1:9 'func' needs a block: '{ … }'", "3:6 expected a value, not '}'",
      "4:15 expected a value, not '}'"),
    Row(
      "an operator of one's own",
      "infix operator +++\nfunc +++ (a: Int, b: Int) -> Int { a }\nmain { a(1 +++ 2); b( }",
      "1:7 a trace has no operators of its own: write a method"),
    Row(
      "nearly a word of the top",
      "parm n = 5\nmian { a() }\nsettings { cores: 2 }\nfunc f() { b( }",
      "1:1 unknown name 'parm'; did you mean 'param'?",
      "2:1 unknown name 'mian'; did you mean 'main'?",
      "3:1 expected a declaration at the top of the trace, not 'settings'",
      "4:15 expected a value, not '}'"),
    Row(
      "an open branch", "#if DEBUG\nmain { a( }", "1:1 this '#if' has no '#endif'",
      "2:11 expected a value, not '}'"),
    Row(
      "a brace that is open in a value", "main { print(\"\\(a { b )\") }\nfunc f() { c( }",
      "1:19 this '{' is not closed before the end of the text", "2:15 expected a value, not '}'"),
    Row(
      "parameters of a function", "func f(a, b: Int...) { }",
      "1:9 expected ':' and the parameter's type, not ','"),
    Row(
      "no parameters at all", "func f { a() }",
      "1:8 expected '(' and parameters behind the function's name, not '{'"),
    Row(
      "every error of a text", "main { a( }\nfunc f() { b( }\nclass C { func g() { c( } }",
      "1:11 expected a value, not '}'", "2:15 expected a value, not '}'",
      "3:25 expected a value, not '}'"),
  ]

  static let sections = [
    Row(
      "a section without its brace", "main\n    a( }\nexpect\n    b(\n}\nfunc f() { c( }",
      "1:5 'main' needs a block: '{ … }'", "2:8 expected a value, not '}'",
      "3:7 'expect' needs a block: '{ … }'", "4:7 expected a value",
      "6:15 expected a value, not '}'"),
    Row(
      "a block alone", "{ a( }\nfunc f() { b( }",
      "1:1 expected a declaration at the top of the trace, not '{'",
      "2:15 expected a value, not '}'"),
    Row(
      "an open bracket of main", "main(.tool {\n  a( }\nfunc f() { b( }",
      "1:12 expected ')' before '{'", "2:6 expected a value, not '}'",
      "3:15 expected a value, not '}'"),
    Row(
      "an open method", "class A {\n  func f() { a()\n  deinit { }\n}\nfunc g() { b( }",
      "2:12 this '{' is not closed before 'func' on line 5", "5:15 expected a value, not '}'"),
    Row(
      "a body in a protocol", "protocol P { func f() { a( } }",
      "1:23 what a protocol asks for has no body; an extension of it may have one",
      "1:28 expected a value, not '}'"),
  ]

  @Test("what is at the top", arguments: sections)
  func checkSection(row: Row) { checkDeclaration(row: row) }

  @Test("declarations", arguments: declarations)
  func checkDeclaration(row: Row) {
    check(GrammarParser.parse(SourceText(name: "x", row.text)).diagnostics, row)
  }

  @Test("what is missing in a statement", arguments: missing)
  func checkMissing(row: Row) { checkStatement(row: row) }

  @Test("what Swift takes", arguments: taken)
  func isTaken(row: Row) { checkStatement(row: row) }

  @Test func textThatIsNotUTF8() {
    let source = SourceText(name: "x", utf8: Array("main { }\n".utf8) + [0xFF, 0xFE])
    let diagnostics = GrammarParser.parse(source).diagnostics
    #expect(
      diagnostics.map(Self.shown) == [
        "2:1 a trace is written in UTF-8, and the byte 0xFF is not allowed here"
      ])
  }

  private func check(_ diagnostics: [Diagnostic], _ row: Row) {
    #expect(diagnostics.map(Self.shown) == row.errors, sourceLocation: row.location)
  }

  static func shown(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic.source.position(of: diagnostic.range)) \(diagnostic.message)"
  }
}
