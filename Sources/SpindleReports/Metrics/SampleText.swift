import SpindleModel

/// What was sampled, as tables have it.
enum SampleText {
  /// The titles of the columns behind the key.
  static let titles = ["count"] + statistics.map(\.rawValue)
  private static let statistics: [Measure.Statistic] = [.mean, .min, .p50, .p95, .p99, .max]

  /// The cells of a row behind its key.
  static func cells(_ samples: SampleMetrics) -> [String] {
    [samples.distribution.count.grouped]
      + statistics.map { text(samples.distribution.value($0, samples.format)) }
  }

  /// A value as briefly as tables have it.
  private static func text(_ value: ExpectationValue) -> String {
    switch value {
    case .integer(let number): number.grouped
    case .duration(let length): length.approximate
    default: ValueText.text(value)
    }
  }
}
