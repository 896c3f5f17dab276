import SpindleModel

/// The wordings about who would end a wait that never ends.
extension FindingText {
  /// Who would end a wait.
  enum Enders {
    /// What is left of the trace does not; `isPast` where code would have that is past or was skipped.
    case nobody(isPast: Bool)
    /// Only who waits, when it goes on.
    case itself
    /// These, each with why it does not; and so many more.
    case these([FindingStatement], others: Int)

    /// What keeps the wait from ending.
    var obstacle: Finding.Obstacle {
      switch self {
      case .nobody: .nobody
      case .itself: .itself
      case .these: .signal
      }
    }
  }

  static func anItem(_ name: String?) -> FindingStatement {
    name.map { "\($0, .signaller)" } ?? "an item"
  }
  /// Who would do something, behind what they would do: `by 'a', which …, or by 'b', which …`.
  static func byEnders(_ enders: [FindingStatement], others: Int) -> FindingStatement {
    let more: FindingStatement =
      others == 0 ? "" : others == 1 ? ", or by another item" : ", or by \(others, .others) more"
    return " by " + enders.joined(separator: ", or by ") + more
  }
  static func ender(_ who: FindingStatement, follows item: String) -> FindingStatement {
    "\(who), which is submitted behind work item \(item, .item)"
  }
  static func ender(_ who: FindingStatement, followsGroup group: String, left: Enders?)
    -> FindingStatement
  {
    "\(who), which is submitted once group \(group, .group) is empty"
      + wouldBe("left", "leaves", left)
  }
  static func ender(completionOf operation: String, standing: FindingStatement)
    -> FindingStatement
  {
    "the completion block of operation \(operation, .operation), \(standing)"
  }
  static func ender(deinitOf type: String) -> FindingStatement {
    "the 'deinit' of \(type, .instance), to which a reference remains"
  }
  static func ender(cancellationOf task: String) -> FindingStatement {
    "the cancellation handler of task \(task, .task), which is not cancelled"
  }
  static func ender(_ who: FindingStatement, in queue: String, of runner: FindingStatement)
    -> FindingStatement
  {
    "\(who), which waits in queue \(queue, .queue), which \(runner) occupies"
  }
  static func ender(_ who: FindingStatement, inClosed queue: String, isInactive: Bool)
    -> FindingStatement
  {
    "\(who), which waits in queue \(queue, .queue), which "
      + (isInactive ? "was never activated" : "is suspended")
  }
  static func ender(
    _ name: String?, inLoopOf thread: String, waitsFor wait: (WaitReason, String)?
  ) -> FindingStatement {
    let what: FindingStatement = name.map { "\($0, .signaller)" } ?? "a block"
    return "\(what) in the run loop of \(thread, .thread), which "
      + (wait.map { waits(inWordsOf: $0.0, $0.1) } ?? "does not run it")
  }
  static func ender(_ who: FindingStatement, inPool pool: String) -> FindingStatement {
    "\(who), which waits for a thread of pool \(pool, .executor)"
  }
  static func ender(_ who: FindingStatement, standing: FindingStatement) -> FindingStatement {
    "\(who), \(standing)"
  }
  static func ender(
    _ who: FindingStatement, waitsFor reason: WaitReason, _ object: String
  ) -> FindingStatement {
    "\(who), which \(waits(inWordsOf: reason, object))"
  }
  static func ender(_ who: FindingStatement, withoutWorkerIn queue: String) -> FindingStatement {
    "\(who), which waits in queue \(queue, .queue) for a worker of the pool"
  }
  static func ender(closureIn variable: String) -> FindingStatement {
    "the closure in \(variable, .variable), which no remaining code calls"
  }
  static func ender(source: String, isOpen: Bool) -> FindingStatement {
    "the handler of source \(source, .source), which "
      + (isOpen ? "no remaining event calls" : "is suspended")
  }
  static func ender(task: String, _ wait: FindingStatement) -> FindingStatement {
    "\(task, .signaller), which \(wait)"
  }
  static func enderAsleep(_ who: FindingStatement) -> FindingStatement {
    "\(who), which sleeps"
  }
  static func enderNotStarted(_ thread: String) -> FindingStatement {
    "thread \(thread, .signaller), which was never started"
  }
  /// That there is code which would have ended the wait: its places are those of the finding.
  private static func past(_ isPast: Bool) -> FindingStatement {
    isPast ? " (the code that could have is past, or was skipped)" : ""
  }
  /// What nobody does, or only who waits, behind what is waited for.
  static func lackOfEnders(_ enders: Enders?, _ verb: FindingStatement) -> FindingStatement {
    switch enders {
    case nil, .these: ""
    case .nobody(let isPast): ", which no remaining code \(verb)" + past(isPast)
    case .itself: ", which only the waiting code itself \(verb), after this wait"
    }
  }
  static func waits(inWordsOf reason: WaitReason, _ object: String) -> FindingStatement {
    let word: FindingStatement = "\(words: "\(reason.facts.word)")"
    return object.isEmpty ? word : word + " \(object, .awaited)"
  }
  static func waits(inWordsOf wait: TaskWait) -> FindingStatement {
    "waits \(words: "\(wait.words)")"
  }
  static func waitsForElement(of stream: String) -> FindingStatement {
    "waits for an element of stream \(stream, .stream)"
  }
  static func waitsForMainActor(
    of thread: String, waitsFor wait: (WaitReason, String)?
  ) -> FindingStatement {
    "waits for the main actor"
      + (wait.map { ", whose thread \(thread, .thread) \(waits(inWordsOf: $0.0, $0.1))" } ?? "")
  }
  static let waitsForPoolThread: FindingStatement = "waits for a thread of the pool"
  static func waitsForTurn(on actor: FindingStatement, held task: String?) -> FindingStatement {
    "waits for its turn on actor \(actor)" + (task.map { ", which \($0, .holder) occupies" } ?? "")
  }
  /// A work item that was submitted, and why it does not run, behind that it has not.
  static func workItem(stands clause: FindingStatement) -> FindingStatement { ": \(clause)" }
  /// Who would do something to what is waited for: by what it would be done, and what nobody does.
  static func wouldBe(_ done: FindingStatement, _ does: FindingStatement, _ enders: Enders?)
    -> FindingStatement
  {
    switch enders {
    case nil: ""
    case .nobody(let isPast): ", and no remaining code \(does) it" + past(isPast)
    case .itself: ", and only the waiting code itself \(does) it, after this wait"
    case .these(let named, let others):
      ", and would be \(done)" + byEnders(named, others: others)
    }
  }
}
