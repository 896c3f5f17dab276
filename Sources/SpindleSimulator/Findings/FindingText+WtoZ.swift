import SpindleModel

/// The wordings from W to Z.
extension FindingText {
  static func waitingItems(_ count: Int) -> String {
    count == 1 ? "one item waits" : "\(count) items wait"
  }
  static func waits(_ who: String) -> String { "\(who) waits" }
  static func waits(_ who: String, _ word: String) -> String { "\(who) \(word)" }
  static func waitsBehindWriter(_ who: String, lock: String, writer: String) -> String {
    "\(who) waits for lock \(lock), behind '\(writer)', which waits to write"
  }
  static func waitsForAccelerator(_ who: String, accelerator: String) -> String {
    "\(who) waits for accelerator '\(accelerator)'"
  }
  static func waitsForBlocks(_ who: String, operation: String) -> String {
    "\(who) waits for the other blocks of operation '\(operation)'"
  }
  static func waitsForCondition(_ who: String, condition: String) -> String {
    "\(who) waits for a signal of condition '\(condition)'"
  }
  static func waitsForEver(
    _ waits: [String], of count: Int, besideCycles: Bool, mainQueue: String
  ) -> String {
    let more = count > waits.count ? ", and \(count - waits.count) more wait like them" : ""
    let end =
      besideCycles
      ? "" : ": nothing that is left to happen can wake \(count == 1 ? "it" : "them")"
    return waits.joined(separator: "; ") + more + end + mainQueue
  }
  static func waitsForFreeLock(
    _ who: String, lock: String, conditions: (wanted: Int, present: Int)?
  ) -> String {
    guard let conditions else { return "\(who) waits for lock \(lock), which is free" }
    return "\(who) waits for lock \(lock) with condition \(conditions.wanted), "
      + "which is free with condition \(conditions.present)"
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
  static func waitsForIterations(_ who: String) -> String {
    "\(who) waits for the other iterations of its concurrentPerform"
  }
  static func waitsForKeptLock(_ who: String, lock: String, keeper: String) -> String {
    "\(who) waits for lock \(lock), which the code of '\(keeper)' took and never gave back"
  }
  static func waitsForLastOperation(
    _ who: String, _ operation: String, isBarrier: Bool, queue: String, standing: String
  ) -> String {
    "\(who) waits until \(isBarrier ? "the barrier" : "operation") '\(operation)' of '\(queue)' is "
      + "finished, \(standing)"
  }
  static func waitsForLock(
    _ who: String, lock: String, owner: String, hasEnded: Bool
  ) -> String {
    "\(who) waits for lock \(lock), held by '\(owner)'\(hasEnded ? ", which has ended" : "")"
  }
  static func waitsForLock(_ who: String, lock: String, leftBy task: String) -> String {
    "\(who) waits for lock \(lock), taken by '\(task)', which went away in `await` with it"
  }
  static func waitsForOnce(_ who: String, once: String, runner: String) -> String {
    "\(who) waits for the block of '\(once)', which '\(runner)' runs"
  }
  static func waitsForOperation(_ who: String, operation: String, standing: String) -> String {
    "\(who) waits until operation '\(operation)' is finished, \(standing)"
  }
  static func waitsForOperations(
    _ who: String, count: Int, queue: String, first: String, standing: String
  ) -> String {
    "\(who) waits until all \(count) operations of '\(queue)' are finished, among them '\(first)', "
      + standing
  }
  static func waitsForOperationsOfStopped(
    _ who: String, count: Int, queue: String, isSuspended: Bool
  ) -> String {
    "\(who) waits until all \(count) operations of '\(queue)' are finished, "
      + (isSuspended ? "which is suspended" : "which may start none")
  }
  static func waitsForPerform(
    _ who: String, by thread: String, in modes: String?, isStarted: Bool, sleepsIn asleep: String?
  ) -> String {
    let asked = modes.map { " in \($0)" } ?? ""
    let wait = "\(who) waits until '\(thread)' has performed what it asked for\(asked)"
    if !isStarted { return wait + ", and it was never started" }
    return wait + (asleep.map { ", and '\(thread)' sleeps in its run loop in \($0)" } ?? "")
  }
  static func waitsForReaders(_ who: String, lock: String) -> String {
    "\(who) waits for lock \(lock), which readers have"
  }
  static func waitsForReaders(_ who: String, lock: String, reader: String, others: Int) -> String {
    let readers =
      others == 0 ? "'\(reader)' as a reader" : "'\(reader)' and \(others) more as readers"
    return "\(who) waits for lock \(lock), held by \(readers)"
  }
  static func waitsForSemaphore(_ who: String, semaphore: String) -> String {
    "\(who) waits for a signal of semaphore '\(semaphore)'"
  }
  static func waitsForTask(_ task: String) -> String { "waits for task '\(task)'" }
  static func waitsForThread(_ who: String, thread: String, sleepsIn modes: String?) -> String {
    "\(who) waits for the end of thread '\(thread)'"
      + (modes.map { ", which sleeps in its run loop in \($0)" } ?? "")
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
  static func waitsInTask(_ word: String, _ object: String) -> String {
    object.isEmpty ? word : "\(word) '\(object)'"
  }
  static let whatWasAsked: StaticString = "what it was asked to perform"
}
