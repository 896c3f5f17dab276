import SpindleModel

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
  /// The first moment at which libdispatch's monitor looks, and then every second; nil where its thread is
  /// simulated, which waits that long before it looks.
  let monitorPhase: Int64?
  let monitorStart: Int64

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
    monitorStart = machine.costs.monitorStart.rawValue
    monitorPhase = machine.monitorPhase ?? (monitorStart == 0 ? 0 : nil)
  }

  /// The class whose global queue a platform has for one that is asked for.
  ///
  /// Where the kernel has no classes of service, the most urgent and the least urgent have no queue of their own. Source:
  /// swift-corelibs-libdispatch:src/queue.c, dispatch_get_global_queue, _dispatch_lane_create_with_target; `label` and `qos` read
  /// with Swift 6.3.1 on Linux.
  func present(_ quality: DispatchQuality) -> DispatchQuality {
    if kind != .libdispatch { return quality }
    switch quality {
    case .userInteractive: return .userInitiated
    case .maintenance: return .background
    case .background, .utility, .default, .userInitiated: return quality
    }
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
