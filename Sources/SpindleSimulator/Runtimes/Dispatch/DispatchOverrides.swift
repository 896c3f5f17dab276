import SpindleModel

/// Urgency that a thread has for those who wait for what it drains; only where the platform lends any.
///
/// A queue that somebody urgent waits for keeps that priority until it is drained, and gives it to the
/// thread that has it, along chains of threads that wait in `sync` themselves. Source:
/// libdispatch:src/queue.c, _dispatch_queue_push_qos; xnu:osfmk/kern/turnstile.c.
extension DispatchRuntime {
  /// How many threads that wait for each other a priority goes through.
  ///
  /// Source: xnu:osfmk/kern/turnstile.h, TURNSTILE_MAX_HOP_DEFAULT.
  private static let hopLimit = 10

  /// An item of a class waits in a queue.
  mutating func boost(_ queue: Int32, by quality: DispatchQuality?, _ kernel: inout Kernel) {
    guard let quality else { return }
    let priority = ThreadRuntime.basePriority(quality: quality.name, isMain: false)
    boost(queue, to: priority, &kernel)
  }

  /// A thread of a priority waits for a queue, or an item of such a class does.
  mutating func boost(
    _ queue: Int32, to priority: Int16, _ kernel: inout Kernel, hops: Int = hopLimit
  ) {
    var queue = queue
    guard pool.rules.propagatesQuality, hops > 0 else { return }
    while queue >= 0 && queues[queue].kind == .serial {
      if queues[queue].boost >= priority { return }
      queues[queue].boost = priority
      let owner = queues[queue].owner
      if owner >= 0 {
        raise(owner, to: priority, &kernel)
        if kernel.threads[owner].state == .waiting && kernel.threads[owner].reason == .sync {
          let level = syncs[kernel.threads[owner].waitObject].level
          boost(level, to: priority, &kernel, hops: hops - 1)
        }
        return
      }
      queue = queues[queue].isScheduled ? queues[queue].target : -1
    }
  }

  /// Lets a thread run with at least a priority until it gives back what it is wanted for.
  func raise(_ thread: Int32, to priority: Int16, _ kernel: inout Kernel) {
    if !pool.rules.propagatesQuality || kernel.threads[thread].override >= priority { return }
    if kernel.threads[thread].basePriority >= priority { return }
    kernel.threads[thread].override = priority
    kernel.claimChanged(thread)
  }
}
