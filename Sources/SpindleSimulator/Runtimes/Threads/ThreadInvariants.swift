import SpindleModel

/// What must hold at any moment of what threads keep, and of those who wait for their ends.
extension ThreadRuntime {
  /// Stops with a message when pools or joiners contradict themselves.
  func checkThreads(_ kernel: borrowing Kernel) {
    var open = 0
    for thread in kernel.threads.ids {
      let record = kernel.threads[thread]
      open += checkPools(of: thread, kernel)
      if record.joiners.isEmpty { continue }
      demand(record.state != .finished, "thread \(thread.index) has ended, and is still waited for")
      kernel.checkWaitList(record.joiners, .join, on: thread.index, "thread \(thread.index)")
    }
    demand(open == openPools, "\(open) pools are open, \(openPools) counted")
  }

  /// Checks the pools of a thread; returns how many are open.
  private func checkPools(of thread: ThreadID, _ kernel: borrowing Kernel) -> Int {
    var (pool, count) = (innermostPool(of: thread, kernel), 0)
    demand(
      pool.isNone || kernel.threads[thread].state != .finished,
      "thread \(thread.index) has ended and left pool \(pool) open")
    while !pool.isNone {
      let bytes = pools[pool].bytes
      demand(bytes >= 0, "pool \(pool) of thread \(thread.index) holds \(bytes) bytes")
      count += 1
      demand(count <= pools.count, "the pools of thread \(thread.index) stand in a ring")
      pool = pools[pool].outer
    }
    return count
  }
}
