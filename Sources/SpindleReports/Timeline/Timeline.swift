public import SpindleModel

/// Makes a run's timeline of its log: who ran where and why, what waited for whom, and until when.
///
/// It keeps what is open only: threads that live, items that have not ended, locks that are held. So a
/// run of any length needs the memory of its live state. A run that nobody asks for its timeline has
/// none of this.
public final class Timeline: LogConsumer {
  private let consumer: any TimelineConsumer
  private var tally: TimelineTally

  /// Creates a timeline of one run, which `consumer` gets.
  public init(_ consumer: any TimelineConsumer) {
    self.consumer = consumer
    tally = TimelineTally(consumer)
  }

  public func begin(_ run: RunDescription) {
    tally = TimelineTally(consumer)
    tally.prepare(run)
    consumer.begin(run)
  }

  public func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    tally.receive(entries)
  }

  public func end(_ record: RunRecord) {
    tally.finish(at: record.end)
    consumer.end(record)
  }
}
