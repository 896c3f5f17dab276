import SpindleModel

/// An operation that has finished, for all who are still to be told.
struct FinishedOperation {
  let operation: OperationRecord.Index
  /// Whether it had been handed to dispatch.
  let wasHandedOver: Bool
  /// Who finished it.
  let thread: ThreadID
}

/// How operations are started by hand and cancelled, how they report their end, and who is told.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift.
extension OperationRuntime {
  // MARK: The end

  /// Tells everybody that an operation has finished, in the library's order: its dependents, who
  /// waits for it, its completion block, and its own queue.
  mutating func finish(
    _ operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(
      operations[operation].state != .finished && !operations[operation].flags.contains(.part),
      "operation \(operation) finishes a second time, or is a part")
    endOrder(of: operation, thread, &process.kernel)
    process.kernel.uses(
      .operation, operation.raw, .writes, name: operations[operation].name, by: thread)
    noteEnd(operation, thread, &dispatch, &process)
    if process.outcome != nil { return }
    // What was handed to dispatch had a place among those that run.
    let finished = FinishedOperation(
      operation: operation, wasHandedOver: operations[operation].state > .enqueued, thread: thread)
    setState(.finished, of: operation)
    operations[operation].stamp &+= 1
    let dependents = finish(operation)
    if hasOwnReadiness {
      return goOnFinishing(finished, dependents[...], &dispatch, &process)
    }
    for dependent in dependents {
      noteAnswer(of: dependent, by: thread, &dispatch, &process)
      if process.outcome != nil { return }
    }
    endFinishing(finished, &dispatch, &process)
  }

  /// Tells the dependents of an operation that has finished, and then all others.
  ///
  /// A dependent with a readiness of its own is asked first; that is not for this room to do, so that
  /// the rest has to wait for the answer.
  @inline(never)
  mutating func goOnFinishing(
    _ finished: FinishedOperation, _ dependents: ArraySlice<OperationRecord.Index>,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    if process.outcome != nil { return }
    for (place, dependent) in zip(dependents.indices, dependents) {
      if isAsked(dependent) {
        questions.append(.finish(finished, dependents: dependents[place...]))
        return
      }
      noteAnswer(of: dependent, by: finished.thread, &dispatch, &process)
      if process.outcome != nil { return }
    }
    endFinishing(finished, &dispatch, &process)
  }

  /// All dependents of an operation that has finished have been told: tells all others.
  private mutating func endFinishing(
    _ finished: FinishedOperation, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let operation = finished.operation
    demand(operations[operation].state == .finished, "operation \(operation) has not finished")
    process.kernel.wakeAll(&operations[operation].waiters, by: finished.thread)
    submitCompletion(of: operation, by: finished.thread, &dispatch, &process)
    if operations[operation].queue.isNone { return }
    leaveQueue(
      operation, wasHandedOver: finished.wasHandedOver, by: finished.thread, &dispatch, &process)
  }

  /// Records that an operation's item has ended, or that it never ran, and leaves its group.
  private mutating func noteEnd(
    _ operation: OperationRecord.Index, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = operations[operation]
    var flags: ItemFlags = record.flags.contains(.asynchronous) ? .needsNoThread : []
    if record.flags.intersection([.begun, .cancelled]).isEmpty { flags.insert(.reportedItsEnd) }
    // One whose own 'start' was called by hand is no item.
    if record.itemNumber >= 0 {
      process.kernel.record(
        record.flags.contains(.begun) ? .itemEnded : .itemSkipped, thread: thread,
        detail: flags.rawValue, object: record.name, other: record.itemNumber,
        subject: record.kind, value: process.kernel.now - record.submitted)
    }
    if record.group.isNone { return }
    operations[operation].group = .none
    dispatch.leaveGroup(record.group, thread, &process)
  }

