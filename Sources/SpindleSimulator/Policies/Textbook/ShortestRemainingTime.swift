package import SpindleModel

/// The thread with the least left of its burst runs, and takes the core from one with more left.
///
/// Bursts are known ahead or guessed, as with `shortestJobFirst`. A thread that has computed for longer
/// than was guessed has nothing left, so nobody takes its core.
///
/// Ties: a running thread keeps its core; of ready ones the one that became ready first, and one that had to
/// give way before its equals. Who gives way has the most left, of several the one on the core with the
/// lowest number. Who yields comes after all that are ready, once.
///
/// One queue for all cores. A step costs O(log n), a preemption O(cores), and knowing a burst as many steps
/// as the program takes in it. What is left is work: cores of unlike speed are not in it. On one core
/// no policy has a lesser mean response (Schrage, "A Proof of the Optimality of the Shortest Remaining
/// Processing Time Discipline", 1968).
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, chapter 5; Arpaci-Dusseau, *Operating
/// Systems: Three Easy Pieces*, chapter 7, "Shortest Time-to-Completion First". Not: a real scheduler, which
/// can't know the length.
package struct ShortestRemainingTime: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "shortestRemainingTime", summary: "the shortest remaining burst first, with preemption",
    parameters: [BurstLengths.predicted, BurstLengths.weight, BurstLengths.guess])

  private var bursts: BurstLengths
  private var ready = ThreadHeap<Int64>()

  package var needsWorkAhead: Bool { !bursts.isPredicted }

  package var heedsClaims: Bool { false }

  package init(_ values: PolicyValues) { bursts = BurstLengths(values) }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!ready.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    bursts.admit(thread)
  }

  package mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant) {
    bursts.know(thread, work)
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    bursts.ran(thread, for: ran)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    var atFront = false
    switch cause {
    case .woken: bursts.begin(thread)
    case .yielded:
      bursts.begin(thread)
      return ready.insert(thread, key: Int64.max)
    case .preempted: atFront = true
    case .started, .quantumExpired: break
    }
    ready.insert(thread, key: bursts.rest(of: thread), atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popFirst()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    guard let least = ready.leastKey else { return nil }
    var (victim, most) = (-1, least)
    for core in 0..<running.count where running[core] != .none {
      let rest = bursts.rest(of: running[core], after: (now - running.since(core)).rawValue)
      if rest > most { (victim, most) = (core, rest) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.burst, bursts.rest(of: thread))]
  }
}
