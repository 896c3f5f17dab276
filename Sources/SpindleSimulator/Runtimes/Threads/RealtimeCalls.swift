import SpindleModel

/// Threads that become real-time.
extension ThreadRuntime {
  /// `realtime(period:, computation:, constraint:)`: `thread_policy_set` with a time constraint.
  ///
  /// What the real call refuses changes nothing and is reported, since few look at what it returns. The
  /// period is only told to the system: nothing depends on it.
  mutating func makeRealtime(_ call: Call, _ process: inout Process) -> CallResult {
    let given = RealtimeArguments(call, process)
    guard let thread = process.resolve(given.thread),
      process.kernel.threads[thread].state != .finished
    else {
      return .next
    }
    let claim = given.claim
    if let reason = refusal(of: claim, thread, process) {
      process.kernel.report(
        .realtimeRefused, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
        FindingText.realtimeRefused(process.kernel.name(of: thread), reason: reason))
      return .next
    }
    process.kernel.threads.at(thread).setPriority(
      base: Int16(ThreadClaim.realtimePriority),
      threadPriority: process.kernel.threads[thread].threadPriority)
    process.kernel.setRealtime(thread, claim, by: call.thread)
    process.kernel.claimChanged(thread)
    return .next
  }

  /// Why the real call refuses what is asked; nil when it does not.
  ///
  /// Source: xnu:osfmk/kern/thread_policy.c, thread_policy_set and THREAD_TIME_CONSTRAINT_POLICY;
  /// xnu:osfmk/kern/sched_prim.c, sched_realtime_timebase_init, for the bounds. A worker of the
  /// workqueue has fixed parameters.
  private func refusal(of claim: RealtimeClaim, _ thread: Int32, _ process: borrowing Process)
    -> String?
  {
    if process.kernel.machine.isDarwin && process.kernel.threads[thread].role == .queueWorker {
      return FindingText.realtimeWorker
    }
    if claim.computation < .microseconds(50) || claim.computation > .milliseconds(50) {
      return FindingText.realtimeComputation(claim.computation)
    }
    if claim.constraint < claim.computation {
      return FindingText.realtimeConstraint(claim.constraint, computation: claim.computation)
    }
    return nil
  }
}
