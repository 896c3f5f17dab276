/// A stretch of a trace's text, as UTF-8 offsets; line and column are computed only to be shown.
public struct SourceRange: BitwiseCopyable, Hashable, Sendable {
  /// The offset of the first byte.
  @usableFromInline package var lowerBound: Int32
  /// The offset behind the last byte.
  @usableFromInline package var upperBound: Int32

  /// Creates the range from `lowerBound` up to, not including, `upperBound`.
  @inlinable
  package init(_ lowerBound: Int, _ upperBound: Int) {
    self.lowerBound = Int32(lowerBound)
    self.upperBound = Int32(upperBound)
  }

  /// How many bytes it spans.
  @usableFromInline package var count: Int { Int(upperBound - lowerBound) }

  /// The smallest range that holds both.
  @inlinable
  package func union(_ other: SourceRange) -> SourceRange {
    SourceRange(
      Int(min(lowerBound, other.lowerBound)), Int(max(upperBound, other.upperBound)))
  }
}
