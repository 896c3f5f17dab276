package import SpindleModel

/// The thread whose response, if it ran now, would be the largest multiple of its burst runs until it waits.
///
/// The ratio is (time since it became ready + burst) / burst, so short bursts come first and long ones do
/// not wait for ever. Bursts are known ahead or guessed, as with `shortestJobFirst`.
///
/// Ties: the one that became ready first. A thread without work has no bound to its ratio, and is next. Who
/// yields comes after all that are ready, once.
///
/// One queue for all cores; nobody is preempted. Ratios grow at different rates, so that choosing costs O(n)
/// for n ready threads.
///
/// Source: Brinch Hansen, "An Analysis of Response Ratio Scheduling", IFIP Congress 1971; Stallings,
/// *Operating Systems: Internals and Design Principles*, chapter 9, "Highest Response Ratio Next". Not: a
/// real scheduler, which can't know the length; costs and cores of unlike speed are not in it.
package struct HighestResponseRatioNext: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "highestResponseRatioNext", summary: "the highest (wait + burst) / burst first",
    parameters: [BurstLengths.predicted, BurstLengths.weight, BurstLengths.guess])

  private struct Waiting {
    let thread: ThreadID
    let since: Int64
    let burst: Int64
    let hasYielded: Bool
  }

  private var bursts: BurstLengths
  /// The ready threads as they came.
  private var ready: ContiguousArray<Waiting> = []
  /// The thread that was given out last, as it was among those.
  private var given: Waiting?

  package var canPreempt: Bool { false }
  package var needsWorkAhead: Bool { !bursts.isPredicted }

  package init(_ values: PolicyValues) { bursts = BurstLengths(values) }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) { bursts.admit(thread) }

  package mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant) {
    bursts.know(thread, work)
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    bursts.ran(thread, for: ran)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    switch cause {
    case .woken, .yielded: bursts.begin(thread)
    case .started, .quantumExpired, .preempted: break
    }
    ready.append(
      Waiting(
        thread: thread, since: now.nanoseconds, burst: bursts.rest(of: thread),
        hasYielded: cause == .yielded))
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    if ready.isEmpty { return nil }
    var best = 0
    for index in ready.indices.dropFirst() where exceeds(ready[index], ready[best], now) {
      best = index
    }
    demand(
      ready[best].since <= now.nanoseconds,
      "\(name): thread \(ready[best].thread.index) is next, and becomes ready later")
    given = ready.remove(at: best)
    return given?.thread
  }

  /// Whether a thread's ratio is above that of another: wait / burst, compared without dividing.
  private func exceeds(_ one: Waiting, _ other: Waiting, _ now: Instant) -> Bool {
    if one.hasYielded || other.hasYielded { return !one.hasYielded && other.hasYielded }
    if one.burst == 0 || other.burst == 0 { return one.burst == 0 && other.burst > 0 }
    return Int128(now.nanoseconds - one.since) * Int128(other.burst)
      > Int128(now.nanoseconds - other.since) * Int128(one.burst)
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let waiting =
      ready.first { $0.thread == thread } ?? given.flatMap { $0.thread == thread ? $0 : nil }
    guard let waiting else { return [] }
    let wait = Int128(now.nanoseconds - waiting.since)
    let scale = Int128(FixedDecimal.scale)
    let ratio = waiting.burst == 0 ? Int128.max : scale + wait * scale / Int128(waiting.burst)
    return [PolicyStanding(.responseRatio, wide: waiting.hasYielded ? 0 : ratio, takesCores: false)]
  }
}
