import SpindleModel

/// The kernel workqueue, which Darwin has.
///
/// A global queue asks for one thread at a time. The kernel answers at once where there may be more
/// threads than cores, else only while fewer workers of that class or a more urgent one are active
/// than there are cores. A worker that blocks makes room, for which the kernel makes a thread after a
/// delay. At most one worker, the creator, is on its way to look for work; parked ones are used again
/// the last one first. Source: xnu:bsd/pthread/pthread_workqueue.c.
///
/// Departures: timers have no leeway, and a thread keeps its stack while it is parked.
extension DispatchRuntime {
  /// Notes that a global queue wants a thread, unless that is noted already.
  ///
  /// Source: libdispatch:src/queue.c, _dispatch_root_queue_poke, dgq_pending.
  mutating func pokeKernel(
    _ root: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    if pool.roots[root].pending > 0 { return }
    pool.roots[root].pending = 1
    scheduleCreator(by: thread, &kernel)
  }

  /// Lets a thread look for work when there is some that may be done and nobody is on the way.
  ///
  /// Source: workq_schedule_creator.
  mutating func scheduleCreator(by thread: ThreadID, _ kernel: inout Kernel) {
    let root = bestRequest(kernel)
    if !pool.creator.isNone {
      if !root.isNone { hurry(root, &kernel) }
      return
    }
    if root.isNone {
      delayCreation(&kernel)
      return
    }
    let idle = pool.idle.lastThread
    if !idle.isNone {
      kernel.remove(idle, from: &pool.idle)
      assert(pool.idleCount > 0, "worker \(idle.index) is parked and not counted")
      pool.idleCount -= 1
      pool.creator = idle
      serve(root, idle, kernel)
      kernel.claimChanged(idle)
      kernel.wake(idle, .granted, by: thread)
    } else if pool.alive < PoolRules.workerLimit && kernel.mayStartThread {
      pool.creator = makeWorker(root, by: thread, &kernel)
      if thread.isNone {
        kernel.threads.at(pool.creator).charge(kernel.costs.threadCreate.rawValue)
      }
    }
  }

  /// Makes the creator as urgent as the request that it is to answer.
  ///
  /// Source: workq_schedule_creator, workq_thread_reset_pri.
  private mutating func hurry(_ root: DispatchQueueRecord.Index, _ kernel: inout Kernel) {
    assert(!pool.creator.isNone, "nobody looks for work who could hurry")
    let before = kernel.threads[pool.creator].basePriority
    guard let quality = queues[root].quality else { return }
    if ThreadRuntime.basePriority(quality: quality.name, isMain: false) <= before { return }
    serve(root, pool.creator, kernel)
    kernel.claimChanged(pool.creator)
  }

  /// The global queue whose request is answered next; -1 when none may be.
  ///
  /// The most urgent class comes first; where there may be more threads than cores before where not.
  /// Source: workq_threadreq_select.
  @inline(__always)
  private func bestRequest(_ kernel: borrowing Kernel) -> DispatchQueueRecord.Index {
    for quality in DispatchQuality.allCases.reversed() {
      let overcommit = Self.root(quality, overcommit: true)
      if pool.roots[overcommit].pending > 0 { return overcommit }
      let root = Self.root(quality)
      if pool.roots[root].pending > 0 && mayRun(quality, kernel) { return root }
    }
    return .none
  }

  /// Whether one more constrained worker of a class may run.
  ///
  /// Source: workq_constrained_allowance.
  @inline(__always)
  private func mayRun(_ quality: DispatchQuality, _ kernel: borrowing Kernel) -> Bool {
    if pool.constrained >= pool.rules.constrainedLimit { return false }
    let (active, busy) = activity(from: quality, kernel)
    return active + busy < pool.rules.parallelism(quality)
  }

  /// How many workers of a class or a more urgent one are active, and how many classes of these have
  /// a worker that blocked only just now.
  @inline(__always)
  private func activity(
    from quality: DispatchQuality, _ kernel: borrowing Kernel
  ) -> (active: Int32, busy: Int32) {
    var (active, busy) = (Int32(0), Int32(0))
    for index in Int32(quality.rawValue)..<Int32(pool.buckets.count) {
      let bucket = pool.buckets[index]
      active += bucket.active
      let isRecent = kernel.now - bucket.lastBlocked < PoolRules.stalledWindow
      if bucket.scheduled > bucket.active && isRecent { busy += 1 }
    }
    return (active, busy)
  }

  /// Whether a request could be answered but for workers that blocked only just now.
  @inline(__always)
  private func mayRunSoon(_ kernel: borrowing Kernel) -> Bool {
    if pool.constrained >= pool.rules.constrainedLimit { return false }
    for quality in DispatchQuality.allCases.reversed()
    where pool.roots[Self.root(quality)].pending > 0 {
      let active = activity(from: quality, kernel).active
      if active < pool.rules.parallelism(quality) { return true }
    }
    return false
  }

