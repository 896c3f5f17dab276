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
