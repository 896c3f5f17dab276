package import SpindleModel

/// The confidence of the long-run mean of one run: the interval that the means of its batches give.
///
/// The time behind the warm-up is cut into twenty equal batches. Consecutive values are similar, and their
/// spread is too small; means of long batches hardly are, and theirs gives an interval of Student's
/// distribution with 19 degrees of freedom. Where neighbours still correlate, a flag states it. Sources: Law,
/// *Simulation Modeling and Analysis*, chapter 9, "Batch means"; Schmeiser, "Batch size effects in the
/// analysis of simulation output", Operations Research 30, 1982, for ten to thirty batches.
package struct BatchMeans: Hashable, Sendable {
  /// How many batches there are.
  package static let count = 20
  /// The correlation of neighbours that means of independent batches exceed in one case of twenty:
  /// 1.645 / sqrt(20).
  static let greatestCorrelation = 0.368

  /// Half the width of the 95 % interval, in the unit of the measure.
  package let halfWidth: Double
  /// How alike neighbours are, from -1 to 1; 0 where all are equal.
  package let correlation: Double

  /// Whether the interval is to be trusted.
  package var isIndependent: Bool { correlation <= BatchMeans.greatestCorrelation }

  /// Computes the interval of at least two means.
  package init(_ means: [Double]) {
    precondition(means.count > 1, "an interval needs two batches")
    let count = Double(means.count)
    let mean = means.reduce(0, +) / count
    let squares = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let neighbours = zip(means, means.dropFirst()).reduce(0) {
      $0 + ($1.0 - mean) * ($1.1 - mean)
    }
    let error = (squares / (count - 1) / count).squareRoot()
    halfWidth = StudentT.quantile975(degrees: means.count - 1) * error
    correlation = squares > 0 ? neighbours / squares : 0
  }
}

extension ExpectationTerm {
  /// Whether it is a mean, a share or a percentile, or made of such.
  ///
  /// Then it is about the same in each part of a long run, and batches give its confidence. A number that
  /// grows with the run, or a greatest or least value, does not qualify.
  package var isAverage: Bool {
    switch self {
    case .measure(.itemTime(_, _, let statistic)), .measure(.spanTime(_, let statistic)),
      .measure(.sampleValue(_, let statistic)):
      statistic != .min && statistic != .max
    case .measure(.utilization), .measure(.share): true
    case .arithmetic(let operation, let left, let right):
      operation != .remainder
        && (left.isAverage
          ? right.isAverage || right.isConstant : left.isConstant && right.isAverage)
    case .value, .measure, .compare, .and, .or, .not, .best: false
    }
  }

  private var isConstant: Bool {
    if case .value = self { true } else { false }
  }
}
