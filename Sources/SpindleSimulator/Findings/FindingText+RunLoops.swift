import SpindleModel

/// The wordings about run loops and what is given to them.
extension FindingText {
  static let anObserver: StaticString = "an observer"
  static func answerInSilence(_ silence: FindingStatement) -> FindingStatement {
    "\(silence): the answer is never delivered"
  }
  static let answerOfInput: StaticString = "the answer of an input or output"
  static func blockInSilence(_ silence: FindingStatement) -> FindingStatement {
    "\(silence): the block never runs"
  }
  static func blockNotWoken(loopOf thread: String) -> FindingStatement {
    "a block was added to the loop of \(thread, .thread) while it slept, and nothing woke the loop: "
      + "CFRunLoopWakeUp must follow"
  }
  static let blockOfNoMode: FindingStatement = "the block is for no mode, so it never runs"
  static let delayedPerform: StaticString = "a delayed perform"
  static let endedBeforeAnswer: FindingStatement =
    "the thread has ended, so the answer is never delivered"
  static let endedBeforeBlock: FindingStatement = "the thread has ended, so the block never runs"
  static let endedBeforeItem: FindingStatement =
    "its thread has ended, so what is added to its run loop is never used"
  static let endedBeforePerform: FindingStatement = "the thread has ended, so it is never performed"
  static func endedWithAnswer(_ thread: String) -> FindingStatement {
    "\(thread, .thread) ended before the answer was delivered in its run loop: it is lost"
  }
  static func endedWithBlock(_ thread: String) -> FindingStatement {
    "\(thread, .thread) ended before its loop ran the block"
  }
  static func endedWithMessage(_ thread: String, port: String) -> FindingStatement {
    "\(thread, .thread) ended before it took the message at port \(port, .port)"
  }
  static func endedWithPerform(_ thread: String) -> FindingStatement {
    "\(thread, .thread) ended before it performed the request"
  }
  static func endedWithSource(_ thread: String, source: String) -> FindingStatement {
    "\(thread, .thread) ended before its loop handled source \(source, .source), which was signalled"
  }
  static func endedWithTimer(_ thread: String, timer: FindingStatement) -> FindingStatement {
    "\(thread, .thread) ended and never ran its loop for \(timer): it never fires"
  }
  static func ignoredByRunLoop(_ why: FindingStatement) -> FindingStatement {
    "\(why): the library silently ignores it"
  }
  static let ignoredCommonModes: FindingStatement =
    "a run loop runs in one mode, and the common modes are a set of them"
  static let ignoredDelayedPerform: FindingStatement =
    "a delayed perform for no mode is not performed"
  static let ignoredItem: FindingStatement = "an invalidated object can't be added to a run loop"
  static let ignoredPerform: FindingStatement =
    "a perform for no mode is not performed"
  static func ignoredPort(_ port: String) -> FindingStatement {
    "port \(port, .port) was invalidated"
  }
  static func ignoredRun(ofLoopOf owner: String?, by thread: String) -> FindingStatement {
    "the run loop of \(owner.map { "\($0, .thread)" } ?? "an ended thread") can't be run by \(thread, .thread)"
  }
  static func ignoredSource(_ source: String) -> FindingStatement {
    "source \(source, .source) was invalidated"
  }
  static func ignoredStop(ofLoopOf thread: String, hasRun: Bool) -> FindingStatement {
    "the run loop of \(thread, .thread) did not run when it was stopped"
      + (hasRun ? ", and this did not end the next run" : ", and never ran")
  }
  static let ignoredTimer: FindingStatement =
    "a timer that is in one thread's loop can't be added to another's"
  static let ignoredTracking: FindingStatement = "only the main loop of an app follows a finger"
  static func loopSilence(_ thread: String, modes: FindingStatement, hasRun: Bool)
    -> FindingStatement
  {
    hasRun
      ? "\(thread, .thread) no longer runs its loop in \(modes)"
      : "\(thread, .thread) never runs its loop in \(modes)"
  }
  static func messageInSilence(_ silence: FindingStatement, port: String) -> FindingStatement {
    "\(silence): the message to port \(port, .port) is never read"
  }
  static func messageWithoutLoop(port: String?) -> FindingStatement {
    "the message to port\(port.map { " \($0, .port)" } ?? "") is never read: the port is in no run loop"
  }
  static func modes(_ names: [String]) -> FindingStatement {
    if names == ["common"] { return "the common modes" }
    return "mode \(names.map { "\($0, .mode)" as FindingStatement }.joined(separator: " or "))"
  }
  static let performedBlock: StaticString = "a performed block"
  static func performInSilence(_ silence: FindingStatement) -> FindingStatement {
    "\(silence): the request is never performed"
  }
  static func signalledAsleep(_ source: String, loopOf thread: String) -> FindingStatement {
    "source \(source, .source) was signalled while the loop of \(thread, .thread) slept, and nothing woke the loop"
  }

  static func signalledLate(
    _ source: String, loopOf thread: String, late: Nanoseconds
  ) -> FindingStatement {
    signalledAsleep(source, loopOf: thread)
      + " for it: it is performed \(late, .late) late; CFRunLoopWakeUp must follow the signal"
  }

  static func signalledNotWoken(_ source: String, loopOf thread: String) -> FindingStatement {
    signalledAsleep(source, loopOf: thread) + ": CFRunLoopWakeUp must follow the signal"
  }
  static func sourceInSilence(_ silence: FindingStatement, source: String) -> FindingStatement {
    "\(silence): source \(source, .source) is never performed"
  }
  static func sourceWithoutLoop(_ source: String) -> FindingStatement {
    "source \(source, .source) was signalled and is in no run loop"
  }
  static func spinningOnEmptyLoop(_ thread: String, mode: String) -> FindingStatement {
    "\(thread, .thread) ran its loop 100 times without waiting: nothing is in mode \(mode, .mode), so each "
      + "run returns at once; a port or a timer would keep it asleep"
  }
  static func spinningOnPastLimit(_ thread: String, mode: String) -> FindingStatement {
    "\(thread, .thread) ran its loop 100 times without waiting: each run in mode \(mode, .mode) has no "
      + "time, so it returns at once; a limit in the future would let it sleep"
  }
  static func timerInSilence(_ silence: FindingStatement, timer: FindingStatement)
    -> FindingStatement
  {
    "\(silence): \(timer) never fires"
  }
  static func timerOf(_ name: String?) -> FindingStatement {
    name.map { "timer \($0, .timer)" } ?? "the delayed perform"
  }
  static func timerWithoutLoop(_ timer: FindingStatement) -> FindingStatement {
    "\(timer) was created and never added to a run loop: it never fires"
  }

  static func waitsForPerform(
    _ who: FindingStatement, by thread: String, in modes: FindingStatement?, isStarted: Bool,
    sleepsIn asleep: FindingStatement?
  ) -> FindingStatement {
    let asked: FindingStatement = modes.map { " in \($0)" } ?? ""
    let obstacle: Finding.Obstacle =
      !isStarted ? .notStarted : asleep == nil ? .running : .asleep
    let end: FindingStatement =
      !isStarted
      ? ", and it was never started"
      : asleep.map { ", and \(thread, .thread) sleeps in its run loop in \($0)" } ?? ""
    return FindingStatement(
      waiting: .perform, obstacle,
      "\(who) waits until \(thread, .thread) has performed its request\(asked)\(end)")
  }

  static let whatWasAsked: StaticString = "the requested perform"
}
