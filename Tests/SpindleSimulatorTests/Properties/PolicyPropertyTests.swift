import SpindleFuzzer
import SpindleLanguage
import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// What holds under every policy: each line of the catalogue is tested by being there.
@Suite struct PolicyPropertyTests {
  static let policies = PolicyCatalog.signatures.map(\.name)

  private static func machine(cores: String, policy: String) -> String {
    "machine { platform: .ideal; cores: \(cores); policy: .\(policy) }"
  }

  private static func run(
    _ text: String, _ consumers: [any LogConsumer]
  ) throws -> RunRecord {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(
      SourceText(name: "test.trace", text), overrides: Overrides())
    let program = try #require(compiled, "\(diagnostics.map(\.message))")
    var limits = RunLimits()
    limits.checksInvariants = true
    return Simulation(program, limits: limits).run(consumers: consumers)
  }

  /// Work is conserved, no core is idle while a thread is ready, and the times of cores and threads add up.
  @Test("times add up, and no core is idle in vain", arguments: policies)
  func timesAddUp(policy: String) throws {
    for seed in 0..<Effort.count(8, whole: 16) {
      let cores =
        seed % 4 == 3 ? "[.performance(1), .efficiency(2, speed: 0.5)]" : "\(1 + seed % 4)"
      var traces = ForeseeableTraces(seed: seed)
      let text = traces.threads(machine: Self.machine(cores: cores, policy: policy), unit: 1)
      let lives = ThreadLives(sparing: policy == "edge" && seed % 4 == 3 ? [0] : [])
      let record = try Self.run(text, [lives])
      #expect(record.outcome.kind == .finished, "seed \(seed): \(record.outcome.message)\n\(text)")
      #expect(lives.violations == [], "seed \(seed)\n\(text)")
      var work: Int64 = 0
      for (core, use) in record.cores.enumerated() {
        let busy = use.busy.rawValue + use.overhead.rawValue
        #expect(busy == lives.taken[core], "seed \(seed), core \(core)")
        #expect(busy + lives.idle[core] == record.end.nanoseconds, "seed \(seed), core \(core)")
        work += use.busy.rawValue
      }
      if seed % 4 != 3 { #expect(work == Int64(traces.work) * 1_000, "seed \(seed)\n\(text)") }
      for sum in lives.sums {
        #expect(sum.ready + sum.running + sum.waiting == sum.life, "seed \(seed)")
      }
      #expect(lives.sums.reduce(0) { $0 + $1.running } == lives.taken.reduce(0, +))
    }
  }

  /// The policies whose rules have lengths of time that no parameter changes.
  static let ownClocks: [String: String] = [
    "clutch": "the quanta, latencies and warp of classes are XNU's",
    "edge": "the quanta, latencies and warp of classes are XNU's",
    "timeshare": "XNU's ticks come every 125 ms, and a rest of 250 us counts as none",
    "eevdf": "virtual time is rounded to nanoseconds, and a turn of SCHED_RR is 100 ms",
    "fairShare": "virtual time is rounded to nanoseconds, by weights that do not divide it",
  ]

  /// When all times of a program and of its policy are seven times as long, so is every answer.
  @Test("scaling all times scales every answer", arguments: policies)
  func timesScale(policy: String) throws {
    if Self.ownClocks[policy] != nil { return }
    for seed in 0..<Effort.count(3, whole: 8) {
      var logs: [[LogEntry]] = []
      for scale in [1, 7] {
        var traces = ForeseeableTraces(seed: seed)
        let call = try Self.call(policy, scale: Int64(scale))
        let entries = EntryList()
        _ = try Self.run(
          traces.threads(
            machine: Self.machine(cores: "\(1 + seed % 3)", policy: call), unit: scale), [entries])
        logs.append(entries.entries)
      }
      let expected = logs[0].map { [Int64($0.event.rawValue), Int64($0.thread), $0.time * 7] }
      let found = logs[1].map { [Int64($0.event.rawValue), Int64($0.thread), $0.time] }
      #expect(expected.count > 10 && expected == found, "seed \(seed)")
    }
  }

  /// A policy with all its lengths of time multiplied.
  private static func call(_ name: String, scale: Int64) throws -> String {
    let signature = try #require(PolicyCatalog.signatures.first { $0.name == name })
    let lengths = signature.parameters.filter { $0.format == .duration }
    if lengths.isEmpty { return name }
    let arguments = lengths.map { "\($0.label): \($0.standard * scale)ns" }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  private final class EntryList: LogConsumer {
    var entries: [LogEntry] = []

    func begin(_ run: RunDescription) {}
    func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
      self.entries += entries.filter { $0.event != .memoryChanged }
    }
    func end(_ record: RunRecord) {}
  }

  /// Little's law in whole nanoseconds: from each moment at which nothing is there to the next one, the number of
  /// jobs over time is the sum of their times, for those that wait to begin as for all.
  @Test("what is there is what comes, times how long it stays", arguments: policies)
  func littlesLaw(policy: String) throws {
    var windows = 0
    for seed in 0..<Effort.count(6, whole: 16) {
      let cores = ["1", "2", "[.performance(1), .efficiency(1, speed: 0.5)]"][seed % 3]
      var traces = ForeseeableTraces(seed: 300 + seed)
      let jobs = JobWindows()
      _ = try Self.run(traces.jobs(machine: Self.machine(cores: cores, policy: policy)), [jobs])
      #expect(jobs.violations == [], "seed \(seed)")
      #expect(jobs.present == 0 && jobs.begun == 0)
      windows += jobs.closed
    }
    #expect(windows > 12)
  }

  /// A kind of core that nobody comes to changes nothing: what the same program does on a machine without it.
  @Test("a kind of core that is not used changes nothing", arguments: policies)
  func unusedCores(policy: String) throws {
    // Classes below the default are at home on the other kind of cores, unless it is said otherwise.
    let call = policy == "edge" ? "edge(utilityOnPerformance: true)" : policy
    var compared = 0
    for seed in 0..<Effort.count(8, whole: 20) {
      var logs: [[[Int64]]] = []
      var isUsed = false
      for cores in ["[.performance(9)]", "[.performance(9), .efficiency(2, speed: 0.5)]"] {
        var traces = ForeseeableTraces(seed: 500 + seed)
        let entries = EntryList()
        let record = try Self.run(
          traces.threads(machine: Self.machine(cores: cores, policy: call), unit: 1), [entries])
        isUsed =
          isUsed || record.cores.dropFirst(9).contains { $0.busy + $0.overhead > Nanoseconds.zero }
        // At the end of a turn a thread asks for a faster core, where there are slower ones, and goes on.
        let turns: Set<LogEvent> = [.threadPreempted, .threadReady, .threadRuns]
        let told = entries.entries.filter { !turns.contains($0.event) }
        logs.append(told.map { [$0.time, Int64($0.event.rawValue), Int64($0.thread)] })
        logs[logs.count - 1].append(record.cores.prefix(9).map { $0.busy.rawValue })
      }
      if isUsed { continue }
      let isSame = logs[0] == logs[1]
      #expect(isSame, "seed \(seed)")
      compared += 1
    }
    #expect(compared > 0)
  }

  /// Schrage: on one core nothing has a lesser mean response than the least left first.
  @Test("nothing beats the least left first", arguments: policies)
  func leastLeftIsBest(policy: String) throws {
    var (best, other) = (0 as Int64, 0 as Int64)
    for seed in 0..<Effort.count(10, whole: 24) {
      var sums: [Int64] = []
      for policy in ["shortestRemainingTime", policy] {
        var traces = ForeseeableTraces(seed: seed)
        let metrics = Metrics()
        _ = try Self.run(
          traces.jobs(machine: Self.machine(cores: "1", policy: policy)), [metrics])
        sums.append(metrics.result.items.latency.total.rawValue)
      }
      #expect(sums[0] > 0 && sums[0] <= sums[1], "seed \(seed)")
      (best, other) = (best + sums[0], other + sums[1])
    }
    if policy != "shortestRemainingTime" { #expect(best < other) }
  }
}
