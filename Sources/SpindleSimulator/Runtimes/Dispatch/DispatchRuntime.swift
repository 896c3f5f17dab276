import SpindleModel

/// Dispatch queues: who may run an item, and when; the pool below decides on which thread.
///
/// Items go down a queue's chain of targets. A serial queue stands in its target's list as one item
/// and is drained by whoever takes that; a concurrent queue hands each item on to its target as long
/// as no barrier is in the way; a global queue keeps what its pool's workers take.
///
/// Whoever changes it calls what only reads it with a copy of the whole, which has a thousand bytes:
/// what is read for every item is therefore inlined. Source: swift-corelibs-libdispatch:src/queue.c.
struct DispatchRuntime: ~Copyable {
  var queues: Table<DispatchQueueRecord>
  var items: SlotTable<DispatchItem>
  var syncs: SlotTable<DispatchSyncRecord>
  var threads: ThreadTable<DispatchThread>
  var pool: WorkerPool
  var groups: GroupRuntime
  var workItems: Table<WorkItemRecord>
  var applies: SlotTable<ApplyRecord>
  var onces: Table<OnceRecord>
  /// Whether a queue has a pool for each of its items.
  var drainsPools = false
  /// What runs when queues have gone.
  var finalizers: Table<Handler>
  /// What queues keep by keys; only looked up, never walked.
  var specifics: [SpecificKey: Int64] = [:]
  /// Whether the main queue has got items since the main thread's loop was last told.
  var mainBecameReady = false
  /// How often a queue that others may stand on got another target.
  var targetChanges: Int64 = 0

  /// `DispatchQueue.main`.
  static let mainQueue = DispatchQueueRecord.Index(0)
  /// How many queues may stand in one chain of targets: more crashes.
  static let depthLimit: Int32 = 1_000
  /// How many items of a concurrent queue may be on their way at once.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue_internal.h, DISPATCH_QUEUE_WIDTH_MAX.
  static let widthLimit: Int32 = 4_094

  /// Makes the main queue and the twelve global ones.
  init(_ kernel: borrowing Kernel) {
    queues = Table(.queues, kernel.storage)
    items = SlotTable(.items, kernel.storage)
    syncs = SlotTable(.syncs, kernel.storage)
    threads = ThreadTable(.threads, kernel.storage, nothing: DispatchThread())
    pool = WorkerPool(kernel.machine, kernel.storage)
    groups = GroupRuntime(kernel.storage)
    workItems = Table(.workItems, kernel.storage)
    applies = SlotTable(.applies, kernel.storage)
    onces = Table(.onces, kernel.storage)
    finalizers = Table(.finalizers, kernel.storage)
    queues.append(
      DispatchQueueRecord(kind: .main, name: -1, target: .none, quality: nil))
    for quality in DispatchQuality.allCases {
      for _ in [false, true] {
        queues.append(DispatchQueueRecord(kind: .root, name: -1, target: .none, quality: quality))
      }
    }
    demand(
      queues.count == pool.roots.count, "\(queues.count) queues, \(pool.roots.count) of a pool")
  }

  // MARK: Making queues

  /// The global queue of a class of service.
  static func root(_ quality: DispatchQuality, overcommit: Bool = false)
    -> DispatchQueueRecord.Index
  {
    .init(1 + Int32(quality.rawValue) * 2 + (overcommit ? 1 : 0))
  }

  /// The global queue of a class for queues that name no target.
  ///
  /// With one worker for each core there is one of each class, so that its items stand in one line.
  mutating func standardTarget(_ quality: DispatchQuality, overcommit: Bool)
    -> DispatchQueueRecord.Index
  {
    Self.root(quality, overcommit: overcommit && pool.rules.kind != .onePerCore)
  }

  /// Whether a global queue may have more threads than cores.
  static func isOvercommit(_ root: DispatchQueueRecord.Index) -> Bool { root.raw & 1 == 0 }

