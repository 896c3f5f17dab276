import Testing

/// Values, texts, arrays and members.
extension LoweringTests {
  static let values = [
    Row(
      "a choice evaluates one side",
      "func f(_ i: Int) -> Duration { return i == 0 ? 40ms : 120ms }\nmain { work(f(0)) }",
      block: "f",
      """
      0 r2 = 0
      1 r3 = equal r0 r2
      2 jumpUnless r3 5
      3 r1 = 40000000
      4 jump 6
      5 r1 = 120000000
      6 finish r1
      """),
    Row(
      "constants are folded and need no register",
      "param n = 3\nlet d = n * 2ms\nmain { work(d + 1us) }",
      """
      0 r0 = 6001000
      1 doing.work r0
      2 finish
      """),
    Row(
      "a shared var is read and written as events",
      "var n = 0\nmain { n += 1; n = n * 2 }",
      """
      0 r0 = read n to change
      1 r1 = 1
      2 r0 = add r0 r1
      3 write n r0
      4 r1 = read n to change
      5 r2 = 2
      6 r0 = multiply r1 r2
      7 write n r0
      8 finish
      """),
    Row(
      "objects in arrays are named after their array",
      "let forks = [NSLock](count: 2)\nmain { forks[1].lock(); forks[1].unlock() }", block: "top",
      """
      0 r0 = array r1+0
      1 r1 = 2
      2 r2 = 0
      3 jumpUnlessLess r2 r1 17
      4 r3 = 0
      5 text
      6   "forks["
      7   r2 integer
      8   "]"
      9 r4 = text
      10 r5 = none
      11 r6 = none
      12 r7 = none
      13 lock.make r3
      14 append r0 r3
      15 increment r2
      16 jump 3
      17 store forks r0
      18 finish
      """),
    Row(
      "threads in arrays capture their index",
      "main { let t = [Thread](count: 2) { i in work(i * 1ms) }; t[0].start() }",
      """
      0 r11 = 0
      1 r0 = array r1+0
      2 r1 = 2
      3 r2 = 0
      4 jumpUnlessLess r2 r1 21
      5 text
      6   "t["
      7   r2 integer
      8   "]"
      9 r3 = text
      10 r4 = 0
      11 r5 = none
      12 r6 = none
      13 r7 = none
      14 r8 = none
      15 r10 = r2
      16 r9 = closure r10+1
      17 thread.make r3 @1 r11
      18 append r0 r3
      19 increment r2
      20 jump 4
      21 r2 = 0
      22 r1 = r0[r2]
      23 thread.start r1
      24 finish
      """),
    Row(
      "a var gets an array of its own",
      "main { let a = [1]; var b = a; b.append(2); let c = b; record(\"n\", c.count) }",
      """
      0 r1 = 1
      1 r0 = array r1+1
      2 r2 = arrayCopy r0
      3 r1 = r2
      4 r2 = 2
      5 append r1 r2
      6 r3 = arrayCopy r1
      7 r2 = r3
      8 r3 = "n"
      9 r4 = count r2
      10 r5 = 0
      11 doing.record r3
      12 finish
      """),
    Row(
      "decimals scale lengths exactly",
      "func f(_ d: Duration, _ x: Decimal) -> Duration { return d * x / 2 - d / x }\nmain { work(f(1ms, 2)) }",
      block: "f",
      """
      0 r2 = scale r0 r1
      1 r3 = 2
      2 r4 = divide r2 r3
      3 r5 = unscale r0 r1
      4 r6 = subtract r4 r5
      5 finish r6
      """),
    Row(
      "moments and lengths mix as they should",
      "main { let t = now; sleep(until: .now() + 1s); record(\"d\", now - t); record(\"e\", t - 1ms < 2s) }",
      """
      0 r0 = now
      1 r2 = now
      2 r3 = 1000000000
      3 r1 = advance r2 r3
      4 doing.sleepUntil r1
      5 r1 = "d"
      6 r3 = now
      7 r2 = subtract r3 r0
      8 r3 = 2
      9 doing.record r1
      10 r1 = "e"
      11 r3 = 1000000
      12 r5 = negate r3
      13 r4 = advance r0 r5
      14 r6 = 2000000000
      15 r2 = less r4 r6
      16 r3 = 1
      17 doing.record r1
      18 finish
      """),
    Row(
      "texts evaluate their values before they are put together",
      "func f() -> Int { return 1 }\nmain { print(\"a\\(f())b\\(1ms)\" + \"c\") }",
      """
      0 call f r2 @1
      1 text
      2   "a"
      3   r2 integer
      4   "b1ms"
      5 r1 = text
      6 r3 = "c"
      7 text
      8   r1 string
      9   r3 string
      10 r0 = text
      11 doing.print r0
      12 finish
      """),
    Row(
      "a closure that a function is given is freed after the call",
      "func twice(_ body: () -> Void) { body(); body() }\nmain { twice { mark(\"x\") } }",
      """
      0 r0 = closure 
      1 r1 = r0
      2 call twice r1 @1
      3 freeClosure r0
      4 finish
      """),
    Row(
      "a closure that outlives the call is not freed",
      "let p = ThreadPool(width: 1)\nfunc later(_ body: () -> Void) { p.async(execute: body) }\nmain { later { mark(\"x\") } }",
      """
      0 r0 = closure 
      1 r1 = r0
      2 call later r1 @1
      3 r0 = r0
      4 finish
      """),
    Row(
      "a missing value crashes as an unwrapped optional does",
      "main { Thread.current.threadDictionary[\"n\"] = 1; let n: Int = Thread.current.threadDictionary[\"n\"]; record(\"n\", n) }",
      """
      0 thread.current r0
      1 r1 = "n"
      2 r2 = 1
      3 thread.dictionarySet r0
      4 thread.current r0
      5 r1 = "n"
      6 thread.dictionaryGet r0
      7 r1 = none
      8 r1 = notEqual r0 r1
      9 jumpIf r1 12
      10 r2 = "Unexpectedly found nil while unwrapping an Optional value"
      11 doing.fatalError r2
      12 r1 = "n"
      13 r2 = r0
      14 r3 = 0
      15 doing.record r1
      16 finish
      """),
    Row(
      "a thread's own cancellation is bare",
      "main { let t = Thread { while !isCancelled { work(1ms) } }; t.start(); t.threadPriority = 0.5; t.cancel() }",
      """
      0 r0 = "t"
      1 r1 = 0
      2 r2 = none
      3 r3 = none
      4 r4 = none
      5 r5 = none
      6 r6 = closure 
      7 thread.make r0 @1
      8 thread.start r0
      9 r1 = r0
      10 r2 = 500000000
      11 thread.setPriority r1
      12 thread.cancel r0
      13 finish
      """),
    Row(
      "waiting for ever has no deadline",
      "let s = DispatchSemaphore(value: 0)\nmain { s.wait(); if s.wait(timeout: .now() + 1s) == .timedOut { s.signal() } }",
      """
      0 r0 = load s
      1 r1 = none
      2 semaphore.wait r0
      3 r0 = load s
      4 r2 = now
      5 r3 = 1000000000
      6 r1 = advance r2 r3
      7 semaphore.wait r0
      8 r1 = 1
      9 r2 = equal r0 r1
      10 jumpUnless r2 13
      11 r0 = load s
      12 semaphore.signal r0
      13 finish
      """),
  ]
}
