import SpindleModel

/// Numbers without a unit, and which one they most likely want.
extension OutlineReader {
  /// A bare number as the quantity that is meant: what stands before it in the text tells the unit.
  mutating func quantity(
    _ number: String, _ type: ValueType, at range: SourceRange, isWhole: Bool? = nil
  ) -> String {
    let before = textBefore(range)
    if case .duration = type.unwrapped, number == "0" { return "0s" }
    if case .instant = type.unwrapped, before.isSum { return number + "s" }
    if case .size = type.unwrapped, before.word == "memory",
      let bytes = BareNumber.bytes(number)
    {
      return bytes
    }
    let isWhole = isWhole ?? !number.utf8.contains(UInt8(ascii: "."))
    var unit = BareNumber.unit(of: type, for: before.word, isWhole: isWhole)
    if case .size = type.unwrapped { return number + unit }
    if case .duration = type.unwrapped, unit != "s", !BareNumber.short.contains(before.word) {
      // Who writes a part of something that only the trace knows thinks of Swift's seconds.
      if !isWhole && (before.word.isEmpty || before.isArgument) { unit = "s" }
    }
    let isMoment = before.isArgument && BareNumber.moments.contains(before.word)
    if case .instant = type.unwrapped, isMoment { return ".now() + " + number + unit }
    return number + unit
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
    case UInt8(ascii: ","): return (reader.callee(), true, false)
    case UInt8(ascii: ":"):
      let label = reader.word()
      let sign = reader.sign()
      return (label, sign == UInt8(ascii: "(") || sign == UInt8(ascii: ","), false)
    default: return ("", false, false)
    }
  }

  /// The message for a bare number where a time or a size is expected; nil for other values.
  mutating func missingUnit(_ operand: Operand, _ type: ValueType, _ range: SourceRange) -> String?
  {
    guard operand.isLiteral || operand.type == .integer || operand.type == .decimal else {
      return nil
    }
    let what: String
    switch type.unwrapped {
    case .duration, .instant: what = "a duration"
    case .size: what = "a size"
    default: return nil
    }
    let text = source.text(in: range)
    let isNumber = BareNumber.isWritten(text)
    let isWhole = isNumber ? !text.utf8.contains(UInt8(ascii: ".")) : operand.type != .decimal
    let proposal = quantity(isNumber ? text : "1", type, at: range, isWhole: isWhole)
    return Messages.needsUnit(what, isNumber ? proposal : BareNumber.product(proposal, text))
  }

  /// Refuses a sum of a time or a size with a bare number; nil when that is not what it is.
  mutating func refuseBareSum(
    _ operation: InfixOperator, _ first: Operand, _ second: Operand,
    _ left: SourceRange, _ right: SourceRange
  ) -> Operand? {
    guard operation == .add || operation == .subtract,
      ArithmeticRule.rule(operation, first.type, second.type) == nil
    else { return nil }
    if let message = missingUnit(second, first.type, right) { return refuse(message, right) }
    if let message = missingUnit(first, second.type, left) { return refuse(message, left) }
    return nil
  }
}

/// Reads a text from its end, token by token.
private struct BackwardReader {
  let bytes: [UInt8]
  var position: Int

  /// Returns the last byte before the position that is not a space, 0 at the start of the text; the
  /// position moves before it.
  mutating func sign() -> UInt8 {
    skipSpaces()
    guard position > 0 else { return 0 }
    position -= 1
    return bytes[position]
  }

  /// Returns the word before the position, empty without one; the position moves before it.
  mutating func word() -> String {
    skipSpaces()
    let end = position
    while position > 0, bytes[position - 1].isWordPart { position -= 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// The word before the parenthesis that is open at the position, on the same line; empty for none.
  mutating func callee() -> String {
    var depth = 0
    while position > 0, bytes[position - 1] != UInt8(ascii: "\n") {
      position -= 1
      switch bytes[position] {
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth += 1
      case UInt8(ascii: "("), UInt8(ascii: "["):
        if depth == 0 { return word() }
        depth -= 1
      default: break
      }
    }
    return ""
  }

  private mutating func skipSpaces() {
    while position > 0, bytes[position - 1] == UInt8(ascii: " ") { position -= 1 }
  }
}
