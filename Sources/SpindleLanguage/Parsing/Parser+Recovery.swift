import SpindleModel

// Where reading goes on after an error: each function ends, and goes forward or stays.

extension Parser {
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
      guard current.isFirstOnLine else { continue }
      if startsDeclaration(inIndentedBlock: false)
        || current.kind == .func && isAtLineStart(current)
      {
        return
      }
    } while braces > 0 || brackets > 0
  }

  /// Reads the bracket that closes the one at `opening`; notes when something else is there.
  mutating func expectClosing(
    _ kind: Token.Kind, _ opening: Token, _ message: (Int) -> (String) -> String
  ) {
    if consume(kind) { return }
    guard !isUnwinding else { return }
    reportMissing(message(line(of: opening)))
    // `f(x { … }`: the brace begins the closure behind the call.
    if current.kind == .leftBrace { return }
    let isOnOneLine = line(of: opening) == source.lineNumber(at: previousEnd)
    let (savedLexer, savedToken, savedEnd) = (lexer, current, previousEnd)
    if isOnOneLine && current.isFirstOnLine { return }
    if skipToClosing(kind, withinLine: isOnOneLine) {
      advance()
    } else {
      (lexer, current, previousEnd) = (savedLexer, savedToken, savedEnd)
    }
  }

  /// Skips to the closing bracket of this kind, if there is one.
  mutating func skipToClosing(_ kind: Token.Kind) {
    let (savedLexer, savedToken, savedEnd) = (lexer, current, previousEnd)
    if !skipToClosing(kind, withinLine: false) {
      (lexer, current, previousEnd) = (savedLexer, savedToken, savedEnd)
    }
  }

  /// Passes over all that is in braces, whatever it is.
  mutating func skipBraces() {
    var depth = 0
    while current.kind != .endOfFile {
      if current.kind == .leftBrace { depth += 1 }
      if current.kind == .rightBrace { depth -= 1 }
      advance()
      if depth == 0, previousEnd > 0, bytes[Int(previousEnd) - 1] == UInt8(ascii: "}") { return }
    }
  }

  private mutating func skipToClosing(_ kind: Token.Kind, withinLine: Bool) -> Bool {
    var depth = 0
    // So many tokens are worth looking at, for one error and for all: any text takes linear time.
    for _ in 0..<min(1_000, lookahead) {
      lookahead -= 1
      if withinLine && current.isFirstOnLine && depth == 0 { return false }
      if current.isFirstOnLine && startsStatement { return false }
      switch current.kind {
      case kind where depth == 0: return true
      case .endOfFile, .semicolon: return false
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace:
        if depth == 0 { return false }
        depth -= 1
      default: break
      }
      // Not `advance`, since this may be taken back.
      previousEnd = current.end
      current = lexer.next()
    }
    return false
  }

  /// Whether a statement begins here, beyond doubt.
  private var startsStatement: Bool {
    mutating get {
      switch current.kind {
      case .let, .var, .func, .if, .guard, .while, .for, .break, .continue, .return, .defer, .do,
        .throw:
        true
      default: startsDeclaration(inIndentedBlock: false)
      }
    }
  }

  /// The line of a token, counted from 1.
  func line(of token: Token) -> Int {
    source.lineNumber(at: token.start)
  }
}

// MARK: Words of other places

extension Parser {
  /// Notes words of Swift that the language has not; skips those that may be left out.
  ///
  /// Whether it noted any. When the current token is still the same, the whole statement is
  /// foreign.
  @inline(__always)
  mutating func skipForeignWords() -> Bool {
    // Such a word stands in front of another one, behind a space.
    let next = lexer.following(0)
    return (next == UInt8(ascii: " ") || next == UInt8(ascii: "(") && skipSetter())
      && skipForeignWordsBeforeOthers()
  }

  private mutating func skipForeignWordsBeforeOthers() -> Bool {
    var found = false
    while current.kind == .identifier, isWordNext, let foreign = ForeignWord.all[text(current)] {
      found = true
      guard foreign.kind != .noise else {
        if isName(current, "nonisolated") {
          isolation = parseNonisolated()
          continue
        }
        advance()
        continue
      }
      report(foreign.message, current.range)
      if foreign.kind == .statement { return true }
      advance()
    }
    return found
  }

