/// What ends a run that would not end by itself, and how closely it is watched.
public struct RunLimits: Hashable, Sendable {
  /// How many steps a run may take, instructions and what comes about without one: past it the outcome
  /// is `.stepLimit`.
  public var steps: Int64 = 1_000_000_000
  /// How many of them at most while virtual time stands still: 100 million, or a tenth of all where that is more;
  /// of fewer than 100,000 all.
  package var stepsAtOneInstant: Int64 {
    steps < 100_000 ? Int64.max : min(steps, max(steps / 10, 100_000_000))
  }
  /// The horizon of a trace that states none: one hour.
  public var horizon = Instant(3_600 * 1_000_000_000)
  /// How much a simulated program may hold on the host: objects, items, calls, texts, all together;
  /// past it the outcome is `.crashed`.
  @usableFromInline package var storage = ByteCount.gigabytes(2)
  /// Whether the whole state is checked after every event; slow.
  @usableFromInline package var checksInvariants = false

  /// The standard limits.
  public init() {}
}
