import SpindleModel

/// What a policy is told that must know the work that is ahead of threads.
extension Kernel {
  /// Gives the policy the first of the threads that have become ready, with the work that is ahead of it.
  mutating func takeInArrival(_ work: Int64) {
    policy.takeInArrival(Nanoseconds(work), at: Instant(now))
  }

  /// Tells the policy what is ahead of the thread on a core.
  mutating func tellWorkAhead(_ work: Int64, on core: CoreID) {
    let thread = cores[core].thread
    demand(!thread.isNone, "core \(core.index) is idle, and \(work) is ahead of its thread")
    policy.workAhead(of: thread, is: Nanoseconds(work), at: Instant(now))
  }

  /// Whether the policy is about to be asked for a victim.
  var mayTakeCore: Bool { readyCount > 0 && idleCount == 0 && preemptionIsDue }

  /// How much of the work that the thread on a core is at is left, at speed 1.
  func workLeft(on index: CoreID) -> Int64 {
    let core = cores[index]
    let thread = threads[core.thread]
    if core.event == 0 { return thread.work }
    let done =
      now >= core.burstEnd
      ? core.burst : core.work(in: now - core.chainStart) - core.chainWork
    demand(done >= 0, "core \(index.index) has done \(done) of a burst")
    return max(0, thread.work - max(0, done - thread.overhead))
  }
}
