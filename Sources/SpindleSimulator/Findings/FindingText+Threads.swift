import SpindleModel

/// The wordings about threads, their stacks, priorities and ends.
extension FindingText {
  static func deadlineMissed(
    _ thread: String, woken: Instant, constraint: Nanoseconds, late: Nanoseconds,
    worked: Nanoseconds, rest: Nanoseconds
  ) -> FindingStatement {
    "real-time thread \(thread, .thread) woke at \(woken, .woken) and had \(constraint, .constraint): it was "
      + (late > .zero ? "\(late, .late) late, " : "not done and ended there, ")
      + "since it worked for \(worked, .worked)"
      + (rest > .zero ? " and could not work for \(rest, .rest)" : "")
  }

  static func killedAtWork(_ who: FindingStatement) -> FindingStatement {
    "\(who) was still running when the process ended, and was killed"
  }
  static func killedReady(_ who: FindingStatement) -> FindingStatement {
    "\(who) was runnable without a core when the process ended, and was killed"
  }
  static func killedWaiting(_ sentence: FindingStatement) -> FindingStatement {
    "\(sentence); the process ended, and it was killed"
  }
  static func livelock(steps: Int, at time: Instant) -> FindingStatement {
    "\(steps, .steps) steps were executed, and virtual time did not advance from \(time, .time)"
  }
  static func neverStarted(_ thread: String, others: Int) -> FindingStatement {
    let those: FindingStatement =
      others > 0 ? " and \(others, .others) more of this place were" : " was"
    return "thread \(thread, .thread)\(those) created and never started"
  }
  static func realtimeComputation(_ computation: Nanoseconds) -> FindingStatement {
    "a computation of \(computation, .computation) is not from 50us to 50ms (KERN_INVALID_ARGUMENT)"
  }
  static func realtimeConstraint(_ constraint: Nanoseconds, computation: Nanoseconds)
    -> FindingStatement
  {
    "a constraint of \(constraint, .constraint) is shorter than the computation of \(computation, .computation) "
      + "(KERN_INVALID_ARGUMENT)"
  }
  static func realtimeRefused(_ thread: String, reason: FindingStatement) -> FindingStatement {
    "\(thread, .thread) does not become a real-time thread: \(reason)"
  }
  static let realtimeWorker: FindingStatement =
    "a worker of the dispatch queues can't become one (KERN_POLICY_STATIC)"
  static let stackIsLarge: FindingStatement = "it is over 1GB, so it is cut to that"
  static let stackIsSmall: FindingStatement = "it is under 16KB, so it is ignored"
  static func stackIsUneven(multiple: ByteCount) -> FindingStatement {
    "it is not a multiple of \(multiple, .size), so it is ignored"
  }
  static func stackSizeOfExecutor(_ executor: String, asked: ByteCount, reason: FindingStatement)
    -> FindingStatement
  {
    "stacks of \(asked, .asked) were asked for \(executor, .executor): \(reason)"
  }
  static func stackSizeOfThread(_ thread: String, asked: ByteCount, reason: FindingStatement)
    -> FindingStatement
  {
    "a stack of \(asked, .asked) was asked for \(thread, .thread): \(reason)"
  }
  static func stackSizeTooLate(_ thread: String) -> FindingStatement {
    "the stack size of \(thread, .thread) was set after it was started, so it is ignored"
  }
  static func starvation(_ thread: String, waited: Nanoseconds) -> FindingStatement {
    "\(thread, .thread) was runnable for \(waited, .waited) and got no core"
  }
  static func threadExplosion(threads: Int, cores: Int) -> FindingStatement {
    "\(threads, .threads) threads are alive on \(cores, .cores) cores; each has a stack, and only as many can run "
      + "as there are cores"
  }
  static func threadLimit(threads: Int) -> FindingStatement {
    "the process has \(threads, .threads) threads, the limit of the system"
  }
  static func unknownBurst(policy: String, _ thread: String, _ reason: String) -> FindingStatement {
    "policy \(policy, .policy) must know how long \(thread, .thread) will compute, and \(words: reason)"
  }
}
