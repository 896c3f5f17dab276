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
      1 r2 = equal r0 r2
      2 jumpUnless r2 6
      3 r2 = 40000000
      4 r1 = r2
      5 jump 8
      6 r3 = 120000000
      7 r1 = r3
      8 finish r1
      """),
    Row(
      "a shared var is read and written as events",
      "var n = 0\nmain { n += 1; n = n * 2 }",
      """
      0 r0 = 1
      1 r1 = read n to change
      2 r2 = r1
      3 r3 = add r2 r0
      4 r2 = r3
      5 write n r2
      6 r0 = read n
      7 r1 = 2
      8 r0 = multiply r0 r1
      9 write n r0
      10 finish
      """),
    Row(
      "objects in arrays are named after their array",
      "let forks = [NSLock](count: 2)\nmain { forks[1].lock(); forks[1].unlock() }", block: "top",
      """
      0 r0 = 2
      1 r1 = array r1+0
      2 r2 = 0
      3 r2 = lessOrEqual r2 r0
      4 jumpIf r2 7
      5 r3 = "Fatal error: Can't construct Array with count < 0"
      6 doing.trap r3
      7 r2 = 0
      8 jumpUnlessLess r2 r0 22
      9 r3 = 0
      10 text
      11   "forks["
      12   r2 integer
      13   "]"
      14 r4 = text
      15 r5 = none
      16 r6 = none
      17 r7 = none
      18 lock.make r3
      19 append r1 r3
      20 increment r2
      21 jump 8
      22 store forks r1
      23 finish
      """),
    Row(
      "threads in arrays capture their index",
      "main { let t = [Thread](count: 2) { i in work(i * 1ms) }; t[0].start() }",
      """
      0 r11 = 0
      1 r0 = 2
      2 r1 = array r1+0
      3 r2 = 0
      4 r2 = lessOrEqual r2 r0
      5 jumpIf r2 8
      6 r3 = "Fatal error: Can't construct Array with count < 0"
      7 doing.trap r3
      8 r2 = 0
      9 jumpUnlessLess r2 r0 26
      10 text
      11   "t["
      12   r2 integer
      13   "]"
      14 r3 = text
      15 r4 = 0
      16 r5 = none
      17 r6 = none
      18 r7 = none
      19 r8 = none
      20 r10 = r2
      21 r9 = closure r10+1
      22 thread.make r3 @1 r11
      23 append r1 r3
      24 increment r2
      25 jump 9
      26 r0 = r1
      27 r1 = 0
      28 r2 = r0[r1]
      29 r1 = r2
      30 thread.start r1
      31 finish
      """),
    Row(
      "a var gets an array of its own",
      "main { let a = [1]; var b = a; b.append(2); let c = b; record(\"n\", c.count) }",
      """
      0 r0 = array r0+0
      1 r1 = 1
      2 append r0 r1
      3 r1 = arrayCopy r0
      4 r2 = 2
      5 append r1 r2
      6 r2 = arrayCopy r1
      7 r3 = "n"
      8 r4 = count r2
      9 r5 = 0
      10 doing.record r3
      11 finish
      """),
    Row(
      "decimals scale lengths exactly",
      "func f(_ d: Duration, _ x: Decimal) -> Duration { return d * x / 2 - d / x }\nmain { work(f(1ms, 2)) }",
      block: "f",
      """
      0 r2 = scale r0 r1
      1 r3 = 2
      2 r2 = divide r2 r3
      3 r3 = unscale r0 r1
      4 r2 = subtract r2 r3
      5 finish r2
      """),
    Row(
      "moments and lengths mix as they should",
      "main { let t = now; sleep(until: .now() + 1s); record(\"d\", now - t); record(\"e\", t - 1ms < 2s) }",
      """
      0 r0 = now
      1 r1 = now
      2 r2 = 1000000000
      3 r1 = advance r1 r2
      4 doing.sleepUntil r1
      5 r1 = "d"
      6 r2 = now
      7 r2 = subtract r2 r0
      8 r3 = 2
      9 doing.record r1
      10 r1 = "e"
      11 r2 = 1000000
      12 r2 = subtract r0 r2
      13 r3 = 2000000000
      14 r2 = less r2 r3
      15 r3 = 1
      16 doing.record r1
      17 finish
      """),
    Row(
      "texts evaluate their values before they are put together",
      "func f() -> Int { return 1 }\nmain { print(\"a\\(f())b\\(1ms)\" + \"c\") }",
      """
      0 call f r0 @1
      1 r1 = 1000000
      2 text
      3   "a"
      4   r0 integer
      5   "b"
      6   r1 duration
      7 r2 = text
      8 r3 = "c"
      9 text
      10   r2 string
      11   r3 string
      12 r4 = text
      13 r5 = " "
      14 text
      15   r4 string
      16 r6 = text
      17 doing.print r6
      18 finish
      """),
    Row(
      "a missing value crashes as an unwrapped optional does",
      "main { Thread.current.threadDictionary[\"n\"] = 1; let n = Thread.current.threadDictionary[\"n\"]!; record(\"n\", n) }",
      """
      0 thread.current r0
      1 r1 = "n"
      2 r2 = 1
      3 r3 = r0
      4 r4 = r1
      5 r5 = r2
      6 thread.dictionarySet r3
      7 thread.current r0
      8 r1 = "n"
      9 r2 = r0
      10 r3 = r1
      11 thread.dictionaryGet r2
      12 r7 = r2
      13 jump 14
      14 r4 = none
      15 r4 = equal r4 r7
      16 jumpUnless r4 19
      17 r4 = "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
      18 doing.trap r4
      19 r0 = r7
      20 r1 = "n"
      21 r2 = r0
      22 r3 = 0
      23 doing.record r1
      24 finish
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
      8 r1 = r0
      9 thread.start r1
      10 r1 = 500000000
      11 r2 = r0
      12 r3 = r1
      13 thread.setPriority r2
      14 r1 = r0
      15 thread.cancel r1
      16 finish
      """),
    Row(
      "waiting for ever has no deadline",
      "let s = DispatchSemaphore(value: 0)\nmain { s.wait(); if s.wait(timeout: .now() + 1s) == .timedOut { s.signal() } }",
      """
      0 r0 = load s
      1 r1 = none
      2 semaphore.wait r0
      3 r0 = load s
      4 r1 = now
      5 r2 = 1000000000
      6 r1 = advance r1 r2
      7 semaphore.wait r0
      8 r1 = 1
      9 r0 = equal r0 r1
      10 jumpUnless r0 14
      11 r0 = load s
      12 semaphore.signal r0
      13 jump 14
      14 finish
      """),
  ]
}
