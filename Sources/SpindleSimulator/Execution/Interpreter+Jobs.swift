import SpindleModel

/// Jobs that end at their deadlines.
extension Interpreter {
  /// The deadline of a thread's present job has come, and it is to be dropped then.
  ///
  /// A job ends in the middle of its work, or while it waits for a core. One that waits for something else, has
  /// a lock or is in a call that runs more than its own code goes on, and is late.
  mutating func dropJob(_ thread: ThreadID) {
    threads.deadlineHasCome(thread)
    let record = process.kernel.threads.at(thread)
    demand(
      record.pointee.role == .jobs,
      "thread \(thread.index) is \(record.pointee.role) and drops a job")
    if !mayDropJob(thread) { return }
    if record.pointee.state == .running {
      process.kernel.preempt(core: CoreID(record.pointee.core), .priority)
    }
    var frame = record.pointee.frame
    while !frame.isNone {
      let parent = process.frames.parent(frame)
      process.releaseOwned(frame)
      process.frames.release(frame)
      frame = parent
    }
    record.setFrame(.none)
    process.kernel.dropJob(thread)
  }

  private func mayDropJob(_ thread: ThreadID) -> Bool {
    let record = process.kernel.threads[thread]
    if record.state != .running && record.state != .ready { return false }
    if !locks.lastOwned(by: thread, process.kernel).isNone { return false }
    var frame = record.frame
    while !frame.isNone {
      if process.frames.isNative(frame) { return false }
      frame = process.frames.parent(frame)
    }
    return true
  }
}
