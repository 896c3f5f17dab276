import SpindleModel

/// The threads that run the items of global queues, and by which rule there are how many of them.
///
/// Three rules: the kernel workqueue of Darwin, the pool inside libdispatch that Linux has, and one
/// worker for each core. What is common to them stands here.
struct WorkerPool: ~Copyable {
  /// What one global queue has of the pool.
  struct Root: BitwiseCopyable {
    /// Requests for threads that no thread has answered yet.
    var pending: Int32 = 0
    /// How many more threads it may have; only in libdispatch's own pool.
    var threadsLeft: Int32 = 0
    /// Its parked workers, the one that is so longest first; only in libdispatch's own pool.
    var idle = WaitList()
  }

  /// What the kernel knows of the workers of one class of service; only in the kernel workqueue.
  struct Bucket: BitwiseCopyable {
    /// Workers that run items of this class, blocked or not.
    var scheduled: Int32 = 0
    /// Those of them that are not blocked.
    var active: Int32 = 0
    /// When one of them blocked last.
    var lastBlocked: Int64 = -1_000_000_000
  }

  let rules: PoolRules
  var roots: Table<Root>
  var buckets: Table<Bucket>
  /// How many workers have been made, and how many live.
  var made: Int32 = 0
  var alive: Int32 = 0
  /// Parked workers that any global queue may have, the one that is so longest first.
  var idle = WaitList()
  var idleCount: Int32 = 0
  /// The worker that was made or woken to look for work and has not looked yet, or none.
  var creator = ThreadID.none
  /// Workers that run items of global queues that may not have more threads than cores.
  var constrained: Int32 = 0
  /// How long the kernel waits before it makes the next thread for a blocked one, when it did so
  /// last, and whether it does so now.
  var delay: Int64 = 0
  var delayEnded: Int64 = -1_000_000_000
  var isDelaying = false
  /// When the next idle worker may end, and the housekeeping that is noted for it.
  var reapTime = Int64.max
  var reapChore: UInt64 = 0
  /// Whether housekeeping is noted that counts blocked workers.
  var isMonitoring = false
  /// When libdispatch's monitor looks first; nil before that is known.
  var firstLook: Int64?
  /// Whether there is a thread whose first look it is.
  var hasManager = false
  /// What the trace calls the workers, in the order in which they are made.
  var names: Table<Int32>

  /// Creates the pool of a machine.
  init(_ machine: borrowing Machine, _ storage: Storage) {
    rules = PoolRules(machine)
    firstLook = rules.monitorPhase
    roots = Table(.queues, storage)
    buckets = Table(.queues, storage)
    names = Table(.threads, storage)
    for queue in 0...Int32(2 * DispatchQuality.allCases.count) {
      var root = Root()
      root.threadsLeft = queue & 1 == 0 ? PoolRules.overcommitLimit : rules.coreCount
      roots.append(root)
    }
    for _ in DispatchQuality.allCases { buckets.append(Bucket()) }
  }
}

/// What a worker does next.
enum WorkerAction {
  /// Runs this item.
  case run(DispatchItem.Index)
  /// Looks again: it serves another global queue now.
  case again
  /// It pays for something first, and looks then.
  case pays
  /// It is parked.
  case parked
  /// It ends.
  case end
}

extension Table<WorkerPool.Root> {
  /// What a global queue has of the pool.
  subscript(root: DispatchQueueRecord.Index) -> WorkerPool.Root {
    @inline(__always) _read { yield self[root.raw] }
    @inline(__always) nonmutating _modify { yield &self[root.raw] }
  }
}

extension Table<WorkerPool.Bucket> {
  /// What the kernel knows of the workers of a class of service.
  subscript(quality: DispatchQuality) -> WorkerPool.Bucket {
    @inline(__always) _read { yield self[Int32(quality.rawValue)] }
    @inline(__always) nonmutating _modify { yield &self[Int32(quality.rawValue)] }
  }
}

/// What all three pools have in common.
extension DispatchRuntime {
  /// The global queue that a worker serves.
  @inline(__always)
  func root(of thread: ThreadID, _ kernel: borrowing Kernel) -> DispatchQueueRecord.Index {
    assert(kernel.threads[thread].role == .queueWorker, "thread \(thread.index) is no worker")
    return .init(kernel.threads[thread].executor)
  }

  /// Asks for a thread for a global queue that has got items.
  mutating func poke(_ root: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel)
  {
    switch pool.rules.kind {
    case .kernelWorkqueue: pokeKernel(root, by: thread, &kernel)
    case .libdispatch: pokeLibrary(root, floor: 0, by: thread, &kernel)
    case .onePerCore: pokeOnePerCore(by: thread, root, &kernel)
    }
  }

