import SpindleModel

/// What queues order, for whoever looks for races.
///
/// An item of a serial queue comes behind all before it, one of a concurrent queue behind its barriers, a
/// barrier behind all; and so at each target of the queue, since those run the queue as an item of theirs.
extension DispatchRuntime {
  /// The concurrent queue of the trace's own whose item a thread runs, or on which it is in `sync`; none
  /// for any other.
  func concurrentQueue(of thread: ThreadID, _ process: borrowing Process)
    -> DispatchQueueRecord.Index
  {
    let own = threads.of(thread, process.kernel)
    let queue = own.sync.isNone ? own.queue : syncs[own.sync].queue
    return !queue.isNone && queues[queue].kind == .concurrent ? queue : .none
  }

  /// A thread begins an item.
  @inline(__always)
  mutating func beginOrder(
    of item: DispatchItem, _ index: DispatchItem.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    if !process.kernel.watchesOrder { return }
    process.kernel.begins(index.raw, on: thread, isMain: thread == process.mainThread)
    enter(item.queue, isBarrier: item.isBarrier, item.place, isSync: false, thread, &process.kernel)
    if item.kind == .source { process.kernel.acquires(.source, item.object, by: thread) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endOrder(of item: DispatchItem, _ thread: ThreadID, _ kernel: inout Kernel) {
    if !kernel.watchesOrder { return }
    if item.kind == .source { kernel.releases(.source, item.object, by: thread) }
    exit(item.queue, isBarrier: item.isBarrier, isSync: false, thread, &kernel)
  }

  /// The block of a `sync` begins: on who waits for it, or on the main thread.
  @inline(__always)
  mutating func beginOrder(
    of sync: DispatchSyncRecord, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    if !kernel.watchesOrder { return }
    enter(
      sync.queue, isBarrier: sync.isBarrier, sync.place, isSync: true, thread, waiter: sync.thread,
      &kernel)
    if kernel.watchesLockOrder && thread != sync.thread {
      kernel.recorder.lockOrder.lend(from: sync.thread, to: thread)
    }
  }

  /// It has ended.
  @inline(__always)
  mutating func endOrder(of sync: DispatchSyncRecord, _ thread: ThreadID, _ kernel: inout Kernel) {
    if !kernel.watchesOrder { return }
    if kernel.watchesLockOrder && thread != sync.thread {
      kernel.recorder.lockOrder.takeBack(from: thread, to: sync.thread)
    }
    exit(
      sync.queue, isBarrier: sync.isBarrier, isSync: true, thread, waiter: sync.thread, &kernel)
    if thread != sync.thread {
      kernel.recorder.tellOrder { $0.takeBack(from: thread, to: sync.thread) }
    }
  }

  // MARK: Schedules

  /// An item gets its place in its queue, and in the targets of that which keep an order.
  func noteUses(of item: DispatchItem, by thread: ThreadID, _ kernel: borrowing Kernel) {
    switch item.kind {
    case .lane, .sync, .apply: break
    case .block, .operation, .workItem, .source, .expiration, .job:
      noteUses(of: item.queue, isBarrier: item.isBarrier, by: thread, kernel)
    }
  }

  /// Something gets its place in a queue, and in the targets of that which keep an order.
  func noteUses(
    of first: DispatchQueueRecord.Index, isBarrier: Bool, by thread: ThreadID,
    _ kernel: borrowing Kernel
  ) {
    var queue = first
    while !queue.isNone && queues[queue].kind != .root {
      let isFree = queues[queue].kind == .concurrent && !(queue == first && isBarrier)
      kernel.use(.queue, queue.raw, isFree ? .reads : .writes, by: thread) {
        name(queue, kernel)
      }
      queue = queues[queue].target
    }
  }

  @inline(never)
  private mutating func enter(
    _ first: DispatchQueueRecord.Index, isBarrier: Bool, _ place: Int32, isSync: Bool,
    _ thread: ThreadID, waiter: ThreadID? = nil, _ kernel: inout Kernel
  ) {
    demand(!first.isNone, "thread \(thread.index) begins something that has no queue")
    var queue = first
    while !queue.isNone && queues[queue].kind != .root {
      let isAlone = queues[queue].kind != .concurrent || queue == first && isBarrier
      if kernel.watchesLockOrder {
        let hold = LockOrder.Hold(
          object: .init(kind: .queue, number: queue.raw), name: label(queue, kernel),
          isShared: !isAlone, place: place)
        if isSync {
          kernel.take(hold, by: waiter ?? thread)
        } else {
          kernel.have(hold, by: thread)
        }
      }
      let known = SyncObject(kind: isAlone ? .queue : .queueBarrier, number: queue.raw)
      kernel.recorder.tellOrder { order in
        if !isSync || order.isOrdered(by: .queue, known.number) { order.acquire(known, by: thread) }
      }
      queue = queues[queue].target
    }
  }

  @inline(never)
  private mutating func exit(
    _ first: DispatchQueueRecord.Index, isBarrier: Bool, isSync: Bool, _ thread: ThreadID,
    waiter: ThreadID? = nil, _ kernel: inout Kernel
  ) {
    demand(!first.isNone, "thread \(thread.index) ends something that has no queue")
    var queue = first
    while !queue.isNone && queues[queue].kind != .root {
      let known = SyncObject(kind: .queue, number: queue.raw)
      let isBarrierOfIt = queue == first && isBarrier
      kernel.recorder.tellOrder { order in
        if isSync && !order.isOrdered(by: .queue, known.number) { return }
        order.release(known, by: thread)
        if isBarrierOfIt {
          order.release(.init(kind: .queueBarrier, number: known.number), by: thread)
        }
      }
      if kernel.watchesLockOrder { kernel.recorder.lockOrder.give(known, by: waiter ?? thread) }
      queue = queues[queue].target
    }
  }
}

extension DispatchItem {
  /// Whether who hands it over comes before it: what is handed on by itself says so elsewhere, if at all.
  var tellsOrder: Bool {
    switch kind {
    case .block, .workItem, .source, .expiration: true
    case .lane, .sync, .apply, .operation, .job: false
    }
  }
}
