import SpindleModel

/// What a thread does with an operation, from its start to its teardown.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, start and observeValue.
extension OperationRuntime {
  /// Lets a thread run an operation that a dispatch queue gives it, on top of what it does.
  mutating func runOperation(
    _ operation: OperationRecord.Index, on thread: ThreadID, _ locks: borrowing LockRuntime,
    _ process: inout Process
  ) {
    let queue = operations[operation].lastQueue
    demand(
      operations[operation].state >= .dispatching,
      "operation \(operation) is run as \(operations[operation].state.name) by dispatch")
    enter(
      operation, on: thread, queue.isNone ? .dispatch : .queue(queue),
      lockBefore: locks.lastOwned(by: thread, process.kernel).raw, &process)
  }

  /// Lets a thread run an operation that it starts by hand, on top of what it does.
  ///
  /// What locks it keeps is the matter of the code around it.
  mutating func runByHand(
    _ operation: OperationRecord.Index, on thread: ThreadID, _ process: inout Process
  ) {
    demand(!thread.isNone, "operation \(operation) is started by hand on no thread")
    enter(operation, on: thread, .byHand, lockBefore: -1, &process)
  }

  private mutating func enter(
    _ operation: OperationRecord.Index, on thread: ThreadID, _ runner: OperationFrame.Runner,
    lockBefore: Int32,
    _ process: inout Process
  ) {
    let frame = OperationFrame(
      process.push(.operation, registers: OperationFrame.size, on: thread), process.frames)
    frame.operation = operation
    frame.lockBefore = lockBefore
    frame.basePriority = nil
    frame.runner = runner
    if operations[operation].state != .finished { setThread(thread, of: operation) }
  }

  /// Goes on with the frame of an operation.
  mutating func resumeOperation(
    _ frame: FrameIndex, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ locks: inout LockRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let operation = OperationFrame(frame, process.frames).operation
    demand(
      process.kernel.threads[thread].frame == frame,
      "the frame of operation \(operation) goes on below \(process.kernel.threads[thread].frame)")
    switch process.frames.operationStep(frame) {
    case .taken:
      process.frames.setOperationStep(frame, .started)
      let queue = operations[operation].queue
      let cost =
        process.kernel.costs.operationRun.rawValue
        + (queue.isNone ? 0 : transferCost(of: queue, for: thread, process.kernel))
      if cost == 0 || operations[operation].flags.contains(.part) { return .goOn }
      process.kernel.threads.at(thread).charge(cost)
      return .computing
    case .started: return start(operation, frame, thread, &dispatch, &process)
    case .blocks:
      return runBlocks(operation, frame, thread, &dispatch, &locks, &process)
    case .returned:
      reportHeldLocks(of: operation, frame, thread, &locks, &process)
      restorePriority(frame, thread, &process)
      finishUnannounced(operation, frame, thread, &dispatch, &process)
      if process.outcome != nil { return .stopped }
      if operations[operation].state < .finishing {
        setThread(.none, of: operation)
        return endFrame(frame, thread, &process)
      }
      process.frames.setOperationStep(frame, .reported)
      return .goOn
    case .reported:
      let teardown = operations[operation].teardown
      process.frames.setOperationStep(frame, .over)
      if teardown.isNone { return .goOn }
      operations[operation].teardown = .none
      enter(teardown, of: operation, on: thread, &process)
      return .goOn
    case .over:
      setThread(.none, of: operation)
      dropIfGone(operation, &process)
      if operations[operation].flags.contains(.barrier) { dropBehindBarriers(&process) }
      recycle(operation)
      return endFrame(frame, thread, &process)
    }
  }

  private mutating func endFrame(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    process.leave(frame, thread, result: noResult)
    return process.outcome == nil ? .goOn : .stopped
  }

  /// Pushes a closure of an operation, which runs once, on top of what a thread does.
  ///
  /// The closure is given its operation when it takes it.
  private mutating func enter(
    _ closure: FrameIndex, of operation: OperationRecord.Index, on thread: ThreadID,
    _ process: inout Process
  ) {
    let block = process.blocks[Int(process.frames.block(closure))]
    demand(
      block.parameterCount <= 1 && !process.kernel.threads[thread].frame.isNone,
      "a closure of operation \(operation) takes \(block.parameterCount) values, or is outermost")
    if block.parameterCount > 0 {
      process.frames.registers(closure)[Int(block.captureCount)] = operation.register
    }
    process.frames.setParent(closure, process.kernel.threads[thread].frame)
    process.kernel.threads.at(thread).enter(closure)
  }

  // MARK: Start

