/// A core's speed as an exact fraction of the reference speed 1.
public struct Speed: Hashable, Sendable {
  /// How much work is done; positive.
  public let numerator: Int64
  /// In how much time; positive.
  public let denominator: Int64

  /// The reference speed, at which work is written down.
  @usableFromInline package static let one = Speed(numerator: 1, denominator: 1)

  /// Creates the speed `numerator / denominator`; both must be positive and at most 1,000,000,000.
  @usableFromInline package init(numerator: Int64, denominator: Int64) {
    precondition(numerator > 0 && denominator > 0, "a speed is positive")
    precondition(numerator <= 1_000_000_000 && denominator <= 1_000_000_000, "a speed fits")
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    self.numerator = numerator / a
    self.denominator = denominator / a
  }

  /// The time that `work`, given at speed 1, takes at this speed, rounded up; what does not fit is the
  /// largest number.
  @inlinable
  package func time(for work: Nanoseconds) -> Nanoseconds {
    if numerator == denominator { return work }
    let product = Int128(work.rawValue) * Int128(denominator)
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(numerator))
    return Nanoseconds(Int64(clamping: quotient + (remainder > 0 ? 1 : 0)))
  }

  /// The work at speed 1 that is done in `time`, rounded down; what does not fit is the largest number.
  @inlinable
  package func work(in time: Nanoseconds) -> Nanoseconds {
    if numerator == denominator { return time }
    return Nanoseconds(
      Int64(clamping: Int128(time.rawValue) * Int128(numerator) / Int128(denominator)))
  }
}

extension Speed: CustomStringConvertible {
  /// The fraction: `1`, `2/5`.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}
