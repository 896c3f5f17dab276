package import SpindleModel

/// A run as Perfetto's own file, for ui.perfetto.dev and its trace processor.
///
/// Times are those of the run and one second, since tools take 0 for unknown.
package final class PerfettoExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var writer = PerfettoWriter()

  package init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  package func begin(_ run: RunDescription) { writer.begin(run) }

  package func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }

  package func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }

  package func stateBegan(_ slice: ThreadSlice) {
    writer.stateBegan(slice)
    flushIfFull()
  }

  package func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }

  package func itemSubmitted(_ item: ItemSlice) {
    writer.itemSubmitted(item)
    flushIfFull()
  }

  package func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }

  package func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }

  package func spanBegan(_ span: SpanSlice) {
    writer.spanBegan(span)
    flushIfFull()
  }

  package func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }

  package func holdBegan(_ hold: HoldSlice) {
    writer.holdBegan(hold)
    flushIfFull()
  }

  package func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }

  package func noted(_ note: TimelineNote) {
    writer.noted(note)
    flushIfFull()
  }

  package func end(_ record: RunRecord) {
    writer.end(record)
    write(writer.bytes.take()[...])
  }

  @inline(__always)
  private func flushIfFull() {
    if writer.bytes.isFull { write(writer.bytes.take()[...]) }
  }
}
