import SpindleModel
import SpindleReports
import Testing

/// What a person sees of a run.
@Suite struct SummaryTests {
  static var log: SmallLog {
    var log = ExpectationTests.log
    log.program.title = "Two workers"
    log.program.source = SourceText(
      name: "two.trace", "main {\n  first.lock()\n  second.lock()\n}\n")
    log.program.main = BlockID(0)
    log.program.seed = 7
    log.record.findings = [
      Finding(
        kind: .deadlock, time: Instant(9_000_000),
        places: [SourceRange(9, 14), SourceRange(24, 30)],
        statement:
          "A waits for lock \"second\", which B has. B waits for lock \"first\", which A "
          + "has.")
    ]
    log.record.outcome = Outcome(.deadlock)
    return log
  }

  static func text(_ log: SmallLog, style: TextStyle = TextStyle()) -> String {
    Summary.text(
      program: log.program, machine: log.machine, metrics: log.metrics,
      verdicts: ExpectationTests.verdicts(log), digest: "0123456789abcdef", style: style)
  }

  @Test func theWholeText() {
    #expect(
      SummaryTests.text(SummaryTests.log) == """
        Two workers
        machine     ideal, 2 cores, 1GB, costs zero, policy fifo, seed 7
        outcome     deadlock
        makespan    10ms
        cores       50.0% used
                    0: 100.0%, 1: 0.0%
        threads     4 created, peak 4, 3 alive at the end
        memory      peak 2.93KB, 8KB reserved for stacks
        switches    0: 0 voluntary, 0 forced; 0 migrations
        main stall  longest 10ms

        work    count  wait p50  p95  latency p50  p95  p99  max
        image*      3       2ms  3ms          4ms  6ms  6ms  6ms
        twice       2        0s  1ms          1ms  2ms  2ms  2ms

        two.trace:2:3: error: deadlock at 9ms
          A waits for lock "second", which B has. B waits for lock "first", which A has.
          see also 3:3

        expected    to finish: not met
        two.trace: not met: outcome == .finished (expected of a trace that does not
          speak of its outcome)
          outcome was .deadlock

        digest      0123456789abcdef

        """)
  }

  static let counts: [(stated: [Bool], finished: Bool?, text: String)] = [
    ([true, true, true], true, "3 of 3 met, and finished"),
    ([true, false], true, "1 of 2 met, and finished"),
    ([true], false, "1 of 1 met, but not finished"),
    ([true, true], nil, "2 of 2 met"),
    ([], true, "to finish: met"),
    ([], false, "to finish: not met"),
  ]

  @Test("what the trace does not say itself is counted apart", arguments: counts)
  func expectationsAreCounted(row: (stated: [Bool], finished: Bool?, text: String)) {
    let log = SummaryTests.log
    var verdicts = row.stated.map {
      Verdict(text: "switches == 1", place: SourceRange(0, 4), holds: $0, seen: "")
    }
    if let finished = row.finished {
      verdicts.append(
        Verdict(
          text: "outcome == .finished", place: SourceRange(0, 0), holds: finished, seen: ""))
    }
    let text = Summary.text(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: verdicts,
      digest: "0123456789abcdef", style: TextStyle())
    #expect(text.contains("\nexpected    \(row.text)\n"))
  }

  @Test(
    "long titles and file names stay within the width",
    arguments: [String(repeating: "title ", count: 40), String(repeating: "t", count: 200)])
  func longNamesAreWrapped(title: String) {
    var log = SummaryTests.log
    log.program.title = title
    let folder = String(repeating: "f", count: 50)
    log.program.source = SourceText(
      name: "\(folder)/two.trace", "main {\n  first.lock()\n  second.lock()\n}\n")
    let text = SummaryTests.text(log)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.filter { $0 == "t" }.count >= title.filter { $0 == "t" }.count)
    #expect(text.contains("\n\(folder)/two.trace:2:3: error:\n  deadlock at 9ms\n"))
  }

  @Test func whatIsPrintedIsShownAsFarAsItIsShort() {
    let log = SummaryTests.log
    var output = PrintedLines()
    (output.first, output.count) = (["first", "second"], 3)
    let text = Summary.text(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [],
      digest: "0123456789abcdef", output: output, style: TextStyle())
    let indent = String(repeating: " ", count: 12)
    let rows =
      "output      first\n\(indent)second\n\(indent)and 1 more line: --log - shows all\n"
    #expect(text.contains(rows), "\(text)")
  }

  @Test func aRunThatNeverEndsSaysHowToEndIt() {
    var log = SummaryTests.log
    log.record.outcome = Outcome(.timeLimit)
    for (end, said) in [(3_600, "1h"), (90, "90s")] {
      log.record.end = Instant(Int64(end) * 1_000_000_000)
      let words = SummaryTests.text(log).split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
      let wanted =
        "timeLimit: \(said) of virtual time is over, and something may repeat forever; set the end of the "
        + "run, `trace \"…\" { until: 3h }` or --until 3h, or end it with exit()"
      #expect(words.contains(wanted), "\(words)")
    }
  }

  @Test func colorOnlyWhereWanted() {
    let log = SummaryTests.log
    #expect(!SummaryTests.text(log).contains("\u{1B}"))
    let colored = SummaryTests.text(log, style: TextStyle(usesColor: true))
    #expect(colored.contains("\u{1B}[31mdeadlock\u{1B}[0m"))
    #expect(SummaryTests.uncolored(colored) == SummaryTests.text(log))
  }

  @Test(arguments: [1, 2, 16, 17, 200])
  func anyNumberOfCoresFitsTheWidth(cores: Int) {
    var log = SummaryTests.log
    log.machine.cores = Array(repeating: CoreDescription(), count: cores)
    log.record.cores = (0..<cores).map {
      .init(busy: milliseconds(Double($0 % 10)), overhead: milliseconds(0.5))
    }
    log.machine.policy = "timeshare(quantum: 10ms, somethingElse: 12.345678901ms)"
    for index in 0..<30 {
      log.addItem("image", kind: 0, on: 1, submitted: 0, started: Double(index), ended: 1_000)
    }
    let lines = SummaryTests.text(log).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count < 40)
  }

  private static func uncolored(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\u{1B}" { isEscaped = true }
      if !isEscaped { result.append(character) }
      if character == "m" { isEscaped = false }
    }
    return result
  }

  /// Each pair of lines is a race of its own, and all of one variable are told together.
  @Test func tellsTheRacesOfAVariableTogether() {
    let race = { (name: String, place: Int) in
      Finding(
        kind: .dataRace, time: Instant(Int64(place) * 1_000_000_000),
        places: [SourceRange(place, place + 1)], statement: "\(name, .variable) is written here.")
    }
    let groups = FindingGroups([race("a", 1), race("b", 2), race("a", 3), race("a", 4)]).groups
    #expect(groups.map(\.count) == [3, 1])
    #expect(groups.map(\.more) == ["and 2 more pairs of accesses to it, the last at 4s", nil])
  }

  /// Findings of one kind about the same places are one; what is not shown is counted.
  @Test func tellsFindingsThatAreAlikeOnce() {
    var log = SummaryTests.log
    let hang = { (second: Int64, place: Int) in
      Finding(
        kind: .mainThreadHang, time: Instant(second * 1_000_000_000),
        places: [SourceRange(place, place + 1)], statement: "It hung.")
    }
    log.record.findings = (1...3).map { hang($0, 9) } + (4...14).map { hang($0, Int($0) + 6) }
    log.record.findingCounts = [RunRecord.FindingCount(kind: .mainThreadHang, count: 1_014)]
    let lines = SummaryTests.text(log).split(separator: "\n")
    let first = lines.firstIndex { $0.contains("mainThreadHang at 1s") }
    #expect(first.map { lines[$0 + 2] } == "  and 2 more like it, the last at 3s")
    #expect(!lines.contains { $0.contains("mainThreadHang at 3s") })
    // Ten groups are told: the three, and nine of the eleven others. 1014 - 12 are left.
    #expect(lines.contains("not listed: 1,002 mainThreadHang"))
  }
}
