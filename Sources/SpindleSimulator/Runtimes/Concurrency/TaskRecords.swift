import SpindleModel

/// One task.
struct TaskRecord: BitwiseCopyable {
  typealias Index = TableIndex<TaskRecord>

  /// Where it is in its life.
  enum State: UInt8 {
    /// It stands in a queue, for its first piece or its next.
    case queued
    case running
    case suspended
    case finished
  }

  var state = State.queued
  /// The priority that it was made with.
  var base: TaskPriority
  /// The priority that counts; it only rises.
  var current: TaskPriority
  var isCancelled = false
  /// Whether it is the body of an asynchronous main.
  var isMain = false
  /// Whether it has begun.
  var hasBegun = false
  /// Whether it began on the main actor.
  var beganOnMain = false
  /// Whether it looked whether it is cancelled, or was told, since it is.
  var knowsCancellation = false
  /// Whether somebody waited for it, or took its result out of its group.
  var isAwaited = false
  /// Whether the program named it; else its name is only what the simulator calls it.
  var isNamed = false
  /// Its name, with which it is an item of work, its kind and its number; -1 for none.
  var name: Int32
  var workKind: Int32
  var number: Int32
  var madeAt: Int32
  /// Where it waits.
  var place: Int32 = -1
  var submitted: Int64
  /// Since when it stands in a queue, or waits.
  var since: Int64
  /// When it was cancelled.
  var cancelledAt: Int64 = 0
  /// The frame of the simulator's own below its code; -1 before it begins and when it has ended.
  var frame = FrameIndex.none
  /// Where its code goes on.
  var inner: FrameIndex
  /// How many frames its code has, while it runs on no thread.
  var depth: Int32 = 1
  /// How many the thread had below it.
  var depthBelow: Int32 = 0
  /// Where its code runs, or will.
  var executor: ExecutorID
  /// The queue on which it runs where it would in the pool; none for the pool.
  var preferred = DispatchQueueRecord.Index.none
  /// The thread that runs it, or none.
  var thread = ThreadID.none
  /// The task that the thread ran when this one began in its midst; -1 for none.
  var outer = TaskRecord.Index.none
  /// Whether its first hop can't stay on its thread.
  var isImmediate = false
  /// What it gave, and what it threw; `noValue` for none.
  var result = noValue
  var error = noValue
  /// What it gives holds; nil where that is not counted, or its group knows.
  var life: LifeKind?
  /// What is thrown when it goes on.
  var thrown = noValue
  /// What it waits for, and which.
  var wait = TaskWait.executor
  var waitObject: Int32 = -1
  /// How often it has waited, so that what ends one wait ends no other.
  var waits: Int32 = 0
  /// Whether what it waits for gives it a result or an error.
  var wantsOutcome = true
  /// The plan that ends its wait.
  var plan = Plan.Index.none
  /// Those who wait for its end, the last one first; and the next one in the list that it is in.
  var waiters = TaskRecord.Index.none
  var nextWaiter = TaskRecord.Index.none
  /// The executor that it was handed to, and the dispatch group that it leaves.
  var submittedTo = TaskExecutorRecord.Index.none
  var dispatchGroup = GroupRuntime.Index.none
  /// The task that it is a child of, -1 for none, and the group.
  var parent = TaskRecord.Index.none
  var group = TaskGroupRecord.Index.none
  /// Its children in the order in which they were made, and its place among those of its parent.
  var firstChild = TaskRecord.Index.none
  var lastChild = TaskRecord.Index.none
  var nextSibling = TaskRecord.Index.none
  var previousSibling = TaskRecord.Index.none
  /// The next in the list of a group's results.
  var nextResult = TaskRecord.Index.none
  /// Since when its code is on an actor; -1 where it is on none.
  var enteredAt: Int64 = -1
  /// Whether it has been on an actor other than the main one, and on that.
  var hasBeenOnActor = false
  var hasBeenOnMain = false
  /// Who made it, and the places of the calls that led there.
  var maker = TaskMaker()
  var origin: UInt64 = 0
  /// What it has looked at of actors, the last first.
  var firstRead = StateRead.Index.none
  var readCount: Int32 = 0
  /// What it is about to change of one, and its last look at the whole of a member.
  var change = StateUse()
  var lastLook = LastLook()
  /// The innermost cancellation handler.
  var handler = TaskHandler.Index.none
  /// The innermost binding of a task-local.
  var bindings = TaskLocalBinding.Index.none
  /// What makes its thread more urgent than that is itself; -1 for nothing.
  var turnstile = Turnstile.Index.none
  /// Its status lock while a thread has that.
  var statusLock = StatusLock.Index.none
  /// How many status records it has had, and which one of its parent it is in.
  var recordCount: Int32 = 0
  var record: Int32 = 0
}

