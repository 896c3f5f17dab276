import SpindleModel

/// How long something could have run and had no core, and how long it had one.
struct CoreTimes: Hashable {
  /// Ready without a core: the waiting time of textbooks on scheduling.
  var waiting: Int64 = 0
  /// On a core, costs included: their service time.
  var ran: Int64 = 0

  static func + (left: CoreTimes, right: CoreTimes) -> CoreTimes {
    CoreTimes(waiting: left.waiting + right.waiting, ran: left.ran + right.ran)
  }

  static func - (left: CoreTimes, right: CoreTimes) -> CoreTimes {
    CoreTimes(waiting: left.waiting - right.waiting, ran: left.ran - right.ran)
  }
}

/// Adds up for each thread how long it was ready and how long it ran.
struct ThreadTimes {
  /// The state of the thread in a slot.
  private struct Slot {
    var isReady = false
    var isRunning = false
    /// Since when it is ready or running.
    var since: Int64 = 0
    var times = CoreTimes()

    /// Counts the time up to now.
    mutating func advance(to time: Int64) {
      if isReady { times.waiting += time - since }
      if isRunning { times.ran += time - since }
      since = time
    }
  }

  private var slots: [Slot] = []

  /// Takes in the next entry.
  mutating func receive(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated:
      let slot = Int(entry.thread)
      guard slot >= 0 else { return }
      while slot >= slots.count { slots.append(Slot()) }
      slots[slot] = Slot()
    case .threadReady, .threadPreempted: change(entry, isReady: true, isRunning: false)
    case .threadRuns: change(entry, isReady: false, isRunning: true)
    case .threadBlocked, .threadEnded, .threadKilled:
      change(entry, isReady: false, isRunning: false)
    default: break
    }
  }

  /// The times of the thread in a slot up to a moment; zero for an unknown slot.
  mutating func times(of slot: Int, at time: Int64) -> CoreTimes {
    guard slots.indices.contains(slot) else { return CoreTimes() }
    slots[slot].advance(to: time)
    return slots[slot].times
  }

  private mutating func change(_ entry: LogEntry, isReady: Bool, isRunning: Bool) {
    let slot = Int(entry.thread)
    guard slots.indices.contains(slot) else { return }
    slots[slot].advance(to: entry.time)
    (slots[slot].isReady, slots[slot].isRunning) = (isReady, isRunning)
  }
}

/// Adds up for each item of work how long it was runnable without a core, and how long it had one, from
/// submission to end.
///
/// It is runnable while it is queued and while its thread is runnable. A task is on several threads one after
/// another; what it suspends for is neither, but afterwards it is queued again. An operation that needs no
/// thread has no core.
struct ItemTimes {
  /// An item that has begun and not ended.
  private struct Open {
    /// The thread that has it; -1 for none.
    var slot = -1
    /// What that thread's times were when it got it.
    var before = CoreTimes()
    /// What was added up before that.
    var sum: CoreTimes
    let isTask: Bool
  }

  var threads = ThreadTimes()
  private var open: [Int32: Open] = [:]
  /// The times of the item that the last entry ended.
  private(set) var ended: CoreTimes?

  /// Takes in the next entry.
  mutating func receive(_ entry: LogEntry) {
    ended = nil
    switch entry.event {
    case .itemStarted:
      let flags = ItemFlags(rawValue: entry.detail)
      let isTask = flags.contains(.isTask)
      open[entry.other] = Open(sum: CoreTimes(waiting: entry.value), isTask: isTask)
      if isTask || !flags.contains(.needsNoThread) { gotThread(entry) }
    case .taskSuspended:
      if open[entry.other]?.isTask == true { leftThread(entry.other, entry.time) }
    case .taskResumed:
      guard open[entry.other]?.isTask == true else { return }
      open[entry.other]?.sum.waiting += max(0, entry.value)
      gotThread(entry)
    case .itemEnded:
      leftThread(entry.other, entry.time)
      ended = open.removeValue(forKey: entry.other)?.sum
    default: threads.receive(entry)
    }
  }

  /// The times up to now of an item that has begun and not ended; nil without one.
  mutating func times(of item: Int32, at time: Int64) -> CoreTimes? {
    guard let known = open[item] else { return nil }
    guard known.slot >= 0 else { return known.sum }
    return known.sum + (threads.times(of: known.slot, at: time) - known.before)
  }

  private mutating func gotThread(_ entry: LogEntry) {
    let before = threads.times(of: Int(entry.thread), at: entry.time)
    open[entry.other]?.slot = Int(entry.thread)
    open[entry.other]?.before = before
  }

  private mutating func leftThread(_ item: Int32, _ time: Int64) {
    guard let sum = times(of: item, at: time) else { return }
    open[item]?.sum = sum
    open[item]?.slot = -1
  }
}
