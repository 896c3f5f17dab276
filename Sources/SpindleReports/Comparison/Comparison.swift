package import SpindleModel

/// Variants of one program, or programs, side by side.
package struct Comparison: Sendable {
  /// The columns that are compared.
  package let columns: [ComparedColumn]
  /// Columns of the standard choice that are equal everywhere and so left out, with their value.
  package let equal: [(column: ComparedColumn, value: MeasuredValue)]
  /// The variants, in the order in which they were given; all were run with the same seeds.
  package let variants: [Variant]
  /// What the settings of each variant are called.
  package let settingNames: [String]
  /// How precise the comparison had to be, where seeds were added until it was; then each look at the
  /// intervals has its share of the error: `SequentialLooks`.
  package var precision: Precision?

  /// What seeds were added for.
  package struct Precision: Hashable, Sendable {
    /// The greatest half width of an interval, in percent, as it was written.
    package var text: String
    /// Whether all intervals came to be as narrow as that.
    package var isReached: Bool

    /// Creates a precision.
    package init(text: String, isReached: Bool) {
      (self.text, self.isReached) = (text, isReached)
    }
  }

  /// The quantile of the intervals; nil for that of 95 %.
  var quantile: Double? { precision.flatMap { _ in SequentialLooks.quantile(seedCount) } }

  /// A way of running a program, with one run for each seed.
  package struct Variant: Sendable {
    /// Distinguishes it from the others.
    package var label: String
    /// The values of what varies, as many as there are names of settings.
    package var settings: [String]
    /// Its runs, one for each seed, in the same order for every variant.
    package var runs: [Run]

    /// Creates a variant.
    package init(label: String, settings: [String] = [], runs: [Run]) {
      (self.label, self.settings, self.runs) = (label, settings, runs)
    }
  }

  /// What a comparison keeps of one run.
  package struct Run: Sendable {
    /// What it drew from.
    package var seed: UInt64
    /// How it ended.
    package var outcome: Outcome.Kind
    /// Whether the command line ended it.
    package var isCut: Bool
    /// What each column came to.
    package var values: [MeasuredValue]

    /// Creates a run.
    package init(
      seed: UInt64 = 0, outcome: Outcome.Kind, isCut: Bool = false, values: [MeasuredValue]
    ) {
      (self.seed, self.outcome, self.isCut, self.values) = (seed, outcome, isCut, values)
    }
  }

  /// Creates a comparison of variants that have equally many runs, at least one each.
  package init(
    columns: [ComparedColumn], equal: [(column: ComparedColumn, value: MeasuredValue)] = [],
    variants: [Variant], settingNames: [String] = []
  ) {
    precondition(
      variants.allSatisfy { !$0.runs.isEmpty && $0.runs.count == variants[0].runs.count },
      "variants are compared on the same seeds")
    (self.columns, self.equal, self.variants) = (columns, equal, variants)
    self.settingNames = settingNames
  }

  /// How many runs each variant has.
  package var seedCount: Int { variants.first?.runs.count ?? 0 }

  /// The difference of a variant to another in a column; nil when one did not end by itself or has no
  /// such number.
  func difference(of variant: Int, to base: Int, _ column: Int) -> PairedDifference? {
    guard variants[base].isWhole, variants[variant].isWhole, !columns[column].isText,
      let first = variants[base].sample(column), let second = variants[variant].sample(column)
    else { return nil }
    return PairedDifference(first: first.values, second: second.values, quantile: quantile)
  }

  /// Whether the intervals of the differences to the first variant are within `share` of its mean in these
  /// columns, or that of the mean itself where it is alone, at the quantile of this check.
  package func isPrecise(_ share: Double, in precise: [Int]) -> Bool {
    guard let quantile = SequentialLooks.quantile(seedCount) else { return false }
    for column in precise where !columns[column].isText {
      guard let base = variants[0].sample(column) else { continue }
      let allowed = share * base.mean.magnitude
      if variants.count == 1 {
        let error = (base.deviation ?? 0) / Double(seedCount).squareRoot()
        if quantile * error > allowed { return false }
      }
      for variant in variants.dropFirst() {
        guard let sample = variant.sample(column) else { continue }
        let difference = PairedDifference(
          first: base.values, second: sample.values, quantile: quantile)
        if (difference.halfWidth ?? 0) > allowed { return false }
      }
    }
    return true
  }

  /// The variants that are as good as the best in a column, as far as the seeds show; empty when these are
  /// all that can be.
  func best(_ column: Int) -> Set<Int> {
    var whole: [(number: Int, sample: Sample)] = []
    for number in variants.indices where variants[number].isWhole {
      if let sample = variants[number].sample(column) { whole.append((number, sample)) }
    }
    guard let mean = columns[column].best(whole.map(\.sample.mean)),
      let best = whole.first(where: { $0.sample.mean == mean })
    else { return [] }
    let equals = whole.filter {
      !PairedDifference(
        first: best.sample.values, second: $0.sample.values, quantile: quantile
      ).isReal
    }
    return equals.count < whole.count ? Set(equals.map(\.number)) : []
  }
}

