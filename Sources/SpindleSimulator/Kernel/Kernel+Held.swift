import SpindleModel

/// Threads that a schedule holds in front of a step.
///
/// One leaves its core and is neither ready nor waiting for anything of the program: to policies it does not exist, to
/// pools it works, and it keeps its locks.
extension Kernel {
  /// The running thread is held before what the log is told of, until it is let go on or a time comes.
  mutating func holdBack(_ thread: ThreadID, before name: Int32, until time: Int64?) {
    demand(
      threads[thread].state == .running,
      "thread \(thread.index) is \(threads[thread].state) and is held")
    let runSinceDispatch = leaveCore(thread)
    let held = threads.writable.unchecked(thread)
    held.pointee.flags.remove(.untouched)
    held.pointee.state = .waiting
    held.pointee.reason = .held
    held.pointee.waitObject = -1
    held.pointee.wakeResult = .none
    held.pointee.since = now
    record(
      .threadBlocked, thread: thread, detail: WaitReason.held.rawValue, core: held.pointee.lastCore,
      object: name, place: held.pointee.place, value: runSinceDispatch)
    if let time {
      recordDetail(.waitLimited, thread: thread, value: time)
      held.pointee.timer = schedule(.threadTimer, index: thread.index, at: time)
    }
  }

  /// A thread that was held goes on.
  mutating func letGoOn(_ thread: ThreadID) {
    let held = threads.writable.unchecked(thread)
    demand(
      held.pointee.state == .waiting && held.pointee.reason == .held,
      "thread \(thread.index) is let go on, and is not held")
    held.pointee.timer = 0
    held.pointee.longestReady = 0
    makeReady(thread, .woken, by: .none)
  }
}
