import SpindleLanguage
import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// What holds for every program: invariants, replay, and a workload that no policy changes.
@Suite struct RandomTraceTests {
  static let policies = [
    "fifo", "roundRobin(quantum: 1ms)", "fixedPriority", "fixedPriority(preemptive: false)",
    "timeshare", "fairShare", "multilevelFeedback(quantum: 2ms, boost: 50ms)",
    "lottery(quantum: 1ms)", "stride(quantum: 1ms)", "priorityAging(interval: 5ms)",
    "multilevelQueue", "workStealing", "shortestRemainingTime(predicted: true)",
    "highestResponseRatioNext(predicted: true)", "shortestJobFirst(predicted: true)", "clutch",
    "edge", "edge(separateGroups: true, utilityOnPerformance: true)",
  ]
  /// Those that every program is run under, and three of the others in turn.
  private static func policies(for seed: Int) -> [String] {
    let others = policies.dropFirst(6)
    return policies.prefix(6) + (0..<3).map { others[6 + (3 * seed + $0) % others.count] }
  }

  static let platforms = ["ideal", "linux", "iOS", "macOS"]

  private func machine(_ platform: String, _ seed: UInt64) -> String {
    let cores =
      seed % 3 == 0 ? "[.performance(1), .efficiency(2, speed: 0.4)]" : "\(1 + Int(seed % 4))"
    return "machine { platform: .\(platform); cores: \(cores) }"
  }

  @Test(
    "invariants hold, runs repeat, and policies agree on the work",
    arguments: 0..<Effort.count(24, whole: 48))
  func everyProgram(seed: Int) {
    let platform = Self.platforms[seed % Self.platforms.count]
    var generator = RandomTraces(seed: UInt64(seed))
    // In the end nobody is left but the main thread and the workers of the pool, which never end.
    let text =
      generator.trace(machine: machine(platform, UInt64(seed)))
      + "expect { threads.live == 1 + threads.created(by: pool) }\n"
    var limits = RunLimits()
    limits.checksInvariants = true
    var work: [String: Set<Int64>] = [:]
    for policy in Self.policies(for: seed) {
      var overrides = Overrides()
      overrides.policy = policy
      let first = TestRun(text, overrides: overrides, limits: limits)
      #expect(first.messages == [], "seed \(seed):\n\(text)")
      #expect(
        first.record?.outcome.kind == .finished, "seed \(seed), \(policy), \(platform):\n\(text)")
      #expect(first.log.contains("main done"))
      let second = TestRun(
        text, overrides: overrides, joined: false,
        sizes: StructureSizes(smallBy: UInt64(seed)), shortcuts: [.repeatedQuanta, .busyRounds],
        writesLog: false)
      #expect(first.digest == second.digest, "seed \(seed), \(policy)")
      #expect(first.record?.steps == second.record?.steps, "seed \(seed), \(policy)")
      let useful = first.record?.cores.reduce(0) { $0 + $1.busy.rawValue } ?? -1
      work[seed % 3 == 0 ? policy : "all", default: []].insert(useful)
      #expect(first.verdicts.filter { !$0.holds }.map(\.seen) == [], "seed \(seed)")
    }
    // On equal cores the time of the program's own work is the same whatever the order.
    for (_, amounts) in work { #expect(amounts.count == 1, "seed \(seed): \(amounts)") }
  }

  /// Threads that only compute keep every core busy until less than a core's worth is left.
  @Test("hogs end together under every policy", arguments: policies, 1...4)
  func hogs(policy: String, cores: Int) {
    for threads in [1, 3, 5, 9] {
      let text = """
        machine { platform: .iOS; cores: \(cores); costs: .zero; policy: .\(policy) }
        main {
            for i in 0 ..< \(threads) {
                Thread.detachNewThread { for j in 0 ..< 4 { work(50ms) } }
            }
        }
        """
      let run = TestRun(text)
      #expect(run.record?.outcome.kind == .finished, "\(threads) threads")
      let makespan = run.record?.makespan.nanoseconds ?? 0
      let total = Int64(threads) * 200_000_000
      #expect(makespan >= max(total / Int64(cores), 200_000_000), "\(threads) threads")
      #expect(makespan <= total / Int64(cores) + 200_000_000, "\(threads) threads")
    }
  }

  @Test func aRunWithoutConsumersIsTheSameRun() {
    var generator = RandomTraces(seed: 99)
    let text = generator.trace(machine: "machine { platform: .iOS; cores: 2 }")
    guard let program = TestRun(text).program else {
      Issue.record("the trace has errors")
      return
    }
    let (silent, told) = (Simulation(program).run(), TestRun(text).record)
    #expect(silent.end == told?.end)
    #expect(silent.steps == told?.steps)
    #expect(silent.cores == told?.cores)
  }
}
