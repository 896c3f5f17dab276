/// A file that is written from a run's timeline during the run: for a viewer, for a spreadsheet.
///
/// It passes its bytes on as it creates them, so that a run of any length needs the memory of its live state.
/// Equal runs give equal bytes. When `end` returns, the file is complete.
package protocol TimelineExport: TimelineConsumer {
  /// Creates an export that passes its bytes to `write`, piece by piece.
  init(write: @escaping (ArraySlice<UInt8>) -> Void)
}

/// The formats that a run can be exported in; the raw value is the name on the command line.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// Perfetto's own: cores, threads, wakers, items, queues, findings.
  case perfetto
  /// Chrome's JSON: threads, items, arrows, counters; opens in most viewers.
  case chrome
  /// A table of intervals for spreadsheets.
  case csv
  /// The same intervals as JSON, one object a line.
  case jsonl

  /// The properties of a format; each has its row.
  private struct Facts {
    /// How the names of its files end, with the point; the first is the usual one.
    let endings: [String]
    /// What it is for, in a phrase.
    let summary: String
    /// What makes it.
    let export: any TimelineExport.Type
  }

  private var facts: Facts {
    switch self {
    case .perfetto:
      Facts(
        endings: [".pftrace", ".perfetto-trace"],
        summary: "all of it, for ui.perfetto.dev",
        export: PerfettoExport.self)
    case .chrome:
      Facts(
        endings: [".json"], summary: "JSON for Chrome's and most other viewers",
        export: ChromeExport.self)
    case .csv:
      Facts(
        endings: [".csv"], summary: "intervals as a table",
        export: CSVExport.self)
    case .jsonl:
      Facts(
        endings: [".jsonl", ".ndjson"], summary: "intervals as JSON, one a line",
        export: JSONLinesExport.self)
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
  package func makeExport(write: @escaping (ArraySlice<UInt8>) -> Void) -> any TimelineExport {
    facts.export.init(write: write)
  }
}
