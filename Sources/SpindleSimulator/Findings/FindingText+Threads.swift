import SpindleModel

/// The wordings about threads, their stacks, priorities and ends.
extension FindingText {
  static func deadlineMissed(
    _ thread: String, woken: Instant, constraint: Nanoseconds, late: Nanoseconds,
    worked: Nanoseconds, rest: Nanoseconds
  ) -> String {
    "real-time thread '\(thread)' woke at \(woken) and had \(constraint): it was "
      + (late > .zero ? "\(late) late, " : "not done and ended there, ")
      + "since it worked for \(worked)" + (rest > .zero ? " and could not work for \(rest)" : "")
  }

  static func killedAtWork(_ who: String) -> String {
    "\(who) was still at work when the process ended, and was killed"
  }
  static func killedReady(_ who: String) -> String {
    "\(who) was ready and had no core when the process ended, and was killed"
  }
  static func killedWaiting(_ sentence: String) -> String {
    "\(sentence); the process ended, and it was killed"
  }
  static func livelock(steps: Int, at time: Instant) -> String {
    "\(steps) steps were run, and virtual time stood still at \(time)"
  }
  static func neverStarted(_ thread: String, others: Int) -> String {
    let those = others > 0 ? " and \(others) more of this place were" : " was"
    return "thread '\(thread)'\(those) made and never started"
  }
  static func realtimeComputation(_ computation: Nanoseconds) -> String {
    "a computation of \(computation) is not from 50us to 50ms (KERN_INVALID_ARGUMENT)"
  }
  static func realtimeConstraint(_ constraint: Nanoseconds, computation: Nanoseconds) -> String {
    "a constraint of \(constraint) is shorter than the computation of \(computation) "
      + "(KERN_INVALID_ARGUMENT)"
  }
  static func realtimeRefused(_ thread: String, reason: String) -> String {
    "'\(thread)' does not become a real-time thread: \(reason)"
  }
  static let realtimeWorker =
    "a worker of the dispatch queues can't become one (KERN_POLICY_STATIC)"
  static let stackIsLarge = "it is over 1GB, so it is cut to that"
  static let stackIsSmall = "it is under 16KB, so it is ignored"
  static func stackIsUneven(multiple: ByteCount) -> String {
    "it is not a multiple of \(multiple), so it is ignored"
  }
  static func stackSizeOfExecutor(_ executor: String, asked: ByteCount, reason: String) -> String {
    "stacks of \(asked) were asked for '\(executor)': \(reason)"
  }
  static func stackSizeOfThread(_ thread: String, asked: ByteCount, reason: String) -> String {
    "a stack of \(asked) was asked for '\(thread)': \(reason)"
  }
  static func stackSizeTooLate(_ thread: String) -> String {
    "the stack size of '\(thread)' was set after it was started, so it is ignored"
  }
  static func starvation(_ thread: String, waited: Nanoseconds) -> String {
    "'\(thread)' was ready for \(waited) and got no core"
  }
  static func threadExplosion(threads: Int, cores: Int) -> String {
    "\(threads) threads are alive on \(cores) cores; each holds a stack, and no more of them can run "
      + "than there are cores"
  }
  static func threadLimit(threads: Int) -> String {
    "the process has \(threads) threads, as many as the system lets it have"
  }
  static func unknownBurst(policy: String, _ thread: String, _ reason: String) -> String {
    "policy '\(policy)' must know how long '\(thread)' will compute, and \(reason)"
  }
}
