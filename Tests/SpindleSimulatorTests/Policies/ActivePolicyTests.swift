import SpindleLanguage
import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// A policy comes to the same by each shortcut, and as an object that is told and asked everything.
@Suite struct ActivePolicyTests {
  /// A policy of the catalogue that the kernel does not know as such, and that says nothing of itself.
  struct Disguised: SchedulingPolicy {
    var policy: any SchedulingPolicy

    var name: String { policy.name }
    var bindsCores: Bool { policy.bindsCores }
    var needsWorkAhead: Bool { policy.needsWorkAhead }
    var letsLoneThreadsGoOn: Bool { policy.letsLoneThreadsGoOn }
    var movesRunningThreads: Bool { policy.movesRunningThreads }

    mutating func begin(coreCount: Int) { policy.begin(coreCount: coreCount) }
    mutating func begin(cores: [CoreDescription], seed: UInt64) {
      policy.begin(cores: cores, seed: seed)
    }
    mutating func begin(coreCount: Int, seed: UInt64) {
      policy.begin(coreCount: coreCount, seed: seed)
    }
    mutating func enqueue(
      _ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID, at now: Instant
    ) {
      policy.enqueue(thread, cause, by: other, at: now)
    }
    mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant) {
      policy.workAhead(of: thread, is: work, at: now)
    }
    mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) { policy.admit(thread, claim) }
    mutating func jobBegins(
      _ thread: ThreadID, released: Instant, deadline: Instant, at now: Instant
    ) {
      policy.jobBegins(thread, released: released, deadline: deadline, at: now)
    }
    mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
      policy.claimChanged(thread, claim, at: now)
    }
    mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
      policy.enqueue(thread, cause, at: now)
    }
    mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
      policy.dequeue(for: core, at: now)
    }
    mutating func quantum(for thread: ThreadID) -> Nanoseconds? { policy.quantum(for: thread) }
    mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
      policy.ran(thread, for: ran, at: now)
    }
    mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
      policy.victim(among: running, at: now)
    }
    func coreToVacate() -> CoreID? { policy.coreToVacate() }
    func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool {
      policy.keepsCore(thread, core, at: now)
    }
    func nextTick(after now: Instant) -> Instant? { policy.nextTick(after: now) }
    mutating func tick(running: RunningThreads, at now: Instant) {
      policy.tick(running: running, at: now)
    }
  }

  /// Threads of several qualities that compute, wait, yield, change their priority and end.
  private static let text = """
    trace "Many threads" { seed: 7 }
    machine { platform: .macOS; cores: 3 }
    let pool = ThreadPool(width: 4)
    func turn(_ n: Int) {
        for i in 0 ..< n {
            work(exponential(7ms))
            if i % 3 == 0 { yield() }
            io(exponential(9ms))
        }
    }
    main {
        for i in 0 ..< 6 {
            let a = Thread(qualityOfService: .background) { turn(8) }
            let b = Thread(qualityOfService: .userInitiated) { turn(8) }
            a.start()
            b.start()
            pool.async { turn(6) }
        }
        turn(10)
        Thread.current.threadPriority = 0.1
        turn(10)
    }
    """

  /// Few threads, so that most quanta end while nobody waits: the kernel passes over these, one by one
  /// when it does not know the policy and many at once when it does.
  private static let lonely = """
    trace "Few threads" { seed: 11 }
    machine { platform: .macOS; cores: 2 }
    func turn(_ n: Int) {
        for i in 0 ..< n {
            work(exponential(90ms))
            if i % 4 == 0 { work(exponential(2s)) }
            sleep(exponential(120ms))
        }
    }
    main {
        let a = Thread(qualityOfService: .background) { turn(15) }
        let b = Thread(qualityOfService: .userInitiated) { turn(15) }
        let c = Thread(qualityOfService: .utility) { turn(15) }
        a.start()
        b.start()
        c.start()
        turn(10)
        Thread.current.threadPriority = 0.1
        turn(10)
    }
    """

  /// Real-time threads that wake again and again between threads that always want a core.
  private static let urgent = """
    trace "Deadlines" { seed: 13 }
    machine { platform: .macOS; cores: 2 }
    main {
        for i in 0 ..< 3 {
            Thread.detachNewThread { for j in 0 ..< 40 { work(exponential(30ms)) } }
            Thread.detachNewThread {
                Thread.current.realtime(period: 20ms, computation: 2ms, constraint: 8ms)
                for j in 0 ..< 40 {
                    sleep(exponential(20ms))
                    work(exponential(2ms))
                }
            }
        }
    }
    """

  @Test(arguments: PolicyCatalog.signatures.map(\.name), [text, lonely, urgent])
  func directCallsGiveTheSameRun(policy: String, text: String) throws {
    let run = TestRun(text)
    #expect(run.messages == [])
    let program = try #require(run.program)
    let made = PolicyCatalog.policy(Configuration(name: policy))
    let direct = LogDigest()
    _ = Simulation(program, policy: made).run(consumers: [direct])
    let disguised = LogDigest()
    _ = Simulation(program, policy: Disguised(policy: made)).run(consumers: [disguised])
    #expect(direct.text == disguised.text)
    #expect(direct.entryCount > 100)
  }

  /// Random programs under each policy, on cores of one kind and of two: the policy as an object that is told and
  /// asked everything, without any shortcut, comes to the same as what is called directly.
  @Test(arguments: PolicyCatalog.signatures.map(\.name))
  func randomProgramsAreTheSame(policy: String) throws {
    let kinds = [
      "2", "[.performance(1), .efficiency(2, speed: 0.5)]", "[.efficiency(1), .performance(2)]",
    ]
    for seed in 0..<Effort.count(12, whole: 60) {
      var traces = ForeseeableTraces(seed: 1_000 + seed)
      let text = traces.threads(
        machine: "machine { platform: .macOS; cores: \(kinds[seed % 3]); policy: .\(policy) }",
        unit: 1 + 4 * (seed % 2))
      let run = TestRun(text, writesLog: false)
      let program = try #require(run.program, "\(run.messages)")
      let plain = LogDigest()
      let made = Disguised(policy: PolicyCatalog.policy(Configuration(name: policy)))
      var simulation = Simulation(program, policy: made)
      simulation.shortcuts = .none
      _ = simulation.run(consumers: [plain])
      #expect(run.digest == plain.text, "seed \(seed)\n\(text)")
    }
  }

  /// Each shortcut alone, all others off; with more effort, all but it too.
  static let subsets: [ShortcutSet] =
    [.none]
    + [.directPolicy, .readyQueue, .policySkips, .repeatedQuanta].flatMap {
      Effort.isWhole ? [$0, ShortcutSet.all.subtracting($0)] : [$0]
    }

  static let policies = [
    "fifo", "roundRobin", "roundRobin(quantum: 1ms)", "fixedPriority(quantum: 2ms)",
    "fixedPriority(preemptive: false)", "fairShare", "timeshare", "multilevelQueue(quantum: 2ms)",
    "clutch",
    "clutch(separateGroups: true)", "edge",
    "multilevelFeedback(boost: 0s)", "multilevelFeedback(quantum: 3ms, boost: 70ms)",
    "lottery(quantum: 3ms)", "stride(quantum: 3ms)", "priorityAging(interval: 20ms)",
    "workStealing", "shortestRemainingTime(predicted: true)", "eevdf",
    "eevdf(slice: 1ms, quota: 30ms, period: 50ms)",
  ]

  @Test(arguments: policies, [text, lonely, urgent])
  func shortcutsChangeNothing(policy: String, text: String) {
    var overrides = Overrides()
    overrides.policy = policy
    let plain = TestRun(text, overrides: overrides, writesLog: false)
    #expect(plain.messages == [])
    for shortcuts in Self.subsets {
      let run = TestRun(text, overrides: overrides, shortcuts: shortcuts, writesLog: false)
      #expect(run.digest == plain.digest, "\(policy), shortcuts \(shortcuts.rawValue)")
      if shortcuts.contains(.repeatedQuanta) {
        #expect(run.record?.steps == plain.record?.steps)
      }
    }
  }

  /// Some of the traces, under every policy.
  @Test(
    arguments: Effort.sample(Repository.files(below: "Traces", suffix: ".trace"), oneIn: 32))
  func shortcutsChangeNoTrace(path: String) throws {
    // Seven under every trace, and of the others each under some.
    let others = Self.policies.dropFirst(7)
    let policies = Self.policies.prefix(7) + [others[7 + path.utf8.count % others.count]]
    let text = try Repository.text(path)
    var limits = RunLimits()
    limits.steps = Effort.count(50_000, whole: 200_000)
    for policy in policies {
      var overrides = Overrides()
      overrides.policy = policy
      let run = TestRun(
        text, name: path, overrides: overrides, limits: limits, writesLog: false)
      // A quantum that is cut short counts its steps too, and the limit would come sooner.
      let plain = TestRun(
        text, name: path, overrides: overrides, limits: limits, shortcuts: .repeatedQuanta,
        writesLog: false)
      #expect(run.digest == plain.digest, "\(path), \(policy)")
    }
  }
}
