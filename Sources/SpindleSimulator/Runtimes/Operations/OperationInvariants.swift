import SpindleModel

/// What must hold of operations and their queues at any moment.
extension OperationRuntime {
  /// Stops with a message when the state of operations contradicts itself.
  ///
  /// Where there are very many, only at one event out of some hundred: to walk through all after
  /// each would take the square of their number.
  func checkOperations(_ process: borrowing Process) {
    if operations.count > 1_000 && process.kernel.sequence % 256 != 0 { return }
    for queue in queues.indices { checkOperationQueue(queue, process) }
    for operation in operations.usedIndices { checkOperation(operation, process) }
  }

  private func checkOperationQueue(
    _ queue: OperationQueueRecord.Index, _ process: borrowing Process
  ) {
    let record = queues[queue]
    var (count, handedOver) = (Int64(0), Int64(0))
    var (section, counted, isRun) = (record.firstSection, Int32(0), false)
    for operation in record.members.indices(in: operations) {
      let member = operations[operation]
      demand(member.queue == queue, "operation \(operation) is listed in queue \(queue)")
      demand(
        member.state >= .enqueued && member.state < .finished,
        "operation \(operation) in queue \(queue) is \(member.state.name)")
      if !member.flags.contains(.barrier) { count += 1 }
      if member.state > .enqueued { handedOver += 1 }
      if !member.thread.isNone { isRun = true }
      while !section.isNone && section != member.section {
        demand(
          sections[section].count == counted,
          "section \(section) of operation queue \(queue) is counted wrong")
        (section, counted) = (sections[section].next, 0)
      }
      demand(!section.isNone, "operation \(operation) is in no section of queue \(queue)")
      counted += 1
    }
    demand(
      runner(in: queue).isNone != isRun,
      "who runs the operations of queue \(queue) is noted wrong")
    demand(record.count == count, "\(count) operations in queue \(queue), \(record.count) counted")
    demand(
      record.executing == handedOver,
      "\(handedOver) operations of queue \(queue) run, \(record.executing) counted")
    var isWaiting = false
    for barrier in record.barriers.indices(in: operations) {
      demand(
        operations[barrier].queue == queue && operations[barrier].flags.contains(.barrier),
        "operation \(barrier) stands among the barriers of queue \(queue)")
      if barrier == record.firstWaitingBarrier { isWaiting = true }
      demand(
        isWaiting == (operations[barrier].state == .enqueued),
        "barrier \(barrier) of queue \(queue) is \(operations[barrier].state.name)")
    }
    process.kernel.checkWaitList(
      record.waiters, .operations, on: queue.raw, "operation queue \(queue)")
  }

  private func checkOperation(_ operation: OperationRecord.Index, _ process: borrowing Process) {
    let record = operations[operation]
    var open: Int32 = 0
    // A barrier waits once for all that is before it.
    if record.flags.contains(.barrier) && !record.queue.isNone && !record.flags.contains(.cancelled)
      && record.section != queues[record.queue].firstSection
    {
      open += 1
    }
    for link in record.dependencies.indices(in: links) {
      demand(
        links[link].dependent == operation,
        "a dependency of operation \(operation) is another one's")
      if links[link].isOpen { open += 1 }
    }
    for link in record.dependents.indices(in: links) {
      demand(
        links[link].dependency == operation && operations.contains(links[link].dependent),
        "what depends on operation \(operation) depends on another one, or is given up")
    }
    demand(
      record.unfinished == open,
      "operation \(operation) waits for \(open) others, \(record.unfinished) counted")
    process.kernel.checkWaitList(
      record.waiters, .operation, on: operation.raw, "operation \(operation)")
  }
}