  /// Waits before the next thread is made for one that blocked; longer, the more often lately.
  ///
  /// Source: workq_schedule_delayed_thread_creation.
  private mutating func delayCreation(_ kernel: inout Kernel) {
    if pool.isDelaying || !mayRunSoon(kernel) { return }
    let since = kernel.now - pool.delayEnded
    if pool.delay == 0 {
      pool.delay = PoolRules.stalledWindow
    } else if since <= pool.delay {
      pool.delay = min(pool.delay * 2, PoolRules.longestDelay)
    } else if since > 2 * pool.delay {
      pool.delay = max(pool.delay / 2, PoolRules.stalledWindow)
    }
    pool.isDelaying = true
    _ = kernel.plan(.makeWorker, 0, at: kernel.now + pool.delay)
  }

  /// The delay is over.
  mutating func delayIsOver(_ kernel: inout Kernel) {
    demand(pool.isDelaying, "the pool waits for no delay")
    pool.isDelaying = false
    pool.delayEnded = kernel.now
    scheduleCreator(by: .none, &kernel)
  }

  /// Takes notice of the workers that began or ended a wait.
  ///
  /// Source: workq_sched_callback.
  mutating func noteWaits(_ kernel: inout Kernel) {
    var madeRoom = false
    for index in 0..<Int32(kernel.workerWaits.count) {
      let change = kernel.workerWaits[index]
      guard let bucket = bucket(of: ThreadID(change >> 1), kernel) else { continue }
      if change & 1 == 1 {
        pool.buckets[bucket].active -= 1
        pool.buckets[bucket].lastBlocked = kernel.now
        madeRoom = true
      } else {
        pool.buckets[bucket].active += 1
      }
    }
    kernel.forgetWorkerWaits()
    if madeRoom && pool.creator.isNone { delayCreation(&kernel) }
  }

  @inline(__always)
  private func bucket(of thread: ThreadID, _ kernel: borrowing Kernel) -> DispatchQuality? {
    queues[root(of: thread, kernel)].quality
  }

  // MARK: Workers

  /// What a worker does next: goes on with its global queue, answers another request, or is parked.
  mutating func nextOfKernel(_ thread: ThreadID, _ kernel: inout Kernel) -> WorkerAction {
    assert(pool.rules.kind == .kernelWorkqueue, "worker \(thread.index) is none of the kernel's")
    if kernel.threads[thread].wakeResult == .timedOut { return .end }
    if kernel.threads[thread].flags.contains(.settled) {
      let item = takeItem(of: root(of: thread, kernel), thread, &kernel)
      if !item.isNone { return .run(item) }
      giveBack(thread, &kernel)
    }
    let isCreator = pool.creator == thread
    let root = bestRequest(kernel)
    if isCreator { pool.creator = .none }
    if root.isNone {
      if pool.idleCount >= pool.rules.constrainedLimit { return .end }
      park(thread, in: .none, &kernel)
      delayCreation(&kernel)
      return .parked
    }
    answer(root, thread, &kernel)
    scheduleCreator(by: thread, &kernel)
    return .again
  }

  /// A worker answers a global queue's request for a thread.
  private mutating func answer(
    _ root: DispatchQueueRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(pool.roots[root].pending > 0, "queue \(root) asks for no worker")
    assert(
      !kernel.threads[thread].flags.contains(.settled),
      "worker \(thread.index) serves a queue already")
    pool.roots[root].pending = 0
    kernel.threads.at(thread).setExecutor(root.raw)
    kernel.threads.at(thread).insert([.settled, .watched])
    if !Self.isOvercommit(root) { pool.constrained += 1 }
    if let bucket = bucket(of: thread, kernel) {
      pool.buckets[bucket].scheduled += 1
      pool.buckets[bucket].active += 1
    }
    if serve(root, thread, kernel) { kernel.claimChanged(thread) }
  }

  /// A worker has found its global queue empty.
  private mutating func giveBack(_ thread: ThreadID, _ kernel: inout Kernel) {
    assert(
      kernel.threads[thread].flags.contains(.settled), "worker \(thread.index) serves no queue")
    kernel.threads.at(thread).remove([.settled, .watched])
    if !Self.isOvercommit(root(of: thread, kernel)) { pool.constrained -= 1 }
    if let bucket = bucket(of: thread, kernel) {
      assert(pool.buckets[bucket].scheduled > 0, "class \(bucket) has no worker to give back")
      pool.buckets[bucket].scheduled -= 1
      pool.buckets[bucket].active -= 1
    }
  }
}
