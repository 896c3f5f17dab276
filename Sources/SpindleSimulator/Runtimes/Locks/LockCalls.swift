import SpindleModel

/// Locks, conditions and semaphores.
extension LockRuntime {
  mutating func lock(_ primitive: LockPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let lock = LockRecord.Index(register: process.argument(0, call))
    switch primitive {
    case .make: makeLock(call, &process)
    case .lock:
      if locks[lock].lockClass == .readWrite {
        return process.advance(writeLock(lock, call.thread, &process.kernel), call)
      }
      return process.advance(self.lock(lock, call.thread, deadline: nil, &process.kernel), call)
    case .lockBefore:
      let limit = process.argument(1, call)
      let step = self.lock(lock, call.thread, deadline: process.deadline(limit), &process.kernel)
      if case .done = step { giveWaitSuccess(call, process) }
      return process.advance(step, call)
    case .tryLock: process.give(tryLock(lock, call.thread, &process.kernel), call)
    case .unlock:
      if locks[lock].lockClass == .readWrite {
        return process.advance(unlockReadWrite(lock, call.thread, &process.kernel), call)
      }
      return process.advance(unlock(lock, call.thread, &process.kernel), call)
    case .readLock: return process.advance(readLock(lock, call.thread, &process.kernel), call)
    case .writeLock:
      return process.advance(writeLock(lock, call.thread, &process.kernel), call)
    case .tryReadLock: process.give(tryReadLock(lock, call.thread, &process.kernel), call)
    case .tryWriteLock: process.give(tryLock(lock, call.thread, &process.kernel), call)
    case .wait:
      return process.advance(
        wait(on: lock, call.thread, deadline: nil, &process.kernel), call)
    case .waitUntil:
      let limit = process.deadline(process.argument(1, call))
      let step = wait(on: lock, call.thread, deadline: limit, &process.kernel)
      if case .done = step { giveWaitSuccess(call, process) }
      return process.advance(step, call)
    case .signal: signal(lock, call.thread, &process.kernel)
    case .broadcast: broadcast(lock, call.thread, &process.kernel)
    case .condition: process.give(locks[lock].condition, call)
    case .setValue: locks[lock].condition = process.argument(1, call)
    case .access:
      let effect = AtomicEffect(call, process)
      process.kernel.accesses(
        lock.raw, acquires: effect.acquires, releases: effect.releases, by: call.thread)
    case .lockWhen: return lockWhen(lock, hasLimit: false, call, &process)
    case .lockWhenBefore: return lockWhen(lock, hasLimit: true, call, &process)
    case .tryLockWhen:
      process.give(
        tryLock(lock, whenCondition: process.argument(1, call), call.thread, &process.kernel),
        call)
    case .unlockWith:
      return process.advance(
        unlock(lock, withCondition: process.argument(1, call), call.thread, &process.kernel),
        call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: LockPrimitive, _ call: Call, _ process: borrowing Process) -> Int64 {
    let cost = process.kernel.costs.lock.rawValue
    switch primitive {
    case .lock, .lockBefore, .tryLock, .wait, .waitUntil, .lockWhen, .lockWhenBefore, .tryLockWhen,
      .readLock, .writeLock, .tryReadLock, .tryWriteLock, .access:
      return cost
    case .unlock, .unlockWith:
      return cost
        + process.wakeCost(locks[LockRecord.Index(register: process.argument(0, call))].waiters)
    case .signal, .broadcast:
      return cost
        + process.wakeCost(locks[LockRecord.Index(register: process.argument(0, call))].sleepers)
    case .make, .condition, .setValue: return 0
    }
  }

  private mutating func makeLock(_ call: Call, _ process: inout Process) {
    let given = LockMakeArguments(call, process)
    let name = process.objectName(given.name, given.lockClass.name)
    let made = make(given, name: name, &process.kernel)
    process.noteMaking(
      HandleClass(given.lockClass), made.raw, name, call,
      value: given.lockClass == .conditionLock ? given.condition ?? noValue : 0)
    process.give(made.register, call)
  }

  /// `lock(whenCondition:)`, with a limit or none.
  private mutating func lockWhen(
    _ lock: LockRecord.Index, hasLimit: Bool, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let given = LockWhenArguments(hasLimit: hasLimit, call, process)
    let step = self.lock(
      lock, whenCondition: given.condition, call.thread, deadline: given.deadline, &process.kernel)
    if case .done = step, hasLimit { giveWaitSuccess(call, process) }
    return process.advance(step, call)
  }

  // MARK: Semaphores

  mutating func semaphore(
    _ primitive: SemaphorePrimitive, _ call: Call, _ semaphores: inout SemaphoreRuntime,
    _ process: inout Process
  ) -> CallResult {
    let object = SemaphoreRuntime.Index(register: process.argument(0, call))
    switch primitive {
    case .make:
      let name = process.objectName(process.argument(0, call), "DispatchSemaphore")
      guard let made = semaphores.make(name: name, value: process.argument(1, call)) else {
        return process.crash("Fatal error: a semaphore's value is not negative", call)
      }
      process.noteMaking(.semaphore, made.raw, name, call, value: process.argument(1, call))
      process.give(made.register, call)
    case .wait:
      let limit = process.deadline(process.argument(1, call))
      let step = semaphores.wait(object, call.thread, deadline: limit, &process.kernel)
      if case .done = step { process.giveWaitResult(call) }
      return process.advance(step, call)
    case .signal:
      let waiter = semaphores.semaphores[object].waiters.firstThread
      if waiter.isNone && semaphores.semaphores[object].value == Int64.max {
        return process.crash(
          "BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_semaphore_signal()", call)
      }
      if !waiter.isNone {
        noteInversion(
          waiter, by: call.thread, process.kernel.threads[waiter].since,
          semaphores.semaphores[object].name, &process)
      }
      process.give(semaphores.signal(object, call.thread, &process.kernel), call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(
    of primitive: SemaphorePrimitive, _ call: Call, _ semaphores: borrowing SemaphoreRuntime,
    _ process: borrowing Process
  ) -> Int64 {
    let cost = process.kernel.costs.semaphore.rawValue
    switch primitive {
    case .wait: return cost
    case .signal:
      return cost
        + process.wakeCost(
          semaphores.semaphores[SemaphoreRuntime.Index(register: process.argument(0, call))].waiters
        )
    case .make: return 0
    }
  }

  /// Gives whether the wait ended before its limit.
  private func giveWaitSuccess(_ call: Call, _ process: borrowing Process) {
    process.give(process.kernel.threads[call.thread].wakeResult != .timedOut, call)
  }
}
