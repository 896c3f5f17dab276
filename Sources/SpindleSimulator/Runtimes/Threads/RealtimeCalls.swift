import SpindleModel

/// Threads that become real-time.
extension ThreadRuntime {
  /// `realtime(period:, computation:, constraint:)`: `thread_policy_set` with a time constraint.
  ///
  /// What the real call refuses changes nothing and is reported, since few look at what it returns.
  /// Nothing but some policies depends on the period.
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
  private func refusal(of claim: RealtimeClaim, _ thread: ThreadID, _ process: borrowing Process)
    -> FindingStatement?
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

  // MARK: Linux

  /// `niceValue`: `getpriority`.
  func giveNiceValue(_ call: Call, _ process: borrowing Process) {
    let thread = process.resolve(process.argument(0, call))
    process.give(Int64(thread.flatMap { process.kernel.scheduling[$0]?.nice } ?? 0), call)
  }

  /// `niceValue = n`: `setpriority`, which takes the nearest value that there is.
  mutating func setNiceValue(_ call: Call, _ process: inout Process) {
    guard let thread = process.resolve(process.argument(0, call)),
      process.kernel.threads[thread].state != .finished
    else { return }
    let least = Int64(NiceValues.range.lowerBound)
    let most = Int64(NiceValues.range.upperBound)
    let value = Int(max(least, min(most, process.argument(1, call))))
    process.kernel.changeScheduling(thread) { $0.nice = value }
  }

  /// `setScheduling(_:priority:)`: `sched_setscheduler`.
  mutating func setScheduling(_ call: Call, _ process: inout Process) -> CallResult {
    guard let thread = process.resolve(process.argument(0, call)),
      process.kernel.threads[thread].state != .finished
    else { return .next }
    let name = process.kernel.text(process.argument(1, call))
    let priority = process.given(2, call) ?? (name == "other" ? 0 : 1)
    if !(name == "other" ? 0...0 : 1...99).contains(priority) {
      return process.crash(
        "Fatal error: the class '\(name)' has no priority \(priority) (sched_setscheduler: EINVAL)",
        call)
    }
    let claim = PosixClaim(priority: Int(priority), takesTurns: name == "roundRobin")
    process.kernel.changeScheduling(thread) { $0.posix = name == "other" ? nil : claim }
    return .next
  }
}
