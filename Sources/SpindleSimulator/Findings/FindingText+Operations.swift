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

  static func addedAfterEnd(_ operation: String, to queue: String) -> String {
    "'\(operation)' was added to '\(queue)' when it had finished"
  }
  static func addedAfterStart(_ operation: String, to queue: String) -> String {
    "'\(operation)' was added to '\(queue)' when it had been started by hand"
  }
  static func addedToSecond(_ operation: String, queue: String, first: String) -> String {
    "'\(operation)' was added to '\(queue)' when it was in '\(first)' already"
  }
  static func addedTwice(_ operation: String) -> String {
    "'\(operation)' was added twice by one call"
  }
  static func blockTooLate(_ operation: String) -> String {
    "'\(operation)' was given another block when it had begun"
  }

  static func circularDependency(_ operations: [String]) -> String {
    if operations.count == 1 {
      return "operation '\(operations[0])' depends on itself: it never starts"
    }
    let next = operations.dropFirst() + operations.prefix(1)
    let edges = zip(operations, next).map { "'\($0)' depends on '\($1)'" }
    return edges.joined(separator: ", and ") + ": none of them ever starts"
  }

  static func lockHeldByEndedOperation(
    _ operation: String, on thread: String, lock: String
  ) -> String {
    "the code of operation '\(operation)' ended and '\(thread)' still has '\(lock)': "
      + "nobody else can take it"
  }

  static func negativeMaximum(_ queue: String, limit: Int) -> String {
    "'\(queue)' was given a maximum of \(limit) operations at once"
  }
  static func neverAdded(_ operation: String, dependent: String?) -> String {
    "operation '\(operation)' was made, and neither added to a queue nor started"
      + (dependent.map { "; '\($0)' depends on it" } ?? "")
  }

  static func neverFinishes(
    _ operation: String, _ manner: Unfinished, inPlaceOf queue: String?, behind: String?,
    dependents: [String]
  ) -> String {
    var text: String
    switch manner {
    case .exited: text = "the thread that ran operation '\(operation)' exited before its end"
    case .unannounced:
      text =
        "operation '\(operation)' set isFinished and never announced it with "
        + "didChangeValue(forKey:)"
    case .unreported: text = "operation '\(operation)' never reported that it has finished"
    }
    if let queue { text += ": it has its place in '\(queue)' for ever" }
    if let behind { text += ", where '\(behind)' waits for it" }
    if dependents.isEmpty { return text }
    let names = dependents.map { "'\($0)'" }.joined(separator: ", ")
    return text + ", and \(names) can never start"
  }

  static func neverResumedOperationQueue(
    _ queue: String, isSuspended: Bool, operations: Int, first: String
  ) -> String {
    let waiting =
      operations == 1
      ? "operation '\(first)' waits in it"
      : "\(operations) operations wait in it, first '\(first)'"
    let state =
      isSuspended ? "was suspended and never resumed" : "may start none, its maximum is 0"
    return "operation queue '\(queue)' \(state): \(waiting)"
  }

  static func ownWait(
    _ who: String, for operation: String, of queue: String, clauses: [String]
  ) -> String {
    let way = clauses.isEmpty ? " of '\(queue)'" : clauses.map { ", " + $0 }.joined()
    return "\(who) waits for operation '\(operation)'\(way), which only it can run"
  }

  static func ownWaiter(_ operation: (name: String, queue: String)?) -> String {
    operation.map { "operation '\($0.name)' of '\($0.queue)'" } ?? "the main thread"
  }
  static func ownWaitForAll(_ operation: String, queue: String) -> String {
    "operation '\(operation)' of '\(queue)' waits until all operations of this queue are finished, "
      + "itself among them"
  }
  static func ownWaitForItself(_ who: String, for operation: String, clauses: [String]) -> String {
    "\(who) waits for operation '\(operation)'\(clauses.map { ", " + $0 }.joined()) itself"
  }

  static func ownWaitForPlace(_ who: String, for operation: String, limit: Int) -> String {
    let taken =
      limit == 1
      ? "the one that waits has the only one" : "those that wait have all \(limit) of them"
    return "\(who) waits for operation '\(operation)' of this queue, which has no place to start "
      + "in: \(taken)"
  }

  static func ownWaitOfBarrier(
    _ barrier: String, of queue: String, for operation: String?, clauses: [String]
  ) -> String {
    let awaited = operation.map { "for operation '\($0)'" } ?? "until all operations are finished"
    let way = clauses.map { ", " + $0 }.joined()
    return
      "barrier '\(barrier)' of '\(queue)' waits \(awaited)\(way), and holds back what it waits "
      + "for until it has ended itself"
  }

  static func ownWaitOfMain(queue: String) -> String {
    "the main thread waits for all operations of '\(queue)', which only it can run"
  }

  static func readinessAsksItself(_ operation: String, by others: [String]) -> String {
    let way = others.isEmpty ? "" : " by way of " + others.map { "'\($0)'" }.joined(separator: ", ")
    return
      "what '\(operation)' is asked with reads or announces isReady, which asks it again\(way), "
      + "until the stack is used up"
  }

  static func readinessNotAnnounced(_ operation: String, queue: String) -> String {
    "operation '\(operation)' would be ready, but '\(queue)' was not told: "
      + "didChangeValue(forKey: \"isReady\") is missing"
  }
  static func readinessTooDeep(_ operation: String, depth: Int) -> String {
    "'\(operation)' is asked whether it is ready while \(depth - 1) others are, each by the one before"
  }
  static let standingAlone = "which is in no queue and was not started"
  static func standingAndSoOn(_ clause: String) -> String { "and so on, down to one \(clause)" }
  static func standingBehind(_ operation: String) -> String { "which waits for '\(operation)'" }
  static func standingBehindPlace(of operation: String, in queue: String) -> String {
    "which waits for a place in '\(queue)' that '\(operation)' has"
  }
  static let standingForMain = "which only the main thread can run"
  static func standingInClosed(_ queue: String) -> String {
    "which is in '\(queue)', and that may start none"
  }
  static func standingInSuspended(_ queue: String) -> String {
    "which is in '\(queue)', and that is suspended"
  }
  static func standingOnThread(_ thread: String) -> String { "which '\(thread)' runs" }
  static func standingUnready(in queue: String) -> String {
    "which is in '\(queue)' and is not ready"
  }
  static func standingUnreported(isFirst: Bool) -> String {
    isFirst ? "which never reported that it is" : "which never reported its end"
  }
  static func standingUnstarted(in queue: String) -> String {
    "which is in '\(queue)' and does not start"
  }
  static func standingUntaken(in queue: String, behind barrier: String) -> String {
    "which can't begin before barrier '\(barrier)' of '\(queue)' has ended"
  }
  static func standingUntaken(inQueue queue: String, of runner: String) -> String {
    "which waits in queue '\(queue)', which \(runner) has"
  }
  static let standingUntaken = "which no thread has taken yet"
  static func startedBeforeReady(_ operation: String, open dependency: String?) -> String {
    "'\(operation)' was started by hand before it was ready"
      + (dependency.map { ": '\($0)' has not finished" } ?? "")
  }
  static func startedInQueue(_ operation: String, queue: String) -> String {
    "'\(operation)' was started by hand when it was in '\(queue)', which starts it"
  }
  static func startedWhileRunning(_ operation: String) -> String {
    "'\(operation)' was started when it was running already"
  }
  static func startedWhileStarting(_ operation: String) -> String {
    "'\(operation)' was started by hand when it was being started already"
  }
  static func underlyingQueueChanged(_ queue: String, holding operation: String) -> String {
    "'\(queue)' was given another dispatch queue while '\(operation)' was in it"
  }
  static func waitsForBlocks(_ who: String, operation: String) -> String {
    "\(who) waits for the other blocks of operation '\(operation)'"
  }

  static func waitsForLastOperation(
    _ who: String, _ operation: String, isBarrier: Bool, queue: String, standing: String
  ) -> String {
    "\(who) waits until \(isBarrier ? "the barrier" : "operation") '\(operation)' of '\(queue)' is "
      + "finished, \(standing)"
  }

  static func waitsForOperation(_ who: String, operation: String, standing: String) -> String {
    "\(who) waits until operation '\(operation)' is finished, \(standing)"
  }

  static func waitsForOperations(
    _ who: String, count: Int, queue: String, first: String, standing: String
  ) -> String {
    "\(who) waits until all \(count) operations of '\(queue)' are finished, among them '\(first)', "
      + standing
  }

  static func waitsForOperationsOfStopped(
    _ who: String, count: Int, queue: String, isSuspended: Bool
  ) -> String {
    "\(who) waits until all \(count) operations of '\(queue)' are finished, "
      + (isSuspended ? "which is suspended" : "which may start none")
  }
}
