import SpindleModel

/// What queues order, for whoever looks for races.
///
/// An item of a serial queue comes behind all before it, one of a concurrent queue behind its barriers, a
/// barrier behind all; and so at each target of the queue, since those run the queue as an item of theirs.
extension DispatchRuntime {
  /// The concurrent queue of the trace's own whose item a thread runs, or on which it is in `sync`; none
  /// for any other.
  func concurrentQueue(of thread: Int32, _ process: borrowing Process) -> DispatchQueueRecord.Index
  {
    let own = threads.of(thread, process.kernel)
    let queue = own.sync.isNone ? own.queue : syncs[own.sync].queue
    return !queue.isNone && queues[queue].kind == .concurrent ? queue : .none
  }

  /// A thread begins an item.
  @inline(__always)
  mutating func beginOrder(
    of item: DispatchItem, _ index: DispatchItem.Index, _ thread: Int32, _ process: inout Process
  ) {
    if !process.kernel.watchesRaces { return }
    process.kernel.begins(index.raw, on: thread, isMain: thread == process.mainThread)
    beginOrder(queue: item.queue, isBarrier: item.isBarrier, thread, &process.kernel)
    if item.kind == .source { process.kernel.acquires(.source, item.object, by: thread) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endOrder(of item: DispatchItem, _ thread: Int32, _ kernel: inout Kernel) {
    if item.kind == .source { kernel.releases(.source, item.object, by: thread) }
    endOrder(queue: item.queue, isBarrier: item.isBarrier, thread, &kernel)
  }

  /// A thread begins something that runs on a queue.
  @inline(__always)
  mutating func beginOrder(
    queue: DispatchQueueRecord.Index, isBarrier: Bool, _ thread: Int32, _ kernel: inout Kernel
  ) {
    if kernel.watchesRaces { acquire(queue, isBarrier, thread, &kernel) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endOrder(
    queue: DispatchQueueRecord.Index, isBarrier: Bool, _ thread: Int32, _ kernel: inout Kernel
  ) {
    if kernel.watchesRaces { release(queue, isBarrier, thread, &kernel) }
  }

  @inline(never)
  private mutating func acquire(
    _ first: DispatchQueueRecord.Index, _ isBarrier: Bool, _ thread: Int32,
    _ kernel: inout Kernel
  ) {
    demand(!first.isNone, "thread \(thread) begins something that has no queue")
    var queue = first
    while !queue.isNone && queues[queue].kind != .root {
      let isAlone = queues[queue].kind != .concurrent || queue == first && isBarrier
      kernel.acquires(isAlone ? .queue : .queueBarrier, queue.raw, by: thread)
      queue = queues[queue].target
    }
  }

  @inline(never)
  private mutating func release(
    _ first: DispatchQueueRecord.Index, _ isBarrier: Bool, _ thread: Int32,
    _ kernel: inout Kernel
  ) {
    demand(!first.isNone, "thread \(thread) ends something that has no queue")
    var queue = first
    while !queue.isNone && queues[queue].kind != .root {
      kernel.releases(.queue, queue.raw, by: thread)
      if queue == first && isBarrier { kernel.releases(.queueBarrier, queue.raw, by: thread) }
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
