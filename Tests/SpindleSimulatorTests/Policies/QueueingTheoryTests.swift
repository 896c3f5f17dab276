import Foundation
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import Testing

/// Queues whose mean times have formulas: over twenty seeds the 99 % interval of the mean covers them.
///
/// Customers come at random, one in 10 ms on average unless said otherwise, and their service takes 5 ms on
/// average: half of the time a server is busy. Sources: Kleinrock, *Queueing Systems*, volumes 1 and 2;
/// Harchol-Balter, *Performance Modeling and Design of Computer Systems*.
@Suite struct QueueingTheoryTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let policy: String
    var cores = 1
    /// The mean time between two arrivals.
    var every = "10ms"
    /// What an arrival does.
    let arrival: String
    /// The kind of work, and whether its wait is meant, or its whole time.
    let kind: String
    let isWait: Bool
    /// The mean in milliseconds.
    let mean: Double
    /// How many come in each run.
    var count = 600
  }

  private static func thread(_ name: String, _ work: String, priority: String = "0.5") -> String {
    """
    let t = Thread(name: "\(name)", threadPriority: \(priority)) { work(\(work)) }
        t.start()
    """
  }

  static let rows: [Row] = [
    // ρ s / (1 - ρ) with ρ = 0.5 and s = 5 ms.
    Row(
      testDescription: "M/M/1: the wait", policy: "fifo",
      arrival: thread("customer", "exponential(5ms)"), kind: "customer", isWait: true, mean: 5),
    // Erlang C for an offered load of 2 on 3 servers: 4 / (1 + 2 + 2 + 4); times 4 ms / (3 - 2).
    Row(
      testDescription: "M/M/3: the wait, with Erlang C", policy: "fifo", cores: 3, every: "2ms",
      arrival: thread("customer", "exponential(4ms)"), kind: "customer", isWait: true,
      mean: 16.0 / 9, count: 1_200),
    // ρ s / (2 (1 - ρ)).
    Row(
      testDescription: "M/D/1: half of that", policy: "fifo", arrival: thread("customer", "5ms"),
      kind: "customer", isWait: true, mean: 2.5),
    // Pollaczek and Khinchine: E[S²] / (2 · 10 ms · (1 - ρ)), and E[S²] is 100/3 ms².
    Row(
      testDescription: "M/G/1: Pollaczek and Khinchine", policy: "fifo",
      arrival: thread("customer", "uniform(0ms, 10ms)"), kind: "customer", isWait: true,
      mean: 10.0 / 3),
    // Cobham: R = E[S²] / (2 · 10 ms) = 2.5 ms; R / (1 - ρ1) and R / ((1 - ρ1)(1 - ρ)), ρ1 = 0.25.
    Row(
      testDescription: "the upper of two classes", policy: classes, arrival: twoClasses,
      kind: "high", isWait: true, mean: 2.5 / 0.75),
    Row(
      testDescription: "the lower of two classes", policy: classes, arrival: twoClasses,
      kind: "low", isWait: true, mean: 2.5 / (0.75 * 0.5)),
    // s / (1 - ρ), whatever the distribution; in order it would be 8.33 ms.
    Row(
      testDescription: "processor sharing, as short turns", policy: "roundRobin(quantum: 100us)",
      arrival: thread("customer", "uniform(0ms, 10ms)"), kind: "customer", isWait: false, mean: 10,
      count: 400),
    Row(
      testDescription: "shortest remaining processing time", policy: "shortestRemainingTime",
      arrival: thread("customer", "exponential(5ms)"), kind: "customer", isWait: false,
      mean: leastLeft(service: 5, every: 10)),
    Row(
      testDescription: "a lottery does not look at lengths: M/M/1 again",
      policy: "lottery(quantum: 1h)", arrival: thread("customer", "exponential(5ms)"),
      kind: "customer", isWait: true, mean: 5),
  ]

  private static let classes = "fixedPriority(quantum: 1h, preemptive: false)"

  private static let twoClasses = """
    if choice(0ms, 1ms) == 0ms {
            \(thread("high", "exponential(5ms)", priority: "0.8"))
        } else {
            \(thread("low", "exponential(5ms)", priority: "0.2"))
        }
    """

  /// The mean time in M/M/1 under the least left first.
  ///
  /// Source: Schrage, Miller, "The Queue M/G/1 with the Shortest Remaining Processing Time Discipline",
  /// 1966. With ρ(x) the load of services up to x: the wait of one of length x is
  /// λ (∫ t² dF up to x + x² (1 - F(x))) / (2 (1 - ρ(x))²), and its stay after that ∫ dt / (1 - ρ(t)).
  private static func leastLeft(service: Double, every: Double) -> Double {
    let (step, rate) = (0.001, service / every)
    var (second, load, stay, mean) = (0.0, 0.0, 0.0, 0.0)
    // In units of the mean service, by the middle of each step.
    for index in 0..<40_000 {
      let x = (Double(index) + 0.5) * step
      let density = exp(-x)
      second += x * x * density * step / 2
      load += rate * x * density * step / 2
      stay += step / (1 - load) / 2
      let wait = rate * (second + x * x * density) / (2 * (1 - load) * (1 - load))
      mean += density * step * (wait + stay)
      second += x * x * density * step / 2
      load += rate * x * density * step / 2
      stay += step / (1 - load) / 2
    }
    return mean * service
  }

  @Test("the 99 % interval covers the formula", arguments: rows)
  func mean(row: Row) throws {
    let seeds = 20
    var means: [Double] = []
    for seed in 1...seeds { means.append(try Self.mean(row, seed: seed)) }
    let mean = means.reduce(0, +) / Double(seeds)
    let variance =
      means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(seeds - 1) / Double(seeds)
    // Student's t for 19 degrees of freedom, 0.5 % on each side.
    let half = 2.861 * variance.squareRoot()
    #expect(abs(mean - row.mean) <= half, "\(mean) ± \(half) does not cover \(row.mean)")
    // An interval that covers anything proves nothing.
    #expect(half < row.mean / 4)
  }

  private static func mean(_ row: Row, seed: Int) throws -> Double {
    let text = """
      trace "queue" { seed: \(seed) }
      machine { platform: .ideal; cores: \(row.cores); policy: .\(row.policy) }
      arrivals(every: exponential(\(row.every)), count: \(row.count)) { _ in
          \(row.arrival)
      }
      main { }
      """
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(
      SourceText(name: "queue.trace", text), overrides: Overrides())
    let program = try #require(compiled, "\(diagnostics.map(\.message))")
    let metrics = Metrics()
    let record = Simulation(program).run(consumers: [metrics])
    #expect(record.outcome.kind == .finished)
    let kind = try #require(metrics.result.kinds.first { $0.pattern == row.kind })
    let times = row.isWait ? kind.wait : kind.latency
    return Double(times.total.rawValue) / Double(times.count) / 1e6
  }
}
