import SpindleModel
import SpindleReports
import Testing

/// Variants side by side.
@Suite struct ComparisonTests {
  /// A run of which only what the table shows is set.
  static func run(
    makespan: Double, threads: Int64 = 1, switches: Int64 = 0, outcome: Outcome.Kind = .finished,
    items: Int64 = 1
  ) -> RunMetrics {
    let end = Instant(milliseconds(makespan).rawValue)
    var run = RunMetrics(outcome: Outcome(outcome), end: end, makespan: end)
    run.threadsPeak = threads
    run.switchesVoluntary = switches
    run.memoryPeak = ByteCount(threads * 1_048_576)
    // Half of the time on its one core.
    let half = Nanoseconds(run.span.rawValue / 2)
    run.cores = [CoreMetrics(.init(busy: half, overhead: .zero), span: run.span)]
    var kind = KindMetrics(pattern: "item", isNamed: true)
    (kind.count, kind.latency.count) = (items + 1, items)
    kind.latency.p95 = milliseconds(items > 0 ? makespan / 2 : 0)
    run.kinds = [kind]
    return run
  }

  /// Variants with the columns that are chosen for them.
  static func comparison(_ variants: [(label: String, runs: [RunMetrics])]) -> Comparison {
    let columns = StandardColumns(variants.map(\.runs), hasMain: false)
    return Comparison(
      columns: columns.columns, equal: columns.equal,
      variants: variants.map { variant in
        Comparison.Variant(
          label: variant.label,
          runs: variant.runs.map {
            Comparison.Run(outcome: $0.outcome.kind, values: columns.values($0))
          })
      })
  }

  static func text(_ comparison: Comparison, width: Int = 100) -> String {
    ComparisonReport(comparison).text(.table, style: TextStyle(width: width))
  }

  /// A percentage of five digits says nothing.
  @Test func hundredsOfTimesAreTimes() {
    let comparison = ComparisonTests.comparison([
      (label: "one", runs: [ComparisonTests.run(makespan: 100, threads: 2, switches: 10)]),
      (label: "other", runs: [ComparisonTests.run(makespan: 100, threads: 2, switches: 2_500)]),
    ])
    #expect(ComparisonTests.text(comparison).contains("×250\n"))
  }

