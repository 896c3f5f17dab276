/// The wordings about what threads wait for, and how the waits are connected.
extension FindingText {
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
  static func circleOfWaits(_ waits: [String]) -> String {
    waits.count == 1
      ? "\(waits[0]), and that is itself"
      : waits.joined(separator: ", and ") + ": none of them can go on"
  }
  static func waitsBehindWriter(_ who: String, lock: String, writer: String) -> String {
    "\(who) waits for lock \(lock), behind '\(writer)', which waits to write"
  }
  static func waitsForAccelerator(_ who: String, accelerator: String) -> String {
    "\(who) waits for accelerator '\(accelerator)'"
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

  static func waitsForIterations(_ who: String) -> String {
    "\(who) waits for the other iterations of its concurrentPerform"
  }
  static func waitsForKeptLock(_ who: String, lock: String, keeper: String) -> String {
    "\(who) waits for lock \(lock), which the code of '\(keeper)' took and never gave back"
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
  static func waitsForStatus(_ who: String, task: String, owner: String?) -> String {
    let text = "\(who) waits for the status lock of task '\(task)'"
    return owner.map { "\(text), which '\($0)' has while it calls the task's handlers" } ?? text
  }
  static func waitsForThread(_ who: String, thread: String, sleepsIn modes: String?) -> String {
    "\(who) waits for the end of thread '\(thread)'"
      + (modes.map { ", which sleeps in its run loop in \($0)" } ?? "")
  }
}
