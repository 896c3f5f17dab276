import SpindleModel

/// Where the real-time threads of a policy run: on any core, or each on one of its own.
enum RealtimePlacement: String, CaseIterable, Sendable {
  /// One line for all cores.
  case global
  /// Each on the first core that it fits on.
  case firstFit
  /// Each on the core with the least room that it fits on.
  case bestFit
  /// Each on the core with the most room.
  case worstFit

  /// The parameter of a policy.
  static let parameter = MachineCatalogue.Parameter.choice(
    "placement", allCases.map(\.rawValue), global.rawValue)
}

/// Which real-time threads each core has.
///
/// A thread fits on a core when all of that core's threads meet their deadlines with it, by the exact test of
/// the policy's order (`RealtimeAnalysis`), as long as they compute what they say and wait for nothing else;
/// a test that gives up counts as failed. Ties go to the core with the lower number. What fits nowhere goes
/// where the most room is. Source: Dhall, Liu, "On a Real-Time Scheduling Problem", 1978, for first fit;
/// Lopez, Diaz, Garcia, "Utilization Bounds for EDF Scheduling on Real-Time Multiprocessor Systems", 2004.
struct RealtimeCores {
  private struct Guest {
    let thread: ThreadID
    let task: RealtimeLoad
  }

  private let placement: RealtimePlacement
  private let order: RealtimeAnalysis.Order
  private var speeds: [Speed] = []
  private var guests: [[Guest]] = []

  init(_ placement: RealtimePlacement, _ order: RealtimeAnalysis.Order) {
    (self.placement, self.order) = (placement, order)
  }

  /// The machine has these cores.
  mutating func begin(_ cores: [CoreDescription]) {
    demand(!cores.isEmpty, "real-time threads are to be placed on no cores")
    speeds = cores.map(\.speed)
    guests = Array(repeating: [], count: cores.count)
  }

  /// Takes a thread off its core, which it may have none of.
  mutating func remove(_ thread: ThreadID, from core: Int) {
    guests[core].removeAll { $0.thread == thread }
  }

  /// Gives a thread a core; the tests cost as much as an analysis of each core.
  mutating func place(_ thread: ThreadID, _ claim: RealtimeClaim) -> Int {
    demand(!guests.isEmpty, "thread \(thread.index) is placed before there are cores")
    let all = guests.indices.map { core in (core: core, task: task(of: claim, on: core)) }
    let fitting = all.filter { candidate in
      let tasks = guests[candidate.core].map(\.task) + [candidate.task]
      return RealtimeAnalysis.fits(tasks, order) ?? false
    }
    var chosen = (fitting.isEmpty ? all : fitting)[0]
    if fitting.isEmpty || placement != .firstFit {
      let wantsLeast = !fitting.isEmpty && placement == .bestFit
      for other in (fitting.isEmpty ? all : fitting).dropFirst() {
        let (room, least) = (used(other.core), used(chosen.core))
        if wantsLeast ? room > least : room < least { chosen = other }
      }
    }
    guests[chosen.core].append(Guest(thread: thread, task: chosen.task))
    return chosen.core
  }

  private func task(of claim: RealtimeClaim, on core: Int) -> RealtimeLoad {
    RealtimeLoad(
      computation: speeds[core].time(for: claim.computation).rawValue,
      deadline: claim.constraint.rawValue, period: claim.period.rawValue)
  }

  /// How much of a core is taken, in millionths.
  private func used(_ core: Int) -> Int64 {
    guests[core].reduce(0) { sum, guest in
      let share = ExactFraction(Int128(guest.task.computation), Int128(guest.task.period))
      let (total, overflow) = sum.addingReportingOverflow(share.millionths(up: true))
      return overflow ? Int64.max : total
    }
  }
}
