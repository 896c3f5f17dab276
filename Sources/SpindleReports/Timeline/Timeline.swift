public import SpindleModel

/// Builds a run's timeline from its log: which thread ran where and why, what waited for what, and until
/// when.
///
/// It keeps only what is open: live threads, items that have not ended, locks that are held. So a run of any
/// length needs the memory of its live state. A run without a consumer of its timeline has none of this.
public final class Timeline: RunConsumer, LogConsumer {
  private let consumer: any TimelineConsumer
  private var tally: TimelineTally

  /// Creates a timeline of one run, which `consumer` gets.
  public init(_ consumer: any TimelineConsumer) {
    self.consumer = consumer
    tally = TimelineTally(consumer)
  }

  @usableFromInline package func begin(_ run: RunDescription) {
    tally = TimelineTally(consumer)
    tally.prepare(run)
    consumer.begin(run)
  }

  @usableFromInline package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    tally.receive(entries)
  }

  @usableFromInline package func end(_ record: RunRecord) {
    tally.finish(at: record.end)
    consumer.end(record)
  }
}
