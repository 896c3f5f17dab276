import SpindleModel

/// The real-time threads of XNU's timesharing: the earliest deadline first.
///
/// - A deadline is the time of the wake and the constraint; the period decides nothing. Source:
///   xnu:osfmk/kern/sched_prim.c, thread_unblock.
/// - A quantum is the computation, but half the constraint where that is longer, up to 50 ms. Source:
///   xnu:osfmk/kern/thread_policy.c, THREAD_TIME_CONSTRAINT_POLICY.
/// - A thread that used up its quantum has no deadline until it wakes again, so it comes after all
///   that have one. Source: sched_prim.c, thread_dispatch; sched.h, RT_DEADLINE_QUANTUM_EXPIRED.
/// - One that runs goes on unless another's deadline is earlier by more than 100 us. Source:
///   sched_prim.c, rt_deadline_epsilon.
/// - More than a second of computing without a wait, seen when a quantum ends that began with the class,
///   takes it away for two seconds. Source: xnu:osfmk/kern/priority.c, thread_quantum_expire.
/// - Who gets it back has it for a quantum at least. Source: priority.c, update_priority, which comes
///   after the check.
///
/// Departures: all of them have one priority, since a trace can't ask for another. XNU gives the class back
/// when it looks at a thread for the first time after a tick of 125 ms, whose phase a program can't know;
/// here it is given back when the thread becomes ready, when its quantum ends, or at a tick.
struct TimeshareRealtime {
  /// The longest quantum.
  private static let longestQuantum: Int64 = 50_000_000
  /// How much earlier a deadline must be to take the core from another real-time thread.
  private static let epsilon: Int64 = 100_000
  /// How much a thread may compute without a wait.
  private static let unsafeComputation: Int64 = 1_000_000_000
  /// How long a thread that computed more is demoted.
  private static let demotion: Int64 = 2_000_000_000

  /// What is kept of a thread.
  private struct Share {
    /// What it asked for; nil for a thread that is not real-time.
    var claim: RealtimeClaim?
    var quantum: Int64 = 0
    /// When it has to be done; `Int64.max` when it has no deadline.
    var deadline = Int64.max
    /// What is left of its quantum; 0 for a whole one.
    var left: Int64 = 0
    /// The processor time since it last waited.
    var computed: Int64 = 0
    /// Until when it is demoted; 0 for one that is not.
    var demotedUntil: Int64 = 0
  }

  private var threads: ContiguousArray<Share> = []
  /// Who is ready, by deadline and then in the order of becoming ready.
  private var ready = ItemHeap()
  private var turns: Int64 = 0

  /// How many real-time threads are ready.
  var count: Int { ready.count }

  /// Takes over what a thread asks for; nil makes it an ordinary one.
  mutating func setClaim(_ index: Int, _ claim: RealtimeClaim?) {
    demand(
      claim.map { $0.computation >= .zero && $0.constraint > .zero } ?? true,
      "timeshare: thread \(index) asks for \(claim?.computation ?? .zero) in "
        + "\(claim?.constraint ?? .zero)")
    if index >= threads.count {
      if claim == nil { return }
      threads.append(contentsOf: repeatElement(Share(), count: index + 1 - threads.count))
    }
    if threads[index].claim == claim { return }
    guard let claim else {
      threads[index] = Share()
      return
    }
    threads[index].claim = claim
    threads[index].quantum = min(
      Self.longestQuantum, max(claim.computation.rawValue, claim.constraint.rawValue / 2))
    (threads[index].deadline, threads[index].left) = (Int64.max, 0)
  }

  /// Forgets a thread, whose number another one has now.
  mutating func forget(_ index: Int) {
    if index < threads.count { threads[index] = Share() }
  }

  /// Whether a real-time thread has lost its class for a while.
  func isDemoted(_ index: Int) -> Bool { threads[index].demotedUntil > 0 }

  /// Whether a real-time thread may lose its class at the end of this quantum, or get it back.
  func mayChange(_ index: Int) -> Bool {
    isDemoted(index) || threads[index].computed > Self.unsafeComputation - Self.longestQuantum
  }

  /// Gives a demoted thread its class back when its time is over; whether it did.
  mutating func release(_ index: Int, at now: Instant) -> Bool {
    demand(
      index >= 0 && index < threads.count, "timeshare: thread \(index) never was real-time")
    let until = threads[index].demotedUntil
    if until == 0 || now.nanoseconds < until { return false }
    threads[index].demotedUntil = 0
    threads[index].left = 0
    return true
  }

  /// Notes why a real-time thread, demoted or not, becomes ready.
  mutating func getsReady(_ index: Int, _ cause: ReadyCause, at now: Instant) {
    let wasDemoted = isDemoted(index)
    _ = release(index, at: now)
    threads[index].left = 0
    switch cause {
    case .started, .woken:
      threads[index].computed = 0
      if let constraint = threads[index].claim?.constraint, !isDemoted(index) {
        threads[index].deadline = (now + constraint).nanoseconds
      }
    case .quantumExpired:
      threads[index].deadline = Int64.max
      // One that was demoted until now has computed nothing with its class.
      if threads[index].computed > Self.unsafeComputation && !wasDemoted {
        threads[index].demotedUntil = (now + Nanoseconds(Self.demotion)).nanoseconds
      }
    case .preempted(let left):
      // What is left of a turn without the class is not a quantum of it.
      threads[index].left = wasDemoted ? 0 : left?.rawValue ?? 0
    case .yielded: break
    }
  }

  /// A real-time thread, demoted or not, has had a core for `ran`.
  mutating func ran(_ index: Int, for ran: Nanoseconds) {
    demand(ran >= .zero, "timeshare: thread \(index) ran for \(ran)")
    threads[index].computed += ran.rawValue
  }

  /// How long a thread may keep its core.
  func quantum(_ index: Int) -> Nanoseconds {
    let share = threads[index]
    demand(share.claim != nil, "timeshare: thread \(index) is not real-time, and gets a quantum")
    return Nanoseconds(share.left > 0 ? share.left : share.quantum)
  }

  /// Whether the next ready thread may take the core of the real-time thread `index`, which runs.
  func takesCore(from index: Int) -> Bool {
    guard let next = ready.first else { return false }
    let (own, running) = (next.first, threads[index].deadline)
    return own < Int64.max && running - own > Self.epsilon
  }

  /// When a thread has to be done; `Int64.max` for one that has no deadline.
  func deadline(_ index: Int) -> Int64 { threads[index].deadline }

  // MARK: The ready threads

  /// Adds a ready thread behind all whose deadlines are not later.
  mutating func insert(_ thread: ThreadID) {
    demand(
      !ready.contains(thread.index), "timeshare: thread \(thread.index) is ready, and becomes it")
    turns += 1
    ready.insert(
      ItemHeap.Entry(
        first: threads[Int(thread.index)].deadline, second: turns, item: thread.index))
  }

  /// Takes out the thread with the earliest deadline.
  mutating func popFirst() -> ThreadID? {
    guard let next = ready.first else { return nil }
    demand(ready.remove(next.item) != nil, "timeshare: thread \(next.item) is first, and not ready")
    return ThreadID(Int(next.item))
  }

  /// Takes a thread out; whether it was ready here.
  mutating func remove(_ thread: ThreadID) -> Bool {
    ready.remove(thread.index) != nil
  }
}
