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
/// - Real-time threads come before all others; see `TimeshareRealtime`. They are no load.
/// - The priority that a thread is lent is at most 63. Source: thread_policy.c,
///   thread_recompute_user_promotion_locked.
///
/// The time base is taken as 1 ns, for which XNU's fixed shift is 23. Departure: the averages of the
/// load are kept with seven binary digits after the point, and only while some thread waits.
public struct Timeshare: SchedulingPolicy {
  public let name = "timeshare"
  private let quantum: Nanoseconds
  private var ready = PriorityQueues()
  /// Those of the ready ones that a tick may change, in the same order: with recent use, or demoted.
  private var aging = PriorityQueues()
  private var threads: ContiguousArray<Share> = []
  private var realtime = TimeshareRealtime()
  private var load = TimeshareLoad()
  private var coreCount = 1

  private static let fixedShift = 23
  private static let decayTick: Int64 = 125_000_000
  private static let loadTick: Int64 = 15_000_000
  private static let tinyRemainder: Int64 = 250_000
  /// The highest priority that a thread can have without being real-time.
  private static let highestUserPriority = 63

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
    /// Whether it is ready or runs.
    var isRunnable = false
    /// Whether it asks to be real-time.
    var isRealtime = false
    /// Whether it stands above all that are not real-time: it is real-time and not demoted.
    var isAbove = false
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
    realtime.forget(Int(thread.index))
    setClaim(Int(thread.index), claim)
  }

  public mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    let index = Int(thread.index)
    let isReady = ready.contains(thread) || (threads[index].isAbove && realtime.remove(thread))
    takeOut(thread)
    count(index, -1)
    setClaim(index, claim)
    count(index, 1)
    refresh(index, at: now)
    if isReady { insert(thread, atFront: false) }
  }

  private mutating func setClaim(_ index: Int, _ claim: ThreadClaim) {
    threads[index].isRealtime = claim.realtime != nil
    realtime.setClaim(index, claim.realtime)
    if threads[index].isRealtime {
      setClass(index)
      return
    }
    let base = min(claim.priority, Self.highestUserPriority)
    threads[index].isAbove = false
    threads[index].base = Int16(base)
    threads[index].isBackground = claim.isBackground
    threads[index].band = TimeshareLoad.Band(priority: base)
    threads[index].priority = Int16(base)
  }

  /// Puts a real-time thread above all others or, while it is demoted, below.
  ///
  /// Source: xnu:osfmk/kern/priority.c, sched_thread_mode_demote, with DEPRESSPRI as the base.
  private mutating func setClass(_ index: Int) {
    let isDemoted = realtime.isDemoted(index)
    let base = isDemoted ? 0 : ThreadClaim.realtimePriority
    threads[index].isAbove = !isDemoted
    threads[index].base = Int16(base)
    threads[index].isBackground = isDemoted
    threads[index].band = TimeshareLoad.Band(priority: base)
    threads[index].priority = Int16(base)
  }

  /// Counts a runnable thread into the load, or out of it.
  private mutating func count(_ index: Int, _ change: Int64) {
    if !threads[index].isRunnable || threads[index].isAbove { return }
    load.runnable[threads[index].band] += change
  }

  /// Puts a ready thread where its class and priority say.
  private mutating func insert(_ thread: ThreadID, atFront: Bool) {
    let share = threads[Int(thread.index)]
    if share.isAbove && !share.isDepressed {
      realtime.insert(thread)
    } else {
      let priority = share.isDepressed ? 0 : Int(share.priority)
      insert(thread, at: priority, atFront: atFront)
    }
  }

  private mutating func insert(_ thread: ThreadID, at priority: Int, atFront: Bool = false) {
    let share = threads[Int(thread.index)]
    ready.insert(thread, priority: priority, atFront: atFront)
    if share.usage > 0 || share.isRealtime {
      aging.insert(thread, priority: priority, atFront: atFront)
    }
  }

  /// Takes a thread out of those that are ready and not real-time.
  private mutating func takeOut(_ thread: ThreadID) {
    ready.remove(thread)
    aging.remove(thread)
  }

  public mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    let index = Int(thread.index)
    if threads[index].isRealtime {
      realtime.getsReady(index, cause, at: now)
      setClass(index)
    }
    threads[index].isRunnable = true
    count(index, 1)
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
      threads[index].isDepressed = ready.count + realtime.count > 0
    }
    insert(thread, atFront: atFront)
  }

  public mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    if let thread = realtime.popFirst() { return thread }
    guard let thread = ready.popHighest() else { return nil }
    aging.remove(thread)
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
    if share.isAbove { return realtime.quantum(Int(thread.index)) }
    let whole = share.isBackground ? max(1, quantum.rawValue / 4) : quantum.rawValue
    if share.left >= Self.tinyRemainder || share.left >= whole { return Nanoseconds(share.left) }
    return Nanoseconds(whole + share.left)
  }

  public mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    let index = Int(thread.index)
    if threads[index].isRealtime { realtime.ran(index, for: ran) }
    refresh(index, at: now)
    if !threads[index].isAbove && load.shift(threads[index].band) != nil {
      threads[index].usage += ran.rawValue
      refresh(index, at: now)
    }
    // Off its core it is runnable only if it is enqueued again, which comes next.
    count(index, -1)
    threads[index].isRunnable = false
  }

  public func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    if realtime.count > 0, let victim = victimOfRealtime(among: running) { return victim }
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

  /// The running thread that gives way to the next real-time thread: the ordinary one of the lowest
  /// priority, or else the one with the latest deadline if that is late enough.
  private func victimOfRealtime(among running: RunningThreads) -> CoreID? {
    var (ordinary, lowest) = (-1, Int.max)
    var (urgent, latest) = (-1, Int64.min)
    for core in 0..<running.count where running[core] != .none {
      let index = Int(running[core].index)
      if !threads[index].isAbove {
        let priority = Int(threads[index].priority)
        if priority < lowest { (ordinary, lowest) = (core, priority) }
      } else if realtime.deadline(index) > latest {
        (urgent, latest) = (core, realtime.deadline(index))
      }
    }
    if ordinary >= 0 { return CoreID(ordinary) }
    guard urgent >= 0, realtime.takesCore(from: Int(running[urgent].index)) else { return nil }
    return CoreID(urgent)
  }

  public func nextTick(after now: Instant) -> Instant? {
    if ready.count + realtime.count == 0 { return nil }
    return Instant((now.nanoseconds / Self.loadTick + 1) * Self.loadTick)
  }

  public mutating func tick(running: RunningThreads, at now: Instant) {
    load.average(coreCount: coreCount)
    let crossed = now.nanoseconds % Self.decayTick < Self.loadTick
    if !crossed { return }
    for core in 0..<running.count where running[core] != .none {
      release(running[core], at: now)
      refresh(Int(running[core].index), at: now)
    }
    // The use of a thread is forgotten after some ticks, so each turn on a core costs a few steps here.
    for thread in aging.all {
      let index = Int(thread.index)
      if release(thread, at: now) { continue }
      let old = threads[index].priority
      refresh(index, at: now)
      if threads[index].priority != old && !threads[index].isDepressed {
        takeOut(thread)
        insert(thread, at: Int(threads[index].priority))
      } else if threads[index].usage == 0 && !threads[index].isRealtime {
        aging.remove(thread)
      }
    }
  }

  /// Gives a demoted thread its class back when its time is over; whether it did.
  @discardableResult
  private mutating func release(_ thread: ThreadID, at now: Instant) -> Bool {
    let index = Int(thread.index)
    if !threads[index].isRealtime || threads[index].isAbove { return false }
    if !realtime.release(index, at: now) { return false }
    count(index, -1)
    setClass(index)
    if ready.contains(thread) {
      takeOut(thread)
      insert(thread, atFront: false)
    }
    return true
  }

  /// Ages the use of a thread up to `now` and computes its priority; a real-time one's is fixed.
  private mutating func refresh(_ index: Int, at now: Instant) {
    if threads[index].isAbove { return }
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
