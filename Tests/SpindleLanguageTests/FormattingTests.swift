@testable import SpindleLanguage
import SpindleModel
import Testing

/// Traces in their canonical form.
@Suite struct FormattingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let formatted: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ formatted: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text) = (claim, text)
      (self.formatted, self.location) = (formatted, location)
    }
  }

  static let spaces = [
    Row("nothing", "", ""),
    Row("nothing but space", " \n\n ", ""),
    Row("operators and commas", "f(a+b*c ,d:1,e :2)", "f(a + b * c, d: 1, e: 2)\n"),
    Row("signs of one operand", "f( - a, ! b,a - -b)", "f(-a, !b, a - -b)\n"),
    Row("two signs are not one", "f(- - a)", "f(- -a)\n"),
    Row("ranges and remainders", "f(0..<n,a...b,d%e)", "f(0 ..< n, a ... b, d % e)\n"),
    Row(
      "tolerances", "expect{makespan==1ms±2%;a<=5%}", "expect { makespan == 1ms ± 2%; a <= 5% }\n"),
    Row(
      "ranges with one end, and bits",
      "main{for i in 0 ... {f(i&1|~ i^2)}\nswitch a{\ncase 5 ...:b&=1\ncase ..<2:c()\n}\n}",
      "main {\n    for i in 0... { f(i & 1 | ~i ^ 2) }\n    switch a {\n    case 5...: b &= 1\n"
        + "    case ..<2: c()\n    }\n}\n"),
    Row(
      "rates", "f([0s : 100 / s,1s: 2.5 /min],n/s,1/min(a),2/s.x)",
      "f([0s: 100/s, 1s: 2.5/min], n / s, 1 / min(a), 2 / s.x)\n"),
    Row("calls and elements", "f (a) . b [ 1 ] ( )", "f(a).b[1]()\n"),
    Row(
      "arrays and entries", "f([ a,b ],[ 0s : \"x\" ],[ : ],[A] (count: 1))",
      "f([a, b], [0s: \"x\"], [:], [A](count: 1))\n"),
    Row(
      "what may be missing", "f( a! + b?.c ,d ??e,g?(1),try? h(),x![0])",
      "f(a! + b?.c, d ?? e, g?(1), try? h(), x![0])\n"),
    Row(
      "captures and types of a closure", "f{[weak a,b=c.d](i:Int)->[Int] in g(i)}",
      "f { [weak a, b = c.d] (i: Int) -> [Int] in g(i) }\n"),
    Row(
      "cases stand below their switch",
      "main{\nswitch a{\ncase 1,2...3 where b:c();d()\n// why\ndefault:\nbreak\n}\n}",
      "main {\n    switch a {\n    case 1, 2 ... 3 where b: c()\n        d()\n    // why\n    default:\n"
        + "        break\n    }\n}\n"),
    Row(
      "words behind which a value begins",
      "main{if case.a=b{c()};d(try[1],await.e(),f.try(2))}",
      "main { if case .a = b { c() }; d(try [1], await .e(), f.try(2)) }\n"),
    Row(
      "a case with a value, and what is awaited",
      "main{let(a,b)=await(c,d)\nswitch(e){\ncase.success(let n):f()\n}\n}",
      "main {\n    let (a, b) = await (c, d)\n    switch (e) {\n    case .success(let n): f()\n    }\n}\n"
    ),
    Row("labels", "main{a:for (i,x) in b{break a}}", "main { a: for (i, x) in b { break a } }\n"),
    Row("a choice", "f(a ?b:c,[d ? e : g:h])", "f(a ? b : c, [d ? e : g: h])\n"),
    Row(
      "functions", "func f (_ a:Int?=nil,b :()->Void)->[Int]{}",
      "func f(_ a: Int? = nil, b: () -> Void) -> [Int] { }\n"),
    Row(
      "closures", "f{a()}\nf(x:{a()})\nf{i,j in a()}",
      "f { a() }\nf(x: { a() })\nf { i, j in a() }\n"),
    Row(
      "what is left out when a name is nil", "main { a?.b ( ); c?(1) }",
      "main { a?.b(); c?(1) }\n"),
    Row("texts stay as they are", "f(\"a  \\( b+c )\")", "f(\"a  \\( b+c )\")\n"),
    Row("members that begin a value", "f( .a ,x: .b)", "f(.a, x: .b)\n"),
    Row("lines of another system", "main {\r\n  a()\r\n}\r\n", "main {\n    a()\n}\n"),
  ]

  static let lines = [
    Row(
      "a caret stays under what it points at", "main {\n  work( 5 )\n  //    ^ error: x\n}",
      "main {\n    work(5)\n    //   ^ error: x\n}\n"),
    Row(
      "a caret under the first columns", "main {\n  a()\n//^~ no\n}",
      "main {\n    a()\n//  ^~ no\n}\n"),
    Row(
      "indentation", "main {\n  if a {\n b()\n      }\n}",
      "main {\n    if a {\n        b()\n    }\n}\n"),
    Row("a block on one line stays", "main { a(); b() }", "main { a(); b() }\n"),
    Row(
      "a block over lines is one everywhere", "main { a()\nb() }", "main {\n    a()\n    b()\n}\n"),
    Row(
      "each statement has its line", "main {\n  a(); b();\n}\nlet c = 1; let d = 2",
      "main {\n    a()\n    b()\n}\nlet c = 1\nlet d = 2\n"),
    Row(
      "a semicolon that keeps lines apart stays", "main {\n  a();\n  .b\n}",
      "main {\n    a();\n    .b\n}\n"),
    Row("superfluous semicolons", "main { ; a();; b(); }", "main { a(); b() }\n"),
    Row(
      "empty lines", "\n\nlet a = 1\n\n\n\nmain {\n\n  b()\n\n\n  c()\n\n}\n\n\n",
      "let a = 1\n\nmain {\n    b()\n\n    c()\n}\n"),
    Row(
      "a brace on its own line", "main\n{\n  if a\n  {\n    b()\n  }\n  else\n  {\n    c()\n  }\n}",
      "main {\n    if a {\n        b()\n    } else {\n        c()\n    }\n}\n"),
    Row(
      "repeat, do", "main {\n  repeat {\n a() }\n  while b\n  do { c() }\n  catch { d() }\n}",
      "main {\n    repeat {\n        a()\n    } while b\n    do { c() } catch { d() }\n}\n"),
    Row(
      "while behind a block is its own", "main {\n  if a { }\n  while b { }\n}",
      "main {\n    if a { }\n    while b { }\n}\n"),
    Row(
      "labelled closures", "main {\n  f {\n a()\n }\n  teardown: {\n b() }\n}",
      "main {\n    f {\n        a()\n    } teardown: {\n        b()\n    }\n}\n"),
    Row(
      "parameters of a closure", "main {\n  f {\n    i in\n    a(i)\n  }\n}",
      "main {\n    f { i in\n        a(i)\n    }\n}\n"),
    Row(
      "lines in brackets", "main {\n  f(a,\n  b,\n    c)\n  g([\n 0s: \"x\",\n  1s: \"y\",\n ])\n}",
      "main {\n    f(a,\n        b,\n        c)\n    g([\n        0s: \"x\",\n        1s: \"y\",\n    ])\n}\n"
    ),
    Row(
      "lines that go on", "main {\n  let x = a\n  + b\n     .c {\n d()\n }\n  .e()\n}",
      "main {\n    let x = a\n        + b\n        .c {\n            d()\n        }\n        .e()\n}\n"
    ),
    Row(
      "a header over lines", "main {\n  if a\n  && b {\n    c()\n  }\n  d()\n}",
      "main {\n    if a\n        && b {\n        c()\n    }\n    d()\n}\n"),
    Row("a new statement with a sign", "main {\n  a()\n  -b\n}", "main {\n    a()\n    -b\n}\n"),
    Row(
      "parameters over lines", "func f(\n a: Int,\n b: Int\n) -> Int {\nreturn a\n}",
      "func f(\n    a: Int,\n    b: Int\n) -> Int {\n    return a\n}\n"),
    Row(
      "settings", "machine { cores: 2\nmemory: 1GB }",
      "machine {\n    cores: 2\n    memory: 1GB\n}\n"),
    Row("empty blocks", "main {\n\n}\nat(1s) { }", "main { }\nat(1s) { }\n"),
  ]

  static let comments = [
    Row(
      "alone on a line", "// a\n   // b\nmain {\n// c\na()\n  // d\n}",
      "// a\n// b\nmain {\n    // c\n    a()\n    // d\n}\n"),
    Row("behind code", "let a = 1 // b   ", "let a = 1  // b\n"),
    Row(
      "in columns", "let a = 1     // b\nlet cd = 2    // e",
      "let a = 1     // b\nlet cd = 2    // e\n"),
    Row(
      "in columns, moved with the block", "main {\n  a()    // b\n  cde()  // f\n}",
      "main {\n    a()    // b\n    cde()  // f\n}\n"),
    Row("behind a brace", "main { // a\nb() }", "main {  // a\n    b()\n}\n"),
    Row("between", "f(a/* b */,/* c */d)", "f(a /* b */, /* c */ d)\n"),
    Row(
      "before else", "main {\n  if a { }\n  // b\n  else { }\n}",
      "main {\n    if a { }\n    // b\n    else { }\n}\n"),
    Row(
      "over lines", "main {\n  /* a\n   b */\n  c()\n}", "main {\n    /* a\n   b */\n    c()\n}\n"),
    Row(
      "behind a semicolon", "main {\n  a(); // b\n  c(); /* d */ e()\n}",
      "main {\n    a()  // b\n    c() /* d */\n    e()\n}\n"),
    Row(
      "in brackets", "let a = [\n  1, // one\n  // two\n  2,\n  // end\n]",
      "let a = [\n    1,  // one\n    // two\n    2,\n    // end\n]\n"),
  ]

  @Test("forms", arguments: spaces + lines + comments)
  func forms(row: Row) {
    let source = SourceText(name: "x", row.text)
    let (text, diagnostics) = formatted(source)
    #expect(diagnostics.map(\.message) == [], sourceLocation: row.location)
    #expect(text == row.formatted, sourceLocation: row.location)
    FormattingTests.checkProperties(source, row.testDescription)
  }

  @Test func canonicalTracesStay() {
    for trace in SampleTraces.all where trace != SampleTraces.everything {
      #expect(formatted(SourceText(name: "x", trace)).text == trace)
    }
  }

  @Test func wrongTextsStay() {
    let (text, diagnostics) = formatted(SourceText(name: "x", "main {  a( }"))
    #expect(text == "main {  a( }")
    #expect(diagnostics.count == 1)
  }

  /// A label `in:` within brackets is not the word behind a closure's parameters.
  @Test func aLabelEndsNoParameters() {
    let text = "at(){perform(in:worker){(\"performed\")}\n}\n"
    FormattingTests.checkProperties(SourceText(name: "x", utf8: Array(text.utf8)), "label")
  }

  /// Random white space, line breaks and comments: what still is a trace keeps its meaning.
  @Test("any white space", arguments: 0..<60)
  func whiteSpace(seed: Int) {
    var random = Random(seed: UInt64(seed))
    for trace in SampleTraces.all {
      var bytes: [UInt8] = []
      for byte in trace.utf8 {
        if byte == UInt8(ascii: " ") && random.below(50) == 0 {
          bytes += Array(
            ["  ", "\n", "\t", " /* c */ ", " \n\n ", " // c\n"][random.below(6)].utf8)
        } else if byte == UInt8(ascii: "\n") && random.below(20) == 0 {
          bytes += Array([";", "\n\n", ";\n", " // d\n"][random.below(4)].utf8)
        } else {
          bytes.append(byte)
        }
      }
      FormattingTests.checkProperties(SourceText(name: "x", utf8: bytes), "seed \(seed)")
    }
  }

  /// Formatting twice is formatting once; tokens, tree and comments are the same after it.
  static func checkProperties(_ source: SourceText, _ comment: String) {
    let (text, diagnostics) = formatted(source)
    guard diagnostics.isEmpty else { return }
    let result = SourceText(name: "x", text)
    let again = formatted(result)
    #expect(again.diagnostics.map(\.message) == [], "\(comment): \(source.utf8.shown)")
    #expect(again.text == text, "\(comment): \(source.utf8.shown)")
    #expect(tokens(result) == tokens(source), "\(comment): \(source.utf8.shown)")
    let (tree, found) = GrammarParser.parse(source)
    guard found.isEmpty else { return }
    let after = GrammarParser.parse(result).declarations
    #expect(
      after.withoutSettings.shown == tree.withoutSettings.shown,
      "\(comment): \(source.utf8.shown)")
  }

  /// The texts of all tokens and comments but `;`.
  private static func tokens(_ source: SourceText) -> [String] {
    source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes, keepsComments: true)
      var texts: [String] = []
      var token = lexer.next()
      while token.kind != .endOfFile {
        var text = bytes[Int(token.start)..<Int(token.end)]
        if token.kind == .lineComment {
          while let last = text.last, last == 0x20 || last == 0x0D || last == 0x09 {
            text = text.dropLast()
          }
          // The space before a caret follows what it points at.
          if let caret = text.dropFirst(2).firstIndex(where: { $0 != 0x20 }),
            text[caret] == UInt8(ascii: "^")
          {
            text = text[caret...]
          }
        }
        if token.kind != .semicolon { texts.append(String(decoding: text, as: UTF8.self)) }
        token = lexer.next()
      }
      return texts
    }
  }
}

extension [Grammar.Declaration] {
  /// All but the settings of a trace.
  fileprivate var withoutSettings: Self {
    filter { if case .setting = $0.kind { false } else { true } }
  }
}

extension [UInt8] {
  /// The text that they are.
  var shown: String { String(decoding: self, as: UTF8.self) }
}
