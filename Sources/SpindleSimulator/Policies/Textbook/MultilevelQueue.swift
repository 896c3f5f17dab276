package import SpindleModel

/// A queue for each class of threads: a higher queue runs before a lower one, and each has a rule of its own.
///
/// There are five queues, by base priority as the qualities of service have it: 46 and more
/// (`.userInteractive`), 37 to 45, 21 to 36 (`.default`), 5 to 20 and up to 4 (`.background`). Threads never
/// change their queue but with their own priority, or one that they inherit. The upper `foreground` queues
/// take turns of one `quantum`, the others are first come, first served. Whoever comes into a higher queue
/// takes a core from a lower one at once.
///
/// Ties: a thread that starts, wakes or has had its turn goes behind those of its queue; one that had to give
/// way goes before them with the rest of its turn. Of several threads that could give way it is that of
/// the lowest queue, on the core with the lowest number. A ready thread that changes its queue goes behind.
///
/// One set of queues for all cores. Each step costs O(1), a preemption O(cores).
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, chapter 5, "Multilevel Queue
/// Scheduling", with fixed priorities between the queues. Not: shares of time between the queues (80 % for
/// the foreground); priorities within a queue (see `fixedPriority`).
package struct MultilevelQueue: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "multilevelQueue",
    summary: "a queue for each class: round robin in the foreground, else fifo",
    parameters: [quantum, foreground])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let foreground = MachineCatalogue.Parameter.integer("foreground", 3, 0...5)

  private let turn: Nanoseconds
  private let foregroundCount: Int
  private var ready = PriorityQueues()
  /// The queue of each thread; the highest is 0.
  private var queues: ContiguousArray<Int8> = []
  private var left: ContiguousArray<Int64> = []

  package init(_ values: PolicyValues) {
    turn = values.duration(Self.quantum)
    foregroundCount = Int(values.integer(Self.foreground))
  }

  /// The queue of a base priority.
  private static func queue(_ priority: Int) -> Int8 {
    switch priority {
    case 46...: 0
    case 37...45: 1
    case 21...36: 2
    case 5...20: 3
    default: 4
    }
  }

  private static func priority(_ queue: Int8) -> Int { PriorityQueues.levels - 1 - Int(queue) }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < queues.count,
      "\(name): thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!ready.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while queues.count <= Int(thread.index) {
      queues.append(0)
      left.append(0)
    }
    queues[Int(thread.index)] = Self.queue(claim.priority)
    left[Int(thread.index)] = 0
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    let queue = Self.queue(claim.priority)
    if queues[Int(thread.index)] == queue { return }
    queues[Int(thread.index)] = queue
    if ready.remove(thread) { ready.insert(thread, priority: Self.priority(queue)) }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    var (atFront, rest): (Bool, Int64) = (false, 0)
    if case .preempted(let remainder) = cause {
      (atFront, rest) = (true, remainder?.rawValue ?? 0)
    }
    left[Int(thread.index)] = rest
    ready.insert(
      thread, priority: Self.priority(queues[Int(thread.index)]), atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popHighest()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    check(thread, "gets a quantum")
    if Int(queues[Int(thread.index)]) >= foregroundCount { return nil }
    let rest = left[Int(thread.index)]
    return rest > 0 ? Nanoseconds(rest) : turn
  }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    guard let highest = ready.highest else { return nil }
    var (victim, lowest) = (-1, PriorityQueues.levels - 1 - highest)
    for core in 0..<running.count where running[core] != .none {
      let queue = Int(queues[Int(running[core].index)])
      if queue > lowest { (victim, lowest) = (core, queue) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  // A turn leaves nothing behind that the one before did not.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {}

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.queue, Int64(queues[Int(thread.index)]))]
  }
}
