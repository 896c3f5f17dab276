import SpindleModel

/// The wordings about locks, conditions, semaphores and shared variables.
extension FindingText {
  static func dataRace(
    _ variable: String, later: (done: StaticString, who: String),
    earlier: (done: StaticString, who: String), isOnePlace: Bool, isOneThread: Bool,
    isSideBySide: Bool
  ) -> String {
    let place = isOnePlace ? "here too" : "there"
    return "'\(variable)' is \(later.done) here by \(later.who), and was \(earlier.done) "
      + "\(place) by \(earlier.who); nothing orders the two, so they may come at once: one lock "
      + "around both, or one serial queue or actor for both, would order them"
      + (isSideBySide ? ", or 'flags: .barrier' for what writes, on this concurrent queue" : "")
      + (isOneThread ? "; that one thread did both is chance" : "")
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

  static func lostWakeup(_ thread: String, condition: String) -> String {
    "'\(thread)' waits for a signal of '\(condition)' that was given when nobody waited: "
      + "a condition does not remember signals"
  }

  static func priorityInversion(
    _ thread: String, waited: Nanoseconds, lock: String, owner: String, lost: Nanoseconds
  ) -> String {
    "'\(thread)' waited \(waited) for '\(lock)', "
      + "whose owner '\(owner)' is less urgent and got no core for \(lost)"
  }

  static func semaphoreInversion(
    _ thread: String, waited: Nanoseconds, semaphore: String, signaller: String, lost: Nanoseconds
  ) -> String {
    "'\(thread)' waited \(waited) for a signal of '\(semaphore)' by '\(signaller)', which is less "
      + "urgent and stood without a core for \(lost) of it: a semaphore has no owner that could be "
      + "made more urgent"
  }

  static func unlockOfFree(_ thread: String, lock: String) -> String {
    "'\(thread)' unlocked '\(lock)', which is free"
  }

  static func unlockOfOther(
    _ thread: String, lock: String, owner: String, isFreed: Bool, onLinux: Bool
  ) -> String {
    let freed = onLinux ? "on Linux it is free now" : "it is free now"
    return "'\(thread)' tried to unlock '\(lock)', which belongs to '\(owner)': "
      + (isFreed ? freed : "it stays locked")
  }

  static func unlockOfReaders(_ thread: String, lock: String) -> String {
    "'\(thread)' unlocked '\(lock)', which readers have and it has not: one of them has it no more"
  }
}
