public import SpindleModel

/// Decides which ready thread a core runs next, for how long, and who is preempted.
///
/// The kernel tells a policy what happens to threads and asks it for decisions, always at the end
/// of an instant, when every wake-up of that instant is known. It checks every answer: a thread that
/// is not ready, or an empty quantum, ends the run with the outcome `policyFault`, which says which
/// rule was broken, when, and by which answer. A policy sees virtual time only; it reads no clock, and
/// draws no numbers but from the seed that it is given.
///
/// A policy with one run queue for all cores ignores the core it is asked for, and the kernel puts
/// the thread where it last ran if that core is free. One with a queue for each core sets
/// `bindsCores` and is asked for each idle core in turn.
public protocol SchedulingPolicy: Sendable {
  /// The name, as the trace language has it after the point.
  var name: String { get }
  /// Whether a thread that is given out must run on the core that asked.
  var bindsCores: Bool { get }
  /// Whether a thread whose quantum ends while no other is ready is given out again at once.
  ///
  /// Then it keeps its core, and only the policy is told that a quantum ended and another one begins.
  var letsLoneThreadsGoOn: Bool { get }
  /// Whether it can ever name a victim or want a tick; when not, it need not be asked.
  var canPreempt: Bool { get }
  /// Whether what threads ask for, and how long they ran, can decide anything; when not, it need not be
  /// told: not `admit`, `claimChanged` and `ran`.
  var usesThreadAttributes: Bool { get }
  /// Whether a claim that changes can decide anything; when not, it is not told by `claimChanged`, and nobody
  /// is preempted because of it.
  var heedsClaims: Bool { get }
  /// Not nil where threads are given out in the order in which they were enqueued, to any core, and each
  /// with the same quantum; then the kernel may keep the queue itself.
  var inOrder: InOrder? { get }

  /// Whether it must know how long threads will compute: an oracle, which no real system has.
  ///
  /// Then it is told by `workAhead` before each thread that becomes ready is enqueued, which happens only at
  /// the end of the instant, and for all that run before it is asked for a victim. A program whose
  /// future can't be known ends with a sentence that says where.
  var needsWorkAhead: Bool { get }
  /// Whether it may take a thread from its core because another one is idle, though no thread is ready.
  ///
  /// Then, whenever a thread has left its core or its claim has changed, and `hasThreadToMove`, it is asked for
  /// a `coreToVacate`, whose thread gets ready at once.
  var movesRunningThreads: Bool { get }
  /// Whether some thread should move if the core for it is idle.
  var hasThreadToMove: Bool { get }

  /// The machine has `coreCount` cores; called once, before anything else.
  mutating func begin(coreCount: Int)
  /// The same, with the seed of the run, for a policy that draws; it has to draw from a stream of its own.
  mutating func begin(coreCount: Int, seed: UInt64)
  /// The same, for a policy that looks at what the cores are like.
  mutating func begin(cores: [CoreDescription], seed: UInt64)
  /// `thread` exists from now on, with this claim; it is not ready yet.
  mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim)
  /// The claim of `thread` has changed; it may be ready, running or waiting.
  mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant)
  /// A job of the real-time `thread` begins, which counts from `released` on and has to be done at `deadline`;
  /// told before the thread is enqueued.
  mutating func jobBegins(
    _ thread: ThreadID, released: Instant, deadline: Instant, at now: Instant)
  /// Takes in `thread`, which became ready at `now`.
  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant)
  /// The same, with the thread that made it ready, `.none` for the world outside or its own timer.
  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, by: ThreadID, at now: Instant)
  /// `thread` has this much work ahead of it, at speed 1, until it next may wait; costs are not in it.
  mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant)
  /// Gives out the thread that `core` runs next, or nil to leave the core idle.
  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID?
  /// The longest that `thread`, just given out, may keep its core; nil lets it run until it blocks.
  mutating func quantum(for thread: ThreadID) -> Nanoseconds?
  /// `thread` left its core, or reached the end of its quantum, after running for `ran`.
  mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant)
  /// Which of the running threads is preempted by a ready one; nil when none is.
  ///
  /// `running` has the thread and the time of its dispatch for each core, `.none` where it is idle.
  mutating func victim(among running: RunningThreads, at now: Instant) -> CoreID?
  /// The core whose thread should have another one that is idle; nil for none.
  func coreToVacate() -> CoreID?
  /// When the policy wants `tick` to be called, asked whenever a thread becomes ready; nil for never.
  func nextTick(after now: Instant) -> Instant?
  /// Does what the policy does regularly; called at the instant that `nextTick` gave.
  mutating func tick(running: RunningThreads, at now: Instant)
  /// Whether `thread`, whose quantum has ended while no other is ready, goes on at its core; asked only of a
  /// policy that `letsLoneThreadsGoOn`.
  func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool
  /// How many quanta of `thread`, the only one that wants its core, are alike, from the one on that begins now:
  /// all of them but the last can be told at once, by `repeated`. `Int64.max` where they are all, 1 for none but this one.
  func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64
  /// `thread`, the only one that wanted `core`, has had `count` quanta one after the other, the last
  /// until `end`; comes to the same as being told of each by `ran`, `enqueue` and `dequeue`.
  mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant)
}

