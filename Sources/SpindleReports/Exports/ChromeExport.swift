public import SpindleModel

/// A run as the JSON of Chrome's trace viewer, which most viewers open.
///
/// The cores are a process of their own beside the program's, each with slices of the threads that ran on it.
/// States of threads are events of phase `T`, which older viewers ignore.
///
/// Source: the Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
public final class ChromeExport: TimelineExport {
  private var writer: ChromeWriter

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { writer = ChromeWriter(hand: write) }

  public func begin(_ run: RunDescription) { writer.begin(run) }
  public func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  public func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  public func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  public func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  public func itemSubmitted(_ item: ItemSlice) { writer.itemSubmitted(item) }
  public func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  public func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  public func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  public func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  public func holdBegan(_ hold: HoldSlice) { writer.holdBegan(hold) }
  public func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }
  public func noted(_ note: TimelineNote) { writer.noted(note) }
  public func end(_ record: RunRecord) { writer.end(record) }
}
