import SpindleModel

/// What operations hand to dispatch, and what adding one costs.
extension OperationRuntime {
  /// Hands an operation to a dispatch queue; the thread that takes it calls `runOperation`.
  ///
  /// One with a quality of its own enforces it; any other runs with that of the thread that added it.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addOperations.
  mutating func submit(
    operation: OperationRecord.Index, to queue: DispatchQueueRecord.Index, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = operations[operation]
    demand(
      record.state == .dispatching && record.thread.isNone,
      "operation \(operation) is handed to dispatch as \(record.state.name)")
    if dispatch.isResurrected(queue, by: thread, &process) { return }
    var item = DispatchItem(.operation, operation.raw, queue: queue)
    item.name = record.name
    item.workKind = record.kind
    item.place = record.addedAt
    item.isBarrier =
      record.flags.contains(.barrier) && dispatch.queues[queue].kind == .concurrent
    item.quality = record.runQuality
    item.isEnforced = record.flags.contains(.enforced)
    dispatch.submit(item, by: thread, &process)
  }

  /// Fixes the quality that an operation runs with, which is what it is now, and who adds it.
  mutating func fixQuality(
    of operation: OperationRecord.Index, by thread: ThreadID, _ process: inout Process
  ) {
    let own = DispatchQuality(name: operations[operation].quality)
    demand(
      operations[operation].state <= .dispatching,
      "the quality of operation \(operation) is fixed as \(operations[operation].state.name)")
    say(.enforced, own != nil, of: operation)
    operations[operation].runQuality = own ?? lentQuality(of: thread, process)
  }

  /// The class of service that what a thread hands over gets from it; nil for the world outside.
  func lentQuality(of thread: ThreadID, _ process: borrowing Process) -> DispatchQuality? {
    if thread.isNone { return nil }
    let own = DispatchQuality(name: process.kernel.threads[thread].quality) ?? .default
    return min(own, .userInitiated)
  }

  /// Hands an operation's completion block to the global queue, which holds the operation until that has run.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, observeValue: what it hands over has a retain of
  /// the operation. What Apple's does is not known.
  mutating func submitCompletion(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let closure = operations[operation].completion
    if closure.isNone { return }
    demand(
      operations[operation].state == .finished,
      "operation \(operation) completes as \(operations[operation].state.name)")
    let isKept = keepsCompletion(operation, process)
    if !isKept { operations[operation].completion = .none }
    var item = DispatchItem(
      block: isKept ? process.copy(ofClosure: closure) : closure,
      queue: DispatchRuntime.root(.default))
    item.name = process.kernel.intern("\(operationName(operation, process)) completion").index
    item.workKind = noKind
    item.object = operation.raw
    process.retain(operation.register, .object(.operation))
    dispatch.submit(item, by: thread, &process)
  }

