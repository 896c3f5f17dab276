// What the `detail` of an entry holds, and some values: written by the simulator, read by reports.

/// How a run of a run loop ended; the `detail` of a `runLoopLeft`.
///
/// The numbers are those that Core Foundation gives, and 0.
public enum RunLoopEnding: UInt8, Hashable, Sendable, CaseIterable {
  /// It did not begin: nothing is in the mode.
  case nothingInMode
  /// Nothing is left in the mode.
  case finished
  /// It was stopped.
  case stopped
  /// Its limit was reached.
  case timedOut
  /// A source was handled, and the run was asked to return after one.
  case handledSource
}

/// What woke a run of a run loop; the `detail` of a `runLoopAwoke`.
public enum RunLoopAwakening: UInt8, Hashable, Sendable, CaseIterable {
  /// Its limit was reached.
  case limit
  /// `CFRunLoopWakeUp`, or what does the same.
  case wakeUp
  /// A timer is due.
  case timer
  /// The main queue has work.
  case mainQueue
  /// A message has come to a port.
  case message
}
