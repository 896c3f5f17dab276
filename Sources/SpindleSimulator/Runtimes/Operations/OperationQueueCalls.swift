import SpindleModel

/// Operation queues: what goes into them, and what they hand to dispatch.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue.
extension OperationRuntime {
  mutating func operationQueue(
    _ primitive: OperationQueuePrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let queue = OperationQueueRecord.Index(Process.index(process.argument(0, call)))
    switch primitive {
    case .make: return makeOperationQueue(call, &process)
    case .main: process.give(OperationRuntime.mainQueue.handle, call)
    case .current:
      let current = currentOperationQueue(of: call.thread, process)
      process.give(current.isNone ? noValue : current.handle, call)
    case .add: return add([process.operation(1, call)], to: queue, call, &dispatch, &process)
    case .addAll: return addAll(to: queue, call, &dispatch, &process)
    case .addBlock:
      let block = makeBlock(
        QueueBlockArguments.addBlock(call, process), to: queue, call, &process)
      return add([block], to: queue, call, &dispatch, &process)
    case .addBarrier: return addBarrier(to: queue, call, &dispatch, &process)
    case .async: return async(to: queue, call, &dispatch, &process)
    case .cancelAll: return cancelAll(in: queue, call, &dispatch, &process)
    case .waitAll: return waitUntilAllAreFinished(queue, call, &process)
    case .operations:
      process.kernel.acquires(.operationQueue, queue.raw, by: call.thread)
      return giveOperations(members(of: queue), call, &process)
    case .count:
      process.kernel.acquires(.operationQueue, queue.raw, by: call.thread)
      process.give(queues[queue].count, call)
    case .limit: process.give(queues[queue].limit, call)
    case .isSuspended: process.give(queues[queue].isSuspended, call)
    case .name: process.give(Int64(operationQueueNameID(queue, process)), call)
    case .qualityOfService:
      let quality = queues[queue].quality
      process.give(Int64(quality < 0 ? WellKnownName.default.id.index : quality), call)
    case .underlying: giveUnderlying(of: queue, call, process)
    case .setLimit: return setLimit(process.argument(1, call), of: queue, call, &dispatch, &process)
    case .setSuspended:
      return setSuspended(process.argument(1, call) == 1, queue, call, &dispatch, &process)
    case .setName:
      if process.argument(1, call) == noValue { return .next }
      return setName(process.object(1, call), of: queue, call, &dispatch, &process)
    case .setQualityOfService:
      return setQuality(process.object(1, call), of: queue, call, &dispatch, &process)
    case .setUnderlying:
      return setUnderlying(process.argument(1, call), of: queue, call, &dispatch, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(
    of primitive: OperationQueuePrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: borrowing Process
  ) -> Int64 {
    switch primitive {
    case .add, .addBlock, .addBarrier, .async:
      return operationCost(count: 1, call, &dispatch, process)
    case .addAll:
      return operationCost(
        count: AddAllArguments.count(call, process), call, &dispatch, process)
    case .make, .main, .current, .cancelAll, .waitAll, .operations, .count, .limit, .isSuspended,
      .name, .qualityOfService, .underlying, .setLimit, .setSuspended, .setName,
      .setQualityOfService, .setUnderlying:
      return 0
    }
  }

  // MARK: Making

  private mutating func makeOperationQueue(_ call: Call, _ process: inout Process) -> CallResult {
    let given = OperationQueueMakeArguments(call, process)
    var record = OperationQueueRecord(name: process.objectName(given.name, "OperationQueue"))
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    if let limit = given.limit {
      if limit < -1 { return refuse(limit: limit, of: nil, named: record.name, call, &process) }
      record.limit = limit
      record.limitedAt = record.madeAt
    }
    if let quality = given.quality { record.quality = quality }
    record.underlying = given.underlying
    let made = makeQueue(record)
    assert(queues[made].backing.isNone, "queue \(made) is new and has a queue of its own")
    process.noteMaking(
      .operationQueue, made.raw, record.name, call, quality: record.quality, value: record.limit)
    process.give(made.handle, call)
    return .next
  }

  /// A negative limit that is not the default's; `queue` is nil where it is being made.
  mutating func refuse(
    limit: Int64, of queue: OperationQueueRecord.Index?, named name: Int32, _ call: Call,
    _ process: inout Process
  ) -> CallResult {
    demand(limit < -1, "a limit of \(limit) is refused")
    reportMisuse(
      queue.map { queues[$0].madeAt } ?? -1, call,
      FindingText.negativeMaximum(
        process.kernel.text(name), limit: Int(limit)), &process)
    return process.crash("Fatal error: count (\(limit)) cannot be negative", call)
  }

  private mutating func cancelAll(
    in queue: OperationQueueRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if queues[queue].isMain { return .next }
    cancelAll(from: queues[queue].members.first, by: call.thread, &dispatch, &process)
    return process.outcome == nil ? .next : .stopped
  }

  /// Cancels the operations of a queue from one on; they stay there until they are started.
  mutating func cancelAll(
    from first: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    var operation = first
    while !operation.isNone {
      cancel(operation, by: thread, &dispatch, &process)
      if !questions.isEmpty {
        questions.append(.cancelBehind(operation, by: thread))
        return
      }
      operation = operations[operation].members.next
    }
  }

  // MARK: Adding

  /// A block operation of a queue's own.
  private mutating func makeBlock(
    _ given: QueueBlockArguments, to queue: OperationQueueRecord.Index, _ call: Call,
    className: String = "BlockOperation", _ process: inout Process
  ) -> OperationRecord.Index {
    var record = OperationRecord(
      name: process.objectName(given.name, className), kind: given.workKind)
    record.flags = .block
    record.quality = queues[queue].quality
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    let made = make(record)
    process.kernel.reuses(.operationState, made.raw)
    addBlock(process.activity(given.closure, call), to: made)
    process.noteMaking(.operation, made.raw, record.name, call)
    if let teardown = given.teardown {
      operations[made].teardown = process.activity(teardown, call)
    }
    operations[made].group = given.group
    assert(
      operations[made].state == .initialized, "operation \(made) is new and has begun")
    return made
  }

  /// Adds operations to a queue, all or none, and starts what may start.
  private mutating func add(
    _ added: [OperationRecord.Index], to queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    for (position, operation) in added.enumerated() {
      let record = operations[operation]
      if record.state != .initialized {
        // None is added; one that is only being added stands in the same call twice.
        for earlier in added[..<position] { setState(.initialized, of: earlier) }
        return refuse(
          operation, record.state == .enqueued && record.queue.isNone, queue, call, &process)
      }
      setState(.enqueued, of: operation)
    }
    if hasOwnReadiness {
      // A copy: what is never kept for later takes no memory of its own.
      return goOnAdding(added.map { $0 }[...], to: queue, call, &dispatch, &process)
    }
    for operation in added {
      prepare(operation, for: queue, call, &process)
      enter(operation, queue, call, &process)
    }
    schedule(queue, by: call.thread, &dispatch, &process)
    return process.outcome == nil ? process.checkMemory(call) : .stopped
  }

  /// Adds operations that may be added, as far as none has to be asked, and starts what may start.
  @discardableResult
  @inline(never)
  mutating func goOnAdding(
    _ added: ArraySlice<OperationRecord.Index>, to queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    for (place, operation) in zip(added.indices, added) {
      if isAsked(operation) {
        prepare(operation, for: queue, call, &process)
        questions.append(.add(added[place...], queue: queue, call))
        return .next
      }
      prepare(operation, for: queue, call, &process)
      enter(operation, queue, call, &process)
    }
    schedule(queue, by: call.thread, &dispatch, &process)
    return process.outcome == nil ? process.checkMemory(call) : .stopped
  }

  /// Ties an operation that is being added to what holds it back, and fixes what it runs with.
  @inline(__always)
  private mutating func prepare(
    _ operation: OperationRecord.Index, for queue: OperationQueueRecord.Index, _ call: Call,
    _ process: inout Process
  ) {
    let place = Int32(truncatingIfNeeded: call.counter)
    demand(
      operations[operation].state == .enqueued && operations[operation].addedAt < 0,
      "operation \(operation) is added as \(operations[operation].state.name), or again")
    if !operations[operation].flags.contains(.barrier) {
      holdBack(operation, behindBarriersOf: queue, at: place)
    }
    fixQuality(of: operation, by: call.thread, &process)
    operations[operation].addedAt = place
    operations[operation].submitted = process.kernel.now
  }

  /// Lets an operation that is prepared, and was asked where it had to be, stand in its queue.
  @inline(__always)
  mutating func enter(
    _ operation: OperationRecord.Index, _ queue: OperationQueueRecord.Index, _ call: Call,
    _ process: inout Process
  ) {
    add(operation, to: queue)
    process.kernel.changeHeap(by: process.kernel.costs.operationSize.rawValue, call.thread)
    noteSubmission(
      of: operation, to: operationQueueNameID(queue, process), call.thread,
      Int32(truncatingIfNeeded: call.counter), &process)
  }

  /// Notes that an operation was handed over as an item, which gets a number.
  mutating func noteSubmission(
    of operation: OperationRecord.Index, to queue: Int32, _ thread: ThreadID, _ place: Int32,
    _ process: inout Process
  ) {
    let item = process.kernel.nextItem()
    demand(
      operations[operation].state <= .dispatching,
      "operation \(operation) is handed over as \(operations[operation].state.name)")
    operations[operation].itemNumber = item
    let record = operations[operation]
    let isBarrier = record.flags.contains(.barrier)
    let flags: Submission.Flags = isBarrier ? [.isOperation, .barrier] : .isOperation
    process.kernel.record(
      .itemSubmitted, thread: thread, detail: flags.rawValue, object: record.name,
      other: queue, subject: record.kind, place: place,
      value: Submission.value(item: item, object: operation.raw))
  }

  /// An operation can't be added: it is in a queue, runs, or has finished.
  private mutating func refuse(
    _ operation: OperationRecord.Index, _ isTwice: Bool, _ queue: OperationQueueRecord.Index,
    _ call: Call, _ process: inout Process
  ) -> CallResult {
    let record = operations[operation]
    demand(
      record.state != .initialized || isTwice,
      "operation \(operation) is refused, and nothing speaks against it")
    let name = operationName(operation, process)
    let text: FindingStatement
    if isTwice {
      text = FindingText.addedTwice(name)
    } else if record.state == .finished {
      text = FindingText.addedAfterEnd(name, to: operationQueueName(queue, process))
    } else if !record.queue.isNone {
      text = FindingText.addedToSecond(
        name, queue: operationQueueName(queue, process),
        first: operationQueueName(record.queue, process))
    } else {
      text = FindingText.addedAfterStart(name, to: operationQueueName(queue, process))
    }
    let first = record.addedAt >= 0 ? record.addedAt : record.startedAt
    reportMisuse(first, call, text, &process)
    let result = process.crash(
      "Fatal error: operations finished, executing or already in a queue cannot be enqueued", call)
    process.crashSite.object = ObjectKey(handle: .operation, object: operation.register)
    return result
  }

  /// `addOperations(_:waitUntilFinished:)`.
  private mutating func addAll(
    to queue: OperationQueueRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let given = AddAllArguments(call, process)
    if call.thread.isNone || process.kernel.threads[call.thread].phase == AddAllPhase.fresh {
      let advance = add(given.operations, to: queue, call, &dispatch, &process)
      guard case .next = advance else { return advance }
      if !given.waits { return .next }
      if call.thread.isNone { return process.refuse("waitUntilFinished", call) }
      process.kernel.threads.at(call.thread).setPhase(AddAllPhase.waits)
      // Some are still to be asked before they are added: the call is made again after that.
      if !questions.isEmpty { return .again }
    }
    for operation in given.operations {
      let isOver = operations[operation].isFinished
      let advance = waitUntilFinished(operation, call, &process)
      if !isOver { return advance }
    }
    return .next
  }

  /// `addBarrierBlock`: waits for all that is there, and all that comes later waits for it.
  private mutating func addBarrier(
    to queue: OperationQueueRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let barrier = makeBlock(
      QueueBlockArguments.addBarrier(call, process), to: queue, call, className: "barrier", &process
    )
    operations[barrier].flags.insert(.barrier)
    operations[barrier].quality = -1
    if queues[queue].members.isEmpty {
      return dispatchBarrier(
        barrier, of: queue, Int32(truncatingIfNeeded: call.counter), call, &dispatch, &process)
    }
    return add([barrier], to: queue, call, &dispatch, &process)
  }

  /// A barrier that finds its queue empty becomes a barrier of the dispatch queue below: the operation
  /// queue knows nothing of it, neither to hold it back nor to cancel it nor to wait for it.
  private mutating func dispatchBarrier(
    _ barrier: OperationRecord.Index, of queue: OperationQueueRecord.Index, _ place: Int32,
    _ call: Call,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    demand(
      queues[queue].members.isEmpty && queues[queue].executing == 0,
      "barrier \(barrier) passes queue \(queue) by, in which others are")
    operations[barrier].flags.insert(.direct)
    setState(.dispatching, of: barrier)
    operations[barrier].addedAt = place
    operations[barrier].submitted = process.kernel.now
    fixQuality(of: barrier, by: call.thread, &process)
    noteSubmission(
      of: barrier, to: operationQueueNameID(queue, process), call.thread, place, &process)
    submit(
      operation: barrier, to: barrierQueue(of: queue, &dispatch, &process), by: call.thread,
      &dispatch, &process)
    return process.outcome == nil ? process.checkMemory(call) : .stopped
  }

  /// `async`: a block operation, as an item that any executor takes.
  private mutating func async(
    to queue: OperationQueueRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let given = QueueBlockArguments.async(call, process)
    let operation = makeBlock(given, to: queue, call, &process)
    if !given.group.isNone { dispatch.groups.enter(given.group, call.thread, &process.kernel) }
    return add([operation], to: queue, call, &dispatch, &process)
  }

  // MARK: Starting

  /// Hands to dispatch what a queue may start now.
  mutating func schedule(
    _ queue: OperationQueueRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    process.kernel.uses(
      .operationQueue, queue.raw, queues[queue].limit > 0 ? .writes : .releases,
      name: queues[queue].name, by: thread)
    while process.outcome == nil {
      let operation = takeNext(queue)
      if operation.isNone { return }
      assert(
        operations[operation].queue == queue,
        "queue \(queue) starts operation \(operation) of queue \(operations[operation].queue)")
      submit(
        operation: operation, to: dispatchQueue(of: queue, &dispatch, &process), by: thread,
        &dispatch, &process)
    }
  }

  /// The queue whose operation a thread runs; the main queue on the main thread.
  private func currentOperationQueue(of thread: ThreadID, _ process: borrowing Process)
    -> OperationQueueRecord.Index
  {
    if thread == process.mainThread { return OperationRuntime.mainQueue }
    var frame = innermostOperationFrame(of: thread, process)
    while !frame.isNone {
      // One that was started by hand changes nothing: the queue around it is still the current one.
      if process.frames.activity(frame) == .operation,
        case .queue(let queue) = OperationFrame(frame, process.frames).runner
      {
        return queue
      }
      frame = process.frames.parent(frame)
    }
    return .none
  }
}
