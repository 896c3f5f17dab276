public import SpindleModel

/// A run as Perfetto's own file, for ui.perfetto.dev and its trace processor.
///
/// Times are those of the run and one second, since tools take 0 for unknown.
public final class PerfettoExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var writer = PerfettoWriter()

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  public func begin(_ run: RunDescription) { writer.begin(run) }

  public func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }

  public func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }

  public func stateBegan(_ slice: ThreadSlice) {
    writer.stateBegan(slice)
    flushIfFull()
  }

  public func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }

  public func itemSubmitted(_ item: ItemSlice) {
    writer.itemSubmitted(item)
    flushIfFull()
  }

  public func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }

  public func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }

  public func spanBegan(_ span: SpanSlice) {
    writer.spanBegan(span)
    flushIfFull()
  }

  public func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }

  public func holdBegan(_ hold: HoldSlice) {
    writer.holdBegan(hold)
    flushIfFull()
  }

  public func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }

  public func noted(_ note: TimelineNote) {
    writer.noted(note)
    flushIfFull()
  }

  public func end(_ record: RunRecord) {
    writer.end(record)
    write(writer.bytes.take()[...])
  }

  @inline(__always)
  private func flushIfFull() {
    if writer.bytes.isFull { write(writer.bytes.take()[...]) }
  }
}
