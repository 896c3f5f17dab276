import SpindleModel

/// One way to run a program, with many seeds: how far each measure spreads, for people.
package struct SeedSpread: Sendable {
  private let columns: [ComparedColumn]
  private let variant: Comparison.Variant

  /// Creates a report on the runs of one variant, whose values are those of `columns`.
  package init(_ columns: [ComparedColumn], _ variant: Comparison.Variant) {
    (self.columns, self.variant) = (columns, variant)
  }

  /// A row for each measure, and what its columns mean; each line ended by a line break.
  package func text(_ style: TextStyle) -> String {
    var table = TextTable(columns: [
      .init("measure", .left), .init("mean"), .init("deviation"), .init("least"),
      .init("greatest"),
    ])
    for index in columns.indices { table.add([columns[index].title] + cells(index)) }
    var lines = table.rendered(width: style.width).split(separator: "\n").map(String.init)
    lines[0] = style.paint(lines[0], .bold)
    var text = lines.joined(separator: "\n") + "\n"
    for note in notes {
      text += "\n" + style.wrapped(note, indent: "", hanging: "  ").joined(separator: "\n")
    }
    return text + "\n"
  }

  private func cells(_ column: Int) -> [String] {
    let unit = columns[column].unit
    guard let sample = variant.sample(column) else {
      let first = variant.runs[0].values[column]
      guard case .text(let text) = first else { return ["-", "", "", ""] }
      let isSame = variant.runs.allSatisfy { $0.values[column] == first }
      return [isSame ? text : "differs", "", "", ""]
    }
    let (least, greatest) = (sample.values.min() ?? 0, sample.values.max() ?? 0)
    let deviation = sample.deviation.map { unit.spread($0) } ?? "-"
    return [unit.approximate(sample.mean, halfWidth: sample.halfWidth()), deviation]
      + [unit.approximate(least), unit.approximate(greatest)]
  }

  private var notes: [String] {
    let count = Int64(variant.runs.count).counted("seed")
    var notes = ["Means over \(count); ± is half of their 95% confidence interval."]
    let ended = variant.runs.filter { $0.outcome != .finished || $0.isCut }
    if !ended.isEmpty {
      let seeds = ended.prefix(5).map { "\($0.seed)" }.joined(separator: ", ")
      let more = ended.count > 5 ? ", …" : ""
      notes.append(
        "\(Int64(ended.count).grouped) of \(variant.runs.count) runs did not finish, "
          + "\(variant.endings): with seed \(seeds)\(more).")
    }
    for column in columns.indices {
      let missing = variant.runs.compactMap { run -> String? in
        guard case .missing(let reason) = run.values[column] else { return nil }
        return "-: \(columns[column].title) has no value with seed \(run.seed): \(reason)."
      }
      if let first = missing.first { notes.append(first) }
    }
    return notes
  }
}

extension Sample {
  /// Half the width of the 95 % confidence interval of the mean, or of that of another quantile; nil of one number.
  func halfWidth(_ quantile: Double? = nil) -> Double? {
    deviation.map {
      (quantile ?? StudentT.quantile975(degrees: values.count - 1)) * $0
        / Double(values.count).squareRoot()
    }
  }
}
