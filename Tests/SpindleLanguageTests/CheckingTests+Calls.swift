import SpindleLanguage
import SpindleModel
import Testing

/// Calls, ways through code, places, and what is only surely wrong.
extension CheckingTests {
  static let calls = [
    Row(
      "an argument is missing",
      "main { work(); _ = DispatchSemaphore() }",
      """
      1:8: error: 'work' needs a value: Duration
      1:20: error: 'DispatchSemaphore' needs the argument 'value:'
      """),
    Row(
      "an argument is too much",
      "main { yield(1); work(1ms, 2ms) }",
      """
      1:14: error: 'yield' takes no argument here
      1:28: error: 'work' takes no argument here
      """),
    Row(
      "a label is wrong",
      "let t = Thread(nmae: \"x\") { }\nmain { t.start() }",
      """
      1:16: error: unknown argument 'nmae' of 'Thread'; did you mean 'name'?
      """),
    Row(
      "a label is missing",
      "main { let p = ThreadPool(4); Thread.sleep(1s); p.async { } }",
      """
      1:27: error: this argument of 'ThreadPool' needs its label 'width:'
      1:44: error: this argument of 'sleep' needs its label 'forTimeInterval:'
      """),
    Row(
      "labels have an order",
      "let p = ThreadPool(width: 1)\nlet g = DispatchGroup()\nmain { p.async(group: g, name: \"x\") { } }",
      """
      3:26: error: argument 'name:' of 'async' is given twice or out of order
      """),
    Row(
      "a closure is missing",
      "let p = ThreadPool(width: 1)\nmain { p.async(name: \"x\") }",
      """
      2:10: error: 'async' needs a closure
      """),
    Row(
      "a closure is too much",
      "main { work(1ms) { } }",
      """
      1:18: error: 'work' takes no closure here
      """),
    Row(
      "a closure has too many parameters",
      "let p = ThreadPool(width: 1)\nmain { p.async { i in work(1ms) } }",
      """
      2:18: error: this closure takes no parameters
      """),
    Row(
      "overloads go by label",
      "let l = NSConditionLock(condition: 1)\nmain { l.lock(whenCondition: 1); if l.lock(whenCondition: 2, before: .distantFuture) { l.unlock(withCondition: 3) }; l.lock(until: 1s) }",
      """
      2:125: error: unknown argument 'until' of 'lock'
      """),
    Row(
      "a function's labels",
      "func f(_ a: Int, for b: Duration = 1ms) { work(b * a) }\nmain { f(1); f(1, for: 2ms); f(a: 1); f(1, 2ms) }",
      """
      2:32: error: this argument of 'f' is written without a label
      2:44: error: this argument of 'f' needs its label 'for:'
      """),
    Row(
      "a function where something else is wanted",
      "func f() { }\nmain { work(f); let h = now() }",
      """
      2:13: error: 'f' is a function; call it with '()'
      2:25: error: 'now' is not a function: write DispatchTime.now(), Date() or ContinuousClock.now
      """),
    Row(
      "properties that can only be read",
      "let t = Thread { }\nmain { t.isFinished = true; t.stackSize = 64KB; t.start() }",
      """
      2:10: error: 'isFinished' can only be read
      """),
    Row(
      "a stack as it must be",
      "let a = Thread(stackSize: 17KB) { }\nlet b = ThreadPerTask(stackSize: 10KB)\nlet c = Thread(stackSize: 16KB) { }\nmain { a.start(); b.async { }; c.start(); a.stackSize = 17KB }",
      """
      1:27: error: a stack is a multiple of 4KB, and at least 16KB
      2:34: error: a stack is a multiple of 4KB, and at least 16KB
      """),
    Row(
      "negative lengths and widths",
      "main { work(-5ms); allocate(1KB - 2KB); _ = ThreadPool(width: 0) }",
      """
      1:13: error: a duration can't be negative
      1:29: error: a size can't be negative
      1:63: error: a pool needs at least one thread
      """),
    Row(
      "negative arguments of functions are fine",
      "func f(count: Int, width: Int, _ d: Duration) { work(d + 5ms) }\nmain { f(count: -1, width: 0, -1ms) }",
      "ok"),
    Row(
      "draws that make no sense",
      "main { work(uniform(9ms, 1ms)); work(choice()); work(pareto(1ms, 0.0)) }",
      """
      1:21: error: the least value of 'uniform' is more than the most
      1:38: error: 'choice' takes the values to choose from: choice(1, 2, 3)
      1:66: error: the shape of 'pareto' must be more than zero
      """),
    Row(
      "executors stand for each other",
      "func go(_ e: Executor, on t: Thread?) { e.async { } }\nmain { go(ThreadPool(width: 2), on: nil); go(ThreadPerTask(), on: Thread.current); go(NSLock(), on: nil) }",
      """
      2:87: error: expected Executor, found NSLock
      """),
  ]

