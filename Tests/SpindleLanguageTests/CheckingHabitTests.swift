import Testing

/// Habits of Swift that a trace does not follow: each is told once, with what to write instead.
@Suite struct CheckingHabitTests {
  typealias Row = CheckingTests.Row

  @Test(arguments: units + names + marks + forms)
  func isToldOnce(row: Row) {
    #expect(CompilerSupport.report(row.text) == row.report, sourceLocation: row.location)
  }

  static let units = [
    Row(
      "seconds where Swift counts seconds",
      "main { sleep(1); sleep(0.5); work(1); io(0.5) }",
      """
      1:14: error: a duration needs a unit; did you mean '1s'?
      1:24: error: a duration needs a unit; did you mean '0.5s'?
      1:35: error: a duration needs a unit; did you mean '1ms'?
      1:42: error: a duration needs a unit; did you mean '0.5ms'?
      """),
    Row(
      "a TimeInterval is a number of seconds, as in Swift",
      "main { Thread.sleep(forTimeInterval: 0.5); DispatchQueue.main.asyncAfter(deadline: .now() + 2) { } }",
      "ok"),
    Row(
      "moments where a moment is wanted",
      "let s = DispatchSemaphore(value: 0)\nlet l = NSLock()\nmain { _ = s.wait(timeout: 5); _ = l.lock(before: 2); sleep(until: 3) }",
      """
      3:28: error: a duration needs a unit; did you mean '.now() + 5s'?
      3:51: error: a duration needs a unit; did you mean '.now() + 2s'?
      3:68: error: a duration needs a unit; did you mean '.now() + 3s'?
      """),
    Row(
      "the number is the mistake, not the sum",
      "main { let n = 1; sleep(until: now + n); work(5 + 1ms); allocate(1KB + 5) }",
      """
      1:38: error: a duration needs a unit; did you mean '1s * n'?
      1:47: error: a duration needs a unit; did you mean '5ms'?
      1:72: error: a size needs a unit; did you mean '5B'?
      """),
    Row(
      "megabytes of machines", "machine { memory: 512 }\nmain { }",
      """
      1:19: error: a size needs a unit; did you mean '512MB'?
      """),
    Row(
      "bytes of stacks",
      "let t = Thread(stackSize: 65536) { }\nmain { t.stackSize = 65536; t.start() }",
      """
      1:27: error: a size needs a unit; did you mean '65536B'?
      2:22: error: a size needs a unit; did you mean '65536B'?
      """),
    Row(
      "a horizon is not an argument",
      "trace \"x\" { until: 5 }\nmain { }",
      """
      1:20: error: a duration needs a unit; did you mean '5s'?
      """),
    Row(
      "a unit that stands apart",
      "main { work(5 ms) }",
      """
      1:15: error: a unit follows its number without a space; did you mean '5ms'?
      """),
  ]

  static let names = [
    Row(
      "weak goes with objects",
      "weak var x = 1\nmain { weak var y = 1 }",
      """
      1:14: error: 'weak' goes with an object, not with Int
      2:21: error: 'weak' goes with an object, not with Int
      """),
    Row(
      "labels of Apple's interfaces",
      "let p = ThreadPool(width: 1)\nlet t = Thread(qos: .utility) { }\nmain { p.async(label: \"x\") { }; t.start(); p.async(on: t) { }; work(duration: 1ms) }",
      """
      2:16: error: unknown argument 'qos' of 'Thread'; did you mean 'qualityOfService'?
      3:16: error: unknown argument 'label' of 'async'; did you mean 'name'?
      3:52: error: unknown argument 'on' of 'async'; there are 'name', 'group', 'execute'
      3:69: error: this argument of 'work' is written without a label
      """),
    Row(
      "a part of a member's name",
      "let t = Thread { }\nmain { t.qualityOfService = .interactive; t.start() }",
      """
      2:29: error: unknown member 'interactive' of QualityOfService; did you mean 'userInteractive'?
      """),
    Row(
      "both values of a distribution",
      "main { work(uniform(1ms)); work(normal()); work(pareto(1ms)) }",
      """
      1:13: error: 'uniform' needs two values: uniform(least, most)
      1:33: error: 'normal' needs two values: normal(mean, deviation)
      1:49: error: 'pareto' needs two values: pareto(least, shape)
      """),
  ]

