import SpindleModel

extension Kernel {
  /// Whether a thread is alive that is not idle.
  var hasLiveWork: Bool {
    for thread in liveThreads {
      let record = threads[thread]
      switch record.state {
      case .ready, .running: return true
      case .waiting:
        if record.reason != .runLoop && record.reason != .idleWorker { return true }
      case .created, .finished: break
      }
    }
    return false
  }

  /// Stops with a message unless all who stand in a list of waiting threads wait for what it is of, and
  /// the list is whole.
  func checkWaitList(
    _ list: WaitList, _ reason: WaitReason, on object: Int32, _ what: @autoclosure () -> String
  ) {
    var (waiter, previous) = (list.firstThread, ThreadID.none)
    while !waiter.isNone {
      let thread = threads[waiter]
      demand(
        thread.state == .waiting && thread.reason == reason && thread.waitObject == object,
        "thread \(waiter.index) stands in the list of \(what()) and does not wait for it")
      demand(thread.previous == previous, "the list of \(what()) is torn at thread \(waiter.index)")
      (previous, waiter) = (waiter, thread.next)
    }
    demand(list.lastThread == previous, "the list of \(what()) has a wrong end")
  }
}
