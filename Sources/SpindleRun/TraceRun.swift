package import SpindleModel
package import SpindleReports

/// One run of a program with what the reports make of it.
package struct TraceRun: Sendable {
  /// The program that ran.
  package let program: Program
  /// How it ended, and what is known of it beside its log.
  package private(set) var record: RunRecord
  /// The numbers of the run.
  package private(set) var metrics: RunMetrics
  /// What the trace expects, and whether it held.
  package private(set) var verdicts: [Verdict]
  /// What the measures of the program came to; behind the warm-up, where one is left out.
  package let measured: [MeasuredValue]
  /// What is known of the part behind the warm-up; nil unless there is one.
  package let steadyState: SteadyState?
  /// The run's digest; empty unless that was asked for.
  package let digest: String
  /// Who cut it off; nil when it came to its own end.
  package var cut: RunCut?
  /// What it printed; nil unless that was asked for.
  package let output: PrintedLines?
  /// What was asked of it.
  private let request: RunRequest

  /// Runs `program` as `request` says; its log goes to `consumers` too.
  package init(
    _ program: Program, _ request: RunRequest = RunRequest(), consumers: [any LogConsumer] = []
  ) {
    self.init(
      RepeatedProgram(program, for: request), seed: program.seed, request, consumers: consumers)
  }

  /// Runs a program once more as `request` says, for which it was made, with a seed in place of its own.
  package init(
    _ repeated: RepeatedProgram, seed: UInt64, _ request: RunRequest = RunRequest(),
    consumers: [any LogConsumer] = []
  ) {
    var program = repeated.program
    program.seed = seed
    let metrics = Metrics()
    let logDigest = request.takesDigest ? LogDigest() : nil
    let evaluator = repeated.expected.map { ExpectationEvaluator($0) }
    let observer = request.observing.map { ObservedRun(program, $0) }
    let measures = program.measures.isEmpty || observer != nil ? nil : MeasureEvaluator(program)
    let output = request.keepsOutput ? PrintedOutput() : nil
    let optional: [(any LogConsumer)?] = [logDigest, evaluator, measures, output]
    record = request.run(
      repeated.prepared, seed: seed,
      consumers: [metrics] + optional.compactMap { $0 } + (observer?.consumers ?? []) + consumers)
    (self.program, self.request) = (program, request)
    self.metrics = metrics.result
    // With what is found in the numbers.
    (record.findings, record.findingCounts) = (
      metrics.result.findings, metrics.result.findingCounts
    )
    verdicts = evaluator?.verdicts(metrics.result, record) ?? []
    let part = observer?.result(metrics.result, record, request)
    measured = part?.values ?? measures?.values(metrics.result, record) ?? []
    steadyState = part?.state
    digest = logDigest?.text ?? ""
    self.output = output?.result
  }

  /// All that is known of the run as JSON; the page *JSON* describes it.
  package var json: String {
    JSONText.run(
      program: program, machine: record.machine, metrics: metrics, verdicts: verdicts,
      measured: measured, steadyState: steadyState, cut: cut, output: output, digest: digest)
  }

  /// The summary for people.
  package func summary(style: TextStyle = TextStyle()) -> String {
    Summary.text(
      program: program, machine: record.machine, metrics: metrics, verdicts: verdicts,
      digest: digest, output: output, measured: measured, steadyState: steadyState, cut: cut,
      style: style)
  }

  /// What `--quiet` prints of the run: the requested measures, and the problems.
  package func quietText(style: TextStyle = TextStyle()) -> String {
    Summary.measures(
      program: program, machine: record.machine, metrics: metrics, measured: measured,
      steadyState: steadyState, style: style)
      + ProblemText.text(
        program: program, metrics: metrics, verdicts: verdicts, cut: cut, style: style)
  }

  /// Says why the times were what they were that were expected to be others, by running again with a
  /// timeline; with a style a picture of them too.
  ///
  /// A run in which none is costs nothing more.
  package mutating func findCauses(style: TextStyle? = nil) {
    let conditions = verdicts.map { verdict in
      verdict.holds
        ? nil : program.expectations.first { $0.place == verdict.place }?.condition
    }
    findWriters(of: conditions)
    let asked = conditions.indices.filter { index in
      conditions[index].map { TimelineStore.tellsTime($0) } ?? false
    }
    guard !asked.isEmpty && metrics.entries <= TraceRun.greatestTimeline else { return }
    let store = TimelineStore()
    explain(to: [Timeline(store)])
    for index in asked {
      guard let condition = conditions[index] else { continue }
      verdicts[index].causes = store.causes(of: condition)
      // Below the first only: the others are mostly about the same.
      guard index == asked[0], let style, let cause = verdicts[index].causes.first else { continue }
      var picture = LanePicture(
        store, window: cause, style: TextStyle(width: style.width - 4, usesColor: style.usesColor))
      verdicts[index].picture = picture.lines(of: Array(cause.threads.prefix(4)))
    }
  }

  /// The crash in lines below the expectation that the run finishes; none where it did not crash.
  package var crashLines: [String] {
    guard let crash = metrics.crash else { return [] }
    let style = TextStyle(width: .max)
    return ([metrics.outcome.message] + CrashText.lines(crash, program.source, style))
      .map { "  \($0)" }
  }

  /// Says who wrote the values that were expected to be others, by running again.
  private mutating func findWriters(of conditions: [ExpectationTerm?]) {
    let asked = conditions.indices.filter { index in
      conditions[index].map { WriterLines.asksForValues($0) } ?? false
    }
    guard !asked.isEmpty && metrics.entries <= TraceRun.greatestTimeline else { return }
    let history = ValueHistory(of: "*")
    explain(to: [history], tracesWrites: true)
    for index in asked {
      guard let condition = conditions[index] else { continue }
      verdicts[index].writers = WriterLines.lines(condition, history, program)
    }
  }

  /// Says what was done with the object that a crash is about, by running again.
  ///
  /// A run without such a crash costs nothing more.
  package mutating func findUses() {
    let (program, request) = (program, request)
    if metrics.entries <= TraceRun.greatestTimeline { metrics.crash?.findUses(program, request) }
  }

  /// Makes the same run again for `consumers` that show or explain it.
  package func explain(to consumers: [any LogConsumer], tracesWrites: Bool = false) {
    var (program, request) = (program, request)
    // What ^C ended ends there again.
    if cut == .interrupt { program.until = metrics.end }
    (request.watchesPolicy, request.tracesWrites) = (true, tracesWrites)
    _ = request.run(program, consumers: consumers)
  }

  /// Compares what ratchets came to with the best that was recorded.
  package mutating func compare(with best: BestRecord) {
    for index in verdicts.indices {
      guard let ratchet = verdicts[index].ratchet, let recorded = best[ratchet.measure],
        ratchet.standing(to: recorded) == .worse
      else { continue }
      verdicts[index].holds = false
      verdicts[index].seen = ratchet.seen(best: recorded)
    }
  }

  /// The most entries of a log whose timeline is kept: some 500 MB.
  private static let greatestTimeline: Int64 = 4_000_000

  /// Leaves nothing of the trace's own expectations but where they stand and whether they hold.
  package mutating func hideExpected() { verdicts = verdicts.map(\.hidden) }

  /// Forgets what the trace expects: the run was cut off before it could come to that.
  package mutating func forgetVerdicts() { verdicts = [] }

  /// Whether all that the trace expects held.
  package var holds: Bool { verdicts.allSatisfy(\.holds) }

  /// Whether the run was over when the horizon of its program came, and not before.
  ///
  /// Who gave the horizon on the command line has cut off what would have gone on.
  package var reachedHorizon: Bool {
    metrics.outcome.kind == .finished && metrics.outcome.exitCode == nil
      && metrics.end == program.until
  }
}
