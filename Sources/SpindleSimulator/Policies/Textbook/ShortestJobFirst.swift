package import SpindleModel

/// The thread whose next burst is the shortest runs until it waits.
///
/// A burst is what a thread computes until it next may wait. Its length is known ahead: the kernel says what
/// the program will do (see ``SchedulingPolicy/needsWorkAhead``), and refuses a program where that depends
/// on others. With `predicted: true` it is guessed from the thread's past bursts instead, by an
/// exponential average with the `weight` of the last one; before the first it is `guess`.
///
/// Ties: the one that became ready first. Who yields comes after all that are ready, once.
///
/// One queue for all cores; nobody is preempted. A step costs O(log n), and knowing a burst as many steps as
/// the program takes in it.
///
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, chapter 5, "Shortest-Job-First
/// Scheduling"; Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 7. Not: a real scheduler,
/// which can't know the length; costs and cores of unlike speed are not in it.
package struct ShortestJobFirst: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "shortestJobFirst", summary: "the shortest next burst first, known or predicted",
    parameters: [BurstLengths.predicted, BurstLengths.weight, BurstLengths.guess])

  private var bursts: BurstLengths
  private var ready = ThreadHeap<Int64>()

  package var canPreempt: Bool { false }
  package var needsWorkAhead: Bool { !bursts.isPredicted }

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
    switch cause {
    case .woken: bursts.begin(thread)
    case .yielded:
      bursts.begin(thread)
      return ready.insert(thread, key: Int64.max)
    case .started, .quantumExpired, .preempted: break
    }
    ready.insert(thread, key: bursts.rest(of: thread))
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popFirst()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.burst, bursts.rest(of: thread), takesCores: false)]
  }
}