  static let flow = [
    Row(
      "every way returns",
      "func f(_ n: Int) -> Int { if n > 1 { return 1 } }\nmain { _ = f(1) }",
      """
      1:49: error: the end is reached without a 'return' of Int
      """),
    Row(
      "a loop without end needs no return",
      "func f() -> Int { while true { yield() } }\nmain { _ = f() }", "ok"),
    Row(
      "a crash needs no return", "func f() -> Int { fatalError(\"no\") }\nmain { _ = f() }", "ok"),
    Row(
      "a guard leaves",
      "main { guard now > 0s else { yield() }; work(1ms) }",
      """
      1:38: error: the body of 'guard' must not reach its end
      """),
    Row(
      "break stands in a loop",
      "let l = NSLock()\nmain { break; while true { l.withLock { continue } } }",
      """
      2:8: error: 'break' is only allowed in a loop
      2:41: error: 'continue' is only allowed in a loop
      """),
    Row(
      "nothing leads out of a defer",
      "main { while true { defer { break }; defer { return }; work(1ms) } }",
      """
      1:29: error: 'break' can't lead out of a 'defer'
      1:46: error: 'return' can't lead out of a 'defer'
      """),
    Row(
      "values are returned where one is expected",
      "func f() { return 1 }\nfunc g() -> Int { return }\nmain { f(); _ = g() }",
      """
      1:19: error: a value is returned where none is expected
      2:19: error: 'return' needs a value: Int
      """),
    Row(
      "one expression is returned by itself",
      "func f() -> Int { 1 }\nlet l = NSLock()\nmain { let n = l.withLock { f() + 1 }; record(\"n\", n) }",
      "ok"),
    Row(
      "closures share a local var, and nothing that a closure is lent",
      "let p = ThreadPool(width: 1)\nlet o = Mutex(0)\nmain { var n = 0; p.async { n += 1 }; o.withLock { m in p.async { m += n } } }",
      """
      3:65: error: a closure that may run later, or on several threads, can't use 'm', which is 'inout'; give its value to a 'var' of its own
      """),
    Row(
      "closures in place may", "main { var n = 0; autoreleasepool { n += 1 }; record(\"n\", n) }",
      "ok"),
    Row(
      "a function's closure may",
      "func f(_ b: () -> Void) { b() }\nmain { var n = 0; f { n += 1 }; record(\"n\", n) }",
      "ok"),
    Row(
      "errors are texts, or of a type of errors",
      "func f() { throw \"x\" }\nmain { do { f() } catch { print(error) }; throw 5 }",
      """
      2:49: error: expected any Error, found Int
      """),
  ]

