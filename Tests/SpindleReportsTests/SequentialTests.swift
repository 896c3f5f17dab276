import SpindleModel
import SpindleReports
import Testing

/// Adding seeds until differences are known, without finding some where there are none.
@Suite struct SequentialTests {
  /// Numbers that are nearly normal: sums of twelve uniform ones, of mean 6 and variance 1.
  struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> Double {
      var sum = 0.0
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum += Double(state >> 11) / 9_007_199_254_740_992
      }
      return sum
    }
  }

  /// The share of Student's distribution above a value.
  ///
  /// Its density is integrated to infinity by Simpson's rule, with x = value + s / (1 - s). The factor in front comes from the recurrence of the
  /// gamma function, from 1/pi for one degree of freedom.
  static func share(above value: Double, degrees: Int) -> Double {
    var factor = 1 / Double.pi
    for degree in stride(from: 3, through: degrees, by: 2) {
      let (n, before) = (Double(degree), Double(degree - 2))
      factor *= (n - 1) / (n - 2) * (before / n).squareRoot()
    }
    func density(_ s: Double) -> Double {
      let x = value + s / (1 - s)
      let base = 1 + x * x / Double(degrees)
      // (degrees + 1) / 2 is whole for an odd number of degrees.
      var power = 1.0
      for _ in 0..<(degrees + 1) / 2 { power /= base }
      return factor * power / ((1 - s) * (1 - s))
    }
    let count = 4_000
    var sum = density(0)
    for step in 1..<count {
      sum += density(Double(step) / Double(count)) * (step % 2 == 1 ? 4 : 2)
    }
    return sum / Double(count) / 3
  }

  @Test func eachLookHasItsShareOfTheError() throws {
    #expect(SequentialLooks.counts == [8, 16, 32, 64, 128, 256, 512, 1_024])
    // t(0.975) of 7 degrees is 2.365 in any table: the integral itself is right.
    #expect((SequentialTests.share(above: 2.3646, degrees: 7) - 0.025).magnitude < 1e-5)
    for count in SequentialLooks.counts.prefix(6) {
      let quantile = try #require(SequentialLooks.quantile(count))
      let share = SequentialTests.share(above: quantile, degrees: count - 1)
      #expect((share * 2 * 8 - SequentialLooks.error).magnitude < 1e-4, "\(count): \(share)")
    }
    #expect(SequentialLooks.quantile(9) == nil)
  }

  /// Of 1,000 comparisons of equal variants, each on its own random numbers and looked at up to four
  /// times, at most 5 % may find a difference: with four of the eight looks at most 25 are expected, and
  /// four standard deviations above that are 45.
  @Test func equalVariantsAreSeldomToldApart() throws {
    var found = 0
    for comparison in 0..<1_000 {
      var noise = Noise(seed: UInt64(comparison) + 1)
      var (first, second): ([Double], [Double]) = ([], [])
      for count in SequentialLooks.counts.prefix(4) {
        while first.count < count {
          first.append(noise.next())
          second.append(noise.next())
        }
        let quantile = try #require(SequentialLooks.quantile(count))
        if PairedDifference(first: first, second: second, quantile: quantile).isReal {
          found += 1
          break
        }
      }
    }
    #expect(found <= 45, "\(found)")
    #expect(found > 0, "a test that never finds anything shows nothing")
  }

  /// The plain interval of a fixed number of seeds: 50 of 1,000 are expected, with a standard deviation
  /// of 6.9; and a true difference of one standard deviation is in the interval as often.
  @Test func theIntervalHasItsNominalShare() {
    var (found, missed) = (0, 0)
    for comparison in 0..<1_000 {
      var noise = Noise(seed: UInt64(comparison) + 100_000)
      let first = (0..<20).map { _ in noise.next() }
      let second = (0..<20).map { _ in noise.next() }
      if PairedDifference(first: first, second: second).isReal { found += 1 }
      let shifted = PairedDifference(first: first, second: second.map { $0 + 1 })
      if (shifted.mean - 1).magnitude > shifted.halfWidth ?? 0 { missed += 1 }
    }
    #expect((22...78).contains(found), "\(found)")
    #expect((22...78).contains(missed), "\(missed)")
  }

  @Test func whatIsEqualIsExactlyEqual() {
    var noise = Noise(seed: 7)
    let values = (0..<8).map { _ in noise.next() }
    let difference = PairedDifference(first: values, second: values, quantile: 3.8552)
    #expect(difference.isZero)
    #expect(!difference.isReal)
  }
}