  /// What a worker that has nothing in hand does next.
  mutating func nextStep(_ thread: ThreadID, _ kernel: inout Kernel) -> WorkerAction {
    switch pool.rules.kind {
    case .kernelWorkqueue: nextOfKernel(thread, &kernel)
    case .libdispatch: nextOfLibrary(thread, &kernel)
    case .onePerCore: nextOfCore(thread, &kernel)
    }
  }

  /// Takes the first item of a global queue for a worker, and asks for another worker when there
  /// are more.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_root_queue_drain_one.
  mutating func takeItem(
    of root: DispatchQueueRecord.Index, _ thread: ThreadID, _ kernel: inout Kernel
  )
    -> DispatchItem.Index
  {
    let index = pop(root)
    if !index.isNone && pool.rules.kind == .onePerCore { attend(thread, to: root, &kernel) }
    if !index.isNone && !queues[root].items.isEmpty {
      kernel.threads.at(thread).charge(pokeCost(root, kernel))
      poke(root, by: thread, &kernel)
    }
    return index
  }

  /// Makes a worker for a global queue, for the items of the queue whose name is `reason`.
  mutating func makeWorker(
    _ root: DispatchQueueRecord.Index, by thread: ThreadID, _ kernel: inout Kernel
  ) -> ThreadID {
    demand(queues[root].kind == .root, "queue \(root) has no workers")
    pool.made += 1
    pool.alive += 1
    var record = ThreadRecord()
    record.role = .queueWorker
    record.executor = root.raw
    record.executorName = reason(root, kernel)
    record.serial = pool.made
    record.name = workerName(pool.made, kernel)
    record.stackSize = kernel.machine.threadStack.rawValue
    record.overhead = kernel.costs.threadStart.rawValue
    record.madeAt = firstPlace(root)
    if let urgency = urgency(of: root) {
      (record.quality, record.basePriority) = (urgency.quality, urgency.base)
    }
    let made = kernel.createThread { $0.pointee = record }
    kernel.start(made, origin: .worker, executorName: record.executorName, by: thread)
    return made
  }

  /// Where the item was submitted that waits first in a global queue.
  private func firstPlace(_ root: DispatchQueueRecord.Index) -> Int32 {
    var index = queues[root].items.first
    while !index.isNone && items[index].kind == .lane {
      index = queues[items[index].lane].items.first
    }
    return index.isNone ? -1 : items[index].place
  }

  /// The quality of service and the base priority of the workers that serve a global queue.
  func urgency(of root: DispatchQueueRecord.Index) -> (quality: Int32, base: Int16)? {
    assert(root.raw > 0 && Int(root.raw) < pool.roots.count, "queue \(root) is served by no worker")
    guard let quality = queues[root].quality else { return nil }
    return (quality.name, ThreadRuntime.basePriority(quality: quality.name, isMain: false))
  }

  /// Gives a worker the urgency of the global queue that it serves.
  ///
  /// Returns whether that changes its base priority.
  @discardableResult
  mutating func serve(
    _ root: DispatchQueueRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel
  ) -> Bool {
    guard let urgency = urgency(of: root) else { return false }
    let before = kernel.threads[thread].basePriority
    kernel.threads.at(thread).setQuality(urgency.quality, base: urgency.base)
    return urgency.base != before
  }

  /// Makes a worker that serves all global queues as urgent as the one that it turns to.
  mutating func attend(
    _ thread: ThreadID, to root: DispatchQueueRecord.Index, _ kernel: inout Kernel
  ) {
    assert(pool.rules.kind == .onePerCore, "worker \(thread.index) serves one global queue")
    if serve(root, thread, kernel) { kernel.claimChanged(thread) }
  }

  /// Parks a worker in one of the lists of idle ones.
  mutating func park(_ thread: ThreadID, in root: DispatchQueueRecord.Index, _ kernel: inout Kernel)
  {
    kernel.threads.at(thread).remove(.watched)
    assert(
      (!root.isNone) == (pool.rules.kind == .libdispatch),
      "worker \(thread.index) is parked for queue \(root)")
    if !root.isNone {
      kernel.append(thread, to: &pool.roots[root].idle)
    } else {
      kernel.append(thread, to: &pool.idle)
      pool.idleCount += 1
    }
    kernel.block(thread, .idleWorker)
    if pool.rules.kind != .onePerCore { planReaping(&kernel) }
  }

