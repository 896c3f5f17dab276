import SpindleModel

/// A policy that is XNU's scheduler in one of its forms: what the kernel tells it goes to that.
protocol ClutchPolicy: CataloguedPolicy, RankingPolicy {
  /// What decides.
  var scheduler: ClutchScheduler { get set }
}

extension ClutchPolicy {
  package var bindsCores: Bool { true }
  package var letsLoneThreadsGoOn: Bool { true }

  package mutating func begin(cores: [CoreDescription], seed: UInt64) {
    scheduler.begin(cores: cores)
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    scheduler.admit(Int(thread.index), claim)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    scheduler.claimChanged(Int(thread.index), claim, at: now.nanoseconds)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    scheduler.enqueue(Int(thread.index), cause, at: now)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    scheduler.dequeue(for: Int(core.index), at: now.nanoseconds).map { ThreadID($0) }
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    scheduler.quantum(Int(thread.index))
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    scheduler.ran(Int(thread.index), for: ran, at: now.nanoseconds)
  }

  package func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool {
    scheduler.keepsCore(Int(thread.index), Int(core.index))
  }

  package mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    scheduler.victim(at: now.nanoseconds).map { CoreID($0) }
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    scheduler.standing(of: Int(thread.index))
  }

  package func isCandidate(_ thread: ThreadID, for core: CoreID) -> Bool {
    scheduler.isCandidate(Int(thread.index), for: Int(core.index))
  }

  package func nextTick(after now: Instant) -> Instant? {
    scheduler.nextTick(after: now.nanoseconds).map { Instant($0) }
  }

  package mutating func tick(running: RunningThreads, at now: Instant) { scheduler.tick(at: now) }

  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    scheduler.repeatsQuanta(Int(thread.index)) ? Int64.max : 1
  }

  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    scheduler.repeated(
      Int(thread.index), quantum.rawValue, times: count, until: end.nanoseconds)
  }
}
