import SpindleLanguage
import SpindleModel
import Testing

/// What calls of the vocabulary's rows come to, form by form.
///
/// A window holds the row's slots in their order; what the trace leaves out is there as `none`.
@Suite struct RowTests {
  typealias Row = LoweringTests.Row

  @Test(arguments: closures + names + inPlace)
  func closureComesTo(row: Row) throws {
    try check(row)
  }

  @Test(arguments: options + members + lifetime)
  func valueComesTo(row: Row) throws {
    try check(row)
  }

  private func check(_ row: Row) throws {
    let (made, diagnostics) = RowSupport.compile(row.text)
    #expect(diagnostics.map(\.message) == [], sourceLocation: row.location)
    let program = try #require(made, sourceLocation: row.location)
    let listing = LoweringListing(program).text(of: row.block)
    #expect(listing == row.listing, sourceLocation: row.location)
  }

  /// As in Swift: without `in` what is not named may be left out, with it each parameter is named.
  @Test(
    "a block takes the parameters of its slot",
    arguments: [
      "{ mark(\"x\") }", "{ _, _ in mark(\"x\") }", "{ _, n in mark(\"\\(n)\") }", "(block: two)",
    ])
  func parameterCount(block: String) throws {
    let text =
      "func two(_ c: Clock, _ n: Int) { }\nmain { let c = Clock\(block); mark(\"\\(c)\"); two(c, 1) }"
    let (made, diagnostics) = RowSupport.compile(text)
    #expect(diagnostics.map(\.message) == [])
    let program = try #require(made)
    let blocks = program.blocks.filter {
      $0.name != .none && program.names[Int($0.name.index)] == "closure"
    }
    #expect(blocks.map(\.parameterCount) == [2])
  }

  @Test(
    "a closure or a function with other parameters is refused, as in Swift",
    arguments: ["{ c in mark(\"\\(c)\") }", "(block: one)", "(block: none)"])
  func otherParameters(block: String) {
    let text =
      "func none() { }\nfunc one(_ c: Clock) { }\nmain { let c = Clock\(block); mark(\"\\(c)\"); none(); one(c) }"
    let found = RowSupport.compile(text).diagnostics.map(\.message)
    #expect(found.count == 1 && found[0].hasPrefix("expected ((Clock, Int) -> Void)?, found ("))
  }

  static let closures = [
    Row(
      "a closure that is left out is none", "main { _ = Clock { mark(\"x\") } }",
      """
      0 r0 = none
      1 r1 = closure 
      2 r2 = none
      3 thread.make r0 @1
      4 finish
      """),
    Row(
      "each closure has its slot",
      "main { _ = Clock { mark(\"x\") } teardown: { mark(\"y\") }; _ = Clock(teardown: { }) }",
      """
      0 r0 = none
      1 r1 = closure 
      2 r2 = closure 
      3 thread.make r0 @1
      4 r0 = none
      5 r1 = none
      6 r2 = closure 
      7 thread.make r0 @2
      8 finish
      """),
    Row(
      "nil is none", "main { _ = Clock(block: nil) }",
      """
      0 r0 = none
      1 r1 = none
      2 r2 = none
      3 thread.make r0 @1
      4 finish
      """),
    Row(
      "parameters come behind what is captured, and '_' has its place",
      "func f(_ d: Duration) { _ = Clock { _, n in work(d * n) } }\nmain { f(1ms) }",
      block: "closure",
      """
      0 r3 = multiply r0 r2
      1 doing.work r3
      2 finish
      """),
    Row(
      "an element's closure has its index first, then the row's parameters",
      "let a = [Clock](count: 2) { i, c, _ in mark(\"\\(i) \\(c)\") }\nmain { record(\"n\", a.count) }",
      block: "closure",
      """
      0 r3 = "Clock"
      1 text
      2   r0 integer
      3   " "
      4   r3 string
      5 r4 = text
      6 r3 = r4
      7 doing.mark r3
      8 finish
      """),
    Row(
      "a property is set to a closure, and each time makes an activity",
      "let b = Belt()\nmain { b.completion = { mark(\"x\") }; b.completion = nil }",
      """
      0 r0 = load b
      1 r1 = closure 
      2 r2 = r0
      3 r3 = r1
      4 thread.setName r2 @1
      5 r0 = load b
      6 r1 = none
      7 r6 = r1
      8 r2 = none
      9 r2 = equal r2 r6
      10 jumpIf r2 15
      11 r2 = r6
      12 r4 = r2
      13 r3 = closure r4+1
      14 r6 = r3
      15 r4 = r0
      16 r5 = r6
      17 thread.setName r4 @2
      18 finish
      """),
  ]

