import SpindleModel

/// What threads are asked to perform.
///
/// A thread has one source for it, which is in a mode from the first perform for that mode on. It is
/// signalled with each perform, and then the loop is woken; when it is performed, everything is done
/// that was asked for until then in this mode. The Foundation of Darwin is not public: that the source
/// stays in the mode is what a dump of a loop shows there.
extension RunLoopRuntime {
  /// Hands a perform over, and wakes the loop.
  mutating func enqueue(
    _ perform: RunLoopPerform, _ loop: RunLoop.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    demand(!perform.modes.isEmpty, "something is to be performed in no mode")
    for name in perform.modes { add(.performs, to: loop, name, &kernel) }
    loops[loop].performs.append(perform)
    storage.take(.performs, RunLoopSize.waiting(perform.modes))
    wakeUp(loop, by: thread, &kernel)
  }

  /// The ticket of the first perform for a mode that came before `limit`; nil when there is none.
  mutating func firstPerform(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, before limit: Int64
  ) -> Int64? {
    guard loops[loop].modes[mode].takesPerforms,
      let first = firstPerform(loop, mode), let perform = loops[loop].performs[first],
      perform.ticket < limit
    else { return nil }
    return perform.ticket
  }

  /// The number of the first perform for a mode; nil when there is none.
  private mutating func firstPerform(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index)
    -> Int?
  {
    let (name, isCommon) = (
      loops[loop].modes[mode].name, loops[loop].modes[mode].isCommon
    )
    let own = loops[loop].performs.first(forMode: name)
    if !isCommon || commonName == .none { return own }
    guard let common = loops[loop].performs.first(forMode: commonName) else { return own }
    return min(own ?? common, common)
  }

  /// Takes the first perform for a mode that came before `limit`; nil when there is none.
  mutating func takePerform(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, before limit: Int64
  ) -> RunLoopPerform? {
    guard let first = firstPerform(loop, mode), let perform = loops[loop].performs[first],
      perform.ticket < limit
    else { return nil }
    storage.give(.performs, RunLoopSize.waiting(perform.modes))
    return loops[loop].performs.take(first)
  }
}
