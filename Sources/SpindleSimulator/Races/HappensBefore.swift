import SpindleModel

/// What comes before what in a run, by vector clocks.
///
/// One thing happens before another when the code comes before it in one strand, or when there is a way from
/// the one to the other over what synchronises: a lock that is given back and taken, an item that is
/// handed over and begins, a wait and what ends it. That two things came one after the other in this run
/// does not order them, nor that the same thread of a pool did them. Most of that the log tells, which it reads
/// like any other consumer; what the log does not say, as that a group was empty when somebody waited for it,
/// the runtimes say themselves. Source: Flanagan and Freund 2009, FastTrack; llvm:compiler-rt/lib/tsan;
/// for queues compiler-rt/lib/tsan/rtl/tsan_libdispatch.cpp.
struct HappensBefore {
  /// A strand while it runs.
  struct Strand {
    var clock: VectorClock
    var number: Int32
    /// The time of its last access to what others may have, which is all that others must come after.
    var lastAccess: Int32
    /// Whether it is another thread's, which waits for its end.
    var isLent = false
    /// Whether it has a number of its own, which nobody has seen yet.
    var isNew = false
    /// The name of the item that it runs, and its kind; -1 for none.
    var item: Int32 = -1
    var kind: Int32 = -1
  }

  /// What is known of a thread; as an item of a pool it may be one after another.
  struct ThreadStrands {
    /// What it runs, the innermost last; empty before it begins.
    var strands: [Strand] = []
    /// Whether it does items of whoever comes, between which nothing is ordered.
    var servesAll = false
    /// The item with which its strand began; 0 for none.
    var firstItem: Int32 = 0
    var reason: WaitReason?
    var waitObject: Int32 = -1
  }

  /// Whether anybody asks.
  let isOn: Bool
  /// Whether a strand may have the number of one that is over.
  private let sharesNumbers: Bool
  /// By number.
  var threads: [ThreadStrands] = []
  /// What is left at objects.
  private var objects = SyncTable()
  /// Tasks that no thread runs; only looked up, never walked.
  private var tasks: [Int32: Strand] = [:]
  /// How readers hold locks, by lock and thread; only looked up, never walked.
  var readers: Set<Int64> = []
  /// The pools of one thread, whose items come one after another; only looked up, never walked.
  var serialExecutors: Set<Int32> = []
  /// The executors that items were handed to; only looked up, never walked.
  var executorOfItem: [Int32: Int32] = [:]
  /// What whoever hands over the next item knows besides, where it does so for another.
  private var lent: VectorClock?
  /// By number: the last time of each strand that is over, and that of its last access.
  private(set) var lastTimes: [Int32] = []
  private var lastAccesses: [Int32] = []
  /// The numbers that may be used again.
  private var free: [Int32] = []
  /// The locks and queues that do not order those who wait for them; only looked up, never walked.
  private var unordered: Set<SyncObject> = []
  /// Whether no lock and no queue orders those who wait for it: then only what must come before another thing does.
  var ignoresLocks = false

  /// Nothing is known yet.
  init(isOn: Bool = true, sharesNumbers: Bool) {
    (self.isOn, self.sharesNumbers) = (isOn, sharesNumbers)
  }

  /// Nothing is known any more: for another run, without its tables being made again.
  mutating func reset() {
    threads.removeAll(keepingCapacity: true)
    objects.removeAll()
    if !tasks.isEmpty { tasks.removeAll(keepingCapacity: true) }
    if !readers.isEmpty { readers.removeAll(keepingCapacity: true) }
    if !serialExecutors.isEmpty { serialExecutors.removeAll(keepingCapacity: true) }
    if !executorOfItem.isEmpty { executorOfItem.removeAll(keepingCapacity: true) }
    lent = nil
    lastTimes.removeAll(keepingCapacity: true)
    lastAccesses.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    if !unordered.isEmpty { unordered.removeAll(keepingCapacity: true) }
  }

