import SpindleModel

/// The wordings about why the main thread could not respond.
extension FindingText {
  static let bodyOfMain: StaticString = "the body of 'main'"
  static func hangAsleep(_ time: Nanoseconds) -> FindingStatement {
    FindingStatement(waiting: .sleep, .unknown, "it slept \(time, .duration) of it")
  }
  static func hangForEver(_ reason: WaitReason, _ purpose: FindingStatement) -> FindingStatement {
    FindingStatement(waiting: reason, .unknown, "it waits forever \(purpose)")
  }
  static func hangInCosts(_ time: Nanoseconds) -> FindingStatement {
    "the costs of its calls took \(time, .duration) of it"
  }
  static func hangInHandler(_ handler: FindingStatement, took time: Nanoseconds) -> FindingStatement
  {
    "\(handler) took \(time, .duration) of it"
  }

  static func hangInLine(
    of count: Int, areItems: Bool, _ total: Nanoseconds, longest: FindingStatement,
    _ time: Nanoseconds
  ) -> FindingStatement {
    let what: FindingStatement = areItems ? "items of the main queue" : "handlers and items"
    return "\(count, .items) \(what), one after another, took \(total, .duration) of it, "
      + "the longest \(longest) \(time, .duration)"
  }

  static func hangInLoop(_ time: Nanoseconds) -> FindingStatement {
    FindingStatement(
      waiting: .runLoop, .asleep,
      "it slept \(time, .duration) in its run loop, in a mode that is not common")
  }
  static func hangInWait(
    _ reason: WaitReason, _ time: Nanoseconds, purpose: FindingStatement
  ) -> FindingStatement {
    FindingStatement(waiting: reason, .unknown, "it waited \(time, .waited) of it \(purpose)")
  }
  static func itemInLine(_ name: String) -> FindingStatement { "\(name, .item)" }
  static func itemOfMain(_ name: String) -> FindingStatement {
    "item \(name, .item) of the main queue"
  }
  static func mainThreadHang(
    busy: Nanoseconds, parts: [FindingStatement], end: FindingStatement?
  ) -> FindingStatement {
    let length: FindingStatement =
      end == nil
      ? "for \(busy, .busy): touches and drawing wait as long"
      : "after \(busy, .busy) and never does"
    return "the main thread could not respond \(length)"
      + (parts + [end].compactMap { $0 }).map { "; " + $0 }.joined()
  }
  static func purposeAccelerator(_ accelerator: String) -> FindingStatement {
    "for accelerator \(accelerator, .accelerator)"
  }
  static let purposeAddressSpace: FindingStatement = "for the address space"
  static func purposeCondition(_ condition: String) -> FindingStatement {
    "for a signal of condition \(condition, .condition)"
  }
  static func purposeEnd(of thread: String) -> FindingStatement {
    "for the end of \(thread, .thread)"
  }
  static func purposeGroup(_ group: String) -> FindingStatement { "for group \(group, .group)" }
  static let purposeInput: FindingStatement = "for an input or output"
  static let purposeIterations: FindingStatement = "for the other iterations of a concurrentPerform"
  static func purposeLock(_ lock: String) -> FindingStatement { "for lock \(lock, .lock)" }
  static func purposeOnce(_ once: String) -> FindingStatement { "for the block of \(once, .once)" }
  static func purposeOperation(_ operation: String) -> FindingStatement {
    "for operation \(operation, .operation)"
  }
  static func purposeOperations(of queue: String, count: Int, first: String?) -> FindingStatement {
    let begin: FindingStatement =
      first.map { count == 1 ? " \($0, .operation)" : ", first \($0, .operation)" } ?? ""
    return count == 1
      ? "for operation\(begin) of \(queue, .queue)"
      : "for the \(count, .operations) operations of \(queue, .queue)\(begin)"
  }
  static func purposePerform(by thread: String) -> FindingStatement {
    "until \(thread, .thread) had performed its request"
  }
  static func purposeSemaphore(_ semaphore: String) -> FindingStatement {
    "for a signal of semaphore \(semaphore, .semaphore)"
  }
  static let purposeStackList: FindingStatement = "for the list of stacks"
  static func purposeStatus(of task: String) -> FindingStatement {
    "for the status lock of task \(task, .task)"
  }
  static func purposeSync(_ queue: String, line: FindingStatement) -> FindingStatement {
    "in sync for queue \(queue, .queue)\(line)"
  }
  static let purposeUnknown: FindingStatement = "for something"
  static func purposeWorkItem(_ item: String) -> FindingStatement {
    item.isEmpty ? "for a work item" : "for work item \(item, .item)"
  }
}