  /// The dispatch queue that runs a queue's operations: a concurrent one of its own, the one that
  /// the trace gave, or the main queue.
  mutating func dispatchQueue(
    of queue: OperationQueueRecord.Index, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> DispatchQueueRecord.Index {
    let record = queues[queue]
    if record.isMain { return DispatchRuntime.mainQueue }
    return record.underlying.isNone ? backing(of: queue, &dispatch, &process) : record.underlying
  }

  /// The dispatch queue that runs a barrier which finds its queue empty.
  ///
  /// The library of Linux takes the queue's own one there, also where another is below it, and for
  /// the main queue. Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift,
  /// addBarrierBlock.
  mutating func barrierQueue(
    of queue: OperationQueueRecord.Index, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> DispatchQueueRecord.Index {
    process.kernel.machine.isDarwin
      ? dispatchQueue(of: queue, &dispatch, &process) : backing(of: queue, &dispatch, &process)
  }

  /// Whether a dispatch queue is the own one of an operation queue.
  func has(_ backing: DispatchQueueRecord.Index) -> Bool {
    queues.indices.contains { queues[$0].backing == backing }
  }

  /// The dispatch queue of a queue's own, made when it is first needed.
  private mutating func backing(
    of queue: OperationQueueRecord.Index, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> DispatchQueueRecord.Index {
    let record = queues[queue]
    if !record.backing.isNone { return record.backing }
    let made = dispatch.makeQueue(
      name: operationQueueNameID(queue, process), isConcurrent: true,
      quality: DispatchQuality(name: record.quality),
      target: .none, isInactive: false, madeAt: record.madeAt, &process.kernel)
    process.kernel.changeMemory(by: process.kernel.costs.queue.rawValue)
    queues[queue].backing = made
    return made
  }

  /// What adding operations to a queue costs: each one, and handing on those that can start at once.
  mutating func operationCost(
    count: Int64, _ call: Call, _ dispatch: inout DispatchRuntime, _ process: borrowing Process
  ) -> Int64 {
    let queue = OperationQueueRecord.Index(Process.index(process.argument(0, call)))
    demand(count >= 0, "\(count) operations are added to queue \(queue)")
    // More than can be paid in any run is no more than that.
    let (sum, overflow) = process.kernel.costs.operationAdd.rawValue.multipliedReportingOverflow(
      by: count)
    let transfer = count == 0 ? 0 : transferCost(of: queue, for: call.thread, process.kernel)
    let most = ThreadRecord.mostRemaining
    let own = (overflow ? most : min(sum, most)) + transfer
    if !queues[queue].hasRoom || count == 0 { return own }
    let record = queues[queue]
    if record.isMain { return own + dispatch.submitCost(DispatchRuntime.mainQueue, process.kernel) }
    let below = record.dispatchQueue
    return own
      + dispatch.submitCost(below.isNone ? DispatchRuntime.root(.default) : below, process.kernel)
  }

  /// What a running thread pays for the memory of a queue that another core used last: its lock, its counts, its lists.
  mutating func transferCost(
    of queue: OperationQueueRecord.Index, for thread: ThreadID, _ kernel: borrowing Kernel
  ) -> Int64 {
    if kernel.costs.operationTransfer == .zero { return 0 }
    assert(
      kernel.threads[thread].state == .running,
      "thread \(thread.index) is \(kernel.threads[thread].state), and uses queue \(queue)")
    let (core, last) = (kernel.threads[thread].core, queues[queue].lastCore)
    if last == core { return 0 }
    queues[queue].lastCore = core
    return last >= 0 ? kernel.costs.operationTransfer.rawValue : 0
  }

  // MARK: Lifetime

  /// Whether an operation that the trace let go of is still there: it is in a queue, runs, or
  /// somebody waits for its end.
  func isOperationNeeded(
    _ operation: OperationRecord.Index, _ process: borrowing Process
  ) -> Bool {
    if isInUse(operation) { return true }
    var link = operations.at(operation).pointee.dependents.first
    while !link.isNone {
      // Who depends on it keeps it, as its list of dependencies does.
      let dependent = links[link].dependent
      if keepsDependencies(dependent, process) { return true }
      link = links[link].ofDependency.next
    }
    return false
  }

  /// Whether an operation has its dependencies still: as long as it lives, or where that is not known, until it has
  /// finished.
  private func keepsDependencies(
    _ operation: OperationRecord.Index, _ process: borrowing Process
  ) -> Bool {
    let record = operations.at(operation)
    assert(
      !record.pointee.flags.contains(.part), "operation \(operation), a part, has dependencies")
    if record.pointee.flags.contains(.gone) { return false }
    return record.pointee.state != .finished
      || process.objectHolds.isCounted(ObjectKey(handle: .operation, object: operation.register))
  }

  /// Whether an operation is in a queue, runs, or a barrier waits for it.
  func isInUse(_ operation: OperationRecord.Index) -> Bool {
    // A record is too large to be copied for each question.
    let record = operations.at(operation)
    if !record.pointee.queue.isNone || !record.pointee.thread.isNone { return true }
    let isFinished = record.pointee.state == .finished
    if record.pointee.flags.contains(.begun) && !isFinished { return true }
    return isFinished && isBehindBarrier(operation)
  }

  /// The trace lets go of an operation.
  mutating func releaseOperation(
    _ operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    operations[operation].flags.insert(.released)
    dropIfGone(operation, &process)
    return tearDownIfFree(operation, call, &process)
  }

  /// Runs the teardown of an operation that never ran, when nobody holds it any more.
  mutating func tearDownIfFree(
    _ operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    let record = operations[operation]
    guard record.flags.contains(.released), record.state == .initialized, !record.teardown.isNone,
      !call.thread.isNone, !isOperationNeeded(operation, process)
    else { return .next }
    demand(
      !record.flags.contains(.begun),
      "operation \(operation) is torn down as one that never ran, and it began")
    runByHand(operation, on: call.thread, &process)
    process.frames.setOperationStep(process.kernel.threads[call.thread].frame, .reported)
    return .entered
  }

  // MARK: Its code

  /// Whether an operation keeps the blocks that have run, and its completion block, as long as it lives.
  ///
  /// On Linux each does; what Apple's do is not known, but that their completion block is set to nil. It matters only
  /// where somebody may see what a block holds die, and only for those whose end is seen: an operation that is
  /// not counted, and that the trace made, lives for ever.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, BlockOperation.main; Apple,
  /// NSOperation, completionBlock.
  func keepsCode(_ operation: OperationRecord.Index, _ process: borrowing Process) -> Bool {
    // One of a class of the trace's has its own function as long as it lives.
    isInstance(operation, process)
      || operations.at(operation).pointee.flags.contains(.block)
        && keepsCompletion(operation, process)
  }

  /// The same for its completion block.
  private func keepsCompletion(
    _ operation: OperationRecord.Index, _ process: borrowing Process
  ) -> Bool {
    if process.kernel.machine.platform != .linux || !process.counts { return false }
    let key = ObjectKey(handle: .operation, object: operation.register)
    let flags = operations.at(operation).pointee.flags
    assert(!flags.contains(.part), "operation \(operation) is a part, and Linux knows none")
    if !flags.contains(.block) && !isInstance(operation, process) { return false }
    return process.objectHolds.isCounted(key)
      || flags.contains(.named) && !process.program.classes.isEmpty
  }

  /// Whether an operation is an instance of a class of the trace's.
  func isInstance(_ operation: OperationRecord.Index, _ process: borrowing Process) -> Bool {
    process.objectHolds.whole(of: ObjectKey(handle: .operation, object: operation.register)) != nil
  }

  /// An operation goes, with its code, if nothing holds it any more; and so does then what only it depended on.
  mutating func dropIfGone(_ operation: OperationRecord.Index, _ process: inout Process) {
    if !process.counts { return }
    if process.lives.depth < StackUse.least && !mayGo(operation, process) { return }
    var pending = [(operation: operation, isGone: false, depth: process.lives.depth)]
    let outer = process.lives.depth
    defer { process.lives.depth = outer }
    while let (next, isGone, depth) = pending.popLast() {
      process.lives.depth = depth
      if depth >= StackUse.least && !process.hasStack(for: depth) {
        return process.lives.overflow()
      }
      if isGone {
        dropCode(of: next, &process)
        continue
      }
      if !mayGo(next, process) { continue }
      let state = operations.at(next).pointee.state
      if isOperationNeeded(next, process) {
        if state == .finished && isBehindBarrier(next) { behindBarriers.append(next) }
        continue
      }
      demand(
        operations.at(next).pointee.queue.isNone && (state == .initialized || state == .finished),
        "operation \(next) goes as \(state.name), in queue \(operations.at(next).pointee.queue)")
      if isInstance(next, process) {
        assert(state != .executing, "operation \(next) loses its code, and runs")
        // It goes when the instance has gone that its code held, and that is part of itself.
        discardBlocks(of: next, taking: 0, &process)
        continue
      }
      operations.at(next).pointee.flags.insert(.gone)
      // As the library's does: first its dependencies, then its completion block, and its blocks.
      pending.append((next, true, depth))
      let first = pending.count
      var tie = operations.at(next).pointee.dependencies.first
      while !tie.isNone {
        let dependency = links[tie].dependency
        if !operations.at(dependency).pointee.flags.contains(.barrier) {
          pending.append((dependency, false, depth + StackUse.dependency))
        }
        tie = links[tie].ofDependent.next
      }
      // The first is the last to be pushed, and so the next.
      pending[first...].reverse()
    }
  }

  /// Whether nothing of the trace, and no operation that depends on it, holds an operation that has not gone yet.
  private func mayGo(
    _ operation: OperationRecord.Index, _ process: borrowing Process
  ) -> Bool {
    let record = operations.at(operation)
    if record.pointee.flags.contains(.gone) || isDependedOn(operation) { return false }
    return process.isLetGo(ObjectKey(handle: .operation, object: operation.register))
      || record.pointee.flags.contains(.released) && record.pointee.state == .finished
  }

  /// A barrier has finished: what it alone held goes.
  mutating func dropBehindBarriers(_ process: inout Process) {
    let held = behindBarriers
    behindBarriers = []
    for operation in held {
      demand(
        operations[operation].state == .finished,
        "operation \(operation) stood behind a barrier as \(operations[operation].state.name)")
      dropIfGone(operation, &process)
    }
  }

  private mutating func dropCode(
    of operation: OperationRecord.Index, _ process: inout Process
  ) {
    let flags = operations[operation].flags
    assert(flags.contains(.gone), "operation \(operation) loses its code, and is there")
    let completion = operations[operation].completion
    process.lives.depth += StackUse.completion
    discardClosure(completion, &process)
    process.lives.depth -= StackUse.completion
    operations[operation].completion = .none
    // The closure of one that reports its end itself is no copy's.
    if operations[operation].state == .finished && flags.contains(.asynchronous) { return }
    discardBlocks(of: operation, &process)
  }

  mutating func discardBlocks(
    of operation: OperationRecord.Index, taking bytes: Int32 = StackUse.operation,
    _ process: inout Process
  ) {
    while true {
      let kept = takeKeptBlock(of: operation)
      let closure = !kept.isNone ? kept : takeBlock(of: operation)
      if closure.isNone { return }
      process.nest(bytes) { $0.drop(closure) }
    }
  }

  /// Whether an operation queue that the trace let go of is still there: it has operations.
  func isOperationQueueNeeded(_ queue: OperationQueueRecord.Index) -> Bool {
    queues[queue].isMain || !queues[queue].members.isEmpty
  }
}
