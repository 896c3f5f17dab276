/// The classes of objects that a trace can make; the raw value is the place in the vocabulary.
@usableFromInline package enum HandleClass: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable
{
  case thread
  case mutex, recursive, condition, conditionLock, unfair, readWrite
  case semaphore, group
  case threadPerTask, threadPool
  case runLoop, timer, source, port, observer
  case queue, workItem, dispatchSource, pipe, process, onceToken
  case operation, operationQueue
  case backgroundTask, accelerator
  /// Any executor: a type for parameters, of which no object is made.
  case executor
  /// What a run loop takes into a mode: a type for parameters, of which no object is made.
  case runLoopItem
  case task, taskGroup, continuation, asyncStream
  /// A task that has ended, as what it gave or threw.
  case taskResult
  /// What feeds a stream.
  case streamInput
  /// Tasks as an executor: a group with a limit, or an actor.
  case taskExecutor

  /// The class of the objects that are locks of this class.
  package init(_ lock: LockClass) {
    switch lock {
    case .mutex: self = .mutex
    case .recursive: self = .recursive
    case .condition: self = .condition
    case .conditionLock: self = .conditionLock
    case .unfair: self = .unfair
    case .readWrite: self = .readWrite
    }
  }

  /// The name in the trace language.
  @usableFromInline package var name: String {
    switch self {
    case .thread: "Thread"
    case .mutex: LockClass.mutex.name
    case .recursive: LockClass.recursive.name
    case .condition: LockClass.condition.name
    case .conditionLock: LockClass.conditionLock.name
    case .unfair: LockClass.unfair.name
    case .readWrite: LockClass.readWrite.name
    case .semaphore: "DispatchSemaphore"
    case .group: "DispatchGroup"
    case .threadPerTask: "ThreadPerTask"
    case .threadPool: "ThreadPool"
    case .taskExecutor: "Actor"
    case .runLoop: "RunLoop"
    case .timer: "Timer"
    case .source: "Source"
    case .port: "Port"
    case .observer: "RunLoopObserver"
    case .queue: "DispatchQueue"
    case .workItem: "DispatchWorkItem"
    case .dispatchSource: "DispatchSource"
    case .pipe: "Pipe"
    case .process: "Process"
    case .onceToken: "DispatchOnce"
    case .operation: "Operation"
    case .operationQueue: "OperationQueue"
    case .backgroundTask: "BackgroundTask"
    case .accelerator: "Accelerator"
    case .executor: "Executor"
    case .runLoopItem: "Timer, Source or Port"
    case .task: "Task"
    case .taskGroup: "TaskGroup"
    case .continuation: "CheckedContinuation"
    case .asyncStream: "AsyncStream"
    case .taskResult: "Result"
    case .streamInput: "AsyncStream.Continuation"
    }
  }

  /// Whether it takes `.async { }`.
  @usableFromInline package var isExecutor: Bool {
    switch self {
    case .threadPerTask, .threadPool, .taskExecutor, .queue, .operationQueue, .executor: true
    case .thread, .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore,
      .group, .runLoop, .timer, .source, .port, .observer, .workItem, .dispatchSource, .pipe,
      .process, .onceToken, .operation, .backgroundTask, .accelerator, .runLoopItem, .task,
      .taskGroup, .continuation, .asyncStream, .streamInput, .taskResult:
      false
    }
  }

  /// Whether a weak reference alone shows when an object dies that the trace does not hold any more: nothing else
  /// comes of it, but that the code goes which it would have run.
  package var diesQuietly: Bool {
    switch self {
    case .thread, .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .group,
      .timer, .workItem, .operation, .operationQueue:
      true
    case .semaphore, .threadPerTask, .threadPool, .taskExecutor, .runLoop, .source, .port,
      .observer, .queue, .dispatchSource, .pipe, .process, .onceToken, .backgroundTask,
      .accelerator, .executor, .runLoopItem, .task, .taskGroup, .continuation, .asyncStream,
      .streamInput,
      .taskResult:
      false
    }
  }

  /// Whether an object of the class dies with the last that holds it.
  package var dies: Bool {
    diesQuietly
      || [.semaphore, .queue, .dispatchSource, .asyncStream, .continuation].contains(self)
  }

  /// Whether one thread at a time has it, readers of a read-write lock apart.
  @usableFromInline package var isLock: Bool {
    switch self {
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite: true
    default: false
    }
  }

  /// Whether an object of the class `other` may stand where one of this class is expected.
  @usableFromInline package func accepts(_ other: HandleClass) -> Bool {
    switch self {
    case other: true
    case .executor: other.isExecutor
    case .runLoopItem: other == .timer || other == .source || other == .port
    default: false
    }
  }
}
