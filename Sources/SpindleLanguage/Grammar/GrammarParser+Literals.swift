import SpindleModel

/// Numbers and texts.
extension GrammarParser {
  /// A number, with its unit if it has one.
  mutating func parseNumber() -> Grammar.Expression {
    let token = current
    advance()
    if skipDetachedUnit(token) { return Grammar.Expression(kind: .missing, range: token.range) }
    guard let kind = kindOfNumber(token) else {
      reportNumber(token)
      return Grammar.Expression(kind: .missing, range: token.range)
    }
    if readsPercentages, current.kind == .percent, !current.hasSpaceBefore, endsPercentage {
      return parsePercentage(kind, token)
    }
    return Grammar.Expression(kind: kind, range: token.range)
  }

  /// Whether the `%` at hand ends a percentage: no operand follows it.
  private var endsPercentage: Bool {
    let next = peek()
    switch next.kind {
    case .identifier, .number, .string, .leftParenthesis, .leftBracket, .dot, .true, .false, .nil,
      .minus, .not:
      return next.isFirstOnLine
    default: return true
    }
  }

  private mutating func parsePercentage(_ kind: Grammar.Kind, _ number: Token) -> Grammar.Expression
  {
    advance()
    let place = range(from: number.start)
    switch kind {
    case .integer(let value):
      let (billionths, overflow) = value.multipliedReportingOverflow(by: FixedDecimal.scale)
      if !overflow { return Grammar.Expression(kind: .percent(billionths), range: place) }
      report(SyntaxMessage.numberTooLarge(text(number), .percentage), number.range)
    case .decimal(let billionths):
      return Grammar.Expression(kind: .percent(billionths), range: place)
    default: report(SyntaxMessage.percentWithUnit, number.range)
    }
    return Grammar.Expression(kind: .missing, range: place)
  }

  private func kindOfNumber(_ token: Token) -> Grammar.Kind? {
    if let radix = radix(of: token) {
      return GrammarParser.integer(written(token).dropFirst(2), radix: radix)
    }
    let digits = Digits(bytes, token)
    let unit = bytes[digits.unit..<Int(token.end)]
    guard let first = unit.first else {
      if !digits.hasFraction { return GrammarParser.integer(written(token)[...], radix: 10) }
      // What is finer than a billionth rounds to nothing.
      return digits.scaled(by: FixedDecimal.scale).map { .decimal($0.value) }
    }
    if first | 0x20 == UInt8(ascii: "e"),
      let exponent = Int(String(decoding: unit.dropFirst(), as: UTF8.self))
    {
      return GrammarParser.withExponent(digits, exponent)
    }
    guard !digits.isTooLong, let (scale, isDuration) = Digits.scale(of: unit),
      let (value, isExact) = digits.scaled(by: scale), isExact
    else { return nil }
    let most = isDuration ? Nanoseconds.longest.rawValue : ByteCount.largest.rawValue
    guard value <= most else { return nil }
    return isDuration ? .duration(value) : .size(value)
  }

