/// Run loops: running and waking them, what is added to them, and the performs.
///
/// A run loop is named by its thread; `mode` is the number of a mode's name, `modes` an array of them
/// or `noValue`.
@usableFromInline
package enum RunLoopPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// → thread: the main one.
  case main
  /// thread → thread: the same one.
  case ofThread
  /// loop: runs it in the default mode until nothing is in the mode.
  case run
  /// loop, instant: runs it in the default mode until then, or until nothing is in the mode.
  case runUntil
  /// loop, mode, instant → boolean: one run until a source was handled; false when there was none.
  case runMode
  /// Runs the thread's own loop in the default mode until it is stopped or nothing is in the mode.
  case runCF
  /// mode, duration, boolean (whether to return after a source) → symbol: how the run ended.
  case runInMode
  /// loop, mode → instant or `noValue`: one pass without a sleep, then the next timer's date.
  case limitDate
  /// loop → mode or `noValue`.
  case currentMode
  /// loop: ends the innermost run.
  case stop
  /// loop.
  case wakeUp
  /// loop, mode: the mode is one of the common ones from now on.
  case addCommonMode
  /// loop, object, class (the raw value of a `HandleClass`: timer, source or port), mode.
  case add
  /// loop, object, class, mode.
  case remove
  /// loop, modes, closure: a block for the next pass; wakes nobody.
  case perform
  /// loop, activities (a set of bits), repeats (boolean), order (integer), mode, closure (is given the
  /// activity, a symbol) → observer.
  case observe
  /// loop, duration: a finger is down for that long.
  case track
  /// thread, waits (boolean), modes, closure.
  case performOnThread
  /// duration, modes, closure: on the thread that runs this, by its run loop.
  case performAfterDelay
  /// Takes back the delayed performs of the thread that runs this.
  case cancelPerforms
  /// duration, loop, mode, closure: input or output that holds no thread; the closure is called in the
  /// loop.
  case io
}
