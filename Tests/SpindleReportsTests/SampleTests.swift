import SpindleModel
import TestSupport
import Testing

@testable import SpindleReports

/// Statistics of samples: those of a sorted list.
struct SampleTests {
  /// The value of the nearest rank in a list.
  private static func percentile(_ percent: Int, _ sorted: [Int64]) -> Int64 {
    sorted[(percent * sorted.count + 99) / 100 - 1]
  }

  @Test(
    arguments: [
      [7], [-1], [0, 0, 0], [-3, 5], [Int64](-50...49), [Int64](1...999), [Int64](-1_000...(-1)),
      [Int64.max, -Int64.max],
    ] as [[Int64]])
  func statisticsAreThoseOfTheSortedList(values: [Int64]) {
    let samples = SampleObservation()
    // In an order that is neither up nor down.
    for index in values.indices where index % 2 == 0 { samples.add(values[index]) }
    for index in values.indices.reversed() where index % 2 == 1 { samples.add(values[index]) }
    let sorted = values.sorted()
    let found = samples.distribution
    func value(_ statistic: Measure.Statistic) -> ExpectationValue {
      found.value(statistic, .duration)
    }
    #expect(found.count == Int64(values.count))
    #expect(value(.min) == .duration(Nanoseconds(sorted[0])))
    #expect(value(.max) == .duration(Nanoseconds(sorted[sorted.count - 1])))
    for (statistic, percent) in [(Measure.Statistic.p50, 50), (.p90, 90), (.p95, 95), (.p99, 99)] {
      #expect(
        value(statistic) == .duration(Nanoseconds(Self.percentile(percent, sorted))),
        "\(statistic) of \(values)")
    }
    let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
    guard case .decimal(let mean) = found.value(.mean, .integer) else {
      Issue.record("the mean of whole numbers is a decimal")
      return
    }
    let exact = Double(sum) / Double(values.count)
    #expect(abs(Double(mean.billionths) / 1e9 - exact) < 1e-8 + abs(exact) * 1e-15)
  }

  @Test func sharesCountWhatIsAbove() {
    let samples = SampleObservation(limits: [3, -2])
    for value in [-5, -2, -1, 3, 4] as [Int64] { samples.add(value) }
    #expect(samples.limits.count(above: 3) == 1)
    #expect(samples.limits.count(above: -2) == 3)
    samples.forget()
    #expect(samples.limits.count(above: -2) == 0)
    #expect(samples.distribution.count == 0)
  }
}
