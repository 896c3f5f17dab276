/// What is known of a run when it has ended, beside its log.
public struct RunRecord: Sendable {
  /// The machine that it ran on, with the policy that it had.
  @usableFromInline package var machine: ResolvedMachine
  /// How it ended.
  public var outcome: Outcome
  /// What is known of a crash beside its message; nil when it did not crash, and of a log that was read.
  package var crash: CrashReport?
  /// Which rule the policy broke, where that ended the run; nil otherwise, and of a log that was read.
  public var policyFault: PolicyFault?
  /// When it ended.
  public var end: Instant
  /// When the last code of the trace or the last work ended; idling and housekeeping do not count.
  public var makespan: Instant
  /// What should be known, in the order in which it was found.
  public var findings: [Finding]
  /// How many there were of each kind that was found, in the order of the kinds.
  ///
  /// A run may find more than it tells: of each kind the first ``toldFindings`` are in ``findings``.
  @usableFromInline package var findingCounts: [FindingCount] = []
  /// How many instructions were run.
  package var steps: Int64
  /// How many scheduling events there were: threads that got, lost or gave up a core, or were woken.
  @usableFromInline package var schedulingEvents: Int64
  /// How many entries its log has, those included that no consumer needed; 0 when nobody read it.
  @usableFromInline package var entries: Int64 = 0
  /// How many threads were alive at the end.
  @usableFromInline package var liveThreads: Int
  /// What could be known ahead of threads that do jobs; nil where nothing could.
  @usableFromInline package var realtime: RealtimeReport?
  /// What the policy decided against threads that could run; nil unless that was asked for.
  package var policyReport: PolicyReport?
  /// Work that was done, and time that costs took, on each core.
  @usableFromInline package var cores: [CoreUse]
  /// How long all input and output takes together that began; what does not fit is the longest time.
  package var inputTime = Nanoseconds.zero
  /// The lines of its schedule that were not kept.
  package var scheduleFaults: [ScheduleFault] = []
  /// The values of the top level, by `GlobalID`.
  package var globals: [Int64]
  /// The elements of those of them that are arrays, by `GlobalID`.
  package var globalArrays: [[Int64]]
  /// Why values that expectations compute at the end have none, by `GlobalID`.
  package var finalFaults: [Int: String] = [:]
  /// The writes of variables and each `record` with the calls that were going on, in the order of the run; empty unless
  /// they were asked for.
  package var tracedWrites: [TracedWrite] = []
  /// Where each operation was in its life, by the number that a value of the trace holds.
  package var operationStates: [OperationState]
  /// The names of objects that globals hold, by `GlobalID` and index; empty texts for others.
  package var objectNames: [[String]]

  /// How many findings of one kind a run tells; more are only counted.
  @usableFromInline package static let toldFindings = 100

  /// How many findings of a kind there were.
  @usableFromInline package struct FindingCount: Hashable, Sendable {
    /// The kind.
    @usableFromInline package var kind: Finding.Kind
    /// How many, at least 1.
    @usableFromInline package var count: Int

    /// Creates a count.
    package init(kind: Finding.Kind, count: Int) { (self.kind, self.count) = (kind, count) }
  }

  /// How long a core was used.
  @usableFromInline package struct CoreUse: Hashable, Sendable {
    /// Time in the program's own work.
    @usableFromInline package var busy: Nanoseconds
    /// Time that costs took: switches, wake-ups, calls.
    @usableFromInline package var overhead: Nanoseconds

    /// Creates a use.
    package init(busy: Nanoseconds, overhead: Nanoseconds) {
      (self.busy, self.overhead) = (busy, overhead)
    }
  }

  /// Creates a record.
  package init(on machine: ResolvedMachine, outcome: Outcome, end: Instant, makespan: Instant) {
    self.machine = machine
    (self.outcome, self.end, self.makespan) = (outcome, end, makespan)
    (findings, steps, schedulingEvents, liveThreads) = ([], 0, 0, 0)
    (cores, globals, globalArrays, objectNames, operationStates) = ([], [], [], [], [])
  }
}
