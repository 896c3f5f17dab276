package import SpindleModel

/// Keeps each span of a run that its expectations or measures ask for.
///
/// A class, since the simulator gets it and the caller reads it. It keeps a row for each span.
package final class SpanTable: LogConsumer {
  /// A span that is over.
  struct Row {
    var span: Measure.Span
    /// What ended it.
    var name: String
    var start: Instant
    var end: Instant

    var length: Nanoseconds { Nanoseconds(end.nanoseconds - start.nanoseconds) }
  }

  /// The spans in the order of their ends.
  private(set) var rows: [Row] = []
  private var pairings: [(span: Measure.Span, pairing: SpanPairing)] = []
  private var namelessKinds: [[UInt8]] = []
  private var names = NameTable([])

  /// Creates a table of one run.
  package init() {}

  package var needsEveryEntry: Bool { false }

  package func begin(_ run: RunDescription) {
    let program = run.program
    let inquiry = Inquiry(
      program, asked: program.expectations.map(\.condition) + program.measures.map(\.term))
    pairings = inquiry.spans.map { ($0, SpanPairing($0)) }
    namelessKinds = inquiry.namelessKinds.map { Array($0.utf8) }
    (rows, names) = ([], run.names)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      guard let point = SpanPoint(entry, names, namelessKinds: namelessKinds) else { continue }
      for index in pairings.indices {
        let start = pairings[index].pairing.take(
          point.name, begins: point.begins, ends: point.ends, at: entry.time)
        guard let start else { continue }
        rows.append(
          Row(
            span: pairings[index].span, name: String(decoding: point.name, as: UTF8.self),
            start: Instant(start), end: Instant(entry.time)))
      }
    }
  }

  package func end(_ record: RunRecord) {}

  /// Whether a span is asked for.
  var isAsked: Bool { !pairings.isEmpty }
}
