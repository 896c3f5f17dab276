/// A length of virtual time in nanoseconds; negative only as the result of a subtraction.
public struct Nanoseconds: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var rawValue: Int64

  /// Creates a length of `rawValue` nanoseconds.
  @inlinable
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// No time at all.
  @inlinable public static var zero: Nanoseconds { Nanoseconds(0) }

  /// The longest that a trace can have: 100,000 hours, over eleven years.
  ///
  /// So no sum of a few overflows, nor one with a moment of a run.
  @inlinable package static var longest: Nanoseconds { Nanoseconds(360_000_000_000_000_000) }

  /// A length of `count` microseconds; traps on overflow.
  public static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000) }

  /// A length of `count` milliseconds; traps on overflow.
  public static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000) }

  /// A length of `count` seconds; traps on overflow.
  public static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000_000) }

  @inlinable
  public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable
  public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.rawValue + right.rawValue)
  }

  @inlinable
  public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.rawValue - right.rawValue)
  }
}

extension Nanoseconds: CustomStringConvertible {
  /// The length with the largest unit that needs at most three digits before the point: `1.5ms`.
  ///
  /// Exact: no digit is dropped. The trace language reads it back as the same length.
  public var description: String {
    let size = rawValue.magnitude
    switch size {
    case 0: return "0s"
    case ..<1_000: return "\(rawValue)ns"
    case ..<1_000_000: return decimal(scale: 1_000, digits: 3, unit: "us")
    case ..<1_000_000_000: return decimal(scale: 1_000_000, digits: 6, unit: "ms")
    default: return decimal(scale: 1_000_000_000, digits: 9, unit: "s")
    }
  }

  private func decimal(scale: UInt64, digits: Int, unit: String) -> String {
    let whole = rawValue.magnitude / scale
    var fraction = String(rawValue.magnitude % scale)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let sign = rawValue < 0 ? "-" : ""
    return fraction.isEmpty ? "\(sign)\(whole)\(unit)" : "\(sign)\(whole).\(fraction)\(unit)"
  }
}
