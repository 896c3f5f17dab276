import SpindleModel

/// The wordings about run loops and what is given to them.
extension FindingText {
  static let anObserver: StaticString = "an observer"
  static func answerInSilence(_ silence: String) -> String {
    "\(silence): the answer is never delivered"
  }
  static let answerOfInput: StaticString = "the answer of an input or output"
  static func blockInSilence(_ silence: String) -> String { "\(silence): the block never runs" }
  static func blockNotWoken(loopOf thread: String) -> String {
    "a block was handed to the loop of '\(thread)' while it slept, and nobody woke the loop: "
      + "CFRunLoopWakeUp must follow"
  }
  static let blockOfNoMode = "the block is for no mode, so it never runs"
  static let delayedPerform: StaticString = "a delayed perform"
  static let endedBeforeAnswer = "the thread has ended, so the answer is never delivered"
  static let endedBeforeBlock = "the thread has ended, so the block never runs"
  static let endedBeforeItem =
    "its thread has ended, so what is added to its run loop is never used"
  static let endedBeforePerform = "the thread has ended, so it is never performed"
  static func endedWithAnswer(_ thread: String) -> String {
    "'\(thread)' ended before the answer was delivered in its run loop: nobody gets it"
  }
  static func endedWithBlock(_ thread: String) -> String {
    "'\(thread)' ended before its loop ran the block"
  }
  static func endedWithMessage(_ thread: String, port: String) -> String {
    "'\(thread)' ended before it took the message at port '\(port)'"
  }
  static func endedWithPerform(_ thread: String) -> String {
    "'\(thread)' ended before it performed what it was asked to"
  }
  static func endedWithSource(_ thread: String, source: String) -> String {
    "'\(thread)' ended before its loop came to source '\(source)', which was signalled"
  }
  static func endedWithTimer(_ thread: String, timer: String) -> String {
    "'\(thread)' ended and never ran its loop for \(timer): it never fires"
  }
  static func ignoredByRunLoop(_ why: String) -> String {
    "\(why): the library ignores it without a word"
  }
  static let ignoredCommonModes =
    "a run loop runs in one mode, and the common modes are a set of them"
  static let ignoredDelayedPerform = "a delayed perform for no mode is not performed"
  static let ignoredItem = "what was invalidated can't be added to a run loop"
  static let ignoredPerform = "what is to be performed in no mode is not performed"
  static func ignoredPort(_ port: String) -> String { "port '\(port)' was invalidated" }
  static func ignoredRun(ofLoopOf owner: String?, by thread: String) -> String {
    "the run loop of \(owner.map { "'\($0)'" } ?? "an ended thread") can't be run by '\(thread)'"
  }
  static func ignoredSource(_ source: String) -> String { "source '\(source)' was invalidated" }
  static func ignoredStop(ofLoopOf thread: String, hasRun: Bool) -> String {
    "the run loop of '\(thread)' did not run when it was stopped"
      + (hasRun ? ", and the run that came next did not end by it" : ", and never ran")
  }
  static let ignoredTimer = "a timer that is in one thread's loop can't be added to another's"
  static let ignoredTracking = "only the main loop of an app follows a finger"
  static func loopSilence(_ thread: String, modes: String, hasRun: Bool) -> String {
    hasRun
      ? "'\(thread)' does not run its loop in \(modes) any more"
      : "'\(thread)' never runs its loop in \(modes)"
  }
  static func messageInSilence(_ silence: String, port: String) -> String {
    "\(silence): the message to port '\(port)' is never read"
  }
  static func messageWithoutLoop(port: String?) -> String {
    "the message to port\(port.map { " '\($0)'" } ?? "") is never read: the port is in no run loop"
  }
  static func modes(_ names: [String]) -> String {
    if names == ["common"] { return "the common modes" }
    return "mode \(names.map { "'\($0)'" }.joined(separator: " or "))"
  }
  static let performedBlock: StaticString = "a performed block"
  static func performInSilence(_ silence: String) -> String {
    "\(silence): what it was asked to perform is never done"
  }
  static func signalledAsleep(_ source: String, loopOf thread: String) -> String {
    "source '\(source)' was signalled while the loop of '\(thread)' slept, and nobody woke the loop"
  }

  static func signalledLate(
    _ source: String, loopOf thread: String, late: Nanoseconds
  ) -> String {
    signalledAsleep(source, loopOf: thread)
      + " for it: it is performed \(late) late; CFRunLoopWakeUp must follow the signal"
  }

  static func signalledNotWoken(_ source: String, loopOf thread: String) -> String {
    signalledAsleep(source, loopOf: thread) + ": CFRunLoopWakeUp must follow the signal"
  }
  static func sourceInSilence(_ silence: String, source: String) -> String {
    "\(silence): source '\(source)' is never performed"
  }
  static func sourceWithoutLoop(_ source: String) -> String {
    "source '\(source)' was signalled and is in no run loop"
  }
  static func spinningOnEmptyLoop(_ thread: String, mode: String) -> String {
    "'\(thread)' ran its loop 100 times without once waiting: nothing is in mode '\(mode)', so each "
      + "run returns at once; a port or a timer would keep it asleep"
  }
  static func spinningOnPastLimit(_ thread: String, mode: String) -> String {
    "'\(thread)' ran its loop 100 times without once waiting: each run in mode '\(mode)' has no "
      + "time, so it returns at once; a limit in the future would let it sleep"
  }
  static func timerInSilence(_ silence: String, timer: String) -> String {
    "\(silence): \(timer) never fires"
  }
  static func timerOf(_ name: String?) -> String {
    name.map { "timer '\($0)'" } ?? "the delayed perform"
  }
  static func timerWithoutLoop(_ timer: String) -> String {
    "\(timer) was made and never added to a run loop: it never fires"
  }

  static func waitsForPerform(
    _ who: String, by thread: String, in modes: String?, isStarted: Bool, sleepsIn asleep: String?
  ) -> String {
    let asked = modes.map { " in \($0)" } ?? ""
    let wait = "\(who) waits until '\(thread)' has performed what it asked for\(asked)"
    if !isStarted { return wait + ", and it was never started" }
    return wait + (asleep.map { ", and '\(thread)' sleeps in its run loop in \($0)" } ?? "")
  }

  static let whatWasAsked: StaticString = "what it was asked to perform"
}
