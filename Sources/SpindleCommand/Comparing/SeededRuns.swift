import SpindleModel
import SpindleReports
import SpindleRun

/// The runs of one program with several seeds, side by side.
struct SeededRuns {
  /// Something that the trace expects and that did not hold.
  struct Failure: Sendable {
    let verdict: Verdict
    /// The seeds with which it did not hold.
    var seeds: [UInt64]
  }

  /// What is told of each run.
  let columns: [ComparedColumn]
  /// The runs, without a label.
  let variant: Comparison.Variant
  /// What did not hold, each expectation once, as it was with the first such seed.
  let failures: [Failure]
  /// The text of the trace.
  let source: SourceText

  private struct Run: Sendable {
    let seed: UInt64
    let isCut: Bool
    let metrics: RunMetrics
    let measured: [MeasuredValue]
    let failures: [Verdict]
  }

  /// Runs `program` with so many seeds from its own on; `isLimited` when the command line says when it
  /// ends.
  init(
    _ program: Program, _ count: Int, limits: RunLimits, observing: ObservedPart?, isLimited: Bool,
    jobs: Int
  ) {
    var request = RunRequest.judged(limits: limits)
    request.observing = observing
    let repeated = RepeatedProgram(program, for: request)
    let runs = ParallelRuns.map(count, threads: jobs) { [request] index in
      let seed = program.seed &+ UInt64(index)
      let run = TraceRun(repeated, seed: seed, request)
      return Run(
        seed: seed, isCut: isLimited && run.reachedHorizon, metrics: run.metrics,
        measured: run.measured, failures: run.verdicts.filter { !$0.holds })
    }
    source = program.source
    let standard =
      program.measures.isEmpty
      ? StandardColumns(
        [runs.map(\.metrics)], hasMain: program.main != nil && !program.mainIsTool) : nil
    columns = standard?.columns ?? program.measures.map { ComparedColumn($0) }
    variant = Comparison.Variant(
      label: "",
      runs: runs.map { run in
        Comparison.Run(
          seed: run.seed, outcome: run.metrics.outcome.kind, isCut: run.isCut,
          values: standard?.values(run.metrics) ?? run.measured)
      })
    var failures: [Failure] = []
    for run in runs {
      for verdict in run.failures {
        if let known = failures.firstIndex(where: {
          $0.verdict.place == verdict.place && $0.verdict.text == verdict.text
        }) {
          failures[known].seeds.append(run.seed)
        } else {
          failures.append(Failure(verdict: verdict, seeds: [run.seed]))
        }
      }
    }
    self.failures = failures
  }
}
