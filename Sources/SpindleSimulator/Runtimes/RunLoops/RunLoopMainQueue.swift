import SpindleModel

/// The main dispatch queue's place in the passes of the main run loop.
extension RunLoopRuntime {
  /// Whether something waits in the main queue.
  func mainQueueIsReady(_ dispatch: borrowing DispatchRuntime) -> Bool {
    dispatch.queues[DispatchRuntime.mainQueue].count > 0
  }

  /// Runs what waits in the main queue now, on the main thread, in a pass of its loop.
  mutating func beginMainQueue(
    _ thread: ThreadID, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult {
    demand(thread == process.mainThread, "thread \(thread.index) serves the main queue")
    mainDrains += 1
    dispatch.serveMainQueue(thread, &process)
    return .goOn
  }

  /// It has run.
  mutating func endMainQueue(_ thread: ThreadID, _ process: inout Process) {
    demand(mainDrains > 0, "the main queue was served, and nobody began to")
    mainDrains -= 1
    process.noteReturn(thread)
  }

  /// Whether a run serves the main queue: the main thread's, in a common mode, and not within an item
  /// that such a run has taken from that queue.
  ///
  /// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c, libdispatchQSafe.
  func servesMainQueue(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, on thread: ThreadID,
    _ process: borrowing Process
  ) -> Bool {
    thread == process.mainThread && mainDrains == 0
      && loops[loop].modes[mode].isCommon
  }

  /// Something waits in the main queue: who serves it wakes.
  mutating func mainQueueBecameReady(_ dispatch: inout DispatchRuntime, _ process: inout Process) {
    // It may have been served in the same moment, without a sleep.
    if !mainQueueIsReady(dispatch) || process.mainThread.isNone
      || process.kernel.threads[process.mainThread].state != .waiting
    {
      return
    }
    let frame = process.kernel.threads[process.mainThread].frame
    if frame.isNone || process.kernel.threads[process.mainThread].reason != .runLoop { return }
    switch process.frames.activity(frame) {
    case .dispatchMain: process.kernel.wake(process.mainThread, .granted, by: .none)
    case .runLoopRun:
      let run = RunLoopFrame(frame, process.frames)
      if run.flags.contains(.servesMainQueue) { wake(run.loop, by: .none, &process.kernel) }
    case .operation, .queueWorker, .manager, .lane, .mainDrain, .apply, .performItem,
      .runLoopRepeat,
      .timerFire, .task, .actorDrain, .taskHandlers, .streamElement, nil:
      break
    }
  }
}
