import SpindleModel

/// What must hold of executors at any moment.
extension ExecutorRuntime {
  /// Stops with a message when the state of executors contradicts itself.
  ///
  /// Where very many items wait, only at one event out of some hundred: to walk through all after each
  /// would take the square of their number.
  func checkExecutors(_ kernel: borrowing Kernel) {
    if itemCount > 1_000 && kernel.sequence % 256 != 0 { return }
    var waiting = 0
    for executor in executors.indices { waiting += checkExecutor(executor, kernel) }
    checkItemCount(waiting)
  }

  /// Checks an executor; returns how many items wait for it.
  private func checkExecutor(_ executor: Index, _ kernel: borrowing Kernel) -> Int {
    let record = executors[executor]
    demand(record.made >= 0, "executor \(executor) has made \(record.made) threads")
    let waiting = checkItems(of: executor)
    if record.special >= 0 { checkSpecial(executor) }
    if record.isPool {
      demand(
        Int64(record.made) <= width(of: record),
        "pool \(executor) has \(record.made) workers, and a width of \(record.width)")
    } else {
      demand(
        waiting == 0 && record.idle.isEmpty,
        "executor \(executor) makes a thread for each item, and \(waiting) items wait")
    }
    // One that was woken may be on its way to its item still, but none is parked beside an item.
    demand(
      waiting == 0 || record.idle.isEmpty,
      "\(waiting) items wait for pool \(executor), and worker \(record.idle.firstThread.index) is parked"
    )
    kernel.checkWaitList(record.idle, .idleWorker, on: executor.raw, "executor \(executor)")
    return waiting
  }
}
