import SpindleModel

/// A comparison as a table in HTML: a row for each variant, with its difference to the first.
struct ComparisonSection {
  private let report: ComparisonReport
  private var comparison: Comparison { report.comparison }

  /// How many variants have a row.
  private static let rowLimit = 500

  /// The section of a comparison.
  init(_ report: ComparisonReport) { self.report = report }

  /// The table and its remarks.
  var markup: String {
    var html = HTMLText()
    let table = ComparisonTable(report)
    html.add("<section id=\"comparison\"><h2>Variants</h2>\n<div class=\"wide\"><table><tr>")
    html.add("th", "variant")
    let hasEndings = comparison.variants.contains { !$0.isWhole }
    if hasEndings { html.add("th", "outcome") }
    for column in comparison.columns { html.add("th", column.title) }
    html.add("</tr>\n")
    for variant in report.order.prefix(ComparisonSection.rowLimit) {
      html.add("<tr>")
      html.add("td", table.name(variant))
      let given = comparison.variants[variant]
      if hasEndings { html.add("td", given.ending, class: given.isWhole ? "" : "bad") }
      for column in comparison.columns.indices {
        if given.isRefused {
          html.add("<td></td>")
          continue
        }
        let isBest = report.best[column].contains(variant)
        html.add(isBest ? "<td class=\"best\">" : "<td>")
        html.add(HTMLText.escaped(table.value(column, variant)))
        let difference =
          variant > 0 ? ComparisonTable.difference(comparison, column, variant) : "-"
        if difference != "-" { html.add("small", difference) }
        html.add("</td>")
      }
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    let left = comparison.variants.count - ComparisonSection.rowLimit
    if left > 0 { html.add("p", "and \(Int64(left).counted("more variant"))", class: "dim") }
    if comparison.variants.count > 1 {
      html.add(
        "p", "Bold: the best of its column. Small: the difference to the first.",
        class: "dim")
    }
    for remark in report.remarks { html.add("p", remark) }
    html.add("</section>\n")
    return html.text
  }
}
