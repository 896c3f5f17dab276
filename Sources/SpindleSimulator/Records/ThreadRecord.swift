import SpindleModel

/// One simulated thread: a row in a table, never a stack.
///
/// 224 bytes, in the order of use: whoever is made, gets a core, works and ends looks at the first 128
/// only, two or three lines of a cache; whoever waits at a little more. Of many threads that wait for
/// a core, none is in the cache.
struct ThreadRecord: BitwiseCopyable {
  // MARK: What it does

  /// Where it is in its life.
  var state = ThreadPhase.created
  /// Why it waits, while it does.
  var reason = WaitReason.sleep
  /// How far the call that it is in has come: 0 fresh, 1 its cost is paid, more as the call says.
  var phase: UInt8 = 0
  /// What it is for, once its own code has ended.
  var role = ThreadRole.plain
  /// Facts about it.
  var flags: ThreadFlags = []
  /// The core that it has; -1 for none.
  var core: Int16 = -1
  /// The core that it had last; -1 at first.
  var lastCore: Int16 = -1
  /// How its wait ended.
  var wakeResult = WakeResult.none
  /// The innermost frame; -1 for none, less for one that is still to be made.
  var frame = FrameIndex.none
  /// How many frames it has.
  var depth: Int32 = 0
  /// The instruction that it was last at when it waited or computed.
  var place: Int32 = -1
  /// The executor that made it; -1 for none.
  var executor: Int32 = -1
  /// The item that it runs: name, kind, group, and when it was submitted.
  var itemName: Int32 = -1
  var itemKind: Int32 = -1
  var itemGroup: Int32 = -1
  /// How often its number has been used for another thread.
  var generation: Int32 = 0
  /// Which one of its executor's, or of all nameless ones, from 1.
  var serial: Int32 = 0
  /// Where it was made.
  var madeAt: Int32 = -1
  /// The number of its item among all of the run.
  var itemNumber: Int32 = -1
  var submitted: Int64 = 0
  /// Work of the present burst that is still to be done, at speed 1.
  var work: Int64 = 0
  /// Costs that are still to be paid, at speed 1.
  var overhead: Int64 = 0

  // MARK: What it had

  /// Its own work, in time, since it got its core.
  var runSinceDispatch: Int64 = 0
  /// When it became ready, or began to wait.
  var since: Int64 = 0
  /// Its own work, in time, since it was made.
  var cpu: Int64 = 0
  /// How long it has been ready without a core, in all.
  var readyTotal: Int64 = 0
  /// The longest time that it was ready without a core since it was woken last, and when that ended.
  var longestReady: Int64 = 0
  var longestReadyEnd: Int64 = 0

  // MARK: The rest

  /// The first of the threads that wait for its end.
  var joiners = WaitList()
  /// The event that ends its sleep or limits its wait; 0 for none.
  var timer: UInt64 = 0
  /// The turnstile that it waits at, and the first of those that it has and that are wanted; -1 for none.
  var turnstile = Turnstile.Index.none
  var turnstiles = IntrusiveStack<TurnstileLinks>()
  /// Its neighbours among those who wait at the turnstile.
  var moreUrgent = ThreadID.none
  var lessUrgent = ThreadID.none
  /// A value of its wait: the condition it wants, or the owner's ready time when it began.
  var waitValue: Int64 = 0
  /// What it waits for: a lock, a semaphore, a group, a thread, an executor; -1 for none.
  var waitObject: Int32 = -1
  /// Its neighbours in a list of waiting threads.
  var next = ThreadID.none
  var previous = ThreadID.none
  /// How often it has waited.
  var waits: UInt32 = 0
  /// Its name's number, -1 when it has none of its own.
  var name: Int32 = -1
  /// What the executor that made it is called.
  var executorName: Int32 = -1
  /// Its quality of service, the number of a name.
  var quality = WellKnownName.default.id.index
  /// Its reserved stack in bytes.
  var stackSize: Int64 = 0
  /// `threadPriority` in billionths.
  var threadPriority: Int64 = 500_000_000
  /// Base priority, without what it inherits.
  var basePriority: Int16 = 31
  /// The highest priority with which something that it has is wanted; -1 for none.
  var inherited: Int16 = -1
  /// The priority that the log knows of.
  var toldPriority: Int16 = 31

  /// Whether it is of the background quality of service.
  var isBackground: Bool { quality == WellKnownName.background.id.index }

  /// Work and costs before it can go on, at speed 1.
  @inline(__always) var remaining: Int64 { overhead &+ work }

  /// Whether it has been started and has not ended.
  var isAlive: Bool { state == .ready || state == .running || state == .waiting }

  /// Whether its code has ended, and it gives back its stack.
  var leavesStack: Bool { frame == .none && phase > 0 }

  /// Whether something that it has done is still to be paid, or waited for.
  @inline(__always) var paysLater: Bool { overhead > 0 || !flags.isDisjoint(with: .passes) }

