package import SpindleModel

/// The thread that is least ahead of its share runs for one quantum: what a lottery gives on average, exactly.
///
/// A thread has as many tickets as its `threadPriority` has thousandths (`ThreadClaim.tickets`). Its stride is
/// a large number divided by its tickets, and its pass grows by one stride for each quantum that it has, by a
/// part of it for a part. The one of the least pass is next. While a thread waits it keeps by how far it is
/// ahead of, or behind, the pass of all: it neither saves time up nor loses what it was owed. A new thread
/// begins one stride behind, as in the paper, or with `behind: false` at the pass of all, as OSTEP draws
/// it. Who yields pays for the whole quantum.
///
/// Ties: the one that became ready first.
///
/// One queue for all cores; the pass of all grows with the time that all cores give. Nobody is preempted. A
/// step costs O(log n). The large number is 720,720,000, which the strides of up to 16 tickets, and of all
/// round numbers of them, divide without a rest; the paper has 2^20.
///
/// Source: Waldspurger, Weihl, "Stride Scheduling: Deterministic Proportional-Share Resource Management",
/// MIT/LCS/TM-528, 1995; Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 9. Not: the
/// hierarchical variant; ticket transfers: who inherits a priority has the tickets of that priority.
package struct Stride: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "stride", summary: "the lowest pass first: exact shares by tickets",
    parameters: [quantum, behind])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let behind = MachineCatalogue.Parameter.truth("behind", true)

  private struct Runner {
    var tickets: Int64 = 500
    var pass: Int128 = 0
    /// By how much its pass was ahead of that of all when it left.
    var ahead: Int128 = 0
    /// How long it had its core the last time.
    var ran: Int64 = 0
    /// Whether it is ready or runs, so that its tickets count.
    var isIn = false
  }

  private let turn: Int64
  private let beginsBehind: Bool
  private var ready = ThreadHeap<Int128>()
  private var runners: ContiguousArray<Runner> = []
  /// The tickets of all that are ready or run, and the pass that a thread with all of them would have.
  private var allTickets: Int64 = 0
  private var globalPass: Int128 = 0

  package var canPreempt: Bool { false }

  /// The stride of one ticket.
  private static let whole: Int64 = 720_720_000

  package init(_ values: PolicyValues) {
    turn = values.duration(Self.quantum).rawValue
    beginsBehind = values.isOn(Self.behind)
  }

  /// By how much the pass of so many tickets grows in a time.
  private func growth(of tickets: Int64, in time: Int64) -> Int128 {
    demand(tickets > 0, "\(name): the stride of \(tickets) tickets is wanted")
    return Int128(Self.whole) * Int128(time) / (Int128(turn) * Int128(tickets))
  }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < runners.count,
      "\(name): thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!ready.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while runners.count <= Int(thread.index) { runners.append(Runner()) }
    runners[Int(thread.index)] = Runner(tickets: claim.tickets)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    let index = Int(thread.index)
    let (old, new) = (runners[index].tickets, claim.tickets)
    if old == new { return }
    runners[index].tickets = new
    // What it is ahead by is so many strides as before.
    if !runners[index].isIn {
      runners[index].ahead = Self.scaled(runners[index].ahead, old, new)
      return
    }
    allTickets += new - old
    let ahead = runners[index].pass - globalPass
    runners[index].pass = globalPass + Self.scaled(ahead, old, new)
    if ready.remove(thread) { ready.insert(thread, key: runners[index].pass) }
  }

  private static func scaled(_ ahead: Int128, _ old: Int64, _ new: Int64) -> Int128 {
    ahead * Int128(old) / Int128(new)
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    check(thread, "ran")
    let index = Int(thread.index)
    demand(
      runners[index].isIn && allTickets >= runners[index].tickets,
      "\(name): thread \(index) ran, and its tickets do not count")
    pay(index, ran.rawValue)
    runners[index].ahead = runners[index].pass - globalPass
    runners[index].ran = ran.rawValue
    runners[index].isIn = false
    allTickets -= runners[index].tickets
  }

  /// A thread has had a core for a time, and all have.
  private mutating func pay(_ index: Int, _ time: Int64) {
    runners[index].pass += growth(of: runners[index].tickets, in: time)
    globalPass += growth(of: allTickets, in: time)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    demand(!runners[index].isIn, "\(name): thread \(index) is ready or runs, and becomes ready")
    switch cause {
    case .started:
      runners[index].ahead = beginsBehind ? growth(of: runners[index].tickets, in: turn) : 0
    case .yielded:
      let rest = max(0, turn - runners[index].ran)
      runners[index].ahead += growth(of: runners[index].tickets, in: rest)
    case .woken, .quantumExpired, .preempted: break
    }
    runners[index].isIn = true
    allTickets += runners[index].tickets
    runners[index].pass = globalPass + runners[index].ahead
    ready.insert(thread, key: runners[index].pass)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popFirst()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { Nanoseconds(turn) }

  // While nobody else is in, whose tickets would count, one turn is like the other.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    allTickets == runners[Int(thread.index)].tickets ? Int64.max : 1
  }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    check(thread, "had turns")
    let index = Int(thread.index)
    demand(runners[index].isIn, "\(name): thread \(index) had turns, and its tickets do not count")
    runners[index].pass += Int128(count) * growth(of: runners[index].tickets, in: quantum.rawValue)
    globalPass += Int128(count) * growth(of: allTickets, in: quantum.rawValue)
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.pass, wide: runners[Int(thread.index)].pass, takesCores: false)]
  }
}
