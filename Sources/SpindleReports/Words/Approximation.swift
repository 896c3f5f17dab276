package import SpindleModel

extension Nanoseconds {
  /// The length with three significant digits, in a unit that leaves at most three before the point.
  package var approximate: String {
    var scale: UInt64 = 1
    while rawValue.magnitude / scale >= 1_000 { scale *= 10 }
    guard scale > 1 else { return description }
    let (sum, overflow) = rawValue.magnitude.addingReportingOverflow(scale / 2)
    guard !overflow, let rounded = Int64(exactly: sum / scale * scale) else { return description }
    return Nanoseconds(rawValue < 0 ? -rounded : rounded).description
  }
}

extension ByteCount {
  /// The size with three significant digits: `1.25MB`.
  var approximate: String {
    for (scale, unit) in [(1_073_741_824, "GB"), (1_048_576, "MB"), (1_024, "KB")]
      as [(Int64, String)]
    where rawValue >= scale {
      let hundredths = Int64(clamping: (Int128(rawValue) * 100 + Int128(scale / 2)) / Int128(scale))
      if hundredths >= 100_00 { return "\((hundredths + 50) / 100)\(unit)" }
      if hundredths >= 10_00 { return decimal((hundredths + 5) / 10, digits: 1) + unit }
      return decimal(hundredths, digits: 2) + unit
    }
    return "\(rawValue)B"
  }

  private func decimal(_ value: Int64, digits: Int) -> String {
    let scale: Int64 = digits == 1 ? 10 : 100
    var fraction = String(value % scale)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? "\(value / scale)" : "\(value / scale).\(fraction)"
  }
}

extension Int64 {
  /// The number with a comma between thousands: `1,234,567`.
  package var grouped: String {
    let digits = String(magnitude)
    var result = self < 0 ? "-" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0 && (digits.count - position) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }

  /// The number as a place in an order: `1st`, `12th`, `1,003rd`.
  var ordinal: String {
    let (tens, ones) = (magnitude % 100 / 10, magnitude % 10)
    let ending = tens == 1 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th"
    return grouped + ending
  }

  /// The number with its noun, in the plural unless it is 1: `3 threads`.
  package func counted(_ noun: String) -> String {
    "\(grouped) \(noun)\(self == 1 ? "" : "s")"
  }
}

extension Double {
  /// The number with `digits` digits after the point, at most 6, rounded half away from zero.
  func fixed(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (magnitude * scale).rounded()
    guard scaled.isFinite, scaled < 9e18 else { return "\(self)" }
    let whole = Int64(scaled)
    let sign = self < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % Int64(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(whole / Int64(scale)).\(zeros)\(fraction)"
  }
}
