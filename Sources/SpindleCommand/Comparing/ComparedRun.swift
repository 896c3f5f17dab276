import SpindleModel
import SpindleReports
import SpindleRun

/// What one run of a comparison leaves behind: little, since there can be very many.
struct ComparedRun: Sendable {
  let metrics: RunMetrics
  let measured: [MeasuredValue]
  let failures: [Verdict]
  /// How long all input and output took together.
  let inputTime: Nanoseconds
  let seed: UInt64
  /// Whether it ended because the command line said when.
  let isCut: Bool
  let program: Summary

  /// What the report must know of the program.
  struct Summary: Sendable {
    let source: SourceText
    let measures: [RequestedMeasure]
    /// Whether there is a main thread that could stall.
    let hasMain: Bool
    /// How fast its cores are.
    let machine: CoreSpeeds
  }

  /// What was not met; a schedule has to be kept even where nothing is asked about expectations.
  static func failures(_ run: TraceRun, checksExpectations: Bool) -> [Verdict] {
    run.verdicts.filter { !$0.holds }
      + (checksExpectations ? [] : run.record.scheduleFaults.map { Verdict($0) })
  }

  /// Whether it ended by itself.
  var isWhole: Bool { metrics.outcome.kind == .finished && !isCut }
}
