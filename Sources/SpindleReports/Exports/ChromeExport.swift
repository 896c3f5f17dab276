package import SpindleModel

/// A run as the JSON of Chrome's trace viewer, which most viewers open.
///
/// The cores are a process of their own beside the program's, each with slices of the threads that ran on it.
/// States of threads are events of phase `T`, which older viewers ignore.
///
/// Source: the Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
package final class ChromeExport: TimelineExport {
  private var writer: ChromeWriter

  package init(write: @escaping (ArraySlice<UInt8>) -> Void) { writer = ChromeWriter(hand: write) }

  package func begin(_ run: RunDescription) { writer.begin(run) }
  package func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  package func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  package func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  package func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  package func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  package func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  package func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  package func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  package func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  package func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  package func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  package func noted(_ note: TimelineNote) { writer.noted(note) }
  package func end(_ record: RunRecord) { writer.end(record) }
}