  // MARK: Strands

  /// How many of the strands that are over are looked at for one whose number a new one may have.
  private static let looks = 16

  /// A strand that begins with what is known at a moment.
  ///
  /// It gets the number of one that is over and that it comes after, if there is one near: so clocks are as long
  /// as the most that were ever side by side, and not as all.
  private mutating func strand(from clock: VectorClock) -> Strand {
    var clock = clock
    if let number = takeNumber(before: clock) {
      clock[number] = lastTimes[Int(number)] + 1
      return Strand(clock: clock, number: number, lastAccess: lastAccesses[Int(number)])
    }
    let number = Int32(lastTimes.count)
    lastTimes.append(0)
    lastAccesses.append(0)
    clock[number] = 1
    return Strand(clock: clock, number: number, lastAccess: 0, isNew: true)
  }

  /// The number of a strand whose accesses are all known; nil where none is near.
  private mutating func takeNumber(before clock: VectorClock) -> Int32? {
    if !sharesNumbers { return nil }
    for index in free.indices.suffix(Self.looks).reversed() {
      let number = free[index]
      if clock[number] >= lastAccesses[Int(number)] { return free.remove(at: index) }
    }
    return nil
  }

  /// A strand that has done nothing yet has learnt what it comes after, as an item of a serial queue does: it may have the
  /// number of one that is over, too.
  private mutating func renumber(_ thread: Int, _ top: Int) {
    var strand = threads[thread].strands[top]
    // Its own number goes back only where it is the last that was given.
    guard Int(strand.number) == lastTimes.count - 1, let number = takeNumber(before: strand.clock)
    else { return }
    lastTimes.removeLast()
    lastAccesses.removeLast()
    strand.clock.become(number, at: lastTimes[Int(number)] + 1)
    (strand.number, strand.lastAccess) = (number, lastAccesses[Int(number)])
    strand.isNew = false
    threads[thread].strands[top] = strand
  }

  private mutating func retire(_ strand: Strand) {
    lastTimes[Int(strand.number)] = strand.clock[strand.number]
    lastAccesses[Int(strand.number)] = strand.lastAccess
    free.append(strand.number)
  }

  private mutating func reach(_ thread: ThreadID) {
    while threads.count <= Int(thread.index) { threads.append(ThreadStrands()) }
  }

  /// A thread begins.
  mutating func begin(_ thread: ThreadID, servesAll: Bool, by maker: ThreadID) {
    reach(thread)
    endStrands(of: thread)
    let past = servesAll ? VectorClock() : snapshot(of: maker)
    threads[Int(thread.index)] = ThreadStrands(strands: [strand(from: past)], servesAll: servesAll)
  }

  /// A thread ends.
  mutating func endStrands(of thread: ThreadID) {
    for strand in threads[Int(thread.index)].strands.reversed() { retire(strand) }
    threads[Int(thread.index)].strands.removeAll()
  }

  /// A thread does something new, with what is known at an object only.
  mutating func replace(on thread: ThreadID, with object: SyncObject?) {
    guard let old = threads[Int(thread.index)].strands.popLast() else { return }
    retire(old)
    let clock = object.map { objects[$0] ?? VectorClock() } ?? VectorClock()
    let new = strand(from: clock)
    threads[Int(thread.index)].strands.append(new)
  }

  /// A thread does something on top of what it does, with what is known at an object only.
  mutating func push(on thread: ThreadID, with object: SyncObject) {
    let new = strand(from: objects[object] ?? VectorClock())
    threads[Int(thread.index)].strands.append(new)
  }

  /// That is over.
  mutating func pop(on thread: ThreadID) {
    guard let ended = threads[Int(thread.index)].strands.popLast() else { return }
    retire(ended)
  }

