public import SpindleModel

/// The numbers of one run.
public struct RunMetrics: Hashable, Sendable {
  /// How the run ended.
  public var outcome: Outcome
  /// Which rule the policy broke, where that ended the run.
  package var policyFault: PolicyFault?
  /// What is known of a crash beside its message; nil when it did not crash.
  package var crash: CrashReport?
  /// When it ended.
  package var end: Instant
  /// When the last code of the trace or the last work ended.
  public var makespan: Instant
  /// How many instructions were run.
  package var steps: Int64 = 0
  /// How many scheduling events there were.
  package var schedulingEvents: Int64 = 0
  /// How many log entries there were.
  package var entries: Int64 = 0

  /// How many threads there were, the main thread included.
  public var threadsCreated: Int64 = 0
  /// How many lived at the same time, at most.
  public var threadsPeak: Int64 = 0
  /// How many were alive at the end.
  package var threadsLive: Int64 = 0
  /// How many items ran on a thread that had run another item before.
  package var threadsReused: Int64 = 0
  /// The most memory that was in use.
  public var memoryPeak = ByteCount.zero
  /// The most that the stacks of living threads reserved, used or not.
  package var reservedPeak = ByteCount.zero

  /// Times that a core switched to another thread since the previous one waited, ended or gave up its core;
  /// the first thread that a core runs counts here.
  package var switchesVoluntary: Int64 = 0
  /// Times that a core switched to another thread since the previous one was preempted.
  package var switchesForced: Int64 = 0
  /// Times that a thread continued on another core than before.
  public var migrations: Int64 = 0
  /// How many of these went to a core of another cluster, which has another last-level cache.
  package var clusterMigrations: Int64 = 0
  /// Times that a thread had to fill its core's caches anew, where that costs something.
  package var cacheRefills: Int64 = 0
  /// What that cost all of them together, in time of a core of speed 1.
  package var cacheRefillTime = Nanoseconds.zero

  /// The cores, by number.
  package var cores: [CoreMetrics] = []
  /// The share of the cores' time up to `span` that work and costs took.
  public var utilization = Percentage.zero
  /// What the cores drew up to `span`, in picojoules; nil where no core has a power.
  ///
  /// Each has one power while it works or pays costs, and one while it is idle. What does not fit is the
  /// largest number.
  package var energy: Int64?
  /// The share of the used time that costs took.
  public var overheadShare = Percentage.zero

  /// The kinds of work, the one with the longest latencies together first.
  package var kinds: [KindMetrics] = []
  /// What work from outside asks of each kind of core; empty where there is one kind, or nothing comes.
  package var coreLoads: [CoreLoad] = []
  /// All items together, those without a kind included: completion blocks, finalizers.
  package var items = KindMetrics(pattern: "*", isNamed: false)

  /// What the trace sampled, by key, in the order of the first samples.
  package var samples: [SampleMetrics] = []

  /// The longest time in which the main thread could not answer.
  ///
  /// It lasts from when the thread is made or woken until its run loop sleeps (again) in a common mode, or
  /// it ends, or the run does. Time in which it waits for a core or blocks counts, time in which the
  /// machine sleeps does not. The finding `mainThreadHang` is one of 250 ms or more, in an app.
  public var mainLongestStall = Nanoseconds.zero
  /// The deadlines of real-time threads; nil when there was no such thread.
  package var deadlines: DeadlineMetrics?
  /// What could be known ahead of threads that do jobs; nil where nothing could.
  package var realtime: RealtimeReport?
  /// The locks and semaphores, the one that was waited for longest first.
  package var locks: [LockMetrics] = []
  /// The actors of tasks, the main actor too, the one with the longest queueing first.
  package var actors: [ActorMetrics] = []
  /// The accelerators that were asked for anything, in the order in which they first were.
  package var accelerators: [AcceleratorMetrics] = []
  /// Jain's index of the processor time of all threads but main; nil when none had any.
  ///
  /// It is 1 when all had the same, and 1/n when one of n had all. Source: Jain, Chiu and Hawe, DEC-TR-301, 1984.
  package var fairness: Double?
  /// What a developer should know.
  public var findings: [Finding] = []
  /// The number of findings of each kind, including those that are not listed.
  package var findingCounts: [RunRecord.FindingCount] = []

  /// Creates the numbers of a run in which nothing happened.
  package init(outcome: Outcome, end: Instant, makespan: Instant) {
    (self.outcome, self.end, self.makespan) = (outcome, end, makespan)
  }

  /// Context switches of both sorts.
  public var switches: Int64 { switchesVoluntary + switchesForced }

  /// The time that shares are of: up to the makespan, or up to the end where nothing was done.
  package var span: Nanoseconds {
    Nanoseconds(makespan > .start ? makespan.nanoseconds : end.nanoseconds)
  }

  /// How long the window of the run is; nil where all of it is meant.
  package var windowSpan: Nanoseconds?

  /// The time that rates are of: the window, or the span.
  package var measuredSpan: Nanoseconds { windowSpan ?? span }

  /// The used share of the cores' time in a window of the run; nil where all of it is meant.
  package var windowUse: FixedDecimal?

  /// The used share of the cores' time, from 0.0 to 1.0, to nine digits.
  package var usedShare: FixedDecimal {
    if let windowUse { return windowUse }
    let whole = Int128(span.rawValue) * Int128(cores.count)
    guard whole > 0 else { return FixedDecimal(billionths: 0) }
    let used = cores.reduce(Int128(0)) {
      $0 + Int128($1.busy.rawValue) + Int128($1.overhead.rawValue)
    }
    let share = (Swift.min(used, whole) * Int128(FixedDecimal.scale) + whole / 2) / whole
    return FixedDecimal(billionths: Int64(share))
  }

