import SpindleModel

/// Writes a sweep as comma-separated values: a line for each run, in nanoseconds and bytes.
package final class SweepCSV: SweepWriter {
  private let header: SweepHeader

  /// Creates a writer.
  package init(_ header: SweepHeader) { self.header = header }

  package func begin() -> String {
    CSVText.line(
      header.axes.map(\.name) + ["seed", "outcome"] + header.columns.map(CSVText.title))
  }

  package func add(_ cell: SweepCell) -> String {
    let settings = header.settings(of: cell.index)
    return cell.runs.map { run in
      let values = zip(header.columns, run.values).map { CSVText.field($1, $0.unit) }
      return CSVText.line(settings + ["\(run.seed)", run.ending] + values)
    }.joined()
  }

  package func end() -> String { "" }
}

/// Writes a sweep as one object of JSON.
package final class SweepJSON: SweepWriter {
  private let header: SweepHeader
  private var isFirst = true

  /// Creates a writer.
  package init(_ header: SweepHeader) { self.header = header }

  package func begin() -> String {
    let axes = header.axes.map { axis -> JSONValue in
      .object([
        ("name", .string(axis.name)), ("values", .array(axis.values.map { .string($0) })),
      ])
    }
    let text = JSONValue.object([
      ("format", .integer(1)), ("trace", .string(header.trace)), ("axes", .array(axes)),
      ("measures", .array(header.columns.map { JSONText.value($0) })),
    ]).text
    return text.dropLast(2) + ",\n  \"cells\": ["
  }

  package func add(_ cell: SweepCell) -> String {
    let runs = cell.runs.map { run -> JSONValue in
      let values = zip(header.columns, run.values).map { JSONText.value($1, $0.unit) }
      return .object([
        ("seed", .string("\(run.seed)")), ("outcome", .string(run.outcome.name)),
        ("isCutOff", .boolean(run.isCut)), ("values", .array(values)),
      ])
    }
    let settings = zip(header.axes, header.settings(of: cell.index)).map { axis, value in
      (key: axis.name, value: JSONValue.string(value))
    }
    let text = JSONValue.object([("settings", .object(settings)), ("runs", .array(runs))]).text
    let start = isFirst ? "\n    " : ",\n    "
    isFirst = false
    return start + text.split(separator: "\n").joined(separator: "\n    ")
  }

  package func end() -> String { isFirst ? "]\n}\n" : "\n  ]\n}\n" }
}

/// Writes a sweep as a table in the Markdown of GitHub: means over the seeds.
package final class SweepMarkdown: SweepWriter {
  private let header: SweepHeader

  /// Creates a writer.
  package init(_ header: SweepHeader) { self.header = header }

  package func begin() -> String {
    let titles = header.axes.map(\.name) + header.columns.map(\.measure)
    let left = String(repeating: "|:--", count: header.axes.count)
    let right = String(repeating: "|--:", count: header.columns.count)
    return MarkdownText.row(titles) + left + right + "|\n"
  }

  package func add(_ cell: SweepCell) -> String {
    let values = header.columns.indices.map { cell.text($0, header.columns[$0]) }
    return MarkdownText.row(header.settings(of: cell.index) + values)
  }

  package func end() -> String { "" }
}