/// What a policy says of itself allows the kernel to skip calls. Whoever says nothing is right: it is told
/// and asked everything.
extension SchedulingPolicy {
  public var bindsCores: Bool { false }
  public var letsLoneThreadsGoOn: Bool { !bindsCores }
  public var canPreempt: Bool { true }
  public var usesThreadAttributes: Bool { true }
  public var heedsClaims: Bool { usesThreadAttributes }
  public var inOrder: InOrder? { nil }
  public var needsWorkAhead: Bool { false }
  public var movesRunningThreads: Bool { false }
  public var hasThreadToMove: Bool { true }
  public func keepsCore(_ thread: ThreadID, _ core: CoreID, at now: Instant) -> Bool { true }
  public mutating func begin(coreCount: Int) {}
  public mutating func begin(coreCount: Int, seed: UInt64) { begin(coreCount: coreCount) }
  public mutating func begin(cores: [CoreDescription], seed: UInt64) {
    begin(coreCount: cores.count, seed: seed)
  }
  public mutating func enqueue(
    _ thread: ThreadID, _ cause: ReadyCause, by: ThreadID, at now: Instant
  ) { enqueue(thread, cause, at: now) }
  public mutating func workAhead(of thread: ThreadID, is work: Nanoseconds, at now: Instant) {}
  public mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {}
  public mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {}
  public mutating func jobBegins(
    _ thread: ThreadID, released: Instant, deadline: Instant, at now: Instant
  ) {}
  public mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {}
  public func victim(among running: RunningThreads, at now: Instant) -> CoreID? { nil }
  public func coreToVacate() -> CoreID? { nil }
  public func nextTick(after now: Instant) -> Instant? { nil }
  public mutating func tick(running: RunningThreads, at now: Instant) {}
  public func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { 1 }
  public mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    for left in (0..<count).reversed() {
      let now = Instant(end.nanoseconds - left * quantum.rawValue)
      ran(thread, for: quantum, at: now)
      enqueue(thread, .quantumExpired, at: now)
      // A policy that loses the thread here is found out when it next returns one.
      _ = dequeue(for: core, at: now)
    }
  }
}

/// How threads run that are given out in the order in which they were enqueued.
public struct InOrder: Hashable, Sendable {
  /// The longest that each may keep its core; nil lets it run until it blocks.
  public var quantum: Nanoseconds?

  /// Creates a description.
  public init(quantum: Nanoseconds?) { self.quantum = quantum }
}

/// What a thread asks of the scheduler.
public struct ThreadClaim: Hashable, Sendable {
  /// The base priority, 0 to 127, what it inherits included; more is more urgent.
  public var priority: Int
  /// Whether it is of the background quality of service.
  public var isBackground: Bool
  /// What it asks for as a real-time thread; nil for an ordinary one.
  public var realtime: RealtimeClaim?
  /// Its share of the machine among others, 1 to 1,000: a thousandth of a `threadPriority` of 1.0 each.
  ///
  /// A priority that comes from elsewhere, a quality of service or who waits for the thread, counts as the
  /// `threadPriority` that gives it.
  public var tickets: Int64

  /// Its nice value, from -20 to 19, of which less is more; one that nobody set follows from the priority.
  public var nice: Int
  /// The real-time class of POSIX that it asked for; nil for none.
  public var posix: PosixClaim?

  /// The priority of every real-time thread.
  ///
  /// Source: xnu:osfmk/kern/sched.h, BASEPRI_RTQUEUES.
  public static let realtimePriority = 97

  /// Whether its priority is that of a real-time thread, its own or one that it inherits.
  public var isUrgent: Bool { priority >= Self.realtimePriority }

  /// Creates a claim.
  public init(
    priority: Int, isBackground: Bool, realtime: RealtimeClaim? = nil, tickets: Int64 = 500,
    nice: Int? = nil, posix: PosixClaim? = nil
  ) {
    (self.priority, self.isBackground, self.realtime) = (priority, isBackground, realtime)
    (self.tickets, self.posix) = (tickets, posix)
    self.nice = nice ?? NiceValues.nice(ofPriority: priority)
  }
}

/// What a real-time thread asks for.
public struct RealtimeClaim: Hashable, Sendable {
  /// How long it is at least from one wake to the next.
  public var period: Nanoseconds
  /// How long it computes after each wake.
  public var computation: Nanoseconds
  /// How long after a wake it has to be done.
  public var constraint: Nanoseconds

  /// Creates a claim; without a period, or with none that is more than 0, the constraint is it.
  public init(period: Nanoseconds = .zero, computation: Nanoseconds, constraint: Nanoseconds) {
    (self.computation, self.constraint) = (computation, constraint)
    self.period = period > .zero ? period : max(constraint, Nanoseconds(1))
  }
}

/// How a thread became ready.
public enum ReadyCause: Hashable, Sendable, BitwiseCopyable {
  /// It was just started.
  case started
  /// What it waited for has happened.
  case woken
  /// It used up its quantum.
  case quantumExpired
  /// It was preempted, with this much of its quantum left.
  case preempted(left: Nanoseconds?)
  /// It gave its core up itself.
  case yielded
}

/// The threads that have cores.
public struct RunningThreads {
  private let cores: UnsafePointer<CoreRecord>
  /// How many cores there are.
  public let count: Int

  init(cores: UnsafePointer<CoreRecord>, count: Int) {
    (self.cores, self.count) = (cores, count)
  }

  /// The thread that has the core, `.none` when it is idle or there is no such core.
  @inline(__always)
  public subscript(core: Int) -> ThreadID {
    has(core) ? cores[core].thread : .none
  }

  /// When the core got its thread; the start where there is no such core.
  @inline(__always)
  public func since(_ core: Int) -> Instant { has(core) ? Instant(cores[core].dispatched) : .start }

  @inline(__always)
  private func has(_ core: Int) -> Bool { UInt(bitPattern: core) < UInt(bitPattern: count) }
}
