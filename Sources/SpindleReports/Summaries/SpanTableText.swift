package import SpindleModel

/// The spans of a run as a table, to be read by people and programs.
package struct SpanTableText: RunTableText {
  private let table: SpanTable

  /// Creates the texts of a table whose run has ended.
  package init(_ table: SpanTable) { self.table = table }

  package func table(style: TextStyle) -> String {
    if table.rows.isEmpty {
      return table.isAsked
        ? "no spans\n" : "no expectation and no '--measure' asks for a span(\"FROM\", \"TO\")\n"
    }
    var text = TextTable(
      columns: [
        .init("from", .left), .init("to", .left), .init("start"), .init("end"), .init("length"),
      ])
    for row in table.rows.prefix(Self.mostRows) { text.add(cells(row)) }
    var lines = Self.lines(text, style: style)
    if let rest = Self.rest(of: table.rows.count, "span") { lines.append(rest) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func cells(_ row: SpanTable.Row) -> [String] {
    [
      row.span.start, row.name, row.start.description, row.end.description, row.length.description,
    ]
  }

  package var csvTitle: [String] { ["from", "to", "start [ns]", "end [ns]", "length [ns]"] }

  package func csv(behind fields: [String]) -> String {
    table.rows.map { row in
      CSVText.line(
        fields + [
          row.span.start, row.name, "\(row.start.nanoseconds)", "\(row.end.nanoseconds)",
          "\(row.length.rawValue)",
        ])
    }.joined()
  }

  package var markdown: String {
    let head =
      MarkdownText.row(["from", "to", "start", "end", "length"]) + "|:--|:--|--:|--:|--:|\n"
    return head + table.rows.map { MarkdownText.row(cells($0)) }.joined()
  }

  package func json(label: String, _ outcome: Outcome, cut: RunCut?) -> String {
    let rows = table.rows.map { row -> JSONValue in
      .object([
        ("from", .string(row.span.start)), ("to", .string(row.name)),
        ("startNanoseconds", .integer(row.start.nanoseconds)),
        ("endNanoseconds", .integer(row.end.nanoseconds)),
        ("lengthNanoseconds", .integer(row.length.rawValue)),
      ])
    }
    return Self.object(of: RunTableSubject.spans.rawValue, label, outcome, cut, rows: rows)
  }
}

extension SpanTable: RunTable {
  package var text: any RunTableText { SpanTableText(self) }
}
