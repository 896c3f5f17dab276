/// What a command tells the shell; the larger of two wins when several traces are asked for.
package enum ExitStatus: Int32, Comparable, Sendable {
  /// All is well: every trace was read, and what it expects held.
  case held = 0
  /// An expectation, a log or a form did not hold.
  case notHeld = 1
  /// A trace has errors.
  case traceErrors = 2
  /// Runs of one trace that must be the same are not.
  case notTheSame = 3
  /// The command line can't be understood.
  case usage = 64
  /// A file is not there or can't be read.
  case noInput = 66
  /// The host has no memory left; see `MemoryShortage`.
  case noMemory = 71
  /// A file can't be written.
  case noOutput = 73
  /// Somebody at the terminal ended a run with ^C; a shell says so of what the signal ends.
  case interrupted = 130

  package static func < (left: ExitStatus, right: ExitStatus) -> Bool {
    left.rawValue < right.rawValue
  }
}
