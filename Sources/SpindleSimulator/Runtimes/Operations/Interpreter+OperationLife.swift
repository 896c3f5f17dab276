import SpindleModel

/// What a thread does with an operation, from its start to its teardown.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, start and observeValue.
extension Interpreter {
  private typealias Slot = OperationSlot

  /// Lets a thread run an operation that a dispatch queue gives it, or that it starts by hand, on top
  /// of what it does.
  mutating func runOperation(_ operation: Int32, on thread: Int32, isByHand: Bool = false) {
    let frame = push(.operation, registers: Slot.count, on: thread)
    frames.registers(frame)[0] = Int64(operation)
    frames.registers(frame)[Slot.lock] = Int64(kernel.threads[thread].ownedLocks)
    frames.registers(frame)[Slot.basePriority] = noValue
    frames.registers(frame)[Slot.queue] =
      isByHand ? Slot.byHand : Int64(operations.operations[operation].lastQueue)
    if operations.operations[operation].state != .finished {
      operations.setThread(thread, of: operation)
    }
  }

  /// Goes on with the frame of an operation.
  mutating func resumeOperation(_ frame: Int32, _ thread: Int32) -> Resumption {
    let operation = Int32(truncatingIfNeeded: frames.registers(frame)[0])
    switch frames.counter(frame) {
    case OperationStep.taken:
      frames.setCounter(frame, OperationStep.started)
      let cost = kernel.costs.operationRun.rawValue
      if cost == 0 || operations.operations[operation].flags.contains(.part) { return .goOn }
      kernel.threads[thread].charge(cost)
      return .computing
    case OperationStep.started: return start(operation, frame, thread)
    case OperationStep.blocks: return runBlocks(operation, frame, thread)
    case OperationStep.returned:
      reportHeldLocks(of: operation, frame, thread)
      restorePriority(frame, thread)
      finishUnannounced(operation, frame, thread)
      if outcome != nil { return .stopped }
      if operations.operations[operation].state < .finishing {
        operations.setThread(-1, of: operation)
        return endFrame(frame, thread)
      }
      frames.setCounter(frame, OperationStep.reported)
      return .goOn
    case OperationStep.reported:
      let teardown = operations.operations[operation].teardown
      frames.setCounter(frame, OperationStep.over)
      if teardown < 0 { return .goOn }
      operations.operations[operation].teardown = -1
      enter(teardown, of: operation, on: thread)
      return .goOn
    default:
      operations.setThread(-1, of: operation)
      operations.recycle(operation)
      return endFrame(frame, thread)
    }
  }

  private mutating func endFrame(_ frame: Int32, _ thread: Int32) -> Resumption {
    leave(frame, thread, result: noResult)
    return outcome == nil ? .goOn : .stopped
  }

  /// Pushes a closure of an operation, which runs once, on top of what a thread does.
  ///
  /// The closure is given its operation when it takes it.
  private mutating func enter(_ closure: Int32, of operation: Int32, on thread: Int32) {
    let block = blocks[Int(frames.block(closure))]
    if block.parameterCount > 0 {
      frames.registers(closure)[Int(block.captureCount)] = Int64(operation)
    }
    frames.setParent(closure, kernel.threads[thread].frame)
    kernel.threads[thread].frame = closure
    kernel.threads[thread].depth += 1
  }

  // MARK: Start

