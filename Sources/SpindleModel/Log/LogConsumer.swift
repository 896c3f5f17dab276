/// Something of the library that reads a run while it is made: numbers, verdicts, a digest, a timeline.
///
/// A consumer of your own is a `TimelineConsumer`, to which a `Timeline` passes a run on; a class that only conforms to
/// this protocol receives nothing. A class, since the caller hands it in and reads it out again.
public protocol RunConsumer: AnyObject {}

/// Something that reads a run's log while it is made: metrics, a digest, a text file.
///
/// The log leaves the simulator in chunks, so that a run of any length needs constant memory. In a run
/// without consumers nothing is handed on, and nothing counted. A class, since the caller hands it in and
/// reads it out again.
@usableFromInline package protocol LogConsumer: RunConsumer {
  /// Whether it looks at the entries that only a complete log needs: `arrival`, `waitLimited`,
  /// `priorityChanged`, `handlerEnded`, iterations, and `threadReady` of threads that are neither the
  /// main thread nor real-time ones.
  ///
  /// They are about a third of a busy log. When no consumer of a run looks at them they are counted
  /// and not made. True unless said.
  var needsEveryEntry: Bool { get }
  /// Whether it wants the run to end at the present moment, as at a horizon; looked at after each chunk.
  /// False unless said.
  var stopsRun: Bool { get }
  /// Whether it is to be asked by `look` also while nothing happens. False unless said.
  var mayStopRun: Bool { get }
  /// Time to look whether the run is to end, which `stopsRun` says then: comes after each few million
  /// instructions of a run with a consumer that `mayStopRun`, whatever happens in it. Does nothing unless
  /// said.
  func look()
  /// The run is about to begin.
  func begin(_ run: RunDescription)
  /// The next entries, in order. The buffer is valid during the call only.
  func receive(_ entries: UnsafeBufferPointer<LogEntry>)
  /// The run has ended; all entries have been given.
  func end(_ record: RunRecord)
}

extension LogConsumer {
  @usableFromInline package var needsEveryEntry: Bool { true }
  @usableFromInline package var stopsRun: Bool { false }
  @usableFromInline package var mayStopRun: Bool { false }
  @usableFromInline package func look() {}
}

/// What is known of a run before it begins.
public struct RunDescription {
  /// The program that runs.
  public var program: Program
  /// The machine that it runs on.
  @usableFromInline package var machine: ResolvedMachine
  /// The texts that log entries name by number; grows during the run.
  public var names: NameTable

  /// Creates a description.
  package init(program: Program, machine: ResolvedMachine, names: NameTable) {
    (self.program, self.machine, self.names) = (program, machine, names)
  }
}

/// The machine with every default of its platform filled in.
@usableFromInline package struct ResolvedMachine: Hashable, Sendable {
  /// Whose rules hold.
  @usableFromInline package var platform: Platform
  /// The cores, by number.
  @usableFromInline package var cores: [CoreDescription]
  /// Physical memory.
  @usableFromInline package var memory: ByteCount
  /// The cost profile, as the trace language writes it, without the point.
  @usableFromInline package var costs: String
  /// The policy, as the trace language writes it, without the point.
  @usableFromInline package var policy: String

  /// Creates a machine.
  package init(
    platform: Platform, cores: [CoreDescription], memory: ByteCount, costs: String, policy: String
  ) {
    (self.platform, self.cores, self.memory) = (platform, cores, memory)
    (self.costs, self.policy) = (costs, policy)
  }
}
