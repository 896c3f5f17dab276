import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// Threads that do jobs, where they run, and what is reported of them.
@Suite struct JobThreadTests {
  private static func run(
    _ policy: String, cores: String = "1", _ threads: [String], until: Int = 200, world: String = ""
  ) -> TestRun {
    let made = threads.enumerated().map { "let t\($0) = Thread(name: \"\($0)\", \($1)" }
    let starts = threads.indices.map { "    t\($0).start()" }
    var limits = RunLimits()
    limits.checksInvariants = true
    return TestRun(
      """
      trace "Jobs" { until: \(until)ms }
      machine { platform: .ideal; cores: \(cores); policy: .\(policy) }
      \(made.joined(separator: "\n"))
      main {
      \(starts.joined(separator: "\n"))
      }
      \(world)
      """, limits: limits)
  }

  private static func periodic(_ computation: Int, _ period: Int, _ more: String = "") -> String {
    "period: \(period)ms, computation: \(computation)ms\(more)) { work(\(computation)ms) }"
  }

  /// 0.5, 0.6, 0.3, 0.4 and 0.2 of a core, in that order, on three cores.
  @Test(
    "who gets which core",
    arguments: [
      // First: 0.6 does not fit beside 0.5, but 0.3 does, 0.4 goes to 0.6, 0.2 to 0.5 and 0.3.
      ("firstFit", [0, 1, 0, 1, 0]),
      // Best: 0.3 goes to 0.6, which leaves 0.1, 0.4 to 0.5, 0.2 to the one that is free.
      ("bestFit", [0, 1, 1, 0, 2]),
      // Worst: all go where most is free: 0.3 to the third, 0.4 beside it, 0.2 beside 0.5.
      ("worstFit", [0, 1, 2, 2, 0]),
    ])
  func placement(name: String, cores: [Int]) throws {
    let threads = [5, 6, 3, 4, 2].map { Self.periodic($0, 10) }
    let run = Self.run("earliestDeadlineFirst(placement: .\(name))", cores: "3", threads)
    let report = try #require(run.record?.realtime, "\(run.messages)")
    #expect(report.threads.map(\.core) == cores)
    #expect(report.tests.allSatisfy { $0.isInTime == true })
    #expect(report.threads.allSatisfy { $0.missed == 0 && $0.jobs >= 19 })
  }

  /// A core of half the speed has room for half as much.
  @Test func aSlowCoreHasLessRoom() throws {
    let run = Self.run(
      "rateMonotonic(placement: .firstFit)", cores: "[.efficiency(1, speed: 0.5), .performance(1)]",
      [Self.periodic(6, 10), Self.periodic(4, 10)])
    let report = try #require(run.record?.realtime)
    #expect(report.threads.map(\.core) == [1, 0])
    #expect(report.threads.map(\.bound) == [.milliseconds(6), .milliseconds(8)])
    #expect(report.threads.map(\.seen) == [.milliseconds(6), .milliseconds(8)])
  }

  /// What fits nowhere goes where the most room is, and is late there; the others are not held up elsewhere.
  @Test func whatFitsNowhereIsPlacedAllTheSame() throws {
    let run = Self.run(
      "earliestDeadlineFirst(placement: .firstFit)", cores: "2",
      [Self.periodic(8, 10), Self.periodic(6, 10), Self.periodic(7, 10)])
    let report = try #require(run.record?.realtime)
    #expect(report.threads.map(\.core) == [0, 1, 1])
    #expect(report.tests.map(\.core) == [0, 1] && report.tests.map(\.isInTime) == [true, false])
    #expect(report.threads[0].missed == 0 && report.threads[2].missed > 0)
  }

  /// Arrivals are exact, releases are drawn between them and their jitter, and draws differ by job, not by policy.
  @Test func jitterIsDrawnByJob() throws {
    var releases: [[Int64]] = []
    for policy in ["rateMonotonic", "fifo"] {
      let run = Self.run(
        policy, ["period: 10ms, computation: 1ms, offset: 5ms, jitter: 4ms) { mark(\"j\") }"])
      let times = run.log.split(separator: "\n").filter { $0.contains("mark \"j\"") }
        .compactMap { line -> Double? in
          let time = line.split(separator: " ").first ?? ""
          return Double(time.prefix { $0.isNumber || $0 == "." })
        }
      releases.append(times.map { Int64(($0 * 1_000_000).rounded()) })
    }
    let own = releases[0].enumerated().map { $1 - 5_000_000 - 10_000_000 * Int64($0) }
    #expect(releases[0] == releases[1] && own.count == 20)
    #expect(own.allSatisfy { (0...4_000_000).contains($0) } && Set(own).count > 15)
  }

