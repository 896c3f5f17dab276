public import SpindleModel

/// A run's intervals as JSON, one object a line; a member that has no value is left out.
public final class JSONLinesExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var tally = IntervalTally { JSONValue.string($0).text }

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  public func begin(_ run: RunDescription) { tally.begin(run) }
  public func threadBegan(_ thread: ThreadFacts) { tally.threadBegan(thread) }
  public func laneBegan(_ lane: LaneFacts) { tally.names.add(lane) }
  public func stateBegan(_ slice: ThreadSlice) { tally.stateBegan(slice) }
  public func itemSubmitted(_ item: ItemSlice) { tally.itemSubmitted(item) }
  public func itemStarted(_ item: ItemSlice) { tally.itemStarted(item) }
  public func holdBegan(_ hold: HoldSlice) { tally.holdBegan(hold) }
  public func stateEnded(_ slice: ThreadSlice) { add(tally.row(slice)) }
  public func itemEnded(_ item: ItemSlice) { add(tally.row(item)) }
  public func spanEnded(_ span: SpanSlice) { add(tally.row(span)) }
  public func holdEnded(_ hold: HoldSlice) { add(tally.row(hold)) }
  public func end(_ record: RunRecord) { write(lines.take()[...]) }

  private func add(_ row: IntervalRow) {
    lines.write("{\"sort\": \"")
    lines.write(row.sort)
    lines.write("\"")
    member(1, row.name)
    member(2, row.thread)
    member(3, row.core)
    if let state = row.state {
      key(4)
      lines.write("\"")
      lines.write(state)
      lines.write("\"")
    }
    member(5, row.began)
    member(6, row.ended)
    member(7, row.from)
    member(8, row.to)
    member(9, row.by)
    member(10, row.item)
    member(11, row.queue)
    member(12, row.place.map { "\"\($0)\"" })
    lines.write("}\n")
    if lines.count >= LogLines.chunkSize { write(lines.take()[...]) }
  }

  private func key(_ column: Int) {
    lines.write(", \"")
    lines.write(IntervalRow.columns[column])
    lines.write("\": ")
  }

  private func member(_ column: Int, _ text: String?) {
    guard let text else { return }
    key(column)
    lines.write(text: text)
  }

  private func member(_ column: Int, _ number: Int64?) {
    guard let number else { return }
    key(column)
    lines.write(number)
  }
}
