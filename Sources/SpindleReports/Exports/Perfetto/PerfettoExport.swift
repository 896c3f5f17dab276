import SpindleModel

/// A run as Perfetto's own file, for ui.perfetto.dev and its trace processor.
///
/// Times are those of the run and one second, since tools take 0 for unknown.
final class PerfettoExport: TimelineConsumer {
  private let write: (ArraySlice<UInt8>) -> Void
  private var writer = PerfettoWriter()

  init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  func begin(_ run: RunDescription) { writer.begin(run) }

  func threadBegan(_ thread: ThreadFacts) { writer.threadBegan(thread) }

  func laneBegan(_ lane: LaneFacts) { writer.laneBegan(lane) }

  func stateBegan(_ slice: ThreadSlice) {
    writer.stateBegan(slice)
    flushIfFull()
  }

  func stateEnded(_ slice: ThreadSlice) { writer.stateEnded(slice) }

  func itemSubmitted(_ item: ItemSlice) {
    writer.itemSubmitted(item)
    flushIfFull()
  }

  func itemStarted(_ item: ItemSlice) { writer.itemStarted(item) }

  func itemEnded(_ item: ItemSlice) { writer.itemEnded(item) }

  func spanBegan(_ span: SpanSlice) {
    writer.spanBegan(span)
    flushIfFull()
  }

  func spanEnded(_ span: SpanSlice) { writer.spanEnded(span) }

  func holdBegan(_ hold: HoldSlice) {
    writer.holdBegan(hold)
    flushIfFull()
  }

  func holdEnded(_ hold: HoldSlice) { writer.holdEnded(hold) }

  func noted(_ note: TimelineNote) {
    writer.noted(note)
    flushIfFull()
  }

  func end(_ record: RunRecord) {
    writer.end(record)
    write(writer.bytes.take()[...])
  }

  @inline(__always)
  private func flushIfFull() {
    if writer.bytes.isFull { write(writer.bytes.take()[...]) }
  }
}
