package import SpindleModel

/// Statistics of many lengths of time.
///
/// Count, total, mean, minimum and maximum are exact. Percentiles are nearest ranks: exact up to
/// `Histogram.exactLimit` samples, beyond that within 1/256 of the value.
package struct LatencyDistribution: Hashable, Sendable {
  /// How many there are.
  package var count: Int64 = 0
  /// Their sum; the greatest length when it does not fit.
  package var total = Nanoseconds.zero
  /// Their mean, rounded down.
  package var mean = Nanoseconds.zero
  /// The shortest.
  package var min = Nanoseconds.zero
  /// The longest.
  package var max = Nanoseconds.zero
  /// Half of them are at most this long.
  package var p50 = Nanoseconds.zero
  /// Nine in ten are at most this long.
  package var p90 = Nanoseconds.zero
  /// Nineteen in twenty are at most this long.
  package var p95 = Nanoseconds.zero
  /// All but one in a hundred are at most this long.
  package var p99 = Nanoseconds.zero

  /// A distribution of nothing.
  package init() {}

  /// The value that `statistic` names.
  package subscript(statistic: Measure.Statistic) -> Nanoseconds {
    switch statistic {
    case .mean: mean
    case .min: min
    case .p50: p50
    case .p90: p90
    case .p95: p95
    case .p99: p99
    case .max: max
    }
  }
}
