import SpindleModel

/// The waits for locks and semaphores, by name.
struct ContentionTally {
  private var locks: ContiguousArray<LockTally> = []
  /// By the name's number: the index in `locks`, or -1.
  private var indices: ContiguousArray<Int32> = []
  private var threads: ContiguousArray<Waiting> = []

  private struct LockTally {
    var name: Int32
    var acquisitions: Int64 = 0
    var waits: Int64 = 0
    var total: Int128 = 0
    var longest: Int64 = 0
    var unfinished: Int64 = 0
    /// The number of the lock that was waited for first, and whether another one was, too.
    var first: Int32 = -1
    var hasOthers = false

    mutating func add(_ length: Int64) {
      total += Int128(length)
      longest = Swift.max(longest, length)
    }
  }

  /// What a thread waits for: an index in `locks`, or -1, and since when.
  private struct Waiting {
    var lock: Int32 = -1
    var since: Int64 = 0
  }

  /// The thread in `slot` is a new one.
  mutating func threadCreated(_ slot: Int) {
    if slot < threads.count { threads[slot] = Waiting() }
  }

  /// A thread begins to wait; one that was woken too early continues the same wait.
  mutating func blocked(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 && entry.object >= 0 else { return }
    if slot >= threads.count {
      threads.append(contentsOf: repeatElement(Waiting(), count: slot + 1 - threads.count))
    }
    let lock = self.index(of: entry.object)
    guard threads[slot].lock != lock else { return }
    threads[slot] = Waiting(lock: lock, since: entry.time)
    if locks[Int(lock)].waits == 0 { locks[Int(lock)].first = entry.subject }
    locks[Int(lock)].waits += 1
    if locks[Int(lock)].first != entry.subject { locks[Int(lock)].hasOthers = true }
  }

  mutating func acquired(_ entry: LogEntry) {
    guard entry.object >= 0 else { return }
    locks[Int(index(of: entry.object))].acquisitions += 1
    gaveUp(entry)
  }

  /// The entries of a chunk before a repetition: no thread waited in those rounds.
  mutating func repeated(
    _ entry: UnsafePointer<LogEntry>, in chunk: UnsafeBufferPointer<LogEntry>
  ) {
    let place = chunk.baseAddress.map { entry - $0 } ?? 0
    for before in chunk[max(0, place - Int(max(0, entry.pointee.other)))..<place]
    where before.event == .lockAcquired && before.object >= 0 {
      locks[Int(index(of: before.object))].acquisitions += entry.pointee.value
    }
  }

  /// A thread's wait is over, whether it got the lock or not.
  mutating func gaveUp(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < threads.count && threads[slot].lock >= 0 else { return }
    locks[Int(threads[slot].lock)].add(entry.time - threads[slot].since)
    threads[slot].lock = -1
  }

  /// All locks, the one that was waited for longest first, then by first use.
  func result(end: Instant, names: NameTable) -> [LockMetrics] {
    var locks = self.locks
    for waiting in threads where waiting.lock >= 0 {
      locks[Int(waiting.lock)].add(end.nanoseconds - waiting.since)
      locks[Int(waiting.lock)].unfinished += 1
    }
    let order = locks.indices.sorted {
      locks[$0].total == locks[$1].total ? $0 < $1 : locks[$0].total > locks[$1].total
    }
    return order.map { index in
      let lock = locks[index]
      return LockMetrics(
        name: names.text(NameID(Int(lock.name))), acquisitions: lock.acquisitions,
        waits: lock.waits, totalWait: Nanoseconds(Int64(clamping: lock.total)),
        longestWait: Nanoseconds(lock.longest), unfinishedWaits: lock.unfinished,
        isSeveral: lock.hasOthers)
    }
  }

  private mutating func index(of name: Int32) -> Int32 {
    if Int(name) >= indices.count {
      indices.append(contentsOf: repeatElement(-1, count: Int(name) + 1 - indices.count))
    }
    if indices[Int(name)] < 0 {
      indices[Int(name)] = Int32(locks.count)
      locks.append(LockTally(name: name))
    }
    return indices[Int(name)]
  }
}