  /// The most work that it can have to do, and the most costs to pay: more than fits in any run.
  static let mostRemaining = Memory.mostWork

  /// Lets it pay a cost before it goes on.
  @inline(__always)
  mutating func charge(_ cost: Int64) {
    assert(cost >= 0, "a thread is charged with \(cost)")
    overhead = min(overhead &+ cost, Self.mostRemaining)
  }

  /// The priority that counts.
  var priority: Int16 { max(basePriority, inherited) }

  /// Its share among others in thousandths: the `threadPriority` that its priority comes from, or would
  /// come from; 1 at least.
  @inline(__always) var tickets: Int64 {
    let (present, scale) = (Int64(priority) - 15, FixedDecimal.scale)
    let isGiven = abs(32 * threadPriority - present * scale) <= scale / 2
    let thousandths = isGiven ? threadPriority / (scale / 1_000) : present * 1_000 / 32
    return max(1, min(1_000, thousandths))
  }
}

/// Where a thread is in its life.
enum ThreadPhase: UInt8 {
  /// Made, not started.
  case created
  /// Could run, has no core.
  case ready
  /// Has a core.
  case running
  /// Waits.
  case waiting
  /// Has ended, or was killed.
  case finished

  /// Whether it was started and has not ended.
  var isStarted: Bool { self != .created && self != .finished }
}

/// What a thread does when the code that it was given has ended.
enum ThreadRole: UInt8 {
  /// Ends.
  case plain
  /// Serves its run loop, or ends the process.
  case main
  /// Takes the next item of its executor.
  case worker
  /// Works for the dispatch queues.
  case queueWorker
  /// Waits for its next job.
  case jobs
  /// Watches libdispatch's own pool.
  case manager

  /// Whether all that it does is an item, or one after the other.
  @inline(__always) var runsItems: Bool { self == .plain || self == .worker }

  /// Whether it begins with what the simulator itself does, and not with code of the program.
  @inline(__always) var servesQueues: Bool { self == .queueWorker || self == .manager }
}

/// Facts about a thread.
struct ThreadFlags: OptionSet, BitwiseCopyable {
  let rawValue: UInt16

  /// It was asked to end.
  static let cancelled = ThreadFlags(rawValue: 1)
  /// Its entry has been reached.
  static let begun = ThreadFlags(rawValue: 2)
  /// The trace can name it, so its number is not used again.
  static let named = ThreadFlags(rawValue: 4)
  /// Others may wait for its end.
  static let joinable = ThreadFlags(rawValue: 8)
  /// It was started.
  static let started = ThreadFlags(rawValue: 16)
  /// It must have the address space before it goes on, or has it: see `Kernel.passAddressSpace`.
  static let maps = ThreadFlags(rawValue: 32)
  /// It wants the address space beside others who only look.
  static let mapsShared = ThreadFlags(rawValue: 16_384)
  /// It has the address space.
  static let mapping = ThreadFlags(rawValue: 32_768)
  /// It must have the list of stacks before it goes on, or has it: see `Kernel.passStacks`.
  static let lists = ThreadFlags(rawValue: 2_048)
  /// It must have the list of stacks or the address space before it goes on, or has one.
  static let passes: ThreadFlags = [.maps, .lists]
  /// It works for a pool that wants to know when it waits.
  static let watched = ThreadFlags(rawValue: 64)
  /// It has begun to serve a global queue.
  static let settled = ThreadFlags(rawValue: 128)
  /// It has an executor's item that is in no group, and nothing costs anything: when the item's code
  /// has ended, it ends or takes the next one.
  static let endsPlainly = ThreadFlags(rawValue: 256)
  /// An executor made it, and it has done nothing but run, compute and end.
  ///
  /// So no runtime knows it, and none has to be asked when it ends.
  static let untouched = ThreadFlags(rawValue: 512)
  /// It is a real-time thread.
  static let realtime = ThreadFlags(rawValue: 1_024)
  /// It is runnable and in the run queue of a core, where the policy does not see it.
  static let inLine = ThreadFlags(rawValue: 4_096)
  /// It has a nice value or a class of its own.
  static let scheduled = ThreadFlags(rawValue: 8_192)
}

/// How a wait ended.
enum WakeResult: UInt8 {
  case none
  /// What it waited for has happened.
  case granted
  /// Its limit was reached.
  case timedOut
}

/// Threads that wait for one thing, in order.
typealias WaitList = IntrusiveList<WaitLinks>

/// A thread's neighbours in a list of waiting threads.
enum WaitLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<ThreadRecord>) -> Int32 {
    record.pointee.next.index
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<ThreadRecord>) -> Int32 {
    record.pointee.previous.index
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<ThreadRecord>, next: Int32) {
    record.pointee.next = ThreadID(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<ThreadRecord>, previous: Int32) {
    record.pointee.previous = ThreadID(previous)
  }
}
