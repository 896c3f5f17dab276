import SpindleLanguage
import SpindleModel
import SpindleReports

/// What `--crossover` asks for: a parameter with the ends of its scale, as written.
struct CrossoverRange: Sendable {
  /// The parameter.
  let name: String
  /// The least value.
  let low: String
  /// The greatest value.
  let high: String

  /// The range in `NAME=LOW...HIGH`.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let assignment = try arguments.assignments(.crossover)[0]
    name = assignment.name
    guard let dots = RangeText.dots(assignment.value),
      (2...3).contains(assignment.value[dots].count)
    else {
      throw .usage(
        UsageText.formNeeded("--crossover", "NAME=LOW...HIGH", not: arguments[.crossover] ?? ""))
    }
    low = ListText.trimmed(assignment.value[..<dots.lowerBound])
    high = ListText.trimmed(assignment.value[dots.upperBound...])
  }

  /// The scale between the parameter's values of the two ends, as a compiled trace has them.
  func scale(from lower: Parameter, to upper: Parameter) throws(CommandFailure) -> ValueScale {
    guard let first = CrossoverRange.value(lower.value),
      let last = CrossoverRange.value(upper.value)
    else {
      throw .usage(UsageText.crossoverType(name))
    }
    guard first.value < last.value else {
      throw .usage(UsageText.crossoverOrder(low, high))
    }
    if !lower.allowed.isEmpty {
      // Every value between may be tried: the list must have them all.
      let listed = Set(lower.allowed.compactMap { CrossoverRange.value($0)?.value })
      let isWhole =
        first.kind == .number && Int128(last.value) - Int128(first.value) < Int128(listed.count)
      guard isWhole, (first.value...last.value).allSatisfy({ listed.contains($0) }) else {
        throw .usage(UsageText.crossoverListed(name))
      }
    }
    return ValueScale(first.kind, from: first.value, to: last.value)
  }

  /// A value as a compiled trace spells it: `42`, `1.5ms`, `4KB`; nil for one of another type.
  static func value(_ text: String) -> (kind: ValueScale.Kind, value: Int64)? {
    let number = text.prefix { $0.isNumber || $0 == "-" || $0 == "." }
    let unit = String(text.dropFirst(number.count))
    if unit.isEmpty { return Int64(number).map { (.number, $0) } }
    guard let scale = units.first(where: { $0.name == unit }) else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
    var fraction: Int128 = 0
    if parts.count == 2 {
      var size = scale.size
      for _ in parts[1] { size /= 10 }
      guard size > 0, let digits = Int64(parts[1]), digits >= 0 else { return nil }
      fraction = Int128(digits) * Int128(size)
    }
    let value = Int128(whole) * Int128(scale.size)
    let exact = Int64(exactly: number.hasPrefix("-") ? value - fraction : value + fraction)
    return exact.map { (scale.kind, $0) }
  }

  private static let units: [(name: String, size: Int64, kind: ValueScale.Kind)] = [
    ("ns", 1, .duration), ("us", 1_000, .duration), ("ms", 1_000_000, .duration),
    ("s", 1_000_000_000, .duration), ("B", 1, .size), ("KB", 1_024, .size),
    ("MB", 1_048_576, .size), ("GB", 1_073_741_824, .size),
  ]
}