  private mutating func leaveQueue(
    _ operation: OperationRecord.Index, wasHandedOver: Bool, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let queue = operations[operation].queue
    demand(
      operations[operation].waiters.isEmpty,
      "operation \(operation) leaves its queue, and somebody still waits for it")
    let isEmpty = unlink(operation, wasHandedOver: wasHandedOver)
    process.kernel.changeHeap(by: -process.kernel.costs.operationSize.rawValue, thread)
    if isEmpty { process.kernel.wakeAll(&queues[queue].waiters, by: thread) }
    schedule(queue, by: thread, &dispatch, &process)
  }

  // MARK: By hand

  /// `start()`: runs the operation on the caller.
  ///
  /// What is refused here, the library's own `start` refuses: the closure of an asynchronous one takes
  /// its place, and just runs, again and before it is ready as well.
  mutating func startByHand(
    _ operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    let record = operations[operation]
    if record.flags.contains(.asynchronous) {
      if record.startedAt < 0 && record.state == .initialized {
        noteStartByHand(operation, call, &process)
      }
      runByHand(operation, on: call.thread, &process)
      return .entered
    }
    switch record.state {
    case .finished: return .next
    case .initialized: break
    case .executing, .finishing:
      reportMisuse(
        record.startedAt, call,
        FindingText.startedWhileRunning(operationName(operation, process)), &process)
      return process.crash("Fatal error: receiver is already executing", call)
    case .enqueued, .dispatching, .starting:
      let first = record.startedAt >= 0 ? record.startedAt : record.addedAt
      reportMisuse(
        first, call,
        !record.queue.isNone
          ? FindingText.startedInQueue(
            operationName(operation, process), queue: operationQueueName(record.queue, process))
          : FindingText.startedWhileStarting(operationName(operation, process)), &process)
      return process.crash(
        "Fatal error: something is trying to start the receiver simultaneously from more than one "
          + "thread", call)
    }
    if !operations[operation].isReady {
      let open = firstOpen(of: operation)
      reportMisuse(
        open.isNone ? -1 : links[open].place, call,
        FindingText.startedBeforeReady(
          operationName(operation, process),
          open: open.isNone ? nil : operationName(links[open].dependency, process)), &process)
      return process.crash("Fatal error: receiver is not yet ready to execute", call)
    }
    noteStartByHand(operation, call, &process)
    setState(.starting, of: operation)
    runByHand(operation, on: call.thread, &process)
    return .entered
  }

  private mutating func noteStartByHand(
    _ operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  ) {
    let place = Int32(truncatingIfNeeded: call.counter)
    demand(
      operations[operation].queue.isNone && operations[operation].startedAt < 0,
      "operation \(operation) is started by hand in a queue, or a second time")
    operations[operation].startedAt = place
    operations[operation].submitted = process.kernel.now
    noteSubmission(of: operation, to: -1, call.thread, place, &process)
  }

  /// `cancel()`: sets a flag; one that has not begun waits for no other any more.
  ///
  /// A readiness of its own is asked again, and counts as before.
  mutating func cancel(
    _ operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = operations[operation]
    if record.isFinished || record.flags.contains(.cancelled) { return }
    operations[operation].flags.insert(.cancelled)
    if !record.flags.contains(.begun) { operations[operation].flags.insert(.cancelledEarly) }
    process.kernel.releases(.operationState, operation.raw, by: thread)
    // The library of Linux announces the readiness only; Apple documents the key.
    if process.kernel.machine.isDarwin {
      announce(.isCancelled, true, of: operation, by: thread, &process)
    }
    if record.state >= .executing { return }
    dropUnfinished(of: operation)
    tellReadiness(of: operation, by: thread, &dispatch, &process)
  }

  // MARK: Reporting for itself

