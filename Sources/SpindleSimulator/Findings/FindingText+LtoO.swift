import SpindleModel

/// The wordings from L to O.
extension FindingText {
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
  static func lockOrderInversion(
    _ steps: [(who: String, from: String, isFromQueue: Bool, to: String, isToQueue: Bool)]
  ) -> String {
    let texts = steps.enumerated().map { index, step in
      step.who + (step.isToQueue ? " called sync on" : " took") + " '\(step.to)' "
        + (index == 0 ? "here " : "")
        + (step.isFromQueue ? "while it was on '\(step.from)'" : "while it had '\(step.from)'")
    }
    let isOneThread = steps.allSatisfy { $0.who == steps[0].who }
    let all = steps.count == 2 ? "both" : "all \(steps.count)"
    return texts.joined(separator: ", and ")
      + "; nothing keeps these apart, so \(all) may come at once, and then each waits for what the next one "
      + "has, for ever: take them in one order everywhere, "
      + (steps.contains(where: \.isToQueue)
        ? "or hand one over with async" : "or have one lock around \(all)")
      + (isOneThread ? "; that one thread did \(all) is chance" : "")
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
