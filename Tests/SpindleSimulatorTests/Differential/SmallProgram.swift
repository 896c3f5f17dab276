/// A program that the reference runs from this tree, and Spindle from the text that it makes.
///
/// Every statement is run at most once, so that every item and mark has a name of its own. All
/// times are in milliseconds.
struct SmallProgram: Sendable {
  /// What there is.
  var machine: SmallMachine
  /// The widths of the pools.
  var pools: [Int]
  /// The queues.
  var queues: [SmallQueue]
  /// The first values of the semaphores.
  var semaphores: [Int]
  /// The priorities of threads that are made at the top, in tenths, and what they do.
  var threads: [SmallThread]
  /// What the main thread does.
  var main: [SmallStatement]
  /// What the world outside does, and when.
  var world: [SmallArrival]

  /// How many locks, conditions and groups there are.
  static let locks = 3
  static let conditions = 1
  static let groups = 2
}

/// A machine of the platform `.ideal`.
struct SmallMachine: Sendable {
  enum Policy: Sendable {
    case fifo, roundRobin, fixedPriority, fixedPriorityCooperative
    case multilevelQueue, multilevelFeedback, priorityAging, priorityAgingCooperative
    case shortestJobFirst, shortestRemainingTime, highestResponseRatioNext

    /// Whether it must know what threads will compute before they may wait again.
    var isOracle: Bool {
      self == .shortestJobFirst || self == .shortestRemainingTime
        || self == .highestResponseRatioNext
    }
  }
  var cores: Int
  var policy: Policy
  var quantum: Int
  var inherits: Bool
  var contextSwitch: Int
  var migration: Int
  /// How many cores share a last-level cache, all of them or so many each.
  var clusterSize = Int.max
  var clusterMigration = 0
  var coldCache = 0
  var cacheWarmth = 0
  /// Of a feedback queue: how many levels, and by how much a turn is longer than one level above.
  var levels = 2
  var growth = 1
  /// Of a feedback queue: how many turns a thread stays at a level.
  var allotment = 1
  /// Of priority ageing: how long a thread waits for a point.
  var interval = 1
}

/// A dispatch queue.
struct SmallQueue: Sendable {
  var isConcurrent: Bool
  var quality: SmallQuality
}

/// The classes of service, the most urgent last.
enum SmallQuality: Int, Sendable, CaseIterable {
  case background, utility, `default`, userInitiated, userInteractive

  var name: String { "\(self)" }
}

/// A thread that is made at the top and started by a statement.
struct SmallThread: Sendable {
  var priority: Int
  var body: [SmallStatement]
}

/// Something that the world outside does.
struct SmallArrival: Sendable {
  var time: Int
  var body: [SmallStatement]
}

/// Who takes an item.
enum SmallExecutor: Sendable {
  case pool(Int)
  case queue(Int)
  case barrier(Int)
  case global(SmallQuality)
}

/// When a wait gives up.
enum SmallLimit: Sendable {
  case never
  case after(Int)
  case at(Int)
}

/// What a thread or the world does.
indirect enum SmallStatement: Sendable {
  case work(Int)
  case io(Int)
  case sleep(Int)
  case yield
  case mark(String)
  case locked(Int, SmallLimit, [SmallStatement], refused: String)
  case wait(Int, SmallLimit, refused: String)
  case signal(Int)
  case entered(Int, [SmallStatement])
  case groupWait(Int, SmallLimit, refused: String)
  case notify(Int, SmallExecutor, String, [SmallStatement])
  case conditionWait(Int, SmallLimit, [SmallStatement])
  case conditionSignal(Int, all: Bool, locked: Bool)
  case submit(SmallExecutor, String, group: Int?, [SmallStatement])
  case sync(Int, barrier: Bool, [SmallStatement])
  case detach(String, [SmallStatement])
  case start(Int)
  case join(Int)
  case setPriority(Int, Int)

  /// The statements in it.
  var children: [SmallStatement] {
    get {
      switch self {
      case .locked(_, _, let body, _), .entered(_, let body), .notify(_, _, _, let body),
        .conditionWait(_, _, let body), .submit(_, _, _, let body), .sync(_, _, let body),
        .detach(_, let body):
        body
      default: []
      }
    }
    set {
      switch self {
      case .locked(let lock, let limit, _, let refused):
        self = .locked(lock, limit, newValue, refused: refused)
      case .entered(let group, _): self = .entered(group, newValue)
      case .notify(let group, let executor, let name, _):
        self = .notify(group, executor, name, newValue)
      case .conditionWait(let condition, let limit, _):
        self = .conditionWait(condition, limit, newValue)
      case .submit(let executor, let name, let group, _):
        self = .submit(executor, name, group: group, newValue)
      case .sync(let queue, let barrier, _): self = .sync(queue, barrier: barrier, newValue)
      case .detach(let name, _): self = .detach(name, newValue)
      default: break
      }
    }
  }
}
