import SpindleModel

/// Numbers without a unit, and which one they most likely want.
extension Checker {
  /// A bare number as the quantity that is meant: what stands before it in the text tells the unit.
  ///
  /// Where Swift counts seconds, seconds are meant, and where it counts bytes, bytes.
  func quantity(_ number: String, _ type: ValueType, at range: SourceRange) -> String {
    let before = textBefore(range)
    switch (type.unwrapped, before.word) {
    case (.size, "memory"): return number + "MB"
    case (.size, "stackSize"): return number + "B"
    case (.size, _): return number + "KB"
    case (.duration, _) where number == "0": return "0s"
    case (.duration, "sleep"), (.duration, "forTimeInterval"): return number + "s"
    case (.instant, "timeout") where before.isArgument,
      (.instant, "before") where before.isArgument,
      (.instant, "until") where before.isArgument:
      return ".now() + \(number)s"
    case (.instant, _) where before.isSum: return number + "s"
    default: return number + "ms"
    }
  }

  /// What stands before a value: the callee, label or name that it is for.
  private func textBefore(
    _ range: SourceRange
  ) -> (word: String, isArgument: Bool, isSum: Bool) {
    var reader = BackwardReader(bytes: source.utf8, position: Int(range.lowerBound))
    switch reader.sign() {
    case UInt8(ascii: "("): return (reader.word(), true, false)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return ("", false, true)
    case UInt8(ascii: "="): return (reader.word(), false, false)
    case UInt8(ascii: ":"):
      let label = reader.word()
      let sign = reader.sign()
      return (label, sign == UInt8(ascii: "(") || sign == UInt8(ascii: ","), false)
    default: return ("", false, false)
    }
  }

  /// What to say of a bare number where a time or a size is expected; nil when it is none.
  func missingUnit(_ operand: Operand, _ type: ValueType, _ range: SourceRange) -> String? {
    guard operand.isLiteral || operand.type == .decimal && operand.constant != nil else {
      return nil
    }
    let text = source.text(in: range)
    let isNumber = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
    switch type.unwrapped {
    case .duration, .instant:
      return Messages.needsUnit("a duration", isNumber ? quantity(text, type, at: range) : nil)
    case .size:
      return Messages.needsUnit("a size", isNumber ? quantity(text, type, at: range) : nil)
    default: return nil
    }
  }

  /// Refuses a sum of a time or a size with a bare number; nil when that is not what it is.
  mutating func refuseBareSum(
    _ operation: Expression.InfixOperator, _ first: Operand, _ second: Operand,
    _ left: SourceRange, _ right: SourceRange
  ) -> Operand? {
    guard operation == .add || operation == .subtract,
      ArithmeticRule.rule(operation, first.type, second.type) == nil
    else { return nil }
    if let message = missingUnit(second, first.type, right) { return refuse(message, right) }
    if let message = missingUnit(first, second.type, left) { return refuse(message, left) }
    return nil
  }

  /// `.seconds(5)` as a trace writes it: `5s`; nil when it is something else.
  func writtenLength(_ name: String, _ call: CallSite) -> String? {
    let unit: String
    switch name {
    case "seconds": unit = "s"
    case "milliseconds": unit = "ms"
    case "microseconds": unit = "us"
    case "nanoseconds": unit = "ns"
    default: return nil
    }
    guard call.arguments.count == 1, call.closures.isEmpty else { return nil }
    let text = source.text(in: call.arguments[0].value.range)
    switch call.arguments[0].value.kind {
    case .integer, .decimal: return text + unit
    case .name: return "\(text) * 1\(unit)"
    default: return nil
    }
  }

  /// What to propose for a type of Swift that a trace calls otherwise; nil when there is none.
  static func ownType(for name: String) -> String? {
    switch name {
    case "Double", "Float", "CGFloat", "Float32", "Float64": "Decimal"
    case "TimeInterval", "DispatchTimeInterval": "Duration"
    case "Date", "DispatchTime", "ContinuousClock": "Instant"
    case "UInt", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64": "Int"
    case "Character", "Substring", "StaticString": "String"
    default: nil
    }
  }
}

/// Reads a text from its end, token by token.
private struct BackwardReader {
  let bytes: [UInt8]
  var position: Int

  /// The byte before the position that is no space, 0 at the beginning; goes before it.
  mutating func sign() -> UInt8 {
    skipSpaces()
    guard position > 0 else { return 0 }
    position -= 1
    return bytes[position]
  }

  /// The word before the position, empty when there is none; goes before it.
  mutating func word() -> String {
    skipSpaces()
    let end = position
    while position > 0, bytes[position - 1].isWordPart { position -= 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while position > 0, bytes[position - 1] == UInt8(ascii: " ") { position -= 1 }
  }
}
