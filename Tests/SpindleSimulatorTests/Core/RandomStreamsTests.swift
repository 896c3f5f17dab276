import Testing

@testable import SpindleSimulator

/// Draws have the distribution that they are asked for, and depend on their key alone.
@Suite struct RandomStreamsTests {
  static let draws = 200_000

  private func sample(_ draw: (borrowing Sampler, UInt64) -> Int64) -> [Int64] {
    let sampler = Sampler()
    return (0..<Self.draws).map { draw(sampler, RandomStreams.mix(UInt64($0))) }
  }

  private func mean(_ values: [Int64]) -> Double {
    values.reduce(0) { $0 + Double($1) } / Double(values.count)
  }

  private func deviation(_ values: [Int64]) -> Double {
    let center = mean(values)
    let square = values.reduce(0) { $0 + (Double($1) - center) * (Double($1) - center) }
    return (square / Double(values.count - 1)).squareRoot()
  }

  /// The mean of n draws lies within four standard errors of the true one.
  @Test func exponentialHasItsMeanAndDeviation() {
    let values = sample { $0.exponential($1, mean: 1_000_000) }
    #expect(abs(mean(values) - 1_000_000) < 4 * 1_000_000 / Double(Self.draws).squareRoot())
    #expect(abs(deviation(values) / 1_000_000 - 1) < 0.02)
    // P(X > 3 mean) = e^-3 = 0.0498.
    let tail = Double(values.count { $0 > 3_000_000 }) / Double(Self.draws)
    #expect(abs(tail - 0.0498) < 0.002)
  }

  /// The guess and its correction give what the division of 128 bits would.
  @Test func theMeanIsScaledAsByDivision() {
    let unit: UInt128 = 1_000_000_000_000_000_000
    var means: [UInt64] = [0, 1, 2, 3, 1_000_000, UInt64(Int64.max), UInt64(Int64.max) - 1]
    for step in 0..<20_000 {
      means.append(RandomStreams.mix(UInt64(step)) >> UInt64(1 + step % 60))
    }
    for mean in means {
      let exact = (UInt128(mean) * 693_147_180_559_945_309 + unit / 2) / unit
      #expect(UInt128(Sampler.timesLogarithmOfTwo(mean)) == exact)
    }
  }

  @Test func uniformCoversItsRangeEvenly() {
    let values = sample { $0.uniform($1, least: 10, most: 19) }
    #expect(Set(values) == Set(10...19))
    for value in Int64(10)...19 {
      let share = Double(values.count { $0 == value }) / Double(Self.draws)
      #expect(abs(share - 0.1) < 0.004)
    }
    #expect(sample { $0.uniform($1, least: 7, most: 7) }.allSatisfy { $0 == 7 })
  }

  @Test func normalHasItsMeanAndDeviation() {
    let values = sample { $0.normal($1, mean: 5_000_000, deviation: 1_000_000) }
    #expect(abs(mean(values) - 5_000_000) < 4 * 1_000_000 / Double(Self.draws).squareRoot())
    #expect(abs(deviation(values) / 1_000_000 - 1) < 0.01)
    // 68.27 % of a normal distribution lie within one deviation.
    let within = Double(values.count { abs($0 - 5_000_000) <= 1_000_000 }) / Double(Self.draws)
    #expect(abs(within - 0.6827) < 0.006)
    #expect(sample { $0.normal($1, mean: 0, deviation: 1_000) }.allSatisfy { $0 >= 0 })
  }

  @Test func paretoHasItsTail() {
    // P(X > x) = (least / x)^shape: 2^-1.5 = 0.3536 at twice the least.
    let values = sample { $0.pareto($1, least: 1_000_000, shape: 1_500_000_000) }
    #expect(values.allSatisfy { $0 >= 999_999 })
    let tail = Double(values.count { $0 > 2_000_000 }) / Double(Self.draws)
    #expect(abs(tail - 0.3536) < 0.005)
    let far = Double(values.count { $0 > 16_000_000 }) / Double(Self.draws)
    #expect(abs(far - 0.015_625) < 0.0015)
  }

  @Test func keysDoNotCollide() {
    var keys: Set<UInt64> = []
    for salt in UInt32(1)...100 {
      for ordinal in Int64(0)..<100 {
        keys.insert(RandomStreams.key(42, salt: salt, ordinal: ordinal))
      }
    }
    #expect(keys.count == 10_000)
  }

  @Test func hugeParametersSaturate() {
    let sampler = Sampler()
    for draw in UInt64(0)..<1_000 {
      let key = RandomStreams.mix(draw)
      #expect(sampler.exponential(key, mean: Int64.max) >= 0)
      #expect(sampler.normal(key, mean: Int64.max, deviation: Int64.max) >= 0)
      #expect(sampler.pareto(key, least: Int64.max, shape: 1) >= 0)
      #expect(sampler.uniform(key, least: 0, most: Int64.max) >= 0)
    }
    #expect(sampler.exponential(0, mean: 0) == 0)
  }
}
