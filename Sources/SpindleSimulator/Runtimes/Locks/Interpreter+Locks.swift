import SpindleModel

/// Locks, conditions and semaphores.
extension Interpreter {
  mutating func lock(_ primitive: LockPrimitive, _ call: Call) -> Advance {
    let lock = Int32(truncatingIfNeeded: argument(0, call))
    switch primitive {
    case .make: makeLock(call)
    case .lock:
      if locks.locks[lock].lockClass == .readWrite {
        return advance(locks.writeLock(lock, call.thread, &kernel), call)
      }
      return advance(locks.lock(lock, call.thread, deadline: nil, &kernel), call)
    case .lockBefore:
      let limit = argument(1, call)
      let step = locks.lock(lock, call.thread, deadline: deadline(limit), &kernel)
      if case .done = step { giveWaitSuccess(call) }
      return advance(step, call)
    case .tryLock: give(locks.tryLock(lock, call.thread, &kernel), call)
    case .unlock:
      if locks.locks[lock].lockClass == .readWrite {
        return advance(locks.unlockReadWrite(lock, call.thread, &kernel), call)
      }
      return advance(locks.unlock(lock, call.thread, &kernel), call)
    case .readLock: return advance(locks.readLock(lock, call.thread, &kernel), call)
    case .writeLock: return advance(locks.writeLock(lock, call.thread, &kernel), call)
    case .tryReadLock: give(locks.tryReadLock(lock, call.thread, &kernel), call)
    case .tryWriteLock: give(locks.tryLock(lock, call.thread, &kernel), call)
    case .wait:
      return advance(locks.wait(on: lock, call.thread, deadline: nil, &kernel), call)
    case .waitUntil:
      let limit = deadline(argument(1, call))
      let step = locks.wait(on: lock, call.thread, deadline: limit, &kernel)
      if case .done = step { giveWaitSuccess(call) }
      return advance(step, call)
    case .signal: locks.signal(lock, call.thread, &kernel)
    case .broadcast: locks.broadcast(lock, call.thread, &kernel)
    case .condition: give(locks.locks[lock].condition, call)
    case .lockWhen: return lockWhen(lock, hasLimit: false, call)
    case .lockWhenBefore: return lockWhen(lock, hasLimit: true, call)
    case .tryLockWhen:
      give(
        locks.tryLock(lock, whenCondition: argument(1, call), call.thread, &kernel), call)
    case .unlockWith:
      return advance(
        locks.unlock(lock, withCondition: argument(1, call), call.thread, &kernel), call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: LockPrimitive, _ call: Call) -> Int64 {
    let cost = kernel.costs.lock.rawValue
    switch primitive {
    case .lock, .lockBefore, .tryLock, .wait, .waitUntil, .lockWhen, .lockWhenBefore, .tryLockWhen,
      .readLock, .writeLock, .tryReadLock, .tryWriteLock:
      return cost
    case .unlock, .unlockWith: return cost + wakeCost(locks.locks[object(0, call)].waiters)
    case .signal, .broadcast: return cost + wakeCost(locks.locks[object(0, call)].sleepers)
    case .make, .condition: return 0
    }
  }

  private mutating func makeLock(_ call: Call) {
    let lockClass = LockClass(rawValue: UInt8(truncatingIfNeeded: argument(0, call))) ?? .mutex
    let name = objectName(argument(1, call), lockClass.name)
    let made = locks.make(lockClass, name: name, condition: argument(2, call), &kernel)
    noteMaking(
      HandleClass(lockClass), made, name, call,
      value: lockClass == .conditionLock ? argument(2, call) : 0)
    give(Int64(made), call)
  }

  /// `lock(whenCondition:)`, with a limit or none.
  private mutating func lockWhen(_ lock: Int32, hasLimit: Bool, _ call: Call) -> Advance {
    let step = locks.lock(
      lock, whenCondition: argument(1, call), call.thread,
      deadline: hasLimit ? deadline(argument(2, call)) : nil, &kernel)
    if case .done = step, hasLimit { giveWaitSuccess(call) }
    return advance(step, call)
  }

  // MARK: Semaphores

  mutating func semaphore(_ primitive: SemaphorePrimitive, _ call: Call) -> Advance {
    let object = object(0, call)
    switch primitive {
    case .make:
      let name = objectName(argument(0, call), "DispatchSemaphore")
      guard let made = semaphores.make(name: name, value: argument(1, call)) else {
        return crash("Fatal error: a semaphore's value is not negative", call)
      }
      noteMaking(.semaphore, made, name, call, value: argument(1, call))
      give(Int64(made), call)
    case .wait:
      let limit = deadline(argument(1, call))
      let step = semaphores.wait(object, call.thread, deadline: limit, &kernel)
      if case .done = step { giveWaitResult(call) }
      return advance(step, call)
    case .signal:
      let waiter = semaphores.semaphores[object].waiters.head
      if waiter < 0 && semaphores.semaphores[object].value == Int64.max {
        return crash(
          "BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_semaphore_signal()", call)
      }
      if waiter >= 0 {
        noteInversion(
          waiter, by: call.thread, kernel.threads[waiter].since,
          semaphores.semaphores[object].name)
      }
      give(semaphores.signal(object, call.thread, &kernel), call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: SemaphorePrimitive, _ call: Call) -> Int64 {
    let cost = kernel.costs.semaphore.rawValue
    switch primitive {
    case .wait: return cost
    case .signal: return cost + wakeCost(semaphores.semaphores[object(0, call)].waiters)
    case .make: return 0
    }
  }

  /// Gives whether the wait ended before its limit.
  private func giveWaitSuccess(_ call: Call) {
    give(kernel.threads[call.thread].wakeResult != .timedOut, call)
  }
}
