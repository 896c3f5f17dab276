/// What is known ahead of a real-time thread: how often its jobs come, how long each computes, and until when.
///
/// All lengths are nanoseconds, on the core that the thread is to run on.
struct RealtimeLoad: Hashable, Sendable {
  /// The longest that a job computes, at least 0.
  var computation: Int64
  /// How long after its arrival a job has to be done, more than 0.
  var deadline: Int64
  /// The shortest time between two arrivals, more than 0.
  var period: Int64
  /// How long after its arrival a job is released at the latest.
  var jitter: Int64 = 0
}

/// An exact fraction of whole numbers in lowest terms; arithmetic that would overflow gives nil.
struct ExactFraction: Hashable, Sendable {
  /// What is divided.
  private(set) var numerator: Int128
  /// By what, more than 0.
  private(set) var denominator: Int128

  /// Creates a fraction; the second number is more than 0.
  init(_ numerator: Int128, _ denominator: Int128 = 1) {
    demand(denominator > 0, "a fraction is made with \(denominator) below the line")
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(max(1, a))
    (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
  }

  /// The sum; nil when it can't be held.
  func adding(_ other: ExactFraction) -> ExactFraction? {
    let left = numerator.multipliedReportingOverflow(by: other.denominator)
    let right = other.numerator.multipliedReportingOverflow(by: denominator)
    let sum = left.partialValue.addingReportingOverflow(right.partialValue)
    let below = denominator.multipliedReportingOverflow(by: other.denominator)
    if left.overflow || right.overflow || sum.overflow || below.overflow { return nil }
    return ExactFraction(sum.partialValue, below.partialValue)
  }

  /// The product; nil when it can't be held.
  func multiplied(by other: ExactFraction) -> ExactFraction? {
    let above = numerator.multipliedReportingOverflow(by: other.numerator)
    let below = denominator.multipliedReportingOverflow(by: other.denominator)
    if above.overflow || below.overflow { return nil }
    return ExactFraction(above.partialValue, below.partialValue)
  }

  /// Whether it is not more than another one; nil when that can't be computed.
  func isAtMost(_ other: ExactFraction) -> Bool? {
    let left = numerator.multipliedReportingOverflow(by: other.denominator)
    let right = other.numerator.multipliedReportingOverflow(by: denominator)
    return left.overflow || right.overflow ? nil : left.partialValue <= right.partialValue
  }

  /// In millionths, rounded down or up; as much as a whole number holds at most.
  func millionths(up: Bool = false) -> Int64 {
    let scaled = numerator.multipliedReportingOverflow(by: 1_000_000)
    if scaled.overflow { return Int64.max }
    let (whole, rest) = scaled.partialValue.quotientAndRemainder(dividingBy: denominator)
    return Int64(clamping: up && rest > 0 ? whole + 1 : whole)
  }
}
