@testable import SpindleLanguage
import SpindleModel
import Testing

/// Text to trees: each row shows the tree in one line.
@Suite struct ParsingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let tree: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ tree: String, location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.tree, self.location) = (claim, text, tree, location)
    }
  }

  static let expressions = [
    Row(
      "durations are nanoseconds", "[1ns, 1.5us, 2ms, 3s, 1min, 1h]",
      "[1ns, 1.5us, 2ms, 3s, 60s, 3600s]"),
    Row("sizes are bytes", "[17B, 0.5KB, 1MB, 2GB]", "[17B, 512B, 1MB, 2GB]"),
    Row(
      "numbers", "[9_223_372_036_854_775_807, 0.123456789]", "[9223372036854775807, 0.123456789]"),
    Row("products before sums", "a + b * c - d", "((a + (b * c)) - d)"),
    Row("sums before ranges before comparisons", "a + 1 ..< b == c", "(((a + 1) ..< b) == c)"),
    Row(
      "comparisons before and before or", "a == b && c < d || !e", "(((a == b) && (c < d)) || (!e))"
    ),
    Row("parentheses first", "(a + b) * c", "((a + b) * c)"),
    Row("a remainder is no percentage", "a % 2 + 5%b", "((a % 2) + (5 % b))"),
    Row("shifts bind most tightly", "1 << 2 * 3 >> a", "((1 << 2) * (3 >> a))"),
    Row("a choice binds last, to the right", "a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    Row("signs before a value", "-a * !b - -c", "(((-a) * (!b)) - (-c))"),
    Row("members, calls and elements", "a.b(c)[d].e()", "a.b(c)[d].e()"),
    Row(
      "a reserved word as member and label", "a.repeat(in: 1, for: b)", "a.repeat(in: 1, for: b)"),
    Row("implicit members", ".timeshare(quantum: 10ms)", ".timeshare(quantum: 10ms)"),
    Row(
      "a closure behind a call", "q.async(name: \"x\") { work(1ms) }",
      "q.async(name: \"x\") {work(1ms)}"),
    Row("a closure without parentheses", "lock.withLock { a }", "lock.withLock() {a}"),
    Row(
      "labelled closures", "add { a } teardown: { b } done: { c }",
      "add() {a} teardown: {b} done: {c}"),
    Row("a closure's parameters", "each { i, _ in f(i) }", "each() {i, _ in f(i)}"),
    Row("parameters in parentheses", "each { (i) in f(i) }", "each() {i in f(i)}"),
    Row(
      "a whole signature", "each { [a, weak b] (i: Int, _ j) async throws -> [Int] in f(i) }",
      "each() {[a, weak b] i: Int, j async throws -> [Int] in f(i)}"),
    Row("captures alone", "each { [weak a] in f(a) }", "each() {[weak a] in f(a)}"),
    Row("an array and no captures", "each { [a, b].map(f) }", "each() {[a, b].map(f)}"),
    Row("a tuple and no parameters", "each { (a, b) }", "each() {(a, b)}"),
    Row("tuples and their elements", "(a, b: 1).0.1.b", "(a, b: 1).0.1.b"),
    Row("types in angle brackets", "Stack<Int>(a < b, c > d)", "Stack<Int>((a < b), (c > d))"),
    Row(
      "types as values", "f([Int].self, ((Int) -> Void).self)",
      "f(<[Int]>.self, <(Int) -> Void>.self)"),
    Row("casts", "a as? B ?? c is D", "((a as? B) ?? (c is D))"),
    Row("what is tried and waited for", "try await f() + g()", "(try (await (f() + g())))"),
    Row("key paths", "a.map(\\.b.c) + f(\\T.a)", "(a.map(\\.b.c) + f(\\T.a))"),
    Row("ranges with one end", "a[2...] + b[..<c]", "(a[(2 ... )] + b[( ..< c)])"),
    Row("operators as functions", "a.reduce(0, +)", "a.reduce(0, +)"),
    Row("a function by its labels", "f(g(_:to:))", "f(g(_:to:))"),
    Row("a text over lines", "\"\"\"\n  a\n    \\(b)\n  \"\"\"", "\"a\n  \\(b)\""),
    Row("a raw text", "#\"a\\b\"#", "\"a\\b\""),
    Row(
      "hexadecimal and exponents", "[0x1F, 0b101, 0o17, 1e3, 2.5e-1]", "[31, 5, 15, 1000.0, 0.25]"),
    Row("a closure that begins with a loop", "run { for i in a { } }", "run() {for let i in a {}}"),
    Row("arrays over lines", "[\n  a,\n  b,\n]", "[a, b]"),
    Row("arrays by type and count", "[NSLock](count: 5)", "<[NSLock]>(count: 5)"),
    Row("threads by count", "[Thread](count: n) { i in f(i) }", "<[Thread]>(count: n) {i in f(i)}"),
    Row("no entries", "[:]", "[:]"),
    Row(
      "entries with ranges", "[0s: \"a\", 500ms ... 1.3s: any(\"b\", \"c\")]",
      "[0s: \"a\", (500ms ... 1.3s): any(\"b\", \"c\")]"),
    Row("entries by choice", "[a ? b : c: d]", "[(a ? b : c): d]"),
    Row(
      "a call of an observation", "timeline(within: 50ms) == []", "(timeline(within: 50ms) == [])"),
    Row("escapes", #""a\n\t\\\"\u{E9}\u{1F600}""#, "\"a\n\t\\\"é😀\""),
    Row("values in a text", #""m\(i)-\(j + 1)""#, #""m\(i)-\((j + 1))""#),
    Row("texts in values in a text", #""\(f("\(x)"))!""#, #""\(f("\(x)"))!""#),
    Row("an empty text", "\"\"", "\"\""),
    Row(
      "a subscript by text", "t.threadDictionary[\"k\"] == nil",
      "(t.threadDictionary[\"k\"] == nil)"),
    Row("identity", "a === b", "(a === b)"),
  ]

  @Test("expressions", arguments: expressions)
  func checkExpression(row: Row) {
    let source = SourceText(name: "x", row.text)
    let (expression, diagnostics) = GrammarParser.parseExpression(
      in: source, at: SourceRange(0, source.utf8.count))
    let shown = expression.shown
    #expect(diagnostics.map(\.message) == [], sourceLocation: row.location)
    #expect(shown == row.tree, sourceLocation: row.location)
  }

  static let statements = [
    Row("lines and semicolons", "a(); b()\nc();", "a(); b(); c()"),
    Row("a point goes on with the line before", "a\n  .b()\n  .c()", "a.b().c()"),
    Row("so does an operator", "x = a\n  + b\n  * c", "x = (a + (b * c))"),
    Row("a sign with nothing behind it does not", "f()\n-x", "f(); (-x)"),
    Row("an open operator does", "x = a +\n  b", "x = (a + b)"),
    Row("a bracket on a new line begins a statement", "f\n(a)", "f; a"),
    Row(
      "assignments", "x = 1; x += 2; x -= 3; a[0] = b; _ = f()",
      "x = 1; x += 2; x -= 3; a[0] = b; _ = f()"),
    Row(
      "a closure as value", "op.completionBlock = { work(1ms) }", "op.completionBlock = {work(1ms)}"
    ),
    Row(
      "declarations", "let a = 1; var b: Int? = nil; weak var w = q",
      "let a = 1; var b: Int? = nil; weak var w = q"),
    Row(
      "if with everything", "if a { b() } else if c { } else { d() }",
      "if a {b()} else {if c {} else {d()}}"),
    Row("else on a new line", "if a { }\nelse { b() }", "if a {} else {b()}"),
    Row("conditions with commas", "if a, b == c { }", "if a, (b == c) {}"),
    Row("a brace begins the body", "while a == b { c() }", "while (a == b) {c()}"),
    Row("closures in parentheses of a condition", "if (f { x }) { }", "if f() {x} {}"),
    Row("guard", "guard !isCancelled else { return }", "guard (!isCancelled) else {return}"),
    Row("guard else on a new line", "guard a\nelse { return }", "guard a else {return}"),
    Row("repeat while", "repeat { a() }\nwhile b", "repeat {a()} while b"),
    Row(
      "loops", "for i in 0 ..< n { break }\nfor _ in a { continue }",
      "for let i in (0 ..< n) {break}; for _ in a {continue}"),
    Row("return ends with its line", "return\na()", "return; a()"),
    Row("return with a value", "return a + b", "return (a + b)"),
    Row(
      "a chain ends where its last member does", "x?.f(y).g ?? z",
      "(<x?.f(y).g> ?? z)"),
    Row("a setting of what may be nil", "x?.n = 1", "<x?.n> = 1"),
    Row("a closure that may be nil", "done?(1)", "<done?(1)>"),
    Row("one within another", "x?.f { y?.g() }", "<x?.f() {<y?.g()>}>"),
    Row("a default binds to the right", "a ?? b ?? c == d", "((a ?? (b ?? c)) == d)"),
    Row("what is there", "a!.b![c!]", "a!.b![c!]"),
    Row("what is tried", "let a = try? f() + 1", "let a = (try? (f() + 1))"),
    Row(
      "names in conditions", "if let a = b, let c, d { e() }",
      "if let a = b, let c = c, d {e()}"),
    Row(
      "cases",
      "switch a {\ncase 1, 2 ... 3 where b: c()\ncase let d?: e(); f()\ncase _: g()\ndefault: h()\n}",
      "switch a {case 1, (2 ... 3) where b: {c()}; case let d?: {e(); f()}; case _: {g()}; "
        + "default: {h()}}"),
    Row(
      "labels", "a: for (i, x) in b.c() where i > 1 { break a }",
      "a: for (let i, let x) in b.c() where (i > 1) {break a}"),
    Row("several names", "let a = 1, b: Int = 2", "let a = 1, b: Int = 2"),
    Row("a closure's own names", "f { $1 + $0 }", "f() {($1 + $0)}"),
    Row(
      "modifiers", "nonisolated(unsafe) @A private let a = try f()",
      "@A nonisolated(unsafe) private let a = (try f())"),
    Row("a type of several names", "var a, b: Int", "var a: Int, b: Int"),
    Row("tuples of names", "let (a, _) = b", "let (a, _) = b"),
    Row(
      "patterns of cases", "if case .a(let b, c: 1) = d, case let E.f(g)? = h { }",
      "if .a(let b, c: 1) = d, E.f(let g)? = h {}"),
    Row(
      "errors by their type", "do { } catch let e as E where e.a { } catch is F { } catch { }",
      "do {} catch let e as E where e.a {} catch is F {} catch {}"),
    Row(
      "loops over cases and streams", "for case .a(let b) in c { }\nfor try await d in e { }",
      "for .a(let b) in c {}; for try await let d in e {}"),
    Row("values of branches", "let a = if b { 1 } else { 2 }", "let a = (if b {1} else {2})"),
    Row("a closure on the next line", "f(a)\n  { b() }", "f(a) {b()}"),
    Row("a choice over lines", "a\n  ? b\n  : c", "(a ? b : c)"),
    Row(
      "errors", "do { throw \"x\" } catch { print(error) }", "do {throw \"x\"} catch {print(error)}"
    ),
    Row("defer", "defer { lock.unlock() }", "defer {lock.unlock()}"),
    Row("a once", "once(token) { a() }", "once(token) {a()}"),
    Row(
      "the words of declarations are names here", "main.x; trace(a); param = 1",
      "main.x; trace(a); param = 1"),
  ]

  @Test("statements", arguments: statements)
  func checkStatement(row: Row) {
    let (tree, diagnostics) = GrammarParser.parse(
      SourceText(name: "x", "main {\n\(row.text)\n}"))
    #expect(diagnostics.map(\.message) == [], sourceLocation: row.location)
    #expect(tree.shown == "main {\(row.tree)}", sourceLocation: row.location)
  }

  static let declarations = [
    Row("nothing", "", ""),
    Row("comments only", "// a\n/* b */", ""),
    Row(
      "bindings", "let q = ThreadPool(width: 3)\nvar n = 0",
      "let q = ThreadPool(width: 3); var n = 0"),
    Row("main in each form", "main { a() }\nmain(.tool) { b() }", "main {a()}; main(.tool) {b()}"),
    Row("a brace on the next line", "main\n{\n}\nfunc f()\n{\n}", "main {}; func f() {}"),
    Row(
      "arrivals", "at(1s) { a() }\nevery(2s, count: 3) { i in b(i) }",
      "at(1s) {a()}; every(2s, count: 3) {i in b(i)}"),
    Row(
      "functions",
      "func f() { }\nfunc g(_ a: Int, to b: [NSLock] = [], c: () -> Void) -> Int? { return a }",
      "func f() {}; func g(_ a: Int, to b: [NSLock] = [], c: () -> Void) -> Int? {return a}"),
    Row(
      "function types", "func f(_ a: (Int, Duration) -> [Int]?) { }",
      "func f(_ a: (Int, Duration) -> [Int]?) {}"),
    Row(
      "types",
      "func f(a: inout @Sendable (b: [Int: A.B]) async throws -> any P & Q, c: T.Type!...) { }",
      "func f(a: @Sendable inout (b: [Int: A.B]) async throws -> any P & Q, c: T.Type!...) {}"),
    Row(
      "type parameters", "func f<T: P & Q, U>(a: T) -> some Sequence<U> where U == T.A { }",
      "func f<T: P & Q, U>(a: T) -> some Sequence<U> {}"),
    Row("operators", "func < (a: A, b: A) -> Bool { true }", "func <(a: A, b: A) -> Bool {true}"),
    Row(
      "types with members",
      "final class A<T>: B, C {\n  let a = 1\n  init?(b: Int) throws { }\n  deinit { }\n}",
      "final class A<T>: B, C {let a = 1; init?init(b: Int) throws {}; deinit {}}"),
    Row(
      "cases", "enum E: Int { case a, b(c: Int, D); case f = 2 }",
      "enum E: Int {case a, b(c: Int, _: D); case f = 2}"),
    Row(
      "requirements", "protocol P: Q { associatedtype T; var a: T { get set }; func f() -> T }",
      "protocol P: Q {associatedtype T; var a: T {}; func f() -> T}"),
    Row(
      "accessors",
      "var a: Int { get { 1 } set(v) { b = v } }\nvar c: Int { d }\nvar e = 1 { didSet { f() } }",
      "var a: Int {get {1} set {b = v}}; var c: Int {get {d}}; var e = 1 {didSet {f()}}"),
    Row(
      "subscripts", "struct S { subscript(i: Int, to j: Int) -> Int { i } }",
      "struct S {subscript(_ i: Int, to j: Int) -> Int {get {i}}}"),
    Row("extensions", "extension A: P where T: Q { func f() { } }", "extension A: P {func f() {}}"),
    Row(
      "branches that are taken",
      "#if os(Linux)\nlet a = (\n#elseif DEBUG\nlet b = 1\n#else\n}\n#endif",
      "let b = 1"),
    Row("calls", "threadNames(\"1\", \"2\")", "threadNames(\"1\", \"2\")"),
  ]

  @Test("declarations", arguments: declarations)
  func checkDeclaration(row: Row) {
    let (tree, diagnostics) = GrammarParser.parse(SourceText(name: "x", row.text))
    #expect(diagnostics.map(\.message) == [], sourceLocation: row.location)
    #expect(tree.shown == row.tree, sourceLocation: row.location)
  }

  @Test func rangesCoverTheTextOfEachPart() {
    let source = SourceText(name: "x", "main { q.async(name: \"a\") { work(1ms + x) } }")
    let tree = GrammarParser.parse(source).declarations
    guard case .main(_, let block) = tree.first?.kind,
      case .expression(let expression) = block.statements.first?.kind,
      case .call(let call) = expression.kind,
      case .member(_, let name, _) = call.callee.kind
    else {
      Issue.record("not a call")
      return
    }
    #expect(source.text(in: block.range) == "{ q.async(name: \"a\") { work(1ms + x) } }")
    #expect(source.text(in: expression.range) == "q.async(name: \"a\") { work(1ms + x) }")
    #expect(source.text(in: call.place) == "q.async(name: \"a\")")
    #expect(source.text(in: call.callee.range) == "q.async")
    #expect(source.text(in: name.range) == "async")
    #expect(call.arguments[0].label.map { source.text(in: $0.range) } == "name")
    #expect(source.text(in: call.arguments[0].value.range) == "\"a\"")
    #expect(source.text(in: call.arguments[1].value.range) == "{ work(1ms + x) }")
  }
}
