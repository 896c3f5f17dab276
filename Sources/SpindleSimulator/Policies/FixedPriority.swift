package import SpindleModel

/// The ready thread of the highest priority runs; equals take turns of one quantum.
///
/// A thread that becomes ready takes a core at once from the running thread of the lowest priority, if
/// that is lower than its own. One that was preempted goes on before its equals, with what was
/// left of its quantum. Real-time threads are above all others and have no quantum: among themselves
/// each runs until it waits.
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, "Priority Scheduling"; POSIX
/// `SCHED_RR`, whose rules for a preempted thread these are, and `SCHED_FIFO` for real-time threads.
package struct FixedPriority: SchedulingPolicy {
  package let name = "fixedPriority"
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

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    while priorities.count <= Int(thread.index) {
      priorities.append(0)
      left.append(0)
    }
    priorities[Int(thread.index)] = Int16(claim.priority)
    left[Int(thread.index)] = 0
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    priorities[Int(thread.index)] = Int16(claim.priority)
    if ready.contains(thread) {
      ready.remove(thread)
      ready.insert(thread, priority: claim.priority)
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    let index = Int(thread.index)
    var atFront = false
    left[index] = 0
    if case .preempted(let remainder) = cause {
      atFront = true
      left[index] = remainder?.rawValue ?? 0
    }
    ready.insert(thread, priority: Int(priorities[index]), atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    ready.popHighest()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    guard let quantum,
      Int(priorities[Int(thread.index)]) < ThreadClaim.realtimePriority
    else { return nil }
    let remainder = left[Int(thread.index)]
    return remainder > 0 ? Nanoseconds(remainder) : quantum
  }

  // A quantum leaves nothing behind that the one before did not.
  package func repeatsQuanta(of thread: ThreadID) -> Bool { true }
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
}
