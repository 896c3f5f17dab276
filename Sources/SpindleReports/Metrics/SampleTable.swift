package import SpindleModel

/// Keeps each `sample` of a run: its key, its value, and when it was taken.
///
/// A class, since the simulator gets it and the caller reads it. It keeps a row for each sample.
package final class SampleTable: LogConsumer {
  /// A sample.
  struct Row {
    var key: NameID
    var time: Instant
    var value: Int64
    var format: ValueFormat
  }

  /// The samples in the order of the log.
  private(set) var rows: [Row] = []
  private var names = NameTable([])

  /// Creates a table of one run.
  package init() {}

  package var needsEveryEntry: Bool { false }

  package func begin(_ run: RunDescription) { (rows, names) = ([], run.names) }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries where entry.event == .sampled {
      rows.append(
        Row(
          key: NameID(Int(entry.object)), time: Instant(entry.time), value: entry.value,
          format: ValueFormat(rawValue: entry.detail) ?? .integer))
    }
  }

  package func end(_ record: RunRecord) {}

  /// The key of a row.
  func key(of row: Row) -> String { names.text(row.key) }

  /// The value of a row, exactly as the trace language writes it.
  func value(of row: Row) -> String { ValueText.text(row.value, row.format, names) }
}
