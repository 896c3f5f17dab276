public import SpindleModel

/// Ready threads take turns of one quantum each, in the order in which they became ready.
///
/// The kernel keeps a line of its own that does the same (`ActivePolicy`); a test compares the two.
/// Source: Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 7, "Round Robin".
public struct RoundRobin: SchedulingPolicy {
  public let name = "roundRobin"
  let quantum: Nanoseconds
  private var ready = FIFOQueue<ThreadID>()

  /// Creates the policy with a `quantum` longer than zero.
  public init(quantum: Nanoseconds) {
    demand(quantum > .zero, "roundRobin: an empty quantum would stop virtual time")
    self.quantum = quantum
  }

  public mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    ready.append(thread)
  }

  public mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    ready.popFirst()
  }

  public mutating func quantum(for thread: ThreadID) -> Nanoseconds? { quantum }
}
