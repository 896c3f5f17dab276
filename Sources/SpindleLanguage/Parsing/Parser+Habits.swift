import SpindleModel

// What Swift allows and a trace does not, answered once, and read as it is meant.

extension Parser {
  /// Whether the current token is the word `try`, of whatever form.
  @inline(__always)
  var isTry: Bool { current.end - current.start == 3 && isName(current, "try") }

  /// `try a`, `try? a`, `try! a`: any call may throw, so the word alone says nothing.
  mutating func parseTry() -> Expression {
    let start = current.start
    let outer = isTrying
    isTrying = true
    defer { isTrying = outer }
    let sign = lexer.following(0)
    let isOptional = sign == UInt8(ascii: "?")
    guard isOptional || sign == UInt8(ascii: "!") else {
      advance()
      return parseExpression()
    }
    advance()
    advance()
    let inner = parseExpression()
    guard grow(to: height + 1, at: range(from: start)) else { return inner }
    return arena.expression(
      kind: .attempt(isForced: !isOptional, inner), range: range(from: start))
  }

  /// Whether the current token is the `&` of `&name`.
  var isReference: Bool {
    current.end - current.start == 1 && bytes[Int(current.start)] == UInt8(ascii: "&")
      && lexer.following(0).isWordPart
  }

  /// Notes `5 ms`, whose unit stands apart, and goes on behind it; whether that was there.
  mutating func skipDetachedUnit(_ number: Token) -> Bool {
    guard !current.isFirstOnLine, bytes[Int(number.end) - 1].isDigit,
      Digits.scale(of: bytes[Int(current.start)..<Int(current.end)]) != nil
    else { return false }
    report(SyntaxMessage.detachedUnit(text(number), text(current)), current.range)
    advance()
    return true
  }

  /// Whether the brace at hand, on the line behind a call, is meant for its closure; notes it.
  mutating func reportsBraceOnNextLine() -> Bool {
    guard line(of: current) == source.lineNumber(at: previousEnd) + 1 else { return false }
    report(SyntaxMessage.closureOnNextLine, current.range)
    return true
  }

  /// Whether the current token is a `#` alone, as before a comment of other languages.
  var isHashComment: Bool {
    current.kind == .unknownCharacter && current.end - current.start == 1
      && bytes[Int(current.start)] == UInt8(ascii: "#")
  }

  // MARK: Texts without an end

  /// Goes on behind a text that is not closed: at the brackets in it that belong to what is around.
  mutating func resumeInText(_ token: Token) {
    let position = outerBrackets(in: token)
    if let position { lexer.position = position }
    advance()
    if let position { noteResumption(at: position) }
  }

