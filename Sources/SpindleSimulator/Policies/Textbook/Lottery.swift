package import SpindleModel

/// The owner of a ticket that is drawn runs for one quantum: shares in proportion to tickets, on average.
///
/// A thread has as many tickets as its `threadPriority` has thousandths (`ThreadClaim.tickets`). One that
/// used only a part of its last quantum before it waited or yielded has, until it runs again, as many times
/// more tickets as the quantum is longer than that part (`compensation`), so that who waits for input gets
/// its share too; at most a thousand times.
///
/// Draws come from a stream of their own, which the trace's seed and the policy's `seed` begin: they
/// disturb no draw of the workload, and a run repeats. A thread that is alone wins without a draw. Tickets
/// lie in the order of the threads' numbers; there are no ties.
///
/// One line of tickets for all cores; each core draws when it is free, so nobody is preempted. A draw costs
/// O(log n).
///
/// Source: Waldspurger, Weihl, "Lottery Scheduling: Flexible Proportional-Share Resource Management", OSDI
/// 1994; Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 9. Not: currencies and ticket
/// transfers; who inherits a priority has the tickets of that priority, and not the sum.
package struct Lottery: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "lottery", summary: "the owner of a drawn ticket runs: average shares by tickets",
    parameters: [quantum, compensation, seed])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))
  private static let compensation = MachineCatalogue.Parameter.truth("compensation", true)
  private static let seed = MachineCatalogue.Parameter.integer("seed", 0, 0...Int64.max)

  private struct Player {
    var tickets: Int64 = 500
    /// How long it had its core the last time.
    var ran: Int64 = 0
    /// By how much its tickets count, in thousandths.
    var factor: Int64 = 1_000
  }

  private let turn: Nanoseconds
  private let compensates: Bool
  private let ownSeed: Int64
  private var stream: UInt64 = 0
  private var draws: Int64 = 0
  private var line = TicketLine()
  private var players: ContiguousArray<Player> = []

  package var canPreempt: Bool { false }

  /// By how much tickets can count at most.
  private static let mostFactor: Int64 = 1_000_000

  package init(_ values: PolicyValues) {
    turn = values.duration(Self.quantum)
    compensates = values.isOn(Self.compensation)
    ownSeed = values.integer(Self.seed)
  }

  package mutating func begin(coreCount: Int, seed: UInt64) {
    stream = RandomStreams.key(
      RandomStreams.mix(seed), salt: RandomStreams.policySalt, ordinal: ownSeed)
  }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < players.count,
      "\(name): thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!line.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while players.count <= Int(thread.index) { players.append(Player()) }
    players[Int(thread.index)] = Player(tickets: claim.tickets)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    players[Int(thread.index)].tickets = claim.tickets
    if line.remove(thread) { line.insert(thread, tickets: value(of: thread)) }
  }

  /// What the tickets of a thread count, in thousandths of one.
  private func value(of thread: ThreadID) -> Int64 {
    players[Int(thread.index)].tickets * players[Int(thread.index)].factor
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    check(thread, "ran")
    players[Int(thread.index)].ran = ran.rawValue
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    players[index].factor = 1_000
    switch cause {
    case .woken, .yielded:
      let used = players[index].ran
      if compensates && used < turn.rawValue {
        let factor = Int128(turn.rawValue) * 1_000 / Int128(max(1, used))
        players[index].factor = Int64(min(factor, Int128(Self.mostFactor)))
      }
    case .started, .quantumExpired, .preempted: break
    }
    line.insert(thread, tickets: value(of: thread))
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    if line.count == 0 { return nil }
    var ticket: Int64 = 0
    if line.count > 1 {
      draws += 1
      let drawn = RandomStreams.key(stream, salt: 0, ordinal: draws)
      ticket = Int64(drawn.multipliedFullWidth(by: UInt64(line.total)).high)
    }
    let winner = line.owner(of: ticket)
    line.remove(winner)
    return winner
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { turn }

  // Who is alone wins without a draw, and each turn is like the other.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    demand(line.count == 0, "\(name): \(line.count) are ready, and \(thread.index) is alone")
    players[Int(thread.index)].ran = quantum.rawValue
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    [PolicyStanding(.tickets, players[Int(thread.index)].tickets, takesCores: false)]
  }
}
