import SpindleModel

/// What kind of queue a queue is, which decides who runs its items.
enum DispatchQueueKind: UInt8 {
  /// `DispatchQueue.main`: the main thread runs its items, in its run loop or `dispatchMain()`.
  case main
  /// A global queue: the pool's workers take its items, first in, first out.
  case root
  /// One item at a time, first in, first out.
  case serial
  /// Items side by side, but for barriers.
  case concurrent
}

extension DispatchRuntime {
  /// Whether items of a queue run side by side.
  func isConcurrent(_ queue: DispatchQueueRecord.Index) -> Bool {
    switch queues[queue].kind {
    case .root, .concurrent: true
    case .main, .serial: false
    }
  }
}

/// One dispatch queue.
struct DispatchQueueRecord: BitwiseCopyable {
  typealias Index = TableIndex<DispatchQueueRecord>

  var kind: DispatchQueueKind
  /// The number of its label; -1 for the main queue and for global ones, see `label`.
  var name: Int32
  /// The queue that its items run on; none for the main queue and for global ones.
  var target: DispatchQueueRecord.Index
  /// The class of service that it was made with, or has from its target; nil for none.
  var quality: DispatchQuality?
  /// Whether it has that from its target.
  var inheritsQuality = false
  /// Where it was made.
  var madeAt: Int32 = -1
  /// How often it was suspended and not resumed.
  var suspensions: Int32 = 0
  /// When the pool of its items is drained.
  var frequency = DispatchAutoreleaseFrequency()
  /// Whether it was made inactive and not activated yet.
  var isInactive = false
  /// Whether the trace has let go of it.
  var isReleased = false
  /// Whether nothing is left to do since, so that it is gone.
  var isGone = false
  /// The queues whose target it is and the items that will be handed to it later: they keep it alive.
  var holds: Int32 = 0
  /// How many queues at most stand in a chain that ends at it, each the target of the next; more than
  /// there are where one of them has got another target.
  var height: Int32 = 0
  /// What `bottom(of:)` found, and how many targets had been set by then.
  var knownBottom = Index.none
  var knownAt: Int64 = -1
  /// The core that used its memory last; -1 at first, and where that costs nothing.
  var lastCore: Int16 = -1
  /// The most urgent class among the items that wait; kept until nothing waits.
  var mostUrgent: DispatchQuality?
  /// Where a serial queue lends its thread the urgency of those who wait; -1 where there is none.
  var turnstile = Turnstile.Index.none
  /// Its items that wait, in order.
  var items = IntrusiveQueue<DispatchItem>()
  var count: Int32 = 0
  /// The thread that drains it or runs a `sync` or a barrier on it, or none.
  var owner = ThreadID.none
  /// Whether it stands in its target's list, or is being drained.
  var isScheduled = false
  /// The class of the global queue in whose list it stands; of use while it does.
  var standing: DispatchQuality?
  /// Items of a concurrent queue that run or are on their way to a worker.
  var running: Int32 = 0
  /// Whether a barrier has a concurrent queue to itself.
  var isBarred = false
  /// What runs when it has gone; none for nothing.
  var finalizer = TableIndex<Handler>.none

  /// Whether a trace has made it: it is neither the main queue nor a global one.
  var isOwn: Bool { kind == .serial || kind == .concurrent }

  /// Whether its items may start now.
  var isOpen: Bool { suspensions == 0 && !isInactive }
}

/// The six classes of service that have global queues, the least urgent first.
///
/// Source: libdispatch:src/queue_internal.h, DISPATCH_ROOT_QUEUE_IDX_*.
enum DispatchQuality: UInt8, Comparable, CaseIterable {
  case maintenance, background, utility, `default`, userInitiated, userInteractive

  /// The class that a name of the trace means; nil for `.unspecified` and for none.
  init?(name: Int32) {
    switch name {
    case WellKnownName.background.id.index: self = .background
    case WellKnownName.utility.id.index: self = .utility
    case WellKnownName.default.id.index: self = .default
    case WellKnownName.userInitiated.id.index: self = .userInitiated
    case WellKnownName.userInteractive.id.index: self = .userInteractive
    default: return nil
    }
  }

  /// The number of its name.
  var name: Int32 {
    switch self {
    case .maintenance, .background: WellKnownName.background.id.index
    case .utility: WellKnownName.utility.id.index
    case .default: WellKnownName.default.id.index
    case .userInitiated: WellKnownName.userInitiated.id.index
    case .userInteractive: WellKnownName.userInteractive.id.index
    }
  }

  /// What the label of its global queue ends with.
  var label: String {
    switch self {
    case .maintenance: "maintenance-qos"
    case .background: "background-qos"
    case .utility: "utility-qos"
    case .default: "default-qos"
    case .userInitiated: "user-initiated-qos"
    case .userInteractive: "user-interactive-qos"
    }
  }