  /// Makes a queue; without a target it gets the global queue of its class, a serial one that which
  /// may have more threads than cores.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_create_with_target.
  mutating func makeQueue(
    name: Int32, isConcurrent: Bool, quality: DispatchQuality?, target: DispatchQueueRecord.Index,
    isInactive: Bool,
    madeAt: Int32, _ kernel: inout Kernel
  ) -> DispatchQueueRecord.Index {
    let quality = quality.map(pool.rules.present)
    let standard = standardTarget(quality ?? .default, overcommit: !isConcurrent)
    let made = queues.add(
      DispatchQueueRecord(
        kind: isConcurrent ? .concurrent : .serial, name: name, target: .none,
        quality: quality, madeAt: madeAt, isInactive: isInactive))
    setTarget(of: made, to: !target.isNone ? target : standard)
    if !isConcurrent && pool.rules.propagatesQuality {
      queues[made].turnstile = kernel.makeTurnstile()
    }
    return made
  }

  /// Whether an item has an autorelease pool of its own: its queue says so, or, where that inherits, its target.
  func hasOwnPool(_ index: DispatchItem.Index) -> Bool {
    switch items[index].kind {
    case .sync, .apply, .lane: return false
    case .block, .operation, .workItem, .source, .expiration, .job: break
    }
    var queue = items[index].queue
    demand(drainsPools, "no queue has a pool for each item")
    while !queue.isNone {
      if queues[queue].frequency.contains(.workItem) { return true }
      if queues[queue].frequency.contains(.never) { return false }
      queue = queues[queue].target
    }
    return false
  }

  // MARK: Items

  /// Takes an item that nothing refers to any more.
  @inline(__always)
  mutating func take(_ index: DispatchItem.Index) -> DispatchItem {
    let item = items[index]
    items.remove(index)
    return item
  }

  /// Hands an item over to the queue that it names.
  mutating func submit(_ item: DispatchItem, by thread: ThreadID, _ kernel: inout Kernel) {
    var fresh = item
    fresh.quality = quality(for: item)
    let index = items.add(fresh)
    if item.tellsOrder { kernel.handsOver(index.raw, by: thread) }
    if kernel.watchesOrder { noteUses(of: item, by: thread, kernel) }
    if item.kind != .sync && item.kind != .lane && item.kind != .apply {
      kernel.changeHeap(by: kernel.costs.item.rawValue, thread)
    }
    forward(index, to: item.queue, by: thread, &kernel)
  }

  /// Hands an item over to a global queue whose worker is about to look for one, so that nobody need be
  /// told.
  mutating func submitToLooking(_ item: DispatchItem, _ kernel: inout Kernel) {
    let index = items.add(item)
    kernel.changeHeap(by: kernel.costs.item.rawValue, .none)
    demand(queues[item.queue].kind == .root, "queue \(item.queue) has no workers that look")
    queues[item.queue].items.append(index, in: items)
    queues[item.queue].count &+= 1
  }

  /// Hands an item over to the serial queue that a thread drains, so that it is the next one; any other queue gets
  /// it as it gets all items.
  mutating func submitNext(_ item: DispatchItem, by thread: ThreadID, _ process: inout Process) {
    let queue = item.queue
    guard queues[queue].kind == .serial, queues[queue].owner == thread, queues[queue].isScheduled
    else { return submit(item, by: thread, &process) }
    var fresh = item
    fresh.submitted = process.kernel.now
    fresh.quality = quality(for: item)
    let index = items.add(fresh)
    if item.tellsOrder { process.kernel.handsOver(index.raw, by: thread) }
    process.kernel.changeHeap(by: process.kernel.costs.item.rawValue, thread)
    queues[queue].items.prepend(index, in: items)
    queues[queue].count &+= 1
    if let quality = fresh.quality { raise(queue, to: quality) }
  }

  /// The class that counts for an item: the queue's own, else its own.
  ///
  /// The global queue of the default class stands for no class. Source: dispatch/block.h,
  /// DISPATCH_BLOCK_INHERIT_QOS_CLASS; libdispatch:src/queue.c,
  /// _dispatch_root_queue_push_needs_override.
  @inline(__always)
  private mutating func quality(for item: DispatchItem) -> DispatchQuality? {
    guard pool.rules.propagatesQuality else { return nil }
    guard let own = queues[item.queue].quality,
      !(queues[item.queue].kind == .root && own == .default)
    else { return item.quality }
    guard let wanted = item.quality, item.isEnforced else { return own }
    return max(own, wanted)
  }

