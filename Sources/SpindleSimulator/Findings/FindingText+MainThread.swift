import SpindleModel

/// The wordings about why the main thread could not answer.
extension FindingText {
  static let bodyOfMain: StaticString = "the body of 'main'"
  static func hangAsleep(_ time: Nanoseconds) -> String { "it slept \(time) of it" }
  static func hangForEver(_ purpose: String) -> String { "it waits for ever \(purpose)" }
  static func hangInCosts(_ time: Nanoseconds) -> String {
    "what its calls cost took \(time) of it"
  }
  static func hangInHandler(_ handler: String, took time: Nanoseconds) -> String {
    "\(handler) took \(time) of it"
  }

  static func hangInLine(
    of count: Int, areItems: Bool, _ total: Nanoseconds, longest: String, _ time: Nanoseconds
  ) -> String {
    let what = areItems ? "items of the main queue" : "handlers and items"
    return "\(count) \(what), one after another, took \(total) of it, "
      + "the longest \(longest) \(time)"
  }

  static func hangInLoop(_ time: Nanoseconds) -> String {
    "it slept \(time) in its run loop, in a mode that is not common"
  }
  static func hangInWait(_ time: Nanoseconds, purpose: String) -> String {
    "it waited \(time) of it \(purpose)"
  }
  static func itemInLine(_ name: String) -> String { "'\(name)'" }
  static func itemOfMain(_ name: String) -> String { "item '\(name)' of the main queue" }
  static func mainThreadHang(busy: Nanoseconds, parts: [String], end: String?) -> String {
    let length =
      end == nil ? "for \(busy): touches and drawing wait as long" : "after \(busy) and never does"
    return "the main thread could not answer \(length)"
      + (parts + [end].compactMap { $0 }).map { "; " + $0 }.joined()
  }
  static func purposeAccelerator(_ accelerator: String) -> String {
    "for accelerator '\(accelerator)'"
  }
  static let purposeAddressSpace = "for the address space"
  static func purposeCondition(_ condition: String) -> String {
    "for a signal of condition '\(condition)'"
  }
  static func purposeEnd(of thread: String) -> String { "for the end of '\(thread)'" }
  static func purposeGroup(_ group: String) -> String { "for group '\(group)'" }
  static let purposeInput = "for an input or output"
  static let purposeIterations = "for the other iterations of a concurrentPerform"
  static func purposeLock(_ lock: String) -> String { "for lock '\(lock)'" }
  static func purposeOnce(_ once: String) -> String { "for the block of '\(once)'" }
  static func purposeOperation(_ operation: String) -> String { "for operation '\(operation)'" }
  static func purposeOperations(of queue: String, count: Int, first: String?) -> String {
    let begin = first.map { count == 1 ? " '\($0)'" : ", first '\($0)'" } ?? ""
    return count == 1
      ? "for operation\(begin) of '\(queue)'" : "for the \(count) operations of '\(queue)'\(begin)"
  }
  static func purposePerform(by thread: String) -> String {
    "until '\(thread)' had performed what it asked for"
  }
  static func purposeSemaphore(_ semaphore: String) -> String {
    "for a signal of semaphore '\(semaphore)'"
  }
  static let purposeStackList = "for the list of stacks"
  static func purposeStatus(of task: String) -> String { "for the status lock of task '\(task)'" }
  static func purposeSync(_ queue: String, line: String) -> String {
    "in sync for queue '\(queue)'\(line)"
  }
  static let purposeUnknown = "for something"
  static func purposeWorkItem(_ item: String) -> String {
    item.isEmpty ? "for a work item" : "for work item '\(item)'"
  }
}
