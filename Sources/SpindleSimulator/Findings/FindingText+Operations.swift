import SpindleModel

/// The wordings about operations and their queues.
extension FindingText {
  /// How an operation came not to finish.
  enum Unfinished {
    /// The thread that ran it exited.
    case exited
    /// It has finished and told nobody.
    case unannounced
    /// It never said so.
    case unreported
  }

  static func addedAfterEnd(_ operation: String, to queue: String) -> FindingStatement {
    "\(operation, .operation) was added to \(queue, .queue) when it had finished"
  }
  static func addedAfterStart(_ operation: String, to queue: String) -> FindingStatement {
    "\(operation, .operation) was added to \(queue, .queue) when it had been started directly"
  }
  static func addedToSecond(_ operation: String, queue: String, first: String) -> FindingStatement {
    "\(operation, .operation) was added to \(queue, .queue) when it was in \(first, .queue) already"
  }
  static func addedTwice(_ operation: String) -> FindingStatement {
    "\(operation, .operation) was added twice by one call"
  }
  static func blockTooLate(_ operation: String) -> FindingStatement {
    "\(operation, .operation) was given another block after its start"
  }

  static func circularDependency(_ operations: [String]) -> FindingStatement {
    if operations.count == 1 {
      return FindingStatement(
        cycleOf: 1, "operation \(operations[0], .operation) depends on itself: it never starts")
    }
    let next = operations.dropFirst() + operations.prefix(1)
    let edges: [FindingStatement] = zip(operations, next).map {
      "\($0, .operation) depends on \($1, .operation)"
    }
    return FindingStatement(
      cycleOf: operations.count, edges.joined(separator: ", and ") + ": none of them ever starts")
  }

  static func lockHeldByEndedOperation(
    _ operation: String, on thread: String, lock: String
  ) -> FindingStatement {
    "the code of operation \(operation, .operation) ended and \(thread, .thread) still owns \(lock, .lock): "
      + "no other thread can acquire it"
  }

  static func negativeMaximum(_ queue: String, limit: Int) -> FindingStatement {
    "\(queue, .queue) was given a maximum of \(limit, .limit) operations at once"
  }
  static func neverAdded(_ operation: String, dependent: String?) -> FindingStatement {
    "operation \(operation, .operation) was created, and neither added to a queue nor started"
      + (dependent.map { "; \($0, .operation) depends on it" } ?? "")
  }

  static func neverFinishes(
    _ operation: String, _ manner: Unfinished, wasCancelled: Bool, inPlaceOf queue: String?,
    behind: String?,
    dependents: [String]
  ) -> FindingStatement {
    var text: FindingStatement
    switch manner {
    case .exited:
      text = "the thread that ran operation \(operation, .operation) exited before its end"
    case .unannounced:
      text =
        "operation \(operation, .operation) set isFinished and never announced it with "
        + "didChangeValue(forKey:)"
    case .unreported where wasCancelled:
      text =
        "operation \(operation, .operation) was cancelled before it started, and never announced that "
        + "it has finished, which 'start()' has to do then too"
    case .unreported:
      text =
        "operation \(operation, .operation) never announced that it has finished, by 'finish()' or by "
        + "didChangeValue(forKey:) of isFinished"
    }
    if let queue { text += ": it occupies its place in \(queue, .queue) forever" }
    if let behind { text += ", where \(behind, .operation) waits for it" }
    if dependents.isEmpty { return text }
    let names = dependents.map { "\($0, .operation)" as FindingStatement }.joined(separator: ", ")
    return text + ", and \(names) can never start"
  }

  static func neverResumedOperationQueue(
    _ queue: String, isSuspended: Bool, operations: Int, first: String
  ) -> FindingStatement {
    let waiting: FindingStatement =
      operations == 1
      ? "operation \(first, .operation) waits in it"
      : "\(operations, .operations) operations wait in it, first \(first, .operation)"
    let state: FindingStatement =
      isSuspended ? "was suspended and never resumed" : "may start none, its maximum is 0"
    return "operation queue \(queue, .queue) \(state): \(waiting)"
  }

  static func ownWait(
    _ who: FindingStatement, for operation: String, of queue: String, clauses: [FindingStatement]
  ) -> FindingStatement {
    let way: FindingStatement =
      clauses.isEmpty ? " of \(queue, .queue)" : clauses.map { ", " + $0 }.joined()
    return FindingStatement(
      waiting: .operation, .queued,
      "\(who) waits for operation \(operation, .operation)\(way), which only it can run")
  }

  static func ownWaiter(_ operation: (name: String, queue: String)?) -> FindingStatement {
    operation.map { "operation \($0.name, .operation) of \($0.queue, .queue)" } ?? "the main thread"
  }
  static func ownWaitForAll(_ operation: String, queue: String) -> FindingStatement {
    FindingStatement(
      waiting: .operations, .running,
      "operation \(operation, .operation) of \(queue, .queue) waits until all operations of this "
        + "queue are finished, itself among them")
  }
  static func ownWaitForItself(
    _ who: FindingStatement, for operation: String, clauses: [FindingStatement]
  ) -> FindingStatement {
    let way = clauses.map { ", " + $0 }.joined()
    return FindingStatement(
      waiting: .operation, .dependency,
      "\(who) waits for operation \(operation, .operation)\(way) itself")
  }

  static func ownWaitForPlace(_ who: FindingStatement, for operation: String, limit: Int)
    -> FindingStatement
  {
    let taken: FindingStatement =
      limit == 1
      ? "the waiting one has the only one" : "the waiting ones have all \(limit, .limit) of them"
    return FindingStatement(
      waiting: .operation, .places,
      "\(who) waits for operation \(operation, .operation) of this queue, which has no place to start "
        + "in: \(taken)")
  }

