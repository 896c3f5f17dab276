package import SpindleModel

/// Linux's fair class since 6.6: of the threads that are owed time, the one whose request is due first.
///
/// A thread's virtual run time grows with the time that it has a core, slower the more it weighs; by how much it is
/// behind the weighted average of all that are ready or run is its lag. Who is not ahead of the average is eligible,
/// and of those the one with the earliest virtual deadline runs: the virtual run time at which its request began,
/// and `slice` by its weight. When it has had that, it begins another request. A sleeper keeps its lag, two slices
/// of it at most, made larger as its coming back moves the average; a new thread has none, and half a slice
/// as its first request. Who yields puts its deadline one slice later.
///
/// With `runToParity: true`, as the kernel has it, who runs keeps its core until its request is done; without it a
/// thread that wakes takes the core of the one with the latest deadline, if its own is earlier or that one
/// is not eligible any more.
///
/// Before these come threads of the classes `SCHED_FIFO` and `SCHED_RR`, by their priority from 1 to 99: the first
/// run until they wait, the others in turns of 100 ms. Who had to give way is the first of its priority again. A
/// real-time thread that asked for no class has that of `sched_set_fifo`: priority 50.
///
/// With a `quota` all others together get so much of all cores in each `period`, and wait for the next one then
/// (`cpu.max` of a control group). A thread takes up to 5 ms of it when it gets a core and gives back what it has
/// not used; what was taken in one period may be used in the next.
///
/// Ties: who became ready first. Who gives way in the real-time classes has the lowest priority, of equals
/// the core with the lowest number.
///
/// One queue for all cores, which is a departure: Linux has one for each and balances them. Choosing costs O(n) of
/// the ready threads. Other departures: a request ends when it is used up, not at the next tick; periods of the quota
/// begin at whole multiples; nothing is set aside from the real-time classes (`sched_rt_runtime_us`); since 6.12 a
/// sleeper with a negative lag stays in the queue until it has none, here it keeps it.
///
/// Source: Linux 6.6, kernel/sched/fair.c, pick_eevdf, entity_eligible, update_entity_lag, place_entity,
/// update_deadline, yield_task_fair, check_preempt_wakeup_fair, assign_cfs_rq_runtime; kernel/sched/rt.c;
/// kernel/sched/core.c, sched_prio_to_weight; Stoica, Abdel-Wahab, "Earliest Eligible Virtual Deadline First: A
/// Flexible and Accurate Mechanism for Proportional Share Resource Allocation", 1995.
package struct EarliestEligible: CataloguedPolicy, SteadyPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "eevdf",
    summary: "the earliest virtual deadline among eligible threads, as in Linux since 6.6",
    parameters: [slice, runToParity, quota, period])
  private static let slice = MachineCatalogue.Parameter.duration("slice", .milliseconds(3))
  private static let runToParity = MachineCatalogue.Parameter.truth("runToParity", true)
  private static let quota = MachineCatalogue.Parameter.duration(
    "quota", .zero, atLeast: .zero)
  private static let period = MachineCatalogue.Parameter.duration("period", .milliseconds(100))
  /// The turn of `SCHED_RR`.
  private static let turn: Int64 = 100_000_000
  /// How much of a quota is taken at a time.
  private static let portion: Int64 = 5_000_000

  private struct Runner {
    var posix: PosixClaim?
    /// What is left of its turn in `SCHED_RR`; 0 for a whole one.
    var left: Int64 = 0
    /// What it has taken of the quota, and not used, and how long the turn is that it got for that.
    var taken: Int64 = 0
    var given: Int64 = 0
  }

  private let keepsToParity: Bool
  private let limit: Int64
  private let window: Int64
  private var fair: EligibleThreads
  private var urgent = PriorityQueues()
  private var runners: ContiguousArray<Runner> = []
  /// What is left of the quota until the end of its period, and when that is.
  private var pool: Int64 = 0
  private var poolEnd: Int64 = 0
  /// Whether a thread has woken since running threads were weighed against the ready ones.
  private var hasWoken = false

  package init(_ values: PolicyValues) {
    fair = EligibleThreads(slice: values.duration(Self.slice).rawValue)
    keepsToParity = values.isOn(Self.runToParity)
    (limit, window) = (
      values.duration(Self.quota).rawValue, values.duration(Self.period).rawValue
    )
  }

  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < runners.count,
      "\(name): thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(
      !urgent.contains(thread) && !fair.isReady(thread),
      "\(name): thread \(thread.index) is ready, and admitted")
    while runners.count <= Int(thread.index) { runners.append(Runner()) }
    runners[Int(thread.index)] = Runner(posix: claim.urgency)
    fair.admit(thread, weight: claim.weight)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    let index = Int(thread.index)
    fair.settle(now.nanoseconds)
    fair.setWeight(thread, claim.weight)
    if runners[index].posix == claim.urgency { return }
    let wasReady = urgent.remove(thread) || fair.remove(thread)
    if runners[index].posix == nil { fair.leaves(thread) }
    runners[index].posix = claim.urgency
    runners[index].left = 0
    if wasReady { enqueue(thread, .woken, at: now) }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    fair.settle(now.nanoseconds)
    switch cause {
    case .started, .woken: hasWoken = true
    case .quantumExpired, .preempted, .yielded: break
    }
    guard let posix = runners[index].posix else {
      return fair.enqueue(thread, cause)
    }
    runners[index].left = 0
    var atFront = false
    if case .preempted(let left) = cause {
      atFront = true
      runners[index].left = left?.rawValue ?? 0
    }
    urgent.insert(thread, priority: posix.priority, atFront: atFront)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    demand(core.index >= 0, "\(name): core \(core.index) asks for a thread")
    if let thread = urgent.popHighest() { return thread }
    fair.settle(now.nanoseconds)
    if limit > 0 {
      refill(at: now.nanoseconds)
      if pool == 0 { return nil }
    }
    guard let next = fair.popBest(at: now.nanoseconds) else { return nil }
    if limit > 0 {
      runners[Int(next.index)].taken = min(Self.portion, pool)
      pool -= runners[Int(next.index)].taken
    }
    return next
  }

  private mutating func refill(at now: Int64) {
    if now < poolEnd { return }
    pool = limit
    poolEnd = (now / window + 1).multipliedReportingOverflow(by: window).partialValue
    demand(poolEnd > now, "\(name): a period of the quota ends at \(poolEnd)ns")
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    check(thread, "gets a turn")
    let runner = runners[Int(thread.index)]
    if let posix = runner.posix {
      if !posix.takesTurns { return nil }
      return Nanoseconds(runner.left > 0 ? runner.left : Self.turn)
    }
    let request = fair.rest(of: thread)
    if limit == 0 { return Nanoseconds(request) }
    let turn = min(request, runner.taken)
    runners[Int(thread.index)].given = turn
    return Nanoseconds(turn)
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    check(thread, "ran")
    let index = Int(thread.index)
    fair.settle(now.nanoseconds)
    if runners[index].posix != nil { return }
    fair.leaves(thread)
    if limit == 0 { return }
    // What was taken in a period that has ended is not given back.
    let rest = max(0, runners[index].taken - ran.rawValue)
    if now.nanoseconds < poolEnd && isOfThisPeriod(now.nanoseconds - ran.rawValue) {
      pool = min(limit, pool + rest)
    }
    runners[index].taken = 0
  }

  package mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    if let best = urgent.highest { return weaker(than: best, running) }
    defer { hasWoken = false }
    if keepsToParity || !hasWoken { return nil }
    fair.settle(now.nanoseconds)
    guard let best = fair.best else { return nil }
    var (victim, latest) = (-1, Int128.min)
    for core in 0..<running.count where running[core] != .none {
      let thread = running[core]
      if runners[Int(thread.index)].posix != nil { continue }
      let deadline = fair.deadline(of: thread)
      if deadline <= fair.deadline(of: best) && fair.isEligible(thread) { continue }
      if deadline > latest { (victim, latest) = (core, deadline) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  // Who is alone goes on as long as something is left of the quota, as the kernel has it: only who got nothing more is
  // taken from its core. Source: Linux, kernel/sched/fair.c, __account_cfs_rq_runtime.
  package func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool {
    let runner = runners[Int(thread.index)]
    if limit == 0 || runner.posix != nil || now.nanoseconds >= poolEnd { return true }
    return pool > 0 || isOfThisPeriod(now.nanoseconds - runner.given) && runner.taken > runner.given
  }

  /// Whether a moment that has passed lies in the present period of the quota.
  private func isOfThisPeriod(_ moment: Int64) -> Bool { moment >= poolEnd - window }

  // A slice of who is alone is like the next when it is a whole request, and a turn when nothing is owed of one. With a quota
  // that is so while what is left is enough for it, up to the first slice that ends in another period.
  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    let runner = runners[Int(thread.index)]
    if runner.posix != nil { return runner.left == 0 ? Int64.max : 1 }
    if !fair.hasWholeRequest(thread) { return 1 }
    if limit == 0 { return Int64.max }
    let slice = fair.rest(of: thread)
    if runner.given < slice || !fair.isAlone(thread) { return 1 }
    let whole = (pool + runner.taken) / slice
    return min(whole, (poolEnd - now.nanoseconds - 1) / slice + 1)
  }
  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    check(thread, "had slices")
    let index = Int(thread.index)
    if runners[index].posix != nil { return }
    fair.repeated(thread, times: count, until: end.nanoseconds)
    if limit == 0 { return }
    let left = pool + runners[index].taken - count * quantum.rawValue
    demand(
      left >= quantum.rawValue && end.nanoseconds < poolEnd,
      "\(name): the quota of thread \(thread.index) ended before its slices")
    runners[index].taken = min(Self.portion, left)
    pool = left - runners[index].taken
  }

  // Until the quota is used up. One that is enough for a whole period is so for each that follows.
  package func keepsCoreUntil(_ thread: ThreadID, at now: Instant) -> Instant? {
    let runner = runners[Int(thread.index)]
    if limit == 0 || runner.posix != nil { return nil }
    let left = pool + runner.taken
    if left < poolEnd - now.nanoseconds { return Instant(now.nanoseconds + left) }
    return limit >= window ? nil : Instant(poolEnd)
  }
  package func phase(of thread: ThreadID, at now: Instant) -> SIMD8<Int64>? {
    let runner = runners[Int(thread.index)]
    guard runner.posix == nil, limit > 0,
      let rest = fair.phase(of: thread, at: now.nanoseconds)
    else { return nil }
    let quota = [poolEnd - now.nanoseconds, pool, runner.taken, runner.given]
    return SIMD8(quota + [rest.length, rest.fraction, 0, 0])
  }
  package mutating func cyclesPassed(
    _ thread: ThreadID, for time: Nanoseconds, at now: Instant
  ) {
    poolEnd += time.rawValue
    fair.cyclesPassed(thread, for: time.rawValue)
  }

  /// The core whose thread has the lowest priority, under one that is ready; threads without one first.
  private func weaker(than best: Int, _ running: RunningThreads) -> CoreID? {
    var (victim, lowest) = (-1, best)
    for core in 0..<running.count where running[core] != .none {
      let priority = runners[Int(running[core].index)].posix?.priority ?? 0
      if priority < lowest { (victim, lowest) = (core, priority) }
    }
    return victim < 0 ? nil : CoreID(victim)
  }

  package func nextTick(after now: Instant) -> Instant? {
    limit > 0 && pool == 0 && fair.count > 0
      ? Instant(max(poolEnd, now.nanoseconds + 1)) : nil
  }

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    if let posix = runners[Int(thread.index)].posix {
      return [PolicyStanding(.realtime, 1), PolicyStanding(.priority, Int64(posix.priority))]
    }
    return [
      PolicyStanding(.realtime, 0),
      PolicyStanding(.lag, wide: fair.lag(of: thread), takesCores: !keepsToParity),
      PolicyStanding(
        .virtualDeadline, wide: fair.deadline(of: thread), takesCores: !keepsToParity),
    ]
  }
}