  private mutating func start(_ operation: Int32, _ frame: Int32, _ thread: Int32) -> Resumption {
    let record = operations.operations[operation]
    if record.flags.contains(.asynchronous) {
      // Only the queue sets a state before `start`, which is not the library's own here; and one that
      // reported its end before its turn came is started all the same.
      let isByHand = frames.registers(frame)[Slot.queue] == Slot.byHand
      if record.state != .finished && !isByHand {
        operations.operations[operation].state = .starting
      }
      begin(operation, frame, thread)
      frames.setCounter(frame, OperationStep.returned)
      enterStart(of: operation, on: thread)
      return .goOn
    }
    operations.operations[operation].state = .starting
    if record.flags.contains(.part) {
      operations.operations[operation].state = .executing
      frames.setCounter(frame, OperationStep.blocks)
      return .goOn
    }
    if record.flags.contains(.cancelled) {
      // It never ran: only its end is announced.
      operations.operations[operation].state = .finishing
      discardBlocks(of: operation)
      announce("isFinished", true, of: operation, by: thread)
      finish(operation, by: thread)
      frames.setCounter(frame, OperationStep.reported)
      return outcome == nil ? .goOn : .stopped
    }
    operations.operations[operation].state = .executing
    if !record.flags.contains(.direct) {
      announce("isExecuting", true, of: operation, by: thread)
    }
    begin(operation, frame, thread)
    frames.setCounter(frame, OperationStep.blocks)
    if record.flags.contains(.block) && kernel.machine.isDarwin {
      handOutBlocks(of: operation, by: thread)
    }
    return .goOn
  }

  /// Pushes a copy of the closure of an asynchronous operation, which may be started again.
  private mutating func enterStart(of operation: Int32, on thread: Int32) {
    let closure = operations.firstBlock(of: operation)
    if closure < 0 { return }
    let block = blocks[Int(frames.block(closure))]
    let runs = operations.operations[operation].starts
    operations.operations[operation].starts += 1
    let key =
      runs == 0
      ? frames.key(closure) : RandomStreams.key(frames.key(closure), salt: 0, ordinal: runs)
    let frame = makeFrame(frames.block(closure), parent: -1, key: key)
    frames.copy(Int(block.captureCount), from: closure, to: frame)
    enter(frame, of: operation, on: thread)
  }

  /// On Linux a queue asks an operation that has returned from `start` whether it is finished, also
  /// when that was not announced.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, OperationQueue._schedule.
  private mutating func finishUnannounced(_ operation: Int32, _ frame: Int32, _ thread: Int32) {
    let record = operations.operations[operation]
    guard !kernel.machine.isDarwin, frames.registers(frame)[Slot.queue] >= 0,
      record.flags.contains(.saysFinished), record.state < .finishing
    else { return }
    announce("isFinished", true, of: operation, by: thread)
    finish(operation, by: thread)
  }

  /// The code of an operation begins.
  private mutating func begin(_ operation: Int32, _ frame: Int32, _ thread: Int32) {
    let record = operations.operations[operation]
    if !record.flags.contains(.begun) && record.state != .finished {
      operations.operations[operation].flags.insert(.begun)
      if record.startedAt < 0 { operations.operations[operation].startedAt = record.addedAt }
      let flags: ItemFlags = record.flags.contains(.asynchronous) ? .needsNoThread : []
      kernel.record(
        .itemStarted, thread: thread, detail: flags.rawValue,
        object: record.name, other: record.itemNumber, subject: record.kind,
        value: kernel.now - record.submitted)
    }
    if record.threadPriority < 0 { return }
    frames.registers(frame)[Slot.basePriority] = Int64(kernel.threads[thread].basePriority)
    frames.registers(frame)[Slot.threadPriority] = kernel.threads[thread].threadPriority
    kernel.threads[thread].threadPriority = record.threadPriority
    kernel.threads[thread].basePriority = ThreadRuntime.basePriority(
      threadPriority: record.threadPriority)
    kernel.claimChanged(thread)
  }

  private mutating func restorePriority(_ frame: Int32, _ thread: Int32) {
    let before = frames.registers(frame)[Slot.basePriority]
    if before == noValue { return }
    frames.registers(frame)[Slot.basePriority] = noValue
    kernel.threads[thread].basePriority = Int16(truncatingIfNeeded: before)
    kernel.threads[thread].threadPriority = frames.registers(frame)[Slot.threadPriority]
    kernel.claimChanged(thread)
  }

  // MARK: Blocks

