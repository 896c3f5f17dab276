import SpindleModel

/// A comparison for spreadsheets and pages.
struct ComparisonLists {
  private let report: ComparisonReport
  private var comparison: Comparison { report.comparison }

  init(_ report: ComparisonReport) { self.report = report }

  /// One line for each run: variant, what varies, seed, how it ended, and the numbers in nanoseconds
  /// and bytes.
  var csv: String {
    var titles = ["variant"] + comparison.settingNames + ["seed", "outcome"]
    titles += comparison.columns.map(CSVText.title)
    if !report.front.isEmpty { titles.append("front") }
    var text = CSVText.line(titles)
    for index in report.order {
      let variant = comparison.variants[index]
      for run in variant.runs {
        var fields = [variant.label] + variant.settings + ["\(run.seed)"]
        fields.append(run.isCut ? "cut off" : run.outcome.name)
        fields += zip(comparison.columns, run.values).map { CSVText.field($1, $0.unit) }
        if !report.front.isEmpty { fields.append(report.front.contains(index) ? "1" : "0") }
        text += CSVText.line(fields)
      }
    }
    return text
  }

  /// A table in the Markdown of GitHub: means, with the difference to the first variant behind them.
  var markdown: String {
    let table = ComparisonTable(report)
    var text = MarkdownText.row(["variant"] + comparison.columns.map(\.title))
    text += "|:--" + String(repeating: "|--:", count: comparison.columns.count) + "|\n"
    for variant in report.order {
      let cells = comparison.columns.indices.map { column in
        let value = table.value(column, variant)
        let mark = report.best[column].contains(variant) ? "**\(value)**" : value
        guard variant > 0 else { return mark }
        let difference = ComparisonTable.difference(comparison, column, variant)
        return difference.isEmpty || difference == "-" ? mark : "\(mark) (\(difference))"
      }
      text += MarkdownText.row([table.label(variant)] + cells)
    }
    return text
  }
}
