import SpindleModel

/// Operators of one's own, which a trace has not: they are told of once, and what uses them is not.
extension Parser {
  /// Passes over `infix operator |>` or `precedencegroup P { … }`; whether one of them stands here.
  mutating func skipOperatorDeclaration() -> Bool {
    let next = peek()
    guard !next.isFirstOnLine, next.kind == .identifier else { return false }
    let isGroup = isName(current, "precedencegroup")
    let isOperator =
      isName(next, "operator")
      && (isName(current, "infix") || isName(current, "prefix") || isName(current, "postfix"))
    guard isGroup || isOperator else { return false }
    reportOwnOperator(current.range)
    if isOperator {
      advance()
      noteOwnSign(from: Int(current.end))
    }
    skipToStatementEnd()
    return true
  }

  /// The sign behind `func`, which can't be a name: goes on to the parameters behind it.
  mutating func skipOwnSign() -> Name {
    let token = current
    if isComparable, [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(token.kind) {
      // Its type is told of.
    } else if noteOwnSign(from: Int(token.start)) {
      reportOwnOperator(token.range)
    } else {
      report(SyntaxMessage.ownOperator, token.range)
    }
    repeat {
      advance()
    } while current.kind != .leftParenthesis && current.kind != .leftBrace
      && current.kind != .endOfFile && !current.isFirstOnLine
    return Name(word: word(token), range: token.range)
  }

  /// Whether the current token is a sign that can be declared as an operator.
  var isOwnSign: Bool {
    switch current.kind {
    case .unknownOperator, .not, .coalesce: true
    case .unknownCharacter: bytes[Int(current.start)] >= 0x80
    default: Expression.InfixOperator(current.kind) != nil
    }
  }

  private mutating func reportOwnOperator(_ range: SourceRange) {
    if !hasOperatorDeclaration { report(SyntaxMessage.ownOperator, range) }
    hasOperatorDeclaration = true
  }

  /// Notes the sign that stands at or behind an offset, up to a space or what can't belong to it; false for one
  /// that the language has itself.
  @discardableResult
  private mutating func noteOwnSign(from offset: Int) -> Bool {
    var start = offset
    while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
    var end = start
    while end < bytes.count, bytes[end] > UInt8(ascii: " "), !"():,{".utf8.contains(bytes[end]),
      end == start || !bytes[end].isLetter
    {
      end += 1
    }
    // The `<` of type parameters.
    if end < bytes.count, bytes[end].isLetter, bytes[end - 1] == UInt8(ascii: "<") { end -= 1 }
    var ahead = Lexer(bytes)
    ahead.position = start
    let token = ahead.next()
    if end == start || Int(token.end) == end && Expression.InfixOperator(token.kind) != nil {
      return false
    }
    ownSigns.append(Array(bytes[start..<end]))
    return true
  }

  /// Whether an error stands in a line that uses an operator of one's own, and follows from that.
  func followsFromOperator(_ diagnostic: Diagnostic) -> Bool {
    guard !ownSigns.isEmpty, diagnostic.message != SyntaxMessage.ownOperator else { return false }
    let line = source.lineNumber(at: diagnostic.range.lowerBound)
    let start = Int(source.lineStarts[line - 1])
    let end = line < source.lineStarts.count ? Int(source.lineStarts[line]) : bytes.count
    let text = bytes[start..<max(start, min(end, bytes.count))]
    return ownSigns.contains { sign in
      text.indices.contains { text[$0...].starts(with: sign) }
    }
  }
}