extension Comparison.Variant {
  /// Whether every run ended as the trace has it; only then can it be the best.
  var isWhole: Bool { runs.allSatisfy { $0.outcome == .finished && !$0.isCut } }

  /// Whether the policy refused every run, so that there is no result.
  var isRefused: Bool { runs.allSatisfy { $0.outcome == .refused } }

  /// How the runs ended, in words: `finished`, `refused`, `deadlock`, `3 of 20 time limit`.
  var ending: String {
    var counts: [(name: String, count: Int)] = []
    for run in runs where run.outcome != .finished || run.isCut {
      let name = run.outcome == .finished ? "cut off" : run.outcome.words
      if let known = counts.firstIndex(where: { $0.name == name }) {
        counts[known].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    if counts.isEmpty { return "finished" }
    return counts.map {
      $0.count == runs.count ? $0.name : "\($0.count) of \(runs.count) \($0.name)"
    }
    .joined(separator: ", ")
  }

  /// How the runs ended that did not end by themselves, each way once: `deadlock`, `cut off`.
  var endings: String {
    var names: [String] = []
    for run in runs {
      let name = run.outcome == .finished ? (run.isCut ? "cut off" : "") : run.outcome.name
      if !name.isEmpty && !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ", ")
  }

  /// The numbers of a column; nil when a run has none.
  func sample(_ column: Int) -> Sample? {
    var numbers: [Int64] = []
    numbers.reserveCapacity(runs.count)
    for run in runs {
      guard let number = run.values[column].number else { return nil }
      numbers.append(number)
    }
    return Sample(numbers)
  }
}

extension Outcome.Kind {
  /// The ending in a column of words.
  fileprivate var words: String {
    switch self {
    case .timeLimit, .stepLimit: "did not finish"
    case .policyFault: "policy fault"
    case .finished, .deadlock, .crashed, .killed, .refused: name
    }
  }
}

/// The numbers of several seeds.
struct Sample {
  /// By seed.
  let values: [Double]
  /// Their mean.
  let mean: Double
  /// The standard deviation of a sample; nil of one number.
  let deviation: Double?

  init(_ numbers: [Int64]) {
    values = numbers.map(Double.init)
    let count = Double(numbers.count)
    mean = Double(numbers.reduce(Int128(0)) { $0 + Int128($1) }) / count
    guard numbers.count > 1 else {
      deviation = nil
      return
    }
    let center = mean
    let squares = values.reduce(0) { $0 + ($1 - center) * ($1 - center) }
    deviation = (squares / (count - 1)).squareRoot()
  }

  /// The least.
  var least: Double { values.min() ?? mean }
  /// The greatest.
  var greatest: Double { values.max() ?? mean }
}