  /// Puts an item at the end of a queue and lets the queue go on.
  mutating func push(
    _ index: DispatchItem.Index, to queue: DispatchQueueRecord.Index, by thread: ThreadID,
    _ kernel: inout Kernel
  ) {
    if kernel.costs.lineTransfer > .zero { touch(queue, by: thread, kernel) }
    let wasEmpty = queues[queue].items.isEmpty
    assert(wasEmpty == (queues[queue].count == 0), "queue \(queue) is empty, or counts wrong")
    queues[queue].items.append(index, in: items)
    queues[queue].count &+= 1
    if let quality = items[index].quality { raise(queue, to: quality) }
    switch queues[queue].kind {
    case .main: mainBecameReady = true
    case .root: if wasEmpty { poke(queue, by: thread, &kernel) }
    case .serial, .concurrent: pump(queue, by: thread, &kernel)
    }
  }

  /// A running thread uses a queue's memory, which it may have to get from another core.
  ///
  /// It pays behind what it does. Who hands over and who takes away beside it pay each other's way: the
  /// line of the cache that holds the ends of the list goes from core to core.
  @inline(never)
  mutating func touch(
    _ queue: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: borrowing Kernel
  ) {
    if thread.isNone || kernel.threads[thread].state != .running { return }
    let core = kernel.threads[thread].core
    let last = queues[queue].lastCore
    if last == core { return }
    queues.at(queue).pointee.lastCore = core
    if last >= 0 { kernel.threads.at(thread).charge(kernel.costs.lineTransfer.rawValue) }
  }

  /// Takes the first item out of a queue's list; none when it is empty.
  mutating func pop(_ queue: DispatchQueueRecord.Index) -> DispatchItem.Index {
    let index = queues[queue].items.removeFirst(in: items)
    if index.isNone { return index }
    assert(queues[queue].count > 0, "queue \(queue) has item \(index) and counts none")
    queues[queue].count &-= 1
    if queues[queue].count == 0 { queues[queue].mostUrgent = nil }
    return index
  }

