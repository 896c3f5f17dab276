package import SpindleModel

/// Decaying priorities: a thread that uses much processor time sinks, one that waits rises.
///
/// The timesharing of XNU with one run queue for all cores (its *dualq* scheduler):
/// - A thread's priority is its base minus its recent use, shifted: `base − (usage >> shift)`.
///   Source: xnu:osfmk/kern/priority.c, sched_compute_timeshare_priority.
/// - Use is charged when a quantum ends, and at the first look at a thread after a tick: when it gets
///   ready, at the tick if it is ready then, else when it leaves its core. That look also ages the use, by
///   5/8 for each tick since the last; after 32 it is forgotten. So each thread ages once for each tick,
///   whenever that is seen. Source: priority.c, update_priority, lightweight_update_priority,
///   sched_decay_shifts; sched.h, SCHED_DECAY_TICKS; sched_prim.c, thread_select, thread_setrun, runq_scan.
/// - The shift is the one that its band had at the tick that the thread has seen last; where the load was 0
///   then, use costs nothing and is not charged. Source: the same, and sched_average.c; see `TimeshareLoad`.
/// - A thread that gets ready goes to the end of its priority's queue and preempts a lower one; one
///   that was preempted in its first turn, with at least 250 us of it left and its priority not sunk, goes
///   to the front and keeps the rest. Source: sched_prim.c, thread_dispatch, csw_check.
/// - A quantum of 10 ms, a quarter of it in the background. A rest of less than 250 us counts as used, and
///   is added to the next quantum.
/// - Yielding puts a thread at the lowest priority for one turn. Source: syscall_subr.c.
/// - Real-time threads come before all others; see `TimeshareRealtime`. They are no load.
/// - The priority that a thread is lent is at most 63. Source: thread_policy.c,
///   thread_recompute_user_promotion_locked.
///
/// The time base is taken as 1 ns. Departures: ticks come at whole multiples of 125 ms and looks at the
/// load at those of 15 ms, where XNU takes the first end of a quantum or change of thread that is later by
/// as much than the last; use ages by exactly 5/8, where XNU has shifts that come near.
package struct Timeshare: SchedulingPolicy {
  private let quantum: Nanoseconds
  private var ready = PriorityQueues()
  /// Those of the ready ones that a tick may change, in the same order: with recent use, or demoted.
  private var aging = PriorityQueues()
  private(set) var threads: ContiguousArray<Share> = []
  private(set) var realtime = TimeshareRealtime()
  private var load = TimeshareLoad()
  private var coreCount = 1

  private static let forgottenAfter: Int64 = 32
  private static let tinyRemainder: Int64 = 250_000
  /// The highest priority that a thread can have without being real-time.
  private static let highestUserPriority = 63

  /// What is kept of a thread.
  struct Share {
    var base: Int16 = 31
    var band: TimeshareLoad.Band = .standard
    var isBackground = false
    /// Whether it got its core for this turn, and did not just go on after the one before.
    var isFirstTurn = true
    /// When it last used up a quantum.
    var expiredAt: Int64 = -1
    /// Recent processor time in nanoseconds, aged.
    var usage: Int64 = 0
    /// Processor time since it was last charged.
    var uncharged: Int64 = 0
    /// The number of the last tick that it has seen.
    var tick: Int64 = 0
    /// By how much its use was shifted at that tick; -1 where use cost nothing.
    var shift: Int8 = -1
    /// The quantum that it was given last.
    var granted: Int64 = 0
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
  package init(quantum: Nanoseconds) {
    demand(quantum > .zero, "timeshare: an empty quantum would stop virtual time")
    self.quantum = quantum
  }

  package mutating func begin(coreCount: Int) { self.coreCount = coreCount }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    while threads.count <= Int(thread.index) { threads.append(Share()) }
    threads[Int(thread.index)] = Share()
    realtime.forget(Int(thread.index))
    setClaim(Int(thread.index), claim)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    let index = Int(thread.index)
    load.catchUp(before: now.nanoseconds)
    let isReady = ready.contains(thread) || (threads[index].isAbove && realtime.remove(thread))
    takeOut(thread)
    count(index, -1)
    setClaim(index, claim)
    count(index, 1)
    computePriority(index)
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
    setBand(index, base)
    threads[index].priority = Int16(base)
  }

  /// Puts a thread into the band of its base priority, at the shift that this has now.
  ///
  /// Source: xnu:osfmk/kern/priority.c, sched_update_thread_bucket.
  private mutating func setBand(_ index: Int, _ base: Int) {
    let band = TimeshareLoad.Band(priority: base)
    if band == threads[index].band { return }
    threads[index].band = band
    threads[index].shift = load.shift(band)
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
    setBand(index, base)
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
    if share.usage > 0 || share.uncharged > 0 || share.isRealtime {
      aging.insert(thread, priority: priority, atFront: atFront)
    }
  }

  /// Takes a thread out of those that are ready and not real-time.
  private mutating func takeOut(_ thread: ThreadID) {
    ready.remove(thread)
    aging.remove(thread)
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    let index = Int(thread.index)
    load.catchUp(before: now.nanoseconds)
    if threads[index].isRealtime {
      realtime.getsReady(index, cause, at: now)
      setClass(index)
    }
    threads[index].isRunnable = true
    count(index, 1)
    var atFront = false
    switch cause {
    case .started:
      threads[index].tick = load.tick
      threads[index].shift = load.shift(threads[index].band)
    case .woken:
      threads[index].left = 0
    case .quantumExpired:
      threads[index].expiredAt = now.nanoseconds
      threads[index].left = 0
    case .preempted(let left):
      let keeps =
        threads[index].isFirstTurn && threads[index].priority >= threads[index].startPriority
      threads[index].left = keeps ? left?.rawValue ?? 0 : 0
      atFront = threads[index].left >= Self.tinyRemainder
    case .yielded:
      threads[index].left = 0
      threads[index].isDepressed = ready.count + realtime.count > 0
    }
    seeTick(index)
    insert(thread, atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    if let thread = realtime.popFirst() { return thread }
    guard let thread = ready.popHighest() else { return nil }
    let index = Int(thread.index)
    // One without use need not have been looked at when ticks came: they change nothing about it.
    if !aging.remove(thread) { seeTick(index) }
    threads[index].isDepressed = false
    threads[index].startPriority = threads[index].priority
    // After its first turn is only who goes on because no equal waited when its quantum ended.
    threads[index].isFirstTurn =
      threads[index].expiredAt != now.nanoseconds
      || (ready.highest ?? -1) >= Int(threads[index].priority)
    return thread
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    let share = threads[Int(thread.index)]
    if share.isAbove { return realtime.quantum(Int(thread.index)) }
    let whole = share.isBackground ? max(1, quantum.rawValue / 4) : quantum.rawValue
    let keeps = share.left >= Self.tinyRemainder || share.left >= whole
    let granted = keeps ? share.left : whole + share.left
    threads[Int(thread.index)].granted = granted
    return Nanoseconds(granted)
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    let index = Int(thread.index)
    load.catchUp(before: now.nanoseconds)
    if threads[index].isRealtime { realtime.ran(index, for: ran) }
    if !threads[index].isAbove {
      if ran.rawValue >= threads[index].granted {
        // The end of a quantum charges all of it, and then looks at the priority.
        threads[index].uncharged += ran.rawValue
        if !seeTick(index) {
          charge(index)
          computePriority(index)
        }
      } else {
        // Whoever leaves its core before has its last turn charged at the next occasion.
        seeTick(index)
        threads[index].uncharged += ran.rawValue
      }
    }
    // Off its core it is runnable only if it is enqueued again, which comes next.
    count(index, -1)
    threads[index].isRunnable = false
  }

  /// Whether one quantum of a thread that is alone is like the other: a real-time thread's is not, and
  /// others' are not before there is no load left, so that use costs nothing.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    !threads[Int(thread.index)].isRealtime && load.isIdle ? Int64.max : 1
  }

  /// What the thread used is charged and ages as if each had been told, until nothing is left of any use.
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    let (index, length) = (Int(thread.index), quantum.rawValue)
    var left = count
    while left > 0 && (threads[index].usage > 0 || threads[index].shift >= 0) {
      let next = end.nanoseconds - (left - 1) * length
      let tick = TimeshareLoad.ticks(before: next)
      threads[index].uncharged += length
      if !seeTick(index, upTo: tick) { charge(index) }
      // All that end until the next tick are charged alike.
      let alike = min(left - 1, ((tick + 1) * TimeshareLoad.tickInterval - next) / length)
      if threads[index].shift >= 0 { threads[index].usage += alike * length }
      left -= 1 + alike
    }
    load.catchUp(before: end.nanoseconds)
    seeTick(index, upTo: TimeshareLoad.ticks(before: end.nanoseconds))
    computePriority(index)
    threads[index].expiredAt = end.nanoseconds
    threads[index].startPriority = threads[index].priority
  }

  package mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    if realtime.count > 0, let victim = victimOfRealtime(among: running) { return victim }
    guard let best = ready.highest else { return nil }
    var (victim, lowest) = (-1, Int.max)
    for core in 0..<running.count where running[core] != .none {
      let share = threads[Int(running[core].index)]
      let priority = Int(share.priority)
      if givesWay(share, to: best) && priority < lowest { (victim, lowest) = (core, priority) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  /// Whether a running thread gives way to a ready one of this priority: it wins ties during its first turn
  /// and loses them after it.
  private func givesWay(_ share: Share, to best: Int) -> Bool {
    share.isFirstTurn ? best > Int(share.priority) : best >= Int(share.priority)
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

  package func nextTick(after now: Instant) -> Instant? {
    if ready.count + realtime.count == 0 { return nil }
    return Instant(TimeshareLoad.next(after: now.nanoseconds))
  }

  /// Ready threads see a tick when it comes; those that run when they leave their cores, or would have to.
  ///
  /// Source: xnu:osfmk/kern/sched_prim.c, sched_timeshare_maintenance_continue, runq_scan: from the highest
  /// priority down; who has another one then goes to its end. thread_select is who looks at those that run.
  package mutating func tick(running: RunningThreads, at now: Instant) {
    if !load.advance(to: now.nanoseconds, coreCount: coreCount) { return }
    // The use of a thread is forgotten after some ticks, so each turn on a core costs a few steps here.
    for thread in aging.all {
      let index = Int(thread.index)
      let old = threads[index].priority
      seeTick(index)
      if release(thread, at: now) { continue }
      if threads[index].priority != old && !threads[index].isDepressed {
        takeOut(thread)
        insert(thread, at: Int(threads[index].priority))
      } else if threads[index].usage == 0 && !threads[index].isRealtime {
        aging.remove(thread)
      }
    }
    // A thread that would have to give way now is looked at before it does.
    guard let best = ready.highest else { return }
    for core in 0..<running.count where running[core] != .none {
      let index = Int(running[core].index)
      if !threads[index].isAbove && givesWay(threads[index], to: best) { seeTick(index) }
    }
  }

  /// Gives a demoted thread its class back when its time is over; whether it did.
  private mutating func release(_ thread: ThreadID, at now: Instant) -> Bool {
    let index = Int(thread.index)
    if !threads[index].isRealtime || threads[index].isAbove { return false }
    if !realtime.release(index, at: now) { return false }
    count(index, -1)
    setClass(index)
    takeOut(thread)
    insert(thread, atFront: false)
    return true
  }

  // MARK: Priorities

  /// Charges and ages the use of a thread that has not seen the last tick, and computes its priority;
  /// whether it had not.
  @discardableResult
  private mutating func seeTick(_ index: Int, upTo last: Int64? = nil) -> Bool {
    let (tick, seen) = (last ?? load.tick, threads[index].tick)
    if tick == seen { return false }
    threads[index].tick = tick
    charge(index)
    if tick - seen >= Self.forgottenAfter {
      threads[index].usage = 0
    } else if threads[index].usage > 0 {
      for _ in seen..<tick { threads[index].usage = threads[index].usage * 5 / 8 }
    }
    threads[index].shift = load.shift(threads[index].band)
    computePriority(index)
    return true
  }

  /// Adds the time since a thread was last charged to its use, unless that costs nothing.
  private mutating func charge(_ index: Int) {
    if threads[index].shift >= 0 { threads[index].usage += threads[index].uncharged }
    threads[index].uncharged = 0
  }

  /// Computes a thread's priority; a real-time one's is fixed.
  private mutating func computePriority(_ index: Int) {
    let share = threads[index]
    if share.isAbove { return }
    let loss = share.shift < 0 ? 0 : share.usage >> Int64(share.shift)
    threads[index].priority = Int16(max(0, min(95, Int64(share.base) - loss)))
  }
}
