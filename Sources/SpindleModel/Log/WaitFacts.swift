/// What is known of a reason to wait, whoever waits for whatever.
package struct WaitFacts {
  /// What the log says of a thread that begins to wait.
  package let word: StaticString
  /// What it says when the wait comes to its limit; nil for a wait that has none, or is for a thread.
  package let timeOut: StaticString?
  /// The class of what is waited for; nil where it has no number of its own.
  package let object: HandleClass?
  /// Whether a thread that waits like this when nothing can happen any more is stuck.
  package let canDeadlock: Bool
  /// Whether who waits lends its priority to who has what it waits for.
  package let lends: Bool

  init(
    _ word: StaticString, timeOut: StaticString? = nil, _ object: HandleClass? = nil,
    canDeadlock: Bool = true, lends: Bool = false
  ) {
    (self.word, self.timeOut, self.object) = (word, timeOut, object)
    (self.canDeadlock, self.lends) = (canDeadlock, lends)
  }
}

extension WaitReason {
  /// What is known of this reason; each has its line here.
  package var facts: WaitFacts {
    switch self {
    case .io: WaitFacts("waits for io", canDeadlock: false)
    case .sleep: WaitFacts("sleeps", canDeadlock: false)
    case .lock: WaitFacts("waits for lock", timeOut: "times out at lock", .mutex, lends: true)
    case .condition:
      WaitFacts("waits for condition", timeOut: "times out at condition", .condition)
    case .semaphore:
      WaitFacts("waits for semaphore", timeOut: "times out at semaphore", .semaphore)
    case .group: WaitFacts("waits for group", timeOut: "times out at group", .group)
    case .join: WaitFacts("joins")
    case .runLoop: WaitFacts("idles in its run loop", canDeadlock: false)
    case .idleWorker: WaitFacts("is idle", .threadPool, canDeadlock: false)
    case .sync: WaitFacts("waits in sync for queue", .queue, lends: true)
    case .workItem:
      WaitFacts("waits for work item", timeOut: "times out at work item", lends: true)
    case .apply: WaitFacts("waits for the other iterations")
    case .once: WaitFacts("waits for once", lends: true)
    case .perform: WaitFacts("waits for a perform of")
    case .operation: WaitFacts("waits for operation", .operation)
    case .operations: WaitFacts("waits for the operations of", .operationQueue)
    }
  }
}
