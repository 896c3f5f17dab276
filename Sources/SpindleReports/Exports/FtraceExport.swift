package import SpindleModel

/// A run as the text of the kernel's tracer, for tools that read traces of Linux.
///
/// Times have nine digits behind the point, so that nothing is lost; most readers take them.
///
/// Source: torvalds/linux:Documentation/trace/ftrace.rst, and include/trace/events/sched.h for the
/// events' fields.
package final class FtraceExport: TimelineExport {
  private var writer: FtraceWriter

  package init(write: @escaping (ArraySlice<UInt8>) -> Void) { writer = FtraceWriter(hand: write) }

  package func begin(_ run: RunDescription) { writer.begin(run) }
  package func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  package func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  package func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  package func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  package func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  package func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  package func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  package func noted(_ note: TimelineNote) { writer.noted(note) }
  package func end(_ record: RunRecord) { writer.end(record) }
}
