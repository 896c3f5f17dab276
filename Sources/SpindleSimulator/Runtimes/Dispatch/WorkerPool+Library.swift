import SpindleModel

/// The pool inside libdispatch, which Swift on Linux runs, and the one of the ideal machine.
///
/// A global queue has threads of its own: as many as cores, or 255 where it may have more. A monitor
/// looks every second and adds one where items wait and too few workers can run. Source:
/// swift-corelibs-libdispatch:src/queue.c, _dispatch_root_queue_poke_slow and
/// _dispatch_worker_thread; src/event/workqueue.c, _dispatch_workq_monitor_pools.
extension DispatchRuntime {
  /// Wakes a parked worker of a global queue, or makes one when it may have one more.
  ///
  /// A worker that is parked longest is woken first: on Linux the order is the semaphore's, which is
  /// taken to be first in, first out. With a `floor` under 0 it may have as many more threads.
  mutating func pokeLibrary(
    _ root: DispatchQueueRecord.Index, floor: Int32, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    let idle = kernel.removeFirst(from: &pool.roots[root].idle)
    if !idle.isNone {
      kernel.wake(idle, .granted, by: thread)
      return
    }
    if !Self.isOvercommit(root) && pool.roots[root].pending > 0 { return }
    if pool.roots[root].threadsLeft <= floor || !kernel.mayStartThread {
      planMonitor(&kernel)
      return
    }
    askForWorker(root, by: thread, &kernel)
    if !Self.isOvercommit(root) { planMonitor(&kernel) }
  }

  /// Makes one more worker for a global queue, which is on its way from now on.
  private mutating func askForWorker(
    _ root: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    assert(kernel.mayStartThread, "queue \(root) gets a worker, and no thread may be started")
    pool.roots[root].pending += 1
    pool.roots[root].threadsLeft -= 1
    _ = makeWorker(root, by: thread, &kernel)
  }

  /// Wakes or makes workers for more items that came to a global queue together with the first one.
  ///
  /// They are asked for at once, and so none waits until another one has come and asks for it; workers are
  /// made only where none was on its way before. Source: swift-corelibs-libdispatch:src/queue.c,
  /// _dispatch_root_queue_poke_slow.
  mutating func pokeFurther(
    _ root: DispatchQueueRecord.Index, _ count: Int32, mayMake: Bool, by thread: ThreadID,
    _ kernel: inout Kernel
  ) {
    guard pool.rules.kind == .libdispatch && queues[root].kind == .root else { return }
    assert(Int(queues[root].count) > Int(count), "queue \(root) has not got \(count) more items")
    for _ in 0..<count {
      let idle = kernel.removeFirst(from: &pool.roots[root].idle)
      if !idle.isNone {
        kernel.wake(idle, .granted, by: thread)
      } else if mayMake && pool.roots[root].threadsLeft > 0 && kernel.mayStartThread {
        askForWorker(root, by: thread, &kernel)
      } else {
        return
      }
    }
  }

  /// What that costs, beside the first one.
  mutating func pokeFurtherCost(
    _ root: DispatchQueueRecord.Index, _ count: Int32, _ kernel: borrowing Kernel
  ) -> Int64 {
    guard pool.rules.kind == .libdispatch && queues[root].kind == .root else { return 0 }
    if !queues[root].items.isEmpty { return 0 }
    let record = pool.roots[root]
    var (idle, next) = (Int32(0), record.idle.firstThread)
    while !next.isNone && idle <= count { (idle, next) = (idle + 1, kernel.threads[next].next) }
    let woken = max(0, min(count, idle - 1))
    let wakes = Int64(woken) * kernel.costs.wake.rawValue
    if record.pending > 0 { return wakes }
    let made = min(count - woken, max(0, record.threadsLeft - (idle == 0 ? 1 : 0)))
    return wakes + Int64(made) * kernel.costs.threadCreate.rawValue
  }