  @Test func oneSeed() {
    let comparison = ComparisonTests.comparison([
      (label: "raw", runs: [ComparisonTests.run(makespan: 100, threads: 49, switches: 1_000)]),
      (label: "pool", runs: [ComparisonTests.run(makespan: 150, threads: 5, switches: 90)]),
    ])
    #expect(
      ComparisonTests.text(comparison) == """
        variant  makespan       item p95      threads     memory        switches
        raw      100ms*         50ms*         49          49MB          1,000
        pool     150ms  +50.0%  75ms  +50.0%   5* -89.8%   5MB* -89.8%     90* -91.0%

        Equal everywhere: used 50.0%.
        *: the best of its column. Behind each value: its difference to the first.

        """)
  }

  @Test func aVariantThatDoesNotFinishIsNeverTheBest() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [ComparisonTests.run(makespan: 100)]),
      (label: "b", runs: [ComparisonTests.run(makespan: 50, outcome: .deadlock)]),
    ])
    let text = ComparisonTests.text(comparison)
    #expect(text.contains("b        deadlock"))
    #expect(!text.split(separator: "\n").prefix(4).contains { $0.contains("*") })
  }

  @Test func whatDidNotFinishHasNoDifferenceAndNoPercentileOfNothing() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [ComparisonTests.run(makespan: 100, threads: 2)]),
      (
        label: "b",
        runs: [ComparisonTests.run(makespan: 50, threads: 1, outcome: .deadlock, items: 0)]
      ),
      (label: "c", runs: [ComparisonTests.run(makespan: 100, threads: 2, items: 0)]),
    ])
    #expect(
      ComparisonTests.text(comparison) == """
        variant  outcome   makespan  item p95  threads  memory
        a        finished  100ms     50ms      2        2MB
        b        deadlock   50ms        -      1        1MB
        c        finished  100ms =      -      2 =      2MB =

        Equal everywhere: switches 0, used 50.0%.
        Behind each value: its difference to the first.
        -: item p95 has no value where no "item" ended.
        Runs that did not finish are neither ranked nor compared.

        """)
    let json = ComparisonReport(comparison).text(.json, style: TextStyle())
    #expect(json.split(separator: "\"values\": [\n            null\n").count == 3)
    #expect(!json.contains("e-"))
  }

  @Test func nothingIsComparedWithAFirstVariantThatDidNotFinish() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [ComparisonTests.run(makespan: 1, outcome: .crashed)]),
      (label: "b", runs: [ComparisonTests.run(makespan: 50)]),
    ])
    let lines = ComparisonTests.text(comparison).split(separator: "\n")
    #expect(lines[1] == "a        crashed    1ms      500us")
    #expect(lines[2] == "b        finished  50ms       25ms")
  }

  /// A refused variant has a word in place of numbers, which would be those of no run.
  @Test func aRefusedVariantHasNoNumbers() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [ComparisonTests.run(makespan: 50)]),
      (label: "b", runs: [ComparisonTests.run(makespan: 1, outcome: .refused, items: 0)]),
    ])
    let text = ComparisonTests.text(comparison)
    #expect(text.split(separator: "\n")[2] == "b        refused")
    #expect(!text.contains("has no value"))
    #expect(text.hasSuffix("Runs that were refused are neither ranked nor compared.\n"))
  }

  @Test func endingsOfSeedsAreCounted() {
    let comparison = ComparisonTests.comparison([
      (
        label: "a",
        runs: [Outcome.Kind.finished, .timeLimit, .deadlock, .timeLimit].map {
          ComparisonTests.run(makespan: 50, outcome: $0)
        }
      )
    ])
    #expect(
      ComparisonTests.text(comparison).contains("2 of 4 did not finish, 1 of 4 deadlock"))
  }

  @Test func severalSeedsGiveAnInterval() {
    let noise: [Double] = [3, -3, 6, -6, 0]
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: noise.map { ComparisonTests.run(makespan: 100 + $0) }),
      (
        label: "b", runs: noise.map { ComparisonTests.run(makespan: 110 + $0 + $0 / 3) }
      ),
      (
        label: "c",
        runs: zip(noise, [1.0, -1, 2, -2, 0.1]).map {
          ComparisonTests.run(makespan: 100 + $0 + $1)
        }
      ),
    ])
    let lines = ComparisonTests.text(comparison, width: 120).split(separator: "\n")
    // The squares of the noise come to 90: 90 / 4 is 22.5, and its root 4.74. Half of the 95% interval of the mean of
    // five is 2.776 times that, divided by the root of 5.
    #expect(lines[1].contains("±5.89ms"))
    #expect(lines[2].contains("+10.0% ±2.0%"))
    #expect(lines[3].contains("no diff."))
    // What can't be told apart is equally good.
    #expect(lines[1].contains("100ms*"))
    #expect(lines[2].contains("110ms "))
    #expect(lines[3].contains("100ms*"))
  }

  /// The mean of the first is 1 ms, and half of its interval 2.776 ms: a percentage of that says nothing.
  @Test func nothingIsAShareOfWhatMayBeZero() {
    let comparison = ComparisonTests.comparison([
      (label: "a", runs: [0, 0, 5, 0, 0].map { ComparisonTests.run(makespan: $0) }),
      (label: "b", runs: [100, 102, 105, 98, 100].map { ComparisonTests.run(makespan: $0) }),
    ])
    let lines = ComparisonTests.text(comparison, width: 120).split(separator: "\n")
    #expect(lines[1].contains("±2.78ms"), "\(lines)")
    // The differences are 100, 102, 100, 98 and 100: their deviation is the root of 2, and half of the interval 1.76.
    #expect(lines[2].contains("+100ms ±1.76ms"), "\(lines)")
    #expect(!lines[2].prefix { $0 != "s" }.contains("%"), "\(lines)")
  }

  /// One run beside the other, whose labels are as given.
  static func lines(_ labels: [String], width: Int) -> [String] {
    let comparison = ComparisonTests.comparison(
      zip(labels, [100.0, 120]).map { ($0, [ComparisonTests.run(makespan: $1)]) })
    return ComparisonTests.text(comparison, width: width).split(separator: "\n").map(String.init)
  }

  @Test func longLabelsLoseTheirArgumentsWhereTheyStillDiffer() {
    let pool = "ThreadPool(width: 4, stackSize: 512KB, minimum: 2)"
    let queue = "OperationQueue(maxConcurrentOperationCount: 4)"
    let lines = ComparisonTests.lines([pool, queue], width: 60)
    #expect(lines[1].hasPrefix("ThreadPool(…)      100ms*"), "\(lines)")
    #expect(lines[2].hasPrefix("OperationQueue(…)  120ms "), "\(lines)")
    #expect(ComparisonTests.lines([pool, queue], width: 100)[1].hasPrefix(pool))
  }

  @Test(arguments: [60, 55, 50])
  func whatDoesNotFitStandsBelow(width: Int) {
    let labels = [4, 8].map { "background=ThreadPool(width: \($0)), modules=16" }
    let lines = ComparisonTests.lines(labels, width: width)
    #expect(lines.prefix(6).allSatisfy { $0.count <= width }, "\(lines)")
    // The middle is cut, since the ends tell labels apart.
    #expect(lines[1].hasPrefix("background=Thre…: 4), modules=16"), "\(lines)")
    #expect(lines.count { $0.contains(": 8), modules=16") } >= 1, "\(lines)")
  }

  struct Pair: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let first: [Double]
    let second: [Double]
    let mean: Double
    let halfWidth: Double
    let isReal: Bool
  }

  /// The intervals are computed from the quantiles in any table of Student's distribution:
  /// t(0.975) is 4.303 for 2, 2.262 for 9, 2.023 for 39 degrees of freedom.
  static let pairs = [
    Pair(
      testDescription: "differences 1, 2, 3: 2 ± 4.303 / sqrt(3)", first: [10, 10, 10],
      second: [11, 12, 13], mean: 2, halfWidth: 2.4843, isReal: false),
    Pair(
      testDescription: "differences 4, 5, 6: 5 ± 4.303 / sqrt(3)", first: [1, 2, 3],
      second: [5, 7, 9], mean: 5, halfWidth: 2.4843, isReal: true),
    Pair(
      testDescription: "ten pairs, five of 0 and five of 2: 1 ± 2.262 * 1.0541 / sqrt(10)",
      first: Array(repeating: 0, count: 10), second: [0, 2, 0, 2, 0, 2, 0, 2, 0, 2], mean: 1,
      halfWidth: 0.7540, isReal: true),
    Pair(
      testDescription: "forty pairs of -1 and 1: 0 ± 2.0227 * 1.01274 / sqrt(40)",
      first: Array(repeating: 0, count: 40),
      second: (0..<40).map { $0 % 2 == 0 ? 1 : -1 }, mean: 0, halfWidth: 0.32389, isReal: false),
    Pair(
      testDescription: "equal differences are certain", first: [1, 2, 3], second: [2, 3, 4],
      mean: 1, halfWidth: 0, isReal: true),
    Pair(
      testDescription: "no differences", first: [1, 2, 3], second: [1, 2, 3], mean: 0,
      halfWidth: 0, isReal: false),
  ]

  @Test(arguments: pairs)
  func pairedIntervals(pair: Pair) throws {
    let difference = PairedDifference(first: pair.first, second: pair.second)
    let halfWidth = try #require(difference.halfWidth)
    #expect((difference.mean - pair.mean).magnitude < 1e-9)
    #expect((halfWidth - pair.halfWidth).magnitude < 1e-3)
    #expect(difference.isReal == pair.isReal)
  }

  @Test func onePairHasNoInterval() {
    #expect(PairedDifference(first: [1], second: [2]).halfWidth == nil)
    #expect(PairedDifference(first: [1], second: [2]).isReal)
    #expect(!PairedDifference(first: [2], second: [2]).isReal)
  }
}
