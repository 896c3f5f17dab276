import SpindleModel

/// A run as the JSON of Chrome's trace viewer, which most viewers open.
///
/// The cores are a process of their own beside the program's, each with slices of the threads that ran on it.
/// States of threads are events of phase `T`, which older viewers ignore.
///
/// Source: the Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
final class ChromeExport: TimelineConsumer {
  private var writer: ChromeWriter

  init(write: @escaping (ArraySlice<UInt8>) -> Void) { writer = ChromeWriter(hand: write) }

  func begin(_ run: RunDescription) { writer.begin(run) }
  func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  func noted(_ note: TimelineNote) { writer.noted(note) }
  func end(_ record: RunRecord) { writer.end(record) }
}
