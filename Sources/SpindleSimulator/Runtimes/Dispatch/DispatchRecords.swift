import SpindleModel

/// A `DispatchWorkItem`.
struct WorkItemRecord: BitwiseCopyable {
  typealias Index = TableIndex<WorkItemRecord>

  var handler: Handler
  var name: Int32
  var workKind: Int32
  var quality: DispatchQuality?
  var flags: DispatchWorkItemFlags
  var isCancelled = false
  /// Whether it has run once, or been skipped as cancelled: then nobody waits for it any more.
  var isDone = false
  /// How often it has been run, by a queue or by hand.
  var runs: Int64 = 0
  /// How many queues, delays and calls have it.
  var uses: Int32 = 0
  /// The queue that it was handed over to last; none for none.
  var queue = DispatchQueueRecord.Index.none
  /// The queue that is told when a thread waits for it; none where it has not been handed over, or one was told.
  var wanted = DispatchQueueRecord.Index.none
  /// The thread that runs it by `perform()`, or none.
  var performer = ThreadID.none
  /// What makes that thread as urgent as who waits; -1 until somebody does.
  var turnstile = Turnstile.Index.none
  /// Whether a thread has waited for it.
  var isWaitedFor = false
  /// The threads that wait for it.
  var waiters = WaitList()
  /// The items that follow it.
  var followers = IntrusiveQueue<DispatchItem>()
  var madeAt: Int32
}

/// A `concurrentPerform` that is going on.
struct ApplyRecord: BitwiseCopyable {
  typealias Index = TableIndex<ApplyRecord>

  var handler: Handler
  /// The iteration that is begun next, and how many there are.
  var next: Int64 = 0
  var count: Int64
  /// How many have ended.
  var done: Int64 = 0
  /// The thread that called, and whether it waits for the others.
  var caller: ThreadID
  var isAwaited = false
  /// Why the caller runs it: by itself, in `sync` on a queue, or for another thread that is.
  var reason: Performance
  /// The threads that take part or are asked to.
  var references: Int32
  /// Among how many threads a `concurrentPerform` inside shares the cores.
  var width: Int32
  /// The core of the thread that took an iteration last; -1 before the first one.
  var lastCore: Int16 = -1
}

/// A `DispatchOnce`.
struct OnceRecord: BitwiseCopyable {
  typealias Index = TableIndex<OnceRecord>

  var name: Int32
  /// The thread that runs the block, or none.
  var owner = ThreadID.none
  /// Where those who wait lend it their priority; -1 where they do not.
  var turnstile = Turnstile.Index.none
  var isDone = false
  /// Whether code without a thread runs the block.
  var isMadeOutside = false
  var waiters = WaitList()
  var place: Int32 = -1
}
