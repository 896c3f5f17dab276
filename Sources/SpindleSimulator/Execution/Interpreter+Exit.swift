import SpindleModel

/// The end of a thread by `exit()`, in the middle of what it does.
extension Interpreter {
  /// Ends the running thread at once; what it has still to do is dropped.
  mutating func exitThread(_ thread: ThreadID) {
    demand(
      process.kernel.threads[thread].state == .running,
      "thread \(thread.index) exits, and is \(process.kernel.threads[thread].state)")
    if process.kernel.threads[thread].role == .queueWorker
      || !dispatch.sync(of: thread, process).isNone
    {
      process.crash(
        "BUG IN CLIENT OF LIBPTHREAD: pthread_exit() called from a thread not created by "
          + "pthread_create()", thread)
      return
    }
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      let parent = process.frames.parent(frame)
      if process.frames.isNative(frame) { abandon(frame, thread) }
      process.frames.release(frame)
      frame = parent
    }
    process.kernel.threads.at(thread).setFrame(.none)
    endItem(thread)
    if process.outcome != nil { return }
    if thread == process.mainThread { process.mainAnswers() }
    endThread(thread)
  }
}
