import SpindleModel

/// The policy of a run: one of the catalogue's is called directly, any other through its protocol.
///
/// A scheduling event asks its policy several times, and a call through `any` costs a few times as
/// much as what a simple policy does in it. The simplest two, which differ in the length of a turn
/// only, are a line in raw memory. A policy that has no row here works all the same.
struct ActivePolicy: ~Copyable {
  /// The policy's name.
  let name: String
  /// Whether a thread that is given out must run on the core that asked.
  let bindsCores: Bool
  /// Whether it can want a thread to give way, or a tick: turns in order never do.
  let preempts: Bool
  /// Whether it looks at what threads ask for and have had: turns in order do not.
  let heedsClaims: Bool
  private let kind: Kind
  /// Who is ready, of the two policies that keep a line and nothing else.
  private var line: ThreadLine
  /// How long who comes from that line may keep a core; nil for as long as it likes.
  private var turn: Nanoseconds?
  private var fixed = FixedPriority(quantum: nil)
  private var fair = FairShare(slice: Nanoseconds(1))
  private var timeshare = Timeshare(quantum: Nanoseconds(1))
  private var other: (any SchedulingPolicy)?

  private enum Kind { case line, fixed, fair, timeshare, other }

  /// Takes in a policy that has not begun.
  init(
    _ policy: any SchedulingPolicy, lineRoom: Int = StructureSizes.standard.readyRoom
  ) {
    line = ThreadLine(room: lineRoom)
    (name, bindsCores) = (policy.name, policy.bindsCores)
    preempts = !(policy is FirstInFirstOut || policy is RoundRobin)
    switch policy {
    case is FirstInFirstOut: kind = .line
    case let policy as RoundRobin: (kind, turn) = (.line, policy.quantum)
    case let policy as FixedPriority: (kind, fixed) = (.fixed, policy)
    case let policy as FairShare: (kind, fair) = (.fair, policy)
    case let policy as Timeshare: (kind, timeshare) = (.timeshare, policy)
    default: (kind, other) = (.other, policy)
    }
    heedsClaims = kind != .line
  }

  /// The machine has `coreCount` cores.
  mutating func begin(coreCount: Int) {
    switch kind {
    case .line: break
    case .fixed: fixed.begin(coreCount: coreCount)
    case .fair: fair.begin(coreCount: coreCount)
    case .timeshare: timeshare.begin(coreCount: coreCount)
    case .other: other?.begin(coreCount: coreCount)
    }
  }