  /// A worker ends.
  mutating func workerEnds(_ thread: ThreadID, _ kernel: borrowing Kernel) {
    demand(pool.alive > 0, "worker \(thread.index) ends, and none lives")
    pool.alive -= 1
    if pool.rules.kind == .libdispatch {
      pool.roots[root(of: thread, kernel)].threadsLeft += 1
    }
  }

  /// What the worker that is made as the n-th is called.
  private func workerName(_ ordinal: Int32, _ kernel: borrowing Kernel) -> Int32 {
    if Int(ordinal) <= pool.names.count { return pool.names[ordinal - 1] }
    return kernel.intern("worker-\(ordinal)").index
  }

  // MARK: Idle workers

  /// Notes when the worker that is parked longest may end, unless that is noted already.
  mutating func planReaping(_ kernel: inout Kernel) {
    // In libdispatch's pool whoever is parked later ends later.
    if pool.rules.kind == .libdispatch && pool.reapTime < Int64.max { return }
    var next = Int64.max
    if pool.idleCount > 1 {
      next = kernel.threads[pool.idle.firstThread].since + pool.rules.idleTime(idle: pool.idleCount)
    }
    for root in pool.roots.indices where !pool.roots[root].idle.isEmpty {
      next = min(next, kernel.threads[pool.roots[root].idle.firstThread].since + PoolRules.idleTime)
    }
    if next >= pool.reapTime { return }
    if pool.reapTime < Int64.max { kernel.cancel(chore: pool.reapChore) }
    pool.reapTime = next
    pool.reapChore = kernel.addChore(.endIdleWorkers, 0, at: next)
  }

  /// Ends the parked workers whose time is over; the kernel workqueue keeps the last one.
  mutating func endIdleWorkers(_ kernel: inout Kernel) {
    demand(pool.reapTime <= kernel.now, "parked workers end before \(pool.reapTime)")
    pool.reapTime = Int64.max
    while pool.idleCount > 1 {
      let oldest = pool.idle.firstThread
      let time = pool.rules.idleTime(idle: pool.idleCount)
      demand(!oldest.isNone, "\(pool.idleCount) workers are parked, and none is listed")
      if kernel.threads[oldest].since + time > kernel.now { break }
      kernel.remove(oldest, from: &pool.idle)
      pool.idleCount -= 1
      kernel.wake(oldest, .timedOut, by: .none)
    }
    for root in pool.roots.indices {
      while !pool.roots[root].idle.isEmpty {
        let oldest = pool.roots[root].idle.firstThread
        if kernel.threads[oldest].since + PoolRules.idleTime > kernel.now { break }
        kernel.remove(oldest, from: &pool.roots[root].idle)
        kernel.wake(oldest, .timedOut, by: .none)
      }
    }
    planReaping(&kernel)
  }
}

/// What work costs the one who hands it over.
extension DispatchRuntime {
  /// What handing an item to a queue costs, with the waking or making of a thread that it brings.
  mutating func submitCost(_ queue: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> Int64
  {
    var queue = queue
    let cost = kernel.costs.enqueue.rawValue
    while true {
      let record = queues[queue]
      switch record.kind {
      case .main:
        return cost + (record.items.isEmpty ? kernel.costs.wake.rawValue : 0)
      case .root:
        return cost + (record.items.isEmpty ? pokeCost(queue, kernel) : 0)
      case .serial:
        if record.isScheduled || !record.owner.isNone || !record.isOpen { return cost }
      case .concurrent:
        if !record.items.isEmpty || record.isBarred || !record.isOpen { return cost }
      }
      queue = record.target
    }
  }

  /// What asking for a thread costs: waking a parked one, or making one.
  mutating func pokeCost(_ root: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> Int64 {
    let (wake, make) = (kernel.costs.wake.rawValue, kernel.costs.threadCreate.rawValue)
    switch pool.rules.kind {
    case .kernelWorkqueue:
      if pool.roots[root].pending > 0 || !pool.creator.isNone { return 0 }
      if pool.idleCount > 0 { return wake }
      return pool.alive < PoolRules.workerLimit ? make : 0
    case .libdispatch:
      if !pool.roots[root].idle.isEmpty { return wake }
      if !Self.isOvercommit(root) && pool.roots[root].pending > 0 { return 0 }
      return pool.roots[root].threadsLeft > 0 ? make : 0
    case .onePerCore:
      if pool.idleCount > 0 { return wake }
      return pool.alive < pool.rules.coreCount ? make : 0
    }
  }
}
