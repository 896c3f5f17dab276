import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun

extension CompareCommand {
  /// How many variants of a comparison a report shows the timelines of.
  private static let shownRuns = 6
  /// The most entries of a log whose run is one of them.
  private static let greatestLog: Int64 = 1_000_000

  /// Writes the comparison with the timelines of its first variants, each with its first seed.
  func writeHTML(
    _ output: HTMLOutput, _ variants: [TraceVariant], _ results: [[ComparedRun]],
    _ comparison: ComparisonReport, in sources: [SourceText]
  ) throws(CommandFailure) {
    var runs: [HTMLReport.Run] = []
    var sides: [RunDifference.Side] = []
    let compiler = Compiler.standard
    func isRefused(_ runs: [ComparedRun]) -> Bool { runs[0].metrics.outcome.kind == .refused }
    // A refused run has nothing to show; where all are, why is below their table.
    let hasRun = !results.allSatisfy(isRefused)
    for (variant, result) in zip(variants, results) {
      guard runs.count < CompareCommand.shownRuns,
        result[0].metrics.entries <= CompareCommand.greatestLog, !(hasRun && isRefused(result)),
        var program = compiler.compile(sources[variant.file], overrides: variant.overrides).program
      else { continue }
      program.seed = result[0].seed
      let decisions = RunDecisions()
      let shares = CoarseShares(
        end: result[0].metrics.end, threads: result[0].metrics.threadsCreated)
      let record = RunRequest.explained(limits: limits)
        .run(program, consumers: [Timeline(decisions), Timeline(shares)])
      let label = variant.label.isEmpty ? "as written" : variant.label
      runs.append(
        HTMLReport.Run(
          label: label, program: program, machine: record.machine, metrics: result[0].metrics,
          verdicts: result[0].failures, measured: result[0].measured, digest: "",
          store: decisions.store, shares: shares))
      sides.append(RunDifference.Side(label, decisions))
    }
    guard !runs.isEmpty else {
      throw .usage(UsageText.htmlOver(most: CompareCommand.greatestLog))
    }
    var report = output.report(runs)
    report.comparison = comparison
    report.partings = sides.indices.dropFirst().compactMap { index in
      RunDifference(sides[0], sides[index], style: TextStyle()).told(run: index)
    }
    let left = variants.count - runs.count
    if left > 0 || results.contains(where: { $0.count > 1 }) {
      report.leftOut =
        (left > 0
          ? "Timelines of \(runs.count) of \(variants.count) variants are shown; 'simulate --html' "
            + "shows any other. " : "")
        + (results.contains { $0.count > 1 } ? "Each is that of the first seed." : "")
    }
    try output.write(report, console)
  }
}
