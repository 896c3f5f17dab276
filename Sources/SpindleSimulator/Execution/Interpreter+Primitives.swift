import SpindleModel

/// The vocabulary: from a primitive to what does it.
extension Interpreter {
  /// One call of the vocabulary: who makes it, and where its arguments stand.
  struct Call {
    /// The thread; -1 for the world outside.
    let thread: Int32
    /// The frame.
    let frame: Int32
    /// The first argument's register, which gets the result.
    let base: Register
    /// The instruction.
    let counter: Int
    /// What the key of an activity made here depends on.
    let site: SiteID
  }

  /// Does what a member of the vocabulary does.
  mutating func perform(
    _ primitive: Primitive, _ base: Register, _ site: SiteID, _ frame: Int32, _ thread: Int32,
    _ counter: Int
  ) -> Advance {
    let call = Call(thread: thread, frame: frame, base: base, counter: counter, site: site)
    kernel.breakWork()
    if thread >= 0 {
      let record = kernel.threads.unchecked(thread)
      if record.pointee.phase == 0 {
        record.pointee.wakeResult = .none
        record.pointee.phase = 1
        let cost = kernel.hasCosts ? cost(of: primitive, call) : 0
        if cost > 0 {
          record.pointee.charge(cost)
          return .again
        }
      }
    }
    let advance = route(primitive, call)
    switch advance {
    case .next, .leftAndDone, .unwound, .entered:
      if thread >= 0 { kernel.threads[thread].phase = 0 }
    case .again, .left, .stopped: break
    }
    return advance
  }

  private mutating func route(_ primitive: Primitive, _ call: Call) -> Advance {
    switch primitive {
    case .io, .sleep, .sleepUntil: pause(primitive, argument(0, call), call)
    case .executorAsync: submit(call)
    case .work, .print, .mark, .record, .yield, .allocate, .free, .autorelease,
      .autoreleasePoolPush, .autoreleasePoolPop, .fatalError, .exit:
      doing(primitive, call)
    case .threadMake, .threadDetach, .threadStart, .threadJoin, .threadCancel, .threadCurrent,
      .threadExit:
      threadLife(primitive, call)
    case .threadIsCancelled, .threadIsExecuting, .threadIsFinished, .threadIsMainThread,
      .threadDictionaryGet, .threadDictionarySet, .threadName, .threadSetName, .threadStackSize,
      .threadSetStackSize, .threadPriority, .threadSetPriority, .threadQualityOfService,
      .threadSetQualityOfService:
      threadProperty(primitive, call)
    case .threadRealtime: makeRealtime(call)
    case .lockMake, .lockLock, .lockLockBefore, .lockTry, .lockUnlock, .readWriteReadLock,
      .readWriteWriteLock, .readWriteTryReadLock, .readWriteTryWriteLock:
      lock(primitive, call)
    case .conditionWait, .conditionWaitUntil, .conditionSignal, .conditionBroadcast,
      .conditionLockCondition, .conditionLockLockWhen, .conditionLockLockWhenBefore,
      .conditionLockTryLockWhen, .conditionLockUnlockWith:
      condition(primitive, call)
    case .semaphoreMake, .semaphoreWait, .semaphoreSignal, .groupMake, .groupEnter, .groupLeave,
      .groupWait:
      counting(primitive, call)
    case .threadPerTaskMake, .threadPoolMake:
      executor(primitive, call)
    case .queueMake, .queueMain, .queueGlobal, .queueLabel, .queueQuality, .queueAsync,
      .queueAsyncItem, .queueAsyncAfter, .queueAsyncAfterItem, .queueIO, .queueSetTarget,
      .queueSetSpecific, .queueGetSpecific, .queueSetFinalizer, .queuePrecondition,
      .queuePreconditionNot:
      queue(primitive, call)
    case .queueSyncEnter: enterSync(call)
    case .queueSyncLeave: leaveSync(call)
    case .queueSyncItem: performOnQueue(call)
    case .queueSuspend, .queueResume, .queueActivate: queueState(primitive, call)
    case .concurrentPerform: concurrentPerform(call)
    case .dispatchMain: beginDispatchMain(call)
    case .onceMake, .onceEnter, .onceLeave: once(primitive, call)
    case .workItemMake, .workItemPerform, .workItemCancel, .workItemIsCancelled, .workItemWait,
      .workItemNotify, .workItemNotifyItem, .groupNotify, .groupNotifyItem:
      workItem(primitive, call)
    case .sourceMake, .sourceSetEventHandler, .sourceSetCancelHandler, .sourceData, .sourceMerge,
      .sourceSchedule, .sourceResume, .sourceActivate, .sourceSuspend, .sourceCancel,
      .sourceIsCancelled, .pipeMake, .pipeWrite, .pipeRead, .raiseSignal, .processMake, .sourceSend:
      source(primitive, call)
    case .appEnterBackground, .appEnterForeground, .appBeginBackgroundTask, .appEndBackgroundTask,
      .machineSleep:
      app(primitive, call)
    case .objectRelease, .objectIsAlive: lifetime(primitive, call)
    default: routeToRunLoops(primitive, call)
    }
  }

