import SpindleModel
import SpindleReports

/// A range of values on the command line: `1...8`, `10ms...50ms by 10ms`.
enum RangeText {
  /// The most values that one range may stand for.
  private static let mostValues = 10_000

  /// The values of a range, as the trace would write them; the text itself when it is no range.
  ///
  /// The last value is that of the range's end only where the steps meet it.
  static func expanded(_ text: String, option: String) throws(CommandFailure) -> [String] {
    guard !text.utf8.contains(UInt8(ascii: "\"")), let dots = dots(text) else { return [text] }
    let low = ListText.trimmed(text[..<dots.lowerBound])
    var rest = ListText.trimmed(text[dots.upperBound...])
    var step: String?
    if let word = by(rest) {
      step = ListText.trimmed(rest[word.upperBound...])
      rest = ListText.trimmed(rest[..<word.lowerBound])
    }
    guard text[dots].count == 3 else {
      throw .usage(UsageText.rangeDots(option, "\(low)...\(rest)", not: text))
    }
    guard let first = value(low), let last = value(rest), first.kind == last.kind else {
      throw .usage(UsageText.rangeForm(option, not: text))
    }
    guard first.value <= last.value else {
      throw .usage(UsageText.rangeOrder(option, not: text))
    }
    let stride = try stride(step, first.kind, text, option)
    guard (Int128(last.value) - Int128(first.value)) / Int128(stride) < Int128(mostValues) else {
      throw .usage(UsageText.rangeOver(option, text, most: mostValues))
    }
    var values: [String] = []
    var next = Int128(first.value)
    while next <= Int128(last.value) {
      values.append(written(Int64(next), first.kind))
      next += Int128(stride)
    }
    return values
  }

  /// A value as a trace writes it: `42`, `-3`, `1.5ms`, `4KB`, `10_000`.
  static func value(_ text: String) -> (kind: ValueScale.Kind, value: Int64)? {
    let plain = text.filter { $0 != "_" }
    guard plain.first?.isNumber == true || plain.first == "-" else { return nil }
    return CrossoverRange.value(plain)
  }

  /// The value as a trace writes it.
  static func written(_ value: Int64, _ kind: ValueScale.Kind) -> String {
    switch kind {
    case .number: "\(value)"
    case .duration: Nanoseconds(value).description
    case .size: ByteCount(value).description
    }
  }

  private static func stride(
    _ step: String?, _ kind: ValueScale.Kind, _ text: String, _ option: String
  ) throws(CommandFailure) -> Int64 {
    guard let step else {
      if kind == .number { return 1 }
      throw .usage(UsageText.rangeStepNeeded(option, text))
    }
    guard let width = value(step), width.kind == kind, width.value > 0 else {
      throw .usage(UsageText.rangeStep(option, step, of: text))
    }
    return width.value
  }

  /// Where two or three dots stand between two texts that may be numbers.
  static func dots(_ text: String) -> Range<String.Index>? {
    guard let first = text.indices.first(where: { text[$0...].hasPrefix("..") }) else { return nil }
    var end = first
    while end < text.endIndex, text[end] == "." { end = text.index(after: end) }
    guard first > text.startIndex, end < text.endIndex else { return nil }
    return first..<end
  }

  private static func by(_ text: String) -> Range<String.Index>? {
    let word = " by "
    guard let start = text.indices.first(where: { text[$0...].hasPrefix(word) }) else { return nil }
    return start..<text.index(start, offsetBy: word.count)
  }
}
