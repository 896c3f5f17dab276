import SpindleModel

/// What must hold of priorities that threads inherit.
///
/// The turnstiles keep them up to date change by change; here they are computed from nothing but who
/// has what and who waits.
extension Interpreter {
  /// Stops with a message when a thread has another priority than its own and those of all who wait
  /// for it give it, or when a line is out of order.
  func checkPriorities() {
    if process.kernel.turnstiles.count == 0 { return }
    var waiters = 0
    for turnstile in 0..<Int32(process.kernel.turnstiles.count) {
      waiters += checkTurnstile(turnstile)
    }
    for thread in 0..<Int32(process.kernel.threads.count)
    where process.kernel.threads[thread].turnstile >= 0 {
      waiters -= 1
      demand(
        process.kernel.threads[thread].state == .waiting, "thread \(thread) lends and does not wait"
      )
    }
    demand(waiters == 0, "a turnstile's list has lost a thread")
    if process.kernel.inheritanceWasCut { return }
    let expected = computedPriorities()
    for thread in 0..<Int32(process.kernel.threads.count)
    where process.kernel.threads[thread].state != .finished {
      let (priority, right) = (process.kernel.threads[thread].priority, expected[Int(thread)])
      demand(
        priority == right || priority > right && isInCycle(thread),
        "thread \(thread) has priority \(priority), and who waits for it makes it \(right)")
    }
  }

  /// Checks the line at a turnstile; returns how many stand in it.
  private func checkTurnstile(_ turnstile: Int32) -> Int {
    let record = process.kernel.turnstiles[turnstile]
    var (waiter, previous, urgency, count) = (record.waiters.head, Int32(-1), record.floor, 0)
    while waiter >= 0 {
      let thread = process.kernel.threads[waiter]
      demand(thread.turnstile == turnstile, "thread \(waiter) stands at turnstile \(turnstile)")
      demand(thread.moreUrgent == previous, "turnstile \(turnstile) is torn at thread \(waiter)")
      demand(
        previous < 0 || process.kernel.threads[previous].priority >= thread.priority,
        "thread \(waiter) stands behind a less urgent one at turnstile \(turnstile)")
      urgency = max(urgency, thread.priority)
      count += 1
      (previous, waiter) = (waiter, thread.lessUrgent)
    }
    demand(record.waiters.tail == previous, "turnstile \(turnstile) has a wrong end")
    var inner = record.inner.head
    while inner >= 0 {
      urgency = max(urgency, process.kernel.turnstiles[inner].urgency)
      inner = process.kernel.turnstiles[inner].next
    }
    demand(
      record.urgency == urgency || process.kernel.inheritanceWasCut,
      "turnstile \(turnstile) is wanted with \(urgency), \(record.urgency) noted")
    return count
  }

  /// The priority of each thread, from the own ones of all and from who waits for whom.
  private func computedPriorities() -> [Int16] {
    var priorities: [Int16] = []
    for thread in 0..<Int32(process.kernel.threads.count) {
      priorities.append(process.kernel.threads[thread].basePriority)
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      let raise = { (heir: Int32, priority: Int16) in
        if heir < 0 || priorities[Int(heir)] >= priority { return }
        priorities[Int(heir)] = priority
        isSettled = false
      }
      for thread in 0..<Int32(process.kernel.threads.count) {
        raise(heir(of: thread), priorities[Int(thread)])
      }
      for lock in locks.locks.indices where locks.locks[lock].turnstile >= 0 {
        raise(
          locks.locks[lock].owner, process.kernel.turnstiles[locks.locks[lock].turnstile].floor)
      }
      for queue in dispatch.queues.indices where dispatch.queues[queue].turnstile >= 0 {
        raise(
          heir(ofQueue: queue), process.kernel.turnstiles[dispatch.queues[queue].turnstile].floor)
      }
      for workItem in dispatch.workItems.indices where dispatch.workItems[workItem].turnstile >= 0 {
        let record = dispatch.workItems[workItem]
        raise(record.performer, process.kernel.turnstiles[record.turnstile].floor)
      }
      for task in concurrency.tasks.indices where concurrency.tasks[task].turnstile >= 0 {
        let record = concurrency.tasks[task]
        raise(record.thread, process.kernel.turnstiles[record.turnstile].floor)
      }
    }
    return priorities
  }

  /// To whom a thread lends its priority now; -1 for nobody.
  private func heir(of thread: Int32) -> Int32 {
    let record = process.kernel.threads[thread]
    if record.state != .waiting || !record.reason.facts.lends { return -1 }
    return describe(thread).heir
  }

  /// The thread that a serial queue makes urgent: who has it, or the one that it waits for in others.
  func heir(ofQueue first: DispatchQueueRecord.Index) -> Int32 {
    var queue = first
    while !queue.isNone && dispatch.queues[queue].turnstile >= 0 {
      let record = dispatch.queues[queue]
      if record.owner >= 0 { return record.owner }
      queue = record.isScheduled ? record.target : .none
    }
    return -1
  }

  /// Whether a thread waits for itself along a chain.
  private func isInCycle(_ thread: Int32) -> Bool {
    var (next, steps) = (heir(of: thread), 0)
    while next >= 0 && next != thread && steps <= process.kernel.threads.count {
      (next, steps) = (heir(of: next), steps + 1)
    }
    return next == thread
  }
}
