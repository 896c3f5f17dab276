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
  /// The worker that was made or woken to look for work and has not looked yet; -1 for none.
  var creator: Int32 = -1
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
  /// What the trace calls the workers, in the order in which they are made.
  var names: Table<Int32>

  /// Creates the pool of a machine.
  init(_ machine: borrowing Machine, _ storage: Storage) {
    rules = PoolRules(machine)
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

/// The numbers and the rule of a platform's pool.
struct PoolRules: BitwiseCopyable {
  enum Kind: UInt8 {
    /// xnu:bsd/pthread/pthread_workqueue.c.
    case kernelWorkqueue
    /// swift-corelibs-libdispatch:src/event/workqueue.c and src/queue.c.
    case libdispatch
    /// One worker for each core, taking what is most urgent.
    case onePerCore
  }

  let kind: Kind
  let coreCount: Int32
  /// How many cores background work may have: the efficiency cores, where there are any.
  let backgroundCores: Int32
  /// Whether an item's class of service counts, and waiting for a queue makes its drainer urgent.
  let propagatesQuality: Bool
  /// The first moment at which libdispatch's monitor looks, and then every second.
  let monitorPhase: Int64

  /// The most threads of a global queue that may have more than cores, in libdispatch's own pool.
  ///
  /// Source: swift-corelibs-libdispatch:src/shims.h, DISPATCH_WORKQ_MAX_PTHREAD_COUNT.
  static let overcommitLimit: Int32 = 255
  /// The most workers of a process.
  ///
  /// Source: xnu:bsd/pthread/workqueue_internal.h.
  static let workerLimit: Int32 = 512
  /// After which time a parked worker ends, in nanoseconds: both pools have 5 s.
  static let idleTime: Int64 = 5_000_000_000
  /// How long after a block the kernel takes the blocked thread for busy.
  ///
  /// Source: xnu:bsd/pthread/workqueue_internal.h, WQ_STALLED_WINDOW_USECS.
  static let stalledWindow: Int64 = 200_000
  /// The longest delay before a blocked thread is replaced: WQ_MAX_TIMER_INTERVAL_USECS.
  static let longestDelay: Int64 = 50_000_000
  /// How often libdispatch's monitor looks.
  static let monitorPeriod: Int64 = 1_000_000_000

  /// The rules of a machine's platform.
  init(_ machine: borrowing Machine) {
    switch machine.platform {
    case .iOS, .macOS: kind = .kernelWorkqueue
    case .linux: kind = .libdispatch
    case .ideal: kind = .onePerCore
    }
    coreCount = Int32(machine.cores.count)
    let slow = machine.cores.count { $0.cluster == .efficiency }
    backgroundCores = slow > 0 ? Int32(slow) : Int32(machine.cores.count)
    propagatesQuality = kind == .kernelWorkqueue
    monitorPhase = machine.monitorPhase
  }

  /// How many workers may run items of global queues that may not have more threads than cores.
  ///
  /// Source: xnu:bsd/pthread/pthread_workqueue.c, wq_max_constrained_threads.
  var constrainedLimit: Int32 { max(Self.workerLimit / 8, coreCount * 5) }

  /// How many workers of a class the kernel lets be active at once.
  ///
  /// Source: xnu:bsd/pthread/pthread_workqueue.c, wq_max_parallelism; sched_edge_qos_max_parallelism.
  func parallelism(_ quality: DispatchQuality) -> Int32 {
    quality <= .background ? backgroundCores : coreCount
  }

  /// How many parked workers the kernel keeps for the whole idle time.
  ///
  /// Source: xnu:bsd/pthread/pthread_workqueue.c, wq_death_max_load.
  var calmIdleCount: Int32 {
    var (bits, rest) = (Int32(0), coreCount)
    while rest > 0 {
      bits += 1
      rest >>= 1
    }
    return bits + 1
  }

  /// How long the parked worker that is so longest stays, when `idle` are.
  ///
  /// Source: xnu:bsd/pthread/pthread_workqueue.c, workq_kill_delay_for_idle_thread.
  func idleTime(idle: Int32) -> Int64 {
    if kind != .kernelWorkqueue || idle <= calmIdleCount { return Self.idleTime }
    assert(idle > calmIdleCount, "\(idle) parked workers are no surplus")
    let limit = Int64(constrainedLimit)
    let surplus = Int64(idle - calmIdleCount)
    return surplus >= limit ? 0 : Self.idleTime * (limit - surplus) / limit
  }
}

/// What a worker does next.
enum WorkerAction {
  /// Runs this item.
  case run(Int32)
  /// Looks again: it serves another global queue now.
  case again
  /// It is parked.
  case parked
  /// It ends.
  case end
}

/// What all three pools have in common.
extension DispatchRuntime {
  /// Asks for a thread for a global queue that has got items.
  mutating func poke(_ root: Int32, by thread: Int32, _ kernel: inout Kernel) {
    switch pool.rules.kind {
    case .kernelWorkqueue: pokeKernel(root, by: thread, &kernel)
    case .libdispatch: pokeLibrary(root, floor: 0, by: thread, &kernel)
    case .onePerCore: pokeOnePerCore(by: thread, root, &kernel)
    }
  }

  /// What a worker that has nothing in hand does next.
  mutating func nextStep(_ thread: Int32, _ kernel: inout Kernel) -> WorkerAction {
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
  mutating func takeItem(of root: Int32, _ thread: Int32, _ kernel: inout Kernel) -> Int32 {
    let index = pop(root)
    if index >= 0 && pool.rules.kind == .onePerCore { attend(thread, to: root, &kernel) }
    if index >= 0 && queues[root].first >= 0 {
      kernel.threads.at(thread).charge(pokeCost(root, kernel))
      poke(root, by: thread, &kernel)
    }
    return index
  }

  /// Makes a worker for a global queue, for the items of the queue whose name is `reason`.
  mutating func makeWorker(_ root: Int32, by thread: Int32, _ kernel: inout Kernel) -> Int32 {
    demand(queues[root].kind == .root, "queue \(root) has no workers")
    pool.made += 1
    pool.alive += 1
    var record = ThreadRecord()
    record.role = .queueWorker
    record.executor = root
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
  private func firstPlace(_ root: Int32) -> Int32 {
    var index = queues[root].first
    while index >= 0 && items[index].kind == .lane { index = queues[items[index].object].first }
    return index < 0 ? -1 : items[index].place
  }

  /// The quality of service and the base priority of the workers that serve a global queue.
  func urgency(of root: Int32) -> (quality: Int32, base: Int16)? {
    assert(root > 0 && Int(root) < pool.roots.count, "queue \(root) is served by no worker")
    guard let quality = queues[root].quality else { return nil }
    return (quality.name, ThreadRuntime.basePriority(quality: quality.name, isMain: false))
  }

  /// Gives a worker the urgency of the global queue that it serves.
  ///
  /// Returns whether that changes its base priority.
  @discardableResult
  func serve(_ root: Int32, _ thread: Int32, _ kernel: borrowing Kernel) -> Bool {
    guard let urgency = urgency(of: root) else { return false }
    let before = kernel.threads[thread].basePriority
    kernel.threads.at(thread).setQuality(urgency.quality, base: urgency.base)
    return urgency.base != before
  }

  /// Makes a worker that serves all global queues as urgent as the one that it turns to.
  mutating func attend(_ thread: Int32, to root: Int32, _ kernel: inout Kernel) {
    assert(pool.rules.kind == .onePerCore, "worker \(thread) serves one global queue")
    if serve(root, thread, kernel) { kernel.claimChanged(thread) }
  }

  /// Parks a worker in one of the lists of idle ones.
  mutating func park(_ thread: Int32, in root: Int32, _ kernel: inout Kernel) {
    kernel.threads.at(thread).remove(.watched)
    assert(
      (root >= 0) == (pool.rules.kind == .libdispatch),
      "worker \(thread) is parked for queue \(root)")
    if root >= 0 {
      kernel.append(thread, to: &pool.roots[root].idle)
    } else {
      kernel.append(thread, to: &pool.idle)
      pool.idleCount += 1
    }
    kernel.block(thread, .idleWorker)
    if pool.rules.kind != .onePerCore { planReaping(&kernel) }
  }

  /// A worker ends.
  mutating func workerEnds(_ thread: Int32, _ kernel: borrowing Kernel) {
    demand(pool.alive > 0, "worker \(thread) ends, and none lives")
    pool.alive -= 1
    if pool.rules.kind == .libdispatch {
      pool.roots[kernel.threads[thread].executor].threadsLeft += 1
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
    var next = Int64.max
    if pool.idleCount > 1 {
      next = kernel.threads[pool.idle.head].since + pool.rules.idleTime(idle: pool.idleCount)
    }
    for root in 0..<Int32(pool.roots.count) where !pool.roots[root].idle.isEmpty {
      next = min(next, kernel.threads[pool.roots[root].idle.head].since + PoolRules.idleTime)
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
      let oldest = pool.idle.head
      let time = pool.rules.idleTime(idle: pool.idleCount)
      demand(oldest >= 0, "\(pool.idleCount) workers are parked, and none is listed")
      if kernel.threads[oldest].since + time > kernel.now { break }
      kernel.remove(oldest, from: &pool.idle)
      pool.idleCount -= 1
      kernel.wake(oldest, .timedOut, by: -1)
    }
    for root in 0..<Int32(pool.roots.count) {
      while !pool.roots[root].idle.isEmpty {
        let oldest = pool.roots[root].idle.head
        if kernel.threads[oldest].since + PoolRules.idleTime > kernel.now { break }
        kernel.remove(oldest, from: &pool.roots[root].idle)
        kernel.wake(oldest, .timedOut, by: -1)
      }
    }
    planReaping(&kernel)
  }
}

/// What work costs the one who hands it over.
extension DispatchRuntime {
  /// What handing an item to a queue costs, with the waking or making of a thread that it brings.
  func submitCost(_ queue: Int32, _ kernel: borrowing Kernel) -> Int64 {
    var queue = queue
    let cost = kernel.costs.enqueue.rawValue
    while true {
      let record = queues[queue]
      switch record.kind {
      case .main:
        return cost + (record.first < 0 ? kernel.costs.wake.rawValue : 0)
      case .root:
        return cost + (record.first < 0 ? pokeCost(queue, kernel) : 0)
      case .serial:
        if record.isScheduled || record.owner >= 0 || !record.isOpen { return cost }
      case .concurrent:
        if record.first >= 0 || record.isBarred || !record.isOpen { return cost }
      }
      queue = record.target
    }
  }

  /// What asking for a thread costs: waking a parked one, or making one.
  func pokeCost(_ root: Int32, _ kernel: borrowing Kernel) -> Int64 {
    let (wake, make) = (kernel.costs.wake.rawValue, kernel.costs.threadCreate.rawValue)
    switch pool.rules.kind {
    case .kernelWorkqueue:
      if pool.roots[root].pending > 0 || pool.creator >= 0 { return 0 }
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