/// Something that a thread of the pool, the main thread or an actor is to do.
struct JobRecord: BitwiseCopyable {
  typealias Index = TableIndex<JobRecord>

  enum Kind: UInt8 {
    /// A task goes on: `object`.
    case task
    /// A task that yielded is queued again: `object`.
    case yielded
    /// The moment of a sleep has come: the task `object` is queued, when it still waits for that.
    case slept
    /// An actor is to be served: `object`.
    case actor
    /// What the world outside has cancelled calls its handlers: the steps from `object` on are done.
    case handlers
    /// An instance ends on an actor: the frame of its `deinit` is `object`.
    case deinitializer
  }

  var kind: Kind
  var object: Int32
  /// The queue of the pool that it went through; nil for a dispatch queue and for an actor's inbox.
  var priority: TaskPriority?
  /// Whether it stands in line for the main actor.
  var isOnMain = false
  /// The less urgent task that had the actor when it came, or when it was raised; -1 for none.
  ///
  /// Since when is beside it.
  var blocker = TaskRecord.Index.none
  var blockedSince: Int64 = 0
  /// The wait of the sleeper that it is about, so that a late one ends no other.
  var wait: Int32 = 0
  /// The job behind it.
  var next = Index.none
}

/// A queue of jobs.
struct JobQueue: BitwiseCopyable {
  typealias Index = TableIndex<JobQueue>

  var first = JobRecord.Index.none
  var last = JobRecord.Index.none
  var count: Int32 = 0
  /// How many of its jobs are with threads; of the pool only.
  var running: Int32 = 0
}

/// A group of child tasks.
struct TaskGroupRecord: BitwiseCopyable {
  typealias Index = TableIndex<TaskGroupRecord>

  /// The task in whose body it is.
  var parent: TaskRecord.Index
  var isDiscarding: Bool
  /// Which status record of its parent it is.
  var record: Int32 = 0
  /// What its tasks give holds; nil where that is not counted.
  var life: LifeKind?
  var isCancelled = false
  /// How many of its tasks have not ended.
  var pending: Int32 = 0
  /// The tasks that have ended and were not asked for, in order.
  var firstResult = TaskRecord.Index.none
  var lastResult = TaskRecord.Index.none
  /// The first error of a discarding group, or of `waitForAll`.
  var error = noValue
  /// Whether its body has ended by itself, and all of its tasks; whether that, or `waitForAll`, has thrown.
  var isOver = false
  var hasThrown = false
  /// Whether the parent waits for the next result, or for all.
  var wait: Wait = .none
  var madeAt: Int32

  enum Wait: UInt8 {
    case none, next, all, end
  }
}

/// What is done when a task is cancelled, or raised.
struct TaskHandler: BitwiseCopyable {
  typealias Index = TableIndex<TaskHandler>

  enum Event: UInt8 {
    case cancelled, raised
  }

  var event = Event.cancelled
  var handler = Handler()
  /// The stream whose element the task waits for, which is cancelled with it; -1 for none.
  var stream = AsyncStreamRecord.Index.none
  /// Which status record of its task it is.
  var record: Int32 = 0
  /// The one around it.
  var outer: Index
}

/// A continuation.
struct ContinuationRecord: BitwiseCopyable {
  typealias Index = TableIndex<ContinuationRecord>

  var task: TaskRecord.Index
  var isChecked: Bool
  var isResumed = false
  /// Whether nothing has it any more that could resume it.
  var isLost = false
  /// Whether its task waits for it, or has.
  var isAwaited = false
  var value = noValue
  var error = noValue
  /// The name of the function in which it was made, and where that was.
  var function: Int32
  var madeAt: Int32
  /// Where and when it was resumed first; -1 where it was not, or by no code.
  var resumedAt: Int32 = -1
  var resumed: Int64 = -1
}

