import SpindleGenerator

/// Numbers of a trace that become others, each with its unit.
enum NumberMutation {
  /// Where something ends: signs, 32 bits, floating point, 64 bits.
  private static let bounds = [
    "0", "1", "-1", "2", "255", "256", "65535", "65536", "2147483647", "2147483648", "2147483649",
    "4294967295", "4294967296", "4294967297", "9007199254740993", "4611686018427387904",
    "9223372036854775806", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "-2147483648", "-9223372036854775807", "-9223372036854775808",
  ]
  private static let fractions = [
    "0.0", "0.000000001", "0.1", "0.5", "0.999999999", "1.0", "1.000000001", "2.0", "1000000.0",
    "999999999.0", "1000000000.0", "9223372036.0", "-0.5",
  ]

  /// Changes one, some or all of the numbers.
  static func apply(to tokens: inout TraceTokens, _ random: inout Randomness) {
    // Most machines with other numbers of cores would be refused for that alone.
    let sparesCores = !random.isOne(in: 8)
    let all = tokens.places(of: .number).filter { !sparesCores || !isCoreCount($0, tokens) }
    guard !all.isEmpty else { return }
    let counts = all.filter { Int(tokens.tokens[$0].text) != nil }
    let shift = random.below(20) - 5
    switch random.below(6) {
    case 0: for place in all { scale(&tokens.tokens[place].text, shift) }
    case 1: for place in counts { scale(&tokens.tokens[place].text, shift) }
    case 2 where !counts.isEmpty:
      scale(&tokens.tokens[random.pick(counts)].text, 4 + random.below(14))
    case 3: for _ in 0...random.below(3) { scale(&tokens.tokens[random.pick(all)].text, shift) }
    default:
      for _ in 0...random.below(3) {
        replace(&tokens.tokens[random.pick(all)].text, &random)
      }
    }
  }

  /// A number at which something ends, or any power of two.
  ///
  /// Mostly it is one that its kind can have, with the least of its units: what is too large is
  /// refused, and then nothing else is tried.
  static func bound(_ unit: String, _ random: inout Randomness) -> String {
    if random.isOne(in: 6) { return random.pick(bounds) + unit }
    let least =
      ["ns", "us", "ms", "s", "min", "h"].contains(unit)
      ? "ns" : ["B", "KB", "MB", "GB"].contains(unit) ? "B" : unit
    if random.isOne(in: 2) { return "\(1 << random.below(random.isOne(in: 2) ? 63 : 40))" + least }
    return random.pick(bounds.filter { !$0.hasPrefix("-") && $0.utf8.count < 19 }) + least
  }

  /// A fraction at which something ends.
  static func fraction(_ random: inout Randomness) -> String { random.pick(fractions) }

  private static func isCoreCount(_ place: Int, _ tokens: TraceTokens) -> Bool {
    let before = tokens.tokens[..<place].suffix(4).map(\.text).filter { $0 != " " }
    return before.suffix(2) == ["cores", ":"]
  }

  private static func replace(_ text: inout String, _ random: inout Randomness) {
    let (number, unit) = parts(text)
    text = number.contains(".") ? fraction(&random) + unit : bound(unit, &random)
  }

  /// Multiplies with a power of two, which may be a fraction.
  private static func scale(_ text: inout String, _ shift: Int) {
    let (number, unit) = parts(text)
    guard let value = Int(number.filter { $0 != "_" }) else { return }
    let (scaled, overflows) = value.multipliedReportingOverflow(by: 1 << max(0, shift))
    text = "\(overflows ? Int.max : scaled >> max(0, -shift))" + unit
  }

  private static func parts(_ text: String) -> (number: String, unit: String) {
    let number = text.prefix { $0.isNumber || $0 == "_" || $0 == "." }
    return (String(number), String(text.dropFirst(number.count)))
  }
}
