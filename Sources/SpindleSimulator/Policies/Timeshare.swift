public import SpindleModel

/// Decaying priorities: a thread that uses much processor time sinks, one that waits rises.
///
/// The timesharing of XNU with one run queue for all cores (its *dualq* scheduler):
/// - A thread's priority is its base minus its recent use, shifted: `base − (usage >> shift)`.
///   Source: xnu:osfmk/kern/priority.c, sched_compute_timeshare_priority.
/// - Use is charged only while the machine is contended, and ages by 5/8 every 125 ms; after 32
///   such ticks it is forgotten. Source: priority.c, sched_decay_shifts; sched.h, SCHED_DECAY_TICKS.
/// - The shift is a fixed one, at which 208 ms of use cost about 24 levels, less the logarithm of
///   the load; at load 0 nothing decays. Source: sched_prim.c, load_shift_init; sched_average.c.
/// - The load of each band (foreground, default, utility, background) is averaged every 15 ms with
///   six tenths of the old value; threads count only when there are more than cores, and lower bands
///   weigh on higher ones within limits. Source: sched_average.c.
/// - A thread that gets ready goes to the end of its priority's queue and preempts a lower one; one
///   that was preempted goes to the front, and keeps the rest of its quantum if it is still in its
///   first turn. Source: sched_prim.c, thread_dispatch, csw_check.
/// - A quantum of 10 ms, a quarter of it in the background. A rest of less than 250 us counts as used.
/// - Yielding puts a thread at the lowest priority for one turn. Source: syscall_subr.c.
///
/// The time base is taken as 1 ns, for which XNU's fixed shift is 23. Departure: the averages of the
/// load are kept with seven binary digits after the point, and only while some thread waits.
public struct Timeshare: SchedulingPolicy {
  public let name = "timeshare"
  private let quantum: Nanoseconds
  private var ready = PriorityQueues()
  private var threads: ContiguousArray<Share> = []
  private var load = TimeshareLoad()
  private var coreCount = 1

  private static let fixedShift = 23
  private static let decayTick: Int64 = 125_000_000
  private static let loadTick: Int64 = 15_000_000
  private static let tinyRemainder: Int64 = 250_000

  /// What is kept of a thread.
  private struct Share {
    var base: Int16 = 31
    var band: TimeshareLoad.Band = .standard
    var isBackground = false
    /// Whether it got its core for this turn, and did not just go on after the one before.
    var isFirstTurn = true
    /// When it last used up a quantum.
    var expiredAt: Int64 = -1
    /// Recent processor time in nanoseconds, aged.
    var usage: Int64 = 0
    /// The number of the tick up to which `usage` has been aged.
    var agedAt: Int64 = 0
    /// What is left of its quantum; 0 for a whole one.
    var left: Int64 = 0
    /// Its present priority.
    var priority: Int16 = 31
    /// The priority with which it got its core.
    var startPriority: Int16 = 31
    /// Whether it counts as runnable.
    var isRunnable = false
    /// Whether it yielded, until it runs again.
    var isDepressed = false
  }

  /// Creates the policy with a `quantum` longer than zero.
  public init(quantum: Nanoseconds) {
    demand(quantum > .zero, "timeshare: an empty quantum would stop virtual time")
    self.quantum = quantum
  }

  public mutating func begin(coreCount: Int) { self.coreCount = coreCount }

