import SpindleModel

/// What must hold of locks at any moment.
extension LockRuntime {
  /// Stops with a message when the state of locks contradicts itself.
  func checkLocks(_ kernel: borrowing Kernel) {
    var owned = 0
    for lock in locks.indices {
      checkLock(lock, kernel)
      if !locks[lock].owner.isNone { owned += 1 }
    }
    for thread in kernel.threads.ids { owned -= checkOwned(by: thread, kernel) }
    demand(owned == 0, "\(owned) locks have an owner that does not have them")
  }

  private func checkLock(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) {
    let record = locks[lock]
    demand(record.readers >= 0, "lock \(lock.raw) has \(record.readers) readers")
    demand(record.owner.isNone || record.readers == 0, "lock \(lock.raw) has a writer and readers")
    demand(
      (record.depth > 0) == (!record.owner.isNone),
      "lock \(lock.raw) of thread \(record.owner.index) is taken \(record.depth) times")
    demand(
      !record.isHandedOver || !record.owner.isNone, "lock \(lock.raw) is handed over to nobody")
    kernel.checkWaitList(record.waiters, .lock, on: lock.raw, "lock \(lock.raw)")
    kernel.checkWaitList(record.sleepers, .condition, on: lock.raw, "condition \(lock.raw)")
    if record.turnstile.isNone { return }
    demand(
      record.turnstile.raw < kernel.turnstiles.count,
      "lock \(lock.raw) has turnstile \(record.turnstile) of \(kernel.turnstiles.count)")
  }

  /// Checks the list of the locks that a thread has; returns how many they are.
  private func checkOwned(by thread: ThreadID, _ kernel: borrowing Kernel) -> Int {
    var (lock, later, count) = (lastOwned(by: thread, kernel), LockRecord.Index.none, 0)
    while !lock.isNone {
      let record = locks[lock]
      demand(
        record.owner == thread,
        "lock \(lock.raw) stands among those of thread \(thread.index), and thread \(record.owner.index) has it"
      )
      demand(
        record.previousOwned == later,
        "the locks of thread \(thread.index) are torn at lock \(lock.raw)")
      count += 1
      (later, lock) = (lock, record.nextOwned)
    }
    return count
  }
}

/// What must hold of semaphores at any moment.
extension SemaphoreRuntime {
  /// Stops with a message when the state of semaphores contradicts itself.
  func checkSemaphores(_ kernel: borrowing Kernel) {
    for semaphore in semaphores.indices {
      let record = semaphores[semaphore]
      demand(record.value >= 0, "semaphore \(semaphore.raw) has the value \(record.value)")
      demand(
        record.value == 0 || record.waiters.isEmpty,
        "semaphore \(semaphore.raw) has the value \(record.value), and somebody waits for it")
      kernel.checkWaitList(
        record.waiters, .semaphore, on: semaphore.raw, "semaphore \(semaphore.raw)")
    }
  }
}
