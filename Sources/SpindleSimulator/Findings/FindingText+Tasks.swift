import SpindleModel

/// The wordings about tasks, actors and continuations.
extension FindingText {
  static func actorReentrancy(_ task: String, member: String, other: String) -> String {
    "'\(task)' looked at '\(member)' and waited, '\(other)' changed it meanwhile, and '\(task)' changed "
      + "it without another look"
  }
  static func blockingInTask(_ task: String, _ wait: String) -> String {
    "'\(task)' \(wait) and keeps its thread meanwhile: one thread of the pool fewer for all other "
      + "tasks"
  }

  static func cancellationIgnored(
    _ task: String, awaits other: String?, delay: Nanoseconds
  ) -> String {
    "'\(task)' was cancelled and never asked whether it is: its scope had to wait another \(delay) "
      + "for it"
      + (other.map { ", as it waited for '\($0)', which that does not cancel" } ?? "")
  }

  static func circularAwait(_ names: [String]) -> String {
    let parts = names.indices.map { "'\(names[$0])' for '\(names[($0 + 1) % names.count])'" }
    return "tasks wait for each other's end: \(parts.joined(separator: ", ")); none of them ever "
      + "goes on"
  }
  static func competingReaders(_ stream: String, _ task: String, _ other: String) -> String {
    "'\(task)' and '\(other)' each loop over stream '\(stream)': an element goes to one of them only, so each "
      + "sees a part of all"
  }
  static func continuationLost(_ task: String) -> String {
    "the continuation of '\(task)' was dropped before anything resumed it: the task waits for ever"
  }
  static func continuationNeverResumed(
    _ task: String, cancelled: Instant?, hears: Bool, awaitedBy waiters: [String], group: String?
  ) -> String {
    var text = "'\(task)' waits for a continuation that nobody has resumed or ever will"
    if let cancelled {
      text +=
        "; '\(task)' was cancelled at \(cancelled), which does not resume a continuation"
        + (hears ? "" : ": 'withTaskCancellationHandler' around it could")
    }
    if let group {
      text += "; '\(group)', whose group '\(task)' is in, waits for it"
    } else if !waiters.isEmpty {
      let names = waiters.map { "'\($0)'" }.joined(separator: ", ")
      text += "; \(names) \(waiters.count == 1 ? "waits" : "wait") for '\(task)'"
    }
    return text
  }
  static func continuationResumedTwice(_ task: String, first: Instant) -> String {
    "the continuation of '\(task)' was resumed again; it was first resumed at \(first)"
  }
  static func errorNobodyAwaits(_ task: String, error: String) -> String {
    "'\(task)' threw \"\(error)\", and nobody has asked for its value: the error is lost"
  }
  static func mainActorFlood(count: Int) -> String {
    "\(count) tasks stand in line for the main actor at once, and whatever comes next stands behind "
      + "them"
  }
  static func orderNotKept(_ task: String, after: String, actor: String) -> String {
    "'\(task)' was made before '\(after)' and comes to \(actor) behind it: a task for each event keeps "
      + "no order"
  }

  static func poolStarved(waiting: Int, _ priority: String, _ blocked: [String]) -> String {
    let tasks = waiting == 1 ? "1 task" : "\(waiting) tasks"
    let verb = waiting == 1 ? "waits" : "wait"
    // Tasks without names of their own that wait for the same are told once.
    var waits: [String] = []
    for (index, wait) in blocked.enumerated() where blocked.firstIndex(of: wait) == index {
      let count = blocked.count { $0 == wait }
      waits.append(count == 1 ? wait : "\(wait) (\(count) of them)")
    }
    return
      "\(tasks) of priority \(priority), ready to run, \(verb) for a thread of the pool, and all of its threads "
      + "wait: \(waits.joined(separator: ", "))"
  }

  static func priorityInversionOnActor(
    _ task: String, _ priority: String, waited: Nanoseconds, actor: String, holder: String,
    _ low: String
  ) -> String {
    "'\(task)', of priority \(priority), stood in line for \(actor) for \(waited), behind "
      + "'\(holder)', whose own is \(low)"
  }

  static func taskOutlivesScope(_ task: String, state: String) -> String {
    "the async main has returned, which ends the process, and '\(task)' \(state)"
  }
  static func unboundedTasks(count: Int) -> String {
    "\(count) tasks are alive at once, and nothing limits how many there will be"
  }
  static func waitsForTask(_ task: String) -> String { "waits for task '\(task)'" }
  static func waitsInTask(_ word: String, _ object: String) -> String {
    object.isEmpty ? word : "\(word) '\(object)'"
  }
  static func yieldAfterTermination(_ stream: String, since time: Instant) -> String {
    "stream '\(stream)' has ended, and elements are yielded to it all the same since \(time): each is dropped, and "
      + "'yield' returns '.terminated'"
  }
}
