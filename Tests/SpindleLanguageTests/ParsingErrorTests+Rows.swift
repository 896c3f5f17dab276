import Testing

// What statements miss, and what is no mistake: see `ParsingErrorTests`.

extension ParsingErrorTests {
  static let missing = [
    Row(
      "a number stuck to a name", "work1.5ms; b(",
      "2:7 '5ms' is not a member; an element is written 'a[i]'", "2:14 expected a value"),
    Row(
      "an end of a range", "for i in 0 ..< { a( }", "2:16 expected a value, not '{'",
      "2:21 expected a value, not '}'"),
    Row(
      "a range twice", "a(0 ..< ..< 5, b(", "2:9 expected a value, not '..<'",
      "2:18 expected a value"),
    Row(
      "a binding twice", "let let a = b(",
      "2:5 this 'let' is behind another 'let' or 'var', which is enough", "2:15 expected a value"),
    Row(
      "the value of a switch", "switch .a {\ncase . b: c( }",
      "3:8 expected a member's name after '.', not 'b'", "3:14 expected a value, not '}'"),
    Row(
      "a bracket in front of the cases", "switch (a, b {\ncase 1: c( }",
      "2:14 expected ')' before '{'", "3:12 expected a value, not '}'"),
    Row(
      "a bracket too many in captures", "a { [b = c())] in d( }",
      "2:13 expected ',' or ']' before ')'", "2:22 expected a value, not '}'"),
    Row(
      "a sign in a signature", "a { [weak b]; in c( }",
      "2:13 expected 'in' behind the capture list, not ';'", "2:21 expected a value, not '}'"),
    Row(
      "a word in front of a name", "a: B? = c( }",
      "2:1 a label belongs before a loop, 'do', 'if' or 'switch'"),
    Row(
      "a count", "repeat(3) { a( }", "2:7 'repeat' does not count: write 'for _ in 0 ..< n { … }'",
      "2:16 expected a value, not '}'"),
    Row(
      "a computed 'let'", "let a: Int { b( }",
      "2:12 a 'let' has a value and computes none: write 'var'", "2:17 expected a value, not '}'"),
    Row(
      "a type between others", "let a: Task<, Int> = b(", "2:13 expected a type, not ','",
      "2:24 expected a value"),
  ]

  static let taken = [
    Row("tuples", "let (a, b, c) = (1, x: 2, 3); a.0 = b.x"),
    Row("two indices", "a[1, 2] = b[c: 1]"),
    Row("casts", "let c = a as? Int; b(a as! [Int], a is Int)"),
    Row("a text over lines", "a(\"\"\"\n  b\n  \"\"\")"),
    Row("key paths", "a.map(\\.b.c); b(\\T.a)"),
    Row(
      "type parameters", "func f<T: P & Q>(a: Lock<T>, b: [T]...) -> some P where T.A == Int { a }"),
    Row(
      "property wrappers", "struct S { @Clamped(0...1) var a = 1; @TaskLocal static var b: Int }"),
    Row("a subscript", "struct S { subscript(i: Int) -> Int { get { i } set(v) { a = v } } }"),
    Row("conditional compilation", "#if DEBUG\na()\n#else\nb(}\n#endif"),
    Row("a type for several names", "var a, b: Int; let c: Int"),
    Row("a closure on the next line", "a.b\n  { c() }\nd()\n\n{ e() }"),
    Row("a closure that is called at once", "{ a() }()"),
    Row("a closure that is the value", "func f() -> () -> Void { { a() } }"),
    Row("names like words of the top", "machine(1); expect = 2; trace(a); main.b(param)"),
    Row(
      "a function named like a word of the top",
      "func expect(_ a: () -> Void) { a() }; expect { b() }"),
    Row("a declaration in the first column", "  func f() {\n    a()\nlet b = 1\n  }"),
    Row(
      "values of branches",
      "let a = if b { 1 } else { 2 }; let c = switch a { case 1: 2\ndefault: 3 }"),
  ]
}