  /// The program's own work on all cores, in nanoseconds; what does not fit is the largest number.
  package var work: Int64 {
    Int64(clamping: cores.reduce(Int128(0)) { $0 + Int128($1.busy.rawValue) })
  }

  /// Items that ended in a second of the span; nil when the span is empty.
  public var throughput: Double? {
    guard span > .zero else { return nil }
    return Double(items.latency.count) * 1e9 / Double(span.rawValue)
  }
}

/// How one core was used.
package struct CoreMetrics: Hashable, Sendable {
  /// Time in the program's own work.
  package var busy: Nanoseconds
  /// Time that costs took.
  package var overhead: Nanoseconds
  /// The rest of the span.
  package var idle: Nanoseconds
  /// The share of the span that work and costs took, at most the whole.
  package var utilization: Percentage

  /// Creates the numbers of a core that was used for `use` in `span`.
  package init(_ use: RunRecord.CoreUse, span: Nanoseconds) {
    (busy, overhead) = (use.busy, use.overhead)
    let used = use.busy.rawValue + use.overhead.rawValue
    idle = Nanoseconds(Swift.max(0, span.rawValue - used))
    utilization = Percentage(Swift.min(used, span.rawValue), of: span.rawValue)
  }
}

/// The numbers of one kind of work.
package struct KindMetrics: Hashable, Sendable {
  /// The name's literal with `*` for what varies, or what submits nameless work.
  package var pattern: String
  /// Whether the trace gave the name.
  package var isNamed: Bool
  /// The number of submitted items.
  package var submitted: Int64 = 0
  /// How many items began.
  package var count: Int64 = 0
  /// From submission to start.
  package var wait = LatencyDistribution()
  /// From the beginning to the end.
  package var service = LatencyDistribution()
  /// From submission to end.
  package var latency = LatencyDistribution()
  /// How many ran at the same time, at most: begun and not ended.
  package var runningPeak: Int64 = 0
  /// The most items that waited at the same time: submitted and not begun.
  package var waitingPeak: Int64 = 0
  /// How it came from outside; nil where it did not, over a time.
  package var arrivals: ArrivalMetrics?

  /// Creates the numbers of a kind without items.
  package init(pattern: String, isNamed: Bool) {
    (self.pattern, self.isNamed) = (pattern, isNamed)
  }
}

/// How well real-time threads met their deadlines, all of them together.
package struct DeadlineMetrics: Hashable, Sendable {
  /// How many threads became real-time.
  package var threads: Int64 = 0
  /// How often a real-time thread woke or was started, and so had a deadline.
  package var count: Int64 = 0
  /// How often one did not wait again, or end, before its deadline.
  package var missed: Int64 = 0
  /// How long after its deadline one was done, at the latest.
  package var greatestLateness = Nanoseconds.zero

  /// Creates the numbers of threads that never woke.
  package init() {}
}

/// How an actor was used; those of one name count together.
package struct ActorMetrics: Hashable, Sendable {
  /// Lengths of time, added up.
  package struct Times: Hashable, Sendable {
    /// How many there were.
    package private(set) var count: Int64 = 0
    /// All together; what does not fit is the largest number.
    package private(set) var total = Nanoseconds.zero
    /// The longest.
    package private(set) var longest = Nanoseconds.zero

    mutating func add(_ length: Int64) {
      count += 1
      let (sum, isTooLarge) = total.rawValue.addingReportingOverflow(length)
      total = Nanoseconds(isTooLarge ? .max : sum)
      longest = Swift.max(longest, Nanoseconds(length))
    }
  }

  /// Its name.
  package var name: String
  /// How often a task came to it: the hops.
  package var turns: Int64 = 0
  /// How long tasks were queued for it, by their priority, the lowest first.
  package var waits: [Times] = TaskPriority.allCases.map { _ in Times() }
  /// How long tasks had it at a time.
  package var held = Times()

  /// Creates the numbers of an unused actor.
  package init(name: String) { self.name = name }

  /// How long tasks were queued for it, all together.
  package var totalWait: Nanoseconds {
    let sum = waits.reduce(Int128(0)) { $0 + Int128($1.total.rawValue) }
    return Nanoseconds(Int64(clamping: sum))
  }
}

/// How an accelerator was used; those of one name count together.
package struct AcceleratorMetrics: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// How long the requests took that it began: launch, transfer and work.
  package var served = ActorMetrics.Times()
  /// How long the requests that it served were queued.
  package var waited = ActorMetrics.Times()

  /// Creates the numbers of an unused accelerator.
  package init(name: String) { self.name = name }
}

/// How much a lock or semaphore was fought for; those of one name count together.
package struct LockMetrics: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// How often it was taken, or let a thread pass.
  package var acquisitions: Int64
  /// How often a thread had to wait for it.
  package var waits: Int64
  /// The sum of these waits; one that lasts when the run ends counts up to the end.
  package var totalWait: Nanoseconds
  /// The longest of these waits.
  package var longestWait: Nanoseconds
  /// How many of these waits last when the run ends: of a deadlock, that have no end.
  package var unfinishedWaits: Int64
  /// Whether these were waits for more than one lock of the name, as each instance of a class may have one.
  package var isSeveral: Bool
}
