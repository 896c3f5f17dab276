/// A size in bytes; 1 KB is 1,024 bytes.
public struct ByteCount: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The size in bytes.
  public var rawValue: Int64

  /// Creates a size of `rawValue` bytes.
  @inlinable
  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Nothing at all.
  @inlinable package static var zero: ByteCount { ByteCount(0) }

  /// The largest that a trace can have, and the most that a process can use: 1 EB.
  @inlinable package static var largest: ByteCount { ByteCount(1 << 60) }

  /// A size of `count` times 1,024 bytes; traps on overflow.
  @usableFromInline package static func kilobytes(_ count: Int64) -> ByteCount {
    ByteCount(count * 1_024)
  }

  /// A size of `count` times 1,048,576 bytes; traps on overflow.
  @usableFromInline package static func megabytes(_ count: Int64) -> ByteCount {
    ByteCount(count * 1_048_576)
  }

  /// A size of `count` times 1,073,741,824 bytes; traps on overflow.
  @usableFromInline package static func gigabytes(_ count: Int64) -> ByteCount {
    ByteCount(count * 1_073_741_824)
  }

  @inlinable
  public static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable
  package static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(left.rawValue + right.rawValue)
  }

  @inlinable
  package static func - (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(left.rawValue - right.rawValue)
  }
}

extension ByteCount: CustomStringConvertible {
  /// The size in the largest unit that divides it exactly: `512KB`, `17B`.
  public var description: String {
    for (scale, unit) in [(1_073_741_824, "GB"), (1_048_576, "MB"), (1_024, "KB")]
      as [(Int64, String)]
    where rawValue != 0 && rawValue % scale == 0 {
      return "\(rawValue / scale)\(unit)"
    }
    return "\(rawValue)B"
  }
}
