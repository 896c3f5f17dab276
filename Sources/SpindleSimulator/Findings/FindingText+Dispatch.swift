import SpindleModel

/// The wordings about dispatch queues, groups, work items and sources.
extension FindingText {
  static func barrierOnGlobalQueue(_ queue: String) -> FindingStatement {
    "a barrier was requested on \(queue, .queue), a global queue, where it has no effect: the item runs "
      + "concurrently with others"
  }
  static let lostEvent: FindingStatement = "its event has occurred"
  static let lostHandler: FindingStatement = "its handler is never called"
  static func lostMerge(of value: Int) -> FindingStatement {
    "\(value, .merged) was merged into it and is not handled"
  }
  static let lostTimer: FindingStatement = "its timer is scheduled and does not fire"
  static func mainQueueNotDrained(items: Int) -> FindingStatement {
    "\(items, .items) item\(words: items == 1 ? "" : "s") of the main queue never ran: a command-line "
      + "program's main thread drains it only in `dispatchMain()` or in its run loop"
  }
  static func neverActivatedQueue(_ queue: String, items: Int) -> FindingStatement {
    "queue \(queue, .queue) was created inactive and never activated: \(waitingItems(items)) in it"
  }
  static func neverActivatedSource(_ source: String, loss: FindingStatement) -> FindingStatement {
    "source \(source, .source) was created, which leaves it inactive, and never resumed: \(loss)"
  }
  static func neverResumedQueue(_ queue: String, items: Int) -> FindingStatement {
    "queue \(queue, .queue) was suspended and never resumed: \(waitingItems(items)) in it"
  }
  static func overResumeOfQueue(_ queue: String, isInactive: Bool) -> FindingStatement {
    "queue \(queue, .queue) is resumed and was not suspended"
      + (isInactive ? "; it is inactive: it needs `activate()`" : "")
  }
  static func overResumeOfSource(_ source: String) -> FindingStatement {
    "source \(source, .source) is resumed and is not suspended: one resume starts it, any other "
      + "needs a suspend before it"
  }

