import SpindleModel
import SpindleReports
import Testing

/// Expectations against one small run, and what is said when they do not hold.
@Suite struct ExpectationTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let term: ExpectationTerm
    /// What is seen instead; nil when the expectation holds.
    let seen: String?
    let location: SourceLocation

    init(
      _ text: String, _ term: ExpectationTerm, fails seen: String? = nil,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.term, self.seen, self.location) = (text, term, seen, location)
    }
  }

  /// Main submits image0 to image2; two workers run them; `twice` runs two times.
  static var log: SmallLog {
    var log = SmallLog(kinds: ["image*", "twice"])
    log.program.globals = [
      Global(name: "count", format: .integer, isVariable: true, place: SourceRange(0, 0)),
      Global(name: "t", format: .thread, isVariable: false, place: SourceRange(0, 0)),
      Global(name: "pool", format: .object, isVariable: false, place: SourceRange(0, 0)),
      Global(
        name: "times", format: .array, told: .duration, isVariable: true, place: SourceRange(0, 0)),
      Global(
        name: "state", format: .string, told: .symbol, isVariable: true, place: SourceRange(0, 0)),
    ]
    let pool = log.name("pool")
    log.addMain()
    for slot in [1, 2] as [Int32] {
      log.add(
        0, .threadCreated, thread: slot, object: "w\(slot)", subject: pool, value: 4_096,
        detail: ThreadOrigin.threadPool.rawValue)
    }
    log.add(0, .memoryChanged, value: 3_000)
    log.addItem("image0", kind: 0, on: 1, submitted: 0, started: 1, ended: 3)
    log.addItem("image1", kind: 0, on: 2, submitted: 0, started: 2, ended: 6)
    log.addItem("image2", kind: 0, on: 1, submitted: 0, started: 3, ended: 4)
    log.addItem("onMain", on: 0, submitted: 4, started: 4, ended: 5)
    log.addItem("twice", kind: 1, on: 1, submitted: 5, started: 5, ended: 6)
    log.addItem("twice", kind: 1, on: 2, submitted: 6, started: 7, ended: 8)
    log.add(7, .itemStarted, thread: 1, object: "open")
    log.add(
      7, .threadCreated, thread: 3, subject: pool, detail: ThreadOrigin.threadPool.rawValue)
    log.addItem("later", on: 3, submitted: 7, started: 8, ended: 8)
    log.add(9, .threadEnded, thread: 3, value: 500_000)
    log.mark(8, "A", on: 1)
    log.mark(9, "B", on: 2)
    log.mark(9, "C", on: 2)
    log.add(9, .print, thread: 0, object: "hello")
    log.add(9, .record, thread: 0, object: "n", value: 4)
    log.add(
      9, .record, thread: 0, object: "d", value: 5_000_000, detail: ValueFormat.duration.rawValue)
    log.add(10, .threadBlocked, thread: 1, value: 7_000_000, detail: WaitReason.idleWorker.rawValue)
    log.record.cores = [
      .init(busy: milliseconds(10), overhead: .zero), .init(busy: .zero, overhead: .zero),
    ]
    log.record.globals = [42, 5 << 32 | 1, 0, 0, Int64(log.name("busy"))]
    log.record.globalArrays = [[], [], [], [2_000_000, 3_000_000]]
    log.record.objectNames = [[], ["w1"], ["pool"], []]
    log.record.liveThreads = 3
    log.record.findings = [
      Finding(kind: .starvation, time: Instant(5), places: [], statement: "A waits."),
      Finding(kind: .neverStarted, time: Instant(5), places: [], statement: "Not begun."),
    ]
    return log
  }

  static func equal(_ measure: Measure, _ value: ExpectationValue) -> ExpectationTerm {
    .compare(.equal, .measure(measure), .value(value), nil)
  }

  static func duration(_ milliseconds: Double) -> ExpectationValue {
    .duration(Nanoseconds(Int64(milliseconds * 1_000_000)))
  }

  static let rows = runRows + itemRows + kindRows + spanRows + machineRows + termRows

  static let runRows = [
    Row("outcome == .finished", equal(.outcome, .symbol("finished"))),
    Row(
      "outcome == .deadlock", equal(.outcome, .symbol("deadlock")), fails: "outcome was .finished"),
    Row("makespan == 10ms", equal(.makespan, duration(10))),
    Row("makespan == 9ms", equal(.makespan, duration(9)), fails: "makespan was 10ms"),
    Row("output == [hello]", equal(.output, .list([.string("hello")]))),
    Row(
      "output == [bye]", equal(.output, .list([.string("bye")])),
      fails: "output[0] was \"hello\", not \"bye\""),
    Row(
      "output == [hello, bye]", equal(.output, .list([.string("hello"), .string("bye")])),
      fails: "output had 1 element, not 2\nthe first that is missing is \"bye\""),
    Row(
      "output == []", equal(.output, .list([])),
      fails: "output had 1 element, not 0\nthe first that is too much is \"hello\""),
    Row("findings == [.starvation]", equal(.findings, .list([.symbol("starvation")]))),
    Row(
      "findings == []", equal(.findings, .list([])),
      fails: "findings was [.starvation]"),
    Row(
      "values in another order",
      equal(
        .values,
        .table([.init(key: "d", value: duration(5)), .init(key: "n", value: .integer(4))]))),
    Row(
      "values that differ",
      equal(
        .values,
        .table([.init(key: "n", value: .integer(5)), .init(key: "z", value: .integer(1))])),
      fails: "\"n\" was 4, not 5\n\"z\" was not recorded\n\"d\" was 5ms, and not expected"),
    Row("crash.message == nil", equal(.crashMessage, .none)),
    Row("value(count) == 42", equal(.finalValue(GlobalID(0)), .integer(42))),
    Row(
      "value(count) == 41", equal(.finalValue(GlobalID(0)), .integer(41)),
      fails: "value(count) was 42"),
    Row("value(times)", equal(.finalValue(GlobalID(3)), .list([duration(2), duration(3)]))),
    Row(
      "value(state) == .idle", equal(.finalValue(GlobalID(4)), .symbol("idle")),
      fails: "value(state) was .busy"),
    Row(
      "value(times) == []", equal(.finalValue(GlobalID(3)), .list([])),
      fails: "value(times) was [2ms, 3ms]"),
    Row("value(t) == w1", equal(.finalValue(GlobalID(1)), .string("w1"))),
  ]

  static let itemRows = [
    Row("started(image1) == 2ms", equal(.started("image1"), duration(2))),
    Row("ended(image1) == 6ms", equal(.ended("image1"), duration(6))),
    Row(
      "ended(image1) == 7ms", equal(.ended("image1"), duration(7)),
      fails: "ended(\"image1\") was 6ms"),
    Row(
      "started(nobody)", equal(.started("nobody"), duration(7)), fails: "\"nobody\" never started"),
    Row(
      "ended(open)", equal(.ended("open"), duration(7)),
      fails: "\"open\" started at 7ms and never ended"),
    Row(
      "a name that is not unique", equal(.started("twice"), duration(5)),
      fails: "\"twice\" is not one item: 2 started, the first at 5ms, the second at 7ms"),
    Row("thread(image0) == w1", equal(.threadOf("image0"), .string("w1"))),
    Row("thread(onMain) == main", equal(.threadOf("onMain"), .string("main"))),
    Row(
      "thread(image1) == w1", equal(.threadOf("image1"), .string("w1")),
      fails: "thread(\"image1\") was \"w2\""),
    Row("thread without a name", equal(.threadOf("later"), .string("pool-3"))),
    Row("cpu(of: pool-3)", equal(.cpu(of: .named("pool-3")), duration(0.5))),
    Row("two threads", equal(.threadCount(of: ["image0", "image1", "image2"]), .integer(2))),
    Row("one thread", equal(.threadCount(of: ["image0", "image2"]), .integer(1))),
    Row("threads of a pattern", equal(.threadCount(of: ["image*"]), .integer(2))),
    Row("order(image0, image2)", .measure(.order(["image0", "image2"]))),
    Row("order of items and marks", .measure(.order(["image0", "image2", "A", "B"]))),
    Row("order within one moment", .measure(.order(["B", "C"]))),
    Row(
      "order(C, B)", .measure(.order(["C", "B"])),
      fails: "\"C\" was marked at 9ms, \"B\" was marked at 9ms, which is the same moment, but "
        + "earlier in it"),
    Row(
      "order(image0, image1)", .measure(.order(["image0", "image1"])),
      fails: "\"image0\" ended at 3ms, \"image1\" started at 2ms, which is earlier"),
    Row(
      "order(image0, nobody)", .measure(.order(["image0", "nobody"])),
      fails: "\"nobody\" never happened: no item and no mark has this name"),
    Row("cpu(of: t) == 7ms", equal(.cpu(of: .global(GlobalID(1))), duration(7))),
    Row("cpu(of: w1) == 7ms", equal(.cpu(of: .named("w1")), duration(7))),
    Row(
      "cpu(of: w9)", equal(.cpu(of: .named("w9")), duration(7)),
      fails: "no thread had the name \"w9\""),
  ]

  static let kindRows = [
    Row("count(of: image*) == 3", equal(.count(of: "image*"), .integer(3))),
    Row("count by glob", equal(.count(of: "*mage*"), .integer(3))),
    Row("count by exact name", equal(.count(of: "image1"), .integer(1))),
    Row("count of all", equal(.count(of: "*"), .integer(8))),
    Row("count of nothing", equal(.count(of: "x*"), .integer(0))),
    Row("latency(image*).max", equal(.itemTime(.latency, "image*", .max), duration(6))),
    Row(
      "latency by glob", equal(.itemTime(.latency, "i*e?", .max), duration(6)),
      fails: "no \"i*e?\" ended"),
    Row("latency(im*).p50", equal(.itemTime(.latency, "im*", .p50), duration(4))),
    Row("wait(image*).mean", equal(.itemTime(.wait, "image*", .mean), duration(2))),
    Row(
      "latency(image*).p50 == 3ms", equal(.itemTime(.latency, "image*", .p50), duration(3)),
      fails: "latency(\"image*\").p50 was 4ms"),
    // Three and no item in the makespan, which is 10 ms.
    Row(
      "rate(of: image*) == 300",
      equal(.rate(of: "image*"), .decimal(FixedDecimal(billionths: 300_000_000_000)))),
    Row("rate(of: x*) == 0", equal(.rate(of: "x*"), .decimal(FixedDecimal(billionths: 0)))),
    Row("running(*).peak == 2", equal(.runningPeak("*"), .integer(2))),
  ]

  static let machineRows = [
    Row("threads.peak == 4", equal(.threadsPeak, .integer(4))),
    Row("threads.created == 4", equal(.threadsCreated, .integer(4))),
    Row("threads.live == 3", equal(.threadsLive, .integer(3))),
    Row(
      "threads.created(by: pool) == 3",
      equal(.threadsCreatedBy(.global(GlobalID(2))), .integer(3))),
    Row(
      "threads.created(by: pool) == 4",
      equal(.threadsCreatedBy(.global(GlobalID(2))), .integer(4)),
      fails: "threads.created(by: pool) was 3"),
    Row("utilization == 0.5", equal(.utilization, .decimal(FixedDecimal(billionths: 500_000_000)))),
    Row(
      "memory.peak", equal(.memoryPeak, .size(ByteCount(1))),
      fails: "memory.peak was 3000B (2.93KB)"),
    Row("switches == 0", equal(.switches, .integer(0))),
    Row("main.longestStall == 10ms", equal(.mainLongestStall, duration(10))),
  ]

  static let termRows = [
    Row("makespan < 11ms", .compare(.less, .measure(.makespan), .value(duration(11)), nil)),
    Row(
      "makespan < 10ms", .compare(.less, .measure(.makespan), .value(duration(10)), nil),
      fails: "makespan was 10ms"),
    Row(
      "makespan >= 10ms", .compare(.greaterOrEqual, .measure(.makespan), .value(duration(10)), nil)),
    Row(
      "makespan == 10.2ms ± 2%",
      .compare(
        .equal, .measure(.makespan), .value(duration(10.2)),
        .percent(FixedDecimal(billionths: 2_000_000_000)))),
    Row(
      "makespan == 10.3ms ± 2%",
      .compare(
        .equal, .measure(.makespan), .value(duration(10.3)),
        .percent(FixedDecimal(billionths: 2_000_000_000))), fails: "makespan was 10ms"),
    Row(
      "makespan == 12ms ± 2ms",
      .compare(.equal, .measure(.makespan), .value(duration(12)), .absolute(2_000_000))),
    Row(
      "makespan / 2 == 5ms",
      .compare(
        .equal, .arithmetic(.divide, .measure(.makespan), .value(.integer(2))),
        .value(duration(5)), nil)),
    Row(
      "makespan * 0.5 == 5ms",
      .compare(
        .equal,
        .arithmetic(
          .multiply, .measure(.makespan),
          .value(.decimal(FixedDecimal(billionths: 500_000_000)))), .value(duration(5)), nil)),
    Row(
      "threads.peak - 1 == threads.created(by: pool)",
      .compare(
        .equal, .arithmetic(.subtract, .measure(.threadsPeak), .value(.integer(1))),
        .measure(.threadsCreatedBy(.global(GlobalID(2)))), nil)),
    Row(
      "makespan / 0",
      .compare(
        .equal, .arithmetic(.divide, .measure(.makespan), .value(.integer(0))),
        .value(duration(5)), nil), fails: "there is a division by zero"),
    Row(
      "and names the part that failed",
      .and(equal(.threadsPeak, .integer(4)), equal(.switches, .integer(5))),
      fails: "switches was 0"),
    Row(
      "or names both", .or(equal(.threadsPeak, .integer(9)), equal(.switches, .integer(5))),
      fails: "threads.peak was 4\nswitches was 0"),
    Row("not", .not(equal(.threadsPeak, .integer(9)))),
    Row(
      "both sides are told",
      .compare(.equal, .measure(.threadsPeak), .measure(.switches), nil),
      fails: "threads.peak was 4\nswitches was 0"),
  ]

  @Test(arguments: rows)
  func holdsOrTells(row: Row) {
    var log = ExpectationTests.log
    log.program.expectations = [Expectation(condition: row.term, place: SourceRange(0, 0))]
    let verdicts = ExpectationTests.verdicts(log)
    let verdict = verdicts[verdicts.count - 1]
    #expect(verdict.holds == (row.seen == nil), sourceLocation: row.location)
    #expect(verdict.seen == row.seen ?? "", sourceLocation: row.location)
  }

  @Test func theOutcomeIsExpectedToBeFinishedUnlessSpokenOf() {
    var log = ExpectationTests.log
    log.record.outcome = Outcome(.deadlock)
    let implied = ExpectationTests.verdicts(log)
    #expect(implied.map(\.text) == ["outcome == .finished"])
    #expect(implied.map(\.seen) == ["outcome was .deadlock"])
    #expect(implied.map(\.place) == [SourceRange(0, 0)] && implied.map(\.holds) == [false])
    let term = ExpectationTests.equal(.outcome, .symbol("deadlock"))
    log.program.expectations = [Expectation(condition: term, place: SourceRange(0, 0))]
    #expect(ExpectationTests.verdicts(log).map(\.holds) == [true])
  }

  /// The compiler adds it with the place of a block; what is said of it names neither.
  @Test func anImpliedOutcomeIsToldInItsOwnWords() {
    var log = ExpectationTests.log
    log.record.outcome = Outcome(.deadlock)
    log.program.source = SourceText(
      name: "x.trace", "main { }\n\nexpect { outcome == .finished }\n")
    let term = ExpectationTests.equal(.outcome, .symbol("finished"))
    log.program.expectations = [Expectation(condition: term, place: SourceRange(0, 8))]
    let implied = ExpectationTests.verdicts(log)[0]
    #expect(implied.isImplied)
    #expect(
      implied.told(of: log.program.source, style: TextStyle(width: 120)) == [
        "x.trace: not met: outcome == .finished (expected of a trace that does not speak of its "
          + "outcome)",
        "  outcome was .deadlock",
      ])
    log.program.expectations = [Expectation(condition: term, place: SourceRange(19, 40))]
    #expect(!ExpectationTests.verdicts(log)[0].isImplied)
    #expect(ExpectationTests.verdicts(log)[0].text == "outcome == .finished")
  }

  @Test func whatIsNotMetFitsTheWidth() {
    let source = SourceText(name: "folder/of/traces/x.trace", "switches == 1")
    let verdict = Verdict(
      text: "switches == 1 && threads.peak == 2 && threads.created == 3", place: SourceRange(0, 13),
      holds: false, seen: "the marks were:\n    0s: \"a  b\"\n  > 1ms: \"one long mark or two\"")
    #expect(
      verdict.told(of: source, style: TextStyle(width: 40), prefix: "2 cores, seed 7: ") == [
        "2 cores, seed 7:", "  folder/of/traces/x.trace:1:1: not met:",
        "  switches == 1 && threads.peak == 2 &&", "  threads.created == 3", "  the marks were:",
        "      0s: \"a  b\"", "    > 1ms: \"one long mark or two\"",
      ])
    let colored = verdict.told(
      of: source, style: TextStyle(width: 40, usesColor: true), prefix: "2 cores, seed 7: ")
    #expect(colored[1] == "  folder/of/traces/x.trace:1:1: \u{1B}[31mnot met\u{1B}[0m:")
  }

  @Test func aVerdictQuotesTheTextInOneLine() {
    var log = ExpectationTests.log
    log.program.source = SourceText(name: "x.trace", "expect {\n  switches\n    == 1\n}\n")
    let term = ExpectationTests.equal(.switches, .integer(1))
    log.program.expectations = [Expectation(condition: term, place: SourceRange(11, 28))]
    #expect(
      ExpectationTests.verdicts(log).map(\.text) == ["outcome == .finished", "switches == 1"])
  }

  @Test func aKeyRecordedTwiceIsNamedWithBothTimes() {
    var log = ExpectationTests.log
    log.add(12, .record, thread: 0, object: "n", value: 4)
    let term = ExpectationTests.equal(.values, .table([]))
    log.program.expectations = [Expectation(condition: term, place: SourceRange(0, 0))]
    let verdicts = ExpectationTests.verdicts(log)
    #expect(verdicts[1].seen == "\"n\" was recorded twice, at 9ms and at 12ms")
  }

  @Test func theDigestDoesNotDependOnWhoListens() {
    var log = ExpectationTests.log
    let term = ExpectationTests.equal(.count(of: "never seen *"), .integer(0))
    log.program.expectations = [Expectation(condition: term, place: SourceRange(0, 0))]
    let (alone, evaluator, beside) = (log.digest, ExpectationEvaluator(log.program), LogDigest())
    log.run([evaluator, beside])
    #expect(beside.text == alone)
  }

  static func verdicts(_ log: SmallLog) -> [Verdict] {
    let (metrics, evaluator) = (Metrics(), ExpectationEvaluator(log.program))
    log.run([metrics, evaluator])
    return evaluator.verdicts(metrics.result, log.record)
  }
}
