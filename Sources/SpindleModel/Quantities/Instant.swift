/// A moment of virtual time: nanoseconds since the run began.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the run began.
  public var nanoseconds: Int64

  /// Creates the moment `nanoseconds` after the start of the run.
  @inlinable
  package init(_ nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment at which the run begins.
  public static let start = Instant(0)

  /// Later than anything that can happen.
  @usableFromInline package static let distantFuture = Instant(Int64.max)

  /// Earlier than anything that can happen.
  @usableFromInline package static let distantPast = Instant(-Int64.max)

  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `length` later; the distant future absorbs what does not fit.
  @inlinable
  public static func + (moment: Instant, length: Nanoseconds) -> Instant {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(length.rawValue)
    return overflow ? Instant(length.rawValue < 0 ? -Int64.max : Int64.max) : Instant(sum)
  }

  /// The length between two moments; traps when it does not fit in 64 bits.
  @inlinable
  public static func - (later: Instant, earlier: Instant) -> Nanoseconds {
    Nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}

extension Instant: CustomStringConvertible {
  /// The time since the start as a length, or the name of a distant moment.
  public var description: String {
    if self == .distantFuture { return "distantFuture" }
    if self == .distantPast { return "distantPast" }
    return Nanoseconds(nanoseconds).description
  }
}
