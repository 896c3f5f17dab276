import SpindleModel
import SpindleReports
import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle tune` and its search.
@Suite struct TuneTests {
  /// A function of one or two parameters with its least value known.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let axes: [TuneSearch.Axis]
    let cost: @Sendable ([Int64]) -> Double?
  }

  static let small = ValueScale(.number, from: 1, to: 200)
  static let square = ValueScale(.number, from: 1, to: 40)

  static let rows = [
    Row(testDescription: "a valley at 73", axes: [.scale(small)]) { point in
      Double((point[0] - 73) * (point[0] - 73))
    },
    Row(testDescription: "the lower end", axes: [.scale(small)]) { Double($0[0]) },
    Row(testDescription: "the upper end", axes: [.scale(small)]) { Double(-$0[0]) },
    Row(testDescription: "only above 101 is allowed", axes: [.scale(small)]) { point in
      point[0] > 101 ? Double(point[0]) : nil
    },
    Row(
      testDescription: "a plane with its least at (29, 7)", axes: [.scale(square), .scale(square)]
    ) {
      let (x, y) = ($0[0] - 29, $0[1] - 7)
      return Double(x * x + 3 * y * y)
    },
    Row(testDescription: "a list beside a scale", axes: [.list(3), .scale(square)]) { point in
      Double((point[0] - 1) * (point[0] - 1) * 50 + (point[1] - 13).magnitudeAsSigned)
    },
  ]

  @Test("the search finds what trying everything finds", arguments: rows)
  func bruteForce(row: Row) throws {
    var search = TuneSearch(row.axes, prefersMore: false)
    while !search.wanted.isEmpty { search.learn(search.wanted.map(row.cost)) }
    let all = TuneTests.all(row.axes)
    let least = try #require(all.compactMap(row.cost).min())
    let best = try #require(search.best)
    let found = try #require(row.cost(best))
    // Neighbours within 1 % of the scale, or next to each other, are not told apart.
    #expect(found <= least + 1 || (found - least) / least.magnitude < 0.02, "\(best)")
    #expect(search.order.count * 3 < all.count * 2, "\(search.order.count) of \(all.count)")
    #expect(Set(search.order).count == search.order.count, "no point is run twice")
  }

  /// Every point of axes.
  private static func all(_ axes: [TuneSearch.Axis]) -> [[Int64]] {
    axes.reduce([[]]) { points, axis in
      let values: [Int64] =
        switch axis {
        case .scale(let scale): (scale.lower...scale.upper).map { $0 }
        case .list(let count): (0..<Int64(count)).map { $0 }
        }
      return points.flatMap { point in values.map { point + [$0] } }
    }
  }

  @Test func whereNothingIsAllowedNothingIsBest() {
    var search = TuneSearch([.scale(TuneTests.small)], prefersMore: true)
    while !search.wanted.isEmpty { search.learn(search.wanted.map { _ in nil }) }
    #expect(search.best == nil)
    #expect(search.order.count == search.gridCount)
  }

  /// Sixty items of 1 ms in batches that take 1 ms more each, one after another.
  ///
  /// Batches of b take 60 + 60 / b ms, rounded up, so that one batch of all is the best.
  static let trace = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    param batch = 1
    param unit = 1ms
    let pool = ThreadPool(width: 1)
    main {
        var left = 60
        while left > 0 {
            let size = left < batch ? left : batch
            pool.async(name: "batch") { work(unit); work(1ms * size) }
            left -= size
        }
    }

    """
  private let folder = TemporaryFolder()

  private func tune(_ arguments: String...) -> Invocation {
    Invocation(["tune", folder.write("t.trace", TuneTests.trace)] + arguments)
  }

  @Test func aConditionMovesTheBest() {
    let free = tune("--over", "batch=1...60", "--minimize", "makespan")
    #expect(free.status == .held, "\(free.error)")
    #expect(free.output.hasPrefix("batch=60: makespan 61ms\n"), "\(free.output)")
    // A batch of b runs for b + 1 ms. 15 and 19 make four batches, 14 and less five.
    let bound = tune(
      "--over", "batch=1...60", "--minimize", "makespan", "--subject-to",
      "latency(\"batch\").min <= 20ms")
    #expect(bound.output.contains("makespan 64ms"), "\(bound.output)")
    #expect(bound.output.contains("did not meet latency(\"batch\").min <= 20ms."))
    #expect(bound.output.contains("Found in "))
    let none = tune(
      "--over", "batch=1...60", "--minimize", "makespan", "--subject-to", "makespan < 1ms")
    #expect(none.status == .notHeld)
    #expect(none.output.hasPrefix("No point that was looked at meets makespan < 1ms.\n"))
    // A batch of 60 has the least latency and the least makespan of all that have one batch, at 61 ms.
    let near = tune(
      "--over", "batch=20...60", "--minimize", "makespan", "--subject-to",
      "latency(\"batch\").min <= 20ms")
    #expect(
      near.output.contains("\n\nNearest miss: batch=20, latency(\"batch\").min 21ms.\n"),
      "\(near.output)")
  }

  /// What conditions compare stands beside each point, and which of them a point fails.
  @Test func whatConditionsCompareIsShown() throws {
    let bound = tune(
      "--over", "batch=1...60", "--minimize", "makespan", "--subject-to",
      "latency(\"batch\").min <= 20ms, count(of: \"batch\") > 1")
    let lines = bound.output.split(separator: "\n")
    let best = try #require(lines.first)
    // A batch of b takes b + 1 ms, which the first of them has as its latency.
    let batch = try #require(best.dropFirst(6).split(separator: ":").first.flatMap { Int($0) })
    #expect(
      best.hasPrefix("batch=\(batch): makespan 64ms, latency(\"batch\").min \(batch + 1)ms"),
      "\(best)")
    #expect(best.hasSuffix("count(of: \"batch\") 4"), "\(best)")
    let refused = try #require(lines.first { $0.hasPrefix("batch=60 ") })
    #expect(
      refused.split(separator: " ").joined(separator: " ")
        == "batch=60 61ms 61ms 1 not latency(\"batch\").min <= 20ms, not count(of: \"batch\") > 1")
    #expect(
      lines.suffix(5).joined(separator: " ").contains(
        "1 point did not meet count(of: \"batch\") > 1."),
      "\(bound.output)")
    let json = tune(
      "--over", "batch=1...3", "--minimize", "makespan", "--subject-to", "20ms >= makespan + 1ms",
      "--json"
    ).output
    #expect(
      json.contains("\"isMet\": false") && json.contains("\"measure\": \"makespan + 1ms\""),
      "\(json)")
    // Nothing is computed with a text.
    let text = tune(
      "--over", "batch=1...3", "--minimize", "makespan", "--subject-to", "outcome == .finished")
    #expect(
      text.status == .held && text.output.hasPrefix("batch=3: makespan 80ms\n"), "\(text.output)")
  }

  /// Student's 97.5% quantile for six degrees of freedom is 2.447.
  @Test func meansHaveTheirIntervals() throws {
    let path = folder.write(
      "m.trace",
      """
      param width = 1
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { for _ in 0 ..< width { work(uniform(1ms, 9ms)) } }

      """)
    let values = (0..<7).map { seed -> Double in
      let call = Invocation(
        "simulate", path, "--seed", "\(seed)", "--measure", "makespan", "--format", "csv")
      return Double(call.output.split(separator: "\n").last?.split(separator: ",").last ?? "") ?? 0
    }
    let mean = values.reduce(0, +) / 7
    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 6).squareRoot()
    let unit = MeasureUnit.duration
    let interval = unit.approximate(2.4469 * deviation / 7.0.squareRoot())
    let text = "\(unit.approximate(mean)) ±\(interval)"
    let call = Invocation(
      "tune", path, "--over", "width=1...2", "--minimize", "makespan", "--seeds", "7")
    #expect(call.output.hasPrefix("width=1: makespan \(text)\n"), "\(call.output) \(text)")
    let seeds = Invocation("simulate", path, "--measure", "makespan", "--seeds", "7").output
    #expect(seeds.contains(text), "\(seeds)")
    let sweep = Invocation(
      "sweep", path, "--over", "width=1", "--measure", "makespan", "--seeds", "7"
    ).output
    #expect(sweep.contains(text), "\(sweep)")
  }

  /// Of several seeds the one that is farthest from what must hold.
  @Test func theWorstSeedIsShown() throws {
    let path = folder.write(
      "s.trace",
      """
      param width = 1
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { for _ in 0 ..< width { work(uniform(1ms, 9ms)) } }
      expect { makespan < 100ms }

      """)
    func shown(_ condition: String) -> String {
      let call = Invocation(
        "tune", path, "--over", "width=1...2", "--minimize", "makespan * 2", "--seeds", "7",
        "--subject-to", condition)
      return call.output.split(separator: "\n").first?.split(separator: " ").last.map(String.init)
        ?? call.error
    }
    func single(_ seed: Int) -> Double {
      let call = Invocation(
        "simulate", path, "--seed", "\(seed)", "--measure", "makespan", "--format", "csv")
      return Double(call.output.split(separator: "\n").last?.split(separator: ",").last ?? "") ?? 0
    }
    let all = (0..<7).map(single)
    #expect(shown("makespan < 1s") == MeasureUnit.duration.approximate(all.max() ?? 0))
    #expect(shown("makespan > 1us") == MeasureUnit.duration.approximate(all.min() ?? 0))
  }

  @Test func itIsTheSameWithAnyNumberOfJobs() {
    let arguments = [
      "--over", "batch=1...60", "--over", "unit=0ms...4ms", "--minimize", "makespan",
    ]
    let path = folder.write("t.trace", TuneTests.trace)
    let one = Invocation(["tune", path] + arguments + ["--jobs", "1"])
    let three = Invocation(["tune", path] + arguments + ["--jobs", "3"])
    #expect(one.output == three.output)
    #expect(one.output.contains("unit=0"), "\(one.output)")
    let json = Invocation(["tune", path] + arguments + ["--json"]).output
    #expect(json.contains("\"best\": {\n    \"settings\": {"))
    #expect(json.contains("\"value\": 60000000"))
  }

  @Test(arguments: [
    (
      ["--over", "batch=1...9"], "'tune' needs one of '--minimize MEASURE' and '--maximize MEASURE'"
    ),
    (["--minimize", "makespan"], "'tune' needs '--over NAME=LOW...HIGH'"),
    (["--over", "batch=1...9", "--minimize", "outcome"], "'--minimize' needs a number"),
    (
      ["--over", "batch=1...9", "--minimize", "makespan, switches"],
      "'--minimize' takes one measure, not 2"
    ),
    (
      ["--over", "batch=9...1", "--minimize", "makespan"],
      "'--over' needs the lower bound first"
    ),
    (
      ["--over", "batch=1...9", "--minimize", "makespan", "--subject-to", "switches"],
      "'--subject-to' needs a condition such as"
    ),
    (
      ["--over", "batch=1...9ms", "--minimize", "makespan"], "'--over' goes from a number, duration"
    ),
  ])
  func mistakesAreUsage(arguments: [String], message: String) {
    let call = Invocation(["tune", folder.write("t.trace", TuneTests.trace)] + arguments)
    #expect(call.status == .usage)
    #expect(call.error.hasPrefix("spindle: error: \(message)"), "\(call.error)")
  }
}

extension Int64 {
  /// The number without its sign.
  fileprivate var magnitudeAsSigned: Int64 { self < 0 ? -self : self }
}
