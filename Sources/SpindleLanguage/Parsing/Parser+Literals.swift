import SpindleModel

// MARK: Numbers

extension Parser {
  /// A number with its unit; behind `±` also a percentage.
  mutating func parseNumber() -> Expression {
    let token = current
    let kind = kindOfNumber(token)
    advance()
    if current.kind == .identifier, skipDetachedUnit(token) { return missing(at: token.start) }
    guard current.kind == .percent, !current.hasSpaceBefore, isPercentage else {
      return arena.expression(kind: kind, range: token.range)
    }
    advance()
    let whole = range(from: token.start)
    switch kind {
    case .integer(let value):
      let (billionths, overflow) = value.multipliedReportingOverflow(by: FixedDecimal.scale)
      if overflow { report(SyntaxMessage.numberTooLarge(text(token), .percentage), token.range) }
      let percent = FixedDecimal(billionths: billionths)
      return arena.expression(kind: overflow ? .missing : .percent(percent), range: whole)
    case .decimal(let value):
      return arena.expression(kind: .percent(value), range: whole)
    default:
      report(SyntaxMessage.percentWithUnit, token.range)
      return arena.expression(kind: .missing, range: whole)
    }
  }

  /// Whether the `%` at hand ends a percentage: no operand follows it.
  private var isPercentage: Bool {
    let next = peek()
    switch next.kind {
    case .identifier, .number, .string, .leftParenthesis, .leftBracket, .dot, .true, .false, .nil,
      .minus, .not:
      return next.isFirstOnLine
    default:
      return true
    }
  }

  private mutating func kindOfNumber(_ token: Token) -> Expression.Kind {
    let digits = Digits(bytes, token)
    let hasUnit = digits.unit < Int(token.end)
    if digits.isTooLong && !hasUnit {
      report(SyntaxMessage.numberTooLong(text(token)), token.range)
      return .missing
    }
    guard hasUnit else {
      if !digits.hasFraction, let whole = digits.whole { return .integer(whole) }
      if let (value, _) = digits.scaled(by: FixedDecimal.scale) {
        return .decimal(FixedDecimal(billionths: value))
      }
      let bound: SyntaxMessage.Bound = digits.hasFraction ? .decimal : .integer
      report(SyntaxMessage.numberTooLarge(text(token), bound), token.range)
      return .missing
    }
    if let other = otherNumber(token, digits) { return other }
    guard let (scale, isDuration) = Digits.scale(of: bytes[digits.unit..<Int(token.end)]) else {
      let place = SourceRange(digits.unit, Int(token.end))
      report(SyntaxMessage.unknownUnit(source.text(in: place), in: text(token)), place)
      return .missing
    }
    let most = isDuration ? Nanoseconds.longest.rawValue : ByteCount.largest.rawValue
    guard let (value, isExact) = digits.scaled(by: scale), value <= most else {
      let bound: SyntaxMessage.Bound = isDuration ? .duration : .size
      report(SyntaxMessage.numberTooLarge(text(token), bound), token.range)
      return .missing
    }
    if digits.isTooLong {
      report(SyntaxMessage.numberTooLong(text(token)), token.range)
    } else if !isExact {
      let text = text(token)
      report(
        isDuration
          ? SyntaxMessage.numberFinerThanNanosecond(text) : SyntaxMessage.numberFinerThanByte(text),
        token.range)
    } else {
      return isDuration ? .duration(Nanoseconds(value)) : .size(ByteCount(value))
    }
    return .missing
  }

  /// `0x10`, `0b101`, `0o17`, and `1e3`, which is a decimal as in Swift; nil for another number.
  private mutating func otherNumber(_ token: Token, _ digits: Digits) -> Expression.Kind? {
    let letter = bytes[digits.unit]
    if !digits.hasFraction, digits.unit == Int(token.start) + 1, digits.whole == 0,
      let radix: Int64 = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][letter]
    {
      return numberToRadix(radix, from: digits.unit + 1, token)
    }
    guard letter | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = digits.unit + 1
    let isNegative = index < Int(token.end) && bytes[index] == UInt8(ascii: "-")
    if isNegative || index < Int(token.end) && bytes[index] == UInt8(ascii: "+") { index += 1 }
    guard index < Int(token.end) else { return nil }
    var exponent = 0
    while index < Int(token.end) {
      guard bytes[index].isDigit else { return nil }
      exponent = min(100, exponent * 10 + Int(bytes[index] &- UInt8(ascii: "0")))
      index += 1
    }
    guard var value = digits.scaled(by: FixedDecimal.scale)?.value else { return tooLarge(token) }
    for _ in 0..<exponent where value != 0 {
      if isNegative {
        if value % 10 != 0 {
          report(SyntaxMessage.numberTooLong(text(token)), token.range); return .missing
        }
        value /= 10
      } else {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        if overflow { return tooLarge(token) }
        value = product
      }
    }
    return .decimal(FixedDecimal(billionths: value))
  }

  private mutating func tooLarge(_ token: Token) -> Expression.Kind {
    report(SyntaxMessage.numberTooLarge(text(token), .decimal), token.range)
    return .missing
  }

  private mutating func numberToRadix(
    _ radix: Int64, from start: Int, _ token: Token
  ) -> Expression.Kind? {
    var value: Int64 = 0
    var count = 0
    for index in start..<Int(token.end) where bytes[index] != UInt8(ascii: "_") {
      guard let digit = bytes[index].hexadecimalValue, digit < radix else { return nil }
      let (shifted, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = shifted.addingReportingOverflow(Int64(digit))
      guard !overflow, !carry else {
        report(SyntaxMessage.numberTooLarge(text(token), .integer), token.range)
        return .missing
      }
      (value, count) = (sum, count + 1)
    }
    return count == 0 ? nil : .integer(value)
  }
}

