public import SpindleModel

/// Whether one expectation of a trace held in a run, and what was seen.
public struct Verdict: Hashable, Sendable {
  /// The expectation as the trace writes it, with every stretch of white space as one space.
  public var text: String
  /// Where it stands in the trace.
  public var place: SourceRange
  /// Whether it held.
  public var holds: Bool
  /// What was seen instead, in one or more lines; empty when it held.
  public var seen: String

  /// Creates a verdict.
  public init(text: String, place: SourceRange, holds: Bool, seen: String) {
    (self.text, self.place, self.holds, self.seen) = (text, place, holds, seen)
  }
}
