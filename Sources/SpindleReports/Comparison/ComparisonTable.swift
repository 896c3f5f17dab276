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

  /// The table; labels that would make it wider than the style allows have a line of their own, and columns
  /// for which there is no room are in a table below.
  func rendered(_ style: TextStyle) -> String {
    let all = Array(comparison.columns.indices)
    let inline = table(all, labelsInside: true)
    if inline.naturalWidth <= style.width {
      return painted(inline.rendered(width: style.width), style)
    }
    return chunks(all, style).map { withLabels($0, style) }.joined(separator: "\n")
  }

  /// The columns in groups that fit the width side by side, at least one in each.
  private func chunks(_ columns: [Int], _ style: TextStyle) -> [[Int]] {
    var chunks: [[Int]] = []
    for column in columns {
      if let last = chunks.last,
        table(last + [column], labelsInside: false).naturalWidth <= style.width
      {
        chunks[chunks.count - 1].append(column)
      } else {
        chunks.append([column])
      }
    }
    return chunks
  }

  private func withLabels(_ columns: [Int], _ style: TextStyle) -> String {
    let lines = table(columns, labelsInside: false).rendered(width: style.width)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var text = style.paint(lines[0], .bold) + "\n"
    var next = 1
    for variant in order {
      text += style.wrapped(label(variant), indent: "").joined(separator: "\n") + "\n"
      for _ in 0..<rowCount(variant) {
        text += lines[next] + "\n"
        next += 1
      }
    }
    return text
  }

  private func painted(_ text: String, _ style: TextStyle) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[0] = style.paint(lines[0], .bold)
    return lines.joined(separator: "\n")
  }

  /// How many rows a variant has: its values, how sure their means are, and the difference to the first.
  private func rowCount(_ variant: Int) -> Int {
    1 + (comparison.seedCount > 1 ? 1 : 0) + (variant == 0 ? 0 : 1)
  }

  private func table(_ columns: [Int], labelsInside: Bool) -> TextTable {
    let titles = columns.map { TextTable.Column("\(comparison.columns[$0].title) ") }
    var table = TextTable(columns: [.init(labelsInside ? "variant" : "", .left)] + titles)
    for variant in order {
      table.add([labelsInside ? label(variant) : ""] + columns.map { cell($0, variant) })
      if comparison.seedCount > 1 { table.add([""] + columns.map { spread($0, variant) }) }
      if variant > 0 { table.add([""] + columns.map { difference($0, variant) }) }
    }
    return table
  }

  /// A variant's label with how its runs ended and its marks.
  func label(_ variant: Int) -> String {
    let given = comparison.variants[variant]
    let mark = front.contains(variant) ? " ◆" : ""
    return (given.endings.isEmpty ? given.label : "\(given.label) (\(given.endings))") + mark
  }

  private func cell(_ column: Int, _ variant: Int) -> String {
    value(column, variant) + (best[column].contains(variant) ? "*" : " ")
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

  /// How sure the mean over the seeds is: half of its confidence interval.
  private func spread(_ column: Int, _ variant: Int) -> String {
    guard let half = samples[column][variant]?.halfWidth(comparison.quantile) else { return "" }
    return "±\(comparison.columns[column].unit.spread(half)) "
  }

  /// The difference to the first variant in percent of it, or that it does not exist.
  private func difference(_ column: Int, _ variant: Int) -> String {
    ComparisonTable.difference(comparison, column, variant) + " "
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
    guard base != 0 else { return "new" }
    // What can't be told from zero is no whole of which something else is a share.
    if let halfWidth = first.halfWidth(comparison.quantile), halfWidth >= base.magnitude {
      return absolute(paired, comparison.columns[column].unit)
    }
    let many = paired.mean / base * 100
    if base > 0 && many >= RelativeText.mostPercent {
      let times = "×\(RelativeText.short(many / 100 + 1))"
      guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return times }
      return "\(times)±\(RelativeText.short(halfWidth / base))"
    }
    let text = RelativeText.signed(paired.mean / base.magnitude * 100)
    guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return text + "%" }
    return "\(text)±\(RelativeText.short((halfWidth / base * 100).magnitude))%"
  }

  /// The difference in the unit of the measure.
  private static func absolute(_ paired: PairedDifference, _ unit: MeasureUnit) -> String {
    let text = (paired.mean < 0 ? "-" : "+") + unit.approximate(paired.mean.magnitude)
    guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return text }
    return "\(text)±\(unit.spread(halfWidth))"
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
