import SpindleModel

/// A comparison as it is shown: in which order, and which variants are marked.
package struct ComparisonReport: Sendable {
  /// The comparison that is shown.
  package let comparison: Comparison
  /// The variants in the order of the report.
  let order: [Int]
  /// The columns whose trade-off is marked; empty when none is.
  let tradeOff: [Int]
  /// The variants on the Pareto front of these columns.
  let front: Set<Int>
  /// By column: the variants that are as good as the best.
  let best: [Set<Int>]
  /// Sentences below the table that the caller knows.
  package var remarks: [String] = []
  /// Whether the text is the table alone, with the problems below it.
  package var isQuiet = false

  /// Creates a report; `sorted` is the column that the variants are sorted by, the best first, and
  /// `tradeOff` are those over which a Pareto front is marked.
  package init(_ comparison: Comparison, sortedBy sorted: Int? = nil, tradeOff: [Int] = []) {
    (self.comparison, self.tradeOff) = (comparison, tradeOff)
    order =
      sorted.map { ComparisonReport.sorted(comparison, by: $0) }
      ?? Array(comparison.variants.indices)
    front = ComparisonReport.front(comparison, tradeOff)
    best = comparison.columns.indices.map { comparison.best($0) }
  }

  /// What a comparison can be written as.
  package enum Format: String, CaseIterable, Sendable {
    case table, csv, markdown, json
  }

  /// The report, each line ended by a line break.
  package func text(_ format: Format, style: TextStyle) -> String {
    switch format {
    case .table: table(style)
    case .csv: ComparisonLists(self).csv
    case .markdown: ComparisonLists(self).markdown
    case .json: JSONText.comparison(self) + "\n"
    }
  }

  /// The variants with the best value of a column first; those that have none, or did not end by
  /// themselves, come last.
  private static func sorted(_ comparison: Comparison, by column: Int) -> [Int] {
    let kind = comparison.columns[column]
    let means = comparison.variants.map { $0.isWhole ? $0.sample(column)?.mean : nil }
    return comparison.variants.indices.sorted { left, right in
      switch (means[left], means[right]) {
      case (let a?, let b?) where a != b: kind.preference == .more ? a > b : a < b
      case (.some, nil): true
      case (nil, .some): false
      default: left < right
      }
    }
  }

  /// The variants that no other equals or beats in all columns and beats in one.
  private static func front(_ comparison: Comparison, _ columns: [Int]) -> Set<Int> {
    guard !columns.isEmpty else { return [] }
    func beats(_ one: [Double], _ other: [Double]) -> Bool {
      let pairs = zip(columns, zip(one, other))
      if pairs.contains(where: { comparison.columns[$0].prefers($1.1, to: $1.0) }) { return false }
      return pairs.contains { comparison.columns[$0].prefers($1.0, to: $1.1) }
    }
    var kept: [(variant: Int, values: [Double])] = []
    for (index, variant) in comparison.variants.enumerated() where variant.isWhole {
      let values = columns.compactMap { variant.sample($0)?.mean }
      guard values.count == columns.count, !kept.contains(where: { beats($0.values, values) })
      else { continue }
      kept.removeAll { beats(values, $0.values) }
      kept.append((index, values))
    }
    return Set(kept.map(\.variant))
  }

  // MARK: Text

  private func table(_ style: TextStyle) -> String {
    guard !comparison.variants.isEmpty else { return "" }
    let table = ComparisonTable(self)
    var text = comparison.columns.isEmpty ? labels(table, style) : table.rendered(style)
    let notes = notes(table)
    if !notes.isEmpty { text += "\n" }
    for note in notes {
      text += style.wrapped(note, indent: "", hanging: "  ").joined(separator: "\n") + "\n"
    }
    return text
  }

  /// The variants alone, where none of the standard columns differs.
  private func labels(_ table: ComparisonTable, _ style: TextStyle) -> String {
    order.flatMap { style.wrapped(table.label($0), indent: "") }.joined(separator: "\n") + "\n"
  }

  private func notes(_ table: ComparisonTable) -> [String] {
    var notes: [String] = []
    // The only result where no column differs.
    if !comparison.equal.isEmpty && (!isQuiet || comparison.columns.isEmpty) {
      let all = comparison.equal.map { "\($0.column.title) \(exact($0.value, $0.column.unit))" }
      notes.append("Equal everywhere: \(all.joined(separator: ", ")).")
    }
    if !isQuiet { notes += legend(table) }
    notes += missingNotes + remarks
    if comparison.variants.contains(where: { !$0.isWhole }) {
      let all = comparison.variants.flatMap(\.runs)
      var ways: [String] = []
      if all.contains(where: { $0.outcome == .refused }) { ways.append("were refused") }
      if all.contains(where: { $0.outcome != .refused && $0.outcome != .finished }) {
        ways.append("did not finish")
      }
      if all.contains(where: \.isCut) { ways.append("were cut off") }
      notes.append("Runs that \(ways.joined(separator: " or ")) are neither ranked nor compared.")
    }
    return notes
  }

  /// What the marks and numbers of the table mean.
  private func legend(_ table: ComparisonTable) -> [String] {
    var notes: [String] = []
    if comparison.variants.count > 1 && !comparison.columns.isEmpty {
      let others = order == Array(order.indices) ? "" : " given, \(comparison.variants[0].label)"
      notes.append(
        (table.hasBest ? "*: the best of its column. " : "")
          + "Behind each value: its difference to the first\(others).")
    }
    notes += statisticsNotes
    if table.hasNoDifference { notes.append("no diff.: no difference, the interval holds 0.") }
    if !front.isEmpty {
      let names = tradeOff.map { comparison.columns[$0].title }.joined(separator: ", ")
      notes.append("◆: no other variant is as good in all of \(names), and better in one.")
    }
    return notes
  }

  private var statisticsNotes: [String] {
    guard comparison.seedCount > 1 else { return [] }
    let count = comparison.seedCount
    if let precision = comparison.precision { return sequentialNotes(precision, count) }
    guard comparison.variants.count > 1 else {
      return ["Means over \(count) seeds; ± is half of their 95% confidence interval."]
    }
    return [
      "Means over \(count) seeds, and differences in pairs on the same random numbers; ± is half of their "
        + "95% confidence interval."
    ]
  }

  private func sequentialNotes(_ precision: Comparison.Precision, _ count: Int) -> [String] {
    let isOne = comparison.variants.count == 1
    let interval = isOne ? "of the means" : "of the differences"
    let promise =
      isOne
      ? "all looks hold with 95%"
      : "over all looks at most 5% of equal variants are reported as different"
    let enough = precision.isReached ? "were enough" : "were not enough"
    return [
      "Means over \(count) seeds\(isOne ? "" : ", and differences in pairs"); ± is half of their confidence "
        + "interval. Seeds were doubled from 8 on until the intervals \(interval) were within \(precision.text); \(count) \(enough). Each look at them has "
        + "an eighth of 5%, so that \(promise)."
    ]
  }

  /// Why a column has no value somewhere, once for each column.
  private var missingNotes: [String] {
    comparison.columns.indices.compactMap { column in
      for variant in order where !comparison.variants[variant].isRefused {
        for run in comparison.variants[variant].runs {
          if case .missing(let reason) = run.values[column] {
            return "-: \(comparison.columns[column].title) has no value where \(reason)."
          }
        }
      }
      return nil
    }
  }

  private func exact(_ value: MeasuredValue, _ unit: MeasureUnit) -> String {
    switch value {
    case .number(let number): unit.approximate(Double(number))
    case .text(let text): text
    case .missing: "-"
    }
  }
}
