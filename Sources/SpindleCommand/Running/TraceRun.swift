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
  /// What the trace expects, and whether it held.
  let verdicts: [Verdict]
  /// What the measures of the program came to.
  let measured: [MeasuredValue]
  /// The run's digest; empty unless that was asked for.
  let digest: String
  /// What it printed; nil unless that was asked for.
  let output: PrintedLines?

  /// Runs `program`; its log goes to `consumers` too.
  ///
  /// Without `checksExpectations` there are no verdicts. What compares numbers has no use for a
  /// digest, and runs faster without.
  init(
    _ program: Program, limits: RunLimits, checksExpectations: Bool = true,
    takesDigest: Bool = true, keepsOutput: Bool = false, consumers: [any LogConsumer] = []
  ) {
    let (observer, metrics) = (MachineObserver(), Metrics())
    let logDigest = takesDigest ? LogDigest() : nil
    let evaluator = checksExpectations ? ExpectationEvaluator(program) : nil
    var all: [any LogConsumer] = [observer, metrics]
    if let logDigest { all.append(logDigest) }
    if let evaluator { all.append(evaluator) }
    let measures = program.measures.isEmpty ? nil : MeasureEvaluator(program)
    if let measures { all.append(measures) }
    let output = keepsOutput ? PrintedOutput() : nil
    if let output { all.append(output) }
    all += consumers
    let simulation = Simulation(program, limits: limits)
    let record = simulation.run(consumers: all)
    self.program = program
    self.metrics = metrics.result
    verdicts = evaluator?.verdicts(metrics.result, record) ?? []
    measured = measures?.values(metrics.result, record) ?? []
    digest = logDigest?.text ?? ""
    self.output = output?.result
    machine = observer.machine
  }

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

  /// A compiler that knows what this simulator can simulate.
  static var compiler: Compiler { Compiler(catalogue: MachineCatalog.catalogue) }
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
