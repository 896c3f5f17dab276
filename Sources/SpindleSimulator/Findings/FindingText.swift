import SpindleModel

/// Every wording of a finding, in alphabetical order.
///
/// A function gives a whole sentence, or what stands for a part of one where a sentence has as many
/// parts as the run had: a clause of a chain of operations, why a loop is silent. It knows names,
/// times and counts, and nothing of the run. `who` is a thread as ``thread(_:runs:)`` says it; a
/// `lock` that is waited for as ``lock(_:owner:)`` does; every other name comes without quotes.
enum FindingText {
  /// How an operation came not to finish.
  enum Unfinished {
    /// The thread that ran it exited.
    case exited
    /// It has finished and told nobody.
    case unannounced
    /// It never said so.
    case unreported
  }

  /// Something in a cycle of holders.
  enum Holding {
    case array, closure, dictionary
    case instance(String)
    /// An object of a class of the library.
    case object(String)

    var text: String {
      switch self {
      case .array: "an array"
      case .closure: "a closure"
      case .dictionary: "a dictionary"
      case .instance(let name): "'\(name)'"
      case .object(let name): "AEIOU".contains(name.prefix(1)) ? "an \(name)" : "a \(name)"
      }
    }
  }

  static func actorReentrancy(_ task: String, member: String, other: String) -> String {
    "'\(task)' looked at '\(member)' and waited, '\(other)' changed it meanwhile, and '\(task)' changed "
      + "it without another look"
  }

