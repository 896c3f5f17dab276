import SpindleLanguage
import SpindleModel
import Testing

/// What the parts of the language come to, instruction by instruction.
@Suite struct LoweringTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let block: String
    let listing: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, block: String = "main", _ listing: String,
      location: SourceLocation = #_sourceLocation
    ) {
      testDescription = claim
      (self.text, self.block, self.listing) = (text, block, listing)
      self.location = location
    }
  }

  @Test(arguments: control + values)
  func comesTo(row: Row) throws {
    let program = try CompilerSupport.program(row.text, location: row.location)
    #expect(program.places.count == program.instructions.count, sourceLocation: row.location)
    let listing = LoweringListing(program).text(of: row.block)
    #expect(listing == row.listing, sourceLocation: row.location)
  }

  static let control = [
    Row(
      "a loop of work and waiting is as short as can be",
      "main { while true { work(exponential(5ms)); io(exponential(20ms)) } }",
      """
      0 r1 = 0
      1 r2 = 0
      2 r0 = 5000000
      3 exponential r0+1 @1 r1
      4 doing.work r0
      5 r0 = 20000000
      6 exponential r0+1 @2 r2
      7 doing.io r0
      8 jump 2
      """),
    Row(
      "a counting loop has one test and one step",
      "main { for i in 0 ..< 3 { print(\"\\(i)\") } }",
      """
      0 r0 = 0
      1 r1 = 3
      2 jumpUnlessLess r0 r1 13
      3 text
      4   r0 integer
      5 r2 = text
      6 r3 = " "
      7 text
      8   r2 string
      9 r4 = text
      10 doing.print r4
      11 increment r0
      12 jump 2
      13 finish
      """),
    Row(
      "a closed range reaches its end",
      "main { for i in 1 ... 2 { yield() } }",
      """
      0 r0 = 1
      1 r1 = 2
      2 r2 = lessOrEqual r0 r1
      3 jumpUnless r2 7
      4 doing.yield r3
      5 increment r0
      6 jump 2
      7 finish
      """),
    Row(
      "a range that may end before it starts is checked",
      "func f(_ n: Int) { for _ in 0 ..< n { yield() } }\nmain { f(2) }", block: "f",
      """
      0 r1 = 0
      1 r2 = r0
      2 r3 = lessOrEqual r1 r2
      3 jumpIf r3 6
      4 r4 = "Fatal error: Range requires lowerBound <= upperBound"
      5 doing.trap r4
      6 jumpUnlessLess r1 r2 10
      7 doing.yield r3
      8 increment r1
      9 jump 6
      10 finish
      """),
    Row(
      "an array is gone through by index",
      "main { let a = [1, 2]; for x in a { record(\"x\", x) } }",
      """
      0 r0 = array r0+0
      1 r1 = 1
      2 append r0 r1
      3 r1 = 2
      4 append r0 r1
      5 r1 = count r0
      6 r2 = 0
      7 jumpUnlessLess r2 r1 15
      8 r3 = r0[r2]
      9 r4 = "x"
      10 r5 = r3
      11 r6 = 0
      12 doing.record r4
      13 increment r2
      14 jump 7
      15 finish
      """),
    Row(
      "a closure captures values when it is made",
      "let p = ThreadPool(width: 1)\nmain { for i in 0 ..< 2 { p.async { work(i * 1ms) } } }",
      """
      0 r8 = 0
      1 r0 = 0
      2 r1 = 2
      3 jumpUnlessLess r0 r1 13
      4 r2 = load p
      5 r3 = none
      6 r4 = 0
      7 r5 = none
      8 r7 = r0
      9 r6 = closure r7+1
      10 executor.async r2 @1 r8
      11 increment r0
      12 jump 3
      13 finish
      """),
    Row(
      "a captured value is the closure's first register, counters are its last",
      "let p = ThreadPool(width: 1)\nfunc f(_ d: Duration) { p.async { while true { work(exponential(d)) } } }\nmain { f(1ms) }",
      block: "closure",
      """
      0 r2 = 0
      1 r1 = r0
      2 exponential r1+1 @1 r2
      3 doing.work r1
      4 jump 1
      """),
    Row(
      "a closure within a closure captures through both",
      "let p = ThreadPool(width: 1)\nfunc f(_ d: Duration) { p.async { p.async { work(d) } } }\nmain { f(1ms) }",
      block: "closure",
      """
      0 r1 = load p
      1 r2 = none
      2 r3 = 1
      3 r4 = none
      4 r6 = r0
      5 r5 = closure r6+1
      6 executor.async r1 @1
      7 finish
      --
      0 r1 = r0
      1 doing.work r1
      2 finish
      """),
    Row(
      "a lock is given back on every way out of its closure",
      "let l = NSLock()\nfunc g() { throw \"x\" }\nfunc f(_ n: Int) -> Int { return l.withLock { if n > 1 { return 1 }; g(); return 2 } }\nmain { _ = f(1) }",
      block: "f",
      """
      0 r1 = load l
      1 r5 = r1
      2 lock.lock r1
      3 r2 = 1
      4 r2 = less r2 r0
      5 jumpUnless r2 9
      6 r2 = 1
      7 r7 = r2
      8 jump 13
      9 call g r2 @1
      10 r2 = 2
      11 r7 = r2
      12 jump 13
      13 r6 = r7
      14 r3 = r5
      15 lock.unlock r3
      16 jump 20
      17 r4 = r5
      18 lock.unlock r4
      19 rethrow r8 from r9
      20 finish r6
      throws 3..<14 to 17 r8
      """),
    Row(
      "a closure that runs in place may change a local var",
      "let l = NSLock()\nmain { var n = 0; l.withLock { n += 1 }; record(\"n\", n) }",
      """
      0 r0 = 0
      1 r1 = load l
      2 r4 = r1
      3 lock.lock r1
      4 r2 = 1
      5 r3 = add r0 r2
      6 r0 = r3
      7 r2 = r4
      8 lock.unlock r2
      9 r1 = "n"
      10 r2 = r0
      11 r3 = 0
      12 doing.record r1
      13 finish
      """),
    Row(
      "defers run last one first, once on each way out",
      "func f(_ n: Int) -> Int { defer { mark(\"a\") }; defer { mark(\"b\") }; if n > 1 { return 1 }; return 2 }\nmain { _ = f(1) }",
      block: "f",
      """
      0 r3 = 1
      1 r3 = less r3 r0
      2 jumpUnless r3 7
      3 r3 = 1
      4 r8 = r3
      5 r2 = 0
      6 jump 11
      7 r3 = 2
      8 r8 = r3
      9 r2 = 0
      10 jump 11
      11 r5 = "b"
      12 doing.mark r5
      13 r1 = 0
      14 jump 15
      15 r7 = "a"
      16 doing.mark r7
      17 finish r8
      """),
    Row(
      "a defer runs when a loop is left",
      "main { while true { defer { mark(\"d\") }; if now > 1s { break }; work(1ms) } }",
      """
      0 r1 = now
      1 r2 = 1000000000
      2 r1 = less r2 r1
      3 jumpUnless r1 6
      4 r0 = 0
      5 jump 10
      6 r1 = 1000000
      7 doing.work r1
      8 r0 = 1
      9 jump 10
      10 r2 = "d"
      11 doing.mark r2
      12 r2 = 0
      13 r2 = equal r2 r0
      14 jumpUnless r2 16
      15 jump 18
      16 jump 17
      17 jump 0
      18 finish
      """),
    Row(
      "an error passes the defers on its way to the handler",
      "main { do { defer { mark(\"d\") }; throw \"bad\" } catch { print(error) } }",
      """
      0 r2 = "bad"
      1 raise r2
      2 r1 = 0
      3 jump 4
      4 r5 = "d"
      5 doing.mark r5
      6 rethrow r3 from r4
      7 r2 = " "
      8 text
      9   r0 string
      10 r3 = text
      11 doing.print r3
      12 jump 13
      13 finish
      throws 0..<2 to 2 r3
      throws 0..<7 to 7 r0
      """),
    Row(
      "conditions jump as soon as they are decided",
      "func f(_ a: Int, _ b: Bool) { if a < 1 && (b || a != 2) { yield() } else { mark(\"e\") } }\nmain { f(1, true) }",
      block: "f",
      """
      0 r2 = 1
      1 jumpUnlessLess r0 r2 10
      2 r2 = r1
      3 jumpIf r2 7
      4 r3 = 2
      5 r3 = notEqual r0 r3
      6 r2 = r3
      7 jumpUnless r2 10
      8 doing.yield r2
      9 jump 12
      10 r2 = "e"
      11 doing.mark r2
      12 finish
      """),
  ]
}
