public import SpindleModel

/// A run as the text of the kernel's tracer, for tools that read traces of Linux.
///
/// Times have nine digits behind the point, so that nothing is lost; most readers take them.
///
/// Source: torvalds/linux:Documentation/trace/ftrace.rst, and include/trace/events/sched.h for the
/// events' fields.
public final class FtraceExport: TimelineExport {
  private var writer: FtraceWriter

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { writer = FtraceWriter(hand: write) }

  public func begin(_ run: RunDescription) { writer.begin(run) }
  public func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }
  public func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }
  public func stateBegan(_ slice: ThreadSlice) { writer.stateBegan(slice) }
  public func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }
  public func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }
  public func spanBegan(_ span: SpanSlice) { writer.spanBegan(span) }
  public func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }
  public func noted(_ note: TimelineNote) { writer.noted(note) }
  public func end(_ record: RunRecord) { writer.end(record) }
}