  static func < (left: DispatchQuality, right: DispatchQuality) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What an item of a queue is.
enum DispatchItemKind: UInt8 {
  /// A closure that runs once: `frame`.
  case block
  /// A serial queue that is to be drained: `object` is the queue.
  case lane
  /// An operation that is to be started: `object`.
  case operation
  /// A thread that takes part in a `concurrentPerform`: `object` is its record.
  case apply
  /// A thread that waits in `sync`: `object` is its record.
  case sync
  /// A `DispatchWorkItem`: `object`.
  case workItem
  /// A source's handler: `object` is the source.
  case source
  /// An expiration handler: `object` is the background task; -1 for what follows the last.
  case expiration
  /// A job of a task or an actor: `object`.
  case job
}

/// One thing that waits in a queue or runs.
struct DispatchItem: Queueable {
  typealias Index = TableIndex<DispatchItem>

  let kind: DispatchItemKind
  /// Whether it runs alone on a concurrent queue.
  var isBarrier = false
  /// Whether its own class counts where it is more urgent than its queue's.
  var isEnforced = false
  /// The class of service that it is submitted with; nil when the queue's alone counts.
  var quality: DispatchQuality?
  /// The queue that it was submitted to: what `getSpecific` begins with.
  var queue: DispatchQueueRecord.Index
  /// The frame of a block.
  var frame = FrameIndex.none
  /// The number of the object that the kind says, in a table of whoever knows it; -1 for none.
  ///
  /// Of a block that of the operation that it completes, and holds.
  var object: Int32 = -1
  var name: Int32 = -1
  var workKind: Int32 = -1
  /// The group that it leaves when it has ended; none for none.
  var group = GroupRuntime.Index.none
  var place: Int32 = -1
  var submitted: Int64 = 0
  /// Its number among all items of the run; -1 for what is no item of work.
  var number: Int32 = -1
  /// The item behind it.
  var next = Index.none

  /// Whether it is a block or a work item.
  var isWork: Bool { kind == .block || kind == .workItem }

  /// The closure of a trace, or of the simulator's own, that runs once in a queue.
  init(block frame: FrameIndex = .none, queue: DispatchQueueRecord.Index) {
    (kind, self.frame, self.queue) = (.block, frame, queue)
  }

  /// The serial queue that is to be drained on its target.
  init(lane: DispatchQueueRecord.Index, queue: DispatchQueueRecord.Index) {
    (kind, object, self.queue) = (.lane, lane.raw, queue)
  }

  /// The thread that takes part in iterations.
  init(apply: ApplyRecord.Index, queue: DispatchQueueRecord.Index) {
    (kind, object, self.queue) = (.apply, apply.raw, queue)
  }

  /// The thread that waits in `sync`.
  init(sync: DispatchSyncRecord.Index, queue: DispatchQueueRecord.Index) {
    (kind, object, self.queue) = (.sync, sync.raw, queue)
  }

  /// A work item.
  init(workItem: WorkItemRecord.Index, queue: DispatchQueueRecord.Index) {
    (kind, object, self.queue) = (.workItem, workItem.raw, queue)
  }

  /// What another runtime is to begin: `object` is a number of its own.
  init(_ kind: DispatchItemKind, _ object: Int32, queue: DispatchQueueRecord.Index) {
    demand(
      kind == .operation || kind == .source || kind == .expiration || kind == .job,
      "an item of kind \(kind) is dispatch's own")
    (self.kind, self.object, self.queue) = (kind, object, queue)
  }

  /// The serial queue that is to be drained.
  @inline(__always) var lane: DispatchQueueRecord.Index {
    assert(kind == .lane, "an item of kind \(kind) drains no queue")
    return .init(object)
  }

  /// The iterations that a thread takes part in.
  @inline(__always) var apply: ApplyRecord.Index {
    assert(kind == .apply, "an item of kind \(kind) has no iterations")
    return .init(object)
  }

  /// The `sync` that a thread waits in.
  @inline(__always) var sync: DispatchSyncRecord.Index {
    assert(kind == .sync, "an item of kind \(kind) is no sync")
    return .init(object)
  }

  /// The work item.
  @inline(__always) var workItem: WorkItemRecord.Index {
    assert(kind == .workItem, "an item of kind \(kind) is no work item")
    return .init(object)
  }
}

/// A thread that is in `sync`.
struct DispatchSyncRecord: BitwiseCopyable {
  typealias Index = TableIndex<DispatchSyncRecord>

  /// What is run in it.
  enum Body: BitwiseCopyable {
    /// A block, which is in the caller's frame.
    case block
    /// A work item.
    case workItem(WorkItemRecord.Index)
    /// The iterations of a `concurrentPerform`.
    case apply
  }

  /// The queue that it asked for.
  var queue: DispatchQueueRecord.Index
  /// The queue on the way to the global one that it has to get next.
  var level: DispatchQueueRecord.Index
  var isBarrier: Bool
  /// The thread that asked.
  var thread: ThreadID
  /// The frame of the main thread that goes on when it has run the block; -1 while nobody lends.
  var serverFrame = FrameIndex.none
  /// What the queue's thread runs where that is the main thread.
  var body: Body = .block
  /// The queue whose item the thread that runs the block ran before.
  var outerQueue = DispatchQueueRecord.Index.none
  /// The `sync` that this one is inside of; none for none.
  var outer = Index.none
  var place: Int32
}