  static let marks = [
    Row(
      "the order of marks",
      "main { mark(\"a\"); mark(\"b\") }\nexpect { order(\"a\", \"b\") }", "ok"),
    Row(
      "a thread that gets its name while it runs",
      "let t = Thread { }\nmain { t.name = \"n\"; t.start() }\nexpect { started(\"n\") > 0s }",
      "ok"),
  ]

  static let forms = [
    Row(
      "an operator of bits",
      "main { let a = true & false }",
      """
      1:21: error: '&' can't be applied to Bool and Bool; did you mean '&&'?
      """),
    Row(
      "the brace on the next line, as Swift takes it",
      "let p = ThreadPool(width: 1)\nmain {\n  p.async\n  { work(1ms) }\n  p.async(name: \"x\")\n  {\n    work(1)\n  }\n}",
      """
      7:10: error: a duration needs a unit; did you mean '1ms'?
      """),
    Row(
      "a block far behind a call",
      "main {\n  work(1ms)\n\n  { work(1ms) }\n}",
      """
      4:3: error: 'work' takes no closure here
      """),
    Row(
      "a text without an end before a closure",
      "let p = ThreadPool(width: 1)\nmain {\n  p.async(name: \"x) {\n    work(1)\n  }\n  p.async(name: \"y) { work(1ms) }\n}",
      """
      3:17: error: this text is not closed; '"' closes it, on the same line
      6:17: error: this text is not closed; '"' closes it, on the same line
      """),
    Row(
      "a value without an end",
      "let n = 1\nmain { print(\"\\(n\") }",
      """
      2:15: error: this '\\(' is not closed; ')' closes it, before the text's '"'
      """),
    Row(
      "words at the top",
      "trac \"x\" { seed: 1 }\nparm n = 5\nmachine2 { cores: 2; memory: 1GB }\nsettings { cores: 2 }\nmian { work(1ms) }",
      """
      1:1: error: unknown name 'trac'; did you mean 'trace'?
      2:1: error: unknown name 'parm'; did you mean 'param'?
      3:1: error: unknown name 'machine2'; did you mean 'machine'?
      4:1: error: expected a declaration at the top of the trace, not 'settings'
      5:1: error: unknown name 'mian'; did you mean 'main'?
      """),
    Row(
      "a program without main",
      "let p = ThreadPool(width: 1)\np.async { work(1ms) }",
      """
      2:1: error: put the statements of a program into 'main(.tool) { … }', where 'await' is allowed, and those of an app into 'main { … }'; the top is for declarations
      """),
    Row(
      "words for signs",
      "# a comment (not closed\nmain {\n  if now > 1s and not now > 2s { yield() } # it's one\n  elseif now > 3s { yield() }\n  if not now > 2s { yield() } elif now > 1s { yield() }\n}",
      """
      1:1: error: '#' is not part of the language; a comment begins with '//'
      3:15: error: a trace has no 'and'; use '&&'
      4:3: error: a trace has no 'elseif'; use 'else if'
      5:6: error: a trace has no 'not'; use '!'
      """),
    Row(
      "an assignment as condition",
      "main {\n  let n = 1\n  if n = 1 { yield() }\n}",
      """
      3:8: error: '=' assigns, and is a statement of its own; did you mean '=='?
      """),
    Row(
      "a range of two points",
      "main { for i in 0..3 { print(i) } }",
      """
      1:18: error: '..' is not part of the language; did you mean '..<' or '...'?
      """),
  ]
}
