import SpindleModel

/// What the owner of a lock has of the priorities of others: nothing, those of who waits, or a ceiling.
///
/// All of it is the turnstile's: without one nobody lends anything; who waits at one lends what it has;
/// and one that is wanted with a ceiling, whoever waits, raises its owner as soon as it has one. So a
/// thread that takes such a lock is as urgent at once as any that may want it: on one core none of
/// these begins before the lock is free, no thread waits for more than one less urgent one, and there is
/// no cycle of locks. Source: POSIX, pthread_mutexattr_setprotocol; Baker, "Stack-Based Scheduling of
/// Realtime Processes", 1991; Burns and Wellings, "Real-Time Systems and Programming Languages", who call it
/// the immediate ceiling priority protocol.
extension LockRecord {
  /// The ceiling of a lock whose trace says none: what an ordinary thread can have at most.
  ///
  /// Who has such a lock gives way to no ordinary thread. Source: xnu:osfmk/kern/sched.h, MAXPRI_USER.
  private static let highestCeiling: Int16 = 63

  /// Gives a new lock the protocol that it asks for, or else the machine's.
  ///
  /// Of the locks that Darwin's pthreads wait for in the kernel only mutexes have a turnstile. Source:
  /// libpthread:kern/kern_synch.c, _kwq_use_turnstile. Read-write locks have no ceiling.
  mutating func choose(
    _ own: ResourceProtocol?, ceiling given: Int64?, _ kernel: inout Kernel
  ) {
    let machine = kernel.machine
    switch own ?? machine.resourceProtocol {
    case .none: break
    case .inheritance:
      if lockClass != .readWrite || !machine.isDarwin { turnstile = kernel.makeTurnstile() }
    case .immediateCeiling:
      if lockClass == .readWrite { return }
      if let given { ceiling = ThreadRuntime.basePriority(threadPriority: given) }
      turnstile = kernel.makeTurnstile()
      kernel.setFloor(of: turnstile, to: given == nil ? Self.highestCeiling : ceiling)
    }
  }
}

extension LockRuntime {
  /// Whether who has a lock runs on the only core until it gives it back, as its ceiling has it.
  @inline(__always)
  func isNeverWaitedFor(_ lock: LockRecord.Index, _ kernel: borrowing Kernel) -> Bool {
    kernel.machine.cores.count == 1 && !locks[lock].turnstile.isNone
      && kernel.turnstiles[locks[lock].turnstile].floor >= 0
  }

  /// Whether a thread is more urgent than the ceiling of a lock lets its owners be.
  @inline(__always)
  func isAboveCeiling(
    _ thread: ThreadID, _ lock: LockRecord.Index, _ kernel: borrowing Kernel
  ) -> Bool {
    locks[lock].ceiling >= 0 && kernel.threads[thread].basePriority > locks[lock].ceiling
  }

  /// What becomes of such a thread when it wants the lock: EINVAL, which no program expects.
  ///
  /// Source: POSIX, pthread_mutex_lock.
  func crashAboveCeiling(
    _ thread: ThreadID, _ lock: LockRecord.Index, _ kernel: borrowing Kernel
  ) -> RuntimeResult {
    .crash(
      "Fatal error: the priority \(kernel.threads[thread].basePriority) of \(kernel.name(of: thread)) "
        + "is above the ceiling \(locks[lock].ceiling) of lock '\(name(lock, kernel))' "
        + "(pthread_mutex_lock: EINVAL)")
  }
}
