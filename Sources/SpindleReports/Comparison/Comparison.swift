import SpindleModel

/// Variants of one program side by side.
package struct Comparison: Sendable {
  /// The variants, in the order of the table; all were run with the same seeds.
  package let variants: [Variant]

  /// A way of running a program, with one set of numbers for each seed.
  package struct Variant: Sendable {
    /// What tells it from the others.
    package var label: String
    /// The numbers of its runs, one for each seed, in the same order for every variant.
    package var runs: [RunMetrics]

    /// Creates a variant.
    package init(label: String, runs: [RunMetrics]) {
      (self.label, self.runs) = (label, runs)
    }

    /// Whether every run finished; only then can it be the best.
    var isFinished: Bool { runs.allSatisfy { $0.outcome.kind == .finished } }

    /// The number of each run; nil when a run has none.
    func values(_ quantity: ComparedQuantity) -> [Double]? {
      var values: [Double] = []
      values.reserveCapacity(runs.count)
      for run in runs {
        guard let value = quantity.value(run) else { return nil }
        values.append(value)
      }
      return values
    }

    /// How the runs ended that did not finish, each way once: `deadlock`.
    var outcomes: String {
      var names: [String] = []
      for run in runs where run.outcome.kind != .finished && !names.contains(run.outcome.kind.name)
      {
        names.append(run.outcome.kind.name)
      }
      return names.joined(separator: ", ")
    }
  }

  /// Creates a comparison of variants that have equally many runs, at least one each.
  package init(variants: [Variant]) {
    precondition(
      variants.allSatisfy { !$0.runs.isEmpty && $0.runs.count == variants[0].runs.count },
      "variants are compared on the same seeds")
    self.variants = variants
  }

  /// The table: for each variant its numbers (means over the seeds), `*` at the best of each column,
  /// and from the second variant on the difference to the first.
  ///
  /// A variant that did not finish has no difference, since what it left undone is no gain.
  ///
  /// Several variants are the best when the seeds show no difference between them; none is when that
  /// holds for all.
  ///
  /// With several seeds a difference has its 95 % confidence interval; where that holds 0, it says so
  /// instead.
  package func text(style: TextStyle) -> String {
    guard let first = variants.first else { return "" }
    var notes: [String] = []
    if variants.count > 1 {
      notes.append("*: the best of its column. Below each variant: its difference to the first.")
    }
    if first.runs.count > 1 {
      notes.append(
        "Means over \(first.runs.count) seeds; differences in pairs on the same random numbers, with "
          + "their 95% confidence interval.")
      if variants.count > 1 {
        notes.append("no diff.: no difference, the interval holds 0.")
      }
    }
    if variants.count > 1 && variants.contains(where: { !$0.isFinished }) {
      notes.append("What did not finish is the best of nothing, and nothing is compared with it.")
    }
    var text = ComparisonTable(self).rendered(style)
    if !notes.isEmpty { text += "\n" }
    for note in notes { text += style.wrapped(note, indent: "").joined(separator: "\n") + "\n" }
    return text
  }

  /// The difference of `variant` to `base`; nil when one did not finish or has no such number.
  static func difference(
    of variant: Variant, to base: Variant, _ quantity: ComparedQuantity
  ) -> PairedDifference? {
    guard base.isFinished, variant.isFinished, let first = base.values(quantity),
      let second = variant.values(quantity)
    else { return nil }
    return PairedDifference(first: first, second: second)
  }

  /// The variants with all columns as JSON: `JSONText.comparison`.
  package var json: String { JSONText.comparison(self) }
}

/// What is compared of runs: one column of the table.
enum ComparedQuantity: String, CaseIterable, Sendable {
  case makespan, p95, threads, memory, switches, used

  /// The column's title.
  var title: String {
    switch self {
    case .p95: "p95 latency"
    default: rawValue
    }
  }

  /// The key in JSON, with the unit.
  var key: String {
    switch self {
    case .makespan: "makespanNanoseconds"
    case .p95: "latencyP95Nanoseconds"
    case .threads: "threadsPeak"
    case .memory: "memoryPeakBytes"
    case .switches: "switches"
    case .used: "utilization"
    }
  }

  /// Whether more is better.
  var prefersMore: Bool { self == .used }

  /// The number that a run has; nil for a percentile of nothing.
  func value(_ run: RunMetrics) -> Double? {
    switch self {
    case .makespan: Double(run.makespan.nanoseconds)
    case .p95:
      run.items.latency.count > 0 ? Double(run.items.latency.p95.rawValue) : nil
    case .threads: Double(run.threadsPeak)
    case .memory: Double(run.memoryPeak.rawValue)
    case .switches: Double(run.switches)
    case .used: Double(run.utilization.hundredths) / 10_000
    }
  }
}
