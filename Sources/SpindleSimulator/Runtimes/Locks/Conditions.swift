import SpindleModel

/// How far a wait for a signal has come; in its thread's `phase`.
enum ConditionPhase: UInt8 {
  /// The call has been made, and its cost is paid.
  case fresh = 1
  /// It waits to be signalled.
  case waits = 2
  /// It was signalled, or waited long enough, and takes its lock again.
  case locksAfterSignal = 3
  case locksAfterTimeOut = 4

  /// How far the wait of a thread has come.
  init(of thread: ThreadID, _ kernel: borrowing Kernel) {
    let phase = kernel.threads[thread].phase
    guard let known = ConditionPhase(rawValue: phase) else {
      fatalError("thread \(thread.index) waits for a signal, and its call is in phase \(phase)")
    }
    self = known
  }
}

/// `NSCondition` and `NSConditionLock`.
extension LockRuntime {
  /// `wait()` and `wait(until:)`.
  ///
  /// Gives the lock back, waits to be signalled, and takes the lock again; a signal without a
  /// waiter is lost. The result is `.timedOut` when the limit was reached.
  mutating func wait(
    on lock: LockRecord.Index, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) -> RuntimeResult {
    switch ConditionPhase(of: thread, kernel) {
    case .fresh:
      demand(
        locks[lock].lockClass == .condition,
        "thread \(thread.index) waits for a signal of lock \(lock.raw)")
      if locks[lock].owner == thread {
        locks[lock].depth = 1
        release(lock, by: thread, &kernel)
      }
      kernel.threads.at(thread).setPhase(ConditionPhase.waits.rawValue)
      kernel.append(thread, to: &locks[lock].sleepers)
      kernel.block(thread, .condition, on: lock.raw, name: locks[lock].name, until: deadline)
      return .blocked
    case .waits:
      let timedOut = kernel.threads[thread].wakeResult == .timedOut
      let phase = timedOut ? ConditionPhase.locksAfterTimeOut : .locksAfterSignal
      kernel.threads.at(thread).setPhase(phase.rawValue)
      kernel.threads.at(thread).setResult(.none)
    case .locksAfterSignal, .locksAfterTimeOut: break
    }
    let step = self.lock(lock, thread, deadline: nil, &kernel)
    if case .done = step, ConditionPhase(of: thread, kernel) == .locksAfterTimeOut {
      kernel.threads.at(thread).setResult(.timedOut)
    }
    return step
  }

  /// The limit of a thread that waits for a signal is reached.
  mutating func signalTimeOut(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
  {
    demand(!locks[lock].sleepers.isEmpty, "nobody waits for a signal of lock \(lock.raw)")
    kernel.remove(thread, from: &locks[lock].sleepers)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.condition.rawValue,
      object: locks[lock].name, subject: lock.raw)
    kernel.wake(thread, .timedOut, by: .none)
  }

  /// `signal()`: wakes the thread that waits longest.
  mutating func signal(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    let next =
      kernel.watchesOrder
      ? kernel.takeWaiter(from: &locks[lock].sleepers, of: lock.raw, name: locks[lock].name)
      : kernel.removeFirst(from: &locks[lock].sleepers)
    kernel.record(
      .conditionSignalled, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread),
      value: next.isNone ? 0 : 1)
    if !next.isNone {
      kernel.wake(next, .granted, by: thread)
    } else {
      lose(lock, thread, kernel)
    }
  }

  /// `broadcast()`: wakes all threads that wait.
  mutating func broadcast(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    var woken: [ThreadID] = []
    while !locks[lock].sleepers.isEmpty {
      woken.append(kernel.removeFirst(from: &locks[lock].sleepers))
    }
    kernel.record(
      .conditionBroadcast, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread),
      value: Int64(woken.count))
    for next in woken { kernel.wake(next, .granted, by: thread) }
    if woken.isEmpty { lose(lock, thread, kernel) }
  }

  private mutating func lose(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel
  ) {
    locks[lock].lostSignals += 1
    locks[lock].lostAt = thread.isNone ? -1 : kernel.threads[thread].place
  }

  // MARK: NSConditionLock

  /// `lock(whenCondition:)`: takes the lock when it is free and its number is `wanted`.
  ///
  /// Every unlock wakes all who wait, and each looks again, as the real library does.
  /// Source: swift-corelibs-foundation:Sources/Foundation/NSLock.swift.
  mutating func lock(
    _ lock: LockRecord.Index, whenCondition wanted: Int64, _ thread: ThreadID, deadline: Int64?,
    _ kernel: inout Kernel
  ) -> RuntimeResult {
    demand(locks[lock].lockClass == .conditionLock, "lock \(lock.raw) has no number to wait for")
    if kernel.threads[thread].wakeResult == .timedOut { return .done }
    if isAboveCeiling(thread, lock, kernel) { return crashAboveCeiling(thread, lock, kernel) }
    if locks[lock].owner.isNone && locks[lock].condition == wanted {
      take(lock, thread, &kernel)
      return .done
    }
    if let deadline, deadline <= kernel.now {
      refuse(lock, thread, &kernel)
      return .done
    }
    kernel.threads.at(thread).setWaitValue(wanted)
    wait(for: lock, thread, deadline: deadline, &kernel)
    return .blocked
  }

  /// `tryLock(whenCondition:)`.
  mutating func tryLock(
    _ lock: LockRecord.Index, whenCondition wanted: Int64, _ thread: ThreadID,
    _ kernel: inout Kernel
  ) -> Bool {
    if locks[lock].owner.isNone && locks[lock].condition == wanted
      && !isAboveCeiling(thread, lock, kernel)
    {
      take(lock, thread, &kernel)
      return true
    }
    kernel.recordRound(
      .lockRefused, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread))
    return false
  }

  /// `unlock(withCondition:)`.
  mutating func unlock(
    _ lock: LockRecord.Index, withCondition condition: Int64, _ thread: ThreadID,
    _ kernel: inout Kernel
  ) -> RuntimeResult {
    demand(locks[lock].lockClass == .conditionLock, "lock \(lock.raw) gets a number")
    locks[lock].condition = condition
    return unlock(lock, thread, &kernel)
  }
}
