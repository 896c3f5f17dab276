/// A write of a variable, or a `record`, with the calls that were going on.
package struct TracedWrite: Hashable, Sendable {
  /// When, in nanoseconds since the start.
  package var time: Int64
  /// The index of the instruction that caused it.
  package var instruction: Int32
  /// The calls, innermost first.
  package var calls: [ActiveCall]

  /// Creates a write.
  package init(time: Int64, instruction: Int32, calls: [ActiveCall]) {
    (self.time, self.instruction, self.calls) = (time, instruction, calls)
  }
}
