import SpindleModel

/// Draws a comparison as a table.
struct ComparisonTable {
  private let comparison: Comparison
  private let order: [Int]
  private let front: Set<Int>
  /// By column and variant: the numbers of the seeds; nil where a run has none.
  private let samples: [[Sample?]]
  private let best: [Set<Int>]

  init(_ report: ComparisonReport) {
    (comparison, order, front, best) = (report.comparison, report.order, report.front, report.best)
    let variants = comparison.variants
    samples = comparison.columns.indices.map { column in variants.map { $0.sample(column) } }
  }

  /// Whether a variant is marked as the best of a column.
  var hasBest: Bool { best.contains { !$0.isEmpty } }

  /// Whether a cell states that the seeds show no difference.
  var hasNoDifference: Bool {
    comparison.columns.indices.contains { column in
      order.contains {
        $0 > 0 && ComparisonTable.difference(comparison, column, $0) == ComparisonTable.noDifference
      }
    }
  }

  /// The text where the interval of a difference contains 0.
  private static let noDifference = "no diff."

  /// The table: a row for each variant.
  func rendered(_ style: TextStyle) -> String {
    let hasEndings = comparison.variants.contains { !$0.isWhole }
    let short = ComparisonLayout.shortened(order.map { comparison.variants[$0].label })
    var layout = ComparisonLayout(
      labels: order.map(name),
      shortLabels: zip(order, short).map { $1 + (front.contains($0) ? " ◆" : "") })
    if hasEndings {
      layout.endings = order.map { comparison.variants[$0].ending }
    }
    layout.columns = comparison.columns.indices.map { column in
      ComparisonLayout.Column(
        title: comparison.columns[column].title, cells: order.map { cell(column, $0) })
    }
    return layout.rendered(style)
  }

  /// What a variant came to in a column: nothing where it was refused, which is no result.
  private func cell(_ column: Int, _ variant: Int) -> ComparisonLayout.Cell {
    if comparison.variants[variant].isRefused { return ComparisonLayout.Cell() }
    let difference =
      variant > 0 ? ComparisonTable.difference(comparison, column, variant) : ""
    return ComparisonLayout.Cell(
      value: value(column, variant), isBest: best[column].contains(variant),
      spread: spread(column, variant), difference: difference == "-" ? "" : difference)
  }

  /// A variant's label with its mark.
  func name(_ variant: Int) -> String {
    comparison.variants[variant].label + (front.contains(variant) ? " ◆" : "")
  }

  /// A variant's label with how its runs ended and its marks.
  func label(_ variant: Int) -> String {
    let given = comparison.variants[variant]
    let mark = front.contains(variant) ? " ◆" : ""
    return (given.endings.isEmpty ? given.label : "\(given.label) (\(given.endings))") + mark
  }

  /// The mean over the seeds, or the text that is the same for all of them.
  func value(_ column: Int, _ variant: Int) -> String {
    if let sample = samples[column][variant] {
      return comparison.columns[column].unit.approximate(sample.mean)
    }
    let runs = comparison.variants[variant].runs
    let first = runs[0].values[column]
    guard case .text(let text) = first else { return "-" }
    return runs.allSatisfy { $0.values[column] == first } ? text : "differs"
  }

  /// How sure the mean over the seeds is: half of its confidence interval; empty where all seeds agree.
  private func spread(_ column: Int, _ variant: Int) -> String {
    guard let half = samples[column][variant]?.halfWidth(comparison.quantile), half > 0 else {
      return ""
    }
    return "±\(comparison.columns[column].unit.spread(half))"
  }

  /// The difference of a variant to the first one.
  static func difference(_ comparison: Comparison, _ column: Int, _ variant: Int) -> String {
    let paired = comparison.difference(of: variant, to: 0, column)
    guard let paired, let first = comparison.variants[0].sample(column) else {
      return sameText(comparison, column, variant) ? "=" : "-"
    }
    let base = first.mean
    guard paired.isReal else {
      return paired.halfWidth == nil || paired.isZero ? "=" : noDifference
    }
    if comparison.columns[column].unit == .truth { return "" }
    // What can't be told from zero is no whole of which something else is a share.
    if base == 0 || first.halfWidth(comparison.quantile) ?? 0 >= base.magnitude {
      return absolute(paired, comparison.columns[column].unit)
    }
    let many = paired.mean / base * 100
    if base > 0 && many >= RelativeText.mostPercent {
      let times = "×\(RelativeText.short(many / 100 + 1))"
      guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return times }
      return "\(times) ±\(RelativeText.short(halfWidth / base))"
    }
    let text = RelativeText.signed(paired.mean / base.magnitude * 100) + "%"
    guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return text }
    return "\(text) ±\(RelativeText.short((halfWidth / base * 100).magnitude))%"
  }

  /// The difference in the unit of the measure.
  private static func absolute(_ paired: PairedDifference, _ unit: MeasureUnit) -> String {
    let text = (paired.mean < 0 ? "-" : "+") + unit.approximate(paired.mean.magnitude)
    guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return text }
    return "\(text) ±\(unit.spread(halfWidth))"
  }

  private static func sameText(_ comparison: Comparison, _ column: Int, _ variant: Int) -> Bool {
    guard comparison.columns[column].isText else { return false }
    let (base, other) = (comparison.variants[0], comparison.variants[variant])
    return zip(base.runs, other.runs).allSatisfy { $0.values[column] == $1.values[column] }
  }
}

/// Percentages of a difference.
enum RelativeText {
  /// The percentage from which on the factor is shown instead: `+1210559%` is unreadable.
  static let mostPercent = 10_000.0

  /// One with its sign, and never a zero that has one.
  static func signed(_ percent: Double) -> String {
    (percent < 0 ? "-" : "+") + short(percent.magnitude)
  }

  /// One digit after the point where there are at most two before it; of less than a tenth as many as
  /// show the first that is not 0, up to five.
  static func short(_ number: Double) -> String {
    if number >= 99.95 { return number.fixed(0) }
    if number >= 0.05 || number == 0 { return number.fixed(1) }
    for digits in 2...5 where number >= 0.5 / power(digits) { return number.fixed(digits) }
    return "0.00001"
  }

  private static func power(_ digits: Int) -> Double {
    (0..<digits).reduce(1.0) { value, _ in value * 10 }
  }
}