// MARK: Texts

extension Parser {
  /// A text in quotes, with its escapes resolved and its values read.
  mutating func parseString() -> Expression {
    let token = current
    let start = Int(token.start) + 1
    let end = Int(token.end) - 1
    advance()
    if start == end && current.kind.isText && !current.hasSpaceBefore {
      report(SyntaxMessage.multipleLineText, SourceRange(Int(token.start), end + 2))
      skipMultipleLineText()
      return missing(at: token.start)
    }
    guard token.flags.contains(.hasEscapes) else {
      return arena.expression(kind: .text(word(start, end)), range: token.range)
    }
    let behind = (lexer: lexer, current: current, previousEnd: previousEnd)
    let segments = parseSegments(start, end)
    guard !isUnwinding else { return missing(at: token.start) }
    (lexer, current, previousEnd) = behind
    if segments.count == 1, case .text(let text)? = segments.first {
      return arena.expression(kind: .text(text), range: token.range)
    }
    return arena.expression(kind: .string(segments), range: token.range)
  }

  /// Goes on behind the three quotes that close a text over several lines; at one of its own.
  private mutating func skipMultipleLineText() {
    var index = Int(current.start) + 1
    while index + 2 < lexer.limit {
      if bytes[index] == UInt8(ascii: "\"") && bytes[index + 1] == UInt8(ascii: "\"")
        && bytes[index + 2] == UInt8(ascii: "\"")
      {
        lexer.position = index + 3
        advance()
        return
      }
      index += 1
    }
    advance()
  }

  private func plainText(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  private mutating func parseSegments(
    _ start: Int, _ end: Int
  ) -> SyntaxList<Expression.Segment> {
    var segments = SyntaxListBuilder<Expression.Segment>()
    var pending = ""
    var levels = 1
    var (index, copied) = (start, start)
    while index < end && !isUnwinding {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      pending += plainText(copied, index)
      if index + 1 < end && bytes[index + 1] == UInt8(ascii: "(") {
        if !pending.isEmpty { segments.append(.text(arena.words.word(pending)), in: arena) }
        pending = ""
        let value = parseValue(from: index + 1, to: end)
        levels = max(levels, height + 1)
        segments.append(.value(value), in: arena)
        index = Int(previousEnd)
      } else {
        let (scalar, length) = escape(at: index, end)
        if let scalar { pending.unicodeScalars.append(scalar) }
        index += length
      }
      copied = index
    }
    if copied < end { pending += plainText(copied, end) }
    if !pending.isEmpty || segments.count == 0 {
      segments.append(.text(arena.words.word(pending)), in: arena)
    }
    height = levels
    return segments.list
  }

  /// The value in `( )`; afterwards `previousEnd` is behind the parenthesis that closes it.
  private mutating func parseValue(from start: Int, to end: Int) -> Expression {
    let limit = lexer.limit
    lexer.position = start
    lexer.limit = end
    advance()
    let opening = current
    advance()
    let value = parseEnclosedExpression()
    if current.kind != .rightParenthesis {
      reportMissing(SyntaxMessage.parenthesisEnd(opening: line(of: opening)))
      skipToClosing(.rightParenthesis)
    }
    // Not `advance`, which would read on into the text.
    previousEnd = current.kind == .rightParenthesis ? current.end : Int32(end)
    lexer.limit = limit
    if isUnwinding { stopLexer() }
    return value
  }

  /// The character that the escape at `index` stands for, nil when it is wrong; and its length.
  private mutating func escape(at index: Int, _ end: Int) -> (Unicode.Scalar?, length: Int) {
    switch index + 1 < end ? bytes[index + 1] : 0 {
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "0"): return ("\0", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "'"): return ("'", 2)
    case UInt8(ascii: "u"): return unicodeEscape(at: index, end)
    default:
      report(SyntaxMessage.unknownEscape, SourceRange(index, min(index + 2, end)))
      return (nil, 1)
    }
  }

  private mutating func unicodeEscape(at index: Int, _ end: Int) -> (Unicode.Scalar?, length: Int) {
    var position = index + 2
    var value: UInt32 = 0
    var count = 0
    if position < end && bytes[position] == UInt8(ascii: "{") {
      position += 1
      while position < end, count < 7, let digit = bytes[position].hexadecimalValue {
        value = value << 4 | UInt32(digit)
        position += 1
        count += 1
      }
      if position < end, bytes[position] == UInt8(ascii: "}"), (1...6).contains(count),
        let scalar = Unicode.Scalar(value)
      {
        return (scalar, position + 1 - index)
      }
    }
    report(SyntaxMessage.unicodeEscape, SourceRange(index, position))
    return (nil, position - index)
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let lowered = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowered)
      ? lowered - UInt8(ascii: "a") + 10 : nil
  }
}
