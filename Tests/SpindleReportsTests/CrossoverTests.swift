import SpindleModel
import SpindleReports
import Testing

/// Where one variant becomes better than another.
@Suite struct CrossoverTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let scale: ValueScale
    let verdict: @Sendable (Int64) -> PairVerdict
    /// The first values behind the true changes.
    let changes: [Int64]
    let location: SourceLocation

    /// Compares two functions of the parameter; the less is the faster.
    init(
      _ claim: String, _ scale: ValueScale, changes: [Int64],
      location: SourceLocation = #_sourceLocation,
      _ first: @escaping @Sendable (Int64) -> Int64, _ second: @escaping @Sendable (Int64) -> Int64
    ) {
      testDescription = claim
      (self.scale, self.changes, self.location) = (scale, changes, location)
      verdict = { value in
        PairVerdict(first: [first(value)], second: [second(value)], preferring: .less)
      }
    }
  }

  static let wide = ValueScale(.duration, from: 10, to: 1_000_000_000)
  static let even = ValueScale(.number, from: 1, to: 100)
  static let shifted = ValueScale(.number, from: -500, to: 500)

  static let rows = [
    Row("no crossing", wide, changes: [], { $0 }, { $0 + 1 }),
    Row("equal everywhere", wide, changes: [], { $0 }, { $0 }),
    Row("one crossing, that of 90 us", wide, changes: [90_001], { _ in 180_001 }, { 2 * $0 }),
    Row("one crossing near the lower end", wide, changes: [12], { _ in 23 }, { 2 * $0 }),
    Row(
      "one crossing near the upper end", wide, changes: [999_000_000], { 2 * $0 },
      { _ in 1_997_999_999 }),
    Row("two crossings", wide, changes: [1_001, 5_000_000]) {
      $0 > 1_000 && $0 < 5_000_000 ? 1 : 3
    } _: { _ in
      2
    },
    Row("a plateau of equals between", wide, changes: [2_000, 700_000]) {
      $0 < 2_000 ? 1 : $0 < 700_000 ? 2 : 3
    } _: { _ in
      2
    },
    Row("a narrow plateau between two samples", wide, changes: [50_000, 60_000]) {
      $0 < 50_000 ? 1 : $0 < 60_000 ? 2 : 3
    } _: { _ in
      2
    },
    Row("a jump", even, changes: [43], { $0 < 43 ? 0 : 1_000_000 }, { _ in 500_000 }),
    Row("whole numbers up to the next", even, changes: [99], { 2 * $0 }, { _ in 197 }),
    Row("below zero and above", shifted, changes: [-321, 0, 123]) {
      $0 < -321 ? 0 : $0 < 0 ? 2 : $0 < 123 ? 0 : 2
    } _: { _ in
      1
    },
  ]

  @Test("every change is found to 1 %, and nothing else", arguments: rows)
  func changesAreFound(row: Row) {
    var (search, asked) = (CrossoverSearch(row.scale), Set<Int64>())
    while !search.wanted.isEmpty {
      #expect(asked.isDisjoint(with: search.wanted), "no value is asked for twice")
      asked.formUnion(search.wanted)
      search.learn(row.verdict)
    }
    let stretches = search.stretches
    #expect(stretches.count == row.changes.count + 1, sourceLocation: row.location)
    #expect(stretches.first?.first == row.scale.lower)
    #expect(stretches.last?.last == row.scale.upper)
    for stretch in stretches {
      #expect(stretch.verdict == row.verdict(stretch.first), sourceLocation: row.location)
      #expect(stretch.verdict == row.verdict(stretch.last), sourceLocation: row.location)
    }
    for (pair, change) in zip(zip(stretches, stretches.dropFirst()), row.changes) {
      let (last, first) = (pair.0.last, pair.1.first)
      #expect(last < change && change <= first, sourceLocation: row.location)
      #expect(row.scale.isClose(last, first), sourceLocation: row.location)
      #expect(Double(first - last) <= max(1, Double(first.magnitude) * 0.01))
    }
    #expect(asked.count <= 17 + row.changes.count * 12, sourceLocation: row.location)
  }

  @Test func aSearchEndsHoweverOftenTheVerdictChanges() {
    let verdicts: [PairVerdict] = [.firstIsBetter, .secondIsBetter, .noDifference]
    var (search, count) = (CrossoverSearch(CrossoverTests.wide), 0)
    while !search.wanted.isEmpty {
      count += search.wanted.count
      search.learn { verdicts[Int($0 % 7 % 3)] }
    }
    #expect(count == CrossoverSearch.mostValues)
  }

  @Test func samplesDivideTheScale() {
    #expect(ValueScale(.number, from: 0, to: 160).samples == (0...16).map { $0 * 10 })
    #expect(ValueScale(.number, from: 3, to: 6).samples == [3, 4, 5, 6])
    let wide = CrossoverTests.wide
    // Eight decades in sixteen steps: each second sample is a power of ten.
    #expect(wide.isLogarithmic)
    #expect(
      stride(from: 0, to: 17, by: 2).map { wide.samples[$0] }
        == [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000])
    #expect(!ValueScale(.number, from: 1, to: 100).isLogarithmic)
    #expect(ValueScale(.number, from: 1, to: 101).isLogarithmic)
    #expect(!ValueScale(.number, from: 0, to: 1_000).isLogarithmic)
  }

  @Test func middlesHaveFewDigits() {
    let even = ValueScale(.duration, from: 100_000, to: 200_000)
    #expect(even.middle(123_456, 130_000) == 127_000)
    #expect(even.middle(123_456, 123_459) == 123_457)
    #expect(even.middle(5, 6) == nil)
    let sizes = ValueScale(.size, from: 1_048_576, to: 3_145_728)
    #expect(sizes.middle(1_048_576, 3_145_729).map(sizes.text) == "2MB")
    let all = ValueScale(.number, from: .min, to: .max)
    #expect(all.middle(.min, .max) == 0 || all.middle(.min, .max) == -1)
    let positive = ValueScale(.number, from: 1, to: .max)
    #expect(positive.middle(1, .max).map { 3_000_000_000...3_100_000_000 ~= $0 } == true)
  }

  struct Outcome: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let first: [Int64]?
    let second: [Int64]?
    let verdict: PairVerdict

    init(_ claim: String, _ first: [Int64]?, _ second: [Int64]?, _ verdict: PairVerdict) {
      (testDescription, self.first, self.second, self.verdict) = (claim, first, second, verdict)
    }
  }

  static let outcomes = [
    Outcome("less is faster", [1], [2], .firstIsBetter),
    Outcome("more is slower", [2], [1], .secondIsBetter),
    Outcome("a tie", [2], [2], .noDifference),
    Outcome("real over the seeds", [1, 2, 3], [5, 7, 9], .firstIsBetter),
    Outcome("within chance", [10, 10, 10], [11, 12, 13], .noDifference),
    Outcome("one does not finish", [5], nil, .onlyFirstFinishes),
    Outcome("the other does not", nil, [5], .onlySecondFinishes),
    Outcome("none does", nil, nil, .neitherFinishes),
  ]

  @Test(arguments: outcomes)
  func verdicts(row: Outcome) {
    #expect(
      PairVerdict(first: row.first, second: row.second, preferring: .less) == row.verdict)
    // Of what is the better the more there is, the other one is better.
    let other = PairVerdict(first: row.first, second: row.second, preferring: .more)
    switch row.verdict {
    case .firstIsBetter: #expect(other == .secondIsBetter)
    case .secondIsBetter: #expect(other == .firstIsBetter)
    case .noDifference, .onlyFirstFinishes, .onlySecondFinishes, .neitherFinishes:
      #expect(other == row.verdict)
    }
  }
}
