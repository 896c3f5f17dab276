import SpindleModel

/// What is wrong with a number.
extension GrammarParser {
  /// Reports a number that means nothing.
  mutating func reportNumber(_ token: Token) {
    let text = text(token)
    if reportRadix(token) { return }
    let digits = Digits(bytes, token)
    let unit = bytes[digits.unit..<Int(token.end)]
    guard let first = unit.first else {
      let bound = digits.hasFraction ? .decimal : bound(of: token, radix: 10)
      return report(SyntaxMessage.numberTooLarge(text, bound), token.range)
    }
    if first | 0x20 == UInt8(ascii: "e"),
      Int(String(decoding: unit.dropFirst(), as: UTF8.self)) != nil
    {
      return report(SyntaxMessage.numberTooLarge(text, .decimal), token.range)
    }
    guard let (scale, isDuration) = Digits.scale(of: unit) else {
      let place = SourceRange(digits.unit, Int(token.end))
      return report(SyntaxMessage.unknownUnit(source.text(in: place), in: text), place)
    }
    let most = isDuration ? Nanoseconds.longest.rawValue : ByteCount.largest.rawValue
    guard let (value, _) = digits.scaled(by: scale), value <= most else {
      let bound: SyntaxMessage.Bound = isDuration ? .duration : .size
      return report(SyntaxMessage.numberTooLarge(text, bound), token.range)
    }
    report(
      digits.isTooLong
        ? SyntaxMessage.numberTooLong(text)
        : isDuration
          ? SyntaxMessage.numberFinerThanNanosecond(text) : SyntaxMessage.numberFinerThanByte(text),
      token.range)
  }

  /// Reports what is wrong with `0x10` and its like; whether the number is one of them.
  private mutating func reportRadix(_ token: Token) -> Bool {
    let start = Int(token.start)
    guard token.end - token.start >= 2, bytes[start] == UInt8(ascii: "0") else { return false }
    let radix: (base: UInt8, name: String)
    switch bytes[start + 1] {
    case UInt8(ascii: "x"): radix = (16, "hexadecimal")
    case UInt8(ascii: "o"): radix = (8, "octal")
    case UInt8(ascii: "b"): radix = (2, "binary")
    default: return false
    }
    let digits = (start + 2)..<Int(token.end)
    if digits.isEmpty {
      report(SyntaxMessage.noDigits(radix.name), token.range)
      return true
    }
    let wrong = digits.first {
      bytes[$0] != UInt8(ascii: "_") && (bytes[$0].hexadecimalValue ?? 16) >= radix.base
    }
    if let wrong {
      // A letter may have several bytes.
      var end = wrong + 1
      while end < Int(token.end), bytes[end] & 0xC0 == 0x80 { end += 1 }
      let place = SourceRange(wrong, end)
      report(SyntaxMessage.noDigit(source.text(in: place), radix.name), place)
    } else {
      let bound = bound(of: token, radix: Int(radix.base))
      report(SyntaxMessage.numberTooLarge(text(token), bound), token.range)
    }
    return true
  }

  /// What a whole number that is too large breaks.
  private func bound(of token: Token, radix: Int) -> SyntaxMessage.Bound {
    let digits = text(token).filter { $0 != "_" }.dropFirst(radix == 10 ? 0 : 2)
    return UInt64(digits, radix: radix) == nil ? .integer : .unsigned
  }

  /// Notes `5 ms`, whose unit is apart, and goes on behind it; whether that was there.
  mutating func skipDetachedUnit(_ number: Token) -> Bool {
    guard current.kind == .identifier, !current.isFirstOnLine, bytes[Int(number.end) - 1].isDigit,
      Digits.scale(of: bytes[Int(current.start)..<Int(current.end)]) != nil
    else { return false }
    report(SyntaxMessage.detachedUnit(text(number), text(current)), current.range)
    advance()
    return true
  }
}

extension UInt8 {
  /// What it is worth as a hexadecimal digit; nil for anything else.
  var hexadecimalValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let lowered = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowered)
      ? lowered - UInt8(ascii: "a") + 10 : nil
  }
}
