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

    fileprivate var text: String {
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
  static func line(behind first: String?, count: Int, isMixed: Bool) -> String {
    guard let first else {
      return count == 0 || isMixed ? "" : ", behind \(count == 1 ? "an item" : "\(count) items")"
    }
    if isMixed { return ", behind '\(first)' and others in turn" }
    return ", behind '\(first)'" + (count == 0 ? "" : " and \(count) more")
  }
  static func livelock(steps: Int, at time: Instant) -> String {
    "\(steps) steps were run, and virtual time stood still at \(time)"
  }
  /// A lock in quotes, and the instance whose it is.
  static func lock(_ lock: String, owner: String?) -> String {
    "'\(lock)'" + (owner.map { " of '\($0)'" } ?? "")
  }
  static func lockHeldByEndedOperation(
    _ operation: String, on thread: String, lock: String
  ) -> String {
    "the code of operation '\(operation)' ended and '\(thread)' still has '\(lock)': "
      + "nobody else can take it"
  }
  static func lockHeldByEndedThread(_ thread: String, lock: String) -> String {
    "'\(thread)' ended and still has '\(lock)': nobody can take it any more"
  }
  static func loopSilence(_ thread: String, modes: String, hasRun: Bool) -> String {
    hasRun
      ? "'\(thread)' does not run its loop in \(modes) any more"
      : "'\(thread)' never runs its loop in \(modes)"
  }
  static let lostEvent = "what it watches has come about"
  static let lostHandler = "its handler is never called"
  static func lostMerge(of value: Int) -> String {
    "\(value) was merged into it and is not handled"
  }
  static func lostSignals(_ count: Int) -> String { "\(count) signals came that it did not see" }
  static let lostTimer = "its timer is scheduled and does not fire"
  static func lostWakeup(_ thread: String, condition: String) -> String {
    "'\(thread)' waits for a signal of '\(condition)' that was given when nobody waited: "
      + "a condition does not remember signals"
  }
  static func mainActorFlood(count: Int) -> String {
    "\(count) tasks stand in line for the main actor at once, and whatever comes next stands behind "
      + "them"
  }
  static let mainQueue: StaticString = "the main queue"
  static func mainQueueNotDrained(items: Int) -> String {
    "\(items) item\(items == 1 ? "" : "s") of the main queue never ran: a command-line "
      + "program's main thread serves it only in `dispatchMain()` or in its run loop"
  }
  static func mainThreadHang(busy: Nanoseconds, parts: [String]) -> String {
    "the main thread could not answer for \(busy): touches and drawing wait as long"
      + parts.map { "; " + $0 }.joined()
  }
  static func memoryPressure(used: ByteCount, size: ByteCount) -> String {
    "\(used) are in use and the machine has \(size): work pages"
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
  static func negativeMaximum(_ queue: String, limit: Int) -> String {
    "'\(queue)' was given a maximum of \(limit) operations at once"
  }
  static func neverActivatedQueue(_ queue: String, items: Int) -> String {
    "queue '\(queue)' was made inactive and never activated: \(waitingItems(items)) in it"
  }
  static func neverActivatedSource(_ source: String, loss: String) -> String {
    "source '\(source)' was made, which makes it inactive, and never resumed: \(loss)"
  }
  static func neverAdded(_ operation: String, dependent: String?) -> String {
    "operation '\(operation)' was made, and neither added to a queue nor started"
      + (dependent.map { "; '\($0)' depends on it" } ?? "")
  }
  static func neverFinishes(
    _ operation: String, _ manner: Unfinished, inPlaceOf queue: String?, behind: String?,
    dependents: [String]
  ) -> String {
    var text: String
    switch manner {
    case .exited: text = "the thread that ran operation '\(operation)' exited before its end"
    case .unannounced:
      text =
        "operation '\(operation)' set isFinished and never announced it with "
        + "didChangeValue(forKey:)"
    case .unreported: text = "operation '\(operation)' never reported that it has finished"
    }
    if let queue { text += ": it has its place in '\(queue)' for ever" }
    if let behind { text += ", where '\(behind)' waits for it" }
    if dependents.isEmpty { return text }
    let names = dependents.map { "'\($0)'" }.joined(separator: ", ")
    return text + ", and \(names) can never start"
  }
  static func neverReleased(
    _ steps: [(holder: Holding, field: String?)], isInRunLoop: Bool, others: Int
  ) -> String {
    let first = steps.first?.holder.text ?? ""
    let more = others == 1 ? "1 more cycle like it" : "\(others) more cycles like it"
    let rest = others > 0 ? "; and \(more)" : ""
    if steps.count == 1, steps[0].field == nil {
      return "\(first) holds itself: nothing else holds it, and it is never released\(rest)"
    }
    var text = first
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1].holder.text : first
      text += (index == 0 ? " holds " : ", which holds ") + next
      text += step.field.map { " in '\($0)'" } ?? ""
    }
    let keeper =
      isInRunLoop
      ? "nothing else holds them but the run loop, which keeps the timer until it is invalidated"
      : "nothing else holds them"
    return "\(text): \(keeper), and they are never released\(rest)"
  }
  static func neverResumedOperationQueue(
    _ queue: String, isSuspended: Bool, operations: Int, first: String
  ) -> String {
    let waiting =
      operations == 1
      ? "operation '\(first)' waits in it"
      : "\(operations) operations wait in it, first '\(first)'"
    let state =
      isSuspended ? "was suspended and never resumed" : "may start none, its maximum is 0"
    return "operation queue '\(queue)' \(state): \(waiting)"
  }
  static func neverResumedQueue(_ queue: String, items: Int) -> String {
    "queue '\(queue)' was suspended and never resumed: \(waitingItems(items)) in it"
  }
  static func neverStarted(_ thread: String, others: Int) -> String {
    let those = others > 0 ? " and \(others) more of this place were" : " was"
    return "thread '\(thread)'\(those) made and never started"
  }
  static func orderNotKept(_ task: String, after: String, actor: String) -> String {
    "'\(task)' was made before '\(after)' and comes to \(actor) behind it: a task for each event keeps "
      + "no order"
  }
  static func overResumeOfQueue(_ queue: String, isInactive: Bool) -> String {
    "queue '\(queue)' is resumed and was not suspended"
      + (isInactive ? "; it is inactive: `activate()` is what it waits for" : "")
  }
  static func overResumeOfSource(_ source: String) -> String {
    "source '\(source)' is resumed and is not suspended: one resume starts it, every other one "
      + "needs a suspend before it"
  }
  static func ownWait(
    _ who: String, for operation: String, of queue: String, clauses: [String]
  ) -> String {
    let way = clauses.isEmpty ? " of '\(queue)'" : clauses.map { ", " + $0 }.joined()
    return "\(who) waits for operation '\(operation)'\(way), which only it can run"
  }
  static func ownWaiter(_ operation: (name: String, queue: String)?) -> String {
    operation.map { "operation '\($0.name)' of '\($0.queue)'" } ?? "the main thread"
  }
  static func ownWaitForAll(_ operation: String, queue: String) -> String {
    "operation '\(operation)' of '\(queue)' waits until all operations of this queue are finished, "
      + "itself among them"
  }
  static func ownWaitForItself(_ who: String, for operation: String, clauses: [String]) -> String {
    "\(who) waits for operation '\(operation)'\(clauses.map { ", " + $0 }.joined()) itself"
  }
  static func ownWaitForPlace(_ who: String, for operation: String, limit: Int) -> String {
    let taken =
      limit == 1
      ? "the one that waits has the only one" : "those that wait have all \(limit) of them"
    return "\(who) waits for operation '\(operation)' of this queue, which has no place to start "
      + "in: \(taken)"
  }
  static func ownWaitOfBarrier(
    _ barrier: String, of queue: String, for operation: String?, clauses: [String]
  ) -> String {
    let awaited = operation.map { "for operation '\($0)'" } ?? "until all operations are finished"
    let way = clauses.map { ", " + $0 }.joined()
    return
      "barrier '\(barrier)' of '\(queue)' waits \(awaited)\(way), and holds back what it waits "
      + "for until it has ended itself"
  }
  static func ownWaitOfMain(queue: String) -> String {
    "the main thread waits for all operations of '\(queue)', which only it can run"
  }
}