  public mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    while threads.count <= Int(thread.index) { threads.append(Share()) }
    threads[Int(thread.index)] = Share()
    setClaim(Int(thread.index), claim)
  }

  public mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    let index = Int(thread.index)
    let oldBand = threads[index].band
    setClaim(index, claim)
    if threads[index].isRunnable && oldBand != threads[index].band {
      load.runnable[oldBand] -= 1
      load.runnable[threads[index].band] += 1
    }
    refresh(index, at: now)
    if ready.contains(thread) {
      ready.remove(thread)
      ready.insert(thread, priority: Int(threads[index].priority))
    }
  }

  private mutating func setClaim(_ index: Int, _ claim: ThreadClaim) {
    threads[index].base = Int16(claim.priority)
    threads[index].isBackground = claim.isBackground
    threads[index].band = TimeshareLoad.Band(priority: claim.priority)
    threads[index].priority = Int16(claim.priority)
  }

  public mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    let index = Int(thread.index)
    if !threads[index].isRunnable {
      threads[index].isRunnable = true
      load.runnable[threads[index].band] += 1
    }
    refresh(index, at: now)
    var atFront = false
    switch cause {
    case .started, .woken:
      threads[index].left = 0
    case .quantumExpired:
      threads[index].expiredAt = now.nanoseconds
    case .preempted(let left):
      atFront = threads[index].isFirstTurn
      let keeps =
        threads[index].isFirstTurn && threads[index].priority >= threads[index].startPriority
      threads[index].left = keeps ? left?.rawValue ?? 0 : 0
    case .yielded:
      threads[index].left = 0
      threads[index].isDepressed = ready.count > 0
    }
    let priority = threads[index].isDepressed ? 0 : Int(threads[index].priority)
    ready.insert(thread, priority: priority, atFront: atFront)
  }

  public mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    guard let thread = ready.popHighest() else { return nil }
    let index = Int(thread.index)
    threads[index].isDepressed = false
    threads[index].startPriority = threads[index].priority
    // After its first turn is only who goes on because no equal waited when its quantum ended.
    threads[index].isFirstTurn =
      threads[index].expiredAt != now.nanoseconds
      || (ready.highest ?? -1) >= Int(threads[index].priority)
    return thread
  }

  public mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    let share = threads[Int(thread.index)]
    let whole = share.isBackground ? max(1, quantum.rawValue / 4) : quantum.rawValue
    if share.left >= Self.tinyRemainder || share.left >= whole { return Nanoseconds(share.left) }
    return Nanoseconds(whole + share.left)
  }

  public mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    let index = Int(thread.index)
    refresh(index, at: now)
    if load.shift(threads[index].band) != nil {
      threads[index].usage += ran.rawValue
      refresh(index, at: now)
    }
    // Off its core it is runnable only if it is enqueued again, which comes next.
    threads[index].isRunnable = false
    load.runnable[threads[index].band] -= 1
  }

  public func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    guard let best = ready.highest else { return nil }
    var (victim, lowest) = (-1, Int.max)
    for core in 0..<running.count where running[core] != .none {
      let share = threads[Int(running[core].index)]
      let priority = Int(share.priority)
      // The one who runs wins ties during its first turn and loses them after it.
      let yields = share.isFirstTurn ? best > priority : best >= priority
      if yields && priority < lowest { (victim, lowest) = (core, priority) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  public func nextTick(after now: Instant) -> Instant? {
    if ready.count == 0 { return nil }
    return Instant((now.nanoseconds / Self.loadTick + 1) * Self.loadTick)
  }

  public mutating func tick(running: RunningThreads, at now: Instant) {
    load.average(coreCount: coreCount)
    let crossed = now.nanoseconds % Self.decayTick < Self.loadTick
    if !crossed { return }
    for core in 0..<running.count where running[core] != .none {
      refresh(Int(running[core].index), at: now)
    }
    for thread in ready.all {
      let index = Int(thread.index)
      let old = threads[index].priority
      refresh(index, at: now)
      if threads[index].priority != old && !threads[index].isDepressed {
        ready.remove(thread)
        ready.insert(thread, priority: Int(threads[index].priority))
      }
    }
  }

  /// Ages the use of a thread up to `now` and computes its priority.
  private mutating func refresh(_ index: Int, at now: Instant) {
    let tick = now.nanoseconds / Self.decayTick
    let ticks = tick - threads[index].agedAt
    threads[index].agedAt = tick
    if ticks >= 32 {
      threads[index].usage = 0
    } else if ticks > 0 && threads[index].usage > 0 {
      for _ in 0..<ticks { threads[index].usage = threads[index].usage * 5 / 8 }
    }
    let base = Int(threads[index].base)
    guard let shift = load.shift(threads[index].band) else {
      threads[index].priority = Int16(base)
      return
    }
    let loss = threads[index].usage >> Int64(max(0, Self.fixedShift - shift))
    threads[index].priority = Int16(max(0, min(95, Int64(base) - loss)))
  }
}
