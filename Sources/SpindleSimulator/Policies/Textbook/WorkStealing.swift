package import SpindleModel

/// A line of threads for each core; a core whose line is empty takes a thread from another one's.
///
/// A thread goes to the line of the core whose thread started or woke it; one that the world started to the
/// lines in turn, from core 0 on; one that its own timer or input woke to that of the core where it ran
/// last. It stands at the bottom. A core takes the newest of its own line, from the bottom (`lifo: true`), or
/// the oldest, from the top. When there is none it looks at the other cores in the order of their numbers,
/// from the next one on and around, and takes the oldest thread of the first line that has one: one thread
/// for each theft. Who yields goes to the end that its core takes last.
///
/// Nobody is preempted and there are no quanta. There are no ties: each line has an order. One line for each
/// core: a thread runs on the core that took it, and leaves it only by being stolen or woken. A step costs
/// O(1), a theft O(cores).
///
/// Source: Blumofe, Leiserson, "Scheduling Multithreaded Computations by Work Stealing", Journal of the ACM
/// 46, 1999. Departures: the victim is not drawn, so that a run is explained by its trace; a theft takes no
/// time but that of a migration; a new thread waits while its parent goes on, where Cilk's parent waits.
package struct WorkStealing: CataloguedPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "workStealing",
    summary: "a queue for each core; an idle core takes the oldest thread of another",
    parameters: [lifo])
  private static let lifo = MachineCatalogue.Parameter.truth("lifo", true)

  private let takesNewest: Bool
  private var lines = CoreDeques(cores: 1)
  /// The core where each thread runs or ran last; -1 at first.
  private var lastCores: ContiguousArray<Int32> = []
  /// How many threads the world has started.
  private var fromWorld = 0

  package var bindsCores: Bool { true }
  package var canPreempt: Bool { false }

  package init(_ values: PolicyValues) { takesNewest = values.isOn(Self.lifo) }

  package mutating func begin(coreCount: Int) { lines = CoreDeques(cores: coreCount) }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(!lines.contains(thread), "\(name): thread \(thread.index) is ready, and admitted")
    while lastCores.count <= Int(thread.index) { lastCores.append(-1) }
    lastCores[Int(thread.index)] = -1
  }

  package mutating func enqueue(
    _ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID, at now: Instant
  ) {
    demand(
      thread.index >= 0 && Int(thread.index) < lastCores.count,
      "\(name): thread \(thread.index) becomes ready and was not admitted")
    var core = Int(lastCores[Int(thread.index)])
    switch cause {
    case .started, .woken:
      if other != .none && Int(other.index) < lastCores.count && lastCores[Int(other.index)] >= 0 {
        core = Int(lastCores[Int(other.index)])
      } else if core < 0 {
        core = fromWorld % lines.cores
        fromWorld += 1
      }
      lines.push(thread, at: .bottom, of: core)
    case .yielded:
      lines.push(thread, at: takesNewest ? .top : .bottom, of: max(0, core))
    case .quantumExpired, .preempted:
      lines.push(thread, at: takesNewest ? .bottom : .top, of: max(0, core))
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    enqueue(thread, cause, by: .none, at: now)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    if lines.count == 0 { return nil }
    var found = lines.pop(takesNewest ? .bottom : .top, of: Int(core.index))
    var distance = 1
    while found == nil && distance < lines.cores {
      found = lines.pop(.top, of: (Int(core.index) + distance) % lines.cores)
      distance += 1
    }
    guard let thread = found else { return nil }
    lastCores[Int(thread.index)] = Int32(core.index)
    return thread
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }
}
