import SpindleModel

/// What operations hand to dispatch, and what adding one costs.
extension Interpreter {
  /// Hands an operation to a dispatch queue; the thread that takes it calls `runOperation`.
  ///
  /// One with a quality of its own enforces it. Source:
  /// swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addOperations.
  mutating func submit(operation: Int32, to queue: Int32, by thread: Int32) {
    let record = operations.operations[operation]
    var item = DispatchItem(kind: .operation, queue: queue)
    item.object = operation
    item.name = record.name
    item.workKind = record.kind
    item.place = record.addedAt
    item.isBarrier =
      record.flags.contains(.barrier) && dispatch.queues[queue].kind == .concurrent
    item.quality = DispatchQuality(name: record.quality)
    item.isEnforced = item.quality != nil
    if item.quality == nil && thread >= 0 {
      let own = DispatchQuality(name: kernel.threads[thread].quality) ?? .default
      item.quality = min(own, .userInitiated)
    }
    submit(item, by: thread)
  }

  /// Hands an operation's completion block to the global queue.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, observeValue.
  mutating func submitCompletion(of operation: Int32, by thread: Int32) {
    let closure = operations.operations[operation].completion
    if closure < 0 { return }
    operations.operations[operation].completion = -1
    var item = DispatchItem(kind: .block, queue: DispatchRuntime.root(.default))
    item.name = kernel.names.intern("\(operationName(operation)) completion").index
    item.workKind = noKind
    item.frame = closure
    submit(item, by: thread)
  }

  /// The dispatch queue that runs a queue's operations: a concurrent one of its own, the one that
  /// the trace gave, or the main queue.
  mutating func dispatchQueue(of queue: Int32) -> Int32 {
    let record = operations.queues[queue]
    if record.isMain { return DispatchRuntime.mainQueue }
    if record.dispatchQueue >= 0 { return record.dispatchQueue }
    let made = dispatch.makeQueue(
      name: record.name, isConcurrent: true, quality: DispatchQuality(name: record.quality),
      target: -1, isInactive: false, madeAt: record.madeAt)
    kernel.changeMemory(by: kernel.costs.queue.rawValue)
    operations.queues[queue].dispatchQueue = made
    return made
  }

  /// What adding operations to a queue costs: each one, and handing on those that can start at once.
  func operationCost(_ primitive: Primitive, _ call: Call) -> Int64 {
    let queue = Self.index(argument(0, call))
    let isAll = primitive == .operationQueueAddAll
    let count = isAll ? Int64(arrays[Int(argument(1, call))].count) : 1
    let own = kernel.costs.operationAdd.rawValue * count
    if !operations.queues[queue].hasRoom || count == 0 { return own }
    let below = operations.queues[queue].dispatchQueue
    if operations.queues[queue].isMain {
      return own + dispatch.submitCost(DispatchRuntime.mainQueue, kernel)
    }
    return own + dispatch.submitCost(below < 0 ? DispatchRuntime.root(.default) : below, kernel)
  }

  // MARK: Lifetime

  /// Whether an operation that the trace let go of is still there: it is in a queue, runs, or
  /// somebody waits for its end.
  func isOperationNeeded(_ operation: Int32) -> Bool {
    let record = operations.operations[operation]
    if record.queue >= 0 || record.thread >= 0 { return true }
    if record.state == .starting || record.state == .executing { return true }
    var link = record.firstDependent
    while link >= 0 {
      // Who depends on it keeps it, as its list of dependencies does.
      if operations.operations[operations.links[link].dependent].state != .finished { return true }
      link = operations.links[link].nextDependent
    }
    return false
  }

  /// Whether an operation queue that the trace let go of is still there: it has operations.
  func isOperationQueueNeeded(_ queue: Int32) -> Bool {
    operations.queues[queue].isMain || operations.queues[queue].first >= 0
  }
}
