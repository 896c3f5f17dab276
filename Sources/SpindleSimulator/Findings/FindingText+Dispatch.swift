/// The wordings about dispatch queues, groups, work items and sources.
extension FindingText {
  static func barrierOnGlobalQueue(_ queue: String) -> String {
    "a barrier was asked for on '\(queue)', a global queue, where it means nothing: the item runs "
      + "beside others"
  }
  static let lostEvent = "what it watches has come about"
  static let lostHandler = "its handler is never called"
  static func lostMerge(of value: Int) -> String {
    "\(value) was merged into it and is not handled"
  }
  static let lostTimer = "its timer is scheduled and does not fire"
  static func mainQueueNotDrained(items: Int) -> String {
    "\(items) item\(items == 1 ? "" : "s") of the main queue never ran: a command-line "
      + "program's main thread serves it only in `dispatchMain()` or in its run loop"
  }
  static func neverActivatedQueue(_ queue: String, items: Int) -> String {
    "queue '\(queue)' was made inactive and never activated: \(waitingItems(items)) in it"
  }
  static func neverActivatedSource(_ source: String, loss: String) -> String {
    "source '\(source)' was made, which makes it inactive, and never resumed: \(loss)"
  }
  static func neverResumedQueue(_ queue: String, items: Int) -> String {
    "queue '\(queue)' was suspended and never resumed: \(waitingItems(items)) in it"
  }
  static func overResumeOfQueue(_ queue: String, isInactive: Bool) -> String {
    "queue '\(queue)' is resumed and was not suspended"
      + (isInactive ? "; it is inactive: `activate()` is what it waits for" : "")
  }
  static func overResumeOfSource(_ source: String) -> String {
    "source '\(source)' is resumed and is not suspended: one resume starts it, every other one "
      + "needs a suspend before it"
  }

  static func poolExhaustion(
    workers: Int, waits: [String], items: Int, queue: String
  ) -> String {
    let more = workers > waits.count ? ", and \(workers - waits.count) more like them" : ""
    return "all \(workers) workers that the pool may have wait: "
      + "\(waits.joined(separator: ", "))\(more); \(items) more item\(items == 1 ? "" : "s"), "
      + "first of '\(queue)', would need a worker to begin"
  }

  static func silentTimer(_ timer: String) -> String {
    "timer source '\(timer)' goes with its last reference before it has fired, and falls silent: "
      + "keep it in a property, or at the top"
  }
  static func syncOnOwnQueue(_ thread: String, runs queue: String, asked: String?) -> String {
    "'\(thread)' runs on queue '\(queue)' and calls sync on "
      + (asked.map { "'\($0)', whose target it is" } ?? "it") + ": it would wait for itself"
  }
  static func unbalancedGroup(_ group: String, entered count: Int) -> String {
    "group '\(group)' was entered \(times(count)) more often than left"
  }
  static func unbalancedLeave(_ group: String, by who: String, earlier: [String]) -> String {
    "group '\(group)' is left once more than it was entered, here by '\(who)'"
      + (earlier.isEmpty
        ? ""
        : ", and was left before by " + earlier.map { "'\($0)'" }.joined(separator: ", ")
          + ", the last one first: one of these calls is too many")
  }
  static func waitingItems(_ count: Int) -> String {
    count == 1 ? "one item waits" : "\(count) items wait"
  }

  static func waitsForGroup(
    _ who: String, group: String, entered count: Int, member: String?
  ) -> String {
    let others = count > 1 ? " among others" : ""
    let by = member.map { ", by \($0)\(others)" } ?? ""
    return "\(who) waits for group '\(group)', which is entered \(times(count))\(by)"
  }

  static func waitsForGroup(
    _ who: String, group: String, queue: String, runner: String
  ) -> String {
    "\(who) waits for group '\(group)', of which an item waits in queue '\(queue)', which \(runner) "
      + "has"
  }

  static func waitsForWorkItem(_ who: String, item: String) -> String {
    "\(who) waits for work item '\(item)', which has not run"
  }

  static func waitsForWorkItem(
    _ who: String, item: String, queue: String?, runner: String
  ) -> String {
    guard let queue else { return "\(who) waits for work item '\(item)', which \(runner) runs" }
    return
      "\(who) waits for work item '\(item)', which waits in queue '\(queue)', which \(runner) has"
  }

  static func waitsInSync(_ who: String, queue: String) -> String {
    "\(who) waits in sync for queue '\(queue)', which "
  }

  static func waitsInSyncBehindBarrier(
    _ who: String, queue: String, barrier: String, reader: String
  ) -> String {
    "\(who) waits in sync for queue '\(queue)', behind the barrier '\(barrier)', which waits while "
      + "\(reader) still reads"
  }

  static func waitsInSyncForActivation(_ who: String, queue: String) -> String {
    waitsInSync(who, queue: queue) + "was never activated"
  }
  static func waitsInSyncForMain(_ who: String, queue: String) -> String {
    waitsInSync(who, queue: queue) + "only the main thread runs"
  }
  static func waitsInSyncForNobody(_ who: String, queue: String) -> String {
    waitsInSync(who, queue: queue) + "nobody runs"
  }
  static func waitsInSyncForReader(_ who: String, queue: String, reader: String) -> String {
    waitsInSync(who, queue: queue) + "\(reader) still reads"
  }
  static func waitsInSyncForResume(_ who: String, queue: String) -> String {
    waitsInSync(who, queue: queue) + "is suspended"
  }
  static func waitsInSyncForRunner(_ who: String, queue: String, runner: String) -> String {
    waitsInSync(who, queue: queue) + "\(runner) runs"
  }
}
