import SpindleModel

/// The wordings about locks, conditions, semaphores and shared variables.
extension FindingText {
  static func dataRace(
    _ variable: String, later: (done: StaticString, who: FindingStatement),
    earlier: (done: StaticString, who: FindingStatement), isOnePlace: Bool, isOneThread: Bool,
    isSideBySide: Bool
  ) -> FindingStatement {
    let place: FindingStatement = isOnePlace ? "here too" : "there"
    return
      "\(variable, .variable) is \(words: "\(later.done)") here by \(later.who), and was \(words: "\(earlier.done)") "
      + "\(place) by \(earlier.who); the accesses are unordered and can happen concurrently: one lock "
      + "around both, or one serial queue or actor for both, would order them"
      + (isSideBySide ? ", or 'flags: .barrier' for the writer, on this concurrent queue" : "")
      + (isOneThread ? "; that one thread did both is a coincidence" : "")
  }

  static func lockHeldByEndedThread(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) ended and still owns \(lock, .lock): it can never be acquired again"
  }

  static func lockOrderInversion(
    _ steps: [(who: FindingStatement, from: String, isFromQueue: Bool, to: String, isToQueue: Bool)]
  ) -> FindingStatement {
    let texts = steps.enumerated().map { index, step -> FindingStatement in
      step.who + (step.isToQueue ? " called sync on" : " acquired")
        + " \(step.to, step.isToQueue ? .queue : .lock) "
        + (index == 0 ? "here " : "")
        + (step.isFromQueue
          ? "while it was on \(step.from, step.isFromQueue ? .queue : .lock)"
          : "while it owned \(step.from, step.isFromQueue ? .queue : .lock)")
    }
    let isOneThread = steps.allSatisfy { $0.who == steps[0].who }
    let all: FindingStatement = steps.count == 2 ? "both" : "all \(words: "\(steps.count)")"
    return FindingStatement(cycleOf: steps.count, texts.joined(separator: ", and "))
      + "; nothing excludes this, so \(all) can happen at once, and then each waits forever for the "
      + "next one: acquire them in one order everywhere, "
      + (steps.contains(where: \.isToQueue)
        ? "or submit one with async" : "or use one lock around \(all)")
      + (isOneThread ? "; that one thread did \(all) is a coincidence" : "")
  }

  static func lostWakeup(_ thread: String, condition: String) -> FindingStatement {
    "\(thread, .thread) waits for a signal of \(condition, .condition) that was sent when no thread waited: "
      + "a condition does not remember signals"
  }

  static func priorityInversion(
    _ thread: String, waited: Nanoseconds, lock: String, owner: String, lost: Nanoseconds
  ) -> FindingStatement {
    "\(thread, .thread) waited \(waited, .waited) for \(lock, .lock), "
      + "whose lower-priority owner \(owner, .owner) was not scheduled for \(lost, .lost)"
  }

  static func semaphoreInversion(
    _ thread: String, waited: Nanoseconds, semaphore: String, signaller: String, lost: Nanoseconds
  ) -> FindingStatement {
    "\(thread, .thread) waited \(waited, .waited) for a signal of \(semaphore, .semaphore) by \(signaller, .signaller), which has a "
      + "lower priority and was not scheduled for \(lost, .lost) of it: a semaphore has no owner whose "
      + "priority could be raised"
  }

  static func unlockOfFree(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) unlocked \(lock, .lock), which is free"
  }

  static func unlockOfOther(
    _ thread: String, lock: String, owner: String, isFreed: Bool, onLinux: Bool
  ) -> FindingStatement {
    let freed: FindingStatement = onLinux ? "on Linux it is free now" : "it is free now"
    return "\(thread, .thread) tried to unlock \(lock, .lock), which is owned by \(owner, .owner): "
      + (isFreed ? freed : "it stays locked")
  }

  static func unlockOfReaders(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) unlocked \(lock, .lock), which readers own and it does not: one of them no longer owns it"
  }
}
