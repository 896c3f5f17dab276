import SpindleModel

/// A number as it is written: whole part, nine digits of fraction, unit.
struct Digits {
  /// The whole part; nil when it does not fit in 64 bits.
  var whole: Int64? = 0
  /// Billionths.
  var fraction: Int64 = 0
  var hasFraction = false
  /// Whether there are more than nine digits after the point.
  var isTooLong = false
  /// Where the unit begins, the end of the number if it has none.
  var unit = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ token: Token) {
    var index = Int(token.start)
    let end = Int(token.end)
    while index < end, bytes[index].isDigit || bytes[index] == UInt8(ascii: "_") {
      if bytes[index].isDigit { whole = Digits.append(bytes[index], to: whole) }
      index += 1
    }
    if index < end && bytes[index] == UInt8(ascii: ".") {
      hasFraction = true
      index += 1
      var place: Int64 = 100_000_000
      while index < end, bytes[index].isDigit || bytes[index] == UInt8(ascii: "_") {
        if bytes[index].isDigit {
          if place == 0 { isTooLong = true }
          fraction += Int64(bytes[index] &- UInt8(ascii: "0")) * place
          place /= 10
        }
        index += 1
      }
    }
    unit = index
  }

  private static func append(_ digit: UInt8, to whole: Int64?) -> Int64? {
    guard let whole else { return nil }
    let (shifted, overflow) = whole.multipliedReportingOverflow(by: 10)
    let (sum, carry) = shifted.addingReportingOverflow(Int64(digit &- UInt8(ascii: "0")))
    return overflow || carry ? nil : sum
  }

  /// The number times `scale`: nil when it does not fit; not exact when something is left over.
  func scaled(by scale: Int64) -> (value: Int64, isExact: Bool)? {
    guard let whole else { return nil }
    let billion = FixedDecimal.scale
    // A scale from one billion on is whole billions or at most 2^30, so neither product overflows.
    let (part, rest): (Int64, Int64)
    if scale % billion == 0 {
      (part, rest) = (fraction * (scale / billion), 0)
    } else {
      (part, rest) = (fraction * scale).quotientAndRemainder(dividingBy: billion)
    }
    let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
    let (sum, carry) = product.addingReportingOverflow(part)
    return overflow || carry ? nil : (sum, rest == 0)
  }

  /// What one of a unit is in nanoseconds or bytes; nil when there is no such unit.
  static func scale(
    of unit: Slice<UnsafeBufferPointer<UInt8>>
  ) -> (scale: Int64, isDuration: Bool)? {
    let start = unit.startIndex
    let second = unit.count > 1 ? unit[start + 1] : 0
    switch (unit.count, unit[start]) {
    case (1, UInt8(ascii: "s")): return (1_000_000_000, true)
    case (1, UInt8(ascii: "h")): return (3_600_000_000_000, true)
    case (1, UInt8(ascii: "B")): return (1, false)
    case (2, UInt8(ascii: "n")) where second == UInt8(ascii: "s"): return (1, true)
    case (2, UInt8(ascii: "u")) where second == UInt8(ascii: "s"): return (1_000, true)
    case (2, UInt8(ascii: "m")) where second == UInt8(ascii: "s"): return (1_000_000, true)
    case (3, _) where unit.elementsEqual("min".utf8): return (60_000_000_000, true)
    case (2, UInt8(ascii: "K")) where second == UInt8(ascii: "B"): return (1_024, false)
    case (2, UInt8(ascii: "M")) where second == UInt8(ascii: "B"): return (1_048_576, false)
    case (2, UInt8(ascii: "G")) where second == UInt8(ascii: "B"): return (1_073_741_824, false)
    default: return nil
    }
  }
}
