import SpindleModel

/// The wordings about what threads wait for, and how the waits are connected.
extension FindingText {
  static func blockedMainQueue(items: Int, isTask: Bool) -> FindingStatement {
    let waiting: FindingStatement =
      items == 1 ? "item that waits" : "\(items, .items) items that wait"
    return "; meanwhile the main thread can't run the \(waiting) in the main queue"
      + (isTask
        ? ", a piece of the main actor's code: a 'Task' created by main is on the main actor, one created by "
          + "'Task.detached' is not" : "")
  }

  static func blockedMainQueue(items: Int, awaitedBy task: String) -> FindingStatement {
    "; meanwhile the main thread can't run the main actor's code that \(task, .task) awaits"
      + (items == 1 ? "" : ", first of \(items, .items) items in the main queue")
  }
  static func cycleOfWaits(_ waits: [FindingStatement]) -> FindingStatement {
    FindingStatement(
      cycleOf: waits.count,
      waits.count == 1
        ? "\(waits[0]), which is itself"
        : waits.joined(separator: ", and ") + ": none of them can continue")
  }
  static func signalled(_ enders: Enders?) -> FindingStatement {
    guard case .these(let named, let others) = enders else { return lackOfEnders(enders, "sends") }
    return byEnders(named, others: others)
  }
  static func waitsBehindWriter(
    _ who: FindingStatement, lock: FindingStatement, writer: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .lock, .barrier,
      "\(who) waits for lock \(lock), behind \(writer, .writer), which waits to write")
  }
  static func waitsForAccelerator(
    _ who: FindingStatement, accelerator: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .accelerator, .queued,
      "\(who) waits for accelerator \(accelerator, .accelerator)")
  }
  static func waitsForCondition(
    _ who: FindingStatement, condition: String, _ enders: Enders?
  ) -> FindingStatement {
    FindingStatement(
      waiting: .condition, enders?.obstacle ?? .signal,
      "\(who) waits for a signal of condition \(condition, .condition)" + signalled(enders))
  }

  static func waitsForEver(
    _ waits: [FindingStatement], of count: Int, besideCycles: Bool, mainQueue: FindingStatement
  ) -> FindingStatement {
    let more: FindingStatement =
      count > waits.count ? ", and \(count - waits.count, .others) more wait like them" : ""
    let end: FindingStatement =
      besideCycles
      ? "" : ": no remaining event can wake \(words: count == 1 ? "it" : "them")"
    return waits.joined(separator: "; ") + more + end + mainQueue
  }

  static func waitsForFreeLock(
    _ who: FindingStatement, lock: FindingStatement, conditions: (wanted: Int, present: Int)?
  ) -> FindingStatement {
    guard let conditions else {
      return FindingStatement(
        waiting: .lock, .free, "\(who) waits for lock \(lock), which is free")
    }
    return FindingStatement(
      waiting: .lock, .free,
      "\(who) waits for lock \(lock) with condition \(conditions.wanted, .wanted), "
        + "which is free with condition \(conditions.present, .condition)")
  }

  static func waitsForIterations(_ who: FindingStatement) -> FindingStatement {
    FindingStatement(
      waiting: .apply, .running,
      "\(who) waits for the other iterations of its concurrentPerform")
  }
  static func waitsForKeptLock(
    _ who: FindingStatement, lock: FindingStatement, keeper: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .lock, .endedOwner,
      "\(who) waits for lock \(lock), which the code of \(keeper, .owner) acquired and never released"
    )
  }
  static func waitsForLock(
    _ who: FindingStatement, lock: FindingStatement, owner: String, hasEnded: Bool, isIdle: Bool
  ) -> FindingStatement {
    FindingStatement(
      waiting: .lock, hasEnded || isIdle ? .endedOwner : .owner,
      "\(who) waits for lock \(lock), held by \(owner, .owner)"
        + (hasEnded ? ", which has ended" : "")
        + (isIdle ? ", which is idle since the code that acquired it has ended" : ""))
  }
  static func waitsForLock(
    _ who: FindingStatement, lock: FindingStatement, leftBy task: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .lock, .suspendedTask,
      "\(who) waits for lock \(lock), acquired by \(task, .task), which is suspended in `await` with it"
    )
  }
  static func waitsForOnce(
    _ who: FindingStatement, once: String, runner: String
  ) -> FindingStatement {
    FindingStatement(
      waiting: .once, .running,
      "\(who) waits for the block of \(once, .once), which \(runner, .runner) runs")
  }
  static func waitsForReaders(
    _ who: FindingStatement, lock: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .lock, .readers, "\(who) waits for lock \(lock), which readers own")
  }
  static func waitsForReaders(
    _ who: FindingStatement, lock: FindingStatement, reader: String, others: Int
  ) -> FindingStatement {
    let readers: FindingStatement =
      others == 0
      ? "\(reader, .reader) as a reader"
      : "\(reader, .reader) and \(others, .others) more as readers"
    return FindingStatement(
      waiting: .lock, .readers, "\(who) waits for lock \(lock), held by \(readers)")
  }
  static func waitsForSemaphore(
    _ who: FindingStatement, semaphore: String, taker: String?, _ enders: Enders?
  ) -> FindingStatement {
    let taken: FindingStatement =
      switch enders {
      case .nobody, .itself: taker.map { " (acquired last by \($0, .owner))" } ?? ""
      case nil, .these: ""
      }
    return FindingStatement(
      waiting: .semaphore, enders?.obstacle ?? .signal,
      "\(who) waits for a signal of semaphore \(semaphore, .semaphore)" + taken
        + signalled(enders))
  }
  static func waitsForStatus(
    _ who: FindingStatement, task: String, owner: String?
  ) -> FindingStatement {
    FindingStatement(
      waiting: .taskStatus, owner == nil ? .unknown : .owner,
      "\(who) waits for the status lock of task \(task, .task)"
        + (owner.map { ", which \($0, .owner) owns while it calls the task's handlers" } ?? ""))
  }
  static func waitsForThread(
    _ who: FindingStatement, thread: String, isStarted: Bool, sleepsIn modes: FindingStatement?
  ) -> FindingStatement {
    FindingStatement(
      waiting: .join, !isStarted ? .notStarted : modes == nil ? .running : .asleep,
      "\(who) waits for the end of thread \(thread, .thread)"
        + (isStarted ? "" : ", which was never started")
        + (modes.map { ", which sleeps in its run loop in \($0)" } ?? ""))
  }
}
