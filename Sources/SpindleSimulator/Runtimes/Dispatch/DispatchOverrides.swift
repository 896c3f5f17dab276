import SpindleModel

/// Urgency of what threads drain and others wait for; only where the platform lends any.
///
/// Who waits for a serial queue lends its priority as long as it waits, as for a lock; the class of an
/// item stays with the queue until it is drained. Source: libdispatch:src/queue.c,
/// _dispatch_queue_push_qos, DISPATCH_QUEUE_MAX_QOS_MASK.
extension DispatchRuntime {
  /// Makes a serial queue at least as urgent as a class until it is drained, and so the queues that it
  /// waits in for a thread.
  mutating func want(
    _ queue: DispatchQueueRecord.Index, _ quality: DispatchQuality?, by thread: ThreadID,
    _ kernel: inout Kernel
  ) {
    guard let quality, pool.rules.propagatesQuality else { return }
    let priority = DispatchRuntime.priority(of: quality)
    var queue = queue
    while !queue.isNone && queues[queue].kind == .serial {
      let turnstile = queues[queue].turnstile
      assert(!turnstile.isNone, "queue \(queue) has nothing to lend urgency with")
      if kernel.turnstiles[turnstile].floor >= priority { return }
      kernel.setFloor(of: turnstile, to: priority)
      if !queues[queue].owner.isNone || !queues[queue].isScheduled { return }
      putForward(queue, quality, by: thread, &kernel)
      queue = queues[queue].target
    }
  }

  /// A queue that waits in a global one for a worker waits in a more urgent one from now on: its request for a thread is
  /// made more urgent, and answered as such.
  ///
  /// So it is where a queue has a workloop of its own in the kernel, as serial ones have that run on global queues. Who asks pays
  /// nothing; a worker that is made for it pays for that itself. Source: libdispatch:src/queue.c,
  /// _dispatch_queue_wakeup_with_override_slow; src/event/event_kevent.c, _dispatch_event_loop_poke;
  /// xnu:bsd/pthread/pthread_workqueue.c, workq_kern_threadreq_modify.
  private mutating func putForward(
    _ queue: DispatchQueueRecord.Index, _ quality: DispatchQuality, by thread: ThreadID,
    _ kernel: inout Kernel
  ) {
    let target = queues[queue].target
    guard queues[target].kind == .root, let standing = queues[queue].standing, standing < quality
    else { return }
    assert(queues[queue].isScheduled && queues[queue].owner.isNone, "queue \(queue) is drained")
    let isOvercommit = Self.isOvercommit(target)
    let lane = withdraw(queue, from: Self.root(standing, overcommit: isOvercommit))
    queues[queue].standing = quality
    items[lane].quality = quality
    let made = pool.made
    push(lane, to: Self.root(quality, overcommit: isOvercommit), by: thread, &kernel)
    if pool.made > made {
      kernel.threads.at(pool.creator).charge(kernel.costs.threadCreate.rawValue)
    }
  }

  /// Takes a queue out of the list of a global one, which asks for no thread any more when nothing else is in it.
  private mutating func withdraw(
    _ queue: DispatchQueueRecord.Index, from root: DispatchQueueRecord.Index
  ) -> DispatchItem.Index {
    let lane = queues[root].items.removeFirst(in: items) { $0.kind == .lane && $0.lane == queue }
    demand(!lane.isNone, "queue \(queue) is to be drained, and does not stand in queue \(root)")
    queues[root].count &-= 1
    assert(
      queues[root].items.isEmpty == (queues[root].count == 0),
      "queue \(root) counts \(queues[root].count) items without queue \(queue)")
    if queues[root].items.isEmpty {
      queues[root].mostUrgent = nil
      pool.roots[root].pending = 0
    }
    return lane
  }

  // MARK: Work items

  /// A work item is handed to a queue: who waits for it tells that one, if it has been told of none yet.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_continuation_init_slow, dbpd_queue.
  mutating func noteHandOver(
    of workItem: WorkItemRecord.Index, to queue: DispatchQueueRecord.Index
  ) {
    if workItems[workItem].wanted.isNone { workItems[workItem].wanted = queue }
  }

  /// Makes what a work item waits for, or who runs it by hand, as urgent as the class of who begins to wait.
  ///
  /// Its queue is told once, and stays so until it is drained; one that nobody drains yet is not, nor is one
  /// that gets the item later. A thread that performs it is as urgent until the wait is over.
  /// Source: swift-corelibs-libdispatch:src/queue.c, dispatch_block_wait, _dispatch_queue_wakeup.
  mutating func override(
    _ workItem: WorkItemRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    let quality = DispatchQuality(name: kernel.threads[thread].quality)
    let queue = workItems[workItem].wanted
    workItems[workItem].wanted = .none
    if !queue.isNone && (!queues[queue].owner.isNone || queues[queue].isScheduled) {
      want(queue, quality, by: thread, &kernel)
    }
    let performer = workItems[workItem].performer
    guard let quality, !performer.isNone, performer != thread, pool.rules.propagatesQuality else {
      return
    }
    if workItems[workItem].turnstile.isNone {
      workItems[workItem].turnstile = kernel.makeTurnstile()
    }
    let turnstile = workItems[workItem].turnstile
    kernel.setOwner(of: turnstile, to: performer)
    kernel.setFloor(of: turnstile, to: DispatchRuntime.priority(of: quality))
  }

  /// Nobody waits for a work item any more.
  mutating func endOverride(of workItem: WorkItemRecord.Index, _ kernel: inout Kernel) {
    let turnstile = workItems[workItem].turnstile
    if turnstile.isNone { return }
    kernel.setFloor(of: turnstile, to: -1)
    kernel.setOwner(of: turnstile, to: .none)
  }

  // MARK: Queues

  /// The priority that a thread of a class has.
  static func priority(of quality: DispatchQuality) -> Int16 {
    ThreadRuntime.basePriority(quality: quality.name, isMain: false)
  }

  /// Lets a thread have a queue.
  @inline(__always)
  mutating func setOwner(
    of queue: DispatchQueueRecord.Index, to thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(queues[queue].kind == .serial, "queue \(queue) can't be had by one thread")
    assert(
      (thread.isNone) != (queues[queue].owner.isNone),
      "queue \(queue) goes from thread \(queues[queue].owner.index) to thread \(thread.index)")
    queues[queue].owner = thread
    kernel.setOwner(of: queues[queue].turnstile, to: thread)
  }

  /// The thread that had a queue gives it back.
  @inline(__always)
  mutating func letGo(of queue: DispatchQueueRecord.Index, _ kernel: inout Kernel) {
    if queues[queue].items.isEmpty { kernel.setFloor(of: queues[queue].turnstile, to: -1) }
    setOwner(of: queue, to: .none, &kernel)
  }
}