  private mutating func start(
    _ operation: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let record = operations[operation]
    demand(
      record.flags.contains(.part) == !record.whole.isNone && record.thread == thread
        || record.state == .finished,
      "operation \(operation), of \(record.whole), starts on \(thread.index), and is on \(record.thread.index)"
    )
    if record.flags.contains(.asynchronous) {
      // Only the queue sets a state before `start`, which is not the library's own here; and one that
      // reported its end before its turn came is started all the same.
      if record.state != .finished && OperationFrame(frame, process.frames).runner != .byHand {
        setState(.starting, of: operation)
      }
      begin(operation, frame, thread, &process)
      process.frames.setOperationStep(frame, .returned)
      enterStart(of: operation, on: thread, &process)
      return .goOn
    }
    setState(.starting, of: operation)
    if record.flags.contains(.part) {
      beginOrder(of: operation, thread, &process.kernel)
      setState(.executing, of: operation)
      process.frames.setOperationStep(frame, .blocks)
      return .goOn
    }
    if record.flags.contains(.cancelled) {
      // It never ran: only its end is announced.
      skipOrder(of: operation, thread, &process.kernel)
      setState(.finishing, of: operation)
      if !keepsCode(operation, process) { discardBlocks(of: operation, &process) }
      announce(.isFinished, true, of: operation, by: thread, &process)
      finish(operation, by: thread, &dispatch, &process)
      process.frames.setOperationStep(frame, .reported)
      return process.outcome == nil ? .goOn : .stopped
    }
    setState(.executing, of: operation)
    if !record.flags.contains(.direct) {
      announce(.isExecuting, true, of: operation, by: thread, &process)
    }
    begin(operation, frame, thread, &process)
    process.frames.setOperationStep(frame, .blocks)
    if record.flags.contains(.block) && process.kernel.machine.isDarwin {
      handOutBlocks(of: operation, by: thread, &dispatch, &process)
    }
    return .goOn
  }

  /// Pushes a copy of the closure of an asynchronous operation, which may be started again.
  private mutating func enterStart(
    of operation: OperationRecord.Index, on thread: ThreadID, _ process: inout Process
  ) {
    let closure = firstBlock(of: operation)
    if closure.isNone { return }
    demand(
      operations[operation].blocks.first == operations[operation].blocks.last,
      "operation \(operation) has more than one closure that could be its start")
    let block = process.blocks[Int(process.frames.block(closure))]
    let runs = operations[operation].starts
    operations[operation].starts += 1
    let key =
      runs == 0
      ? process.frames.key(closure)
      : RandomStreams.key(process.frames.key(closure), salt: 0, ordinal: runs)
    let frame = process.makeFrame(process.frames.block(closure), parent: .none, key: key)
    process.frames.copy(Int(block.captureCount), from: closure, to: frame)
    if isInstance(operation, process) { process.retainCaptures(frame) }
    enter(frame, of: operation, on: thread, &process)
  }

  /// Whether the library asks an operation's own `isFinished` here, on Linux only: the queue that ran its `start`, and
  /// who is about to wait for it; not whoever started it by hand.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue._schedule and
  /// waitUntilFinished.
  func asksEnd(
    of operation: OperationRecord.Index, _ call: Call, _ process: borrowing Process
  ) -> Bool {
    if process.kernel.machine.isDarwin { return false }
    demand(!call.thread.isNone, "the world outside asks for the end of operation \(operation)")
    let frame = innermostOperationFrame(of: call.thread, process)
    guard !frame.isNone, OperationFrame(frame, process.frames).operation == operation else {
      return true
    }
    return OperationFrame(frame, process.frames).runner != .byHand
  }

  /// On Linux a queue asks an operation that has returned from `start` whether it is finished, also
  /// when that was not announced.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue._schedule.
  private mutating func finishUnannounced(
    _ operation: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = operations[operation]
    guard !process.kernel.machine.isDarwin,
      case .queue = OperationFrame(frame, process.frames).runner,
      record.flags.contains(.saysFinished), record.state < .finishing
    else { return }
    announce(.isFinished, true, of: operation, by: thread, &process)
    finish(operation, by: thread, &dispatch, &process)
  }

  /// The code of an operation begins.
  private mutating func begin(
    _ operation: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ process: inout Process
  ) {
    let record = operations[operation]
    demand(
      !record.flags.contains(.part) && record.itemNumber >= 0 || record.state == .finished
        || record.flags.contains(.asynchronous),
      "operation \(operation) begins, and is no item")
    if !record.flags.contains(.begun) && record.state != .finished {
      operations[operation].flags.insert(.begun)
      if record.startedAt < 0 { operations[operation].startedAt = record.addedAt }
      let flags: ItemFlags = record.flags.contains(.asynchronous) ? .needsNoThread : []
      process.kernel.record(
        .itemStarted, thread: thread, detail: flags.rawValue,
        object: record.name, other: record.itemNumber, subject: record.kind,
        value: process.kernel.now - record.submitted)
    }
    beginOrder(of: operation, thread, &process.kernel)
    if record.threadPriority < 0 { return }
    let saved = OperationFrame(frame, process.frames)
    saved.basePriority = process.kernel.threads[thread].basePriority
    saved.threadPriority = process.kernel.threads[thread].threadPriority
    process.kernel.threads.at(thread).setPriority(
      base: ThreadRuntime.basePriority(threadPriority: record.threadPriority),
      threadPriority: record.threadPriority)
    process.kernel.claimChanged(thread)
  }

