/// An exact decimal number with nine digits after the point, as the trace language writes them.
@usableFromInline package struct FixedDecimal: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The number times 1,000,000,000.
  @usableFromInline package var billionths: Int64

  /// How many units make one.
  @usableFromInline package static let scale: Int64 = 1_000_000_000

  /// Creates the number `billionths / 1,000,000,000`.
  @inlinable
  package init(billionths: Int64) {
    self.billionths = billionths
  }

  @inlinable
  package static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.billionths < right.billionths
  }
}

extension FixedDecimal: CustomStringConvertible {
  /// The number with a point and without trailing zeros: `0.5`, `-2.0`.
  @usableFromInline package var description: String {
    let scale = UInt64(FixedDecimal.scale)
    var fraction = String(billionths.magnitude % scale)
    fraction = String(repeating: "0", count: 9 - fraction.count) + fraction
    while fraction.count > 1 && fraction.last == "0" { fraction.removeLast() }
    return "\(billionths < 0 ? "-" : "")\(billionths.magnitude / scale).\(fraction)"
  }
}

extension FixedDecimal {
  /// The number as Swift prints a `Double`: with an exponent where it is below 0.0001, as in `1.5e-05`.
  ///
  /// From 2^53 on Swift writes an exponent too; no number here is as large.
  package var printed: String {
    let digits = Array(String(billionths.magnitude))
    guard billionths != 0, digits.count <= Self.digitsWithExponent else { return description }
    var mantissa = String(digits[0])
    let rest = String(digits.dropFirst()).trimmedZeros
    if !rest.isEmpty { mantissa += ".\(rest)" }
    return "\(billionths < 0 ? "-" : "")\(mantissa)e-0\(10 - digits.count)"
  }

  /// What is below 0.0001 has at most so many billionths.
  private static let digitsWithExponent = 5
}

extension String {
  /// The text without the zeros that it ends with.
  fileprivate var trimmedZeros: String {
    var text = self
    while text.last == "0" { text.removeLast() }
    return text
  }
}
