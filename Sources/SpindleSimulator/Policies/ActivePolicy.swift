import SpindleModel

/// The policy of a run, and what the kernel may skip of it, as the policy itself says.
///
/// A scheduling event asks its policy several times, and a call through `any` costs a few times as
/// much as what a simple policy does in it. So there are two shortcuts, each beside the policy's object
/// as its plain twin: policies of the catalogue are called directly (`ShortcutSet.directPolicy`), and one
/// that is `inOrder` is a ring in raw memory (`ShortcutSet.readyQueue`), its own code never runs then.
/// What a policy is like is asked of it alone; one that has no row here works all the same.
struct ActivePolicy: ~Copyable {
  /// The policy's name.
  let name: String
  /// Whether a thread that is given out must run on the core that asked.
  let bindsCores: Bool
  /// Whether it has to be asked for victims and ticks.
  let canPreempt: Bool
  /// Whether it has to be told what threads ask for and have had.
  let usesThreadAttributes: Bool
  /// Whether it has to be told when a claim changes.
  let heedsClaims: Bool
  /// Whether it is told how long threads will compute, and gets them only then.
  let needsWorkAhead: Bool
  /// Whether it may move running threads to idle cores.
  let movesRunningThreads: Bool
  /// Whether it is told the same of those that run, before it names a victim.
  var needsWorkOfRunning: Bool { needsWorkAhead && saysItPreempts }
  private let letsLoneThreadsGoOn: Bool
  /// Whether it says of itself that it can preempt, to hold its answers against.
  let saysItPreempts: Bool
  private let skipsQuanta: Bool
  /// Whether the threads are in the ready queue.
  private let isQueue: Bool
  private let kind: Kind
  private var queue: ReadyQueue
  /// The quantum of threads dequeued from that queue; nil for none.
  private let quantum: Nanoseconds?
  private var fixed = FixedPriority(quantum: nil)
  private var fair = FairShare(slice: Nanoseconds(1))
  private var timeshare = Timeshare(quantum: Nanoseconds(1))
  private var object: (any SchedulingPolicy)?
  /// How many more steps quanta may take that are not alike and no events; they are as many as those of the program.
  var steadySteps = Int64.max
  /// Notes whom the policy prefers to whom; nil in a run of which nobody asks that.
  private(set) var watch: PolicyWatch?
  /// Ready threads of which the policy has not been told how long they will compute.
  private var arrivals = FIFOQueue<Arrival>()

  private struct Arrival: BitwiseCopyable {
    let thread: ThreadID
    let cause: ReadyCause
    let other: ThreadID
    /// When it became ready, in nanoseconds.
    let time: Int64
  }

  private enum Kind { case queue, fixed, fair, timeshare, object }

  /// Takes in a policy that has not begun.
  init(
    _ policy: any SchedulingPolicy, shortcuts: ShortcutSet = .all,
    queueRoom: Int = StructureSizes.standard.readyRoom, isWatched: Bool = false
  ) {
    watch = isWatched ? PolicyWatch() : nil
    queue = ReadyQueue(room: queueRoom)
    (name, bindsCores, needsWorkAhead) = (policy.name, policy.bindsCores, policy.needsWorkAhead)
    movesRunningThreads = policy.movesRunningThreads
    (saysItPreempts, letsLoneThreadsGoOn) = (policy.canPreempt, policy.letsLoneThreadsGoOn)
    let skips = shortcuts.contains(.policySkips)
    canPreempt = policy.canPreempt || !skips
    usesThreadAttributes = policy.usesThreadAttributes || !skips
    heedsClaims = policy.heedsClaims
    skipsQuanta = shortcuts.contains(.repeatedQuanta)
    let order = shortcuts.contains(.readyQueue) && !isWatched ? policy.inOrder : nil
    (isQueue, quantum) = (order != nil, order?.quantum)
    if isQueue {
      kind = .queue
    } else if !shortcuts.contains(.directPolicy) {
      (kind, object) = (.object, policy)
    } else {
      switch policy {
      case let policy as FixedPriority: (kind, fixed) = (.fixed, policy)
      case let policy as FairShare: (kind, fair) = (.fair, policy)
      case let policy as Timeshare: (kind, timeshare) = (.timeshare, policy)
      default: (kind, object) = (.object, policy)
      }
    }
  }

