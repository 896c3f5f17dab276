import SpindleModel

/// What a thread waits for at a read-write lock; its `waitValue`.
private enum ReadWriteAccess: Int64 {
  case reader
  case writer
}

/// `pthread_rwlock_t`: many readers or one writer.
///
/// A lock that is given back goes straight to those who wait. On Linux readers come before waiting
/// writers (glibc, PTHREAD_RWLOCK_PREFER_READER_NP is the default); elsewhere a reader waits behind
/// a writer that came first.
extension LockRuntime {
  /// `readLock()`.
  mutating func readLock(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> RuntimeResult
  {
    if kernel.threads[thread].wakeResult == .granted { return .done }
    if readerMayEnter(lock, kernel) {
      enterReader(lock, thread, &kernel)
      return .done
    }
    kernel.threads.at(thread).setWaitValue(ReadWriteAccess.reader.rawValue)
    wait(for: lock, thread, deadline: nil, &kernel)
    return .blocked
  }

  /// `writeLock()`.
  mutating func writeLock(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> RuntimeResult
  {
    if kernel.threads[thread].wakeResult == .granted { return .done }
    if locks[lock].owner.isNone && locks[lock].readers == 0 {
      take(lock, thread, &kernel)
      return .done
    }
    kernel.threads.at(thread).setWaitValue(ReadWriteAccess.writer.rawValue)
    wait(for: lock, thread, deadline: nil, &kernel)
    return .blocked
  }

  /// `tryReadLock()`.
  mutating func tryReadLock(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> Bool
  {
    if readerMayEnter(lock, kernel) {
      enterReader(lock, thread, &kernel)
      return true
    }
    kernel.recordRound(
      .lockRefused, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread))
    return false
  }

  /// `unlock()`, of a writer or of a reader.
  ///
  /// The real locks count their readers and do not know them: who unlocks and is none takes away the
  /// hold of another. Source: libpthread:src/pthread_rwlock.c, pthread_rwlock_unlock;
  /// glibc:nptl/pthread_rwlock_unlock.c.
  mutating func unlockReadWrite(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) -> RuntimeResult {
    demand(locks[lock].lockClass == .readWrite, "lock \(lock.raw) has no readers to unlock it")
    let hold = ReaderHold(lock, thread, kernel)
    let held = holds[hold]?.count ?? 0
    if held > 1 { holds[hold]?.count -= 1 } else { holds[hold] = nil }
    if locks[lock].owner == thread || locks[lock].readers == 0 {
      return unlock(lock, thread, &kernel)
    }
    if held == 0 {
      kernel.report(
        .unlockByOther, thread: thread,
        places: [kernel.threads[thread].place, locks[lock].takenAt],
        FindingText.unlockOfReaders(kernel.name(of: thread), lock: name(lock, kernel)))
    }
    locks[lock].readers -= 1
    kernel.gives(lock: lock.raw, by: thread)
    kernel.recordRound(
      .lockReleased, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread))
    if locks[lock].readers == 0 { admit(lock, by: thread, &kernel) }
    return .done
  }

  private func readerMayEnter(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> Bool {
    if !locks[lock].owner.isNone { return false }
    return kernel.machine.platform == .linux || locks[lock].waiters.isEmpty
  }

  private mutating func enterReader(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    demand(
      locks[lock].owner.isNone && locks[lock].lockClass == .readWrite,
      "thread \(thread.index) reads under lock \(lock.raw), which thread \(locks[lock].owner.index) has"
    )
    locks[lock].readers += 1
    noteReader(lock, thread, kernel)
    locks[lock].takenAt = kernel.threads[thread].place
    kernel.threads.at(thread).setResult(.granted)
    kernel.recordRound(
      .lockAcquired, thread: thread, detail: LockSharing.shared.rawValue,
      object: locks[lock].name, subject: lock.raw, place: kernel.threads[thread].place)
    kernel.takes(lock: lock.raw, name: locks[lock].name, by: thread, isShared: true)
  }

  /// A thread has a lock once more as a reader.
  private mutating func noteReader(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel
  ) {
    let hold = ReaderHold(lock, thread, kernel)
    holds[hold, default: ReaderShare()].count += 1
    holds[hold]?.takenAt = kernel.threads[thread].place
  }

  /// Lets those in that may have a lock that was given back.
  mutating func admit(_ lock: LockRecord.Index, by thread: ThreadID, _ kernel: inout Kernel) {
    demand(
      locks[lock].owner.isNone && locks[lock].readers == 0,
      "lock \(lock.raw) lets others in, and thread \(locks[lock].owner.index) has it")
    var next = locks[lock].waiters.firstThread
    let prefersReaders = kernel.machine.platform == .linux
    if !next.isNone && access(of: next, kernel) == .writer
      && !(prefersReaders && hasReader(lock, kernel))
    {
      kernel.remove(next, from: &locks[lock].waiters)
      locks[lock].owner = next
      locks[lock].depth = 1
      own(lock, next, kernel)
      locks[lock].takenAt = kernel.threads[next].place
      kernel.leaveTurnstile(next)
      kernel.setOwner(of: locks[lock].turnstile, to: next)
      kernel.wake(next, .granted, by: thread)
      kernel.record(
        .lockAcquired, thread: next, object: locks[lock].name, subject: lock.raw,
        place: kernel.threads[next].place)
      kernel.takes(lock: lock.raw, name: locks[lock].name, by: next)
      return
    }
    while !next.isNone {
      let following = kernel.threads[next].next
      if access(of: next, kernel) == .reader {
        kernel.remove(next, from: &locks[lock].waiters)
        locks[lock].readers += 1
        noteReader(lock, next, kernel)
        kernel.wake(next, .granted, by: thread)
        kernel.record(
          .lockAcquired, thread: next, detail: LockSharing.shared.rawValue,
          object: locks[lock].name, subject: lock.raw, place: kernel.threads[next].place)
        kernel.takes(lock: lock.raw, name: locks[lock].name, by: next, isShared: true)
      } else if !prefersReaders {
        return
      }
      next = following
    }
  }

  /// What a thread waits for, to read or to write.
  private func access(of waiter: ThreadID, _ kernel: borrowing Kernel) -> ReadWriteAccess {
    let value = kernel.threads[waiter].waitValue
    guard let known = ReadWriteAccess(rawValue: value) else {
      fatalError("thread \(waiter.index) waits for a read-write lock, to do \(value) with it")
    }
    return known
  }

  // MARK: Who has it

  /// The threads that have a lock as readers, by number, each with the place where it took it.
  ///
  /// Nobody where others have unlocked what they did not have: then it isn't known whose hold that was.
  /// Who has ended is left out. Complexity: O(threads).
  func readers(of lock: LockRecord.Index, _ kernel: borrowing Kernel) -> [WaitGraph.Holder] {
    var (found, count): ([WaitGraph.Holder], Int32) = ([], 0)
    if locks[lock].readers == 0 { return [] }
    for thread in kernel.liveThreads {
      guard let share = holds[ReaderHold(lock, thread, kernel)] else { continue }
      assert(
        share.count > 0, "thread \(thread.index) reads under lock \(lock.raw) \(share.count) times")
      count += share.count
      found.append(WaitGraph.Holder(thread: thread, takenAt: share.takenAt))
    }
    return count <= locks[lock].readers ? found : []
  }

  /// The writer that a thread waits behind that could read under a lock at once but for it; none where there is none.
  func writer(before reader: ThreadID, at lock: LockRecord.Index, _ kernel: borrowing Kernel)
    -> ThreadID
  {
    if locks[lock].readers == 0 || access(of: reader, kernel) == .writer { return .none }
    var next = locks[lock].waiters.firstThread
    while !next.isNone && next != reader {
      if access(of: next, kernel) == .writer { return next }
      next = kernel.threads[next].next
    }
    return .none
  }

  private func hasReader(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> Bool {
    var next = locks[lock].waiters.firstThread
    while !next.isNone {
      if access(of: next, kernel) == .reader { return true }
      next = kernel.threads[next].next
    }
    return false
  }
}
