import SpindleModel

/// Which calls are visible steps: what they do, to what, and when that is done.
///
/// A call that is none can't be noticed by another thread but through one that is. Where a contract orders two calls,
/// as the items of a serial queue, they are no choice: the queue's items follow from the calls that handed them over.
extension Interpreter {
  /// What a call is as a step, and what its object is; nil for one that is none.
  func step(of primitive: Primitive, _ call: Call) -> (StepShape, StepFamily)? {
    switch primitive {
    case .lock(.access):
      AtomicEffect(call, process).changes
        ? Self.step(.changes, .writes, .lock) : Self.step(.reads, .reads, .lock)
    case .lock(let primitive): Self.step(primitive)
    case .semaphore(.wait):
      Self.step(.passes, needsLastSignal(call) ? .writes : .tries, .semaphore)
    case .semaphore(.signal): Self.step(.signals, .releases, .semaphore)
    case .group(let primitive): step(primitive, call)
    case .queue(let primitive): step(primitive, call)
    case .executor(.async): Self.step(.submits, .writes, .executor)
    case .once(.enter): Self.step(.initialises, .writes, .once)
    case .workItem(let primitive): step(primitive, call)
    case .dispatchSource(let primitive): Self.step(primitive)
    case .thread(.cancel): Self.step(.cancels, .writes, .thread)
    case .thread(.isCancelled), .thread(.isFinished), .thread(.isExecuting):
      Self.step(.asks, .reads, .thread)
    case .operation(let primitive): Self.step(primitive)
    case .operationQueue(let primitive): Self.step(primitive)
    case .runLoop(.stop): Self.step(.stops, .writes, .runLoop)
    case .runLoop(.perform): Self.step(.submits, .writes, .runLoop)
    case .runLoop(.performOnThread): Self.step(.submits, .writes, .thread)
    case .runLoop(.wakeUp): Self.step(.wakes, .writes, .runLoop)
    case .runLoopSource(.signal): Self.step(.signals, .writes, .runLoopSource)
    case .runLoopSource(.invalidate): Self.step(.cancels, .writes, .runLoopSource)
    case .port(.send): Self.step(.sends, .writes, .port)
    case .port(.invalidate): Self.step(.cancels, .writes, .port)
    case .task(.cancel): Self.step(.cancels, .writes, .task, isDoneAtOnce: true)
    case .task(.isCancelled), .task(.ownIsCancelled), .task(.checkCancellation):
      Self.step(.asks, .reads, .task, isDoneAtOnce: true)
    case .task(.make), .taskGroup(.add): Self.step(.submits, .writes, .actor)
    case .task(.sleep), .task(.sleepUntil), .task(.io), .task(.ioThrowing):
      process.asksForEnds.contains(.tasks)
        ? Self.step(.asks, .reads, .task, isDoneAtOnce: true) : nil
    case .task(.pushHandler), .task(.popHandler): Self.step(.changes, .reads, .task)
    case .taskGroup(.cancelAll): Self.step(.cancels, .writes, .taskGroup)
    case .taskGroup(.isEmpty): Self.step(.asks, .writes, .taskGroup)
    case .task(.hop): Self.step(.hops, .writes, .actor, isDoneAtOnce: true)
    case .continuation(.resume), .continuation(.resumeThrowing):
      Self.step(.resumes, .writes, .continuation, isDoneAtOnce: true)
    case .asyncStream(.yield):
      Self.step(.yields, keepsAll(call) ? .feeds : .writes, .stream, isDoneAtOnce: true)
    case .asyncStream(.finish), .asyncStream(.finishThrowing):
      Self.step(.finishes, .feeds, .stream, isDoneAtOnce: true)
    case .asyncStream(.next):
      Self.step(.takes, keepsAll(call) ? .takes : .writes, .stream, isDoneAtOnce: true)
    default: nil
    }
  }

  private static func step(
    _ verb: StepVerb, _ mode: StepMode, _ family: StepFamily, isDoneAtOnce: Bool = false
  ) -> (StepShape, StepFamily)? {
    (
      StepShape(
        verb: verb, mode: mode, isDoneAtOnce: isDoneAtOnce, isOfCondition: family == .condition),
      family
    )
  }

  /// Whether a stream keeps all elements until they are taken.
  private func keepsAll(_ call: Call) -> Bool {
    let stream = AsyncStreamRecord.Index(Process.index(process.argument(0, call)))
    return concurrency.streams[stream].buffering == .unbounded
  }

  /// A wait that only the end of what it waits for ends is begun at once; one with a limit goes on without it.
  private func wait(_ family: StepFamily, _ call: Call) -> (StepShape, StepFamily)? {
    let limit = process.argument(1, call)
    return limit == noValue || limit == Int64.max
      ? Self.step(.waits, .awaits, family, isDoneAtOnce: true) : Self.step(.waits, .writes, family)
  }

  /// Whether a wait for a semaphore passes only behind the signal that came last: it has no limit of time, and the
  /// semaphore has not two to give.
  private func needsLastSignal(_ call: Call) -> Bool {
    let (semaphore, limit) = (process.argument(0, call), process.argument(1, call))
    guard semaphore != noValue, limit == noValue || limit == Int64.max else { return false }
    return semaphores.semaphores[SemaphoreRuntime.Index(Process.index(semaphore))].value < 2
  }

