import Testing

extension WarningTests {
  typealias Row = CheckingTests.Row

  static let rows = top + idle + places

  /// Names at the top.
  private static let top = [
    Row(
      "a value, a queue and a function that nothing uses",
      "let n = 1\nlet queue = DispatchQueue(label: \"q\")\nfunc f() { }\nvar list = [1]\nmain { }",
      """
      1:5: warning: 'n' is never used
      2:5: warning: 'queue' is never used
      3:6: warning: 'f' is never used
      4:5: warning: 'list' is never used
      """),
    Row(
      "a computed variable", "var n: Int { 1 }\nmain { }",
      """
      1:5: warning: 'n' is never used
      """),
    Row(
      "a variable that is set and never read", "var n = 0\nvar m = 0\nmain { n = 1; m += 1 }",
      """
      1:5: warning: 'n' is set, and never read
      """),
    Row(
      "what does something by being there",
      "final class Model { }\nlet model = Model()\nlet timer = Timer(timeInterval: 1s, repeats: false) { _ in }\nmain { }",
      "ok"),
    Row(
      "what an expectation names",
      "let n = 1\nvar m = 0\nlet t = Thread { }\nmain { m = 2 }\nexpect { value(n) == 1; value(m + n) == 3; cpu(of: t) == 0s }",
      "ok"),
    Row(
      "an operator that only a protocol asks for",
      "struct Box { var n: Int }\nextension Box: Equatable { }\nfunc == (a: Box, b: Box) -> Bool { a.n == b.n }\nmain { print([Box(n: 1)].contains(Box(n: 1))) }",
      "ok"),
    Row(
      "a function that only another one calls", "func f() { g() }\nfunc g() { f() }\nmain { }", "ok"
    ),
    Row(
      "a thread", "let t = Thread { }\nlet u = Thread { }\nmain { u.start() }",
      """
      1:5: warning: the thread 't' is never started
      """),
    Row(
      "a periodic thread",
      "let t = Thread(name: \"t\", period: 7ms, computation: 4ms) { work(4ms) }\nmain { }",
      """
      1:5: warning: the thread 't' is never started
      """),
    Row(
      "a variable that does something when it is set",
      "var n = 0 { didSet { print(oldValue) } }\nmain { n = 1 }", "ok"),
    Row(
      "a thread that a function gives",
      "func make() -> Thread { let t = Thread { }; t.start(); return t }\nlet t = make()\nmain { }",
      "ok"),
    Row(
      "a parameter",
      "param a = 1\nparam b = 2\nparam c = 3\nparam d = 4\nmachine { cores: c }\nmain { print(b) }\nexpect { makespan < 1s * d }",
      """
      1:7: warning: the parameter 'a' is never used
      """),
  ]

  /// Objects at the top that wait to be started.
  private static let idle = [
    Row(
      "a work item that nothing names", "let item = DispatchWorkItem { }\nmain { }",
      """
      1:5: warning: the work item 'item' is never given to a queue, nor performed
      """),
    Row(
      "a queue that nothing names is told of once",
      "let queue = DispatchQueue(label: \"q\", attributes: .initiallyInactive)\nmain { }",
      """
      1:5: warning: the queue 'queue' is never activated, and runs nothing until then
      """),
    Row(
      "one that a closure at the top resumes",
      "let source = DispatchSource.makeTimerSource()\nlet start = { source.resume() }\nmain { start() }",
      "ok"),
    Row(
      "one that has another name besides",
      "let source = DispatchSource.makeTimerSource()\nmain { let other = source; other.resume() }",
      "ok"),
    Row(
      "one of a 'var'",
      "var source = DispatchSource.makeTimerSource()\nmain { source.setEventHandler { } }", "ok"),
  ]

  /// What depends on where it stands.
  private static let places = [
    Row(
      "what comes after the end",
      "trace \"x\" { until: 1s }\nparam late = 2s\nat(2s) { }\nat(1s) { }\nat(late) { }\nmain { }",
      """
      3:4: warning: this never happens: the run ends at 1s
      """),
    Row(
      "what the world does begins at its time",
      "let done = DispatchSemaphore(value: 0)\nmain { }\nat(2s) { DispatchQueue.main.async { _ = done.wait(timeout: 2s) } }\nevery(1s, count: 1) { _ in DispatchQueue.main.async { _ = done.wait(timeout: 1s) } }\narrivals(every: 1s, count: 1) { _ in DispatchQueue.main.async { _ = done.wait(timeout: 1s) } }",
      """
      3:60: warning: a timeout is a moment: 2s after the run began, which has passed, since this runs from 2s on; did you mean '.now() + 2s', or 'Instant(2s)'?
      4:78: warning: a timeout is a moment: 1s after the run began, which has passed, since this runs from 1s on; did you mean '.now() + 1s', or 'Instant(1s)'?
      """),
    Row(
      "a reference that nobody counts, where it is read first",
      "weak var seen: Pipe?\nfunc f() { print(seen == nil) }\nmain { let pipe = Pipe()\nseen = pipe\nprint(seen != nil)\nf() }",
      """
      2:18: warning: a trace does not count references to objects of Pipe: this is nil after '.release()' only, and not after the last reference is released, as in Swift
      """),
    Row(
      "one that the trace itself lets go of",
      "weak var seen: Pipe?\nmain { let pipe = Pipe()\nseen = pipe\nprint(seen != nil)\npipe.release()\nprint(seen == nil) }",
      "ok"),
    Row(
      "a second release of a 'let'",
      "main {\nlet group = DispatchGroup()\ngroup.release()\ngroup.release()\nprint(1)\n}",
      """
      4:1: warning: what 'group' references was released in line 3: leave this '.release()' out
      """),
    Row(
      "what the main of a tool has is there to the end",
      "main(.tool) { let done = DispatchSemaphore(value: 0)\nprint(done)\ndone.release() }", "ok"),
    Row(
      "what the system decides is no question",
      "func f() -> Int {\nif #available(iOS 17, *) { return 1 }\nreturn 2\n}\nmain { print(f()) }",
      "ok"),
    Row(
      "'self' that is only looked at",
      "final class Model { func go() { DispatchQueue.main.async { [weak self] in guard let self else { return }; print(1) } } }\nmain { Model().go() }",
      "ok"),
    Row(
      "where there are errors there are no warnings",
      "main { let a = 1\nlet b: Int = \"x\" }",
      """
      2:14: error: expected Int, found String
      """),
    Row(
      "a function that throws without saying so",
      "func risky() { if now > 0s { throw \"bad\" } }\nfunc outer() { risky() }\nmain { do { outer() } catch { print(error) } }",
      "ok"),
    Row(
      "names for the parts of a tuple that a closure is given",
      "main { let ages = [\"a\": 1]\nfor age in ages.map({ name, age in age }) { print(age) } }",
      "ok"),
  ]
}
