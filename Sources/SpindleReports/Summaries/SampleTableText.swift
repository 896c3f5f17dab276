package import SpindleModel

/// The samples of a run as a table, to be read by people and programs.
package struct SampleTableText: RunTableText {
  private let table: SampleTable

  /// Creates the texts of a table whose run has ended.
  package init(_ table: SampleTable) { self.table = table }

  package func table(style: TextStyle) -> String {
    if table.rows.isEmpty { return "no samples\n" }
    var text = TextTable(columns: [.init("sample", .left), .init("time"), .init("value")])
    for row in table.rows.prefix(Self.mostRows) {
      text.add([table.key(of: row), row.time.description, table.value(of: row)])
    }
    var lines = Self.lines(text, style: style)
    if let rest = Self.rest(of: table.rows.count, "sample") { lines.append(rest) }
    return lines.joined(separator: "\n") + "\n"
  }

  package var csvTitle: [String] { ["sample", "time [ns]", "value", "unit"] }

  package func csv(behind fields: [String]) -> String {
    table.rows.map { row in
      CSVText.line(
        fields + [
          table.key(of: row), "\(row.time.nanoseconds)", number(row).text,
          row.format.unit.symbol ?? "",
        ])
    }.joined()
  }

  package var markdown: String {
    let head = MarkdownText.row(["sample", "time", "value"]) + "|:--|--:|--:|\n"
    return head
      + table.rows.map { row in
        MarkdownText.row([table.key(of: row), row.time.description, table.value(of: row)])
      }.joined()
  }

  package func json(label: String, _ outcome: Outcome, cut: RunCut?) -> String {
    let rows = table.rows.map { row -> JSONValue in
      .object([
        ("name", .string(table.key(of: row))), ("timeNanoseconds", .integer(row.time.nanoseconds)),
        ("value", number(row).json),
        ("unit", row.format.unit.symbol.map { .string($0) } ?? .null),
      ])
    }
    return Self.object(of: RunTableSubject.samples.rawValue, label, outcome, cut, rows: rows)
  }

  private func number(_ row: SampleTable.Row) -> PlainNumber {
    row.format.unit.plain(Double(row.value), exactly: row.value)
  }
}

extension SampleTable: RunTable {
  package var text: any RunTableText { SampleTableText(self) }
}

extension ValueFormat {
  /// What its numbers are, where they are samples.
  fileprivate var unit: MeasureUnit {
    switch self {
    case .duration, .instant: .duration
    case .size: .size
    case .decimal: .decimal
    case .integer, .boolean, .string, .symbol, .thread, .object, .array, .quoted: .count
    }
  }
}