/// A stream.
struct AsyncStreamRecord: BitwiseCopyable {
  typealias Index = TableIndex<AsyncStreamRecord>

  var name: Int32
  var buffering: StreamBuffering
  var limit: Int64
  /// The elements that nobody has read: an array of the process, of which so many were.
  var elements: Int64
  var read: Int64 = 0
  /// What an element holds; nil where that is not counted.
  var life: LifeKind?
  /// Whether nothing holds it any more, and nothing what feeds it, where it is counted.
  var isGone = false
  var isInputGone = false
  var isFinished = false
  /// What it ends with; `noValue` for no error.
  var error = noValue
  /// The readers that wait, the first one first, linked as those who wait for a task are.
  var firstReader = TaskRecord.Index.none
  var lastReader = TaskRecord.Index.none
  var onTermination = Handler()
  /// What gives its elements, of a stream without a buffer, and what cancelling its reader calls.
  var produce = Handler()
  var onCancel = Handler()
  var isUnfolding = false
  /// Whether it may throw, so that one reader waits for it at most.
  var mayThrow = false
  var madeAt: Int32
  /// Who reads it, and who still feeds it when it has ended.
  var readers = StreamReaders()
  var lateYields = LateYields()
}

/// Where code runs: in the pool, or on an actor, the first of which is the main actor.
struct ExecutorID: Hashable, BitwiseCopyable, CustomStringConvertible {
  /// The number that a register holds: -1 for the pool, else the actor's.
  let raw: Int32

  @inline(__always)
  private init(raw: Int32) { self.raw = raw }

  /// An actor.
  @inline(__always)
  init(_ actor: ActorRecord.Index) { raw = actor.raw }

  /// The executor that a register of the trace names.
  @inline(__always)
  init(register: Int64) { raw = Int32(truncatingIfNeeded: register) }

  /// The threads of the pool, which are no actor.
  @inline(__always) static var pool: ExecutorID { ExecutorID(raw: -1) }
  /// The main actor.
  @inline(__always) static var mainActor: ExecutorID { ExecutorID(raw: 0) }

  /// The actor; none where it is the pool.
  @inline(__always) var actor: ActorRecord.Index { ActorRecord.Index(raw) }
  /// Whether it is an actor.
  @inline(__always) var isActor: Bool { raw >= 0 }
  /// What a register holds for it.
  @inline(__always) var register: Int64 { Int64(raw) }

  /// What it is, for messages.
  var description: String { isActor ? "actor \(raw)" : "the pool" }
}

/// An actor: one job at a time.
struct ActorRecord: BitwiseCopyable {
  typealias Index = TableIndex<ActorRecord>

  enum State: UInt8 {
    case idle
    /// A job that serves it is in the pool.
    case scheduled
    case running
  }

  var state = State.idle
  var name: Int32
  /// The dispatch queue that runs its code; none where it has no executor of its own.
  var queue = DispatchQueueRecord.Index.none
  /// What waits for it, by priority; the first of its inboxes, four in a row.
  var inbox: JobQueue.Index
  /// The most urgent of the priorities that it was asked with while it is not idle.
  var urgency = TaskPriority.background
  /// The task that has it; -1 for none.
  var task = TaskRecord.Index.none
  /// The last task that was on it for the first time; -1 for none.
  var lastTask = TaskRecord.Index.none
  /// The last changes of its members: the first of them.
  var firstField = FieldWrite.Index(0)
  var waiting: Int32 = 0

  /// What waits for it with a priority.
  @inline(__always)
  func inbox(of priority: TaskPriority) -> JobQueue.Index {
    JobQueue.Index(inbox.raw + Int32(priority.rawValue))
  }
}

/// What is kept of a thread.
struct ConcurrencyThread: BitwiseCopyable {
  /// The task that it runs; -1 for none.
  var task = TaskRecord.Index.none
  /// The innermost binding of a task-local by code of no task.
  var bindings = TaskLocalBinding.Index.none
  /// The reader that it gives an element when it has that one's status lock; -1 for none.
  var reader = TaskRecord.Index.none
}
