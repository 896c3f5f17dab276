import SpindleModel

// What Swift allows and a trace does not, answered once, and read as it is meant.

extension Parser {
  /// Notes `try?` and `try!`, and goes on behind them; whether there was one.
  @inline(__always)
  mutating func skipTry() -> Bool {
    current.end - current.start == 3 && isName(current, "try") && skipTryWithSign()
  }

  private mutating func skipTryWithSign() -> Bool {
    let isOptional = lexer.following(0) == UInt8(ascii: "?")
    guard isOptional || lexer.following(0) == UInt8(ascii: "!") else { return false }
    report(isOptional ? SyntaxMessage.tryOptional : SyntaxMessage.tryForced, current.range)
    advance()
    advance()
    return true
  }

  /// Whether the current token is the `&` of `&name`.
  var isReference: Bool {
    current.end - current.start == 1 && bytes[Int(current.start)] == UInt8(ascii: "&")
      && lexer.following(0).isWordPart
  }

  /// Notes `5 ms`, whose unit stands apart, and goes on behind it; whether that was there.
  mutating func skipDetachedUnit(_ number: Token) -> Bool {
    guard !current.isFirstOnLine, bytes[Int(number.end) - 1].isDigit,
      Parser.scale(of: bytes[Int(current.start)..<Int(current.end)]) != nil
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

  // MARK: Names in forms that were refused

  /// Notes the names that the header at hand binds, as in `if let name = value`.
  mutating func noteUnreadNames() {
    var (ahead, token) = (lexer, current)
    for _ in 0..<64 {
      let next = ahead.next()
      if next.isFirstOnLine || token.kind == .leftBrace || token.kind == .endOfFile { return }
      if (token.kind == .let || token.kind == .var) && next.kind == .identifier {
        unreadNames.append(Name(word: word(next), range: next.range))
      }
      token = next
    }
  }

  /// The names that the last header binds in a form that was refused.
  mutating func takeUnreadNames() -> [Name] {
    guard !unreadNames.isEmpty else { return [] }
    defer { unreadNames = [] }
    return unreadNames
  }

  /// The block behind a header, in which what the header binds in a form that was refused is known.
  mutating func parseBlock(ofHeader word: String) -> CodeBlock {
    let names = takeUnreadNames()
    var block = parseBlock(word)
    declare(names, in: &block)
    return block
  }

  /// Makes names known in a block, so that using them is no second mistake.
  func declare(_ names: [Name], in block: inout CodeBlock) {
    guard !names.isEmpty else { return }
    let bindings = names.reversed().map { name in
      Statement(kind: .binding(arena.node(unknownBinding(name))), range: name.range)
    }
    block.statements = arena.list(bindings + block.statements)
  }

  /// A name whose value could not be read.
  func unknownBinding(_ name: Name) -> Binding {
    Binding(
      isVariable: false, weak: nil, name: name, type: nil,
      value: arena.expression(kind: .missing, range: name.range))
  }

  // MARK: Words at the top

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
