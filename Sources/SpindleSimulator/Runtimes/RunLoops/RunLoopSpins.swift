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
    _ loop: Int32, _ mode: Int32, _ thread: Int32, _ place: Int32, _ use: RunUse,
    _ process: inout Process
  ) {
    let (index, record) = (Int(loop), process.kernel.threads[thread])
    let worked = record.cpu
    let isRow =
      loops[index].waitsBefore == record.waits
      && worked - loops[index].workBefore < 1_000_000
    (loops[index].waitsBefore, loops[index].workBefore) = (record.waits, worked)
    if use == .busy || !isRow { loops[index].idleRuns = 0 }
    if use == .busy { return }
    loops[index].idleRuns += 1
    if loops[index].idleRuns != 100 { return }
    let name = process.kernel.names.text(NameID(Int(mode)))
    process.kernel.report(
      .spinningRunLoop, thread: thread, places: [place],
      use == .empty
        ? FindingText.spinningOnEmptyLoop(process.kernel.name(of: thread), mode: name)
        : FindingText.spinningOnPastLimit(process.kernel.name(of: thread), mode: name))
  }
}
