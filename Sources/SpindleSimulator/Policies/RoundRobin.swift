package import SpindleModel

/// Ready threads take turns of one quantum each, in the order in which they became ready.
///
/// In a run the kernel keeps the queue itself, a shortcut (`ShortcutSet.readyQueue`) whose plain twin this is; a
/// test compares the two.
/// Source: Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 7, "Round Robin".
package struct RoundRobin: CataloguedPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "roundRobin", summary: "each thread in turn, for one quantum", parameters: [quantum])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))

  private let quantum: Nanoseconds
  private var ready = FIFOQueue<ThreadID>()

  package var canPreempt: Bool { false }
  package var usesThreadAttributes: Bool { false }
  package var inOrder: InOrder? { InOrder(quantum: quantum) }

  /// Creates the policy with a `quantum` longer than zero.
  package init(quantum: Nanoseconds) {
    demand(quantum > .zero, "roundRobin: an empty quantum would stop virtual time")
    self.quantum = quantum
  }

  package init(_ values: PolicyValues) { self.init(quantum: values.duration(Self.quantum)) }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    demand(thread.index >= 0, "\(name): thread \(thread.index) becomes ready")
    ready.append(thread)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popFirst()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { quantum }

  // A queue in which one thread alone goes from the end to the front is what it was.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {}
}
