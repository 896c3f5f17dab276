import SpindleModel

/// What passes of a run loop give back, and what they are asked.
extension RunLoopRuntime {
  /// What `limitDate(forMode:)` gives after its pass.
  mutating func limitDate(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, _ process: inout Process
  ) -> Int64 {
    if isEmpty(loop, mode, &process) { return noValue }
    return nextDate(loop, mode) ?? Int64.max
  }

  /// The name of a mode.
  func modeName(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index) -> NameID {
    loops.modeName(loop, mode)
  }

  /// The number of a name that the simulator gives.
  func symbol(_ name: String, _ process: borrowing Process) -> Int64 {
    Int64(process.kernel.intern(name).index)
  }

  // MARK: The pool of a pass

  /// Gives back what was autoreleased in this pass on the main thread.
  ///
  /// UIKit and AppKit do that with observers of the main loop, before it sleeps and when a run of it
  /// ends; no other loop has a pool of its own.
  mutating func drainPool(
    of run: RunLoopRun, _ threads: inout ThreadRuntime, _ process: inout Process
  ) {
    let thread = run.thread
    if thread != process.mainThread || !process.kernel.machine.isDarwin { return }
    let flags = run.state(process).flags
    assert(
      !flags.contains(.hasPool) || !flags.contains(.isOwn),
      "the main thread's own run has a pool of its own")
    if flags.contains(.isOwn) {
      threads.drainAll(thread, &process.kernel)
    } else if flags.contains(.hasPool) {
      threads.emptyLoopPool(thread, &process.kernel)
    }
  }
}
