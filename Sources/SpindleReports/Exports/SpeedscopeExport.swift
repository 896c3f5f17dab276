package import SpindleModel

/// A run as speedscope opens it: for each thread what it was about, and inside of that for what it waited.
///
/// What a thread is about is called after its kind, so that all items of a kind are summed up. What takes
/// no time is left out. The format wants all events of a thread side by side, so those of threads that
/// live are kept until they end: the only export whose memory is not that of the live state.
/// Source of the form: jlfwong/speedscope:src/lib/file-format-spec.ts.
package final class SpeedscopeExport: TimelineExport {
  private var writer: SpeedscopeWriter

  package init(write: @escaping (ArraySlice<UInt8>) -> Void) {
    writer = SpeedscopeWriter(hand: write)
  }

  package func begin(_ run: RunDescription) { writer.begin(run) }
  package func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  package func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  package func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  package func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  package func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }
  package func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  package func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  package func end(_ record: RunRecord) { writer.end(record) }
}