  /// Jobs that are released too soon wait until the separation is over, and count from then.
  @Test func separationIsKept() throws {
    let run = Self.run(
      "earliestDeadlineFirst", ["separation: 10ms, computation: 1ms) { mark(\"j\") }"],
      world: "at(3ms) { t0.releaseJob(); t0.releaseJob() }\nat(14ms) { t0.releaseJob() }")
    let marks = run.log.split(separator: "\n").filter { $0.contains("mark \"j\"") }
    #expect(marks.compactMap { $0.split(separator: " ").first } == ["3ms", "13ms", "23ms"])
  }

  /// A job that has a lock at its deadline is not dropped: the lock would be lost.
  @Test func aLockIsNotDropped() throws {
    let run = Self.run(
      "rateMonotonic",
      [
        "period: 5ms, computation: 1ms, late: .drop, jobs: 1) { lock.withLock { work(7ms) }; mark(\"j\") }"
      ], world: "let lock = NSLock()")
    #expect(run.log.contains("7ms") && run.log.contains("mark \"j\""))
    #expect(run.record?.findings.map(\.kind) == [.deadlineMissed])
  }

  /// A wait within a job is no end of it: its deadline stays.
  @Test func aWaitWithinAJobKeepsItsDeadline() throws {
    let run = Self.run(
      "earliestDeadlineFirst",
      [
        "period: 10ms, computation: 4ms) { work(2ms); sleep(3ms); work(2ms) }",
        "period: 9ms, computation: 4ms) { work(4ms) }",
      ], until: 10)
    // 1: 0 to 4 ms; 0: 4 to 6, 9 to 11 ms: late by 1 ms at the end of the run, which cuts it off.
    let metrics = try #require(run.metrics?.deadlines)
    #expect(metrics.count == 3)
    #expect(run.record?.realtime?.threads[0].jobs == 0)
  }

  @Test func jobsThatCannotBeStopTheProgram() throws {
    for (text, fault) in [
      ("period: zero, computation: 1ms) { }", "jobs that come all at once"),
      ("period: 1ms, computation: zero) { }", "jobs that compute nothing"),
      (
        "period: 1ms, computation: 1ms, jitter: 2ms) { }",
        "a jitter that is not from 0 to the period"
      ),
    ] {
      let run = TestRun("var zero = 0ms\nmain { let t = Thread(\(text); t.start() }")
      #expect(run.record?.outcome.message == "Fatal error: \(fault)", "\(run.messages)")
    }
  }

  /// What servers guarantee stands beside what was seen: up to the whole core on one, and less on several.
  @Test func serversSayWhatTheyGuarantee() throws {
    func report(_ policy: String, _ cores: Int, _ threads: [String]) throws -> RealtimeReport {
      let run = Self.run(policy, cores: "\(cores)", threads)
      return try #require(run.record?.realtime, "\(run.messages)")
    }
    // 4/7 and 3/8 are 53/56. The second computes for 5 ms instead of 3, and alone is late.
    let liar = "period: 8ms, computation: 3ms) { work(5ms) }"
    for policy in ["constantBandwidth", "constantBandwidth(hard: true)"] {
      let one = try report(policy, 1, [Self.periodic(4, 7), liar])
      #expect(one.threads.map(\.bound) == [.milliseconds(7), .milliseconds(8)])
      #expect(one.threads[0].missed == 0 && one.threads[1].missed > 0)
      #expect(one.threads.map(\.keepsItsWord) == [true, false])
      #expect(one.tests.map(\.utilization) == [946_429] && one.tests[0].enough == 1_000_000)
      #expect(one.tests[0].isInTime == true && one.tests[0].isIsolated)
      #expect(one.tests[0].source == "Abeni, Buttazzo 1998")
    }
    let reclaimed = try report(
      "constantBandwidth(reclaiming: true)", 1, [Self.periodic(4, 8), liar])
    #expect(reclaimed.tests[0].source == "Lipari, Baruah 2000")
    #expect(reclaimed.threads[0].bound == .milliseconds(8) && reclaimed.threads[0].missed == 0)
    // 3 · 1/2 on two cores: at most 2 − 1/2.
    let half = Self.periodic(5, 10)
    let full = try report("constantBandwidth", 2, [half, half, half])
    #expect(full.tests[0].enough == 1_500_000 && full.tests[0].isInTime == true)
    #expect(full.threads.allSatisfy { $0.bound == .milliseconds(10) && $0.missed == 0 })
    // One in a thousand more: nothing is known; with more than two cores' worth something has to be late.
    let more = try report("constantBandwidth", 2, [half, half, half, Self.periodic(1, 1_000)])
    #expect(more.tests[0].isInTime == nil && more.threads.allSatisfy { $0.bound == nil })
    let over = try report("constantBandwidth", 1, [half, half, Self.periodic(1, 10)])
    #expect(over.tests[0].isInTime == false && over.threads.contains { $0.missed > 0 })
    // On several cores nothing is known of what reclaiming leaves.
    let several = try report("constantBandwidth(reclaiming: true)", 2, [half, half])
    #expect(several.tests[0].isInTime == nil && several.tests[0].enough == nil)
  }

