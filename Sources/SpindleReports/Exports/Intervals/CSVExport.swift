public import SpindleModel

/// A run's intervals as a table, a line each, with the names of its columns in the first.
///
/// Source of the form: RFC 4180, with line feeds alone.
public final class CSVExport: TimelineExport {
  private var writer: IntervalWriter

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) {
    writer = IntervalWriter(isJSON: false, CSVText.quoted, hand: write)
  }

  public func begin(_ run: RunDescription) { writer.begin(run) }
  public func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  public func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  public func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  public func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  public func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  public func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  public func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  public func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  public func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  public func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  public func end(_ record: RunRecord) { writer.end() }
}
