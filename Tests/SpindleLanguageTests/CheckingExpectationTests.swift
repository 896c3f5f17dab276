import SpindleModel
import Testing

/// What `expect` comes to, and what it refuses.
@Suite struct CheckingExpectationTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let result: String
    let location: SourceLocation

    init(
      _ claim: String, _ text: String, _ result: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.text, self.result, self.location) = (claim, text, result, location)
    }
  }

  /// What stands in front of each row's `expect`.
  static let head = """
    param n = 3
    let pool = ThreadPool(width: 2)
    let t = Thread(name: "t") { }
    let crew = [Thread](count: 2) { }
    var total = 0
    main { for i in 0 ..< n { pool.async(name: "item\\(i)") { total += 1 } }; t.start(); crew[0].start() }

    """

  @Test(arguments: terms)
  func comesTo(row: Row) throws {
    let program = try CompilerSupport.program(
      Self.head + "expect { \(row.text) }", location: row.location)
    let shown = program.expectations.map { Self.show($0.condition, program) }
    #expect(shown.joined(separator: "\n") == row.result, sourceLocation: row.location)
  }

  /// A thread or an operation that gets its name later may be called anything.
  @Test(arguments: ["let op = BlockOperation { }; op.name = \"cell1\"", "t.name = \"cell\""])
  func aNameThatIsGivenLaterIsNoMistake(_ text: String) {
    let other =
      "main { \(text); other() }\nexpect { count(of: \"cell*\") == 0; started(\"cell1\") > 0s }"
    let whole = Self.head.replacing("main { for", with: "func other() { for") + other
    #expect(CompilerSupport.report(whole) == "ok")
  }

  /// Samples have the type of what is sampled.
  @Test(arguments: [
    ("samples(\"depth\").p95 <= 7", "ok"),
    ("samples(\"depth\").mean <= 2.5", "ok"),
    ("samples(\"age *\").max < 5ms; samples(\"age 3\").share(above: 1ms) < 1%", "ok"),
    ("samples(\"age 3\").max < 5", "a duration needs a unit; did you mean '5ms'?"),
    ("samples(\"dept\").max < 5", "nothing is sampled under 'dept'; did you mean 'depth'?"),
    ("samples(\"*\").max < 5", "what is sampled under '*' is not all of one type"),
    ("samples(\"depth\").median < 5", "unknown member 'median' of samples; did you mean 'mean'?"),
    ("samples(\"depth\") < 5", "'samples' is asked for as in samples(\"name\").p95"),
  ])
  func samplesAreOfOneType(text: String, report: String) {
    let trace = """
      main { for i in 0 ..< 3 { sample("depth", i); sample("age \\(i)", 1ms * i) } }
      expect { \(text) }
      """
    let found = CompilerSupport.report(trace)
    #expect(report == "ok" ? found == "ok" : found.contains(report), "\(found)")
  }

  @Test(arguments: ["true", "\"text\"", "Thread.main", "[1]"])
  func samplesAreNumbers(value: String) {
    let found = CompilerSupport.report("main { sample(\"a\", \(value)) }")
    #expect(found.contains("a sample is a number, a duration or a size"), "\(found)")
  }

  @Test(arguments: refused)
  func isRefused(row: Row) {
    let report = CompilerSupport.report(Self.head + "expect { \(row.text) }")
    #expect(report == row.result, sourceLocation: row.location)
  }

  static func show(_ term: ExpectationTerm, _ program: Program) -> String {
    switch term {
    case .value(let value): show(value)
    case .measure(.finalValue(let global)): "value(\(program.globals[Int(global.index)].name))"
    case .measure(let measure): clean("\(measure)")
    case .compare(let comparison, let left, let right, let tolerance):
      "(\(show(left, program)) \(comparison.rawValue) \(show(right, program))"
        + (tolerance.map { " ± \(clean("\($0)"))" } ?? "") + ")"
    case .arithmetic(let operation, let left, let right):
      "(\(show(left, program)) \(operation.rawValue) \(show(right, program)))"
    case .and(let left, let right): "(\(show(left, program)) && \(show(right, program)))"
    case .or(let left, let right): "(\(show(left, program)) || \(show(right, program)))"
    case .not(let inner): "!\(show(inner, program))"
    case .best(let inner, let better, let tolerance):
      "best(\(show(inner, program))), \(better) is better"
        + (tolerance.map { " ± \(clean("\($0)"))" } ?? "")
    }
  }

  /// A description without the names of modules and fields.
  private static func clean(_ text: String) -> String {
    var text = text
    for word in ["SpindleModel.", "Measure.", "Statistic.", "ObjectReference.", "GlobalID"] {
      text = text.split(separator: word, omittingEmptySubsequences: false).joined()
    }
    return text
  }

  private static func show(_ value: ExpectationValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .duration(let length): "\(length)"
    case .size(let size): "\(size)"
    case .decimal(let number): "\(number)"
    case .string(let text): "'\(text)'"
    case .symbol(let name): ".\(name)"
    case .list(let elements): "[\(elements.map(show).joined(separator: ", "))]"
    case .table(let rows):
      "[\(rows.map { "\($0.key): \(show($0.value))" }.joined(separator: ", "))]"
    case .timeline(let rows):
      "[\(rows.map { "\($0.earliest)...\($0.latest): \($0.labels)" }.joined(separator: ", "))]"
    case .none: "nil"
    }
  }

  static let terms = [
    Row(
      "an outcome",
      "outcome == .deadlock",
      """
      (outcome == .deadlock)
      """),
    Row(
      "no outcome means finished",
      "makespan < 600ms",
      """
      (makespan < 600ms)
      (outcome == .finished)
      """),
    Row(
      "nothing at all means finished",
      "",
      """
      (outcome == .finished)
      """),
    Row(
      "parameters are bound and sums are folded",
      "threads.peak == n * 2 + 1",
      """
      (threadsPeak == 7)
      (outcome == .finished)
      """),
    Row(
      "measures are joined",
      "started(\"item0\") - ended(\"item1\") >= 2ms; threads.created / 2 > 1",
      """
      ((started("item0") - ended("item1")) >= 2ms)
      ((threadsCreated / 2) > 1)
      (outcome == .finished)
      """),
    Row(
      "ratchets, with what is better",
      "best(makespan) ± 2%; best(started(\"item0\") / 2); best(1s - makespan); best(threads.peak - 1) ± 1",
      """
      best(makespan), less is better ± percent(2.0)
      best((started("item0") / 2)), less is better
      best((1s - makespan)), more is better
      best((threadsPeak - 1)), less is better ± absolute(1)
      (outcome == .finished)
      """),
    Row(
      "tolerances",
      "makespan == 400ms ± 2%; makespan != 1s ± 5ms; utilization == 1 ± 0.1",
      """
      (makespan == 400ms ± percent(2.0))
      (makespan != 1s ± absolute(5000000))
      (utilization == 1.0 ± absolute(100000000))
      (outcome == .finished)
      """),
    Row(
      "kinds",
      "latency(\"item*\").p95 < 1ms; wait(\"item*\").max == 0s; count(of: \"item*\") == n; running(\"*\").peak <= 2; rate(of: \"item*\") >= 5",
      """
      (itemTime(ItemTime.latency, "item*", p95) < 1ms)
      (itemTime(ItemTime.wait, "item*", max) == 0s)
      (count(of: "item*") == 3)
      (runningPeak("*") <= 2)
      (rate(of: "item*") >= 5.0)
      (outcome == .finished)
      """),
    Row(
      "items",
      "thread(\"item0\") == \"main\"; threads(of: \"item0\", \"t\").count == 1; order(\"item0\", \"t\"); !order(\"t\", \"item0\")",
      """
      (threadOf("item0") == 'main')
      (threadCount(of: ["item0", "t"]) == 1)
      order(["item0", "t"])
      !order(["t", "item0"])
      (outcome == .finished)
      """),
    Row(
      "objects",
      "cpu(of: t) == 0s; cpu(of: crew[1]) == 0s; threads.created(by: pool) == 2; cpu(of: \"main\") > 0s",
      """
      (cpu(of: global((index: 1))) == 0s)
      (cpu(of: element((index: 2), index: 1)) == 0s)
      (threadsCreatedBy(global((index: 0))) == 2)
      (cpu(of: named("main")) > 0s)
      (outcome == .finished)
      """),
    Row(
      "values",
      "value(total) == n; values == [\"a\": 1, \"b\": \"x\", \"c\": .timedOut, \"d\": 2ms]; values == [:]",
      """
      (value(total) == 3)
      (values == [a: 1, b: 'x', c: .timedOut, d: 2ms])
      (values == [])
      (outcome == .finished)
      """),
    Row(
      "output and findings",
      "output == [\"a\", \"n\\(n)\"]; findings == [.deadlock]; findings == []; output != []",
      """
      (output == ['a', 'n3'])
      (findings == [.deadlock])
      (findings == [])
      (output != [])
      (outcome == .finished)
      """),
    Row(
      "timelines",
      "timeline == [0s: \"a\", 1s: any(\"b\", \"c\"), 2s ... 3s: \"d\"]; timeline(of: t) == []; timeline(within: 5ms) == [0s: \"a\"]; timeline(of: \"w\", within: 1ms) == [:]",
      """
      (timeline(of: nil, within: 0s) == [0s...0s: ["a"], 1s...1s: ["b", "c"], 2s...3s: ["d"]])
      (timeline(of: Optional(global((index: 1))), within: 0s) == [])
      (timeline(of: nil, within: 5ms) == [0s...0s: ["a"]])
      (timeline(of: Optional(named("w")), within: 1ms) == [])
      (outcome == .finished)
      """),
    Row(
      "conditions on parameters",
      "if n == 3 { switches > 1 } else if n == 4 { switches > 2 } else { outcome == .crashed }",
      """
      (switches > 1)
      (outcome == .finished)
      """),
    Row(
      "conditions on the platform",
      "if platform == .linux { migrations == 1 } else { migrations == 2 }",
      """
      (migrations == 2)
      (outcome == .finished)
      """),
    Row(
      "logic",
      "outcome == .finished && (makespan < 1s || memory.peak > 1MB); crash.message == \"x\"; main.longestStall < 1ms",
      """
      ((outcome == .finished) && ((makespan < 1s) || (memoryPeak > 1MB)))
      (crashMessage == 'x')
      (mainLongestStall < 1ms)
      """),
  ]

  static let refused = [
    Row(
      "what is no ratchet",
      "best(outcome); best(makespan) < 1s; best(makespan) ± 3",
      """
      7:15: error: 'best' needs a number with a preferred direction, such as makespan; 'outcome' has none
      7:25: error: 'best(…)' is an expectation of its own, with a tolerance behind it at most: best(makespan) ± 2%
      7:63: error: a duration needs a unit; did you mean '3ms'?
      """),
    Row(
      "an unknown measure",
      "makespam < 1s; foo(\"x\") == 1; threads.peek == 1; latency(\"item*\").p96 < 1ms; outcome == .finishd; findings == [.deadlok]",
      """
      7:10: error: unknown name 'makespam'; did you mean 'makespan'?
      7:25: error: unknown name 'foo'
      7:48: error: unknown member 'peek' of threads; did you mean 'peak'?
      7:76: error: unknown member 'p96' of latency; did you mean 'p90'?
      7:98: error: unknown member 'finishd' of Outcome; did you mean 'finished'?
      7:121: error: unknown member 'deadlok' of Finding; did you mean 'deadlock'?
      """),
    Row(
      "units",
      "makespan < 5; memory.peak > 4096; threads.peak == 1ms",
      """
      7:21: error: a duration needs a unit; did you mean '5ms'?
      7:38: error: a size needs a unit; did you mean '4096B'?
      7:57: error: '==' can't be applied to Int and Duration
      """),
    Row(
      "what is no condition",
      "makespan; 1 + 1; let x = 1; x",
      """
      7:10: error: an expectation is a comparison, 'order(…)' or an 'if'
      7:20: error: an expectation is a comparison, 'order(…)' or an 'if'
      7:27: error: an expectation is a comparison, 'order(…)' or an 'if'
      """),
    Row(
      "incomplete measures",
      "latency(\"item*\") < 1ms; threads > 1; order(\"a\"); started == 1s",
      """
      7:10: error: 'latency' is asked for as in latency("name*").p95
      7:34: error: 'threads' is asked for as threads.peak, .created, .live or (of: …).count
      7:47: error: 'order' needs at least two names
      7:59: error: 'started' is asked for with arguments, as in started("name")
      """),
    Row(
      "whole values",
      "timeline == [\"a\"]; output == 1; values < [:]; findings == 1; timeline == [3s ... 1s: \"x\"]",
      """
      7:22: error: 'timeline' is compared with times and marks, such as [0s: "begin", 2s: "end"]
      7:39: error: 'output' is compared with a list of lines, such as ["done"]
      7:49: error: this is compared as a whole, with '==' or '!='
      7:68: error: 'findings' is compared with a list of kinds, such as [.deadlock]
      7:84: error: the range ends before it starts
      """),
    Row(
      "tolerances",
      "makespan < 1s ± 2%; makespan == 1s ± \"x\"; thread(\"a\") == \"b\" ± 1",
      """
      7:26: error: a tolerance goes with '==' or '!=' of quantities
      7:47: error: expected Duration, found String
      7:73: error: a tolerance goes with '==' or '!=' of quantities
      """),
    Row(
      "what is no object",
      "cpu(of: total) == 0s; cpu(of: nothing) == 0s; value(n) == 3",
      """
      7:18: error: 'total' is not a value at the top of the trace that is available here
      7:40: error: unknown name 'nothing'
      7:62: error: 'n' is not a value at the top of the trace that is available here
      """),
    Row(
      "what no object has", "value(pool.x) == 1",
      """
      7:21: error: unknown member 'x' of ThreadPool
      """),
    Row(
      "what only the run knows",
      "threads.peak == total; makespan == now",
      """
      7:26: error: 'total' changes while the program runs; its last value is 'value(total)'
      7:45: error: unknown name 'now'
      """),
    Row(
      "a kind that no work has is a warning",
      "latency(\"itme*\").p95 < 1ms",
      """
      7:18: warning: no work of this trace is named like 'itme*'; did you mean 'item*'?
      """),
    Row(
      "a name that no work can have is a warning",
      "started(\"nope\") > 0s; thread(\"itme1\") == \"main\"; order(\"t\", \"crew[1]\", \"u\")",
      """
      7:18: warning: no work of this trace is named like 'nope'
      7:39: warning: no work of this trace is named like 'itme1'
      7:81: warning: no work of this trace is named like 'u'
      """),
    Row(
      "an assignment for a comparison", "makespan = 5ms",
      "7:19: error: an expectation compares; did you mean '=='?"),
    Row(
      "an outcome that does not exist", "outcome == .done",
      """
      7:21: error: unknown member 'done' of Outcome; there are .finished, .deadlock, .crashed, .killed, .timeLimit, .stepLimit, .refused, .policyFault
      """),
  ]
}
