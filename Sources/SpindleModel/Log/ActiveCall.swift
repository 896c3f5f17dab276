/// A call that is going on when something happens.
package struct ActiveCall: Hashable, Sendable {
  /// The function, as the trace has it: `Room.leave`, `main`, `closure`.
  package var function: String
  /// Where it has come to: what happens, or the call of the one before.
  package var place: SourceRange
  /// Whether it is a `deinit`, which nobody called: the one behind it released the last reference.
  package var isDeinit: Bool

  /// Creates a call.
  package init(function: String, place: SourceRange, isDeinit: Bool) {
    (self.function, self.place, self.isDeinit) = (function, place, isDeinit)
  }
}
