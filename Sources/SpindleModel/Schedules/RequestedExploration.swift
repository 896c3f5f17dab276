/// What the `explore` block of a trace asks of its test.
package struct RequestedExploration: Hashable, Sendable {
  /// How many runs at most; nil for as many as the test's options say.
  package var runs: Int?
  /// How many reversals a schedule may have; nil for any number.
  package var reversals: Int?
  /// How long a thread may be held; nil for any time.
  package var late: Nanoseconds?
  /// Where the block stands.
  package var place: SourceRange

  /// Creates a request.
  package init(
    runs: Int? = nil, reversals: Int? = nil, late: Nanoseconds? = nil, place: SourceRange
  ) {
    (self.runs, self.reversals, self.late, self.place) = (runs, reversals, late, place)
  }
}
