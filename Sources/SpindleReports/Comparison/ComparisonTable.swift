import SpindleModel

/// Draws a comparison as a table.
struct ComparisonTable {
  private let variants: [Comparison.Variant]
  /// By quantity and variant: the value of each seed.
  private let values: [[[Double]]]

  init(_ comparison: Comparison) {
    variants = comparison.variants
    values = ComparedQuantity.allCases.map { quantity in
      comparison.variants.map { $0.runs.map(quantity.value) }
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
    let mean = mean(quantity, variant)
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

  private func mean(_ quantity: Int, _ variant: Int) -> Double {
    let runs = values[quantity][variant]
    return runs.reduce(0, +) / Double(runs.count)
  }

  /// Whether the variant is as good as the best finished one, as far as the seeds can tell, and
  /// another finished one is not.
  private func isBest(_ quantity: Int, _ variant: Int) -> Bool {
    let finished = variants.indices.filter { variants[$0].isFinished }
    let prefersMore = ComparedQuantity.allCases[quantity].prefersMore
    let best = finished.max {
      let (left, right) = (mean(quantity, $0), mean(quantity, $1))
      return prefersMore ? left < right : left > right
    }
    guard let best, finished.contains(variant) else { return false }
    let equals = finished.filter { other in
      !PairedDifference(first: values[quantity][best], second: values[quantity][other]).isReal
    }
    return equals.contains(variant) && equals.count < finished.count
  }

  /// The difference to the first variant in percent of it, or that there is none.
  private func difference(_ quantity: Int, _ variant: Int) -> String {
    let paired = PairedDifference(
      first: values[quantity][0], second: values[quantity][variant])
    guard paired.isReal else { return paired.halfWidth == nil ? "= " : "no diff. " }
    let base = mean(quantity, 0)
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
