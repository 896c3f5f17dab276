public import SpindleModel

/// Computes the numbers of a run during it, in memory that does not grow with its length.
///
/// A class, since the simulator gets it and the caller reads it. All state is one struct that a chunk of
/// entries changes in one call, which pays for exclusive access once.
public final class Metrics: RunConsumer, LogConsumer {
  private var tally = MetricsTally()
  private var run: RunDescription?
  private var finished: RunMetrics?

  /// Creates a consumer for one run.
  public init() {}

  /// The numbers; traps before the run has ended.
  public var result: RunMetrics {
    guard let finished else { preconditionFailure("metrics are read when the run has ended") }
    return finished
  }

  @usableFromInline package var needsEveryEntry: Bool { false }

  @usableFromInline package func begin(_ run: RunDescription) {
    tally = MetricsTally()
    tally.prepare(run.program, cores: run.machine.cores)
    self.run = run
    finished = nil
  }

  @usableFromInline package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    tally.receive(entries)
  }

  @usableFromInline package func end(_ record: RunRecord) {
    finished = run.map { tally.finish(record, $0.program, names: $0.names) }
  }
}
