import SpindleModel

/// The wordings about tasks, actors and continuations.
extension FindingText {
  static func actorReentrancy(_ task: String, member: String, other: String) -> FindingStatement {
    "\(task, .task) read \(member, .property) and suspended, \(other, .task) changed it meanwhile, and \(task, .task) changed "
      + "it without reading it again"
  }
  static func blockingInTask(_ task: String, _ wait: FindingStatement) -> FindingStatement {
    "\(task, .task) \(wait) and blocks its thread: the pool has one thread less for other "
      + "tasks"
  }

  static func cancellationIgnored(
    _ task: String, awaits other: String?, delay: Nanoseconds
  ) -> FindingStatement {
    "\(task, .task) was cancelled and never checked: its scope waited another \(delay, .delay) "
      + "for it"
      + (other.map { ", as it waited for \($0, .task), which is not cancelled with it" } ?? "")
  }

  static func circularAwait(_ names: [String]) -> FindingStatement {
    let parts: [FindingStatement] = names.indices.map {
      "\(names[$0], .task) for \(names[($0 + 1) % names.count], .task)"
    }
    return FindingStatement(
      cycleOf: names.count,
      "tasks wait for each other's end: \(parts.joined(separator: ", ")); none of them ever continues"
    )
  }
  static func competingReaders(
    _ stream: String, _ task: String, _ other: String
  ) -> FindingStatement {
    "\(task, .task) and \(other, .task) each loop over stream \(stream, .stream): each element goes to only one of "
      + "them, so each sees only some"
  }
  static func continuationLost(_ task: String) -> FindingStatement {
    "the continuation of \(task, .task) was dropped before it was resumed: the task waits forever"
  }
  static func continuationNeverResumed(
    _ task: String, _ enders: Enders?, cancelled: Instant?, hears: Bool,
    awaitedBy waiters: [String], group: String?
  ) -> FindingStatement {
    var text: FindingStatement =
      "\(task, .task) waits for a continuation that was never resumed and never will be"
      + wouldBe("resumed", "resumes", enders)
    if let cancelled {
      text +=
        "; \(task, .task) was cancelled at \(cancelled, .time), which does not resume a continuation"
        + (hears ? "" : ": 'withTaskCancellationHandler' around it could")
    }
    if let group {
      text += "; \(group, .task), whose group \(task, .task) is in, waits for it"
    } else if !waiters.isEmpty {
      let names = waiters.map { "\($0, .task)" as FindingStatement }.joined(separator: ", ")
      text += "; \(names) \(words: waiters.count == 1 ? "waits" : "wait") for \(task, .task)"
    }
    return text
  }
  static func continuationResumedTwice(_ task: String, first: Instant) -> FindingStatement {
    "the continuation of \(task, .task) was resumed again; it was first resumed at \(first, .time)"
  }
  static func errorNobodyAwaits(_ task: String, error: String) -> FindingStatement {
    "\(task, .task) threw \(error, .error), and its value was never awaited: the error is lost"
  }
  static func mainActorFlood(count: Int) -> FindingStatement {
    "\(count, .tasks) tasks are queued for the main actor at once, and everything later waits behind "
      + "them"
  }
  static func orderNotKept(_ task: String, after: String, actor: FindingStatement)
    -> FindingStatement
  {
    "\(task, .task) was created before \(after, .task) and reaches \(actor) after it: a task for each event keeps "
      + "no order"
  }

  static func poolStarved(waiting: Int, _ priority: String, _ blocked: [FindingStatement])
    -> FindingStatement
  {
    let tasks: FindingStatement =
      waiting == 1 ? "\(1, .tasks) task" : "\(waiting, .tasks) tasks"
    let verb: FindingStatement = waiting == 1 ? "waits" : "wait"
    // Tasks without names of their own that wait for the same are told once.
    var waits: [FindingStatement] = []
    for (index, wait) in blocked.enumerated() where blocked.firstIndex(of: wait) == index {
      let count = blocked.count { $0 == wait }
      waits.append(count == 1 ? wait : "\(wait) (\(count, .tasks) of them)")
    }
    return
      "\(tasks) of priority \(priority, .priority), ready to run, \(verb) for a thread of the pool, and all of its threads "
      + "are blocked: \(waits.joined(separator: ", "))"
  }

  static func priorityInversionOnActor(
    _ task: String, _ priority: String, waited: Nanoseconds, actor: FindingStatement,
    holder: String,
    _ low: String
  ) -> FindingStatement {
    "\(task, .task), of priority \(priority, .priority), was queued for \(actor) for \(waited, .waited), behind "
      + "\(holder, .holder), whose priority is \(low, .priority)"
  }

  static func taskOutlivesScope(_ task: String, state: FindingStatement) -> FindingStatement {
    "the async main has returned, which ends the process, and \(task, .task) \(state)"
  }
  /// Tasks each of which waits for the next one, with who would end the wait of the last.
  static func tasksWait(_ chain: FindingStatement, count: Int, _ enders: Enders?)
    -> FindingStatement
  {
    "\(chain)\(wouldBe("fed", "feeds", enders))"
      + ": no remaining event can wake \(words: count == 1 ? "it" : "them")"
  }
  static func taskWaits(_ task: String) -> FindingStatement { "\(task, .task) " }
  /// What leads from a task to the one that it waits for, whose wait follows.
  static func taskWaitsOn(ofGroup task: String?) -> FindingStatement {
    task.map { ", in which \($0, .task) " } ?? ", which "
  }
  static func unboundedTasks(count: Int) -> FindingStatement {
    "\(count, .tasks) tasks are alive at once, and nothing limits their number"
  }
  static func waitsForTask(_ task: String) -> FindingStatement { "waits for task \(task, .task)" }
  static func waitsInTask(_ reason: WaitReason, _ object: String) -> FindingStatement {
    let word: FindingStatement = "\(words: "\(reason.facts.word)")"
    return FindingStatement(
      waiting: reason, .unknown, object.isEmpty ? word : word + " \(object, .awaited)")
  }
  static func yieldAfterTermination(_ stream: String, since time: Instant) -> FindingStatement {
    "stream \(stream, .stream) has ended, and elements are still yielded to it since \(time, .since): each "
      + "is dropped, and 'yield' returns '.terminated'"
  }
}
