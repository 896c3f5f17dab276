import SpindleModel

/// Facts about an operation.
struct OperationFlags: OptionSet, BitwiseCopyable {
  let rawValue: UInt16

  /// Its closure is `start`, and it reports for itself.
  static let asynchronous = OperationFlags(rawValue: 1)
  /// It was asked to stop.
  static let cancelled = OperationFlags(rawValue: 2)
  /// It is a block operation, which may have several blocks.
  static let block = OperationFlags(rawValue: 4)
  /// It stands between all before and all after it in its queue.
  static let barrier = OperationFlags(rawValue: 8)
  /// It is one block of a block operation that runs its blocks side by side.
  static let part = OperationFlags(rawValue: 16)
  /// An asynchronous one says of itself that it is executing.
  static let saysExecuting = OperationFlags(rawValue: 32)
  /// An asynchronous one says of itself that it is finished.
  static let saysFinished = OperationFlags(rawValue: 64)
  /// Its own readiness has been found true.
  static let gateIsOpen = OperationFlags(rawValue: 128)
  /// The trace can name it, so its number is not used again.
  static let named = OperationFlags(rawValue: 256)
  /// It began to run, so its end is the end of an item.
  static let begun = OperationFlags(rawValue: 512)
  /// Its quality of service is its own, which its dispatch queue's does not lower.
  static let enforced = OperationFlags(rawValue: 1_024)
  /// The trace let go of it.
  static let released = OperationFlags(rawValue: 2_048)
  /// It is the block of a barrier that found its queue empty: it is in no queue, and nobody observes it.
  static let direct = OperationFlags(rawValue: 4_096)
  /// What its observers were last told about its readiness.
  static let knownReady = OperationFlags(rawValue: 8_192)
  /// Nothing holds it any more, and it has let go of what it held.
  static let gone = OperationFlags(rawValue: 16_384)
  /// It was asked to stop before it began.
  static let cancelledEarly = OperationFlags(rawValue: 32_768)
}

/// How urgent an operation is among the ready ones of its queue.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, Operation.QueuePriority.
enum OperationPriority: Int8 {
  case veryLow = -8
  case low = -4
  case normal = 0
  case high = 4
  case veryHigh = 8
  case barrier = 12

  /// The priority with this name in the trace language.
  init?(_ name: String) {
    switch name {
    case "veryLow": self = .veryLow
    case "low": self = .low
    case "normal": self = .normal
    case "high": self = .high
    case "veryHigh": self = .veryHigh
    default: return nil
    }
  }

  /// The name in the trace language.
  var name: String {
    switch self {
    case .veryLow: "veryLow"
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    case .veryHigh, .barrier: "veryHigh"
    }
  }

  /// What a quality of service stands for where no priority was given.
  init(quality: Int32) {
    switch quality {
    case WellKnownName.userInteractive.id.index: self = .veryHigh
    case WellKnownName.userInitiated.id.index: self = .high
    case WellKnownName.utility.id.index: self = .low
    case WellKnownName.background.id.index: self = .veryLow
    default: self = .normal
    }
  }
}

/// One operation.
struct OperationRecord: BitwiseCopyable {
  typealias Index = TableIndex<OperationRecord>

  var name: Int32
  var kind: Int32
  /// Set by `OperationRuntime.setState` alone once it is made.
  var state = OperationState.initialized
  var flags: OperationFlags = []
  /// The priority that it was given; nil for none.
  var priority: OperationPriority?
  /// The quality of service that it was given, the number of a name; -1 for none.
  var quality: Int32 = -1
  /// The class of service that it is handed to dispatch with: its own, else that of who added it.
  var runQuality: DispatchQuality?
  /// The priority that it stands in its queue with.
  var rank = OperationPriority.normal
  /// The thread priority that it was given, in billionths; -1 for none.
  var threadPriority: Int64 = -1
  /// The queue that it is in.
  var queue = OperationQueueRecord.Index.none
  /// The queue that it was in, for what is said of it.
  var lastQueue = OperationQueueRecord.Index.none
  /// Its neighbours among the operations of its queue, in the order of adding.
  var members = Neighbours<OperationRecord>()
  /// When it was added to its queue, and when it finished, by the count of ties.
  var tie: Int64 = -1
  var finishedAt: Int64 = -1
  /// Which barriers its tie to one stands for: that one and all before it, from this tie on.
  var barrierFloor: Int64 = -1
  /// The section of its queue between two barriers that it is in.
  var section = OperationSection.Index.none
  /// Of a barrier: those of its queue that were added before and after it and have not finished.
  var barriers = Neighbours<OperationRecord>()
  /// Its place among equals of its queue.
  var order: Int64 = 0
  /// Which of its entries among the ready ones counts.
  var stamp: Int32 = 0
  /// How many of the operations that it depends on have not finished.
  var unfinished: Int32 = 0
  /// Its ties to what it depends on, and to what depends on it.
  var dependencies = IntrusiveList<DependencyLinks>()
  var dependents = IntrusiveList<DependentLinks>()
  /// Its closures that are still to run.
  var blocks = IntrusiveList<OperationBlockLinks>()
  /// Its closures that have run and that it keeps.
  var kept = IntrusiveList<OperationBlockLinks>()
  /// What runs after its end was reported; a closure, -1 for none.
  var teardown = FrameIndex.none
  /// What runs when it has finished, or has run and is kept; a closure, -1 for none.
  var completion = FrameIndex.none
  /// What says whether it is ready; a closure, -1 for none.
  var readiness = FrameIndex.none
  /// How often that has been asked.
  var readinessRuns: Int64 = 0
  /// How often its closure has been run as `start`.
  var starts: Int64 = 0
  /// The group that it leaves at its end; none for none.
  var group = GroupRuntime.Index.none
  var submitted: Int64 = 0
  /// The number of its item among all of the run; -1 before it was handed over.
  var itemNumber: Int32 = -1
  var madeAt: Int32 = -1
  var addedAt: Int32 = -1
  var startedAt: Int32 = -1
  /// The thread that runs it, or none.
  var thread = ThreadID.none
  /// Who waits for its end.
  var waiters = WaitList()
  /// Of a part: the operation that it belongs to.
  var whole = Index.none
  /// How many of its parts still run elsewhere.
  var partsLeft: Int32 = 0

