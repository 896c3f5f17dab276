package import SpindleModel

/// A policy that says by what it prefers one thread to another.
package protocol RankingPolicy: SchedulingPolicy {
  /// Where a thread that is ready or runs stands: what decides first comes first.
  func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding]
  /// Whether a ready thread could have got a core.
  func isCandidate(_ thread: ThreadID, for core: CoreID) -> Bool
}

extension RankingPolicy {
  package func isCandidate(_ thread: ThreadID, for core: CoreID) -> Bool { true }
}
