package import SpindleLanguage
package import SpindleModel
package import SpindleReports
package import SpindleSystem

/// The test of one trace: what it expects, what its comments say, and the log beside it.
package struct TraceTest: Sendable {
  /// What came of it.
  package struct Result: Sendable {
    /// The trace's path.
    package let path: String
    /// Whether it passed, and if not, in which way it failed.
    package var status = ExitStatus.held
    /// What went wrong.
    package var failures: [TestFailure] = []
    /// What else is to be said.
    package var notices: [TestNotice] = []
    /// What became of the log.
    package var log = LogState.none
    /// What its ratchets came to; nil where it has none, and no record of any.
    package var best: BestState?
    /// How long it took, in nanoseconds of the host's clock.
    package var duration: Int64 = 0
    /// Whether it was not run, since nothing has changed since it passed.
    package var isUnchanged = false

    /// A test of the trace at `path` that has passed so far.
    package init(path: String) { self.path = path }

    /// Notes a failure.
    package mutating func fail(_ status: ExitStatus, _ failure: TestFailure) {
      self.status = max(self.status, status)
      failures.append(failure)
    }

    /// Notes that a file did not do.
    package mutating func fail(_ failure: FileFailure) {
      fail(failure.status, TestFailure(.file, failure.message))
    }
  }

  /// What became of the log beside a trace.
  package enum LogState: Sendable {
    /// There is none to be.
    case none
    /// There is none yet.
    case missing(NewLog)
    /// What stands there can't be compared with, for a reason.
    case unreadable(NewLog, reason: String)
    /// It differs from the run as `difference` says.
    case differs(NewLog, difference: String)
    /// It agrees with the run.
    case agrees
  }

  /// What would be recorded of a run.
  package enum NewLog: Sendable {
    /// This text.
    case text(String)
    /// The whole log of the program's run, however long it is.
    case whole(Program)
  }

  /// The trace's path.
  package let path: String
  /// What ends a run, and how closely it is watched.
  package let limits: RunLimits
  /// Whether logs are recorded whole, however long they are.
  package let keepsLog: Bool
  /// The seed that takes the place of the trace's own; nil for none.
  ///
  /// A log belongs to the run with the trace's own.
  package var seed: UInt64?
  /// With how many seeds it is run, one behind the other.
  package var seedCount = 1
  /// Under how many schedules each trace is run that does not say how many; nil runs only those that ask for it.
  package var schedules: Int?

  /// Creates the test of the trace at `path`.
  package init(path: String, limits: RunLimits, keepsLog: Bool) {
    (self.path, self.limits, self.keepsLog) = (path, limits, keepsLog)
  }

  /// Runs it and says what went wrong, one text for each failure; empty when it passes.
  package func failures() -> [String] { result().failures.map(\.text) }

  /// How many diagnostics, and how many findings, of one trace are shown.
  private static let messageLimit = 10

  /// The path of the log of the trace at `path`: `NAME.log` beside `NAME.trace`.
  package static func logPath(for path: String) -> String {
    (path.hasSuffix(".trace") ? String(path.dropLast(6)) : path) + ".log"
  }

  /// Runs the test; writes nothing.
  package func result() -> Result {
    let start = HostClock.now()
    var result = Result(path: path)
    do {
      let source = SourceText(
        name: FileName.shown(path), utf8: try Files.read(path, atMost: Files.greatestTrace))
      test(source, &result)
    } catch {
      result.fail(error)
    }
    result.duration = HostClock.now() - start
    return result
  }

  private func test(_ source: SourceText, _ result: inout Result) {
    let notes = DiagnosticNotes(source)
    let (program, diagnostics) = Compiler.standard.compile(source)
    if notes.expectsErrors {
      fail(notes.differences(from: diagnostics), &result)
      checkRefusal(&result)
      return
    }
    result.notices += diagnostics.map { TestNotice($0) }
    guard let program else {
      let limit = TraceTest.messageLimit
      let more = diagnostics.count - limit
      let text =
        renderedReport(Array(diagnostics.prefix(limit))) + (more > 0 ? "and \(more) more\n" : "")
      let place = diagnostics.first { $0.severity == .error }.map {
        TestPlace($0.range, in: source)
      }
      result.fail(.traceErrors, TestFailure(.diagnostic, text, at: place))
      return
    }
    if !notes.isEmpty { fail(notes.differences(from: diagnostics), &result) }
    run(program, &result)
  }

  /// Notes where the diagnostics are not those that the comments say; the first of them in full.
  private func fail(_ differences: [DiagnosticNotes.Difference], _ result: inout Result) {
    for difference in differences.prefix(TraceTest.messageLimit) {
      result.fail(
        .notHeld,
        TestFailure(
          .diagnostic, difference.text, at: TestPlace(line: difference.line, column: 1)))
    }
    let more = differences.count - TraceTest.messageLimit
    if more > 0 { result.fail(.notHeld, TestFailure(.diagnostic, "and \(more) more")) }
  }

  /// Checks what stands beside a trace that must be refused.
  private func checkRefusal(_ result: inout Result) {
    if Files.kind(of: TraceTest.logPath(for: path)) != .missing {
      let text = "a trace that must be refused has no log; remove \(shownLog)"
      result.fail(.notHeld, TestFailure(.file, text))
    }
  }

  /// The name of the log as messages have it.
  private var shownLog: String { FileName.shown(TraceTest.logPath(for: path)) }

  private func run(_ program: Program, _ result: inout Result) {
    if let seed {
      runSeeds(program, from: seed, count: seedCount, &result)
      return
    }
    runOwnSeed(program, &result)
    // What fails with the trace's own seed is told of that run, which is the one of the log.
    if seedCount > 1 && result.failures.isEmpty {
      runSeeds(program, from: program.seed &+ 1, count: seedCount - 1, &result)
    }
  }

  /// Runs it with seeds of which no log is recorded: all that it expects has to hold with each.
  private func runSeeds(_ program: Program, from first: UInt64, count: Int, _ result: inout Result)
  {
    var failures: [(verdict: Verdict, seeds: [UInt64])] = []
    var failing: TraceRun?
    let request = RunRequest.judged(limits: limits)
    let repeated = RepeatedProgram(program, for: request)
    for index in 0..<UInt64(count) {
      let run = TraceRun(repeated, seed: first &+ index, request)
      for verdict in run.verdicts where !verdict.holds {
        let known = failures.firstIndex {
          $0.verdict.place == verdict.place && $0.verdict.text == verdict.text
        }
        if let known {
          failures[known].seeds.append(first &+ index)
        } else {
          failures.append((verdict, [first &+ index]))
        }
        failing = failing ?? run
      }
    }
    guard let failing else { return }
    for (verdict, seeds) in failures {
      let prefix =
        count == 1
        ? "with seed \(seeds[0]): "
        : "with \(seeds.count) of \(Int64(count).counted("seed")) from \(first) on, such as \(seeds[0]): "
      let lines = verdict.told(
        of: program.source, style: TextStyle(width: .max), prefix: prefix, tellsFindings: false)
      result.fail(
        .notHeld,
        TestFailure(
          .expectation, lines.joined(separator: "\n"),
          at: verdict.isImplied ? nil : TestPlace(verdict.place, in: program.source)))
    }
    explain(failing, &result)
  }

  private func runOwnSeed(_ program: Program, _ result: inout Result) {
    let logPath = TraceTest.logPath(for: path)
    if Files.kind(of: logPath) == .other {
      // Who opens a pipe waits for somebody at its other end.
      result.fail(.noFile(logPath, .input))
      return
    }
    let recorded = recordedLog()
    let recorder = SnapshotRecorder()
    var consumers: [any LogConsumer] = [recorder]
    var comparison: LogComparison?
    if case .success(.log(let bytes)) = recorded {
      let compared = LogComparison(bytes)
      consumers.append(LogText(limit: nil) { compared.add($0) })
      comparison = compared
    }
    var run = TraceRun(program, RunRequest(limits: limits), consumers: consumers)
    let best = BestState(path, &run, &result)
    result.best = best
    run.findCauses()
    if !run.holds { run.findUses() }
    for verdict in run.verdicts where !verdict.holds {
      let lines =
        verdict.told(of: program.source, style: TextStyle(width: .max), tellsFindings: false)
        + (verdict.isImplied ? run.crashLines : [])
      let place = verdict.isImplied ? whereItEnded(run) : verdict.place
      let kind: TestFailure.Kind = verdict.ratchet == nil ? .expectation : .ratchet
      result.fail(
        .notHeld,
        TestFailure(
          kind, lines.joined(separator: "\n"), at: place.map { TestPlace($0, in: program.source) }))
    }
    result.log = state(recorded, run, recorder, comparison)
    switch result.log {
    case .none, .agrees, .missing: break
    case .unreadable(_, let reason):
      let text =
        "no log to compare with: \(reason)\n"
        + "  'spindle test --update \(FileName.shown(path))' records it anew"
      result.fail(.notHeld, TestFailure(.difference, text))
    case .differs(_, let difference):
      // A log knows no lines of its trace; reports want one.
      let text = "the run differs from \(shownLog)\n\(shown(difference, beside: result))"
      result.fail(
        .notHeld, TestFailure(.difference, text, at: TestPlace(line: 1, column: 1)))
    }
    if !result.failures.isEmpty { explain(run, &result) }
    if result.status == .held { explore(program, &result) }
  }

  /// A difference between two logs; only its beginning where the run has failed already: the cause is reported above.
  private func shown(_ difference: String, beside result: Result) -> String {
    let lines = difference.split(separator: "\n")
    let limit = 8
    guard !result.failures.isEmpty, lines.count > limit + 1 else { return difference }
    let more = Int64(lines.count - limit)
    return lines.prefix(limit).joined(separator: "\n")
      + "\nand \(more.counted("more line")): 'spindle diff \(shownLog) \(FileName.shown(path))'\n"
  }

  /// Runs a trace that passes under other schedules, where that is asked for.
  private func explore(_ program: Program, _ result: inout Result) {
    guard
      let test = ScheduleTest(
        program, path: FileName.shown(path), limits: limits, schedules: schedules)
    else { return }
    for failure in test.failures() {
      result.fail(
        .notHeld,
        TestFailure(
          .expectation, failure.text,
          at: failure.place.map { TestPlace($0, in: program.source) }))
    }
  }

  /// Where a run came to its end that should have finished: at a crash, or at what kept it from going on.
  private func whereItEnded(_ run: TraceRun) -> SourceRange? {
    if let place = run.metrics.outcome.place { return place }
    return run.metrics.findings.first { $0.kind.severity == .error }?.places.first
  }

  /// Adds to the last failure how the run ended and what was found in it, and notes the findings: between two
  /// expectations they would seem to belong to the one before.
  private func explain(_ run: TraceRun, _ result: inout Result) {
    let (source, outcome) = (run.program.source, run.metrics.outcome)
    let style = TextStyle(width: .max)
    var lines: [String] = []
    if outcome.kind != .finished {
      lines.append("outcome: \(FindingLines.outcome(outcome, at: run.metrics.end, source))")
    }
    let findings = run.metrics.findings
    let told = FindingGroups(findings).groups.prefix(TraceTest.messageLimit)
    for group in told { lines += FindingLines.lines(group, source, style) }
    let more = Int64(findings.count - told.reduce(0) { $0 + $1.count })
    if more > 0 { lines.append("and \(more.counted("more finding"))") }
    result.notices += findings.map { TestNotice($0, source) }
    guard !lines.isEmpty, let last = result.failures.indices.last else { return }
    let text = result.failures[last].text
    let separator = text.hasSuffix("\n") ? "" : "\n"
    result.failures[last].text = text + separator + lines.joined(separator: "\n")
  }

  /// What stands beside the trace; nil when nothing does.
  private func recordedLog() -> Swift.Result<Snapshot, Snapshot.Unreadable>? {
    let log = TraceTest.logPath(for: path)
    do {
      let read = Snapshot.read(try Files.read(log))
      return read.mapError { Snapshot.Unreadable(reason: "\(shownLog) \($0.reason)") }
    } catch {
      if Files.kind(of: log) == .missing { return nil }
      return .failure(Snapshot.Unreadable(reason: error.message))
    }
  }

  /// Compares the log beside the trace with the one of this run.
  private func state(
    _ recorded: Swift.Result<Snapshot, Snapshot.Unreadable>?, _ run: TraceRun,
    _ recorder: SnapshotRecorder, _ comparison: LogComparison?
  ) -> LogState {
    let isLong = recorder.isLong
    let whole = NewLog.whole(run.program)
    let short = keepsLog && isLong ? whole : NewLog.text(recorder.text(run.metrics))
    switch recorded {
    case nil: return .missing(short)
    case .failure(let failure): return .unreadable(short, reason: failure.reason)
    case .success(.layers(let record)):
      if isLong, recorder.difference(record, run.metrics) == nil {
        return keepsLog
          ? .differs(whole, difference: "the whole log takes the place of its digests\n") : .agrees
      }
      let difference = recorder.difference(record, run.metrics)?.text ?? ""
      return .differs(short, difference: difference)
    case .success(.log(let bytes)):
      guard let comparison, !comparison.isEqual else { return .agrees }
      // Who has a long log keeps one.
      let wasLong = bytes.count { $0 == 0x0A } > Snapshot.lineLimit
      return .differs(isLong && wasLong ? whole : short, difference: comparison.text)
    }
  }

  /// Writes what is to be recorded of a run.
  package func write(_ log: NewLog) throws(FileFailure) {
    let path = TraceTest.logPath(for: path)
    switch log {
    case .text(let text): try WholeFile.write(text, to: path)
    case .whole(let program):
      let file = try WholeFile(path)
      _ = RunRequest(limits: limits).run(
        program, consumers: [LogText(limit: nil) { file.write($0) }])
      try file.commit()
    }
  }
}

extension Program {
  /// The same program with another seed.
  fileprivate func with(seed: UInt64) -> Program {
    var program = self
    program.seed = seed
    return program
  }
}

extension TestNotice {
  /// What the compiler said.
  package init(_ diagnostic: Diagnostic) {
    self.init(
      severity: diagnostic.severity.rawValue, rule: "diagnostic",
      place: TestPlace(diagnostic.range, in: diagnostic.source), text: diagnostic.message)
  }

  /// What was found in a run.
  package init(_ finding: Finding, _ source: SourceText) {
    self.init(
      severity: finding.kind.severity.name, rule: finding.kind.rawValue,
      place: finding.places.first.map { TestPlace($0, in: source) },
      text: "at \(finding.time): \(finding.explanation)", statement: finding.statement)
  }
}
