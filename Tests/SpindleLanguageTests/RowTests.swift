import SpindleLanguage
import SpindleModel
import Testing

/// What calls of the vocabulary's rows come to, form by form.
///
/// A window holds the row's slots in their order; what the trace leaves out is there as `none`.
@Suite struct RowTests {
  typealias Row = LoweringTests.Row

  @Test(arguments: closures + names + inPlace + atOnce)
  func closureComesTo(row: Row) throws {
    try check(row)
  }

  @Test(arguments: options + members + kept + lifetime)
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

  @Test(
    "a block takes the parameters that its closure names, which are the first ones",
    arguments: [
      ("Clock { mark(\"x\") }", 0), ("Clock { c in mark(\"\\(c)\") }", 1),
      ("Clock { _ in mark(\"x\") }", 1), ("Clock { _, n in mark(\"\\(n)\") }", 2),
      ("Clock(block: none)", 0), ("Clock(block: one)", 1),
    ])
  func parameterCount(call: String, count: Int32) throws {
    let text =
      "func none() { }\nfunc one(_ c: Clock) { }\nmain { let c = \(call); mark(\"\\(c)\"); none(); one(c) }"
    let (made, diagnostics) = RowSupport.compile(text)
    #expect(diagnostics.map(\.message) == [])
    let program = try #require(made)
    let blocks = program.blocks.filter {
      $0.name != .none && program.names[Int($0.name.index)] == "closure"
    }
    #expect(blocks.map(\.parameterCount) == [count])
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
      "let a = [Clock](count: 2) { i, c in mark(\"\\(i) \\(c)\") }\nmain { record(\"n\", a.count) }",
      block: "closure",
      """
      0 text
      1   r0 integer
      2   " Timer"
      3 r2 = text
      4 doing.mark r2
      5 finish
      """),
    Row(
      "a property is set to a closure, and each time makes an activity",
      "let b = Belt()\nmain { b.completion = { mark(\"x\") }; b.completion = nil }",
      """
      0 r0 = load b
      1 r1 = closure 
      2 thread.setName r0 @1
      3 r0 = load b
      4 r1 = none
      5 thread.setName r0 @2
      6 finish
      """),
  ]

  static let names = [
    Row(
      "a closure by name is wrapped, since the row takes it over",
      "func f(_ b: () -> Void) { _ = Clock(block: b) }\nmain { f { } }", block: "f",
      """
      0 r1 = none
      1 r3 = r0
      2 r2 = closure r3+1
      3 r3 = none
      4 thread.make r1 @1
      5 finish
      """),
    Row(
      "the wrapper hands its arguments on where they are",
      "func f(_ b: (Clock) -> Void) { _ = Clock(block: b) }\nmain { f { c in mark(\"\\(c)\") } }",
      block: "closure",
      """
      0 callClosure r0 r1 @1
      1 finish
      --
      0 r1 = "Timer"
      1 doing.mark r1
      2 finish
      """),
    Row(
      "a function stands for a closure",
      "func g(_ c: Clock, _ n: Int) { mark(\"\\(c) \\(n)\") }\nmain { _ = Clock(block: g) }",
      block: "closure",
      """
      0 call g r0 @1
      1 finish
      """),
    Row(
      "a function stands for a closure that a function takes, and is freed like one",
      "func f(_ b: () -> Void) { b() }\nfunc g() { }\nmain { f(g) }",
      """
      0 r0 = closure 
      1 r1 = r0
      2 call f r1 @1
      3 freeClosure r0
      4 finish
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
      "let b = Belt()\nfunc f(_ c: () -> Void) { b.completion = c }\nmain { f { } }", block: "f",
      """
      0 r1 = load b
      1 r3 = r0
      2 r2 = closure r3+1
      3 thread.setName r1 @1
      4 finish
      """),
  ]

  static let inPlace = [
    Row(
      "the first primitive has all slots, the last the same base, and the closure keeps off it",
      "let b = Belt()\nmain { b.inside(flags: .barrier) { mark(\"x\") } }",
      """
      0 r0 = load b
      1 r1 = r0
      2 r2 = 1
      3 group.enter r1
      4 r4 = "x"
      5 doing.mark r4
      6 group.leave r1
      7 finish
      """),
    Row(
      "the closure's value is the call's",
      "let b = Belt()\nmain { let n = b.inside { return 3 }; record(\"n\", n) }",
      """
      0 r0 = load b
      1 r1 = r0
      2 r2 = 0
      3 group.enter r1
      4 r0 = 3
      5 jump 6
      6 group.leave r1
      7 r1 = "n"
      8 r2 = r0
      9 r3 = 0
      10 doing.record r1
      11 finish
      """),
    Row(
      "an error passes the last primitive",
      "let b = Belt()\nfunc g() { throw \"x\" }\nmain { b.inside { g() } }",
      """
      0 r0 = load b
      1 r1 = r0
      2 r2 = 0
      3 group.enter r1
      4 call g r4 @1
      5 group.leave r1
      6 jump 9
      7 group.leave r1
      8 rethrow r4 from r5
      9 finish
      throws 4..<5 to 7 r4
      """),
    Row(
      "the closure is skipped when the first primitive gives false",
      "let b = Belt()\nmain { first(b) { mark(\"x\") }; mark(\"y\") }",
      """
      0 r0 = load b
      1 r1 = r0
      2 lock.tryLock r0
      3 jumpUnless r0 8
      4 r0 = r1
      5 r3 = "x"
      6 doing.mark r3
      7 lock.unlock r0
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
      1 r2 = r1
      2 r3 = 0
      3 group.enter r2
      4 callClosure r0 r5 @1
      5 r4 = r5
      6 group.leave r2
      7 jump 10
      8 group.leave r2
      9 rethrow r6 from r7
      10 finish r4
      throws 4..<6 to 8 r6
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
      6 r2 = r0
      7 lock.lock r2
      8 r4 = 0
      9 r5 = none
      10 r6 = none
      11 r7 = none
      12 r8 = none
      13 lock.make r4
      14 r0 = r4
      15 lock.unlock r2
      16 finish
      """),
  ]

  static let atOnce = [
    Row(
      "a closure that runs several times at once has a local var as it is at the call",
      "main { var n = 1; spread(iterations: 3) { i in record(\"n\", n + i) }; n = 2 }",
      """
      0 r0 = 1
      1 r1 = 3
      2 r3 = r0
      3 r2 = closure r3+1
      4 executor.async r1
      5 r0 = 2
      6 finish
      """),
    Row(
      "so has one within it",
      "main { var n = 1; spread(iterations: 3) { spread(iterations: n) { record(\"n\", n) } }; n = 2 }",
      block: "closure",
      """
      0 r1 = r0
      1 r3 = r0
      2 r2 = closure r3+1
      3 executor.async r1
      4 finish
      --
      0 r1 = "n"
      1 r2 = r0
      2 r3 = 0
      3 doing.record r1
      4 finish
      """),
  ]
}
