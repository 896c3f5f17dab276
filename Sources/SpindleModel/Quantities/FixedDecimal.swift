/// An exact decimal number with nine digits after the point, as the trace language writes them.
public struct FixedDecimal: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The number times 1,000,000,000.
  public var billionths: Int64

  /// How many units make one.
  public static let scale: Int64 = 1_000_000_000

  /// Creates the number `billionths / 1,000,000,000`.
  @inlinable
  public init(billionths: Int64) {
    self.billionths = billionths
  }

  @inlinable
  public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.billionths < right.billionths
  }
}

extension FixedDecimal: CustomStringConvertible {
  /// The number with a point and without trailing zeros: `0.5`, `-2.0`.
  public var description: String {
    let scale = UInt64(FixedDecimal.scale)
    var fraction = String(billionths.magnitude % scale)
    fraction = String(repeating: "0", count: 9 - fraction.count) + fraction
    while fraction.count > 1 && fraction.last == "0" { fraction.removeLast() }
    return "\(billionths < 0 ? "-" : "")\(billionths.magnitude / scale).\(fraction)"
  }
}
