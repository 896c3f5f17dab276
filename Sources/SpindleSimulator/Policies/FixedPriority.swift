package import SpindleModel

/// The ready thread of the highest priority runs; equals take turns of one quantum.
///
/// A thread that becomes ready takes a core at once from the running thread of the lowest priority, if
/// that is lower than its own. One that was preempted goes on before its equals, with what was
/// left of its quantum. Real-time threads are above all others and have no quantum: among themselves
/// each runs until it waits.
///
/// With `preemptive: false` a running thread keeps its core until it waits, yields or ends: it has no quantum
/// either, since the end of one would take its core away. Priorities then only order the ready threads.
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, "Priority Scheduling"; POSIX
/// `SCHED_RR`, whose rules for a preempted thread these are, and `SCHED_FIFO` for real-time threads.
package struct FixedPriority: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "fixedPriority", summary: "the highest priority first, with preemption",
    parameters: [quantum, preemptive])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let preemptive = MachineCatalogue.Parameter.truth("preemptive", true)

  package var canPreempt: Bool { isPreemptive }
  private let quantum: Nanoseconds?
  private let isPreemptive: Bool
  private var ready = PriorityQueues()
  private var priorities: ContiguousArray<Int16> = []
  private var left: ContiguousArray<Int64> = []

  /// Creates the policy; equals run until they block when `quantum` is nil.
  package init(quantum: Nanoseconds?, isPreemptive: Bool = true) {
    demand(quantum.map { $0 > .zero } ?? true, "fixedPriority: an empty quantum")
    (self.quantum, self.isPreemptive) = (quantum, isPreemptive)
  }

  package init(_ values: PolicyValues) {
    self.init(
      quantum: values.duration(Self.quantum), isPreemptive: values.isOn(Self.preemptive))
  }

  /// Stops unless a thread was admitted; it is called `what`.
  @inline(__always)
  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < priorities.count,
      "fixedPriority: thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(thread.index >= 0, "fixedPriority: thread \(thread.index) is admitted")
    demand(!ready.contains(thread), "fixedPriority: thread \(thread.index) is ready, and admitted")
    while priorities.count <= Int(thread.index) {
      priorities.append(0)
      left.append(0)
    }
    priorities[Int(thread.index)] = Int16(claim.priority)
    left[Int(thread.index)] = 0
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    priorities[Int(thread.index)] = Int16(claim.priority)
    if ready.contains(thread) {
      ready.remove(thread)
      ready.insert(thread, priority: claim.priority)
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    var atFront = false
    left[index] = 0
    if case .preempted(let remainder) = cause {
      demand(
        remainder.map { $0 > .zero } ?? true,
        "fixedPriority: thread \(thread.index) was preempted at the end of its quantum")
      atFront = true
      left[index] = remainder?.rawValue ?? 0
    }
    ready.insert(thread, priority: Int(priorities[index]), atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "fixedPriority: core \(core.index) asks for a thread")
    return ready.popHighest()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    check(thread, "gets a quantum")
    guard isPreemptive, let quantum,
      Int(priorities[Int(thread.index)]) < ThreadClaim.realtimePriority
    else { return nil }
    let remainder = left[Int(thread.index)]
    return remainder > 0 ? Nanoseconds(remainder) : quantum
  }

  // A quantum leaves nothing behind that the one before did not.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {}

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    guard isPreemptive, let best = ready.highest else { return nil }
    var (victim, lowest) = (-1, best)
    for core in 0..<running.count where running[core] != .none {
      let priority = Int(priorities[Int(running[core].index)])
      if priority < lowest { (victim, lowest) = (core, priority) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.priority, Int64(priorities[Int(thread.index)]), takesCores: isPreemptive)]
  }
}
