import SpindleModel

/// What must hold at any moment of what threads keep, and of those who wait for their ends.
extension ThreadRuntime {
  /// Stops with a message when pools or joiners contradict themselves.
  func checkThreads(_ kernel: borrowing Kernel) {
    var open = 0
    for thread in 0..<Int32(kernel.threads.count) {
      let record = kernel.threads[thread]
      open += checkPools(of: thread, kernel)
      if record.joiners.isEmpty { continue }
      demand(record.state != .finished, "thread \(thread) has ended, and is still waited for")
      kernel.checkWaitList(record.joiners, .join, on: thread, "thread \(thread)")
    }
    demand(open == openPools, "\(open) pools are open, \(openPools) counted")
  }

  /// Checks the pools of a thread; returns how many are open.
  private func checkPools(of thread: Int32, _ kernel: borrowing Kernel) -> Int {
    var (pool, count) = (innermostPool(of: thread, kernel), 0)
    demand(
      pool < 0 || kernel.threads[thread].state != .finished,
      "thread \(thread) has ended and left pool \(pool) open")
    while pool >= 0 {
      let bytes = pools[pool].bytes
      demand(bytes >= 0, "pool \(pool) of thread \(thread) holds \(bytes) bytes")
      count += 1
      demand(count <= pools.count, "the pools of thread \(thread) stand in a ring")
      pool = pools[pool].outer
    }
    return count
  }
}

extension Kernel {
  /// Stops with a message unless all who stand in a list of waiting threads wait for what it is of, and
  /// the list is whole.
  func checkWaitList(
    _ list: WaitList, _ reason: WaitReason, on object: Int32, _ what: @autoclosure () -> String
  ) {
    var (waiter, previous) = (list.head, Int32(-1))
    while waiter >= 0 {
      let thread = threads[waiter]
      demand(
        thread.state == .waiting && thread.reason == reason && thread.waitObject == object,
        "thread \(waiter) stands in the list of \(what()) and does not wait for it")
      demand(thread.previous == previous, "the list of \(what()) is torn at thread \(waiter)")
      (previous, waiter) = (waiter, thread.next)
    }
    demand(list.tail == previous, "the list of \(what()) has a wrong end")
  }
}