  /// `didChangeValue(forKey:)`: only now do queue and dependents see a state that was set.
  mutating func didChange(
    _ operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let key = process.kernel.text(process.argument(1, call))
    let record = operations[operation]
    process.kernel.releases(.operationState, operation.raw, by: call.thread)
    switch key {
    case "isFinished", "finished":
      announce(.isFinished, record.isFinished, of: operation, by: call.thread, &process)
      if !record.isFinished || !record.flags.contains(.asynchronous) { return .next }
      return reportFinished(operation, call, &dispatch, &process)
    case "isExecuting", "executing":
      announce(.isExecuting, record.isExecuting, of: operation, by: call.thread, &process)
      if record.isExecuting && record.state < .executing && record.state != .enqueued {
        setState(.executing, of: operation)
      }
    case "isReady", "ready":
      tellReadiness(of: operation, by: call.thread, &dispatch, &process)
    default:
      announce(
        key: key, record.flags.contains(.cancelled), of: operation, by: call.thread, &process)
    }
    return process.outcome == nil ? .next : .stopped
  }

  /// `finish()`: the usual six lines of an asynchronous operation.
  mutating func finishByItself(
    _ operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let record = operations[operation]
    if !record.flags.contains(.asynchronous) || record.state == .finished { return .next }
    operations[operation].flags.remove(.saysExecuting)
    operations[operation].flags.insert(.saysFinished)
    announce(.isExecuting, false, of: operation, by: call.thread, &process)
    announce(.isFinished, true, of: operation, by: call.thread, &process)
    return reportFinished(operation, call, &dispatch, &process)
  }

  /// An asynchronous operation has said that it is finished.
  ///
  /// Its teardown runs where `start` still runs or is still to run, else here.
  private mutating func reportFinished(
    _ operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let record = operations[operation]
    demand(
      record.flags.contains(.asynchronous),
      "operation \(operation) reports its end, which its queue sees by itself")
    if record.state == .finished { return .next }
    if !record.queue.isNone && record.state < .starting {
      let text =
        "*** \(operationName(operation, process)) went isFinished=YES without being started by the queue it "
        + "is in"
      process.kernel.record(
        .print, thread: call.thread, object: process.kernel.intern(text).index,
        place: Int32(truncatingIfNeeded: call.counter))
    }
    finish(operation, by: call.thread, &dispatch, &process)
    if process.outcome != nil { return .stopped }
    // Its own thread tears it down where that runs it or is about to.
    let isTaken = !record.thread.isNone || record.state == .dispatching
    if isTaken { return .next }
    if record.teardown.isNone || call.thread.isNone {
      dropIfGone(operation, &process)
      return .next
    }
    runByHand(operation, on: call.thread, &process)
    process.frames.setOperationStep(process.kernel.threads[call.thread].frame, .reported)
    return .entered
  }

  /// `waitUntilFinished()`.
  mutating func waitUntilFinished(
    _ operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    let record = operations[operation]
    if record.isFinished {
      process.kernel.acquires(.operation, operation.raw, by: call.thread)
      return .next
    }
    demand(!call.thread.isNone, "the world outside waits for operation \(operation)")
    process.kernel.append(
      call.thread, to: &operations[operation].waiters)
    process.kernel.threads.at(call.thread).setWaitValue(WaitedOperation.one.rawValue)
    process.kernel.block(
      call.thread, .operation, on: operation.raw, name: record.name, holder: record.thread)
    return .left
  }
  /// `waitUntilAllOperationsAreFinished()`.
  mutating func waitUntilAllAreFinished(
    _ queue: OperationQueueRecord.Index, _ call: Call, _ process: inout Process
  ) -> CallResult {
    process.kernel.acquires(.operationQueue, queue.raw, by: call.thread)
    if queues[queue].members.isEmpty { return .next }
    demand(!call.thread.isNone, "the world outside waits for queue \(queue)")
    process.kernel.append(call.thread, to: &queues[queue].waiters)
    process.kernel.block(
      call.thread, .operations, on: queue.raw, name: operationQueueNameID(queue, process),
      holder: runner(in: queue))
    if call.thread == process.mainThread {
      let line = MainWaitLine(
        item: operations[queues[queue].members.first].name,
        count: Int32(clamping: max(1, queues[queue].count)))
      process.kernel.noteLine(line, of: call.thread)
    }
    return .left
  }
}
