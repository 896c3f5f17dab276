import SpindleModel

/// What operations order, for whoever looks for races.
extension OperationRuntime {
  /// The code of an operation begins: behind what it depends on, behind the barriers of its queue, and in a
  /// queue for one at a time behind all before it.
  @inline(__always)
  mutating func beginOrder(
    of operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    if kernel.watchesOrder { acquire(operation, thread, &kernel) }
  }

  /// It was cancelled and runs no code: its turn in the queue comes behind what held that back all the same,
  /// and not behind what it depended on.
  @inline(__always)
  mutating func skipOrder(
    of operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    if kernel.watchesOrder { acquireTurn(of: operation, thread, &kernel) }
  }

  /// It has finished.
  @inline(__always)
  mutating func endOrder(
    of operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    if kernel.watchesOrder { release(operation, thread, &kernel) }
  }

  /// A thread sees how far an operation is that may have ended, or have said so.
  @inline(__always)
  mutating func acquireEnd(
    of operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    kernel.acquires(.operation, operation.raw, by: thread)
    kernel.acquires(.operationState, operation.raw, by: thread)
  }

  /// What holds a queue's operations back is changed: whatever starts from then on comes behind that.
  @inline(__always)
  mutating func changeOrder(
    of queue: OperationQueueRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    kernel.releases(.operationQueue, queue.raw, by: thread)
    kernel.releases(.operationBarrier, queue.raw, by: thread)
  }

  @inline(never)
  private mutating func acquire(
    _ operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    let record = operations[operation]
    demand(!thread.isNone, "operation \(operation) begins in the world outside")
    if record.flags.contains(.part) { kernel.acquires(.part, operation.raw, by: thread) }
    kernel.acquires(.operationState, operation.raw, by: thread)
    for dependency in dependencies(of: operation) {
      kernel.acquires(.operation, dependency.raw, by: thread)
    }
    kernel.releases(.operationState, operation.raw, by: thread)
    acquireTurn(of: operation, thread, &kernel)
  }

  @inline(never)
  private mutating func acquireTurn(
    of operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    let record = operations[operation]
    demand(!thread.isNone, "operation \(operation) has its turn in the world outside")
    if record.queue.isNone { return }
    let isAlone = queues[record.queue].limit == 1 || record.flags.contains(.barrier)
    kernel.acquires(
      isAlone ? .operationQueue : .operationBarrier, record.queue.raw, by: thread)
  }

  @inline(never)
  private mutating func release(
    _ operation: OperationRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    let record = operations[operation]
    demand(record.state != .finished, "operation \(operation) finishes a second time")
    // One that was cancelled has run no code: what comes behind it comes behind that.
    kernel.acquires(.operationState, operation.raw, by: thread)
    kernel.releases(.operation, operation.raw, by: thread)
    if record.queue.isNone { return }
    kernel.releases(.operationQueue, record.queue.raw, by: thread)
    if record.flags.contains(.barrier) {
      kernel.releases(.operationBarrier, record.queue.raw, by: thread)
    }
  }
}
