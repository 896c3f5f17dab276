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
      + "\(place) by \(earlier.who); nothing orders the two, so they may come at once: one lock "
      + "around both, or one serial queue or actor for both, would order them"
      + (isSideBySide ? ", or 'flags: .barrier' for what writes, on this concurrent queue" : "")
      + (isOneThread ? "; that one thread did both is chance" : "")
  }

  static func lockHeldByEndedThread(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) ended and still has \(lock, .lock): nobody can take it any more"
  }

  static func lockOrderInversion(
    _ steps: [(who: FindingStatement, from: String, isFromQueue: Bool, to: String, isToQueue: Bool)]
  ) -> FindingStatement {
    let texts = steps.enumerated().map { index, step -> FindingStatement in
      step.who + (step.isToQueue ? " called sync on" : " took")
        + " \(step.to, step.isToQueue ? .queue : .lock) "
        + (index == 0 ? "here " : "")
        + (step.isFromQueue
          ? "while it was on \(step.from, step.isFromQueue ? .queue : .lock)"
          : "while it had \(step.from, step.isFromQueue ? .queue : .lock)")
    }
    let isOneThread = steps.allSatisfy { $0.who == steps[0].who }
    let all: FindingStatement = steps.count == 2 ? "both" : "all \(words: "\(steps.count)")"
    return FindingStatement(cycleOf: steps.count, texts.joined(separator: ", and "))
      + "; nothing keeps these apart, so \(all) may come at once, and then each waits for what the next one "
      + "has, for ever: take them in one order everywhere, "
      + (steps.contains(where: \.isToQueue)
        ? "or hand one over with async" : "or have one lock around \(all)")
      + (isOneThread ? "; that one thread did \(all) is chance" : "")
  }

  static func lostWakeup(_ thread: String, condition: String) -> FindingStatement {
    "\(thread, .thread) waits for a signal of \(condition, .condition) that was given when nobody waited: "
      + "a condition does not remember signals"
  }

  static func priorityInversion(
    _ thread: String, waited: Nanoseconds, lock: String, owner: String, lost: Nanoseconds
  ) -> FindingStatement {
    "\(thread, .thread) waited \(waited, .waited) for \(lock, .lock), "
      + "whose owner \(owner, .owner) is less urgent and got no core for \(lost, .lost)"
  }

  static func semaphoreInversion(
    _ thread: String, waited: Nanoseconds, semaphore: String, signaller: String, lost: Nanoseconds
  ) -> FindingStatement {
    "\(thread, .thread) waited \(waited, .waited) for a signal of \(semaphore, .semaphore) by \(signaller, .signaller), which is less "
      + "urgent and stood without a core for \(lost, .lost) of it: a semaphore has no owner that could be "
      + "made more urgent"
  }

  static func unlockOfFree(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) unlocked \(lock, .lock), which is free"
  }

  static func unlockOfOther(
    _ thread: String, lock: String, owner: String, isFreed: Bool, onLinux: Bool
  ) -> FindingStatement {
    let freed: FindingStatement = onLinux ? "on Linux it is free now" : "it is free now"
    return "\(thread, .thread) tried to unlock \(lock, .lock), which belongs to \(owner, .owner): "
      + (isFreed ? freed : "it stays locked")
  }

  static func unlockOfReaders(_ thread: String, lock: String) -> FindingStatement {
    "\(thread, .thread) unlocked \(lock, .lock), which readers have and it has not: one of them has it no more"
  }
}
