import SpindleModel

// Where reading goes on after an error: each function ends, and goes forward or stays.

extension GrammarParser {
  /// Skips what is left of a statement, blocks and brackets included.
  mutating func skipToStatementEnd() {
    if isHashComment {
      while lexer.position < lexer.limit, bytes[lexer.position] != UInt8(ascii: "\n") {
        lexer.position += 1
      }
      return advance()
    }
    repeat {
      switch current.kind {
      case .endOfFile, .rightBrace, .semicolon: return
      case .leftBrace, .leftParenthesis, .leftBracket: skipBracket()
      default: advance()
      }
    } while !current.isFirstOnLine
  }

  /// Whether the current token is a `#` alone, as before a comment of other languages.
  var isHashComment: Bool {
    current.kind == .unknownCharacter && current.end - current.start == 1
      && bytes[Int(current.start)] == UInt8(ascii: "#")
  }

  /// Skips what is left of a header, up to the brace of its block.
  mutating func skipToBlock() {
    while !current.isFirstOnLine {
      switch current.kind {
      case .endOfFile, .rightBrace, .semicolon, .leftBrace, .else: return
      case .leftParenthesis, .leftBracket: skipBracket()
      default: advance()
      }
    }
  }

  /// Skips from an opening bracket to behind the one that closes it, or to where that is missing.
  private mutating func skipBracket() {
    var braces = 0
    var brackets = 0
    repeat {
      switch current.kind {
      case .leftBrace: braces += 1
      case .rightBrace:
        if braces == 0 { return }
        braces -= 1
      case .leftParenthesis, .leftBracket: if braces == 0 { brackets += 1 }
      case .rightParenthesis, .rightBracket: if braces == 0 { brackets -= 1 }
      case .endOfFile: return
      default: break
      }
      advance()
      if current.isFirstOnLine, isAtLineStart(current), current.kind == .func || isSection {
        return
      }
    } while braces > 0 || brackets > 0
  }

  /// Reads the bracket that closes the one at `opening`; reports when something else is there.
  mutating func expectClosing(
    _ kind: Token.Kind, _ opening: Token, _ message: (Int) -> (String) -> String
  ) {
    if consume(kind) { return }
    guard !isUnwinding else { return }
    reportMissing(message(line(of: opening.start)))
    // `f(x { … }`: the brace begins the closure behind the call.
    if current.kind == .leftBrace { return }
    let isOnOneLine = line(of: opening.start) == line(of: previousEnd)
    if isOnOneLine && current.isFirstOnLine { return }
    if skipToClosing(kind, withinLine: isOnOneLine) { advance() }
  }

  /// Skips to the closing bracket of this kind, if there is one.
  mutating func skipToClosing(_ kind: Token.Kind) { skipToClosing(kind, withinLine: false) }

  @discardableResult
  private mutating func skipToClosing(_ kind: Token.Kind, withinLine: Bool) -> Bool {
    var (ahead, token, end) = (lexer, current, previousEnd)
    var depth = 0
    // So many tokens are worth looking at, for one error and for all: any text takes linear time.
    for _ in 0..<max(0, min(1_000, lookahead)) {
      lookahead -= 1
      if withinLine && token.isFirstOnLine && depth == 0 { return false }
      if token.isFirstOnLine && startsStatement(token) { return false }
      switch token.kind {
      case kind where depth == 0:
        (lexer, current, previousEnd) = (ahead, token, end)
        return true
      case .endOfFile, .semicolon, .unterminatedComment: return false
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace:
        if depth > 0 {
          depth -= 1
        } else {
          // One that is too many may be right before the one that closes.
          var behind = ahead
          if token.kind == .rightBrace || behind.next().kind != kind { return false }
        }
      default: break
      }
      end = token.end
      token = ahead.next()
    }
    return false
  }

  /// Goes in `ahead` from an opening bracket, the token at hand, behind the one that closes it; false where that is
  /// missing, or on another line where that is asked for.
  mutating func skipBalanced(
    _ token: inout Token, _ ahead: inout Lexer, withinLine: Bool = false
  ) -> Bool {
    var open: [Token.Kind] = []
    // Brackets within brackets are looked at again and again: those of a signature are short.
    let least = lookahead > 0 ? Int.min : lookahead - 1_000
    while lookahead > least {
      lookahead -= 1
      switch token.kind {
      case .leftParenthesis: open.append(.rightParenthesis)
      case .leftBracket: open.append(.rightBracket)
      case .leftBrace: open.append(.rightBrace)
      case .rightParenthesis, .rightBracket, .rightBrace:
        guard open.popLast() == token.kind else { return false }
      case .endOfFile, .unterminatedComment: return false
      default: break
      }
      token = ahead.next()
      if open.isEmpty { return true }
      if withinLine && token.isFirstOnLine { return false }
    }
    return false
  }