  static func addedAfterEnd(_ operation: String, to queue: String) -> String {
    "'\(operation)' was added to '\(queue)' when it had finished"
  }
  static func addedAfterStart(_ operation: String, to queue: String) -> String {
    "'\(operation)' was added to '\(queue)' when it had been started by hand"
  }
  static func addedToSecond(_ operation: String, queue: String, first: String) -> String {
    "'\(operation)' was added to '\(queue)' when it was in '\(first)' already"
  }
  static func addedTwice(_ operation: String) -> String {
    "'\(operation)' was added twice by one call"
  }
  static let anObserver: StaticString = "an observer"
  static func answerInSilence(_ silence: String) -> String {
    "\(silence): the answer is never delivered"
  }
  static let answerOfInput: StaticString = "the answer of an input or output"
  static func barrierOnGlobalQueue(_ queue: String) -> String {
    "a barrier was asked for on '\(queue)', a global queue, where it means nothing: the item runs "
      + "beside others"
  }
  static func blockedMainQueue(items: Int, isTask: Bool) -> String {
    let waiting = items == 1 ? "item that waits" : "\(items) items that wait"
    return "; meanwhile the main thread can't run the \(waiting) in the main queue"
      + (isTask
        ? ", a piece of the main actor's code: a 'Task' that main makes is on the main actor, one made by "
          + "'Task.detached' is not" : "")
  }
  static func blockedMainQueue(items: Int, awaitedBy task: String) -> String {
    "; meanwhile the main thread can't run the main actor's code that '\(task)' awaits"
      + (items == 1 ? "" : ", first of \(items) items in the main queue")
  }
  static func blockingInTask(_ task: String, _ wait: String) -> String {
    "'\(task)' \(wait) and keeps its thread meanwhile: one thread of the pool fewer for all other "
      + "tasks"
  }
  static func blockInSilence(_ silence: String) -> String { "\(silence): the block never runs" }
  static func blockNotWoken(loopOf thread: String) -> String {
    "a block was handed to the loop of '\(thread)' while it slept, and nobody woke the loop: "
      + "CFRunLoopWakeUp must follow"
  }
  static let blockOfNoMode = "the block is for no mode, so it never runs"
  static func blockTooLate(_ operation: String) -> String {
    "'\(operation)' was given another block when it had begun"
  }
  static let bodyOfMain: StaticString = "the body of 'main'"
  static func cancellationIgnored(
    _ task: String, awaits other: String?, delay: Nanoseconds
  ) -> String {
    "'\(task)' was cancelled and never asked whether it is: its scope had to wait another \(delay) "
      + "for it"
      + (other.map { ", as it waited for '\($0)', which that does not cancel" } ?? "")
  }
  static func circleOfWaits(_ waits: [String]) -> String {
    waits.count == 1
      ? "\(waits[0]), and that is itself"
      : waits.joined(separator: ", and ") + ": none of them can go on"
  }
  static func circularAwait(_ names: [String]) -> String {
    let parts = names.indices.map { "'\(names[$0])' for '\(names[($0 + 1) % names.count])'" }
    return "tasks wait for each other's end: \(parts.joined(separator: ", ")); none of them ever "
      + "goes on"
  }
  static func circularDependency(_ operations: [String]) -> String {
    if operations.count == 1 {
      return "operation '\(operations[0])' depends on itself: it never starts"
    }
    let next = operations.dropFirst() + operations.prefix(1)
    let edges = zip(operations, next).map { "'\($0)' depends on '\($1)'" }
    return edges.joined(separator: ", and ") + ": none of them ever starts"
  }
  static func continuationNeverResumed(_ task: String) -> String {
    "'\(task)' waits for a continuation that nobody has resumed or ever will"
  }
  static func continuationResumedTwice(_ task: String) -> String {
    "the continuation of '\(task)' was resumed again"
  }
  static func dataRace(
    _ variable: String, later: (done: StaticString, who: String),
    earlier: (done: StaticString, who: String), isOneLine: Bool, isOneThread: Bool,
    isSideBySide: Bool
  ) -> String {
    let place = isOneLine ? "here too" : "there"
    return "'\(variable)' is \(later.done) here by \(later.who), and was \(earlier.done) "
      + "\(place) by \(earlier.who); nothing orders the two, so they may come at once: one lock "
      + "around both, or one serial queue or actor for both, would order them"
      + (isSideBySide ? ", or 'flags: .barrier' for what writes, on this concurrent queue" : "")
      + (isOneThread ? "; that one thread did both is chance" : "")
  }
  static func deadlineMissed(
    _ thread: String, woken: Instant, constraint: Nanoseconds, late: Nanoseconds,
    worked: Nanoseconds, rest: Nanoseconds
  ) -> String {
    "real-time thread '\(thread)' woke at \(woken) and had \(constraint): it was "
      + (late > .zero ? "\(late) late, " : "not done and ended there, ")
      + "since it worked for \(worked)" + (rest > .zero ? " and could not work for \(rest)" : "")
  }
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
  static func errorNobodyAwaits(_ task: String, error: String) -> String {
    "'\(task)' threw \"\(error)\", and nobody has asked for its value: the error is lost"
  }
  static func handler(of what: StaticString, name: String) -> String {
    "the handler of \(what) '\(name)'"
  }
  static func hangAsleep(_ time: Nanoseconds) -> String { "it slept \(time) of it" }
  static func hangInCosts(_ time: Nanoseconds) -> String {
    "what its calls cost took \(time) of it"
  }
  static func hangInHandler(_ handler: String, took time: Nanoseconds) -> String {
    "\(handler) took \(time) of it"
  }
  static func hangInLine(
    of count: Int, areItems: Bool, _ total: Nanoseconds, longest: String, _ time: Nanoseconds
  ) -> String {
    let what = areItems ? "items of the main queue" : "handlers and items"
    return "\(count) \(what), one after another, took \(total) of it, "
      + "the longest \(longest) \(time)"
  }
  static func hangInLoop(_ time: Nanoseconds) -> String {
    "it slept \(time) in its run loop, in a mode that is not common"
  }
  static func hangInWait(_ time: Nanoseconds, purpose: String) -> String {
    "it waited \(time) of it \(purpose)"
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
  static let ignoredTimer = "a timer that is in one thread's loop can't be added to another's"
  static let ignoredTracking = "only the main loop of an app follows a finger"
  static func itemInLine(_ name: String) -> String { "'\(name)'" }
  static func itemOfMain(_ name: String) -> String { "item '\(name)' of the main queue" }
  static func killedAtWork(_ who: String) -> String {
    "\(who) was still at work when the process ended, and was killed"
  }
  static func killedReady(_ who: String) -> String {
    "\(who) was ready and had no core when the process ended, and was killed"
  }
  static func killedWaiting(_ sentence: String) -> String {
    "\(sentence); the process ended, and it was killed"
  }
}