  static let names = [
    Row(
      "a closure by name is wrapped, since the row takes it over",
      "func f(_ b: @escaping (Clock, Int) -> Void) { _ = Clock(block: b) }\nmain { f { _, _ in } }",
      block: "f",
      """
      0 r1 = none
      1 r5 = r0
      2 r2 = r5
      3 r4 = r2
      4 r3 = closure r4+1
      5 r5 = r3
      6 r2 = r5
      7 r3 = none
      8 thread.make r1 @1
      9 finish
      """),
    Row(
      "the wrapper hands its arguments on where they are",
      "func f(_ b: @escaping (Clock, Int) -> Void) { _ = Clock(block: b) }\nmain { f { c, _ in mark(\"\\(c)\") } }",
      block: "closure",
      """
      0 r3 = r1
      1 r4 = r2
      2 callClosure r0 r3 @1
      3 finish
      --
      0 r2 = "Clock"
      1 text
      2   r2 string
      3 r3 = text
      4 r2 = r3
      5 doing.mark r2
      6 finish
      """),
    Row(
      "a function stands for a closure",
      "func g(_ c: Clock, _ n: Int) { mark(\"\\(c) \\(n)\") }\nmain { _ = Clock(block: g) }",
      block: "closure",
      """
      0 r2 = r0
      1 r3 = r1
      2 call g r2 @1
      3 finish
      """),
    Row(
      "a function stands for a closure that a function takes",
      "func f(_ b: () -> Void) { b() }\nfunc g() { }\nmain { f(g) }",
      """
      0 r0 = closure 
      1 call f r0 @1
      2 finish
      """),
    Row(
      "a closure and an object with one label are told apart",
      "let b = Belt()\nlet c = Clock { }\nfunc g() { }\nmain { b.send { }; b.send(execute: g); b.send(execute: c) }",
      """
      0 r0 = load b
      1 r1 = closure 
      2 executor.async r0 @1
      3 r0 = load b
      4 r1 = closure 
      5 executor.async r0 @2
      6 r0 = load b
      7 r1 = load c
      8 thread.start r0
      9 finish
      """),
    Row(
      "a row that needs a closure is not meant without one",
      "let b = Belt()\nmain { b.rest { }; b.rest() }",
      """
      0 r0 = load b
      1 r1 = closure 
      2 group.leave r0
      3 r0 = load b
      4 group.enter r0
      5 finish
      """),
    Row(
      "a property takes a closure by name",
      "let b = Belt()\nfunc f(_ c: @escaping () -> Void) { b.completion = c }\nmain { f { } }",
      block: "f",
      """
      0 r1 = load b
      1 r6 = r0
      2 r2 = r6
      3 r4 = r2
      4 r3 = closure r4+1
      5 r6 = r3
      6 r4 = r1
      7 r5 = r6
      8 thread.setName r4 @1
      9 finish
      """),
  ]

  static let inPlace = [
    Row(
      "the first primitive has all slots, the last the same base, and the closure keeps off it",
      "let b = Belt()\nmain { b.inside(flags: .barrier) { mark(\"x\") } }",
      """
      0 r0 = load b
      1 r1 = 1
      2 r4 = r0
      3 group.enter r0
      4 r2 = "x"
      5 doing.mark r2
      6 jump 7
      7 r3 = r4
      8 group.leave r3
      9 finish
      """),
    Row(
      "the closure's value is the call's",
      "let b = Belt()\nmain { let n = b.inside { return 3 }; record(\"n\", n) }",
      """
      0 r0 = load b
      1 r1 = 0
      2 r4 = r0
      3 group.enter r0
      4 r2 = 3
      5 r6 = r2
      6 jump 7
      7 r5 = r6
      8 r3 = r4
      9 group.leave r3
      10 r0 = r5
      11 r1 = "n"
      12 r2 = r0
      13 r3 = 0
      14 doing.record r1
      15 finish
      """),
    Row(
      "an error passes the last primitive",
      "let b = Belt()\nfunc g() { throw \"x\" }\nmain { b.inside { g() } }",
      """
      0 r0 = load b
      1 r1 = 0
      2 r5 = r0
      3 group.enter r0
      4 call g r2 @1
      5 jump 6
      6 r3 = r5
      7 group.leave r3
      8 jump 12
      9 r4 = r5
      10 group.leave r4
      11 rethrow r8 from r9
      12 finish
      throws 4..<6 to 9 r8
      """),
    Row(
      "the closure is skipped when the first primitive gives false",
      "let b = Belt()\nmain { first(b) { mark(\"x\") }; mark(\"y\") }",
      """
      0 r0 = load b
      1 r2 = r0
      2 lock.tryLock r0
      3 jumpUnless r0 8
      4 r1 = "x"
      5 doing.mark r1
      6 r1 = r2
      7 lock.unlock r1
      8 r0 = "y"
      9 doing.mark r0
      10 finish
      """),
    Row(
      "a closure by name is called in place",
      "let b = Belt()\nfunc f(_ c: () -> Int) -> Int { return b.inside(execute: c) }\nmain { _ = f { 3 } }",
      block: "f",
      """
      0 r1 = load b
      1 r2 = 0
      2 r6 = r1
      3 group.enter r1
      4 callClosure r0 r3 @1
      5 r7 = r3
      6 r4 = r6
      7 group.leave r4
      8 jump 12
      9 r5 = r6
      10 group.leave r5
      11 rethrow r8 from r9
      12 finish r7
      throws 4..<6 to 9 r8
      """),
    Row(
      "the object that is left is the one that was entered, whatever the closure does to its name",
      "main { var l = NSLock(); l.withLock { l = NSLock() } }",
      """
      0 r0 = 0
      1 r1 = "l"
      2 r2 = none
      3 r3 = none
      4 r4 = none
      5 lock.make r0
      6 r1 = r0
      7 r7 = r1
      8 lock.lock r1
      9 r2 = 0
      10 r3 = none
      11 r4 = none
      12 r5 = none
      13 r6 = none
      14 lock.make r2
      15 r0 = r2
      16 r2 = r7
      17 lock.unlock r2
      18 finish
      """),
  ]
}
