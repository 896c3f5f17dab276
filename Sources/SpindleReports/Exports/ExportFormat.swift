/// The formats that a run can be exported in; the raw value is the name on the command line.
///
/// An export is written from the run's timeline during the run: for a viewer, for a spreadsheet. It passes its bytes on
/// as it creates them, so that a run of any length needs the memory of its live state. Equal runs give equal bytes.
/// When its `end` returns, the file is complete.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// Perfetto's own: cores, threads, wakers, items, queues, findings.
  case perfetto
  /// Chrome's JSON: threads, items, arrows, counters; opens in most viewers.
  case chrome
  /// A table of intervals for spreadsheets.
  case csv
  /// The same intervals as JSON, one object a line.
  case jsonl

  /// Takes the bytes of a file, piece by piece.
  package typealias Sink = (ArraySlice<UInt8>) -> Void

  /// The properties of a format; each has its row.
  private struct Facts {
    /// How the names of its files end, with the point; the first is the usual one.
    let endings: [String]
    /// What it is for, in a phrase.
    let summary: String
    /// Makes it.
    let make: (@escaping Sink) -> any TimelineConsumer
  }

  private var facts: Facts {
    switch self {
    case .perfetto:
      Facts(
        endings: [".pftrace", ".perfetto-trace"],
        summary: "all of it, for ui.perfetto.dev",
        make: PerfettoExport.init(write:))
    case .chrome:
      Facts(
        endings: [".json"], summary: "JSON for Chrome's and most other viewers",
        make: ChromeExport.init(write:))
    case .csv:
      Facts(
        endings: [".csv"], summary: "intervals as a table",
        make: { IntervalExport(as: .csv, write: $0) })
    case .jsonl:
      Facts(
        endings: [".jsonl", ".ndjson"], summary: "intervals as JSON, one a line",
        make: { IntervalExport(as: .json, write: $0) })
    }
  }

  /// The format of a file of this name, by its suffix; nil for an unknown one.
  package init?(fileName: String) {
    let found = ExportFormat.allCases.first { format in
      format.facts.endings.contains { fileName.hasSuffix($0) }
    }
    guard let found else { return nil }
    self = found
  }

  /// How the names of its files end, with the point; the first is the usual one.
  package var endings: [String] { facts.endings }

  /// What it is for, in a phrase.
  package var summary: String { facts.summary }

  /// Creates an export that passes its bytes to `write`, piece by piece.
  package func makeExport(write: @escaping Sink) -> any TimelineConsumer { facts.make(write) }
}