  /// Random sets with threads that compute for longer than they say, wait, yield or drop their jobs: what servers
  /// guarantee the others is not contradicted, which would trap.
  @Test(arguments: [
    "constantBandwidth", "constantBandwidth(hard: true)", "constantBandwidth(reclaiming: true)",
    "constantBandwidth(hard: true, reclaiming: true)",
  ])
  func serversKeepTheirWord(policy: String) throws {
    var state: UInt64 = 5
    func below(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var (guaranteed, late) = (0, 0)
    for round in 0..<60 {
      let threads = (0...1 + below(3)).map { _ in
        let period = [4, 6, 7, 9, 12][below(5)]
        let computation = 1 + below(UInt64(period / 2))
        let deadline = below(3) == 0 ? max(computation, period - below(3)) : period
        let bodies = [
          "work(\(computation)ms)", "work(\(computation)ms)",
          "work(\(computation + 1 + below(5))ms)",
          "work(1ms); sleep(1ms); work(\(computation)ms)", "work(1ms); yield(); work(1ms)",
        ]
        let lates = ["", "", ", late: .drop", ", late: .skip"]
        return "period: \(period)ms, computation: \(computation)ms, deadline: \(deadline)ms, "
          + "offset: \(below(3))ms\(lates[below(4)])) { \(bodies[below(5)]) }"
      }
      // With reclaiming there is a guarantee on one core.
      let cores = policy.contains("reclaiming") ? 1 : 1 + round % 3
      let run = Self.run(policy, cores: "\(cores)", threads, until: 99)
      let report = try #require(run.record?.realtime, "\(run.messages)")
      for thread in report.threads {
        guard let bound = thread.bound else { continue }
        if thread.keepsItsWord {
          guaranteed += 1
          #expect(thread.seen <= bound + Nanoseconds(4), "\(threads)")
        } else if thread.missed > 0 {
          late += 1
        }
      }
    }
    #expect(guaranteed > 20 && late > 10)
  }

  /// Random sets, on one core and on several: nothing that was found ahead is contradicted, which would trap, and a
  /// set that is in time by the test is in time.
  @Test(arguments: [
    "rateMonotonic", "deadlineMonotonic", "earliestDeadlineFirst", "leastLaxity",
    "rateMonotonic(placement: .firstFit)", "deadlineMonotonic(placement: .bestFit)",
    "earliestDeadlineFirst(placement: .worstFit)",
  ])
  func nothingFoundAheadIsContradicted(policy: String) throws {
    var state: UInt64 = 11
    func below(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var verdicts: [Bool?: Int] = [:]
    for round in 0..<24 {
      let threads = (0...1 + below(3)).map { _ in
        let period = [4, 6, 8, 12][below(4)]
        let computation = 1 + below(UInt64(period / 2))
        let deadline = max(computation, period - below(3))
        return Self.periodic(
          computation, period, ", deadline: \(deadline)ms, offset: \(below(3))ms")
      }
      let run = Self.run(policy, cores: "\(1 + round % 2)", threads, until: 100)
      let report = try #require(run.record?.realtime, "\(run.messages)")
      for test in report.tests {
        verdicts[test.isInTime, default: 0] += 1
        let own = report.threads.filter { $0.core == test.core }
        if test.isInTime == true && policy != "leastLaxity" {
          #expect(own.allSatisfy { $0.missed == 0 }, "\(threads)")
        }
      }
    }
    #expect(verdicts[true, default: 0] > 3)
  }
}