  /// `thread` exists from now on.
  mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    switch kind {
    case .line: break
    case .fixed: fixed.admit(thread, claim)
    case .fair: fair.admit(thread, claim)
    case .timeshare: timeshare.admit(thread, claim)
    case .other: other?.admit(thread, claim)
    }
  }

  /// The claim of `thread` has changed.
  mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    switch kind {
    case .line: break
    case .fixed: fixed.claimChanged(thread, claim, at: now)
    case .fair: fair.claimChanged(thread, claim, at: now)
    case .timeshare: timeshare.claimChanged(thread, claim, at: now)
    case .other: other?.claimChanged(thread, claim, at: now)
    }
  }

  /// Takes in `thread`, which got ready.
  @inline(__always)
  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    if heedsClaims { return enqueueByClaim(thread, cause, at: now) }
    line.append(thread.index)
  }

  @inline(never)
  private mutating func enqueueByClaim(
    _ thread: ThreadID, _ cause: ReadyCause, at now: Instant
  ) {
    switch kind {
    case .line: break
    case .fixed: fixed.enqueue(thread, cause, at: now)
    case .fair: fair.enqueue(thread, cause, at: now)
    case .timeshare: timeshare.enqueue(thread, cause, at: now)
    case .other: other?.enqueue(thread, cause, at: now)
    }
  }

  /// Gives out the thread that `core` runs next.
  @inline(__always)
  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    heedsClaims ? dequeueByClaim(for: core, at: now) : line.popFirst()
  }

  @inline(never)
  private mutating func dequeueByClaim(for core: CoreID, at now: Instant) -> ThreadID? {
    switch kind {
    case .line: nil
    case .fixed: fixed.dequeue(for: core, at: now)
    case .fair: fair.dequeue(for: core, at: now)
    case .timeshare: timeshare.dequeue(for: core, at: now)
    case .other: other?.dequeue(for: core, at: now)
    }
  }

  /// The quantum of `thread`, the only one that wants `core`, has ended after it ran for `ran`.
  ///
  /// Returns whether it begins another one there. A policy of the catalogue lets it, and one that would
  /// rather not is not asked: it could not take back what it was told.
  @inline(never)
  mutating func renews(
    _ thread: ThreadID, on core: CoreID, after ran: Nanoseconds, at now: Instant
  ) -> Bool {
    if kind == .line { return true }
    if kind == .other && !(other?.letsLoneThreadsGoOn ?? false) { return false }
    self.ran(thread, for: ran, at: now)
    enqueue(thread, .quantumExpired, at: now)
    let next = dequeue(for: core, at: now)
    demand(next == thread, "policy '\(name)' gives out no thread while one is ready")
    return true
  }

  /// Whether one quantum of `thread`, the only one that wants its core, is like the other, so that many
  /// can be told at once.
  func repeatsQuanta(of thread: ThreadID) -> Bool {
    switch kind {
    case .line, .fixed, .fair: true
    case .timeshare: timeshare.repeatsQuanta(of: thread)
    case .other: false
    }
  }

  /// `thread`, the only one that wanted its core, has had quanta one after the other, the last until
  /// `end`.
  mutating func repeated(
    _ thread: ThreadID, _ quantum: Nanoseconds, times count: Int64, until end: Instant
  ) {
    switch kind {
    case .line, .fixed, .other: break
    case .fair: fair.repeated(thread, quantum, times: count)
    case .timeshare: timeshare.repeated(thread, quantum, times: count, until: end)
    }
  }

  /// How long `thread` may keep its core.
  @inline(__always)
  mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    heedsClaims ? quantumByClaim(for: thread) : turn
  }

  @inline(never)
  private mutating func quantumByClaim(for thread: ThreadID) -> Nanoseconds? {
    switch kind {
    case .line: turn
    case .fixed: fixed.quantum(for: thread)
    case .fair: fair.quantum(for: thread)
    case .timeshare: timeshare.quantum(for: thread)
    case .other: other?.quantum(for: thread)
    }
  }

  /// `thread` left its core after running for `ran`.
  @inline(never)
  mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    switch kind {
    case .line: break
    case .fixed: fixed.ran(thread, for: ran, at: now)
    case .fair: fair.ran(thread, for: ran, at: now)
    case .timeshare: timeshare.ran(thread, for: ran, at: now)
    case .other: other?.ran(thread, for: ran, at: now)
    }
  }

  /// Which running thread must give way.
  @inline(__always)
  func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    switch kind {
    case .line: nil
    case .fixed: fixed.victim(among: running, at: now)
    case .fair: fair.victim(among: running, at: now)
    case .timeshare: timeshare.victim(among: running, at: now)
    case .other: other?.victim(among: running, at: now)
    }
  }

  /// When the policy wants a tick.
  @inline(__always)
  func nextTick(after now: Instant) -> Instant? {
    switch kind {
    case .line: nil
    case .fixed: fixed.nextTick(after: now)
    case .fair: fair.nextTick(after: now)
    case .timeshare: timeshare.nextTick(after: now)
    case .other: other?.nextTick(after: now)
    }
  }

  /// Does what the policy does regularly.
  mutating func tick(running: RunningThreads, at now: Instant) {
    switch kind {
    case .line: break
    case .fixed: fixed.tick(running: running, at: now)
    case .fair: fair.tick(running: running, at: now)
    case .timeshare: timeshare.tick(running: running, at: now)
    case .other: other?.tick(running: running, at: now)
    }
  }
}
