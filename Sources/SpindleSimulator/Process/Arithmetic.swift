import SpindleModel

/// Arithmetic on decimals, which are counted in billionths, and the bounds of what is computed.
enum Arithmetic {
  /// Why a length of time that was computed can't be waited, worked or slept for; nil when it can.
  static func fault(ofDuration value: Int64) -> String? {
    if value < 0 { return "needs a duration that is not negative" }
    return value > Nanoseconds.longest.rawValue ? "needs a duration of at most 100,000h" : nil
  }

  /// Why a size that was computed can't be one; nil when it can.
  static func fault(ofSize value: Int64) -> String? {
    if value < 0 { return "needs a size that is not negative" }
    return value > ByteCount.largest.rawValue ? "needs a size of at most 1 EB" : nil
  }

  /// `value · decimal`, rounded to nearest, ties away from zero; nil when it does not fit.
  static func scaled(_ value: Int64, by decimal: Int64) -> Int64? {
    rounded(Int128(value) * Int128(decimal), over: Int128(FixedDecimal.scale))
  }

  /// `dividend / divisor` in billionths, rounded to nearest, ties away from zero; nil when it does
  /// not fit.
  ///
  /// The divisor is not zero.
  static func ratio(_ dividend: Int64, _ divisor: Int64) -> Int64? {
    rounded(Int128(dividend) * Int128(FixedDecimal.scale), over: Int128(divisor))
  }

  private static func rounded(_ dividend: Int128, over divisor: Int128) -> Int64? {
    let isNegative = (dividend < 0) != (divisor < 0)
    let (size, by) = (dividend.magnitude, divisor.magnitude)
    let quotient = (size + by / 2) / by
    if quotient > UInt128(UInt64(Int64.max)) { return nil }
    let value = Int64(quotient)
    return isNegative ? -value : value
  }
}
