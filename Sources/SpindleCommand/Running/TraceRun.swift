import SpindleLanguage
package import SpindleModel
import SpindleReports
import SpindleSimulator

/// One run of a program with what the reports make of it.
struct TraceRun: Sendable {
  /// The program that ran.
  let program: Program
  /// The machine that it ran on.
  let machine: ResolvedMachine
  /// The numbers of the run.
  let metrics: RunMetrics
  /// How long all input and output took together.
  let inputTime: Nanoseconds
  /// What the trace expects, and whether it held.
  private(set) var verdicts: [Verdict]
  /// What the measures of the program came to; behind the warm-up, where one is left out.
  let measured: [MeasuredValue]
  /// What is known of the part behind the warm-up; nil unless there is one.
  let steadyState: SteadyState?
  /// The run's digest; empty unless that was asked for.
  let digest: String
  /// Who cut it off; nil when it came to its own end.
  var cut: RunCut?
  /// What it printed; nil unless that was asked for.
  let output: PrintedLines?

  /// Runs `program`; its log goes to `consumers` too.
  ///
  /// Without `checksExpectations` there are no verdicts. What compares numbers has no use for a
  /// digest, and runs faster without. With `observing` measures are taken behind the warm-up.
  init(
    _ program: Program, limits: RunLimits, checksExpectations: Bool = true,
    takesDigest: Bool = true, keepsOutput: Bool = false, observing: ObservedPart? = nil,
    consumers: [any LogConsumer] = []
  ) {
    let (machine, metrics) = (MachineObserver(), Metrics())
    let logDigest = takesDigest ? LogDigest() : nil
    let evaluator = checksExpectations ? ExpectationEvaluator(program) : nil
    var all: [any LogConsumer] = [machine, metrics]
    if let logDigest { all.append(logDigest) }
    if let evaluator { all.append(evaluator) }
    let observer = observing.map { ObservedRun(program, $0) }
    if let observer { all += observer.consumers }
    let measures =
      program.measures.isEmpty || observing != nil ? nil : MeasureEvaluator(program)
    if let measures { all.append(measures) }
    let output = keepsOutput ? PrintedOutput() : nil
    if let output { all.append(output) }
    all += consumers
    let simulation = Simulation(program, limits: limits)
    let record = simulation.run(consumers: all)
    self.program = program
    self.metrics = metrics.result
    inputTime = record.inputTime
    verdicts = evaluator?.verdicts(metrics.result, record) ?? []
    let part = observer?.result(metrics.result, record, limits: limits)
    measured = part?.values ?? measures?.values(metrics.result, record) ?? []
    steadyState = part?.state
    digest = logDigest?.text ?? ""
    self.output = output?.result
    self.machine = machine.machine
  }

  /// Says why the times were what they were that were expected to be others, by running again with a
  /// timeline; with a style a picture of them too.
  ///
  /// A run in which none is costs nothing more.
  mutating func findCauses(limits: RunLimits, style: TextStyle? = nil) {
    let conditions = verdicts.map { verdict in
      verdict.holds
        ? nil : program.expectations.first { $0.place == verdict.place }?.condition
    }
    let asked = conditions.indices.filter { index in
      conditions[index].map { TimelineStore.tellsTime($0) } ?? false
    }
    guard !asked.isEmpty && metrics.entries <= TraceRun.greatestTimeline else { return }
    let store = TimelineStore()
    _ = Simulation(program, limits: limits).run(consumers: [Timeline(store)])
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

  /// Compares what ratchets came to with the best that was recorded.
  mutating func compare(with best: BestRecord) {
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

  /// Forgets what the trace expects: the run was cut off before it could come to that.
  mutating func forgetVerdicts() { verdicts = [] }

  /// Whether all that the trace expects held.
  var holds: Bool { verdicts.allSatisfy(\.holds) }

  /// Whether the run was over when the horizon of its program came, and not before.
  ///
  /// Who gave the horizon on the command line has cut off what would have gone on.
  var reachedHorizon: Bool {
    metrics.outcome.kind == .finished && metrics.outcome.exitCode == nil
      && metrics.end == program.until
  }

  /// The names of all policies, each of which is one without its arguments too.
  static var policyNames: [String] { MachineCatalog.catalogue.policies.map(\.name) }

  /// The names of all cost profiles.
  static var costNames: [String] { MachineCatalog.catalogue.costs.map(\.name) }

  /// A compiler that knows what this simulator can simulate.
  static var compiler: Compiler {
    var compiler = Compiler(catalogue: MachineCatalog.catalogue)
    compiler.readCosts = CostFile.reader
    return compiler
  }
}

/// Keeps the machine that a run is on; a class, as all consumers of a log are.
package final class MachineObserver: LogConsumer {
  package private(set) var machine = ResolvedMachine(
    platform: .ideal, cores: [], memory: .zero, costs: "", policy: "")

  /// Creates one for one run.
  package init() {}

  package var needsEveryEntry: Bool { false }

  package func begin(_ run: RunDescription) { machine = run.machine }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {}

  package func end(_ record: RunRecord) {}
}