  /// Whether it says that it is executing.
  var isExecuting: Bool {
    flags.contains(.asynchronous) ? flags.contains(.saysExecuting) : state == .executing
  }

  /// Whether it says that it is finished.
  var isFinished: Bool {
    flags.contains(.asynchronous) ? flags.contains(.saysFinished) : state >= .finishing
  }

  /// Whether nothing keeps it from starting but its turn.
  var isReady: Bool {
    unfinished == 0 && (readiness.isNone || flags.contains(.gateIsOpen))
  }
}

/// One operation queue.
struct OperationQueueRecord: BitwiseCopyable {
  typealias Index = TableIndex<OperationQueueRecord>

  var name: Int32
  var isMain = false
  /// How many operations may run at once; -1 for as many as the pool has room for.
  var limit: Int64 = -1
  var isSuspended = false
  /// Whether the trace has let go of it.
  var isReleased = false
  /// The core that used its memory last; -1 for none.
  var lastCore: Int16 = -1
  /// The quality of service that it was given, the number of a name; -1 for none.
  var quality: Int32 = -1
  /// The dispatch queue of its own; none while there is none.
  var backing = DispatchQueueRecord.Index.none
  /// The dispatch queue that the trace gave it; none for none.
  var underlying = DispatchQueueRecord.Index.none
  /// How many of its operations have been handed to dispatch and have not finished.
  var executing: Int64 = 0
  /// Its operations, and how many they are without barriers.
  var members = IntrusiveList<QueueMemberLinks>()
  var count: Int64 = 0
  /// The place among equals that the next operation gets.
  var nextOrder: Int64 = 0
  /// Its barriers that have not finished, and the first of them that has not been handed to dispatch.
  var barriers = IntrusiveList<QueueBarrierLinks>()
  var firstWaitingBarrier = OperationRecord.Index.none
  /// The sections between its barriers; none before the first operation.
  var firstSection = OperationSection.Index.none
  var lastSection = OperationSection.Index.none
  /// Who waits until all its operations are finished.
  var waiters = WaitList()
  var madeAt: Int32 = -1
  /// Where it was suspended last, and where its limit was set.
  var suspendedAt: Int32 = -1
  var limitedAt: Int32 = -1

  /// The dispatch queue that its operations go to; none while its own has not been made.
  var dispatchQueue: DispatchQueueRecord.Index { underlying.isNone ? backing : underlying }

  /// Whether one more operation may start.
  var hasRoom: Bool { !isSuspended && (limit < 0 || executing < limit) }
}

/// That one operation depends on another.
struct OperationTie: BitwiseCopyable {
  typealias Index = TableIndex<OperationTie>

  var dependent: OperationRecord.Index
  var dependency: OperationRecord.Index
  /// Its neighbours among the ties of the dependent, and of the dependency.
  var ofDependent = Neighbours<OperationTie>()
  var ofDependency = Neighbours<OperationTie>()
  /// Where it was made.
  var place: Int32
  /// Its place in the order in which all were tied.
  var tie: Int64
  /// Whether the dependent still waits for the dependency.
  var isOpen = true
}

/// One closure of an operation.
struct OperationBlock: BitwiseCopyable {
  typealias Index = TableIndex<OperationBlock>

  var closure: FrameIndex
  /// Its neighbours among the closures of its operation.
  var neighbours = Neighbours<OperationBlock>()
}

/// The operations of a queue from one barrier, with it, to the next.
struct OperationSection: BitwiseCopyable {
  typealias Index = TableIndex<OperationSection>

  /// How many of them have not finished.
  var count: Int32 = 0
  /// The barrier at its beginning; none also when that has finished.
  var barrier = OperationRecord.Index.none
  /// The section behind it; none for the last.
  var next = Index.none
}

/// What the library lets observe of an operation, by the names of the keys.
enum ObservedKey: Int8 {
  case isReady, isExecuting, isFinished, isCancelled
}
