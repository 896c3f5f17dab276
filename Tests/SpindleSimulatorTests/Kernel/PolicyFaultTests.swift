import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import TestSupport
import Testing

@testable import SpindleSimulator

/// A policy that breaks a rule ends the run with an outcome that names the rule, and not the process of the host.
@Suite struct PolicyFaultTests {
  /// A first-in-first-out policy of which one answer, or what it says of itself, can be another.
  struct Wrong: SchedulingPolicy {
    var name = "wrong"
    var canPreempt = true
    var bindsCores = false
    var usesThreadAttributes = true
    var letsLoneThreadsGoOn = true
    var movesRunningThreads = false
    var inOrder: InOrder?
    /// What `dequeue` returns for a core; the first thread where it is nil.
    var dequeues: (@Sendable (inout [ThreadID], CoreID) -> ThreadID?)?
    var quantum: Nanoseconds?
    var victim: CoreID?
    var vacated: CoreID?
    var tick: (@Sendable (Instant) -> Instant)?
    var equalQuanta: Int64 = 1
    /// What it takes in for a thread whose quantum has ended.
    var takesForExpired: @Sendable (ThreadID) -> ThreadID? = { $0 }
    private var ready: [ThreadID] = []

    init(_ change: (inout Wrong) -> Void) { change(&self) }

    mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
      let taken = cause == .quantumExpired ? takesForExpired(thread) : thread
      if let taken { ready.append(taken) }
    }

    mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
      if let dequeues { return dequeues(&ready, core) }
      return ready.isEmpty ? nil : ready.removeFirst()
    }

    func quantum(for thread: ThreadID) -> Nanoseconds? { quantum }
    func victim(among running: RunningThreads, at now: Instant) -> CoreID? { victim }
    func coreToVacate() -> CoreID? { vacated }
    func nextTick(after now: Instant) -> Instant? { tick?(now) }
    func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { equalQuanta }
  }

  /// One way to be wrong, and what must be said of it.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rule: PolicyFault.Rule
    let time: Nanoseconds
    let thread: String?
    let cores: Int
    let policy: Wrong

    init(
      _ name: String, _ rule: PolicyFault.Rule, at time: Nanoseconds = .zero,
      thread: String? = nil, cores: Int = 1, _ change: (inout Wrong) -> Void
    ) {
      (testDescription, self.rule, self.time) = (name, rule, time)
      (self.thread, self.cores, policy) = (thread, cores, Wrong(change))
    }
  }

  /// `main` starts `a` and `b` at 0 and works for 5 ms, they for 10 ms.
  private static func text(cores: Int) -> String {
    """
    machine { platform: .ideal; cores: \(cores) }
    main {
        Thread(name: "a") { work(10ms) }.start()
        Thread(name: "b") { work(10ms) }.start()
        work(5ms)
    }
    expect { outcome == .policyFault; crash.message.contains("policy 'wrong'") }
    """
  }

  static let rows: [Row] =
    [
      Row("a thread that does not exist", .dequeuedThreadIsReady) {
        $0.dequeues = { _, _ in ThreadID(77) }
      },
      Row("no thread at all", .dequeuedThreadIsReady) { $0.dequeues = { _, _ in ThreadID.none } },
      // The first thread stays in the queue when it has its core, and when it has ended.
      Row("a thread that runs", .dequeuedThreadIsReady, thread: "main", cores: 2) {
        $0.dequeues = { ready, _ in ready.first }
      },
      Row("a thread that waits", .dequeuedThreadIsReady, at: .milliseconds(5), thread: "main") {
        $0.dequeues = { ready, _ in ready.first }
      },
      Row("no thread for an idle core", .readyThreadGetsIdleCore, thread: "main") {
        $0.dequeues = { _, _ in nil }
      },
      Row("an empty quantum", .quantumIsPositive, thread: "main") { $0.quantum = .zero },
      Row("a negative quantum", .quantumIsPositive, thread: "main") {
        $0.quantum = Nanoseconds(-1)
      },
      Row("an empty quantum in order", .quantumIsPositive) {
        ($0.inOrder, $0.canPreempt) = (InOrder(quantum: .zero), false)
        $0.usesThreadAttributes = false
      },
      Row("a victim on no core", .victimRuns) { $0.victim = CoreID(9) },
      Row("no victim", .victimRuns) { $0.victim = CoreID.none },
      Row("a victim on an idle core", .victimRuns, cores: 2) {
        $0.dequeues = { ready, core in
          core.index == 1 || ready.isEmpty ? nil : ready.removeFirst()
        }
        $0.victim = CoreID(1)
      },
      // The last thread that became ready is the one that was preempted.
      Row("victims without end", .preemptionEnds, thread: "main") {
        $0.dequeues = { ready, _ in ready.popLast() }
        $0.victim = CoreID(0)
      },
      Row("a victim, though it never preempts", .victimNeedsPreemption) {
        ($0.canPreempt, $0.victim) = (false, CoreID(0))
      },
      Row("a tick, though it never preempts", .tickNeedsPreemption) {
        $0.canPreempt = false
        $0.tick = { $0 + .milliseconds(1) }
      },
      Row("a tick now", .tickIsLater) { $0.tick = { $0 } },
      Row("a tick in the past", .tickIsLater, at: .zero) { $0.tick = { _ in Instant(-1) } },
    ] + inOrderRows + loneRows + moveRows

  /// A policy that is in order, and more.
  private static let inOrderRows: [Row] = [
    Row("in order, and binds cores", .orderedPolicyIsSimple) {
      order(&$0)
      $0.bindsCores = true
    },
    Row("in order, and preempts", .orderedPolicyIsSimple) {
      order(&$0)
      $0.canPreempt = true
    },
    Row("in order, and looks at attributes", .orderedPolicyIsSimple) {
      order(&$0)
      $0.usesThreadAttributes = true
    },
    Row("in order, and stops lone threads", .orderedPolicyIsSimple) {
      order(&$0)
      $0.letsLoneThreadsGoOn = false
    },
  ]

  private static func order(_ policy: inout Wrong) {
    policy.inOrder = InOrder(quantum: nil)
    (policy.canPreempt, policy.usesThreadAttributes) = (false, false)
  }

  /// Three cores for three threads, so that the quantum of `main` ends while no thread is ready.
  private static let loneRows: [Row] = [
    Row(
      "no thread behind the quantum of a lone one", .loneThreadIsReturned, at: .milliseconds(1),
      thread: "main", cores: 3
    ) { ($0.quantum, $0.takesForExpired) = (.milliseconds(1), { _ in nil }) },
    Row(
      "another thread behind the quantum of a lone one", .loneThreadIsReturned,
      at: .milliseconds(1), thread: "main", cores: 3
    ) { ($0.quantum, $0.takesForExpired) = (.milliseconds(1), { _ in ThreadID(1) }) },
    Row(
      "less than one equal quantum", .equalQuantaCountThePresent, at: .milliseconds(1),
      thread: "main", cores: 3
    ) { ($0.quantum, $0.equalQuanta) = (.milliseconds(1), 0) },
  ]

  /// Three cores, of which that of `main` is idle behind 5 ms.
  private static let moveRows: [Row] = [
    Row("a move from no core", .vacatedCoreRuns, at: .milliseconds(5), cores: 3) {
      ($0.movesRunningThreads, $0.vacated) = (true, CoreID(3))
    },
    Row("a move from an idle core", .vacatedCoreRuns, at: .milliseconds(5), cores: 3) {
      ($0.movesRunningThreads, $0.vacated) = (true, CoreID(0))
    },
    // The thread goes back to the core where it was.
    Row("moves without end", .movesEnd, at: .milliseconds(5), thread: "a", cores: 3) {
      ($0.movesRunningThreads, $0.vacated) = (true, CoreID(1))
    },
  ]

  private static func run(
    _ row: Row, _ shortcuts: ShortcutSet
  ) throws -> (run: TraceRun, fault: PolicyFault?) {
    let text = PolicyFaultTests.text(cores: row.cores)
    let program = try #require(TestRun(text, writesLog: false).program)
    var request = RunRequest()
    (request.policy, request.shortcuts) = (row.policy, shortcuts)
    request.limits.checksInvariants = true
    let run = TraceRun(program, request)
    return (run, run.record.policyFault)
  }

  /// What a policy is asked only by a shortcut, and what only without.
  private static let (withShortcuts, withoutShortcuts):
    (Set<PolicyFault.Rule>, Set<PolicyFault.Rule>) =
      ([.equalQuantaCountThePresent], [.victimNeedsPreemption, .tickNeedsPreemption])

  @Test(arguments: rows)
  func aWrongPolicyEndsTheRun(_ row: Row) throws {
    let shortcuts = PolicyFaultTests.withShortcuts.contains(row.rule) ? ShortcutSet.all : .none
    let (run, fault) = try PolicyFaultTests.run(row, shortcuts)
    #expect(run.record.outcome.kind == .policyFault)
    #expect(fault?.policy == "wrong")
    #expect(fault?.rule == row.rule)
    #expect(fault?.time == Instant.start + row.time)
    #expect(fault?.thread == row.thread)
    #expect(run.record.end == Instant.start + row.time)
    #expect(run.verdicts.allSatisfy { $0.holds })
    let (again, _) = try PolicyFaultTests.run(row, shortcuts)
    #expect(again.digest == run.digest)
  }

  /// With shortcuts and without them the fault is the same, where a policy is asked for that answer.
  @Test(arguments: rows)
  func shortcutsFindTheSameFault(_ row: Row) throws {
    let (all, plain) = (
      try PolicyFaultTests.run(row, .all), try PolicyFaultTests.run(row, .none)
    )
    if PolicyFaultTests.withShortcuts.contains(row.rule) {
      #expect(plain.run.record.outcome.kind == .finished)
    } else if PolicyFaultTests.withoutShortcuts.contains(row.rule) {
      #expect(all.run.record.outcome.kind == .finished)
    } else {
      #expect(all.fault == plain.fault)
    }
  }

  @Test func eachRuleIsBroken() {
    #expect(Set(PolicyFaultTests.rows.map(\.rule)) == Set(PolicyFault.Rule.allCases))
  }

  @Test func aRightPolicyRuns() throws {
    let (run, fault) = try PolicyFaultTests.run(Row("right", .victimRuns) { _ in }, .none)
    #expect(run.record.outcome.kind == .finished && fault == nil)
  }

  /// What people read: the summary, the end of the log and its JSON have the rule, the time and the thread.
  @Test func theFaultIsWritten() throws {
    let row = Row("an empty quantum", .quantumIsPositive) { $0.quantum = .zero }
    let (run, _) = try PolicyFaultTests.run(row, .all)
    let message =
      "policy 'wrong' returned a quantum that is not positive (at 0s, thread 'main')"
    let summary = run.summary().split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(summary.contains("policyFault: \(message)"))
    #expect(run.json.contains("\"message\": \"\(message)\""))
    #expect(run.json.contains("\"rule\": \"quantumIsPositive\""))
    var log: [UInt8] = []
    let text = LogText(limit: nil) { log += $0 }
    let program = try #require(TestRun(PolicyFaultTests.text(cores: 1)).program)
    _ = Simulation(program, policy: row.policy).run(consumers: [text])
    #expect(String(decoding: log, as: UTF8.self).contains("# policyFault \"\(message)\" at 0s"))
  }

  /// A policy may ask for a core that is not there, and learns that nothing runs on it.
  @Test func aCoreThatIsNotThereRunsNothing() throws {
    struct Curious: SchedulingPolicy {
      let name = "curious"
      private var ready: [ThreadID] = []

      mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
        ready.append(thread)
      }
      mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
        ready.isEmpty ? nil : ready.removeFirst()
      }
      func quantum(for thread: ThreadID) -> Nanoseconds? { nil }
      func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
        let absent = [-1, running.count, Int.max]
        let isIdle = absent.allSatisfy { running[$0] == .none && running.since($0) == .start }
        return isIdle && running[0] != .none ? nil : CoreID(9)
      }
    }
    let program = try #require(TestRun(PolicyFaultTests.text(cores: 1)).program)
    #expect(Simulation(program, policy: Curious()).run().outcome.kind == .finished)
  }
}