  /// The rule that a policy breaks by what it says of itself; nil for none.
  static func brokenRule(_ policy: any SchedulingPolicy) -> PolicyFault.Rule? {
    guard let order = policy.inOrder else { return nil }
    let isSimple =
      !policy.bindsCores && !policy.canPreempt && !policy.usesThreadAttributes
      && policy.letsLoneThreadsGoOn
    if !isSimple { return .orderedPolicyIsSimple }
    return order.quantum.map { $0 > .zero } ?? true ? nil : .quantumIsPositive
  }

  /// The machine has these cores.
  mutating func begin(cores: [CoreDescription], seed: UInt64) {
    demand(!cores.isEmpty, "policy '\(name)' begins without cores")
    switch kind {
    case .queue: break
    case .fixed: fixed.begin(cores: cores, seed: seed)
    case .fair: fair.begin(cores: cores, seed: seed)
    case .timeshare: timeshare.begin(cores: cores, seed: seed)
    case .object: object?.begin(cores: cores, seed: seed)
    }
  }

  /// `thread` exists from now on.
  mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    switch kind {
    case .queue: break
    case .fixed: fixed.admit(thread, claim)
    case .fair: fair.admit(thread, claim)
    case .timeshare: timeshare.admit(thread, claim)
    case .object: object?.admit(thread, claim)
    }
  }

  /// The claim of `thread` has changed.
  mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    switch kind {
    case .queue: break
    case .fixed: fixed.claimChanged(thread, claim, at: now)
    case .fair: fair.claimChanged(thread, claim, at: now)
    case .timeshare: timeshare.claimChanged(thread, claim, at: now)
    case .object: object?.claimChanged(thread, claim, at: now)
    }
  }

  /// The policy, if it says by what it prefers one thread to another.
  private var ranking: (any RankingPolicy)? {
    switch kind {
    case .queue: nil
    case .fixed: fixed
    case .fair: fair
    case .timeshare: timeshare
    case .object: object as? any RankingPolicy
    }
  }

  /// What it decided against threads that could run; nil where nobody asked for that.
  var report: PolicyReport? {
    watch.map { PolicyReport(preempts: saysItPreempts, choices: $0.choices) }
  }

  /// The policy, if it ranks real-time threads.
  var realtime: (any RealtimePolicy)? { object as? any RealtimePolicy }
  /// The policy with servers for real-time threads; nil for others.
  var bandwidth: ConstantBandwidth? { object as? ConstantBandwidth }

  /// A job of a real-time thread begins.
  mutating func jobBegins(
    _ thread: ThreadID, released: Instant, deadline: Instant, at now: Instant
  ) {
    object?.jobBegins(thread, released: released, deadline: deadline, at: now)
  }

  /// Takes in `thread`, which became ready.
  @inline(__always)
  mutating func enqueue(
    _ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID, at now: Instant
  ) {
    if !isQueue { return enqueueByPolicy(thread, cause, by: other, at: now) }
    queue.append(thread)
  }

  @inline(never)
  private mutating func enqueueByPolicy(
    _ thread: ThreadID, _ cause: ReadyCause, by other: ThreadID, at now: Instant
  ) {
    watch?.becameReady(thread)
    switch kind {
    case .queue: queue.append(thread)
    case .fixed: fixed.enqueue(thread, cause, at: now)
    case .fair: fair.enqueue(thread, cause, at: now)
    case .timeshare: timeshare.enqueue(thread, cause, at: now)
    case .object:
      if needsWorkAhead {
        arrivals.append(
          Arrival(
            thread: thread, cause: cause, other: other, time: now.nanoseconds))
      } else {
        object?.enqueue(thread, cause, by: other, at: now)
      }
    }
  }

  /// The first of the ready threads that the policy gets when it knows what is ahead of them.
  var nextArrival: ThreadID? { arrivals.first?.thread }

  /// Gives that thread to the policy, with the work that is ahead of it.
  mutating func takeInArrival(_ work: Nanoseconds, at now: Instant) {
    guard let arrival = arrivals.popFirst() else {
      fatalError(
        "policy '\(name)' is given the future work of a thread, and none has become runnable")
    }
    workAhead(of: arrival.thread, is: work, at: now)
    object?.enqueue(arrival.thread, arrival.cause, by: arrival.other, at: Instant(arrival.time))
  }

  /// `thread` has this much work ahead of it.
  mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant) {
    demand(
      needsWorkAhead && work >= .zero,
      "policy '\(name)' is given \(work) as future work of thread \(thread.index)")
    object?.workAhead(of: thread, is: work, at: now)
  }

  /// Gives out the thread that `core` runs next.
  @inline(__always)
  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    isQueue ? queue.popFirst() : dequeueByPolicy(for: core, at: now)
  }

  @inline(never)
  private mutating func dequeueByPolicy(for core: CoreID, at now: Instant) -> ThreadID? {
    let thread = dequeueUnwatched(for: core, at: now)
    if let watch, let thread { watch.gave(thread, core, ranking, at: now) }
    return thread
  }

  private mutating func dequeueUnwatched(for core: CoreID, at now: Instant) -> ThreadID? {
    switch kind {
    case .queue: queue.popFirst()
    case .fixed: fixed.dequeue(for: core, at: now)
    case .fair: fair.dequeue(for: core, at: now)
    case .timeshare: timeshare.dequeue(for: core, at: now)
    case .object: object?.dequeue(for: core, at: now)
    }
  }

  /// Whether `thread`, the only one that wants `core`, may begin another quantum there when one has ended.
  ///
  /// A policy that would rather not is not asked by `renew`: it could not take back what it was told.
  func mayRenew(_ thread: ThreadID, on core: CoreID, at now: Instant) -> Bool {
    if isQueue { return true }
    if !letsLoneThreadsGoOn || needsWorkAhead { return false }
    return object?.keepsCore(thread, core, at: now) ?? true
  }

  /// The quantum of `thread`, the only one that wants `core`, has ended after it ran for `ran`, and it is ready again.
  ///
  /// Returns the thread that begins a quantum there, which must be this one.
  @inline(never)
  mutating func renew(
    _ thread: ThreadID, on core: CoreID, after ran: Nanoseconds, at now: Instant
  ) -> ThreadID? {
    if isQueue { return thread }
    self.ran(thread, for: ran, at: now)
    enqueue(thread, .quantumExpired, by: .none, at: now)
    return dequeue(for: core, at: now)
  }

  /// Whether a lone thread whose quantum has ended goes on at its core, under a policy that binds cores.
  func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool {
    letsLoneThreadsGoOn && object?.keepsCore(thread, core, at: now) ?? false
  }

  /// The core whose thread should have another one that is idle.
  func coreToVacate() -> CoreID? { object?.coreToVacate() }

  /// Whether some running thread should move if the core for it is idle.
  var hasThreadToMove: Bool { movesRunningThreads && object?.hasThreadToMove ?? false }

  /// How many quanta of `thread`, the only one that wants its core, are alike from now on, so that many can be told at
  /// once.
  func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 {
    if !skipsQuanta { return 1 }
    return switch kind {
    case .queue: Int64.max
    case .fixed: fixed.equalQuanta(of: thread, at: now)
    case .fair: fair.equalQuanta(of: thread, at: now)
    case .timeshare: timeshare.equalQuanta(of: thread, at: now)
    case .object: object?.equalQuanta(of: thread, at: now) ?? 1
    }
  }

  /// `thread`, the only one that wanted `core`, has had quanta one after the other, the last until `end`.
  mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    demand(
      count > 0 && quantum > .zero,
      "policy '\(name)' is given \(count) quanta of \(quantum) at once")
    switch kind {
    case .queue: break
    case .fixed: fixed.repeated(thread, on: core, quantum, times: count, until: end)
    case .fair: fair.repeated(thread, on: core, quantum, times: count, until: end)
    case .timeshare: timeshare.repeated(thread, on: core, quantum, times: count, until: end)
    case .object: object?.repeated(thread, on: core, quantum, times: count, until: end)
    }
  }

  /// Until when `thread`, the only one that runs, keeps its core by what the policy knows; `Int64.max` for ever.
  func keepsCoreUntil(_ thread: ThreadID, at now: Instant) -> Int64 {
    // Asked only here: the first such question costs the run-time a look at all types of the program.
    guard skipsQuanta, let steady = object as? any SteadyPolicy else { return now.nanoseconds }
    return steady.keepsCoreUntil(thread, at: now)?.nanoseconds ?? Int64.max
  }

  /// `thread`, the only one that ran, has had quanta that need not be alike; returns the present one.
  mutating func passQuanta(
    from first: LoneQuantum, of thread: ThreadID, on core: CoreID, until moment: Int64
  ) -> LoneQuantum {
    guard var steady = object as? any SteadyPolicy else {
      fatalError("policy '\(name)' is not steady, and gets quanta that are not alike")
    }
    // The policy's tables have one owner, so that they are not copied.
    object = nil
    let present = steady.pass(first, of: thread, on: core, until: moment, &steadySteps)
    object = steady
    return present
  }

  /// The longest that `thread` may keep its core.
  @inline(__always)
  mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    isQueue ? quantum : quantumByPolicy(for: thread)
  }

  @inline(never)
  private mutating func quantumByPolicy(for thread: ThreadID) -> Nanoseconds? {
    switch kind {
    case .queue: quantum
    case .fixed: fixed.quantum(for: thread)
    case .fair: fair.quantum(for: thread)
    case .timeshare: timeshare.quantum(for: thread)
    case .object: object?.quantum(for: thread)
    }
  }

  /// `thread` left its core after running for `ran`.
  @inline(never)
  mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    switch kind {
    case .queue: break
    case .fixed: fixed.ran(thread, for: ran, at: now)
    case .fair: fair.ran(thread, for: ran, at: now)
    case .timeshare: timeshare.ran(thread, for: ran, at: now)
    case .object: object?.ran(thread, for: ran, at: now)
    }
  }

  /// Which running thread is preempted.
  @inline(__always)
  mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    let core = victimUnwatched(among: running, at: now)
    if let watch, core == nil { watch.keeps(running, ranking, at: now) }
    return core
  }

  @inline(__always)
  private mutating func victimUnwatched(among running: RunningThreads, at now: Instant) -> CoreID? {
    switch kind {
    case .queue: nil
    case .fixed: fixed.victim(among: running, at: now)
    case .fair: fair.victim(among: running, at: now)
    case .timeshare: timeshare.victim(among: running, at: now)
    case .object: object?.victim(among: running, at: now)
    }
  }

  /// When the policy wants a tick.
  @inline(__always)
  func nextTick(after now: Instant) -> Instant? {
    switch kind {
    case .queue: nil
    case .fixed: fixed.nextTick(after: now)
    case .fair: fair.nextTick(after: now)
    case .timeshare: timeshare.nextTick(after: now)
    case .object: object?.nextTick(after: now)
    }
  }

  /// Does what the policy does regularly.
  mutating func tick(running: RunningThreads, at now: Instant) {
    switch kind {
    case .queue: break
    case .fixed: fixed.tick(running: running, at: now)
    case .fair: fair.tick(running: running, at: now)
    case .timeshare: timeshare.tick(running: running, at: now)
    case .object: object?.tick(running: running, at: now)
    }
  }
}