  /// A thread runs what another one waits for in `sync`: behind all that it has done, unless its queue orders nothing.
  mutating func lend(from waiter: ThreadID, to thread: ThreadID, queue: Int32) {
    if isOrdered(by: .queue, queue) {
      transfer(from: waiter, to: thread)
      return
    }
    var new = strand(from: snapshot(of: waiter))
    new.isLent = true
    threads[Int(thread.index)].strands.append(new)
  }

  /// It has run it.
  mutating func takeBack(from thread: ThreadID, to waiter: ThreadID) {
    if threads[Int(thread.index)].strands.last?.isLent != true { return }
    join(snapshot(of: thread), to: waiter)
    pop(on: thread)
  }

  // MARK: Order

  /// What a thread knows, which from now on is its past; of the world outside nothing.
  private mutating func snapshot(of thread: ThreadID) -> VectorClock {
    guard !thread.isNone, Int(thread.index) < threads.count else { return VectorClock() }
    let top = threads[Int(thread.index)].strands.count - 1
    if top < 0 { return VectorClock() }
    return Self.seen(&threads[Int(thread.index)].strands[top])
  }

  /// What a strand knows, which from now on is its past.
  private static func seen(_ strand: inout Strand) -> VectorClock {
    let clock = strand.clock
    strand.clock[strand.number] = clock[strand.number] + 1
    strand.isNew = false
    return clock
  }

  /// A thread leaves at an object what it knows; `isAlone` forgets what was there.
  mutating func release(_ object: SyncObject, by thread: ThreadID, isAlone: Bool = false) {
    let clock = snapshot(of: thread)
    if isAlone {
      objects[object] = clock
    } else {
      objects.join(clock, at: object)
    }
  }

  /// A thread knows from now on what is known at an object.
  mutating func acquire(_ object: SyncObject, by thread: ThreadID) {
    guard let clock = objects[object] else { return }
    join(clock, to: thread)
  }

  private mutating func join(_ clock: VectorClock, to thread: ThreadID) {
    guard !thread.isNone, Int(thread.index) < threads.count else { return }
    let top = threads[Int(thread.index)].strands.count - 1
    if top < 0 { return }
    threads[Int(thread.index)].strands[top].clock.join(clock)
    if threads[Int(thread.index)].strands[top].isNew { renumber(Int(thread.index), top) }
  }

  /// A thread knows from now on what another one does.
  mutating func transfer(from other: ThreadID, to thread: ThreadID) {
    join(snapshot(of: other), to: thread)
  }

  /// What is known at an object is not wanted any more.
  mutating func forget(_ object: SyncObject) { objects[object] = nil }

  /// What is known at an object, whoever hands over the next item knows as well.
  mutating func lend(_ object: SyncObject) {
    guard let clock = objects[object] else { return }
    if lent == nil { lent = clock } else { lent?.join(clock) }
  }

  /// An item is handed over.
  mutating func handOver(_ object: SyncObject, by thread: ThreadID) {
    var clock = snapshot(of: thread)
    if let lent { clock.join(lent) }
    lent = nil
    objects[object] = clock
  }

  // MARK: Tasks

  /// A thread goes on with a task; where it does so in the midst of its own code, that comes before it.
  mutating func enter(task: Int32, on thread: ThreadID, inOrder: Bool) {
    reach(thread)
    var strand = tasks.removeValue(forKey: task) ?? strand(from: VectorClock())
    if inOrder { strand.clock.join(snapshot(of: thread)) }
    let ready = SyncObject(kind: .readyTask, number: task)
    if let clock = objects.take(ready) { strand.clock.join(clock) }
    threads[Int(thread.index)].strands.append(strand)
  }

  /// A thread is done with a task for now.
  mutating func leave(task: Int32, on thread: ThreadID, inOrder: Bool) {
    let clock = snapshot(of: thread)
    guard let strand = threads[Int(thread.index)].strands.popLast() else { return }
    tasks[task] = strand
    if inOrder { join(clock, to: thread) }
  }

