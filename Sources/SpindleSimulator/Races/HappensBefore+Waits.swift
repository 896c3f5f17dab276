import SpindleModel

/// What the end of a wait orders.
extension HappensBefore {
  /// A thread goes on: behind what ended its wait, where it waited for something that others do.
  mutating func wake(_ thread: ThreadID, by other: ThreadID) {
    guard Int(thread.index) < threads.count, let reason = threads[Int(thread.index)].reason else {
      return
    }
    threads[Int(thread.index)].reason = nil
    let object = threads[Int(thread.index)].waitObject
    switch reason {
    case .io, .sleep, .runLoop, .idleWorker, .job, .accelerator, .addressSpace, .stackList, .held:
      return
    case .group: acquire(.init(kind: .group, number: object), by: thread)
    case .workItem: acquire(.init(kind: .workItem, number: object), by: thread)
    case .join: acquire(.init(kind: .thread, number: object), by: thread)
    case .operation: acquire(.init(kind: .operation, number: object), by: thread)
    case .operations: acquire(.init(kind: .operationQueue, number: object), by: thread)
    case .lock where !isOrdered(by: .lock, object), .sync where !isOrdered(by: .queue, object),
      .taskStatus where !isOrdered(by: .taskStatus, object),
      .semaphore where !isOrdered(by: .semaphore, object):
      return
    case .taskStatus, .lock, .condition, .semaphore, .sync, .apply, .once, .perform: break
    }
    if !other.isNone { transfer(from: other, to: thread) }
  }
}
