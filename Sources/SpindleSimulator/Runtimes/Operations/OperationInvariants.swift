import SpindleModel

/// What must hold of operations and their queues at any moment.
extension OperationRuntime {
  /// Stops with a message when the state of operations contradicts itself.
  ///
  /// Where there are very many, only at one event out of some hundred: to walk through all after
  /// each would take the square of their number.
  func checkOperations(_ process: borrowing Process) {
    if operations.count > 1_000 && process.kernel.sequence % 256 != 0 { return }
    for queue in 0..<Int32(queues.count) { checkOperationQueue(queue, process) }
    for operation in 0..<Int32(operations.count) { checkOperation(operation, process) }
  }

  private func checkOperationQueue(_ queue: Int32, _ process: borrowing Process) {
    let record = queues[queue]
    var (operation, previous, count, handedOver) = (record.first, Int32(-1), Int64(0), Int64(0))
    var (stretch, counted, isRun) = (record.firstStretch, Int32(0), false)
    while operation >= 0 {
      let member = operations[operation]
      demand(member.queue == queue, "operation \(operation) is listed in queue \(queue)")
      demand(member.previous == previous, "the list of operation queue \(queue) is torn")
      demand(
        member.state >= .enqueued && member.state < .finished,
        "operation \(operation) in queue \(queue) is \(member.state.name)")
      if !member.flags.contains(.barrier) { count += 1 }
      if member.state > .enqueued { handedOver += 1 }
      if member.thread >= 0 { isRun = true }
      while stretch >= 0 && stretch != member.stretch {
        demand(
          stretches[stretch].count == counted,
          "stretch \(stretch) of operation queue \(queue) is counted wrong")
        (stretch, counted) = (stretches[stretch].next, 0)
      }
      demand(stretch >= 0, "operation \(operation) is in no stretch of queue \(queue)")
      counted += 1
      (previous, operation) = (operation, member.next)
    }
    demand(
      (runner(in: queue) >= 0) == isRun,
      "who runs the operations of queue \(queue) is noted wrong")
    demand(record.last == previous, "operation queue \(queue) has a wrong end")
    demand(record.count == count, "\(count) operations in queue \(queue), \(record.count) counted")
    demand(
      record.executing == handedOver,
      "\(handedOver) operations of queue \(queue) run, \(record.executing) counted")
    process.kernel.checkWaitList(
      record.waiters, .operations, on: queue, "operation queue \(queue)")
  }

  private func checkOperation(_ operation: Int32, _ process: borrowing Process) {
    let record = operations[operation]
    var (link, open) = (record.firstDependency, Int32(0))
    // A barrier waits once for all that is before it.
    if record.flags.contains(.barrier) && record.queue >= 0 && !record.flags.contains(.cancelled)
      && record.stretch != queues[record.queue].firstStretch
    {
      open += 1
    }
    while link >= 0 {
      demand(
        links[link].dependent == operation,
        "a dependency of operation \(operation) is another one's")
      if links[link].isOpen { open += 1 }
      link = links[link].nextDependency
    }
    demand(
      record.unfinished == open,
      "operation \(operation) waits for \(open) others, \(record.unfinished) counted")
    process.kernel.checkWaitList(
      record.waiters, .operation, on: operation, "operation \(operation)")
  }
}