  /// The base of a number that says one: `0x1F`.
  private func radix(of token: Token) -> Int? {
    guard token.end - token.start > 2, bytes[Int(token.start)] == UInt8(ascii: "0") else {
      return nil
    }
    switch bytes[Int(token.start) + 1] {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  /// The text of a number without the signs that group its digits.
  private func written(_ token: Token) -> String { text(token).filter { $0 != "_" } }

  private static func integer(_ digits: Substring, radix: Int) -> Grammar.Kind? {
    Int64(digits, radix: radix).map { .integer($0) }
  }

  private static func withExponent(_ digits: Digits, _ exponent: Int) -> Grammar.Kind? {
    guard var value = digits.scaled(by: FixedDecimal.scale)?.value else { return nil }
    for _ in 0..<min(40, exponent.magnitude) {
      if exponent < 0 {
        value /= 10
      } else {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        value = product
      }
    }
    return .decimal(value)
  }

  // MARK: Texts

  /// A text in quotes, on one line or between three quotes.
  mutating func parseString() -> Grammar.Expression {
    let token = current
    let (start, end) = (Int(token.start) + 1, Int(token.end) - 1)
    if start == end, end + 1 < lexer.limit, bytes[end + 1] == UInt8(ascii: "\"") {
      return parseMultilineString()
    }
    advance()
    let behind = (lexer: lexer, current: current, previousEnd: previousEnd)
    let segments = parseSegments(start, end, indentation: 0)
    (lexer, current, previousEnd) = behind
    stayAtEnd()
    return Grammar.Expression(kind: .string(segments), range: token.range)
  }

  /// A text on one line between signs `#`, in which as many of them are behind the backslash of an escape; nil for
  /// anything else.
  ///
  /// Source: SE-0200.
  mutating func parseRawString() -> Grammar.Expression? {
    let (start, sign, quote) = (Int(current.start), UInt8(ascii: "#"), UInt8(ascii: "\""))
    var open = start
    while open < lexer.limit, bytes[open] == sign { open += 1 }
    guard open < lexer.limit, bytes[open] == quote else { return nil }
    let signs = open - start
    var index = open + 1
    while index < lexer.limit, bytes[index] != UInt8(ascii: "\n") {
      let end = index + 1 + signs
      if bytes[index] == quote, end <= lexer.limit,
        bytes[(index + 1)..<end].allSatisfy({ $0 == sign })
      {
        lexer.position = end
        advance()
        previousEnd = Int32(end)
        let behind = (lexer: lexer, current: current, previousEnd: previousEnd)
        let segments = parseSegments(open + 1, index, indentation: 0, signs: signs)
        (lexer, current, previousEnd) = behind
        stayAtEnd()
        return Grammar.Expression(kind: .string(segments), range: SourceRange(start, end))
      }
      index += 1
    }
    return nil
  }

  private mutating func parseMultilineString() -> Grammar.Expression {
    let start = Int(current.start)
    var index = start + 3
    let quote = UInt8(ascii: "\"")
    while index + 2 < lexer.limit {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if bytes[index] == quote, bytes[index + 1] == quote, bytes[index + 2] == quote { break }
      index += 1
    }
    guard index + 2 < lexer.limit else {
      report(SyntaxMessage.openLines, SourceRange(start, start + 3))
      fallSilent()
      return missing()
    }
    // The closing quotes have a line of their own; its indentation is removed from each line.
    var lineStart = index
    while lineStart > start + 3, bytes[lineStart - 1] != UInt8(ascii: "\n") { lineStart -= 1 }
    let (first, last) = (min(start + 4, lineStart), max(start + 3, lineStart - 1))
    lexer.position = index + 3
    advance()
    previousEnd = Int32(index + 3)
    let behind = (lexer: lexer, current: current, previousEnd: previousEnd)
    let segments =
      first >= last
      ? [.text("")] : parseSegments(first, last, indentation: index - lineStart)
    (lexer, current, previousEnd) = behind
    stayAtEnd()
    return Grammar.Expression(
      kind: .string(segments), range: SourceRange(start, index + 3))
  }

  /// The texts and values of a literal, in which `signs` signs `#` are behind the backslash of an escape.
  mutating func parseSegments(
    _ start: Int, _ end: Int, indentation: Int, signs: Int = 0
  ) -> [Grammar.Segment] {
    var segments: [Grammar.Segment] = []
    var pending = ""
    var index = start
    func skipIndentation(_ index: Int) -> Int {
      var (index, left) = (index, indentation)
      while left > 0, index < end, bytes[index] == 0x20 || bytes[index] == 0x09 {
        (index, left) = (index + 1, left - 1)
      }
      return index
    }
    index = skipIndentation(index)
    var copied = index
    while index < end && !isUnwinding && !isSilent {
      if bytes[index] == UInt8(ascii: "\n") {
        pending += text(copied, index + 1)
        index = skipIndentation(index + 1)
        copied = index
        continue
      }
      guard bytes[index] == UInt8(ascii: "\\"), index + signs < end,
        bytes[(index + 1)..<(index + 1 + signs)].allSatisfy({ $0 == UInt8(ascii: "#") })
      else {
        index += 1
        continue
      }
      pending += text(copied, index)
      index += signs
      if index + 1 < end, bytes[index + 1] == UInt8(ascii: "(") {
        if !pending.isEmpty { segments.append(.text(pending)) }
        pending = ""
        segments.append(.value(parseInterpolation(from: index + 1, to: end)))
        index = Int(previousEnd)
      } else if index + 1 < end, bytes[index + 1] == UInt8(ascii: "\n") {
        index = skipIndentation(index + 2)
      } else {
        index = parseEscape(at: index, end, &pending)
      }
      copied = index
    }
    if copied < end { pending += text(copied, end) }
    if !pending.isEmpty || segments.isEmpty { segments.append(.text(pending)) }
    return segments
  }

  /// The value in `( )`; afterwards `previousEnd` is behind the parenthesis that closes it.
  private mutating func parseInterpolation(from start: Int, to end: Int) -> Grammar.Expression {
    let limit = lexer.limit
    (lexer.position, lexer.limit) = (start, end)
    advance()
    let opening = current
    advance()
    let outer = (allowsTrailingClosures, bindsVariables, isInPattern)
    (allowsTrailingClosures, bindsVariables, isInPattern) = (true, nil, false)
    let argument = parseArgument()
    // What follows is how the value is written: `default:`, `specifier:`.
    var value = argument.value
    if let label = argument.label { report("'\(label.text):' is not known here", label.range) }
    if consume(.comma) {
      let extra = parseArgument()
      value = Grammar.Expression(
        kind: .tuple([Grammar.Argument(label: nil, value: value), extra]), range: value.range)
    }
    (allowsTrailingClosures, bindsVariables, isInPattern) = outer
    if current.kind != .rightParenthesis {
      reportMissing(SyntaxMessage.parenthesisEnd(opening: line(of: opening.start)))
      skipToClosing(.rightParenthesis)
    }
    // Not `advance`, which would read on into the text.
    previousEnd = current.kind == .rightParenthesis ? current.end : Int32(end)
    lexer.limit = limit
    return value
  }

  private mutating func parseEscape(at index: Int, _ end: Int, _ text: inout String) -> Int {
    let known: [UInt8: Character] = [
      UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r",
      UInt8(ascii: "0"): "\0", UInt8(ascii: "\\"): "\\", UInt8(ascii: "\""): "\"",
      UInt8(ascii: "'"): "'",
    ]
    let letter = index + 1 < end ? bytes[index + 1] : 0
    if let character = known[letter] {
      text.append(character)
      return index + 2
    }
    guard letter == UInt8(ascii: "u") else {
      report(SyntaxMessage.unknownEscape, SourceRange(index, min(index + 2, end)))
      // The letter is one of the text, or of a character of several bytes.
      return index + 1
    }
    var (position, value, count) = (index + 2, UInt32(0), 0)
    if position < end && bytes[position] == UInt8(ascii: "{") {
      position += 1
      while position < end, count < 7, let digit = bytes[position].hexadecimalValue {
        (value, position, count) = (value << 4 | UInt32(digit), position + 1, count + 1)
      }
      if position < end, bytes[position] == UInt8(ascii: "}"), (1...6).contains(count),
        let scalar = Unicode.Scalar(value)
      {
        text.unicodeScalars.append(scalar)
        return position + 1
      }
    }
    report(SyntaxMessage.unicodeEscape, SourceRange(index, position))
    return position
  }
}
