public import SpindleModel

/// A run as speedscope opens it: for each thread what it was about, and inside of that for what it waited.
///
/// What a thread is about is called after its kind, so that all items of a kind are summed up. What takes
/// no time is left out. The format wants all events of a thread side by side, so those of threads that
/// live are kept until they end: the only export whose memory is not that of the live state.
/// Source of the form: jlfwong/speedscope:src/lib/file-format-spec.ts.
public final class SpeedscopeExport: TimelineExport {
  private var writer: SpeedscopeWriter

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) {
    writer = SpeedscopeWriter(hand: write)
  }

  public func begin(_ run: RunDescription) { writer.begin(run) }
  public func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  public func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  public func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  public func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  public func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  public func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  public func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  public func end(_ record: RunRecord) { writer.end(record) }
}