  /// What a call costs its thread before it has an effect.
  private func cost(of primitive: Primitive, _ call: Call) -> Int64 {
    let costs = kernel.costs
    switch primitive {
    case .io, .sleep, .sleepUntil, .yield, .threadRealtime: return costs.systemCall.rawValue
    case .threadStart, .threadDetach: return costs.threadCreate.rawValue
    case .lockLock, .lockLockBefore, .lockTry, .conditionWait, .conditionWaitUntil,
      .conditionLockLockWhen, .conditionLockLockWhenBefore, .conditionLockTryLockWhen,
      .readWriteReadLock, .readWriteWriteLock, .readWriteTryReadLock, .readWriteTryWriteLock:
      return costs.lock.rawValue
    case .lockUnlock, .conditionLockUnlockWith:
      let lock = Int32(truncatingIfNeeded: argument(0, call))
      return costs.lock.rawValue + wakeCost(locks.locks[lock].waiters)
    case .conditionSignal, .conditionBroadcast:
      let lock = Int32(truncatingIfNeeded: argument(0, call))
      return costs.lock.rawValue + wakeCost(locks.locks[lock].sleepers)
    case .semaphoreWait, .groupEnter, .groupWait: return costs.semaphore.rawValue
    case .semaphoreSignal:
      let semaphore = Int32(truncatingIfNeeded: argument(0, call))
      return costs.semaphore.rawValue + wakeCost(semaphores.semaphores[semaphore].waiters)
    case .groupLeave:
      let group = Int32(truncatingIfNeeded: argument(0, call))
      let isLast = groups.groups[group].count == 1
      return costs.semaphore.rawValue + (isLast ? wakeCost(groups.groups[group].waiters) : 0)
    case .queueAsync, .queueAsyncItem, .groupNotify, .groupNotifyItem, .workItemNotify,
      .workItemNotifyItem, .queueAsyncAfter, .queueAsyncAfterItem:
      return queueCost(primitive, call)
    case .queueSyncEnter, .queueSyncLeave, .queueSyncItem, .onceEnter:
      return costs.lock.rawValue
    case .queueIO: return costs.systemCall.rawValue
    case .executorAsync where argument(0, call) >> 48 == 1:
      return dispatch.submitCost(object(0, call), kernel)
    case .operationQueueAdd, .operationQueueAddBlock, .operationQueueAddBarrier,
      .operationQueueAsync, .operationQueueAddAll:
      return operationCost(primitive, call)
    case .executorAsync where argument(0, call) >> 48 == 2: return operationCost(primitive, call)
    case .executorAsync:
      return executors.cost(of: Int32(truncatingIfNeeded: argument(0, call)), costs)
    case .runLoopRun, .runLoopRunUntil, .runLoopRunMode, .runLoopRunCF, .runLoopRunInMode,
      .runLoopLimitDate:
      return costs.runLoopRun.rawValue
    case .runLoopStop, .runLoopWakeUp: return wakeCost(ofLoop: argument(0, call))
    case .threadPerform: return costs.enqueue.rawValue + wakeCost(ofLoop: argument(0, call))
    case .portSend:
      let port = Int32(truncatingIfNeeded: argument(0, call))
      return costs.enqueue.rawValue + (runLoops.wouldWake(port: port) ? costs.wake.rawValue : 0)
    case .ioRunLoop: return costs.systemCall.rawValue
    default: return 0
    }
  }

