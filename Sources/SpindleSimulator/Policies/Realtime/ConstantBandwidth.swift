package import SpindleModel

/// Each real-time thread has a server of its own, which gives it so much in each period and no more: one that
/// computes for longer than it says harms no other.
///
/// A server has a budget, the `computation`, and a deadline; the server with the earliest deadline runs. When a
/// thread wakes and what is left of the budget is as much as the server may use until its deadline, or
/// more, it gets a whole budget and the deadline one `period` from now; else it goes on with what it has. When
/// the budget is used up it is filled again and the deadline is one period later; with `hard: true` the
/// thread waits for its deadline first, as on Linux, where that keeps it from idle cores too. The
/// constraint decides nothing but which deadlines are missed.
///
/// With `reclaiming: true` a budget shrinks by what the servers that are active use of the machine, so
/// that they share what others leave over (GRUB). A server is active from a wake until it has been idle for as
/// long as it would have needed at its own rate. On several cores each server's budget shrinks by its
/// own share at least, and by that of all divided by the cores. Lone servers then use a core whole.
///
/// Ties: a running thread keeps its core; of ready ones one that had to give way, then who became ready first.
/// Who yields stands behind its equals, with `hard: true` it waits for its deadline. Threads that are not
/// real-time get what is left, in the order in which they became ready.
///
/// One queue for all cores. A step costs O(log n), with reclaiming O(n). Shares are held in parts of
/// 720,720,000, rounded up, as strides are.
///
/// Source: Abeni, Buttazzo, "Integrating Multimedia Applications in Hard Real-Time Systems", 1998; Lipari,
/// Baruah, "Greedy Reclamation of Unused Bandwidth in Constant-Bandwidth Servers", 2000; Linux,
/// kernel/sched/deadline.c. Not: an admission test; inheritance of budgets; servers that several
/// threads share; Linux's bound of 95 % for reclaiming.
package struct ConstantBandwidth: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "constantBandwidth", summary: "each real-time thread has a CPU budget in each period",
    parameters: [hard, reclaiming])
  private static let hard = MachineCatalogue.Parameter.truth("hard", false)
  private static let reclaiming = MachineCatalogue.Parameter.truth("reclaiming", false)

  package var letsLoneThreadsGoOn: Bool { !isHard }
  /// Whether a thread that has used its budget up waits for its deadline.
  let isHard: Bool
  /// Whether budgets shrink by what is active.
  var isReclaiming: Bool { servers.reclaims }
  private var servers: BandwidthServers
  private var ready = ThreadHeap<Int64>()
  /// Those that wait for their next budget, by when they get it.
  private var throttled = ThreadHeap<Int64>()
  private var ordinary = ThreadHeap<Int64>()

  package init(_ values: PolicyValues) {
    isHard = values.isOn(Self.hard)
    servers = BandwidthServers(reclaims: values.isOn(Self.reclaiming))
  }

  package mutating func begin(coreCount: Int) { servers.begin(coreCount) }

  private func isReady(_ thread: ThreadID) -> Bool {
    ready.contains(thread) || throttled.contains(thread) || ordinary.contains(thread)
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!isReady(thread), "\(name): thread \(thread.index) is ready, and admitted")
    servers.admit(Int(thread.index), claim.realtime)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    if servers.claim(Int(thread.index)) == claim.realtime { return }
    let wasReady = ready.remove(thread) || throttled.remove(thread) || ordinary.remove(thread)
    servers.change(Int(thread.index), claim.realtime, at: now.nanoseconds)
    if wasReady { enqueue(thread, .woken, at: now) }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    var (atFront, begins, yields) = (false, false, false)
    switch cause {
    case .started, .woken: begins = true
    case .preempted: atFront = true
    case .yielded: yields = isHard
    case .quantumExpired: break
    }
    let index = Int(thread.index)
    if servers.claim(index) == nil { return ordinary.insert(thread, key: 0, atFront: atFront) }
    servers.becomesReady(index, begins: begins, at: now.nanoseconds)
    if yields { servers.drop(index) }
    if servers.isEmpty(index) {
      if isHard && servers.deadline(index) > now.nanoseconds {
        servers.rests(index, at: now.nanoseconds)
        return throttled.insert(thread, key: servers.deadline(index))
      }
      servers.refill(index)
      atFront = false
    }
    ready.insert(thread, key: servers.deadline(index), atFront: atFront)
  }

  /// Gives those that have waited for it their budget.
  private mutating func release(at now: Int64) {
    while let due = throttled.leastKey, due <= now, let thread = throttled.popFirst() {
      servers.becomesReady(Int(thread.index), begins: false, at: now)
      servers.refill(Int(thread.index))
      ready.insert(thread, key: servers.deadline(Int(thread.index)))
    }
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    release(at: now.nanoseconds)
    guard let thread = ready.popFirst() else { return ordinary.popFirst() }
    servers.begins(Int(thread.index), at: now.nanoseconds)
    return thread
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    servers.claim(Int(thread.index)) == nil ? nil : Nanoseconds(servers.turn(Int(thread.index)))
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    if servers.claim(Int(thread.index)) == nil { return }
    servers.leaves(Int(thread.index), at: now.nanoseconds)
  }

  package mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    release(at: now.nanoseconds)
    var (victim, latest) = (-1, ready.leastKey ?? Int64.max)
    for core in 0..<running.count where running[core] != .none {
      let index = Int(running[core].index)
      if servers.claim(index) == nil {
        if ready.count > 0 && latest < Int64.max { (victim, latest) = (core, Int64.max) }
      } else if servers.hasAnotherTurn(index) {
        return CoreID(core)
      } else if servers.deadline(index) > latest {
        (victim, latest) = (core, servers.deadline(index))
      }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func nextTick(after now: Instant) -> Instant? {
    throttled.leastKey.map { Instant(max($0, now.nanoseconds + 1)) }
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let index = Int(thread.index)
    if servers.claim(index) == nil { return [PolicyStanding(.realtime, 0)] }
    return [
      PolicyStanding(.realtime, 1),
      PolicyStanding(.budget, throttled.contains(thread) ? 0 : 1),
      PolicyStanding(.deadline, servers.deadline(index)),
    ]
  }
}
