/// What the reference keeps of a thread.
struct ReferenceThread {
  enum State { case created, ready, running, waiting, finished }
  /// What a thread is there for.
  enum Role { case body(String), main, poolWorker(Int), dispatchWorker }
  /// What a thread waits for.
  enum Reason {
    case nothing, time, join, sync, lock(Int), semaphore(Int), group(Int), condition(Int)
  }
  /// What happens at the end of a body.
  enum End { case thread, main, item(ReferenceItem), sync(Int, barrier: Bool) }
  struct Frame {
    var code: Int
    /// Its next step; -1 before it has begun.
    var next = -1
    var end: End
  }

  var role: Role
  var priority: Int
  var state = State.created
  var frames: [Frame] = []
  /// What is left of the work, or of a cost, that it is at; nil when it is at code.
  var work: Int?
  /// What is left of the switch's cost.
  var cost = 0
  /// When its work was last reckoned.
  var reckoned = 0
  /// What is left of its turn.
  var turn: Int?
  var turnBegan = 0
  var lastCore: Int?
  /// When it left that.
  var left = 0
  var reason = Reason.nothing
  /// Whether the last wait reached its limit.
  var gaveUp = false
  /// What a worker of a pool does next.
  var item: ReferenceItem?
  /// A lock or semaphore that it was given while it waited, which it notes when it goes on.
  var granted: String?
  var joiners: [Int] = []
  /// The names of the items it is in, the innermost last.
  var names: [String] = []
  /// Its place in the line of ready threads.
  var place = 0
  /// With which claim it came to that place.
  var lineClaim = 0
  /// What it keeps for the policies that look at more than that.
  var readySince = 0
  var burst = 0
  var hasYielded = false
  /// Of a thread under priority ageing: by how much it has grown, for its turn.
  var turnPoints: Int?
  /// Of a thread under a feedback queue: 0 is the highest level.
  var level = 0
  var used = 0
}

/// An item of work.
struct ReferenceItem {
  var name: String
  var code: Int
  var group: Int?
  var queue: Int?
  var isBarrier = false
}

struct ReferenceLock {
  var owner: Int?
  var waiters: [Int] = []
}

struct ReferenceSemaphore {
  var value: Int
  var waiters: [Int] = []
}

struct ReferenceGroup {
  var count = 0
  var waiters: [Int] = []
  var notices: [(executor: SmallExecutor, name: String, code: Int)] = []
}

struct ReferencePool {
  var room: Int
  var idle: [Int] = []
  var items: [ReferenceItem] = []
}

struct ReferenceQueue {
  enum Entry { case item(ReferenceItem), sync(thread: Int, barrier: Bool) }
  var isConcurrent: Bool
  var quality: Int
  var entries: [Entry] = []
  /// How many of its items have been handed on or run in 'sync'; at most 1 for a serial queue.
  var active = 0
  /// Whether what is active runs alone.
  var isAlone = false
}

/// What a worker of the ideal machine's pool can take.
struct ReferenceRootEntry {
  enum Content { case item(ReferenceItem), queue(Int) }
  var quality: Int
  var content: Content
}

/// What is due at a moment.
struct ReferenceEvent {
  enum Action { case done(Int), arrival(Int), wake(Int), limit(Int), turnEnds(Int) }
  /// The classes of one instant, in their order.
  enum Class: Int { case completion, world, timer, scheduling }
  var time: Int
  var kind: Class
  var number: Int
  var action: Action
}

/// What a run is compared by.
struct SeenRun: Equatable {
  /// Starts, ends and marks with their times, in order.
  var steps: [String] = []
  /// Who got each lock and semaphore, in order.
  var passes: [String: [String]] = [:]
  var outcome = ""

  /// All of it, for who has to compare it by eye.
  var text: String {
    let passes = passes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return (steps + passes + [outcome]).joined(separator: "\n")
  }
}