  /// What a worker of one global queue does next.
  mutating func nextOfLibrary(_ thread: ThreadID, _ kernel: inout Kernel) -> WorkerAction {
    assert(pool.rules.kind == .libdispatch, "worker \(thread.index) is none of libdispatch's own")
    let root = root(of: thread, kernel)
    if !kernel.threads[thread].flags.contains(.settled) {
      assert(pool.roots[root].pending > 0, "worker \(thread.index) comes to queue \(root) unasked")
      kernel.threads.at(thread).insert(.settled)
      pool.roots[root].pending -= 1
      if pool.firstLook == nil && !pool.hasManager && !Self.isOvercommit(root) {
        makeManager(by: thread, &kernel)
        return .pays
      }
    }
    let item = takeItem(of: root, thread, &kernel)
    if !item.isNone { return .run(item) }
    if kernel.threads[thread].wakeResult == .timedOut { return .end }
    park(thread, in: root, &kernel)
    return .parked
  }

  // MARK: The monitor

  /// Whether a global queue's items wait for a thread that only the monitor can add.
  var monitorCanHelp: Bool {
    guard pool.rules.kind == .libdispatch else { return false }
    for quality in DispatchQuality.allCases {
      let root = Self.root(quality)
      if !queues[root].items.isEmpty && pool.roots[root].pending == 0
        && pool.roots[root].threadsLeft > pool.rules.coreCount - PoolRules.overcommitLimit
      {
        return true
      }
    }
    return false
  }

  /// Makes the thread on which the monitor looks, which the first worker that counts does before it takes an
  /// item.
  ///
  /// The monitor's timer is due at once, but the thread has to wait for it as for any. Source:
  /// swift-corelibs-libdispatch:src/event/workqueue.c, _dispatch_workq_init_once; src/event/event_epoll.c,
  /// _dispatch_event_loop_drain_timers.
  private mutating func makeManager(by thread: ThreadID, _ kernel: inout Kernel) {
    demand(!pool.hasManager, "thread \(thread.index) makes another manager of the pool")
    pool.hasManager = true
    if !kernel.mayStartThread { return }
    var record = ThreadRecord()
    record.role = .manager
    record.name = kernel.intern("libdispatch-manager").index
    record.stackSize = kernel.machine.threadStack.rawValue
    record.overhead = kernel.costs.threadStart.rawValue
    let made = kernel.createThread { $0.pointee = record }
    kernel.threads.at(thread).charge(kernel.costs.threadCreate.rawValue)
    kernel.start(made, origin: .worker, executorName: -1, by: thread)
  }

  /// The manager's thread has its core: it waits for the timer, then the monitor looks, and the thread waits for
  /// ever, since later looks take no time of a core.
  mutating func resumeManager(_ thread: ThreadID, _ kernel: inout Kernel) -> FrameResult {
    demand(pool.hasManager, "thread \(thread.index) manages a pool that has no manager")
    if pool.firstLook == nil && kernel.threads[thread].waits == 0 {
      kernel.block(thread, .sleep, until: kernel.now + pool.rules.monitorStart)
      return .left
    }
    if pool.firstLook == nil {
      pool.firstLook = kernel.now
      lookAtPools(&kernel)
    }
    kernel.block(thread, .idleWorker)
    return .left
  }

  /// Notes the monitor's next look, unless it has not looked first yet.
  private mutating func planMonitor(_ kernel: inout Kernel) {
    assert(pool.rules.kind == .libdispatch, "a pool without a monitor is to be looked at")
    guard !pool.isMonitoring, let phase = pool.firstLook else { return }
    pool.isMonitoring = true
    let period = PoolRules.monitorPeriod
    let passed = kernel.now < phase ? 0 : (kernel.now - phase) / period + 1
    kernel.addChore(.monitorPools, 0, at: phase + passed * period)
  }

  /// The monitor looks: adds a worker where none can run, or too few can, while items wait.
  mutating func monitorPools(_ kernel: inout Kernel) {
    demand(pool.isMonitoring, "the monitor looks, and nothing was planned")
    pool.isMonitoring = false
    lookAtPools(&kernel)
  }

