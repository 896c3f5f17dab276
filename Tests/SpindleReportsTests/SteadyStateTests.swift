import SpindleModel
import SpindleReports
import Testing

/// Where a warm-up ends, and how sure means of batches are.
@Suite struct SteadyStateTests {
  /// The rule as its source has it: for each cut the mean of the rest, and its squares, one by one.
  private static func plainCut(_ means: [Double]) -> Int {
    let quotients = (0...(means.count - 5)).map { cut -> Double in
      let rest = means[cut...]
      let mean = rest.reduce(0, +) / Double(rest.count)
      let squares = rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return squares / Double(rest.count * rest.count)
    }
    return quotients.indices.min { quotients[$0] < quotients[$1] } ?? 0
  }

  @Test func theCutIsWhereTheQuotientIsLeast() {
    // What is behind the second value has no variance at all.
    #expect(TruncationRule.cut([9, 3] + Array(repeating: 1, count: 18)) == 2)
    #expect(TruncationRule.cut(Array(repeating: 1, count: 10)) == 0)
    #expect(TruncationRule.cut([9, 3] + Array(repeating: 1, count: 7)) == nil, "too few")
    // Where the values change in the second half, the rest is too short to judge by.
    let late = Array(repeating: 9.0, count: 12) + Array(repeating: 1.0, count: 8)
    #expect(TruncationRule.cut(late) == nil)
    var (found, refused) = (0, 0)
    for seed in 1...200 {
      var noise = SequentialTests.Noise(seed: UInt64(seed))
      // A start that is too high by 8 and comes down by an eighth with each value.
      let means = (0..<60).map { index -> Double in
        var bias = 8.0
        for _ in 0..<index { bias *= 0.875 }
        return noise.next() + bias
      }
      let plain = SteadyStateTests.plainCut(means)
      #expect(TruncationRule.cut(means) == (plain <= 30 ? plain : nil))
      if plain <= 30 { found += 1 } else { refused += 1 }
      // At the cut the bias is below 8 * 0.875^3.
      if plain <= 30 { #expect(plain > 3) }
    }
    #expect(found > 100 && refused > 0, "\(found) \(refused)")
  }

  @Test func aSeriesOfAnyLengthIsKeptShort() {
    var series = ObservedSeries()
    for value in 0..<(Int64(5 * 65_536) + 5) { series.add(value, at: 10 * value) }
    // One mean more than fits: pairs are joined, and the odd one waits for its other half.
    #expect(series.means.count == 32_768)
    // The first ten values are 0 to 9.
    #expect(series.means[0] == 4.5)
    #expect(series.times[1] == 100)
    for value in 0..<Int64(5) { series.add(65_536 * 5 + 5 + value, at: 0) }
    // The last ten: from 327,680 on.
    #expect(series.means.last == 327_684.5)
    #expect(series.times.last == 3_276_800)
  }

  @Test func theIntervalIsStudents() {
    // The squares of 1 to 20 about 10.5 come to 665: 665 / 19 / 20 is 1.75, its root 1.3229; times 2.093.
    let rising = BatchMeans((1...20).map(Double.init))
    #expect((rising.halfWidth - 2.7688).magnitude < 1e-3)
    #expect(!rising.isIndependent, "what rises is alike")
    // Nineteen products of -1 over twenty squares of 1.
    let swinging = BatchMeans((0..<20).map { $0 % 2 == 0 ? 1 : -1 })
    #expect((swinging.correlation + 0.95).magnitude < 1e-9)
    #expect(swinging.isIndependent)
    let equal = BatchMeans(Array(repeating: 3, count: 20))
    #expect(equal.halfWidth == 0 && equal.isIndependent)
  }

  @Test func batchesCutTheWholeRest() {
    let starts = SteadyState.batches(from: Instant(10), to: Instant(51))
    #expect(starts.count == 20)
    #expect(starts.first == Instant(10))
    // 41 ns in 20 parts: the last begins at 10 + 41 * 19 / 20.
    #expect(starts.last == Instant(48))
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 > $0 })
    #expect(SteadyState.batches(from: Instant(10), to: Instant(29)).isEmpty)
  }

  @Test func onlyAveragesHaveBatches() {
    let mean = ExpectationTerm.measure(.itemTime(.latency, "a*", .mean))
    let two = ExpectationTerm.value(.integer(2))
    #expect(mean.isAverage)
    #expect(ExpectationTerm.measure(.itemTime(.wait, "a*", .p99)).isAverage)
    #expect(ExpectationTerm.measure(.utilization).isAverage)
    #expect(ExpectationTerm.arithmetic(.divide, mean, two).isAverage)
    #expect(!ExpectationTerm.arithmetic(.divide, two, two).isAverage)
    #expect(!ExpectationTerm.arithmetic(.add, mean, .measure(.makespan)).isAverage)
    #expect(!ExpectationTerm.measure(.itemTime(.latency, "a*", .max)).isAverage)
    #expect(!ExpectationTerm.measure(.count(of: "a*")).isAverage)
    #expect(!ExpectationTerm.compare(.less, mean, mean, nil).isAverage)
  }
}
