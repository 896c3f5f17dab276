import SpindleModel

/// Locks, conditions, semaphores and groups.
extension Interpreter {
  mutating func lock(_ primitive: Primitive, _ call: Call) -> Advance {
    let lock = Int32(truncatingIfNeeded: argument(0, call))
    switch primitive {
    case .lockMake:
      let lockClass = LockClass(rawValue: UInt8(truncatingIfNeeded: argument(0, call))) ?? .mutex
      let name = objectName(argument(1, call), lockClass.name)
      let made = locks.make(lockClass, name: name, condition: argument(2, call), &kernel)
      noteMaking(
        HandleClass(lockClass), made, name, call,
        value: lockClass == .conditionLock ? argument(2, call) : 0)
      give(Int64(made), call)
    case .lockLock:
      if locks.locks[lock].lockClass == .readWrite {
        return advance(locks.writeLock(lock, call.thread, &kernel), call)
      }
      return advance(locks.lock(lock, call.thread, deadline: nil, &kernel), call)
    case .lockLockBefore:
      let limit = argument(1, call)
      let step = locks.lock(lock, call.thread, deadline: deadline(limit), &kernel)
      if case .done = step { giveWaitSuccess(call) }
      return advance(step, call)
    case .lockTry: give(locks.tryLock(lock, call.thread, &kernel), call)
    case .lockUnlock:
      if locks.locks[lock].lockClass == .readWrite {
        return advance(locks.unlockReadWrite(lock, call.thread, &kernel), call)
      }
      return advance(locks.unlock(lock, call.thread, &kernel), call)
    case .readWriteReadLock: return advance(locks.readLock(lock, call.thread, &kernel), call)
    case .readWriteWriteLock: return advance(locks.writeLock(lock, call.thread, &kernel), call)
    case .readWriteTryReadLock: give(locks.tryReadLock(lock, call.thread, &kernel), call)
    case .readWriteTryWriteLock: give(locks.tryLock(lock, call.thread, &kernel), call)
    default: fatalError("\(primitive) is not done here")
    }
    return .next
  }

  mutating func condition(_ primitive: Primitive, _ call: Call) -> Advance {
    let lock = Int32(truncatingIfNeeded: argument(0, call))
    switch primitive {
    case .conditionWait:
      return advance(locks.wait(on: lock, call.thread, deadline: nil, &kernel), call)
    case .conditionWaitUntil:
      let limit = deadline(argument(1, call))
      let step = locks.wait(on: lock, call.thread, deadline: limit, &kernel)
      if case .done = step { giveWaitSuccess(call) }
      return advance(step, call)
    case .conditionSignal: locks.signal(lock, call.thread, &kernel)
    case .conditionBroadcast: locks.broadcast(lock, call.thread, &kernel)
    case .conditionLockCondition: give(locks.locks[lock].condition, call)
    case .conditionLockLockWhen, .conditionLockLockWhenBefore:
      let hasLimit = primitive == .conditionLockLockWhenBefore
      let step = locks.lock(
        lock, whenCondition: argument(1, call), call.thread,
        deadline: hasLimit ? deadline(argument(2, call)) : nil, &kernel)
      if case .done = step, hasLimit { giveWaitSuccess(call) }
      return advance(step, call)
    case .conditionLockTryLockWhen:
      give(
        locks.tryLock(lock, whenCondition: argument(1, call), call.thread, &kernel), call)
    case .conditionLockUnlockWith:
      return advance(
        locks.unlock(lock, withCondition: argument(1, call), call.thread, &kernel), call)
    default: fatalError("\(primitive) is not done here")
    }
    return .next
  }

  mutating func counting(_ primitive: Primitive, _ call: Call) -> Advance {
    let object = Int32(truncatingIfNeeded: argument(0, call))
    switch primitive {
    case .semaphoreMake:
      let name = objectName(argument(0, call), "DispatchSemaphore")
      guard let made = semaphores.make(name: name, value: argument(1, call)) else {
        return crash("Fatal error: a semaphore's value is not negative", call)
      }
      noteMaking(.semaphore, made, name, call, value: argument(1, call))
      give(Int64(made), call)
    case .semaphoreWait:
      let limit = deadline(argument(1, call))
      let step = semaphores.wait(object, call.thread, deadline: limit, &kernel)
      if case .done = step { giveWaitResult(call) }
      return advance(step, call)
    case .semaphoreSignal:
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
    case .groupMake:
      let name = objectName(argument(0, call), "DispatchGroup")
      let made = groups.make(name: name)
      noteMaking(.group, made, name, call)
      give(Int64(made), call)
    case .groupEnter: groups.enter(object, call.thread, &kernel)
    case .groupLeave:
      leaveGroup(object, call.thread)
      return outcome == nil ? .next : .stopped
    case .groupWait:
      let limit = deadline(argument(1, call))
      let step = groups.wait(object, call.thread, deadline: limit, &kernel)
      if case .done = step { giveWaitResult(call) }
      return advance(step, call)
    default: fatalError("\(primitive) is not done here")
    }
    return .next
  }

  /// Gives whether the wait ended before its limit.
  private func giveWaitSuccess(_ call: Call) {
    give(kernel.threads[call.thread].wakeResult != .timedOut, call)
  }
}
