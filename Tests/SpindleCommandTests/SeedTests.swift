import Foundation
import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle simulate --seeds` and `--warm-up`.
@Suite struct SeedTests {
  /// One piece of work of 10 to 20 ms, which is above 15 ms with about every second seed.
  static let drawn = """
    trace "Drawn"
    machine { platform: .ideal; cores: 1; costs: .zero }
    main { work(10ms + uniform(0ms, 10ms)) }
    expect { makespan <= 15ms }

    """
  /// Every 10 ms an item, of 5 ms up to 100 ms and of 2 ms from then on.
  static let warm = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    let pool = ThreadPool(width: 1)
    arrivals(every: 10ms, count: 210) { index in
        pool.async(name: "job") { if index < 10 { work(5ms) } else { work(2ms) } }
    }
    main { }

    """
  private let folder = TemporaryFolder()

  private func simulate(_ trace: String, _ arguments: String...) -> Invocation {
    Invocation(["simulate", folder.write("s.trace", trace)] + arguments)
  }

  /// The makespan of each of five seeds, in nanoseconds, each from a run of its own.
  private func makespans() -> [Int64] {
    (0..<5).compactMap { seed in
      let call = simulate(
        SeedTests.drawn, "--seed", "\(seed)", "--measure", "makespan", "--format", "csv")
      let line = call.output.split(separator: "\n").last ?? ""
      return line.split(separator: ",").last.flatMap { Int64($0) }
    }
  }

  @Test func oneTraceAloneHasItsSpread() throws {
    let alone = makespans()
    try #require(alone.count == 5)
    let call = simulate(SeedTests.drawn, "--seeds", "5", "--measure", "makespan", "--jobs", "2")
    let row = try #require(call.output.split(separator: "\n").dropFirst().first)
      .split(separator: " ").map(String.init)
    #expect(row[0] == "makespan")
    // Three digits of the least and the greatest.
    func shown(_ nanoseconds: Int64) -> String {
      let hundredths = (nanoseconds + 50_000) / 100_000
      let (whole, tenth) = (hundredths / 10, hundredths % 10)
      return tenth == 0 ? "\(whole)ms" : "\(whole).\(tenth)ms"
    }
    #expect(row[4] == shown(alone.min() ?? 0))
    #expect(row[5] == shown(alone.max() ?? 0))
    #expect(row[1] == shown(alone.reduce(0, +) / 5))
    // What does not hold is told once, with how often.
    let late = alone.count { $0 > 15_000_000 }
    try #require(late > 0 && late < 5)
    let first = alone.firstIndex { $0 > 15_000_000 } ?? 0
    #expect(call.status == .notHeld)
    #expect(call.flat.contains("\(late) of 5, first seed \(first): "), "\(call.output)")
    #expect(call.flat.contains("not met: makespan <= 15ms"))
    #expect(call.flat.components(separatedBy: "not met").count == 2)
  }

  @Test func seedsAreLinesForPrograms() {
    let csv = simulate(
      SeedTests.drawn, "--seeds", "3", "--seed", "7", "--measure", "makespan", "--format", "csv")
    let seeds = csv.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
    #expect(seeds == ["7", "8", "9"])
    let json = simulate(SeedTests.drawn, "--seeds", "3", "--json").output
    #expect(json.hasPrefix("{\n") && json.hasSuffix("}\n"))
    #expect(json.contains("\"measure\": \"makespan\""))
  }

  @Test func theJobsDoNotMatter() {
    let one = simulate(SeedTests.drawn, "--seeds", "9", "--jobs", "1").output
    #expect(simulate(SeedTests.drawn, "--seeds", "9", "--jobs", "4").output == one)
  }

  @Test(arguments: [
    (["--seeds", "2", "--log", "x"], "'--log' takes one run, and '--seeds' makes several"),
    (
      ["--seeds", "2", "--table", "items"],
      "'--table' takes one run, and '--seeds' makes several"
    ),
    (["--seeds", "0"], "'--seeds' needs a whole number from 1 to 100000, not '0'"),
    (["--warm-up", "1s"], "'--warm-up' needs '--measure'"),
    (
      ["--warm-up", "10", "--measure", "makespan"],
      "'--warm-up' needs a time such as 10s, or 'auto', not '10'"
    ),
    (
      ["--warm-up", "atuo", "--measure", "makespan"],
      "'--warm-up' needs a time such as 10s, or 'auto', not 'atuo'; did you mean 'auto'?"
    ),
  ])
  func mistakesAreUsage(arguments: [String], message: String) {
    let call = Invocation(["simulate", folder.write("s.trace", SeedTests.drawn)] + arguments)
    #expect(call.status == .usage)
    #expect(call.error.contains(message), "\(call.error)")
  }

  /// Behind 105 ms all items take 2 ms, and the core is used for 2 of each 10 ms.
  @Test func theWarmUpIsLeftOut() throws {
    let measures = #"latency("job").mean, count(of: "job"), latency("job").max, utilization"#
    let all = simulate(SeedTests.warm, "--measure", measures).output
    #expect(all.contains("latency(\"job\").max: 5ms"), "\(all)")
    #expect(all.contains("count(of: \"job\"): 210"))
    let rest = simulate(SeedTests.warm, "--measure", measures, "--warm-up", "107ms").output
    #expect(rest.contains("latency(\"job\").mean: 2ms\n"), "\(rest)")
    #expect(rest.contains("latency(\"job\").max: 2ms\n"))
    #expect(rest.contains("count(of: \"job\"): 200") || rest.contains("count(of: \"job\"): 199"))
    #expect(rest.contains("from 107ms on; ± is half of the 95% confidence interval by the means"))
    let found = simulate(SeedTests.warm, "--measure", measures, "--warm-up", "auto").output
    #expect(found.contains("latency(\"job\").max: 2ms\n"), "\(found)")
    #expect(found.contains("on, which MSER-5 found"))
    let late = simulate(SeedTests.warm, "--measure", measures, "--warm-up", "5s").output
    #expect(late.contains("latency(\"job\").mean: none: the run was over at 2."), "\(late)")
    #expect(late.contains("count(of: \"job\"): none, likewise"))
  }

  @Test func comparisonsAndSweepsLeaveItOutToo() {
    let path = folder.write("s.trace", SeedTests.warm)
    let measure = ["--measure", #"latency("job").max"#, "--format", "csv"]
    for command in [["compare", path, "--cores", "1,2"], ["sweep", path, "--over", "cores=1,2"]] {
      let all = Invocation(command + measure).output
      #expect(all.contains("finished,5000000\n"), "\(all)")
      let rest = Invocation(command + measure + ["--warm-up", "107ms"]).output
      #expect(rest.contains("finished,2000000\n") && !rest.contains("5000000"), "\(rest)")
    }
    // Parts of sweeps with other warm-ups are not one sweep.
    for (number, warmUp) in [(1, "107ms"), (2, "108ms")] {
      let call = Invocation([
        "sweep", path, "--over", "cores=1,2", "--measure", "switches", "--warm-up", warmUp,
        "--shard", "\(number)/2", "--output", folder["\(number)"],
      ])
      #expect(call.status == .held, "\(call.error)")
    }
    let merged = Invocation(["merge", folder["1"], folder["2"]])
    #expect(merged.error.contains("of other options, '--warm-up 108ms'"), "\(merged.error)")
    let tuned = Invocation([
      "tune", path, "--over", "cores=1,2", "--minimize", #"latency("job").max"#, "--warm-up",
      "107ms",
    ])
    #expect(tuned.output.hasPrefix("cores=1: latency(\"job\").max 2ms"), "\(tuned.output)")
  }
}
