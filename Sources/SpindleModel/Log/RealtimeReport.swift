/// What can be said ahead of the threads of a run that do jobs, beside what was seen of them.
///
/// There is one where all real-time threads do jobs, and the policy is one whose order has a test.
@usableFromInline package struct RealtimeReport: Hashable, Sendable {
  /// One for each thread, in the order in which they were made.
  @usableFromInline package var threads: [Thread]
  /// One for each core that has threads of its own, or one for the line of all cores.
  @usableFromInline package var tests: [Test]

  /// A thread that does jobs.
  @usableFromInline package struct Thread: Hashable, Sendable {
    /// What it is called.
    @usableFromInline package var name: String
    /// The core that its jobs are placed on; nil where any may have them.
    @usableFromInline package var core: Int?
    /// The least time between two arrivals.
    @usableFromInline package var period: Nanoseconds
    /// How long a job computes, by its own saying.
    @usableFromInline package var computation: Nanoseconds
    /// How long after its arrival a job has to be done.
    @usableFromInline package var deadline: Nanoseconds
    /// The longest time from an arrival to the end of the job, found ahead; nil where there is none to find.
    @usableFromInline package var bound: Nanoseconds?
    /// The longest that was seen.
    @usableFromInline package var seen: Nanoseconds
    /// How many jobs have ended.
    @usableFromInline package var jobs: Int64
    /// How many of them too late.
    @usableFromInline package var missed: Int64
    /// Whether its jobs computed no longer than it says, came as it says, and waited for nothing else; where
    /// nobody looked at that by thread, true.
    package var keepsItsWord = true

    /// Creates a thread that has done nothing.
    package init(
      name: String, core: Int?, period: Nanoseconds, computation: Nanoseconds, deadline: Nanoseconds
    ) {
      (self.name, self.core, self.period) = (name, core, period)
      (self.computation, self.deadline) = (computation, deadline)
      (bound, seen, jobs, missed) = (nil, .zero, 0, 0)
    }
  }

  /// What tests say of the threads of one core, or of all.
  @usableFromInline package struct Test: Hashable, Sendable {
    /// Which core; nil for all.
    @usableFromInline package var core: Int?
    /// How much of a core its threads ask for, in millionths, rounded up.
    @usableFromInline package var utilization: Int64
    /// Up to how much any such set is in time, in millionths, rounded down; nil where nothing is known.
    @usableFromInline package var enough: Int64?
    /// Who says so.
    @usableFromInline package var source: String
    /// Whether all are in time by the exact test; nil where there is none, or it would take too long.
    @usableFromInline package var isInTime: Bool?
    /// Whether that holds for each thread that computes as it says, whatever others do: they have servers.
    @usableFromInline package var isIsolated = false

    /// Creates a test.
    package init(
      core: Int?, utilization: Int64, enough: Int64?, source: String, isInTime: Bool?
    ) {
      (self.core, self.utilization, self.enough) = (core, utilization, enough)
      (self.source, self.isInTime) = (source, isInTime)
    }
  }

  /// Creates a report.
  package init(threads: [Thread], tests: [Test]) { (self.threads, self.tests) = (threads, tests) }
}
