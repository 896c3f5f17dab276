import SpindleModel

/// A run's intervals, a line each, in one of two forms.
final class IntervalExport: TimelineConsumer {
  private var writer: IntervalWriter

  /// Creates an export that passes its bytes to `write`, piece by piece.
  init(as form: IntervalWriter.Form, write: @escaping (ArraySlice<UInt8>) -> Void) {
    writer = IntervalWriter(form, hand: write)
  }

  func begin(_ run: RunDescription) { writer.begin(run) }
  func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  func end(_ record: RunRecord) { writer.end() }
}
