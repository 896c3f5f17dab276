package import SpindleModel

/// A table of turnaround times, to be read by people and programs.
package struct TurnaroundText: RunTableText {
  private let table: TurnaroundTable

  private static let titles = [
    "arrival", "first run", "completion", "turnaround", "response", "waiting", "ran",
  ]

  /// Creates the texts of a table whose run has ended.
  package init(_ table: TurnaroundTable) { self.table = table }

  private var noun: String { table.subject == .threads ? "thread" : "item" }

  // MARK: For people

  /// The table with its means; moments and lengths are exact where there is room for that.
  package func table(style: TextStyle) -> String {
    if table.rows.isEmpty { return "no \(noun)s\n" }
    let exact = text { Nanoseconds($0).description }
    let shown =
      exact.naturalWidth <= style.width ? exact : text { Nanoseconds($0).approximate }
    var text = Self.lines(shown, style: style).joined(separator: "\n") + "\n"
    for note in notes {
      text += style.wrapped(note, indent: "").joined(separator: "\n") + "\n"
    }
    return text
  }

  private func text(_ written: (Int64) -> String) -> TextTable {
    var text = TextTable(
      columns: [.init(noun, .left)] + TurnaroundText.titles.map { TextTable.Column($0) })
    for row in table.rows.prefix(Self.mostRows) {
      text.add([row.name] + values(row).map { $0.map(written) ?? "-" })
    }
    text.add(["mean", "", "", ""] + means.map { $0.map(written) ?? "-" })
    return text
  }

  private var notes: [String] {
    var notes: [String] = []
    let means = table.means
    if let rest = Self.rest(of: table.rows.count, noun) { notes.append(rest) }
    if means.count < table.rows.count {
      let isMainOut = means.count == table.rows.count { $0.completion != nil && !$0.isMain }
      let hasMain = table.rows.contains(where: \.isMain)
      notes.append(
        "Means over \(Int64(means.count).counted(noun)) that completed"
          + (isMainOut && hasMain ? ", without main." : "."))
    }
    if table.subject == .items && table.neverBegan > 0 {
      notes.append("\(table.neverBegan.counted("item")) never began.")
    }
    return notes
  }

  private func values(_ row: TurnaroundTable.Row) -> [Int64?] {
    [
      row.arrival, row.firstRun, row.completion, row.turnaround, row.response, row.waiting, row.ran,
    ]
  }

  private var means: [Int64?] {
    let means = table.means
    return [means.turnaround, means.response, means.waiting, means.ran]
  }

  // MARK: For programs

  /// The titles of the columns of `csv`, for several tables below each other.
  package var csvTitle: [String] {
    [noun] + TurnaroundText.titles.map { "\($0) [ns]" }
  }

  /// A line for each row, in nanoseconds, behind the fields that identify the run.
  package func csv(behind fields: [String]) -> String {
    var text = ""
    for row in table.rows {
      text += CSVText.line(fields + [row.name] + values(row).map { $0.map { "\($0)" } ?? "" })
    }
    return text
  }

  /// A table in the Markdown of GitHub, with exact times.
  package var markdown: String {
    func cells(_ name: String, _ values: [Int64?]) -> String {
      MarkdownText.row([name] + values.map { $0.map { Nanoseconds($0).description } ?? "-" })
    }
    var text = MarkdownText.row([noun] + TurnaroundText.titles)
    text += "|:--" + String(repeating: "|--:", count: TurnaroundText.titles.count) + "|\n"
    for row in table.rows { text += cells(row.name, values(row)) }
    let blank = MarkdownText.row(
      ["mean", "", "", ""]
        + means.map {
          $0.map { Nanoseconds($0).description } ?? "-"
        })
    return text + blank
  }

  /// An object, without a line break at the end.
  package func json(label: String, _ outcome: Outcome, cut: RunCut?) -> String {
    func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    let names = [
      "arrivalNanoseconds", "firstRunNanoseconds", "completionNanoseconds",
      "turnaroundNanoseconds", "responseNanoseconds", "waitingNanoseconds", "ranNanoseconds",
    ]
    let rows = table.rows.map { row -> JSONValue in
      .object([("name", .string(row.name))] + zip(names, values(row)).map { ($0, number($1)) })
    }
    return Self.object(
      of: table.subject.rawValue, label, outcome, cut, rows: rows,
      [
        ("meansOver", .integer(Int64(table.means.count))),
        ("means", .object(zip(names.dropFirst(3), means).map { ($0, number($1)) })),
        ("neverBegan", .integer(table.subject == .items ? table.neverBegan : 0)),
      ])
  }
}
