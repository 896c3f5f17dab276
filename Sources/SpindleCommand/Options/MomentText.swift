import SpindleModel

extension ParsedArguments {
  /// The moment that an option gives, such as `192ms`; nil when it is not given.
  func moment(_ name: OptionDescription.Name) throws(CommandFailure) -> Instant? {
    guard let text = self[name] else { return nil }
    guard let time = MomentText.value(text) else {
      throw .usage(UsageText.momentForm(name.rawValue, not: text))
    }
    return time
  }
}

/// Reads moments of virtual time: a number with a unit, as traces write durations.
enum MomentText {
  private static let units: [(name: String, size: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("min", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// The moment; nil for a text that is none, is negative, or is later than any moment.
  static func value(_ text: String) -> Instant? {
    if text == "0" { return .start }
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "_" || $0 == "." }
    let unit = text.dropFirst(digits.count)
    guard let size = units.first(where: { $0.name == unit })?.size else { return nil }
    let parts = digits.filter { $0 != "_" }.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: size)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return Instant(product) }
    var (scale, fraction) = (size, Int64(0))
    guard !parts[1].isEmpty else { return nil }
    for digit in parts[1] {
      guard scale % 10 == 0, let value = digit.wholeNumberValue else { return nil }
      scale /= 10
      fraction += Int64(value) * scale
    }
    let (sum, isTooLate) = product.addingReportingOverflow(fraction)
    return isTooLate ? nil : Instant(sum)
  }
}