  static func poolAtRest(
    workers: Int, for rest: Nanoseconds, thread: String, reason: WaitReason, items: Int,
    queue: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: reason, .unknown,
      "no worker of \(queue, .queue) could run for \(rest, .duration): "
        + "\(workers, .workers) \(words: workers == 1 ? "waits" : "wait"), \(thread, .thread) as the last, and "
        + "\(items, .items) \(words: items == 1 ? "item is" : "items are") queued; libdispatch's monitor looks once "
        + "a second, and adds one worker")
  }

  static func poolExhaustion(
    workers: Int, waits: [FindingStatement], holder: FindingStatement?, items: Int, queue: String,
    awaited: (name: String?, isBarrier: Bool)?
  ) -> FindingStatement {
    let more: FindingStatement =
      workers > waits.count ? ", and \(workers - waits.count, .others) more like them" : ""
    return "all \(workers, .workers) workers of the pool are blocked: "
      + "\(waits.joined(separator: ", "))\(more)\(holder.map { "; " + $0 } ?? "")"
      + "; \(items, .items) more item\(words: items == 1 ? "" : "s"), "
      + "first of \(queue, .queue), \(words: items == 1 ? "needs" : "need") a worker to start"
      + (awaited.map {
        "\(words: items == 1 ? ":" : ", among them") \(words: $0.isBarrier ? "the barrier " : "")"
          + "\(anItem($0.name)), for which these wait"
      } ?? "")
  }

  static func silentTimer(_ timer: String) -> FindingStatement {
    "timer source \(timer, .timer) loses its last reference before it has fired, and never fires: "
      + "keep it in a property, or at the top"
  }
  static func syncOnOwnQueue(_ thread: String, runs queue: String, asked: String?)
    -> FindingStatement
  {
    "\(thread, .thread) runs on queue \(queue, .queue) and calls sync on "
      + (asked.map { "\($0, .queue), whose target it is" } ?? "it") + ": it would wait for itself"
  }
  static func unbalancedGroup(_ group: String, entered count: Int) -> FindingStatement {
    "group \(group, .group) was entered \(times(count)) more often than left"
  }
  static func unbalancedLeave(
    _ group: String, by who: String, earlier: [String]
  ) -> FindingStatement {
    let before: FindingStatement =
      earlier.isEmpty
      ? ""
      : ", and was left before by "
        + earlier.map { "\($0, .item)" as FindingStatement }.joined(separator: ", ")
        + ", latest first: one of these calls is too many"
    return "group \(group, .group) is left once more than it was entered, here by \(who, .item)"
      + before
  }
  static func waitingItems(_ count: Int) -> FindingStatement {
    count == 1 ? "one item waits" : "\(count, .items) items wait"
  }

  static func waitsForGroup(
    _ who: FindingStatement, group: String, entered count: Int, member: FindingStatement?,
    _ enders: Enders?
  ) -> FindingStatement {
    let others: FindingStatement = count > 1 ? " among others" : ""
    let by: FindingStatement = member.map { ", by \($0)\(others)" } ?? ""
    return FindingStatement(
      waiting: .group, member == nil ? enders?.obstacle ?? .signal : .running,
      "\(who) waits for group \(group, .group), which is entered \(times(count))\(by)"
        + (member == nil ? wouldBe("left", "leaves", enders) : ""))
  }

  static func waitsForGroup(
    _ who: FindingStatement, group: String, item: String?, queue: String, runner: FindingStatement
  ) -> FindingStatement {
    let member: FindingStatement = item.map { "\($0, .item)" } ?? "an item"
    return FindingStatement(
      waiting: .group, .queued,
      "\(who) waits for group \(group, .group), of which \(member) waits in queue "
        + "\(queue, .queue), which \(runner) occupies")
  }

  static func waitsForWorkItem(_ who: FindingStatement, item: String) -> FindingStatement {
    FindingStatement(
      waiting: .workItem, .notStarted,
      "\(who) waits for work item \(item, .item), which has not run")
  }

  static func waitsForWorkItem(
    _ who: FindingStatement, item: String, queue: String?, runner: FindingStatement
  ) -> FindingStatement {
    guard let queue else {
      return FindingStatement(
        waiting: .workItem, .running,
        "\(who) waits for work item \(item, .item), which \(runner) runs")
    }
    return FindingStatement(
      waiting: .workItem, .queued,
      "\(who) waits for work item \(item, .item), which waits in queue \(queue, .queue), "
        + "which \(runner) occupies")
  }

  private static func waitsInSync(
    _ who: FindingStatement, queue: String, _ obstacle: Finding.Obstacle, _ end: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .sync, obstacle, "\(who) waits in sync for queue \(queue, .queue), which \(end)")
  }

  static func waitsInSyncBehind(
    _ item: FindingStatement, isBarrier: Bool, _ who: FindingStatement, queue: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .sync, isBarrier ? .barrier : .notStarted,
      "\(who) waits in sync for queue \(queue, .queue), behind \(words: isBarrier ? "the barrier " : "")"
        + "\(item), which waits for a worker of the pool")
  }

  static func waitsInSyncBehindBarrier(
    _ who: FindingStatement, queue: String, barrier: String, reader: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .sync, .barrier,
      "\(who) waits in sync for queue \(queue, .queue), behind the barrier \(barrier, .barrier), "
        + "which waits while \(reader) still reads")
  }

  static func waitsInSyncForActivation(
    _ who: FindingStatement, queue: String
  ) -> FindingStatement {
    waitsInSync(who, queue: queue, .activation, "was never activated")
  }
  static func waitsInSyncForMain(_ who: FindingStatement, queue: String) -> FindingStatement {
    waitsInSync(who, queue: queue, .mainThread, "only the main thread runs")
  }
  static func waitsInSyncForNobody(_ who: FindingStatement, queue: String) -> FindingStatement {
    waitsInSync(who, queue: queue, .notStarted, "no thread runs")
  }
  static func waitsInSyncForReader(
    _ who: FindingStatement, queue: String, reader: FindingStatement
  ) -> FindingStatement {
    waitsInSync(who, queue: queue, .readers, "\(reader) still reads")
  }
  static func waitsInSyncForResume(_ who: FindingStatement, queue: String) -> FindingStatement {
    waitsInSync(who, queue: queue, .suspended, "is suspended")
  }
  static func waitsInSyncForRunner(
    _ who: FindingStatement, queue: String, runner: FindingStatement
  ) -> FindingStatement {
    waitsInSync(who, queue: queue, .owner, "\(runner) runs")
  }
}
