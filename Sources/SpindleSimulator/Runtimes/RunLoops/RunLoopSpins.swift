import SpindleModel

/// Loops around run loops that never wait.
extension RunLoopRuntime {
  /// What a run came to.
  enum RunUse {
    /// It slept, or called something.
    case busy
    /// It found nothing in its mode.
    case empty
    /// It looked, and its limit was past.
    case polled
  }

  /// Notes that a run has ended; a hundred in a row that did nothing are a finding.
  ///
  /// A wait between two of them begins a new row, and so does work of a millisecond: who works that
  /// long and looks at the loop now and then does not spin.
  mutating func noteRun(
    _ loop: RunLoop.Index, _ mode: NameID, by thread: ThreadID, at place: Int32, _ use: RunUse,
    _ process: inout Process
  ) {
    let record = process.kernel.threads[thread]
    let worked = record.cpu
    assert(
      worked >= loops[loop].workBefore,
      "thread \(thread.index) has worked less than before its last run")
    let isRow =
      loops[loop].waitsBefore == record.waits
      && worked - loops[loop].workBefore < 1_000_000
    (loops[loop].waitsBefore, loops[loop].workBefore) = (record.waits, worked)
    if use == .busy || !isRow { loops[loop].idleRuns = 0 }
    if use == .busy { return }
    loops[loop].idleRuns += 1
    if loops[loop].idleRuns != 100 { return }
    let name = process.kernel.text(mode)
    process.kernel.report(
      .spinningRunLoop, thread: thread, places: [place],
      use == .empty
        ? FindingText.spinningOnEmptyLoop(process.kernel.name(of: thread), mode: name)
        : FindingText.spinningOnPastLimit(process.kernel.name(of: thread), mode: name))
  }
}