  private func wakeCost(_ waiters: WaitList) -> Int64 {
    waiters.isEmpty ? 0 : kernel.costs.wake.rawValue
  }

  private func wakeCost(ofLoop handle: Int64) -> Int64 {
    guard let thread = resolve(handle), kernel.threads[thread].runLoop >= 0 else { return 0 }
    let sleeps = runLoops.loops[Int(kernel.threads[thread].runLoop)].sleeps
    return sleeps ? kernel.costs.wake.rawValue : 0
  }

  // MARK: Arguments and results

  /// The argument at `index`.
  @inline(__always)
  func argument(_ index: Int, _ call: Call) -> Int64 {
    frames.unchecked.registers(call.frame)[Int(call.base.index) &+ index]
  }

  /// Gives the call its result.
  @inline(__always)
  func give(_ result: Int64, _ call: Call) {
    frames.unchecked.registers(call.frame)[call.base] = result
  }

  /// Gives a truth as the result.
  func give(_ result: Bool, _ call: Call) { give(result ? 1 : 0, call) }

  /// Crashes with `message` at the call.
  mutating func crash(_ message: String, _ call: Call) -> Advance {
    crash(message, call.thread, at: Int32(truncatingIfNeeded: call.counter))
    return .stopped
  }

  /// What a step of a runtime means for the call.
  mutating func advance(_ step: Step, _ call: Call) -> Advance {
    switch step {
    case .done: .next
    case .blocked: .left
    case .crash(let message): crash(message, call)
    }
  }

  /// Whether an argument is a closure that was made for this call.
  ///
  /// Its register was last written by the instruction that makes the closure.
  @inline(__always)
  private func isLiteral(_ register: Register, _ call: Call) -> Bool {
    // A closure is the last argument of most calls, made just before them.
    if call.counter > 0, case .closure(let to, _, _) = code[call.counter &- 1], to == register {
      return true
    }
    return isLiteralFurtherUp(register, call)
  }

  @inline(never)
  private func isLiteralFurtherUp(_ register: Register, _ call: Call) -> Bool {
    var place = call.counter &- 1
    while place >= 0 && place &+ 32 > call.counter {
      switch code[place] {
      case .closure(let to, _, _): if to == register { return true }
      case .copy(let to, _), .constant(_, let to), .loadGlobal(let to, _):
        if to == register { return false }
      default: break
      }
      place &-= 1
    }
    return false
  }

  /// A closure as a new activity's outermost frame, with its own key.
  ///
  /// A closure literal of the call is taken over; any other closure is copied, since the trace may
  /// use it again.
  @inline(__always)
  mutating func activity(_ index: Int, _ call: Call) -> Int32 {
    let register = Register(Int(call.base.index) &+ index)
    var frame = Int32(truncatingIfNeeded: argument(index, call))
    if !isLiteral(register, call) { frame = copy(ofClosure: frame) }
    frames.setKey(
      frame, key(at: call.site, frames.key(call.frame), frames.registers(call.frame)))
    return frame
  }

  /// A closure with the same captured values.
  @inline(never)
  private mutating func copy(ofClosure closure: Int32) -> Int32 {
    let block = frames.block(closure)
    let frame = makeFrame(block, parent: -1, key: 0)
    frames.copy(Int(blocks[Int(block)].captureCount), from: closure, to: frame)
    return frame
  }
}
