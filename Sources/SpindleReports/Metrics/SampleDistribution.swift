package import SpindleModel

/// What was sampled under one key of the trace.
package struct SampleMetrics: Hashable, Sendable {
  /// The key.
  package var name: String
  /// What the values are: numbers, decimals, durations or sizes.
  package var format: ValueFormat
  /// Their statistics.
  package var distribution: SampleDistribution
}

/// Statistics of many values, which may be negative.
///
/// Count, sum, minimum and maximum are exact; percentiles are nearest ranks, as those of `LatencyDistribution`.
package struct SampleDistribution: Hashable, Sendable {
  /// How many there are.
  package var count: Int64 = 0
  /// Their sum.
  package var total: Int128 = 0
  private var least: Int64 = 0
  private var greatest: Int64 = 0
  /// The values at 50, 90, 95 and 99 hundredths.
  private var percentiles: [Int64] = []

  init(_ positive: borrowing Histogram, _ negative: borrowing Histogram) {
    count = positive.count + negative.count
    if count == 0 { return }
    let (above, below) = (positive.distribution, negative.distribution)
    total = positive.sum - negative.sum
    least = negative.count > 0 ? -below.max.rawValue : above.min.rawValue
    greatest = positive.count > 0 ? above.max.rawValue : -below.min.rawValue
    for percent in [50, 90, 95, 99] as [Int64] {
      let rank = Histogram.rank(of: percent, in: count)
      // Of the negative ones the greatest number is the least value.
      percentiles.append(
        rank <= negative.count
          ? -negative.value(ofRank: negative.count + 1 - rank)
          : positive.value(ofRank: rank - negative.count))
    }
  }

  /// What a statistic of values comes to; the mean of whole numbers is a decimal.
  package func value(_ statistic: Measure.Statistic, _ format: ValueFormat) -> ExpectationValue {
    if statistic == .mean && format == .integer {
      return .decimal(FixedDecimal(billionths: mean(scale: Int128(FixedDecimal.scale))))
    }
    let value = self[statistic]
    switch format {
    case .duration: return .duration(Nanoseconds(value))
    case .size: return .size(ByteCount(value))
    case .decimal: return .decimal(FixedDecimal(billionths: value))
    case .integer, .boolean, .instant, .string, .symbol, .thread, .object, .array, .quoted:
      return .integer(value)
    }
  }

  private subscript(statistic: Measure.Statistic) -> Int64 {
    if count == 0 { return 0 }
    switch statistic {
    case .mean: return mean(scale: 1)
    case .min: return least
    case .p50: return percentiles[0]
    case .p90: return percentiles[1]
    case .p95: return percentiles[2]
    case .p99: return percentiles[3]
    case .max: return greatest
    }
  }

  /// The mean times a factor, rounded to the nearest whole number.
  private func mean(scale: Int128) -> Int64 {
    if count == 0 { return 0 }
    let (sum, half) = (total * scale, Int128(count) / 2)
    return Int64(clamping: (sum < 0 ? sum - half : sum + half) / Int128(count))
  }
}

/// Collects samples.
///
/// A class, since its histograms can't be copied.
final class SampleObservation {
  private var positive = Histogram()
  private var negative = Histogram()
  /// How many values were above each limit that is asked for.
  private(set) var limits: LimitCounts

  init(limits: [Int64] = []) { self.limits = LimitCounts(limits) }

  var distribution: SampleDistribution { SampleDistribution(positive, negative) }

  func add(_ value: Int64) {
    if value < 0 {
      negative.add(value == Int64.min ? Int64.max : -value)
    } else {
      positive.add(value)
    }
    limits.add(value)
  }

  /// Forgets all values.
  func forget() {
    positive = Histogram()
    negative = Histogram()
    limits.forget()
  }
}

/// Collects the samples of a run by key and format.
struct SampleTally {
  private struct Key: Hashable {
    let name: Int32
    let format: UInt8
  }

  private var keys: [Key] = []
  private var samples: [SampleObservation] = []
  /// Only looked up, never walked.
  private var indices: [Key: Int] = [:]

  mutating func receive(_ entry: LogEntry) {
    let key = Key(name: entry.object, format: entry.detail)
    if let index = indices[key] { return samples[index].add(entry.value) }
    indices[key] = keys.count
    keys.append(key)
    samples.append(SampleObservation())
    samples[samples.count - 1].add(entry.value)
  }

  /// The samples of each key, in the order of the first ones.
  func result(names: NameTable) -> [SampleMetrics] {
    zip(keys, samples).map { key, samples in
      SampleMetrics(
        name: ValueText.name(Int64(key.name), names),
        format: ValueFormat(rawValue: key.format) ?? .integer, distribution: samples.distribution)
    }
  }
}