  /// The name of the queue whose item waits first in a global queue: what a new worker is made for.
  func reason(_ root: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> Int32 {
    let index = queues[root].items.first
    if index.isNone { return label(root, kernel) }
    let item = items[index]
    return label(item.kind == .lane ? item.lane : item.queue, kernel)
  }

  // MARK: Letting queues go on

  /// Lets a queue of the trace's own start what may start.
  mutating func pump(
    _ queue: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    switch queues[queue].kind {
    case .serial: pumpSerial(queue, by: thread, &kernel)
    case .concurrent: pumpConcurrent(queue, by: thread, &kernel)
    case .main, .root: break
    }
  }

  /// Hands a serial queue that nobody has to the next thread that waits for it, or to its target.
  private mutating func pumpSerial(
    _ queue: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    let record = queues.at(queue)
    if record.pointee.items.isEmpty || !record.pointee.owner.isNone || record.pointee.isScheduled
      || !record.pointee.isOpen
    {
      if !record.pointee.items.isEmpty {
        want(queue, record.pointee.mostUrgent, by: thread, &kernel)
      }
      return
    }
    if items[record.pointee.items.first].kind == .sync && queues[bottom(of: queue)].kind == .root {
      let next = syncs[take(pop(queue)).sync].thread
      assert(kernel.threads[next].reason == .sync, "thread \(next.index) does not wait for a queue")
      kernel.leaveTurnstile(next)
      setOwner(of: queue, to: next, &kernel)
      kernel.wake(next, .granted, by: thread)
      return
    }
    queues[queue].isScheduled = true
    kernel.setOwner(
      of: record.pointee.turnstile, to: .none, outer: queues[record.pointee.target].turnstile)
    var lane = DispatchItem(lane: queue, queue: record.pointee.target)
    lane.quality = max(record.pointee.quality, record.pointee.mostUrgent)
    lane.submitted = kernel.now
    let target = place(lane.quality, in: record.pointee.target)
    queues[queue].standing = queues[target].quality
    push(items.add(lane), to: target, by: thread, &kernel)
  }

  /// Hands on what may run of a concurrent queue, up to the next barrier.
  private mutating func pumpConcurrent(
    _ queue: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    while true {
      let record = queues.at(queue)
      if record.pointee.items.isEmpty || record.pointee.isBarred || !record.pointee.isOpen {
        return
      }
      if record.pointee.running >= Self.widthLimit { return }
      let isBarrier =
        items[record.pointee.items.first].isBarrier
        && items[record.pointee.items.first].queue == queue
      if isBarrier && record.pointee.running > 0 { return }
      let index = pop(queue)
      assert(record.pointee.running >= 0, "queue \(queue) runs \(record.pointee.running) items")
      if isBarrier {
        queues[queue].isBarred = true
      } else {
        queues[queue].running += 1
      }
      if items[index].kind == .sync && queues[bottom(of: queue)].kind == .root {
        let waiter = take(index).sync
        if isBarrier { queues[queue].owner = syncs[waiter].thread }
        kernel.wake(syncs[waiter].thread, .granted, by: thread)
      } else {
        forward(index, to: record.pointee.target, by: thread, &kernel)
      }
    }
  }

  /// Puts an item into the list of a queue's target.
  private mutating func forward(
    _ index: DispatchItem.Index, to target: DispatchQueueRecord.Index, by thread: ThreadID,
    _ kernel: inout Kernel
  ) {
    push(index, to: place(items[index].quality, in: target), by: thread, &kernel)
  }

  /// The queue in whose list an item of a class is put whose target is given: of global ones that of its own class, where
  /// that is more urgent, or the target stands for none.
  ///
  /// Mutating, though it changes nothing: what only reads would be handed a copy of the whole.
  @inline(__always)
  private mutating func place(
    _ quality: DispatchQuality?, in target: DispatchQueueRecord.Index
  ) -> DispatchQueueRecord.Index {
    assert(!queues[target].isOwn || !queues[target].target.isNone, "queue \(target) runs nowhere")
    guard queues[target].kind == .root, let quality, let own = queues[target].quality,
      quality > own || isUnspecified(target)
    else { return target }
    return Self.root(quality, overcommit: Self.isOvercommit(target))
  }

  /// The more urgent of two classes.
  private func max(_ left: DispatchQuality?, _ right: DispatchQuality?) -> DispatchQuality? {
    guard let left else { return right }
    guard let right else { return left }
    return left > right ? left : right
  }

  /// Notes the class of an item that waits in a queue.
  private mutating func raise(_ queue: DispatchQueueRecord.Index, to quality: DispatchQuality) {
    queues[queue].mostUrgent = max(queues[queue].mostUrgent, quality)
  }

  // MARK: The end of an item

  /// An item that came down from `queue` has ended: gives back the room that it had in each
  /// concurrent queue on its way.
  mutating func finished(
    _ queue: DispatchQueueRecord.Index, isBarrier: Bool, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    var (queue, isBarrier) = (queue, isBarrier)
    while !queue.isNone && queues[queue].kind == .concurrent {
      leaveConcurrent(queue, isBarrier: isBarrier)
      isBarrier = false
      pump(queue, by: thread, &kernel)
      queue = queues[queue].target
    }
  }

  /// What ran on a concurrent queue gives back its room.
  @inline(__always)
  mutating func leaveConcurrent(_ queue: DispatchQueueRecord.Index, isBarrier: Bool) {
    assert(queues[queue].kind == .concurrent, "queue \(queue) runs nothing side by side")
    if isBarrier {
      assert(queues[queue].isBarred, "a barrier of queue \(queue) ends, and none runs")
      queues[queue].isBarred = false
      queues[queue].owner = .none
    } else {
      assert(queues[queue].running > 0, "an item of queue \(queue) ends, and none runs")
      queues[queue].running -= 1
    }
  }

  /// A drained serial queue is given back: the room of concurrent targets too.
  mutating func release(
    lane queue: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(queues[queue].isScheduled, "queue \(queue) was drained by nobody")
    queues[queue].isScheduled = false
    letGo(of: queue, &kernel)
    finished(queues[queue].target, isBarrier: false, by: thread, &kernel)
    pump(queue, by: thread, &kernel)
  }
}