  static let places = [
    Row(
      "the world outside can't wait",
      "let l = NSLock()\nat(1s) { work(1ms); l.lock(); mark(\"x\") }\nmain { }",
      """
      2:10: error: 'work' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }
      2:23: error: 'lock' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }
      """),
    Row(
      "nor can what it calls",
      "func f() { g() }\nfunc g() { work(1ms) }\nevery(1s, count: 2) { f() }\nmain { f() }",
      """
      3:23: error: 'f' calls 'work', which needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }
      """),
    Row(
      "nor can the top",
      "func f() -> Int { sleep(1s); return 1 }\nlet a = f()\nlet b = Thread.current\nmain { record(\"a\", a) }",
      """
      2:9: error: 'f' calls 'sleep', which needs a thread, and the top of a trace has none: write it in 'main'
      3:9: error: 'current' needs a thread, and the top of a trace has none: write it in 'main'
      """),
    Row(
      "what a thread does is no matter",
      "let p = ThreadPool(width: 1)\nfunc f() { p.async { work(1ms) } }\nat(1s) { f(); p.async { work(1ms) } }\nmain { }",
      "ok"),
    Row(
      "arrivals as they must be",
      "every(0s) { }\nevery(1s, count: -1) { }\nmain { at(1s) { } }",
      """
      1:7: error: 'every' with an interval of zero and no 'count:' would stop the time
      2:18: error: this number can't be negative
      3:8: error: 'at' is only allowed at the top of a trace
      """),
    Row(
      "an arrival within another one", "at(1s) { every(1s) { } }\nmain { }",
      """
      1:10: error: 'every' is only allowed at the top of a trace
      """),
    Row(
      "how many arrivals there are is known before the run",
      "arrivals(every: 1ms, count: now == 1s ? 1 : 2) { }\nmain { }",
      """
      1:29: error: this must be known before the run: literals and parameters only
      """),
    Row(
      "an arrival comes at a moment", "at(\"x\") { }\nmain { }",
      """
      1:4: error: expected Duration, found String
      """),
    Row(
      "arrivals may count",
      "every(1s, count: 2) { i in mark(\"\\(i)\") }\nat(1s) { i in mark(\"\\(i)\") }\nmain { }",
      """
      2:10: error: this closure takes no parameters
      """),
    Row(
      "calls stand in bodies",
      "mark(\"x\")\nfrobnicate()\nmain { }",
      """
      1:1: error: 'mark' can't be called at the top of a trace; move it into 'main'
      2:1: error: unknown name 'frobnicate'
      """),
    Row(
      "a mode of main",
      "main(.app) { }",
      """
      1:5: error: main is 'main { }' or 'main(.tool) { }'
      """),
    Row(
      "machines as they must be",
      "machine { cores: 0; memory: 0MB; platform: .iOs; costs: .aple; policy: .roundRobin(quantum: 0ms, turns: 3); cores: 2; speed: 1 }\nmain { }",
      """
      1:18: error: 'cores' must be more than zero
      1:29: error: 'memory' must be more than zero
      1:44: error: unknown platform 'iOs'; did you mean '.iOS'?
      1:57: error: unknown cost profile 'aple'; did you mean '.apple'?
      1:93: error: 'quantum' must be at least 1ns
      1:98: error: unknown argument 'turns' of 'roundRobin'; there is only 'quantum'
      1:109: error: 'cores' is given twice, first in line 1 already
      1:119: error: unknown setting 'speed' of 'machine'
      """),
    Row(
      "cores in clusters",
      "machine { cores: [.performance(2), .efficiency(4, speed: 0.4)] }\nmain { }", "ok"),
    Row(
      "clusters as they must be",
      "machine { cores: [.fast(2), .efficiency(0), .performance(1, speed: 0.0), 3] }\nmain { }",
      """
      1:19: error: unknown cluster 'fast'; there are .performance, .efficiency
      1:41: error: 'cores' must be more than zero
      1:68: error: 'speed' must be more than zero
      1:74: error: cores are a number or a list of clusters, such as [.performance(2), .efficiency(4)]
      """),
    Row(
      "traces as they must be",
      "trace \"x\" { sead: 1; until: -1s; seed: 1ms }\nmain { }",
      """
      1:13: error: unknown setting 'sead' of 'trace'; did you mean 'seed'?
      1:29: error: 'until' must be more than zero
      1:40: error: expected Int, found Duration
      """),
    Row(
      "parameters as they must be",
      "param a = now\nparam b = \"hot\" in [\"warm\", \"cold\"]\nparam c = 1 in [1, \"two\"]\nparam d = NSLock()\nmain { }",
      """
      1:11: error: this must be known before the run: literals and parameters only
      2:11: error: 'b' is one of "warm", "cold"
      3:20: error: expected Int, found String
      4:11: error: this must be known before the run: literals and parameters only
      """),
  ]

  static let warnings = [
    Row(
      "results that are lost",
      "let l = NSLock()\nlet g = DispatchGroup()\nmain { if l.try() { l.unlock() }; l.try(); g.wait(timeout: .now()); 1 + 2; g.wait() }",
      """
      3:37: warning: the result of 'try' is not used; write '_ = …' to drop it
      3:46: warning: the result of 'wait' is not used; write '_ = …' to drop it
      3:69: warning: this value is not used
      """),
    Row(
      "a thread that nothing keeps",
      "main { Thread { }; Thread.detachNewThread { } }",
      """
      1:8: warning: this thread is never started: nothing keeps it
      """),
    Row(
      "a condition that never changes",
      "main { if 1 < 2 { yield() }; while false { yield() }; while true { yield() } }",
      """
      1:11: warning: this condition is always true
      1:36: warning: this condition is always false
      """),
    Row(
      "what is never reached",
      "main { return; yield() }",
      """
      1:16: warning: this is never reached
      """),
    Row(
      "what is never used",
      "param p = 1\nmain { let a = 1; _ = 2; let b = NSLock() }",
      """
      1:7: warning: the parameter 'p' is never used
      2:12: warning: 'a' is never used
      2:30: warning: 'b' is never used
      """),
    Row(
      "a lock that is never given back",
      "let l = NSLock()\nlet m = NSLock()\nfunc f(_ l: NSLock) { l.unlock() }\nmain { l.lock(); m.lock(); f(m) }",
      """
      4:10: warning: 'l' is locked and never unlocked
      """),
    Row(
      "what comes after the end",
      "trace \"x\" { until: 1s }\nat(2s) { }\nmain { }",
      """
      2:4: warning: this never happens: the run ends at 1s
      """),
    Row(
      "a handler for nothing",
      "main { do { yield() } catch { print(error) } }",
      """
      1:29: warning: this 'catch' is never reached: nothing in its 'do' throws
      """),
  ]

  /// What is marked is the sign that is too much, and nothing behind it.
  @Test func theSignOfAChainIsMarked() throws {
    let text = "let q = DispatchQueue(label: \"q\")\nmain { q?.async { } }"
    let diagnostics = CompilerSupport.compile(text).diagnostics
    #expect(diagnostics.map { $0.source.text(in: $0.range) } == ["?"])
  }
}
