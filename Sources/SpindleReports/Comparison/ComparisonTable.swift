import SpindleModel

/// Draws a comparison as a table.
struct ComparisonTable {
  private let variants: [Comparison.Variant]
  /// By quantity and variant: the value of each seed; nil where a run has none.
  private let values: [[[Double]?]]

  init(_ comparison: Comparison) {
    variants = comparison.variants
    values = ComparedQuantity.allCases.map { quantity in
      comparison.variants.map { $0.values(quantity) }
    }
  }

  /// The table; labels that would make it wider than the style allows have a line of their own.
  func rendered(_ style: TextStyle) -> String {
    let inline = table(labelsInside: true)
    if inline.naturalWidth <= style.width {
      return painted(inline.rendered(width: style.width), style)
    }
    let outside = table(labelsInside: false)
    let lines = outside.rendered(width: style.width).split(separator: "\n").map(String.init)
    var text = style.paint(lines[0], .bold) + "\n"
    var next = 1
    for (number, variant) in variants.enumerated() {
      text += style.wrapped(label(variant), indent: "").joined(separator: "\n") + "\n"
      for _ in 0..<(number == 0 ? 1 : 2) {
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

  private func table(labelsInside: Bool) -> TextTable {
    let titles = ComparedQuantity.allCases.map { TextTable.Column("\($0.title) ") }
    var table = TextTable(columns: [.init(labelsInside ? "variant" : "", .left)] + titles)
    for number in variants.indices {
      let cells = ComparedQuantity.allCases.indices.map { cell($0, number) }
      table.add([labelsInside ? label(variants[number]) : ""] + cells)
      if number > 0 {
        let differences = ComparedQuantity.allCases.indices.map { difference($0, number) }
        table.add([labelsInside ? "" : ""] + differences)
      }
    }
    return table
  }

  private func label(_ variant: Comparison.Variant) -> String {
    variant.outcomes.isEmpty ? variant.label : "\(variant.label) (\(variant.outcomes))"
  }

  private func cell(_ quantity: Int, _ variant: Int) -> String {
    guard let mean = mean(quantity, variant) else { return "- " }
    let text =
      switch ComparedQuantity.allCases[quantity] {
      case .makespan, .p95: Nanoseconds(Int64(mean.rounded())).approximate
      case .memory: ByteCount(Int64(mean.rounded())).approximate
      case .threads, .switches:
        mean == mean.rounded() ? Int64(mean).grouped : mean.fixed(1)
      case .used: Percentage(hundredths: Int64((mean * 10_000).rounded())).description
      }
    return text + (isBest(quantity, variant) ? "*" : " ")
  }

  private func mean(_ quantity: Int, _ variant: Int) -> Double? {
    values[quantity][variant].map { $0.reduce(0, +) / Double($0.count) }
  }

  /// Whether the variant is as good as the best finished one, as far as the seeds can tell, and
  /// another finished one is not.
  private func isBest(_ quantity: Int, _ variant: Int) -> Bool {
    let prefersMore = ComparedQuantity.allCases[quantity].prefersMore
    var finished: [(number: Int, values: [Double], mean: Double)] = []
    for number in variants.indices where variants[number].isFinished {
      guard let values = values[quantity][number], let mean = mean(quantity, number) else {
        continue
      }
      finished.append((number, values, mean))
    }
    let best = finished.max { prefersMore ? $0.mean < $1.mean : $0.mean > $1.mean }
    guard let best else { return false }
    let equals = finished.filter {
      !PairedDifference(first: best.values, second: $0.values).isReal
    }
    return equals.contains { $0.number == variant } && equals.count < finished.count
  }

  /// The difference to the first variant in percent of it, or that there is none.
  private func difference(_ quantity: Int, _ variant: Int) -> String {
    let paired = Comparison.difference(
      of: variants[variant], to: variants[0], ComparedQuantity.allCases[quantity])
    guard let paired, let base = mean(quantity, 0) else { return "- " }
    guard paired.isReal else { return paired.halfWidth == nil ? "= " : "no diff. " }
    guard base != 0 else { return "new " }
    let text = signed(paired.mean / base * 100)
    guard let halfWidth = paired.halfWidth, halfWidth > 0 else { return text + "% " }
    return "\(text)±\(short((halfWidth / base * 100).magnitude))% "
  }

  private func signed(_ percent: Double) -> String {
    (percent < 0 ? "-" : "+") + short(percent.magnitude)
  }

  /// One digit after the point where there are at most two before it.
  private func short(_ number: Double) -> String {
    number.fixed(number < 99.95 ? 1 : 0)
  }
}
