import SpindleModel
import SpindleReports
import Testing

/// Distributions against the sorted samples themselves.
@Suite struct DistributionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let count: Int
    let draw: @Sendable (UInt64) -> Int64
    let location: SourceLocation

    init(
      _ claim: String, count: Int, location: SourceLocation = #_sourceLocation,
      draw: @escaping @Sendable (UInt64) -> Int64
    ) {
      (testDescription, self.count, self.location, self.draw) = (claim, count, location, draw)
    }
  }

  static let rows = [
    Row("one sample", count: 1) { Int64($0 % 1_000) },
    Row("two samples", count: 2) { Int64($0 % 1_000) },
    Row("few samples are exact", count: 1_024) { Int64($0 >> 20) },
    Row("one more than few", count: 1_025) { Int64($0 >> 20) },
    Row("small values", count: 5_000) { Int64($0 % 300) },
    Row("values of every size", count: 20_000) { Int64(($0 >> 1) >> ($0 % 63)) },
    Row("all the same", count: 3_000) { _ in 123_456_789 },
    Row("two far apart", count: 2_000) { $0 % 2 == 0 ? 1 : 3_600_000_000_000 },
  ]

  @Test(arguments: rows)
  func percentilesAreNearestRanks(row: Row) {
    let samples = DistributionTests.samples(row.count, row.draw)
    let distribution = DistributionTests.distribution(samples)
    let sorted = samples.sorted()
    #expect(distribution.count == Int64(row.count), sourceLocation: row.location)
    #expect(distribution.min.rawValue == sorted[0], sourceLocation: row.location)
    #expect(distribution.max.rawValue == sorted[row.count - 1], sourceLocation: row.location)
    let sum = samples.reduce(Int128(0)) { $0 + Int128($1) }
    #expect(
      Int128(distribution.mean.rawValue) == sum / Int128(row.count), sourceLocation: row.location)
    for (percent, statistic) in [(50, .p50), (90, .p90), (95, .p95), (99, .p99)]
      as [(Int, Measure.Statistic)]
    {
      let exact = sorted[(percent * row.count + 99) / 100 - 1]
      let seen = distribution[statistic].rawValue
      let slack = row.count <= 1_024 ? 0 : exact / 256
      #expect((seen - exact).magnitude <= slack.magnitude, sourceLocation: row.location)
    }
  }

  @Test(arguments: [(10, 20), (10, 3_000), (3_000, 10), (2_000, 2_000), (600, 600)])
  func kindsTogetherAreOneDistribution(first: Int, second: Int) {
    let samples = DistributionTests.samples(first + second) { Int64($0 % 1_000_000_000) }
    var log = SmallLog(kinds: ["a", "b"])
    for (index, sample) in samples.enumerated() {
      log.add(
        0, .itemEnded, thread: 0, object: "x", subject: index < first ? 0 : 1, value: sample)
      log.add(0, .itemStarted, thread: 0, object: "x", subject: index < first ? 0 : 1)
    }
    let together = log.metrics.items.latency
    let sorted = samples.sorted()
    #expect(together.count == Int64(first + second))
    #expect(together.max.rawValue == sorted[sorted.count - 1])
    let exact = sorted[(sorted.count + 1) / 2 - 1]
    let slack = first + second <= 1_024 ? 0 : exact / 256
    #expect((together.p50.rawValue - exact).magnitude <= slack.magnitude)
  }

  private static func distribution(_ samples: [Int64]) -> LatencyDistribution {
    var log = SmallLog(kinds: ["k"])
    log.add(0, .itemStarted, thread: 0, object: "x", subject: 0)
    for sample in samples {
      log.add(0, .itemEnded, thread: 0, object: "x", subject: 0, value: sample)
    }
    return log.metrics.kinds[0].latency
  }

  /// Numbers from SplitMix64 with the seed 1.
  private static func samples(_ count: Int, _ draw: (UInt64) -> Int64) -> [Int64] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return draw(mixed ^ (mixed >> 31))
    }
  }
}