  private mutating func restorePriority(
    _ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process
  ) {
    let saved = OperationFrame(frame, process.frames)
    guard let before = saved.basePriority else { return }
    saved.basePriority = nil
    process.kernel.threads.at(thread).setPriority(
      base: before, threadPriority: saved.threadPriority)
    process.kernel.claimChanged(thread)
  }

  // MARK: Blocks

  /// Hands all blocks but the first to the global queue, so that they run side by side.
  ///
  /// Source: Apple, NSBlockOperation: the blocks are dispatched with default priority to an
  /// appropriate work queue.
  private mutating func handOutBlocks(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let first = takeBlock(of: operation)
    if first.isNone { return }
    demand(
      operations[operation].partsLeft == 0,
      "\(operations[operation].partsLeft) parts of operation \(operation) run already")
    while true {
      let closure = takeBlock(of: operation)
      if closure.isNone { break }
      var part = OperationRecord(name: operations[operation].name, kind: -1)
      (part.flags, part.whole, part.state) = (.part, operation, .dispatching)
      part.submitted = process.kernel.now
      part.runQuality = lentQuality(of: thread, process)
      let made = make(part)
      addBlock(closure, to: made)
      process.kernel.reuses(.part, made.raw)
      process.kernel.releases(.part, made.raw, by: thread)
      operations[operation].partsLeft += 1
      submit(operation: made, to: DispatchRuntime.root(.default), by: thread, &dispatch, &process)
    }
    addBlock(first, to: operation)
  }

  /// Runs the next block, waits for those that others run, or reports the end.
  private mutating func runBlocks(
    _ operation: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ locks: inout LockRuntime, _ process: inout Process
  ) -> FrameResult {
    let isKept = keepsCode(operation, process)
    let closure = takeBlock(of: operation, isKept: isKept)
    if !closure.isNone {
      let whole = operations.at(operation).pointee.whole
      enter(
        isKept ? process.copy(ofClosure: closure) : closure,
        of: whole.isNone ? operation : whole, on: thread, &process)
      return .goOn
    }
    let record = operations.at(operation)
    let flags = record.pointee.flags
    if flags.contains(.part) { return endPart(operation, frame, thread, &locks, &process) }
    if record.pointee.partsLeft > 0 {
      process.kernel.append(
        thread, to: &operations[operation].waiters)
      process.kernel.threads.at(thread).setWaitValue(WaitedOperation.parts.rawValue)
      process.kernel.block(
        thread, .operation, on: operation.raw, name: record.pointee.name)
      return .left
    }
    process.kernel.acquires(.part, operation.raw, by: thread)
    reportHeldLocks(of: operation, frame, thread, &locks, &process)
    restorePriority(frame, thread, &process)
    setState(.finishing, of: operation)
    if !flags.contains(.direct) {
      announce(.isExecuting, false, of: operation, by: thread, &process)
      announce(.isFinished, true, of: operation, by: thread, &process)
    }
    finish(operation, by: thread, &dispatch, &process)
    process.frames.setOperationStep(frame, .reported)
    return process.outcome == nil ? .goOn : .stopped
  }

  /// One block of several has ended; the last one wakes the thread that waits for them.
  private mutating func endPart(
    _ part: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ locks: inout LockRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let whole = operations[part].whole
    demand(
      operations[whole].partsLeft > 0 && operations[whole].state == .executing,
      "part \(part) of operation \(whole) ends, which is \(operations[whole].state.name) and has "
        + "\(operations[whole].partsLeft)")
    process.kernel.releases(.part, whole.raw, by: thread)
    reportHeldLocks(of: whole, frame, thread, &locks, &process)
    setState(.finished, of: part)
    setThread(.none, of: part)
    recycle(part)
    operations[whole].partsLeft -= 1
    let runner = operations[whole].thread
    if operations[whole].partsLeft == 0, !runner.isNone,
      process.kernel.threads[runner].state == .waiting,
      process.kernel.threads[runner].reason == .operation,
      process.kernel.threads[runner].waitValue == WaitedOperation.parts.rawValue,
      process.kernel.threads[runner].waitObject == whole.raw
    {
      process.kernel.remove(runner, from: &operations[whole].waiters)
      process.kernel.wake(runner, .granted, by: thread)
    }
    return endFrame(frame, thread, &process)
  }
}
