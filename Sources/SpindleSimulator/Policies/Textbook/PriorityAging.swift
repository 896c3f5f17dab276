package import SpindleModel

/// Priorities that grow while a thread waits for a core, so that none waits for ever.
///
/// At each whole multiple of `interval` the priority of every ready thread grows by one, up to 96, the
/// highest below real-time threads. A thread keeps what it has come to for its turn: until its quantum ends,
/// or it waits or yields; then it has its own again. With `preemptive: true` a ready thread takes the core of
/// one of a lower priority at once, also when it has just grown above it. With `preemptive: false` a running thread
/// keeps its core until it waits, yields or ends, and there is no quantum.
///
/// Ties: the one that became ready first; who must give way goes before its equals with the rest of its turn
/// and what it had come to. Of several that could give way it is the one of the lowest priority, on the core
/// with the lowest number. A thread whose priority changes, or who inherits another
/// one, begins anew with that, be it ready or running.
///
/// One queue for all cores. Since all that wait grow alike, their order does not change while they do:
/// taking one out costs O(log n), a step of the clock O(cores).
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, chapter 5, "Priority Scheduling": ageing
/// as the answer to indefinite blocking. Not: what VMS, 4.4BSD or XNU do, whose priorities sink with use
/// (see `timeshare`).
package struct PriorityAging: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "priorityAging", summary: "fixed priorities that grow while a thread waits for a core",
    parameters: [interval, quantum, preemptive])
  private static let interval = MachineCatalogue.Parameter.duration("interval", .seconds(1))
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let preemptive = MachineCatalogue.Parameter.truth("preemptive", true)

  private struct Standing {
    var base: Int64 = 31
    /// The priority of its turn, what it has grown by included.
    var present: Int64 = 31
    /// What is left of its turn; 0 for a whole one.
    var left: Int64 = 0
  }

  private let growsEvery: Int64
  private let turn: Nanoseconds
  private let isPreemptive: Bool
  /// Keyed by how far below the highest priority a thread would have been at time 0.
  private var ready = ThreadHeap<Int64>()
  /// The ready real-time threads, which are above all others and do not grow.
  private var urgent = PriorityQueues()
  private var threads: ContiguousArray<Standing> = []

  /// The highest priority to which a thread can grow.
  private static let highest = Int64(ThreadClaim.realtimePriority - 1)

  package var canPreempt: Bool { isPreemptive }

  package init(_ values: PolicyValues) {
    growsEvery = values.duration(Self.interval).rawValue
    turn = values.duration(Self.quantum)
    isPreemptive = values.isOn(Self.preemptive)
  }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < threads.count,
      "\(name): thread \(thread.index) \(what()) and was not admitted")
  }

  /// By how much a thread that has been ready from the beginning has grown.
  private func growth(until now: Instant) -> Int64 { now.nanoseconds / growsEvery }

  /// The priority that a ready thread of a key has now.
  private func priority(_ key: Int64, at now: Instant) -> Int64 {
    min(Self.highest, Self.highest - key + growth(until: now))
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!ready.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while threads.count <= Int(thread.index) { threads.append(Standing()) }
    let base = Int64(claim.priority)
    threads[Int(thread.index)] = Standing(base: base, present: base)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    let base = Int64(claim.priority)
    if threads[Int(thread.index)].base == base { return }
    (threads[Int(thread.index)].base, threads[Int(thread.index)].present) = (base, base)
    let wasReady = ready.remove(thread)
    if wasReady || urgent.remove(thread) { insert(thread, atFront: false, at: now) }
  }

  private mutating func insert(_ thread: ThreadID, atFront: Bool, at now: Instant) {
    let present = threads[Int(thread.index)].present
    if present > Self.highest {
      urgent.insert(thread, priority: 0, atFront: atFront)
    } else {
      ready.insert(
        thread, key: Self.highest - present + growth(until: now), atFront: atFront)
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    var atFront = false
    threads[index].left = 0
    if case .preempted(let remainder) = cause {
      (atFront, threads[index].left) = (true, remainder?.rawValue ?? 0)
    } else {
      threads[index].present = threads[index].base
    }
    insert(thread, atFront: atFront, at: now)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    if let thread = urgent.popHighest() { return thread }
    guard let key = ready.leastKey, let thread = ready.popFirst() else { return nil }
    threads[Int(thread.index)].present = priority(key, at: now)
    return thread
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    check(thread, "gets a quantum")
    let standing = threads[Int(thread.index)]
    if standing.base > Self.highest || !isPreemptive { return nil }
    return standing.left > 0 ? Nanoseconds(standing.left) : turn
  }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    if !isPreemptive { return nil }
    var best = Int64(ThreadClaim.realtimePriority)
    if urgent.count == 0 {
      guard let key = ready.leastKey else { return nil }
      best = priority(key, at: now)
    }
    var (victim, lowest) = (-1, best)
    for core in 0..<running.count where running[core] != .none {
      let present = threads[Int(running[core].index)].present
      if present < lowest { (victim, lowest) = (core, present) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func nextTick(after now: Instant) -> Instant? {
    if !isPreemptive || ready.count == 0 { return nil }
    let (next, overflow) = (growth(until: now) + 1).multipliedReportingOverflow(by: growsEvery)
    return overflow ? nil : Instant(next)
  }

  // A turn leaves nothing behind that the one before did not.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    check(thread, "had turns")
    threads[Int(thread.index)].present = threads[Int(thread.index)].base
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let present = ready.key(of: thread).map { priority($0, at: now) }
    return [
      PolicyStanding(
        .priority, present ?? threads[Int(thread.index)].present, takesCores: isPreemptive)
    ]
  }
}
