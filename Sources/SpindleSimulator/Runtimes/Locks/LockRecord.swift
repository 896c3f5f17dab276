import SpindleModel

/// A thread that has a lock as a reader.
struct ReaderHold: Hashable {
  let lock: LockRecord.Index
  let thread: ThreadID
  /// Which of the threads that had its number.
  let generation: Int32

  init(_ lock: LockRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel) {
    (self.lock, self.thread) = (lock, thread)
    generation = kernel.threads[thread].generation
  }
}

/// What a thread has of a lock as a reader.
struct ReaderShare: BitwiseCopyable {
  /// How often it has the lock.
  var count: Int32 = 0
  /// Where it took it last.
  var takenAt: Int32 = -1
}

/// One lock of any class.
struct LockRecord: BitwiseCopyable {
  /// The index of one.
  typealias Index = TableIndex<LockRecord>

  var lockClass = LockClass.mutex
  /// Whether the lock was given to a waiting thread that has not run since.
  var isHandedOver = false
  var name: Int32 = -1
  /// The thread that has it, as a writer where there are readers; none where nobody has it.
  var owner = ThreadID.none
  /// The thread that had it before, or none.
  var previousOwner = ThreadID.none
  /// How often the owner has taken it.
  var depth: Int32 = 0
  /// How many readers have it.
  var readers: Int32 = 0
  /// Who waits to have it, in the order of coming.
  var waiters = WaitList()
  /// Where they lend their priority to its owner; -1 where they do not.
  var turnstile = Turnstile.Index.none
  /// The priority that its trace gives it as a ceiling, and that no owner may exceed; -1 for none.
  var ceiling: Int16 = -1
  /// Who waits for its condition to be signalled.
  var sleepers = WaitList()
  /// The number of a condition lock.
  var condition: Int64 = 0
  /// How many signals found nobody waiting.
  var lostSignals: Int32 = 0
  /// Where the last lost signal was given.
  var lostAt: Int32 = -1
  /// Where it was taken last.
  var takenAt: Int32 = -1
  /// The name of the work whose code took it and ended without giving it back; -1 for none.
  var keptBy: Int32 = -1
  /// The number of the task that left the owner's thread when it had it; -1 for none.
  var leftBy: Int32 = -1
  /// The neighbours in the list of locks that the owner has.
  var nextOwned = Index.none
  var previousOwned = Index.none
  /// Since when somebody waits for its owner; -1 when nobody does.
  var waitedFrom: Int64 = -1
  /// How long its owner had been ready in all when the wait began.
  var ownerReady: Int64 = 0
}

extension Kernel {
  /// How long a thread has been ready without a core, in all, up to now.
  func readyTime(of thread: ThreadID) -> Int64 {
    let record = threads[thread]
    return record.readyTotal + (record.state == .ready ? now - record.since : 0)
  }
}