  /// Where the `\(` stands that takes the end of a text for its own: `"\(n"`; nil when none does.
  func openValue(in token: Token) -> Int? {
    guard token.flags.contains(.hasEscapes) else { return nil }
    var start: Int?
    var depth = 0
    for index in Int(token.start) + 1..<Int(token.end) {
      let before = bytes[index - 1]
      switch bytes[index] {
      case UInt8(ascii: "(") where depth > 0: depth += 1
      case UInt8(ascii: "(") where before == UInt8(ascii: "\\"): (start, depth) = (index - 1, 1)
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: "\"") where depth > 0:
        // Behind a value the quote ends the text; else it begins a text within the value.
        return before.isWordPart || before == UInt8(ascii: ")") ? start : nil
      default: break
      }
    }
    return nil
  }

  /// Where, in a text that is not closed, `)` and a brace stand that nothing in it opens or closes.
  private func outerBrackets(in token: Token) -> Int? {
    // A longer one is not worth it: any text is read in linear time.
    guard token.end - token.start <= 1_000 else { return nil }
    var open: [Int] = []
    var brace: Int?
    for index in Int(token.start)..<Int(token.end) where brace == nil {
      if bytes[index] == UInt8(ascii: "{") {
        open.append(index)
      } else if bytes[index] == UInt8(ascii: "}"), open.popLast() == nil {
        brace = index
      }
    }
    guard var position = brace ?? open.first else { return nil }
    var closing: Int?
    while position > Int(token.start) {
      position -= 1
      if bytes[position] == UInt8(ascii: ")") {
        closing = position
      } else if bytes[position] != UInt8(ascii: " ") {
        break
      }
    }
    return closing
  }

  /// Whether `Set<Int>(` stands here, and no comparison: types in angle brackets, and a call behind.
  var beginsTypeArguments: Bool {
    let first = bytes[Int(current.start)]
    guard first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else { return false }
    var ahead = lexer
    for _ in 0..<32 {
      let token = ahead.next()
      switch token.kind {
      case .greater, .shiftRight:
        switch ahead.next().kind {
        case .leftParenthesis: return true
        case .dot, .leftBrace, .rightBracket:
          let name = text(current)
          return ForeignWord.isGenericType(name) || ForeignName.all[name] != nil
        default: return false
        }
      case .less, .identifier, .comma, .dot, .leftBracket, .rightBracket, .colon, .question: break
      default: return false
      }
    }
    return false
  }

  /// Goes on behind types in angle brackets; tells of them where nothing else is told of the name.
  mutating func skipTypeArguments(of name: Token) {
    if ForeignName.all[text(name)] == nil, !genericTypes.contains(word(name)) {
      report(SyntaxMessage.genericType, current.range)
    }
    while current.kind != .greater && current.kind != .shiftRight && current.kind != .endOfFile {
      advance()
    }
    if current.kind == .greater || current.kind == .shiftRight { advance() }
  }

  // MARK: Words and attributes

  /// Whether the current token is `private` or the like with `(set)` behind it, or `nonisolated(unsafe)`.
  mutating func hasSetter() -> Bool {
    guard lexer.following(0) == UInt8(ascii: "(") else { return false }
    if isName(current, "nonisolated") { return true }
    return lexer.following(1) == UInt8(ascii: "s") && lexer.following(4) == UInt8(ascii: ")")
      && ForeignWord.all[text(current)]?.kind == .noise
  }

  /// Goes on behind `@escaping` and its like; tells those that would change something.
  mutating func skipAttributes() {
    while current.kind == .unknownCharacter, bytes[Int(current.start)] == UInt8(ascii: "@") {
      if !noteIsolation(current), !ForeignWord.attributes.contains(text(current)) {
        report(SyntaxMessage.foreign(text(current)), current.range)
      }
      advance()
      guard current.kind == .leftParenthesis, !current.hasSpaceBefore else { continue }
      advance()
      skipToClosing(.rightParenthesis)
      _ = consume(.rightParenthesis)
    }
  }

  // MARK: Words at the top

  /// Whether `parameter n = 1` stands here, which is meant as `param n = 1` and read as that.
  var isParameterWord: Bool {
    guard isName(current, "parameter") || isName(current, "parameters") else { return false }
    let next = peek()
    return next.kind == .identifier && !next.isFirstOnLine
  }

  /// Notes a word at the top that is nearly one that begins a declaration, or that has settings
  /// behind it, and skips what belongs to it; whether there was one.
  mutating func skipMisspelledDeclaration() -> Bool {
    let next = peek()
    guard current.kind == .identifier, !next.isFirstOnLine else { return false }
    let words: [String]
    switch next.kind {
    case .leftBrace: words = ["main", "machine", "expect"]
    case .string: words = ["trace"]
    case .identifier: words = ["param", "func", "let", "var"]
    default: return false
    }
    let word = text(current)
    if let near = nearest(word, in: words) {
      report(SyntaxMessage.unknownDeclaration(word, nearest: near), current.range)
    } else if next.kind == .leftBrace, isSettingBehindBrace {
      reportUnexpected(SyntaxMessage.expectedDeclaration)
    } else {
      return false
    }
    skipToStatementEnd()
    return true
  }

  private var isSettingBehindBrace: Bool {
    var ahead = lexer
    _ = ahead.next()
    return ahead.next().kind == .identifier && ahead.next().kind == .colon
  }
}
