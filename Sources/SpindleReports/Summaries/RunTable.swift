package import SpindleModel

/// What `--table` can have a row for.
package enum RunTableSubject: String, CaseIterable, Sendable {
  case threads, items, samples, spans

  /// A table of one run, still empty.
  package var table: any RunTable {
    switch self {
    case .threads: TurnaroundTable(of: .threads)
    case .items: TurnaroundTable(of: .items)
    case .samples: SampleTable()
    case .spans: SpanTable()
    }
  }
}

/// A table that is collected from the log of a run.
package protocol RunTable: LogConsumer {
  /// How it is written, when the run has ended.
  var text: any RunTableText { get }
}

/// A table of a run in each of its forms.
package protocol RunTableText {
  /// The titles of the columns of `csv`, for several tables below each other.
  var csvTitle: [String] { get }
  /// A table in the Markdown of GitHub, with exact values.
  var markdown: String { get }
  /// For people.
  func table(style: TextStyle) -> String
  /// A line for each row behind the fields that identify the run.
  func csv(behind fields: [String]) -> String
  /// An object, without a line break at the end.
  func json(label: String, _ outcome: Outcome, cut: RunCut?) -> String
}

extension RunTableText {
  /// That a run did not finish, so that its table is only of a part: with message and place; nil of one that did.
  package static func ending(
    _ metrics: RunMetrics, cut: RunCut?, _ source: SourceText
  ) -> String? {
    if metrics.outcome.kind == .finished && cut == nil { return nil }
    let words =
      cut?.words(at: metrics.end) ?? FindingLines.outcome(metrics.outcome, at: metrics.end, source)
    return "The table is of a run up to \(metrics.end), which did not finish; outcome: \(words)"
  }
}

extension RunTableText {
  /// How many rows are shown to people.
  static var mostRows: Int { 200 }

  /// The lines of a rendered table, its titles in bold.
  static func lines(_ table: TextTable, style: TextStyle) -> [String] {
    var lines = table.rendered(width: style.width).split(separator: "\n").map(String.init)
    lines[0] = style.paint(lines[0], .bold)
    return lines
  }

  /// That some of `count` rows are not shown; nil where all are.
  static func rest(of count: Int, _ noun: String) -> String? {
    let more = Int64(count - mostRows)
    return more > 0 ? "and \(more.counted("more \(noun)")): --format csv has all" : nil
  }

  /// The object for a table: how its run ended, its rows, and what else is known of it.
  static func object(
    of subject: String, _ label: String, _ outcome: Outcome, _ cut: RunCut?,
    rows: [JSONValue], _ others: [(String, JSONValue)] = []
  ) -> String {
    JSONValue.object(
      [
        ("format", .integer(1)),
        ("run", .string(label)),
        ("outcome", .string(outcome.kind.name)),
        ("message", .string(outcome.message)),
        ("cutOff", cut.map { .string($0.rawValue) } ?? .null),
        ("of", .string(subject)),
        ("rows", .array(rows)),
      ] + others
    ).text
  }
}

extension TurnaroundTable: RunTable {
  package var text: any RunTableText { TurnaroundText(self) }
}