  /// Whether no thread runs a task just now.
  func isOff(_ task: Int32) -> Bool { tasks[task] != nil }

  /// A task that no thread runs just now leaves at an object what it knows.
  mutating func release(_ object: SyncObject, task: Int32) {
    guard var strand = tasks[task] else { return }
    objects.join(Self.seen(&strand), at: object)
    tasks[task] = strand
  }

  /// A task has ended.
  mutating func end(task: Int32) {
    guard let strand = tasks.removeValue(forKey: task) else { return }
    retire(strand)
  }

  // MARK: Moments

  /// What a thread does at this moment, which whoever has its number later is to come after; nil for the world outside.
  mutating func moment(of thread: ThreadID) -> Moment? {
    guard !thread.isNone, Int(thread.index) < threads.count else { return nil }
    let top = threads[Int(thread.index)].strands.count - 1
    if top < 0 { return nil }
    return Self.moment(&threads[Int(thread.index)].strands[top], of: thread)
  }

  private static func moment(_ strand: inout Strand, of thread: ThreadID) -> Moment {
    strand.lastAccess = strand.clock[strand.number]
    strand.isNew = false
    return Moment(
      strand: strand.number, time: strand.lastAccess, thread: thread, item: strand.item,
      itemKind: strand.kind)
  }

  /// What a thread knows.
  func clock(of thread: ThreadID) -> VectorClock? {
    !thread.isNone && Int(thread.index) < threads.count
      ? threads[Int(thread.index)].strands.last?.clock : nil
  }

  /// What a thread knows, for a caller that keeps it: the number of the strand is not given to another one any more.
  mutating func keptClock(of thread: ThreadID) -> VectorClock? {
    guard !thread.isNone, Int(thread.index) < threads.count else { return nil }
    let top = threads[Int(thread.index)].strands.count - 1
    if top < 0 { return nil }
    threads[Int(thread.index)].strands[top].isNew = false
    return threads[Int(thread.index)].strands[top].clock
  }

  /// A thread knows from now on what a clock does.
  mutating func learn(_ clock: VectorClock, on thread: ThreadID) { join(clock, to: thread) }

  /// A moment of a thread that is another one than all before and behind it, and what is known from it on.
  mutating func stamp(_ thread: ThreadID) -> (Moment, VectorClock)? {
    guard let moment = moment(of: thread) else { return nil }
    return (moment, snapshot(of: thread))
  }

  /// A moment of no thread, behind what a clock knows, and what is known from it on.
  mutating func occur(behind clock: VectorClock) -> (Moment, VectorClock) {
    var strand = strand(from: clock)
    let time = strand.clock[strand.number]
    strand.lastAccess = time
    let after = Self.seen(&strand)
    retire(strand)
    return (
      Moment(strand: strand.number, time: time, thread: .none, item: -1, itemKind: -1), after
    )
  }

  /// What is known at an object.
  func known(at object: SyncObject) -> VectorClock? { objects[object] }

  /// Whoever enqueues the next item knows this as well; nil for nothing besides its own.
  mutating func lend(_ clock: VectorClock?) { lent = clock }

  // MARK: What does not order

  /// That a lock is given back and taken orders nothing any more, nor that a `sync` on a queue ends and another one begins.
  mutating func ignore(_ object: SyncObject) {
    if !unordered.insert(object).inserted || object.kind == .queue { return }
    forget(object)
    if object.kind == .lock { forget(.init(kind: .readers, number: object.number)) }
  }

  /// That a semaphore is signalled and passed orders again: it is no lock.
  mutating func heed(_ object: SyncObject) { unordered.remove(object) }

  /// Whether who waits for a lock or a queue comes behind who had it.
  func isOrdered(by kind: SyncObject.Kind, _ number: Int32) -> Bool {
    if ignoresLocks && (kind == .lock || kind == .queue) { return false }
    return unordered.isEmpty || !unordered.contains(.init(kind: kind, number: number))
  }
}
