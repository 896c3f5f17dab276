public import SpindleModel

/// A run's intervals as a table, a line each, with the names of its columns in the first.
///
/// Source of the form: RFC 4180, with line feeds alone.
public final class CSVExport: TimelineExport {
  private let write: (ArraySlice<UInt8>) -> Void
  private var lines = LogLines()
  private var tally = IntervalTally(CSVExport.field)

  public init(write: @escaping (ArraySlice<UInt8>) -> Void) { self.write = write }

  /// A text as a field: in quotes where it needs them.
  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  public func begin(_ run: RunDescription) {
    tally.begin(run)
    for (index, column) in IntervalRow.columns.enumerated() {
      if index > 0 { lines.write(",") }
      lines.write(column)
    }
    lines.endLine()
  }

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
    lines.write(row.sort)
    next(row.name)
    next(row.thread)
    next(row.core)
    lines.write(",")
    if let state = row.state { lines.write(state) }
    next(row.began)
    next(row.ended)
    next(row.from)
    next(row.to)
    next(row.by)
    next(row.item)
    next(row.queue)
    next(row.place)
    lines.endLine()
    if lines.count >= LogLines.chunkSize { write(lines.take()[...]) }
  }

  private func next(_ text: String?) {
    lines.write(",")
    if let text { lines.write(text: text) }
  }

  private func next(_ number: Int64?) {
    lines.write(",")
    if let number { lines.write(number) }
  }
}