  private static func step(_ primitive: LockPrimitive) -> (StepShape, StepFamily)? {
    switch primitive {
    case .lock, .lockWhen, .writeLock: Self.step(.locks, .writes, .lock)
    case .readLock: Self.step(.locks, .reads, .lock)
    case .lockBefore, .lockWhenBefore: Self.step(.locks, .tries, .lock)
    case .tryLock, .tryLockWhen, .tryReadLock, .tryWriteLock:
      Self.step(.tries, .tries, .lock)
    case .unlock, .unlockWith: Self.step(.unlocks, .releases, .lock)
    case .wait, .waitUntil:
      Self.step(.waits, .writes, .condition, isDoneAtOnce: true)
    case .signal: Self.step(.signals, .writes, .condition)
    case .broadcast: Self.step(.broadcasts, .writes, .condition)
    // What it is depends on its arguments.
    case .make, .condition, .setValue, .access: nil
    }
  }

  private func step(_ primitive: GroupPrimitive, _ call: Call) -> (StepShape, StepFamily)? {
    switch primitive {
    case .enter: Self.step(.enters, .enters, .group)
    case .leave: Self.step(.leaves, .leaves, .group)
    case .wait: wait(.group, call)
    case .notify, .notifyItem: Self.step(.notifies, .writes, .group)
    case .make: nil
    }
  }

  private func step(_ primitive: QueuePrimitive, _ call: Call) -> (StepShape, StepFamily)? {
    switch primitive {
    case .async: Self.step(.submits, handOver(call, flags: 5), .queue)
    case .asyncItem: Self.step(.submits, handOver(call, flags: nil), .queue)
    case .asyncAfter, .asyncAfterItem, .io: Self.step(.plans, .reads, .queue)
    case .syncEnter: Self.step(.syncs, handOver(call, flags: 1), .queue, isDoneAtOnce: true)
    case .syncItem: Self.step(.syncs, handOver(call, flags: nil), .queue, isDoneAtOnce: true)
    case .suspend: Self.step(.suspends, .writes, .queue)
    case .resume: Self.step(.resumes, .writes, .queue)
    case .activate: Self.step(.activates, .writes, .queue)
    case .setTarget: Self.step(.changes, .writes, .queue)
    case .make, .main, .global, .label, .quality, .syncLeave, .setSpecific, .getSpecific,
      .getOwnSpecific, .setFinalizer, .concurrentPerform, .dispatchMain, .precondition,
      .preconditionNot:
      nil
    }
  }

  /// Items of a serial queue run in the order in which they were handed over; of a concurrent one only barriers have
  /// a place.
  private func handOver(_ call: Call, flags: Int?) -> StepMode {
    let queue = DispatchQueueRecord.Index(Process.index(process.argument(0, call)))
    if !dispatch.isConcurrent(queue) { return .writes }
    guard let flags, process.argument(flags, call) != noValue else { return .reads }
    let options = DispatchWorkItemFlags(rawValue: process.argument(flags, call))
    return options.contains(.barrier) ? .writes : .reads
  }

  private func step(_ primitive: WorkItemPrimitive, _ call: Call) -> (StepShape, StepFamily)? {
    switch primitive {
    case .cancel: Self.step(.cancels, .writes, .workItem)
    case .isCancelled: Self.step(.asks, .reads, .workItem)
    case .perform: Self.step(.begins, .reads, .workItem)
    case .wait: wait(.workItem, call)
    case .notify, .notifyItem: Self.step(.notifies, .writes, .workItem)
    case .make: nil
    }
  }

  private static func step(_ primitive: DispatchSourcePrimitive) -> (StepShape, StepFamily)? {
    switch primitive {
    case .merge: Self.step(.merges, .writes, .source)
    case .send: Self.step(.sends, .writes, .source)
    case .resume: Self.step(.resumes, .writes, .source)
    case .activate: Self.step(.activates, .writes, .source)
    case .suspend: Self.step(.suspends, .writes, .source)
    case .cancel: Self.step(.cancels, .writes, .source)
    case .isCancelled: Self.step(.asks, .reads, .source)
    case .schedule: Self.step(.changes, .writes, .source)
    case .pipeWrite: Self.step(.writes, .feeds, .pipe)
    case .pipeRead: Self.step(.reads, .writes, .pipe)
    case .make, .setEventHandler, .setCancelHandler, .data, .pipeMake, .raiseSignal, .processMake:
      nil
    }
  }

  private static func step(_ primitive: OperationPrimitive) -> (StepShape, StepFamily)? {
    switch primitive {
    case .addDependency, .removeDependency, .setExecuting, .setFinished, .setCompletion,
      .setQueuePriority:
      Self.step(.changes, .writes, .operation)
    case .cancel: Self.step(.cancels, .writes, .operation)
    case .isCancelled, .isReady, .isExecuting, .isFinished:
      Self.step(.asks, .reads, .operation)
    case .start: Self.step(.begins, .reads, .operation)
    case .finish: Self.step(.finishes, .writes, .operation)
    default: nil
    }
  }

  private static func step(_ primitive: OperationQueuePrimitive) -> (StepShape, StepFamily)? {
    switch primitive {
    case .add, .addAll, .addBlock, .addBarrier, .async:
      Self.step(.submits, .writes, .operationQueue)
    case .cancelAll: Self.step(.cancels, .writes, .operationQueue)
    case .setLimit, .setSuspended: Self.step(.changes, .writes, .operationQueue)
    case .operations, .count, .isSuspended: Self.step(.asks, .tries, .operationQueue)
    case .waitAll:
      Self.step(.waits, .reads, .operationQueue, isDoneAtOnce: true)
    default: nil
    }
  }
}
