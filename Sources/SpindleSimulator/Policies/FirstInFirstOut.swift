package import SpindleModel

/// Threads run in the order in which they became ready, each until it blocks.
///
/// In a run the kernel keeps the queue itself, a shortcut (`ShortcutSet.readyQueue`) whose plain twin this is; a
/// test compares the two.
/// Source: Silberschatz, Galvin, Gagne, *Operating System Concepts*, "First-Come, First-Served".
package struct FirstInFirstOut: CataloguedPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "fifo", summary: "first come, first served; each runs until it blocks")
  private var ready = FIFOQueue<ThreadID>()

  package var canPreempt: Bool { false }
  package var usesThreadAttributes: Bool { false }
  package var inOrder: InOrder? { InOrder(quantum: nil) }

  /// Creates the policy.
  package init() {}

  package init(_ values: PolicyValues) { self.init() }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    demand(thread.index >= 0, "\(name): thread \(thread.index) becomes ready")
    ready.append(thread)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    return ready.popFirst()
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? { nil }
}
