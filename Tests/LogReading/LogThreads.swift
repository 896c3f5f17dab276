/// A thread while a log is read.
struct LogThread {
  enum State: Equatable { case ready, running, waiting }

  var state = State.ready
  var core = -1
  var lastCore = -1
  /// When it got its core, and how long the machine had slept by then.
  var since: Int64 = 0
  var sleptBefore: Int64 = 0
  /// When its sleep or its io ends; nil while it has none.
  var until: Int64?
  /// Since when it may stand in a core's line: when it was made or woken last; nil once it has run.
  var inLineSince: Int64?
  /// Its place among all that ever got ready.
  var readyOrder = 0
  var stack: Int64 = 0
  var processor: Int64 = 0
  var isMain = false
  /// The items that it runs, the innermost last, with the times when they began.
  var items: [(item: LogName, began: Int64)] = []
  var hasRunItem = false
  /// How many handlers are open.
  var handlers = 0
  /// What it waits for, and since when; a wait that goes on after a wake-up is one.
  var lock: String?
  var lockSince: Int64 = 0
  var isRealtime = false
  /// Whether it has a deadline for each job.
  var doesJobs = false
  /// Whether the first of them is still to come.
  var awaitsFirst = false
  var awaitsWake = false
}

/// An item of work while a log is read.
struct LogItem {
  var submitted: Int64
  var kind: String?
  var executor: LogName?
  /// Which one of its name the operation is; nil for what is none.
  var operation: LogName?
  var isBarrier = false
  var order: Int
  var state = State.waiting
  /// Since when a task is on its thread, or nil, and for how long it was before.
  var since: Int64?
  var served: Int64 = 0

  enum State: Equatable { case waiting, running, over }
}

/// A queue, pool, lock, semaphore or group while a log is read.
struct LogObject {
  var kind: String
  var count: Int64 = 0
  /// The width of a pool, the limit of an operation queue; nil for none.
  var limit: Int64?
  var isSerial = false
  /// Whether all that changes its count stands in the log.
  var owner: LogName?
  var depth = 0
  var readers: [LogName: Int] = [:]
  /// The items that run, and whether one of them is a barrier.
  var running = 0
  var hasBarrier = false
  /// The order of the item that began last.
  var lastOrder = -1
  var workers: Int64 = 0
  /// What an accelerator is at, by who asked.
  var requests: [LogName: Request] = [:]

  /// A request that an accelerator is at.
  struct Request {
    let since: Int64
    let length: Int64
  }
}