  static func ownWaitOfBarrier(
    _ barrier: String, of queue: String, for operation: String?, clauses: [FindingStatement]
  ) -> FindingStatement {
    let awaited: FindingStatement =
      operation.map { "for operation \($0, .operation)" } ?? "until all operations are finished"
    let way = clauses.map { ", " + $0 }.joined()
    return FindingStatement(
      waiting: operation == nil ? .operations : .operation, .barrier,
      "barrier \(barrier, .barrier) of \(queue, .queue) waits \(awaited)\(way), and delays what it waits "
        + "for until it has ended itself")
  }

  static func ownWaitOfMain(queue: String) -> FindingStatement {
    FindingStatement(
      waiting: .operations, .mainThread,
      "the main thread waits for all operations of \(queue, .queue), which only it can run")
  }

  static func readinessAsksItself(_ operation: String, by others: [String]) -> FindingStatement {
    let way: FindingStatement =
      others.isEmpty
      ? "" : " through " + others.map { "\($0, .operation)" }.joined(separator: ", ")
    return
      "the readiness of \(operation, .operation) reads or announces isReady, which evaluates it again\(way), "
      + "until the stack overflows"
  }

  static func readinessNotAnnounced(_ operation: String, queue: String) -> FindingStatement {
    "operation \(operation, .operation) would be ready, but this was not announced to \(queue, .queue): "
      + "didChangeValue(forKey: \"isReady\") is missing"
  }
  static func readinessTooDeep(_ operation: String, depth: Int) -> FindingStatement {
    "the readiness of \(operation, .operation) is evaluated while those of \(depth - 1, .asking) others are, each by the one before"
  }
  static let standingAlone: FindingStatement = "which is in no queue and was not started"
  static func standingAndSoOn(_ clause: FindingStatement) -> FindingStatement {
    "and so on, down to one \(clause)"
  }
  static func standingBehind(_ operation: String) -> FindingStatement {
    "which waits for \(operation, .operation)"
  }
  static func standingBehindPlace(of operation: String, in queue: String) -> FindingStatement {
    "which waits for a place in \(queue, .queue) that \(operation, .operation) has"
  }
  static let standingForMain: FindingStatement = "which only the main thread can run"
  static func standingInClosed(_ queue: String) -> FindingStatement {
    "which is in \(queue, .queue), which may start none"
  }
  static func standingInSuspended(_ queue: String) -> FindingStatement {
    "which is in \(queue, .queue), which is suspended"
  }
  static func standingOnThread(_ thread: String) -> FindingStatement {
    "which \(thread, .thread) runs"
  }
  static func standingUnready(in queue: String) -> FindingStatement {
    "which is in \(queue, .queue) and is not ready"
  }
  static func standingUnreported(isFirst: Bool) -> FindingStatement {
    isFirst ? "which never reported that it is" : "which never reported its end"
  }
  static func standingUnstarted(in queue: String) -> FindingStatement {
    "which is in \(queue, .queue) and does not start"
  }
  static func standingUntaken(in queue: String, behind barrier: String) -> FindingStatement {
    "which can't start before barrier \(barrier, .barrier) of \(queue, .queue) has ended"
  }
  static func standingUntaken(inQueue queue: String, of runner: FindingStatement)
    -> FindingStatement
  {
    "which waits in queue \(queue, .queue), which \(runner) occupies"
  }
  static let standingUntaken: FindingStatement = "which no thread has dequeued yet"
  static func startedBeforeReady(_ operation: String, open dependency: String?) -> FindingStatement
  {
    "\(operation, .operation) was started directly before it was ready"
      + (dependency.map { ": \($0, .operation) has not finished" } ?? "")
  }
  static func startedInQueue(_ operation: String, queue: String) -> FindingStatement {
    "\(operation, .operation) was started directly when it was in \(queue, .queue), which starts it"
  }
  static func startedWhileRunning(_ operation: String) -> FindingStatement {
    "\(operation, .operation) was started when it was running already"
  }
  static func startedWhileStarting(_ operation: String) -> FindingStatement {
    "\(operation, .operation) was started directly when it was being started already"
  }
  static func underlyingQueueChanged(_ queue: String, holding operation: String) -> FindingStatement
  {
    "\(queue, .queue) was given another dispatch queue while \(operation, .operation) was in it"
  }
  static func waitsForBlocks(_ who: FindingStatement, operation: String) -> FindingStatement {
    FindingStatement(
      waiting: .operation, .running,
      "\(who) waits for the other blocks of operation \(operation, .operation)")
  }

  static func waitsForLastOperation(
    _ who: FindingStatement, _ operation: String, isBarrier: Bool, queue: String,
    standing: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .operations, .running,
      "\(who) waits until \(words: isBarrier ? "the barrier" : "operation") "
        + "\(operation, .operation) of \(queue, .queue) is finished, \(standing)")
  }

  static func waitsForOperation(
    _ who: FindingStatement, operation: String, standing: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .operation, .running,
      "\(who) waits until operation \(operation, .operation) is finished, \(standing)")
  }

  static func waitsForOperations(
    _ who: FindingStatement, count: Int, queue: String, first: String, standing: FindingStatement
  ) -> FindingStatement {
    FindingStatement(
      waiting: .operations, .running,
      "\(who) waits until all \(count, .operations) operations of \(queue, .queue) are finished, "
        + "among them \(first, .operation), \(standing)")
  }

  static func waitsForOperationsOfStopped(
    _ who: FindingStatement, count: Int, queue: String, isSuspended: Bool
  ) -> FindingStatement {
    FindingStatement(
      waiting: .operations, .suspended,
      "\(who) waits until all \(count, .operations) operations of \(queue, .queue) are finished, "
        + (isSuspended ? "which is suspended" : "which may start none"))
  }
}
