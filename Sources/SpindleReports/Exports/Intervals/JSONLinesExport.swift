package import SpindleModel

/// A run's intervals as JSON, one object a line; a member that has no value is left out.
package final class JSONLinesExport: TimelineExport {
  private var writer: IntervalWriter

  package init(write: @escaping (ArraySlice<UInt8>) -> Void) {
    writer = IntervalWriter(isJSON: true, { JSONValue.string($0).text }, hand: write)
  }

  package func begin(_ run: RunDescription) { writer.begin(run) }
  package func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  package func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  package func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  package func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  package func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  package func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  package func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  package func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  package func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  package func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  package func end(_ record: RunRecord) { writer.end() }
}
