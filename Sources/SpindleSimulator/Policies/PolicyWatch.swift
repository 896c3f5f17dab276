import SpindleModel

/// Notes whom a policy prefers to threads that are ready, and by what.
///
/// Of each wait for a core only the first decisions are kept, and one for each preferred thread in a row: the time and
/// memory for a run are in proportion to its scheduling events.
final class PolicyWatch {
  @exclusivity(unchecked) private(set) var choices: [PolicyChoice] = []
  /// The ready threads of which more is to be noted.
  @exclusivity(unchecked) private var waits: [Wait] = []

  private struct Wait {
    let thread: ThreadID
    /// Who was preferred last, how many decisions are kept, and how many were looked at.
    var preferred = ThreadID.none
    var kept = 0
    var looks = 0

    /// Whether enough is known.
    var isOver: Bool { kept >= PolicyWatch.keptChoices || looks >= PolicyWatch.mostLooks }
  }

  /// How many decisions of one wait are kept, and looked at.
  private static let keptChoices = 8
  private static let mostLooks = 64
  /// How many decisions of a run are kept.
  private static let most = 2_000_000

  /// A thread becomes ready.
  func becameReady(_ thread: ThreadID) { waits.append(Wait(thread: thread)) }

  /// A core gets a thread, and others do not.
  func gave(_ thread: ThreadID, _ core: CoreID, _ policy: (any RankingPolicy)?, at now: Instant) {
    waits.removeAll { $0.thread == thread }
    note(thread, isKept: false, policy, at: now) {
      policy?.isCandidate($0, for: core) ?? true
    }
  }

  /// Those that have cores keep them, though others are ready.
  func keeps(_ running: RunningThreads, _ policy: (any RankingPolicy)?, at now: Instant) {
    if waits.allSatisfy({ $0.kept > 0 }) { return }
    let fresh = Set(waits.lazy.filter { $0.kept == 0 }.map(\.thread))
    for core in 0..<running.count where running[core] != .none {
      note(running[core], isKept: true, policy, at: now) {
        fresh.contains($0) && policy?.isCandidate($0, for: CoreID(core)) ?? true
      }
    }
  }

  private func note(
    _ preferred: ThreadID, isKept: Bool, _ policy: (any RankingPolicy)?, at now: Instant,
    against isMeant: (ThreadID) -> Bool
  ) {
    if waits.isEmpty || choices.count >= Self.most { return }
    let standing = policy?.standing(of: preferred, at: now) ?? []
    for index in waits.indices where isMeant(waits[index].thread) {
      waits[index].looks += 1
      if waits[index].preferred == preferred { continue }
      let own = policy?.standing(of: waits[index].thread, at: now) ?? []
      waits[index].preferred = preferred
      waits[index].kept += 1
      choices.append(
        PolicyChoice(
          time: now, waiting: waits[index].thread.index, preferred: preferred.index,
          isKept: isKept, comparison: PolicyChoice.Standings(standing, own)))
    }
    waits.removeAll(where: \.isOver)
  }
}
