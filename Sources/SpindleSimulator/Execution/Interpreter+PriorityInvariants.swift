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
    for turnstile in process.kernel.turnstiles.indices {
      waiters += checkTurnstile(turnstile)
    }
    for thread in process.kernel.threads.ids
    where !process.kernel.threads[thread].turnstile.isNone {
      waiters -= 1
      demand(
        process.kernel.threads[thread].state == .waiting,
        "thread \(thread.index) lends and does not wait"
      )
    }
    demand(waiters == 0, "a turnstile's list has lost a thread")
    if process.kernel.inheritanceWasCut { return }
    let expected = computedPriorities()
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].state != .finished {
      let (priority, right) = (process.kernel.threads[thread].priority, expected[Int(thread.index)])
      demand(
        priority == right || priority > right && isInCycle(thread),
        "thread \(thread.index) has priority \(priority), and who waits for it makes it \(right)")
    }
  }

  /// Checks the line at a turnstile; returns how many stand in it.
  private func checkTurnstile(_ turnstile: Turnstile.Index) -> Int {
    let record = process.kernel.turnstiles[turnstile]
    var (waiter, previous, urgency, count) = (
      record.waiters.firstThread, ThreadID.none, record.floor, 0
    )
    while !waiter.isNone {
      let thread = process.kernel.threads[waiter]
      demand(
        thread.turnstile == turnstile, "thread \(waiter.index) stands at turnstile \(turnstile)")
      demand(
        thread.moreUrgent == previous, "turnstile \(turnstile) is torn at thread \(waiter.index)")
      demand(
        previous.isNone || process.kernel.threads[previous].priority >= thread.priority,
        "thread \(waiter.index) stands behind a less urgent one at turnstile \(turnstile)")
      urgency = max(urgency, thread.priority)
      count += 1
      (previous, waiter) = (waiter, thread.lessUrgent)
    }
    demand(record.waiters.lastThread == previous, "turnstile \(turnstile) has a wrong end")
    var inner = record.inner.first
    while !inner.isNone {
      urgency = max(urgency, process.kernel.turnstiles[inner].urgency)
      inner = process.kernel.turnstiles[inner].neighbours.next
    }
    demand(
      record.urgency == urgency || process.kernel.inheritanceWasCut,
      "turnstile \(turnstile) is wanted with \(urgency), \(record.urgency) noted")
    return count
  }

  /// The priority of each thread, from the own ones of all and from who waits for whom.
  private func computedPriorities() -> [Int16] {
    var priorities: [Int16] = []
    for thread in process.kernel.threads.ids {
      priorities.append(process.kernel.threads[thread].basePriority)
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      let raise = { (heir: ThreadID, priority: Int16) in
        if heir.isNone || priorities[Int(heir.index)] >= priority { return }
        priorities[Int(heir.index)] = priority
        isSettled = false
      }
      for thread in process.kernel.threads.ids {
        raise(heir(of: thread), priorities[Int(thread.index)])
      }
      for lock in locks.locks.indices where !locks.locks[lock].turnstile.isNone {
        raise(
          locks.locks[lock].owner, process.kernel.turnstiles[locks.locks[lock].turnstile].floor)
      }
      for queue in dispatch.queues.indices where !dispatch.queues[queue].turnstile.isNone {
        raise(
          heir(ofQueue: queue), process.kernel.turnstiles[dispatch.queues[queue].turnstile].floor)
      }
      for workItem in dispatch.workItems.indices
      where !dispatch.workItems[workItem].turnstile.isNone {
        let record = dispatch.workItems[workItem]
        raise(record.performer, process.kernel.turnstiles[record.turnstile].floor)
      }
      for task in concurrency.tasks.indices where !concurrency.tasks[task].turnstile.isNone {
        let record = concurrency.tasks[task]
        raise(record.thread, process.kernel.turnstiles[record.turnstile].floor)
      }
    }
    return priorities
  }

  /// To whom a thread lends its priority now, or none.
  private func heir(of thread: ThreadID) -> ThreadID {
    let record = process.kernel.threads[thread]
    if record.state != .waiting || !record.reason.facts.lends { return .none }
    return describe(thread).heir
  }

  /// The thread that a serial queue makes urgent: who has it, or the one that it waits for in others.
  func heir(ofQueue first: DispatchQueueRecord.Index) -> ThreadID {
    var queue = first
    while !queue.isNone && !dispatch.queues[queue].turnstile.isNone {
      let record = dispatch.queues[queue]
      if !record.owner.isNone { return record.owner }
      queue = record.isScheduled ? record.target : .none
    }
    return .none
  }

  /// Whether a thread waits for itself along a chain.
  private func isInCycle(_ thread: ThreadID) -> Bool {
    var (next, steps) = (heir(of: thread), 0)
    while !next.isNone && next != thread && steps <= process.kernel.threads.count {
      (next, steps) = (heir(of: next), steps + 1)
    }
    return next == thread
  }
}
