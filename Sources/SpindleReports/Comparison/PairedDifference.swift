/// The mean difference of paired samples, with its confidence interval.
///
/// Each pair is one seed, run both ways on the same random numbers; so what the workload adds to both
/// cancels, and the interval is that of the differences alone. Source: Law, *Simulation Modeling and
/// Analysis*, chapters 10 and 11, "Paired-t confidence interval", "Common random numbers".
package struct PairedDifference: Hashable, Sendable {
  /// The mean of second minus first.
  package let mean: Double
  /// Half the width of the 95 % confidence interval, or of that of another quantile; nil for a single
  /// pair, which has none.
  package let halfWidth: Double?

  /// Computes the difference of `second` to `first`, which are equally many and at least one, with the
  /// quantile of Student's distribution for 95 % unless another is given.
  package init(first: [Double], second: [Double], quantile: Double? = nil) {
    precondition(first.count == second.count && !first.isEmpty, "samples come in pairs")
    let differences = zip(first, second).map { $1 - $0 }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    self.mean = mean
    guard differences.count > 1 else {
      halfWidth = nil
      return
    }
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = (squares / (count - 1) / count).squareRoot()
    halfWidth = (quantile ?? StudentT.quantile975(degrees: differences.count - 1)) * error
  }

  /// Whether there is no difference in any pair.
  package var isZero: Bool { mean == 0 && (halfWidth ?? 0) == 0 }

  /// Whether the difference is more than chance: the interval does not hold 0.
  ///
  /// A single pair differs when its two values do.
  package var isReal: Bool {
    guard let halfWidth else { return mean != 0 }
    return mean.magnitude > halfWidth
  }
}