  /// Whether the current token is a word of access with `(set)` behind it; goes on to that word's end.
  private mutating func skipSetter() -> Bool {
    // Nearly always this is a call: what stands in its brackets says so before any word is looked up.
    let inside = lexer.following(1)
    guard inside == UInt8(ascii: "s") || inside == UInt8(ascii: " "),
      ForeignWord.all[text(current)]?.kind == .noise
    else { return false }
    var ahead = lexer
    _ = ahead.next()
    guard isName(ahead.next(), "set"), ahead.next().kind == .rightParenthesis else { return false }
    lexer = ahead
    return lexer.following(0) == UInt8(ascii: " ")
  }

  /// Whether a word, number or text follows the current token on its line.
  @inline(__always)
  private var isWordNext: Bool {
    var distance = 0
    while lexer.following(distance) == UInt8(ascii: " ") { distance += 1 }
    let next = lexer.following(distance)
    return distance > 0
      && (next.isWordPart || next == UInt8(ascii: "\"") || next == UInt8(ascii: "[")
        || next >= 0x80)
  }

  /// Whether the token stands in the first column.
  @inline(__always)
  func isAtLineStart(_ token: Token) -> Bool {
    token.start == 0 || bytes[Int(token.start) - 1] == UInt8(ascii: "\n")
  }

  /// Whether the current token is in the first column and begins what can only stand at the top.
  ///
  /// In a block this means that a brace is missing. Where the block is indented, some words more, and functions,
  /// can't be meant to be in it.
  @inline(__always)
  mutating func startsDeclaration(inIndentedBlock isIndented: Bool) -> Bool {
    isAtLineStart(current) && beginsDeclaration(inIndentedBlock: isIndented)
  }

  private mutating func beginsDeclaration(inIndentedBlock isIndented: Bool) -> Bool {
    if isDeclarationWord { return true }
    guard isIndented else { return false }
    if current.kind == .func { return true }
    guard current.kind == .identifier else { return false }
    return lexer.following(0) == UInt8(ascii: "(")
      && (isName(current, "at") || isName(current, "every") || isName(current, "arrivals"))
  }

  /// Whether the current token, with the next, begins a declaration.
  var isDeclarationWord: Bool {
    guard current.kind == .identifier else { return false }
    if isName(current, "main") {
      let next = peek().kind
      return next == .leftBrace || next == .leftParenthesis
    }
    if isName(current, "expect") || isName(current, "machine") { return peek().kind == .leftBrace }
    if isName(current, "trace") { return peek().kind.isText }
    return isName(current, "param") && peek().kind == .identifier || isParameterWord
  }

  /// The offset of the next line at or behind `offset` that begins with a declaration's word.
  func nextDeclaration(from offset: Int) -> Int {
    var index = offset
    while index < bytes.count {
      while index < bytes.count && bytes[index] != UInt8(ascii: "\n") { index += 1 }
      index += 1
      guard index < bytes.count, bytes[index].isLetter else { continue }
      var ahead = Lexer(bytes)
      ahead.position = index
      let word = ahead.next()
      switch word.kind {
      case .func, .let, .var: return index
      case .identifier where Parser.declarationWords.contains(text(word)): return index
      default: break
      }
    }
    return bytes.count
  }

  private static let declarationWords = [
    "main", "expect", "machine", "trace", "param", "at", "every", "arrivals",
  ]
}

// MARK: Braces

extension Parser {
  /// Notes that a brace is not closed, and gives the declaration up.
  mutating func reportUnclosedBrace(_ opening: Token) {
    guard !isUnwinding else { return }
    let found = current.kind == .endOfFile ? "the end of the text" : "'\(text(current))'"
    let brace = misindentedBrace(before: current.start) ?? opening
    var message = SyntaxMessage.unclosedBrace(before: found)
    if current.kind != .endOfFile { message += " on line \(line(of: current))" }
    report(message, brace.range)
    abandon(resumingAt: Int(current.start))
  }

  /// The first opening brace of the declaration whose closing one stands further left than its line
  /// begins: there, most likely, one is missing.
  private func misindentedBrace(before end: Int32) -> Token? {
    var ahead = Lexer(bytes)
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

  /// How many spaces and tabs the line of `offset` begins with.
  private func indentation(at offset: Int32) -> Int {
    let start = Int(source.lineStarts[source.lineNumber(at: offset) - 1])
    var index = start
    while index < bytes.count,
      bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
    {
      index += 1
    }
    return index - start
  }
}