  private mutating func lookAtPools(_ kernel: inout Kernel) {
    var runnable = runnableWorkers(kernel)
    var (total, waits) = (Int32(0), false)
    for quality in DispatchQuality.allCases.reversed() {
      let root = Self.root(quality)
      let count = runnable.next() ?? 0
      if queues[root].items.isEmpty { continue }
      total += count
      waits = true
      if count == 0 {
        noteRest(of: root, &kernel)
        let floor = pool.rules.coreCount - PoolRules.overcommitLimit
        pokeLibrary(root, floor: floor, by: .none, &kernel)
        total += 1
      } else if count < pool.rules.coreCount && total < 2 * pool.rules.coreCount {
        pokeLibrary(root, floor: -pool.rules.coreCount, by: .none, &kernel)
        total += 1
      }
    }
    if waits { planMonitor(&kernel) }
  }

  /// For how long at least no worker of a pool could run when that is told: an assumption, half of the time between
  /// two looks of the monitor.
  private static let longRest = PoolRules.monitorPeriod / 2

  /// Says of the first pool of whose workers none could run for long, while items waited: all of them wait, and not for
  /// a device, a clock or a limit in time.
  private func noteRest(of root: DispatchQueueRecord.Index, _ kernel: inout Kernel) {
    if kernel.hasTold(.poolAtRest) { return }
    var (last, workers) = (ThreadID.none, 0)
    for thread in kernel.threads.ids {
      let record = kernel.threads[thread]
      guard record.role == .queueWorker, record.executor == root.raw, record.isAlive else {
        continue
      }
      if record.state == .waiting && record.reason == .idleWorker { continue }
      guard record.state == .waiting, record.reason.canDeadlock, record.timer == 0 else { return }
      workers += 1
      if last.isNone || record.since > kernel.threads[last].since { last = thread }
    }
    guard !last.isNone else { return }
    let rest = kernel.now - kernel.threads[last].since
    if rest < Self.longRest { return }
    kernel.report(
      .poolAtRest, thread: last,
      places: [kernel.threads[last].place, items[queues[root].items.first].place],
      FindingText.poolAtRest(
        workers: workers, for: Nanoseconds(rest), thread: kernel.name(of: last),
        reason: kernel.threads[last].reason, items: Int(queues[root].count),
        queue: name(root, kernel)))
  }

  /// How many workers of each class could run, the most urgent class first.
  private func runnableWorkers(_ kernel: borrowing Kernel) -> IndexingIterator<[Int32]> {
    var counts: [Int32] = []
    for quality in DispatchQuality.allCases.reversed() {
      let root = Self.root(quality)
      var count: Int32 = 0
      for thread in kernel.threads.ids {
        let record = kernel.threads[thread]
        guard record.role == .queueWorker, record.executor == root.raw else { continue }
        // One that wakes at this very instant has not run yet: a wait that began when the monitor
        // looked last, or when it made the thread, is not over before it looks again.
        let isJustWoken = record.since == kernel.now && record.wakeResult != .none
        if record.state == .running || record.state == .ready && !isJustWoken {
          count += 1
        }
      }
      counts.append(count)
    }
    return counts.makeIterator()
  }

  // MARK: The ideal machine

  /// Wakes the worker that is parked longest, or makes one while there are fewer than cores.
  mutating func pokeOnePerCore(
    by thread: ThreadID, _ root: DispatchQueueRecord.Index, _ kernel: inout Kernel
  ) {
    let idle = kernel.removeFirst(from: &pool.idle)
    if !idle.isNone {
      assert(pool.idleCount > 0, "worker \(idle.index) is parked and not counted")
      pool.idleCount -= 1
      attend(idle, to: root, &kernel)
      kernel.wake(idle, .granted, by: thread)
    } else if pool.alive < pool.rules.coreCount {
      assert(pool.idleCount == 0, "a worker is made while \(pool.idleCount) are parked")
      _ = makeWorker(root, by: thread, &kernel)
    }
  }

  /// What a worker that serves all global queues does next: the most urgent item, first in, first out.
  mutating func nextOfCore(_ thread: ThreadID, _ kernel: inout Kernel) -> WorkerAction {
    for quality in DispatchQuality.allCases.reversed() {
      let item = takeItem(of: Self.root(quality), thread, &kernel)
      if !item.isNone { return .run(item) }
    }
    park(thread, in: .none, &kernel)
    return .parked
  }
}
