/// The state of a thread that loses its core in a kernel's trace; the raw value is the kernel's own.
///
/// Source: torvalds/linux:include/linux/sched.h, TASK_RUNNING and those after it.
enum KernelState: Int64 {
  case ready = 0
  case sleeping = 1
  /// It waits for input or output, "uninterruptible" in the kernel's words.
  case io = 2
  case dead = 16
}

/// One event of a kernel's scheduler.
struct KernelEvent {
  /// Whether a thread was woken; else a core switches to another one.
  var isWaking = false
  /// When, in nanoseconds.
  var time: Int64
  /// The core in whose list of events it is.
  var core: Int32
  /// The thread that ran before, or the waker; none for an idle core or the outside world.
  var first: ThreadIndex
  /// The thread that runs now, or that is woken.
  var second: ThreadIndex
  /// What the thread that ran before does now.
  var state = KernelState.ready
}

/// What an export knows of a thread that lives.
struct LiveThread {
  /// The process's own number for a thread.
  static func number(_ thread: ThreadIndex) -> Int64 { 1_000 + Int64(max(0, thread.raw)) }

  /// Its name in UTF-8.
  var name: [UInt8] = []
  /// The core that it has; -1 for none.
  var core: Int32 = -1
  /// The core that it had last; 0 before it had one.
  var lastCore: Int32 = 0
  /// The position among the held events where it is woken; -1 for none.
  var waking: Int32 = -1
  /// The time and the core of the last event about it.
  var told: (time: Int64, core: Int32) = (-1, 0)
  /// How deep the innermost slice on its track is; -1 for none.
  var top: Int32 = -1
  /// Which of the slices below have ended, by depth.
  var ended: UInt64 = 0
}

/// The threads that live, with places that are used again.
struct LiveThreads: ~Copyable {
  private var table = TallyTable<LiveThread>()
  private var places: OpenTable<Int32> = OpenTable()
  private var free: ContiguousArray<Int32> = []
  /// Those that have ended, but are still spoken of at this instant.
  private var dying: ContiguousArray<ThreadIndex> = []

  init() {}

  /// How many live, beside those that are dying.
  var count: Int { places.count - dying.count }

  /// A thread in place, until another one is added; nil for one that does not live.
  func find(_ thread: ThreadIndex) -> UnsafeMutablePointer<LiveThread>? {
    if thread.isNone { return nil }
    return places[Int64(thread.raw)].map { table[Int($0)] }
  }

  /// Adds a thread.
  mutating func add(_ thread: ThreadIndex, name: String) {
    let fresh = LiveThread(name: Array(name.utf8))
    if let place = free.popLast() {
      table[Int(place)].pointee = fresh
      places[Int64(thread.raw)] = place
    } else {
      places[Int64(thread.raw)] = Int32(table.count)
      table.append(fresh)
    }
  }

  /// Notes that a thread has ended.
  mutating func end(_ thread: ThreadIndex) { dying.append(thread) }

  /// Forgets those that have ended.
  mutating func forgetEnded() {
    for thread in dying {
      guard let place = places[Int64(thread.raw)] else { continue }
      places[Int64(thread.raw)] = nil
      free.append(place)
    }
    dying.removeAll(keepingCapacity: true)
  }
}
