package import SpindleModel

/// A policy that ranks real-time threads by what they ask for; it says how, and all else is here.
///
/// The real-time thread with the least rank runs, and takes a core from one with a greater rank at once, or
/// from any thread that is not real-time; these get what is left, in the order in which they became ready.
/// Ties: a running thread keeps its core; of ready ones one that had to give way, then the one that became
/// ready first. Who gives way has the greatest rank, of several the one on the core with the lowest number.
/// Who yields stands behind its equals.
///
/// With `placement: .global` there is one line for all cores. Else each real-time thread has a core, which it
/// gets when it becomes ready for the first time (`RealtimePlacement`) and keeps until it ends or asks for
/// something else; the others run on any core. A step costs O(log n), a preemption O(cores), and
/// giving a thread a core an analysis of each core.
package protocol RealtimePolicy: CataloguedPolicy, RankingPolicy {
  /// Its threads.
  var lines: RealtimeLines { get set }
  /// The order in which it is tested whether threads meet their deadlines.
  var order: RealtimeAnalysis.Order { get }
  /// Whether its order holds at each moment, as tests suppose.
  var isExact: Bool { get }
  /// What it ranks jobs by.
  static var measure: PolicyStanding.Measure { get }
  /// How urgent a job is; the least comes first.
  static func rank(_ job: RealtimeJob) -> Int64
}

extension RealtimePolicy {
  package var isExact: Bool { true }
  package var bindsCores: Bool { lines.isPartitioned }

  package mutating func begin(cores: [CoreDescription], seed: UInt64) { lines.begin(cores) }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    lines.admit(thread, claim.realtime)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    lines.change(thread, claim.realtime, rank: Self.rank)
  }

  package mutating func jobBegins(
    _ thread: ThreadID, released: Instant, deadline: Instant, at now: Instant
  ) {
    lines.begin(thread, deadline: deadline.nanoseconds)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    var atFront = false
    if case .preempted = cause { atFront = true }
    lines.enqueue(thread, atFront: atFront, rank: Self.rank)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    lines.dequeue(for: core)
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    lines.ran(thread, for: ran.rawValue)
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    guard let job = lines.job(of: thread) else { return [PolicyStanding(.realtime, 0)] }
    return [
      PolicyStanding(.realtime, 1), PolicyStanding(Self.measure, Self.rank(job)),
    ]
  }

  package func isCandidate(_ thread: ThreadID, for core: CoreID) -> Bool {
    lines.core(of: thread).map { $0 == Int(core.index) } ?? true
  }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    lines.victim(among: running, at: now, rank: Self.rank)
  }
}
