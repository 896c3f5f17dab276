import SpindleModel

/// All locks, and the rules that they share.
///
/// A lock that is given back is free, and the first of those who wait is woken and tries again: who
/// comes in between gets it (barging). So do pthread mutexes on Darwin (libpthread:src/types_internal.h,
/// first-fit by default) and glibc's on Linux. A woken thread that comes too late stands behind its
/// equals: it waits anew (glibc:nptl/lowlevellock.c, __lll_lock_wait), and both kernels put who does so
/// at the end (Linux, kernel/futex/core.c; libpthread:kern/kern_synch.c, ksyn_queue_insert). On `.ideal`
/// the lock goes straight to who waits longest.
/// Waiters donate their priority to the owner, and on Darwin the most urgent is woken first: `Turnstile`.
struct LockRuntime: ~Copyable {
  var locks: Table<LockRecord>
  /// What the threads have of locks as readers; only looked up, never walked.
  var holds: [ReaderHold: ReaderShare] = [:]
  /// Of each thread: the last taken of the locks that it has.
  private var owned: ThreadTable<LockRecord.Index>

  /// Creates it without locks; a report keeps up to 512 bytes for each.
  init(_ storage: Storage) {
    locks = Table(.locks, storage, beside: 512)
    owned = ThreadTable(.locks, storage, nothing: .none)
  }

  /// Makes a lock; returns its index.
  mutating func make(_ given: LockMakeArguments, name: Int32, _ kernel: inout Kernel)
    -> LockRecord.Index
  {
    var record = LockRecord()
    record.lockClass = given.lockClass
    record.name = name
    // The value that a plain lock guards may be nil.
    record.condition = given.condition ?? (given.lockClass == .unfair ? noValue : 0)
    record.choose(given.resourceProtocol, ceiling: given.ceiling, &kernel)
    return locks.add(record)
  }

  // MARK: Taking

  /// `lock()`, and `lock(before:)` with a deadline.
  ///
  /// The result is in the thread's `wakeResult`.
  mutating func lock(
    _ lock: LockRecord.Index, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) -> RuntimeResult {
    let owner = locks[lock].owner
    if owner == thread {
      if kernel.threads[thread].wakeResult == .granted && locks[lock].isHandedOver {
        locks[lock].isHandedOver = false
        acquired(lock, thread, &kernel)
        return .done
      }
      switch locks[lock].lockClass {
      case .recursive:
        locks[lock].depth += 1
        return .done
      case .unfair:
        return .crash("BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock")
      case .mutex, .condition, .conditionLock, .readWrite:
        break
      }
    }
    if kernel.threads[thread].wakeResult == .timedOut { return .done }
    if isAboveCeiling(thread, lock, kernel) { return crashAboveCeiling(thread, lock, kernel) }
    if owner.isNone && locks[lock].readers == 0 {
      take(lock, thread, &kernel)
      return .done
    }
    if let deadline, deadline <= kernel.now {
      refuse(lock, thread, &kernel)
      return .done
    }
    wait(for: lock, thread, deadline: deadline, &kernel)
    return .blocked
  }

