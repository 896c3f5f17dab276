import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// Statistics of runs of M/M/c, whose mean waits are known: intervals cover them as often as they say.
///
/// Customers come one in 10 ms on average, and their service takes as long: c servers are used by 1/c.
/// Erlang's C of an offered load of 1 is 1/3 for two servers and 1/11 for three; the mean wait is C times
/// 10 ms / (c - 1): 10/3 ms and 10/22 ms. Source: Kleinrock, *Queueing Systems*, volume 1, chapter 3.
@Suite struct ErlangTests {
  private static func program(servers: Int, customers: Int) throws -> Program {
    let text = """
      machine { platform: .ideal; cores: \(servers) }
      let pool = ThreadPool(width: \(servers))
      arrivals(every: exponential(10ms), count: \(customers)) { _ in
          pool.async(name: "customer") { work(exponential(10ms)) }
      }
      main { }
      """
    var overrides = Overrides()
    overrides.measures = [
      Overrides.Assignment(name: "--measure", value: "wait(\"customer\").mean, utilization")
    ]
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(
      SourceText(name: "erlang.trace", text), overrides: overrides)
    return try #require(compiled, "\(diagnostics.map(\.message))")
  }

  /// The mean wait with a seed, in milliseconds, behind the first 200 ms.
  private static func wait(_ program: Program, seed: UInt64) throws -> Double {
    var program = program
    program.seed = seed
    let metrics = Metrics()
    let windows = RunWindows(program, starts: [Instant(200_000_000)])
    let record = Simulation(program).run(consumers: [metrics, windows])
    let values = try #require(windows.values(metrics.result, record))
    return Double(try #require(values[0].number)) / 1e6
  }

  /// Of 100 comparisons, each of 10 seeds of its own, 95 are expected to have the true difference of
  /// 10/22 - 10/3 ms in their interval, with a standard deviation of 2.2, and of 40 all but 2, with one
  /// of 1.4; and all find that there is one.
  @Test func aKnownDifferenceIsFoundAtTheNominalRate() throws {
    let two = try ErlangTests.program(servers: 2, customers: 160)
    let three = try ErlangTests.program(servers: 3, customers: 160)
    let truth = 10.0 / 22 - 10.0 / 3
    var (covered, found) = (0, 0)
    let count = Effort.count(40, whole: 100)
    for comparison in 0..<count {
      let seeds = (0..<10).map { UInt64(comparison * 10 + $0) }
      let difference = PairedDifference(
        first: try seeds.map { try ErlangTests.wait(two, seed: $0) },
        second: try seeds.map { try ErlangTests.wait(three, seed: $0) })
      if (difference.mean - truth).magnitude <= difference.halfWidth ?? 0 { covered += 1 }
      if difference.isReal { found += 1 }
    }
    #expect(covered >= Effort.count(33, whole: 87), "\(covered)")
    #expect(found >= count - 3, "\(found)")
  }

  /// Of 60 long runs, 57 are expected to have the true wait of 10/3 ms in the interval of their batches,
  /// with a standard deviation of 1.7, and as many the utilization of 1/2; of 20, 19 with one of 1.0.
  @Test func batchesOfOneRunCoverTheTruth() throws {
    let program = try ErlangTests.program(servers: 2, customers: 3_000)
    let start = Instant(500_000_000)
    var (waits, uses, alike) = (0, 0, 0)
    let count = Effort.count(20, whole: 60)
    for seed in 0..<count {
      var program = program
      program.seed = UInt64(1_000 + seed)
      let metrics = Metrics()
      let whole = Simulation(program).run(consumers: [metrics])
      let starts = SteadyState.batches(from: start, to: whole.makespan)
      let (rest, batches) = (
        RunWindows(program, starts: [start]), RunWindows(program, starts: starts)
      )
      let record = Simulation(program).run(consumers: [rest, batches])
      let state = SteadyState(
        program.measures, start: start, isFound: false, batchLength: starts[1] - starts[0],
        batches: batches.allValues(metrics.result, record))
      let values = try #require(rest.values(metrics.result, record)).map(\.number)
      let intervals = state.intervals.compactMap { $0 }
      let (wait, use) = (Double(try #require(values[0])), Double(try #require(values[1])))
      if (wait - 1e7 / 3).magnitude <= intervals[0].halfWidth { waits += 1 }
      if (use - 5e8).magnitude <= intervals[1].halfWidth { uses += 1 }
      if !intervals[0].isIndependent { alike += 1 }
    }
    #expect(waits >= Effort.count(15, whole: 51), "\(waits)")
    #expect(uses >= Effort.count(15, whole: 51), "\(uses)")
    #expect(alike * 5 <= count, "\(alike)")
  }

  /// A queue that begins empty waits too little at first; that part is found, and not much more.
  @Test func theWarmUpIsFound() throws {
    var overrides = Overrides()
    overrides.measures = [Overrides.Assignment(name: "--measure", value: "wait(\"job\").mean")]
    // The first 400 jobs are ten times as long as those after them, one every 10 ms: until 4 s the queue
    // grows, and it is empty again when 400 * 20 ms and 2 ms for each other are done: from
    // 400 * 20 + 2 * n = 10 * n + 4,000 ms, or 9 s, on.
    let text = """
      machine { platform: .ideal; cores: 1 }
      let pool = ThreadPool(width: 1)
      arrivals(every: 10ms, count: 4_000) { index in
          pool.async(name: "job") {
              if index < 400 { work(20ms) } else { work(2ms) }
          }
      }
      main { }
      """
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(
      SourceText(name: "warm.trace", text), overrides: overrides)
    let program = try #require(compiled, "\(diagnostics.map(\.message))")
    let search = WarmUpSearch(program)
    _ = Simulation(program).run(consumers: [search])
    let end = try #require(search.end, "\(search.failure)")
    #expect(end.nanoseconds >= 8_900_000_000 && end.nanoseconds <= 9_200_000_000, "\(end)")
  }
}
