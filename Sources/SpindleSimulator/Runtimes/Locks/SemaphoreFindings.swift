import SpindleModel

/// Semaphores that make an urgent thread wait.
extension LockRuntime {
  /// A semaphore has no owner, so nobody lends urgency to who is to signal it: reports when that
  /// made an urgent thread wait.
  mutating func noteInversion(
    _ waiter: ThreadID, by signaller: ThreadID, _ since: Int64, _ name: Int32,
    _ process: inout Process
  ) {
    if waiter.isNone || signaller.isNone || since >= process.kernel.now { return }
    let (urgent, slow) = (process.kernel.threads[waiter], process.kernel.threads[signaller])
    if slow.priority >= urgent.priority { return }
    let lost = slow.longestReadyEnd - max(since, slow.longestReadyEnd - slow.longestReady)
    if slow.longestReady == 0 || lost <= 0 { return }
    process.kernel.report(
      .semaphoreInversion, thread: waiter, places: [urgent.place, slow.place],
      FindingText.semaphoreInversion(
        process.kernel.name(of: waiter), waited: Nanoseconds(process.kernel.now - since),
        semaphore: process.kernel.text(name),
        signaller: process.kernel.name(of: signaller),
        lost: Nanoseconds(lost)))
  }
}
