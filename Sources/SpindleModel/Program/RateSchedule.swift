/// How often something arrives over time: rates at moments, which change evenly from each moment to the next.
///
/// Two rates at one moment are a jump. Behind the last moment its rate stays, and before the first nothing arrives.
package struct RateSchedule: Hashable, Sendable {
  /// A rate at a moment.
  package struct Point: Hashable, Sendable {
    /// When, in nanoseconds.
    package var time: Int64
    /// How many arrive in a second, in millionths.
    package var rate: Int64

    /// Creates a point.
    package init(at time: Int64, rate: Int64) { (self.time, self.rate) = (time, rate) }
  }

  /// The latest moment that a schedule can name: 100 hours.
  package static let latest: Int64 = 360_000_000_000_000
  /// The greatest rate: a billion in a second.
  package static let greatest: Int64 = 1_000_000_000_000_000

  /// The points in the order of time; at least one has a rate that is not 0.
  package let points: [Point]

  /// Creates a schedule.
  package init(_ points: [Point]) { self.points = points }

  /// What is wrong with it, in words; nil for nothing.
  var fault: String? {
    if moment(of: 0) == nil { return "nothing ever arrives by a schedule" }
    for (left, right) in zip(points, points.dropFirst()) where right.time < left.time {
      return "the moments of a schedule go back"
    }
    let isInRange = points.allSatisfy {
      (0...Self.latest).contains($0.time) && (0...Self.greatest).contains($0.rate)
    }
    return isInRange ? nil : "a schedule has a moment or a rate out of range"
  }

  /// Twice as many arrivals, each of this many parts: the sum of two rates in millionths over nanoseconds.
  private static let arrival: Int128 = 2_000_000_000_000_000

  /// When the arrival with a number, from 0, comes; nil where it never does.
  ///
  /// It is the first nanosecond by which as many have arrived: the area below the rates is a whole number there.
  package func moment(of ordinal: Int64) -> Int64? {
    var left = (Int128(ordinal) + 1) * Self.arrival
    for (from, to) in zip(points, points.dropFirst()) {
      let length = to.time - from.time
      let area = (Int128(from.rate) + Int128(to.rate)) * Int128(length)
      if area >= left {
        return from.time
          + Self.first(upTo: length) { Self.area(from, to, after: $0) >= left }
      }
      left -= area
    }
    guard let last = points.last, last.rate > 0 else { return nil }
    let twice = 2 * Int128(last.rate)
    let length = (left + twice - 1) / twice
    return length > Int128(Int64.max - last.time) ? nil : last.time + Int64(length)
  }

  /// The area below the rates of a stretch up to a length from its beginning, without its fraction.
  private static func area(_ from: Point, _ to: Point, after length: Int64) -> Int128 {
    let (whole, product) = (
      Int128(to.time - from.time), Int128(to.rate - from.rate) * Int128(length)
    )
    // The change of the rate is a number of millionths and a part of one, which is not negative.
    var (change, part) = product.quotientAndRemainder(dividingBy: whole)
    if part < 0 { (change, part) = (change - 1, part + whole) }
    return (2 * Int128(from.rate) + change) * Int128(length) + part * Int128(length) / whole
  }

  /// The first number up to a last one, which holds, from which on a condition holds.
  private static func first(upTo last: Int64, _ holds: (Int64) -> Bool) -> Int64 {
    var (low, high) = (Int64(0), last)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