  /// Whether a statement begins with a token, beyond doubt.
  private func startsStatement(_ token: Token) -> Bool {
    switch token.kind {
    case .let, .var, .func, .if, .guard, .while, .for, .break, .continue, .return, .defer, .do,
      .throw:
      true
    default: false
    }
  }

  /// The line of an offset in its file, counted from 1.
  func line(of offset: Int32) -> Int { source.fileLine(at: offset).line }

  /// Whether a token is in the first column.
  func isAtLineStart(_ token: Token) -> Bool {
    token.start == 0 || bytes[Int(token.start) - 1] == UInt8(ascii: "\n")
  }

  // MARK: Declarations

  /// Whether the current token, with the next, begins what only a trace has, at its top: `main {`, `param n`.
  var isSection: Bool {
    guard isTrace, current.kind == .identifier else { return false }
    let next: Token.Kind
    switch text(current) {
    case "main":
      next = peek().kind
      return next == .leftBrace || next == .leftParenthesis
    case "expect", "machine", "schedule", "explore": return peek().kind == .leftBrace
    case "trace", "include": return peek().kind.isText
    case "param": return peek().kind == .identifier
    default: return false
    }
  }

  /// Whether a declaration in the first column is here, before which a block must have ended.
  ///
  /// Where the block is indented, no declaration at all can be meant to be in it.
  func endsBlock(isIndented: Bool) -> Bool {
    guard endsAtFirstColumn, current.isFirstOnLine, isAtLineStart(current) else { return false }
    if isSection { return true }
    guard isIndented else { return false }
    guard current.kind == .identifier else { return startsDeclaration }
    switch text(current) {
    case "at", "every", "arrivals": return isTrace && peek().kind == .leftParenthesis
    case "case", "init", "deinit", "subscript": return false
    default: return startsDeclaration
    }
  }

  /// The offset of the next line at or behind `offset` that begins with a declaration's word.
  func nextDeclaration(from offset: Int) -> Int {
    var index = offset
    while index < end {
      while index < end && bytes[index] != UInt8(ascii: "\n") { index += 1 }
      index += 1
      guard index < end, bytes[index].isLetter || bytes[index] == UInt8(ascii: "@") else {
        continue
      }
      var ahead = Lexer(bytes)
      ahead.position = index
      let word = ahead.next()
      switch word.kind {
      case .func, .let, .var, .unknownCharacter: return index
      case .identifier where GrammarParser.topWords.contains(text(word)): return index
      default: break
      }
    }
    return end
  }

  private static let topWords: Set<String> = [
    "main", "expect", "machine", "trace", "param", "schedule", "explore", "at", "every",
    "arrivals", "class", "struct", "enum", "actor", "protocol", "extension", "final", "public",
    "private", "internal", "fileprivate", "import", "typealias",
  ]

  // MARK: Braces

  /// Reports that a brace is not closed, and gives the declaration up; before that, it is read once more.
  mutating func reportUnclosedBrace(_ opening: Token) {
    guard !isUnwinding, !isSilent else { return }
    if lexer.limit < end {
      // In a value in a text, which goes on behind it.
      report(SyntaxMessage.unclosedBrace(before: "the end of the text"), opening.range)
      lastError = previousEnd
      return
    }
    guard endsAtFirstColumn else {
      (endsAtFirstColumn, readsAgain) = (true, true)
      return abandon(resumingAt: end)
    }
    let found = current.kind == .endOfFile ? "the end of the text" : "'\(text(current))'"
    let brace = misindentedBrace(before: current.start) ?? opening
    var message = SyntaxMessage.unclosedBrace(before: found)
    if current.kind != .endOfFile { message += " on line \(line(of: current.start))" }
    report(message, brace.range)
    abandon(resumingAt: Int(current.start))
  }

  /// The first opening brace of the declaration whose closing one is further left than its line begins: there, most
  /// likely, one is missing.
  private func misindentedBrace(before end: Int32) -> Token? {
    var ahead = lexer
    ahead.position = Int(declarationStart)
    var open: [Token] = []
    var token = ahead.next()
    while token.kind != .endOfFile && token.start < end {
      if token.kind == .leftBrace {
        open.append(token)
      } else if token.kind == .rightBrace, let opening = open.popLast(), token.isFirstOnLine,
        indentation(at: token.start) < indentation(at: opening.start)
      {
        return opening
      }
      token = ahead.next()
    }
    return nil
  }

  /// Whether the current token begins a line that is indented more than the one before it.
  var isIndentedMore: Bool {
    current.isFirstOnLine && current.kind != .endOfFile && current.kind != .rightBrace
      && indentation(at: current.start) > indentation(at: previousEnd)
  }

  /// How many spaces and tabs the line of an offset begins with; so many that they tell.
  private func indentation(at offset: Int32) -> Int {
    let start = Int(source.lineStarts[source.lineNumber(at: offset) - 1])
    let end = min(bytes.count, start + 200)
    var index = start
    while index < end, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
      index += 1
    }
    return index - start
  }
}
