import SpindleModel

/// Collects what terms need during a run, and computes them when it has ended.
///
/// It keeps only what is requested: the times of items and marks by the names in the terms, all marks only
/// for a `timeline`, the output only for `output`.
struct RunObserver {
  /// What was collected.
  private(set) var observations: Observations
  private let program: Program
  private var names = NameTable([])

  /// Creates an observer of one run of `program`.
  init(_ program: Program, _ inquiry: Inquiry) {
    self.program = program
    observations = Observations(inquiry)
  }

  /// The run begins.
  mutating func begin(_ run: RunDescription) {
    names = run.names
    observations.begin(run.names)
  }

  /// Takes the next entries of the log.
  mutating func receive(_ entries: UnsafeBufferPointer<LogEntry>) { observations.receive(entries) }

  /// The values of terms after the end of the run.
  func evaluation(_ metrics: RunMetrics, _ record: RunRecord) -> Evaluation {
    Evaluation(
      program: program, metrics: metrics, record: record, names: names, observations: observations)
  }
}