  /// Hands all blocks but the first to the global queue, so that they run side by side.
  ///
  /// Source: Apple, NSBlockOperation: the blocks are dispatched with default priority to an
  /// appropriate work queue.
  private mutating func handOutBlocks(of operation: Int32, by thread: Int32) {
    let first = operations.takeBlock(of: operation)
    if first < 0 { return }
    while true {
      let closure = operations.takeBlock(of: operation)
      if closure < 0 { break }
      var part = OperationRecord(name: operations.operations[operation].name, kind: -1)
      (part.flags, part.whole, part.state) = (.part, operation, .dispatching)
      part.submitted = kernel.now
      part.runQuality = lentQuality(of: thread)
      let made = operations.make(part)
      operations.addBlock(closure, to: made)
      operations.operations[operation].partsLeft += 1
      submit(operation: made, to: DispatchRuntime.root(.default), by: thread)
    }
    operations.addBlock(first, to: operation)
  }

  /// Runs the next block, waits for those that others run, or reports the end.
  private mutating func runBlocks(
    _ operation: Int32, _ frame: Int32, _ thread: Int32
  ) -> Resumption {
    let closure = operations.takeBlock(of: operation)
    if closure >= 0 {
      let whole = operations.operations[operation].whole
      enter(closure, of: whole < 0 ? operation : whole, on: thread)
      return .goOn
    }
    let record = operations.operations[operation]
    if record.flags.contains(.part) { return endPart(operation, frame, thread) }
    if record.partsLeft > 0 {
      kernel.append(
        thread, to: &operations.operations[operation].waiters)
      kernel.threads[thread].waitValue = WaitedOperation.parts
      kernel.block(thread, .operation, on: operation, name: record.name)
      return .left
    }
    reportHeldLocks(of: operation, frame, thread)
    restorePriority(frame, thread)
    operations.operations[operation].state = .finishing
    if !record.flags.contains(.direct) {
      announce("isExecuting", false, of: operation, by: thread)
      announce("isFinished", true, of: operation, by: thread)
    }
    finish(operation, by: thread)
    frames.setCounter(frame, OperationStep.reported)
    return outcome == nil ? .goOn : .stopped
  }

  /// One block of several has ended; the last one wakes the thread that waits for them.
  private mutating func endPart(
    _ part: Int32, _ frame: Int32, _ thread: Int32
  ) -> Resumption {
    let whole = operations.operations[part].whole
    reportHeldLocks(of: whole, frame, thread)
    operations.operations[part].state = .finished
    operations.setThread(-1, of: part)
    operations.recycle(part)
    operations.operations[whole].partsLeft -= 1
    let runner = operations.operations[whole].thread
    if operations.operations[whole].partsLeft == 0, runner >= 0,
      kernel.threads[runner].state == .waiting, kernel.threads[runner].reason == .operation,
      kernel.threads[runner].waitValue == WaitedOperation.parts,
      kernel.threads[runner].waitObject == whole
    {
      kernel.remove(runner, from: &operations.operations[whole].waiters)
      kernel.wake(runner, .granted, by: thread)
    }
    return endFrame(frame, thread)
  }

  private mutating func discardBlocks(of operation: Int32) {
    while true {
      let closure = operations.takeBlock(of: operation)
      if closure < 0 { return }
      frames.release(closure)
    }
  }
}

/// What a thread whose wait has the reason `.operation` waits for; its `waitValue`.
enum WaitedOperation {
  /// The end of the operation that is its object.
  static let one: Int64 = 0
  /// The blocks of the operation that is its object, which other threads run.
  static let parts: Int64 = 1
}

/// The registers of an operation's frame, after the operation itself.
enum OperationSlot {
  /// The lock that its thread took last before it.
  static let lock = 1
  /// What the thread's priorities were.
  static let basePriority = 2
  static let threadPriority = 3
  /// The operation queue that runs it; negative for none.
  static let queue = 4
  static let count: Int32 = 5

  /// What stands for the queue of an operation that is started by hand.
  static let byHand: Int64 = -2
}

/// How far the frame of an operation has come.
enum OperationStep {
  /// A thread has it.
  static let taken: Int32 = 0
  /// What it costs is paid.
  static let started: Int32 = 1
  /// Its blocks run, one after the other.
  static let blocks: Int32 = 2
  /// The closure of an asynchronous one has returned.
  static let returned: Int32 = 3
  /// Its end has been reported.
  static let reported: Int32 = 4
  /// Its teardown has run.
  static let over: Int32 = 5
}