  /// `try()`; the answer is whether the thread has the lock now.
  mutating func tryLock(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> Bool
  {
    if locks[lock].owner == thread && locks[lock].lockClass == .recursive {
      locks[lock].depth += 1
      return true
    }
    if locks[lock].owner.isNone && locks[lock].readers == 0
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

  /// Gives a free lock to a thread.
  mutating func take(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(
      locks[lock].owner.isNone && locks[lock].readers == 0,
      "thread \(thread.index) takes lock \(lock.raw), which thread \(locks[lock].owner.index) has, or "
        + "\(locks[lock].readers) readers")
    locks[lock].owner = thread
    locks[lock].depth = 1
    own(lock, thread, kernel)
    kernel.setOwner(of: locks[lock].turnstile, to: thread)
    acquired(lock, thread, &kernel)
  }

  /// The last taken of the locks that a thread has.
  @inline(__always)
  func lastOwned(by thread: ThreadID, _ kernel: borrowing Kernel) -> LockRecord.Index {
    owned.of(thread, kernel)
  }

  /// Enters a lock into the list of those that a thread has.
  mutating func own(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel) {
    let first = lastOwned(by: thread, kernel)
    demand(first != lock, "thread \(thread.index) gets lock \(lock.raw), which it has")
    locks[lock].nextOwned = first
    locks[lock].previousOwned = .none
    if !first.isNone { locks[first].previousOwned = lock }
    owned.change(thread, kernel) { $0 = lock }
  }

  /// A task leaves its thread: the locks that this has are those that the task or an earlier one took.
  mutating func noteLeaving(_ thread: ThreadID, by task: Int32, _ kernel: borrowing Kernel) {
    var lock = lastOwned(by: thread, kernel)
    while !lock.isNone {
      if locks[lock].leftBy < 0 { locks[lock].leftBy = task }
      lock = locks[lock].nextOwned
    }
  }

  /// Takes a lock out of the list of those that its owner has.
  private mutating func disown(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) {
    let (next, previous) = (locks[lock].nextOwned, locks[lock].previousOwned)
    let owner = locks[lock].owner
    if !previous.isNone {
      locks[previous].nextOwned = next
    } else if !owner.isNone {
      demand(
        lastOwned(by: owner, kernel) == lock,
        "thread \(owner.index) gives lock \(lock.raw) back, which is not among those that it has")
      owned.change(owner, kernel) { $0 = next }
    }
    if !next.isNone { locks[next].previousOwned = previous }
    locks[lock].nextOwned = .none
    locks[lock].previousOwned = .none
  }

  private mutating func acquired(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(
      locks[lock].owner == thread, "thread \(thread.index) has got lock \(lock.raw) of another one")
    locks[lock].takenAt = kernel.threads[thread].place
    (locks[lock].keptBy, locks[lock].leftBy) = (-1, -1)
    kernel.threads.at(thread).setResult(.granted)
    kernel.recordRound(
      .lockAcquired, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.threads[thread].place)
    if !isNeverWaitedFor(lock, kernel) {
      kernel.takes(lock: lock.raw, name: locks[lock].name, by: thread)
    }
    inversion(lock, thread, &kernel)
  }

  /// A wait with a limit reached it at once.
  func refuse(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    kernel.threads.at(thread).setResult(.timedOut)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.lock.rawValue, object: locks[lock].name,
      subject: lock.raw)
  }

  /// Lets a thread wait for a lock that is taken.
  mutating func wait(
    for lock: LockRecord.Index, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) {
    let owner = locks[lock].owner
    demand(
      !owner.isNone || locks[lock].readers > 0 || locks[lock].lockClass == .conditionLock
        || !locks[lock].waiters.isEmpty,
      "thread \(thread.index) waits for lock \(lock.raw), which is free")
    // An owner that inherits has a core as soon as who waits for it would have.
    let canInvert = !owner.isNone && owner != thread && locks[lock].turnstile.isNone
    if canInvert && locks[lock].waitedFrom < 0 {
      locks[lock].waitedFrom = kernel.now
      locks[lock].ownerReady = kernel.readyTime(of: owner)
    }
    kernel.append(thread, to: &locks[lock].waiters)
    kernel.block(
      thread, .lock, on: lock.raw, name: locks[lock].name, holder: owner, until: deadline)
    kernel.wait(thread, at: locks[lock].turnstile)
  }

  // MARK: Giving back

  /// `unlock()` of a lock with an owner.
  mutating func unlock(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel)
    -> RuntimeResult
  {
    let owner = locks[lock].owner
    if owner != thread {
      if locks[lock].lockClass == .unfair {
        return .crash(
          "BUG IN CLIENT OF LIBPLATFORM: Unlock of an os_unfair_lock not owned by current thread")
      }
      reportUnlock(lock, thread, owner, &kernel)
      if owner.isNone || !isFreedByOthers(lock, kernel) { return .done }
    } else if locks[lock].depth > 1 {
      locks[lock].depth -= 1
      return .done
    }
    release(lock, by: thread, &kernel)
    return .done
  }

  /// Whether a lock is free after an unlock by who does not have it.
  ///
  /// On Linux a plain mutex is, on Darwin a read-write lock; the others ignore it, or what comes of it is
  /// undefined, and they stay locked. Source: libpthread:src/pthread_rwlock.c, pthread_rwlock_unlock,
  /// which asks for no owner; glibc:nptl/pthread_rwlock_unlock.c, which takes any other thread for a
  /// reader, and so does not free a writer's.
  private func isFreedByOthers(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> Bool {
    let isLinux = kernel.machine.platform == .linux
    switch locks[lock].lockClass {
    case .recursive: return false
    case .readWrite: return !isLinux
    case .mutex, .condition, .conditionLock, .unfair: return isLinux
    }
  }

  /// Frees a lock and lets the next of those who wait try.
  mutating func release(_ lock: LockRecord.Index, by thread: ThreadID, _ kernel: inout Kernel) {
    demand(
      !locks[lock].owner.isNone && locks[lock].readers == 0,
      "thread \(thread.index) frees lock \(lock.raw), which has no owner, or \(locks[lock].readers) readers"
    )
    disown(lock, kernel)
    kernel.gives(lock: lock.raw, by: locks[lock].owner)
    locks[lock].owner = .none
    kernel.setOwner(of: locks[lock].turnstile, to: .none)
    locks[lock].depth = 0
    kernel.recordRound(
      .lockReleased, thread: thread, object: locks[lock].name, subject: lock.raw,
      place: kernel.presentPlace(of: thread))
    if locks[lock].lockClass == .conditionLock {
      wakeAll(lock, by: thread, &kernel)
    } else if locks[lock].lockClass == .readWrite {
      admit(lock, by: thread, &kernel)
    } else if !locks[lock].waiters.isEmpty {
      wakeFirst(lock, by: thread, &kernel)
    }
  }

  private mutating func wakeFirst(
    _ lock: LockRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    let next = firstWaiter(lock, kernel)
    demand(!next.isNone, "nobody at the turnstile of lock \(lock.raw) waits for it")
    assert(locks[lock].owner.isNone, "lock \(lock.raw) is handed on, and has an owner")
    kernel.remove(next, from: &locks[lock].waiters)
    if kernel.machine.handsLocksOver {
      locks[lock].owner = next
      locks[lock].depth = 1
      locks[lock].isHandedOver = true
      own(lock, next, kernel)
      kernel.leaveTurnstile(next)
      kernel.setOwner(of: locks[lock].turnstile, to: next)
      kernel.wake(next, .granted, by: thread)
    } else {
      kernel.wake(next, .none, by: thread)
    }
  }

  /// The waiter to wake first.
  ///
  /// Where the owner inherits, it is the most urgent, but the ideal machine knows one rule only.
  private func firstWaiter(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> ThreadID {
    if !locks[lock].turnstile.isNone && !kernel.machine.handsLocksOver {
      return kernel.turnstiles[locks[lock].turnstile].waiters.firstThread
    }
    return locks[lock].waiters.firstThread
  }

  private mutating func wakeAll(
    _ lock: LockRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(locks[lock].lockClass == .conditionLock, "all who wait for lock \(lock.raw) are woken")
    while !locks[lock].waiters.isEmpty {
      let next = kernel.removeFirst(from: &locks[lock].waiters)
      kernel.wake(next, .none, by: thread)
    }
  }

  /// The limit of a thread that waits for a lock is reached.
  mutating func timeOut(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(!locks[lock].waiters.isEmpty, "nobody waits for lock \(lock.raw)")
    kernel.remove(thread, from: &locks[lock].waiters)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.lock.rawValue, object: locks[lock].name,
      subject: lock.raw)
    kernel.wake(thread, .timedOut, by: .none)
  }

  private func reportUnlock(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ owner: ThreadID, _ kernel: inout Kernel
  ) {
    let (who, lockName) = (kernel.name(of: thread), name(lock, kernel))
    let text =
      owner.isNone
      ? FindingText.unlockOfFree(who, lock: lockName)
      : FindingText.unlockOfOther(
        who, lock: lockName, owner: kernel.name(of: owner),
        isFreed: isFreedByOthers(lock, kernel), onLinux: kernel.machine.platform == .linux)
    kernel.report(
      .unlockByOther, thread: thread, places: [kernel.threads[thread].place, locks[lock].takenAt],
      text)
  }

  /// What a lock is called.
  func name(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> String {
    kernel.text(locks[lock].name)
  }

  // MARK: Priority

  /// Reports that a thread waited for an owner of lower priority that got no core meanwhile.
  private mutating func inversion(
    _ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    let from = locks[lock].waitedFrom
    assert(from <= kernel.now, "somebody waits for lock \(lock.raw) from \(from)ns on")
    locks[lock].waitedFrom = -1
    let previous = locks[lock].previousOwner
    locks[lock].previousOwner = thread
    if from < 0 || previous.isNone || previous == thread { return }
    if kernel.threads[previous].basePriority >= kernel.threads[thread].basePriority { return }
    let lost = kernel.readyTime(of: previous) - locks[lock].ownerReady
    if lost <= 0 || kernel.now == from { return }
    kernel.report(
      .priorityInversion, thread: thread, places: [kernel.threads[thread].place],
      FindingText.priorityInversion(
        kernel.name(of: thread), waited: Nanoseconds(kernel.now - from), lock: name(lock, kernel),
        owner: kernel.name(of: previous), lost: Nanoseconds(lost)))
  }
}
