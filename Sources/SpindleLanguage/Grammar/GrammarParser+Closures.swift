import SpindleModel

/// Closures and their signatures.
extension GrammarParser {
  /// `{ … }`, at its brace.
  mutating func parseClosure() -> Grammar.Expression {
    let opening = current
    let closure = nested { parser -> Grammar.Closure in
      let outer = (parser.allowsTrailingClosures, parser.bindsVariables, parser.isInPattern)
      let (count, place) = (parser.shorthandCount, parser.shorthandPlace)
      parser.shorthandCount = 0
      (parser.allowsTrailingClosures, parser.bindsVariables, parser.isInPattern) =
        (true, nil, false)
      defer {
        (parser.allowsTrailingClosures, parser.bindsVariables, parser.isInPattern) = outer
        (parser.shorthandCount, parser.shorthandPlace) = (count, place)
      }
      parser.advance()
      var closure = parser.parseClosureHeader()
      closure.body = parser.parseStatements(opening)
      if parser.shorthandCount > 0, closure.parameters != nil {
        parser.report(SyntaxMessage.shorthandBesideNames, parser.shorthandPlace)
      }
      closure.shorthandCount = parser.shorthandCount
      closure.range = parser.range(from: opening.start)
      return closure
    }
    guard let closure else { return missing() }
    return Grammar.Expression(kind: .closure(closure), range: closure.range)
  }

  /// The signature of a closure in front of `in`; an empty one if it has none.
  private mutating func parseClosureHeader() -> Grammar.Closure {
    let place = SourceRange(Int(current.start), Int(current.start))
    var closure = Grammar.Closure(
      body: Grammar.Block(statements: [], range: place), range: place)
    guard startsClosureHeader() else { return closure }
    while isAttribute { closure.attributes.append(parseAttribute()) }
    if current.kind == .leftBracket { closure.captures = parseCaptures() }
    if consume(.in) { return closure }
    guard current.kind == .leftParenthesis || hasParameters(current, lexer) else {
      reportMissing(SyntaxMessage.expectedSign("in", "behind the capture list"))
      skipToBody()
      return closure
    }
    closure.parameters = parseClosureParameters()
    (closure.effects, closure.thrown) = parseEffects()
    if consume(.arrow) { closure.result = parseType() }
    if !consume(.in) {
      reportMissing(SyntaxMessage.expectedSign("in", "behind the closure's parameters"))
      skipToBody()
    }
    return closure
  }

  /// Skips what is wrong in a signature, up to the `in` on its line; nothing where that is missing.
  private mutating func skipToBody() {
    var (ahead, token) = (lexer, current)
    for _ in 0..<64 {
      if token.isFirstOnLine || token.kind == .leftBrace || token.kind == .rightBrace { return }
      if token.kind == .in {
        (lexer, current) = (ahead, token)
        return advance()
      }
      token = ahead.next()
    }
  }

  /// Whether a signature is here: attributes, captures or parameters that `in` follows, or captures beyond doubt.
  private mutating func startsClosureHeader() -> Bool {
    var (ahead, token) = (lexer, current)
    while token.kind == .unknownCharacter, bytes[Int(token.start)] == UInt8(ascii: "@") {
      token = ahead.next()
      if token.kind == .leftParenthesis, !token.hasSpaceBefore, !skipBalanced(&token, &ahead) {
        return false
      }
    }
    if token.kind == .leftBracket {
      var inside = ahead
      let first = inside.next()
      let second = inside.next()
      if first.kind == .identifier, second.kind == .assign { return true }
      if isWord(first, "weak") || isWord(first, "unowned"),
        second.kind == .identifier || second.kind == .leftParenthesis
      {
        return true
      }
      guard skipBalanced(&token, &ahead) else { return false }
    }
    if token.kind == .in { return token.start > current.start }
    return hasParameters(token, ahead)
  }

  /// Whether parameters, effects and a result begin with a token, and `in` follows.
  private mutating func hasParameters(_ first: Token, _ lexer: Lexer) -> Bool {
    var (token, ahead) = (first, lexer)
    if token.kind == .leftParenthesis {
      guard skipBalanced(&token, &ahead) else { return false }
    } else {
      while true {
        guard token.kind == .identifier || token.kind == .underscore else { return false }
        token = ahead.next()
        if token.kind != .comma { break }
        token = ahead.next()
      }
    }
    while token.kind == .identifier, isWord(token, "async") || isWord(token, "throws") {
      token = ahead.next()
      if token.kind == .leftParenthesis, !skipBalanced(&token, &ahead) { return false }
    }
    if token.kind == .in { return true }
    guard token.kind == .arrow else { return false }
    // A type is short, and has no signs but these.
    for _ in 0..<64 {
      token = ahead.next()
      switch token.kind {
      case .in: return true
      case .identifier, .dot, .question, .not, .less, .greater, .shiftRight, .comma, .colon,
        .leftBracket, .rightBracket, .leftParenthesis, .rightParenthesis, .arrow, .bitAnd,
        .unknownCharacter, .unknownOperator, .coalesce, .underscore:
        continue
      default: return false
      }
    }
    return false
  }

  private mutating func parseClosureParameters() -> [Grammar.ClosureParameter] {
    if current.kind == .leftParenthesis {
      let opening = current
      advance()
      return parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
        $0.parseTypedParameter()
      }
    }
    var parameters: [Grammar.ClosureParameter] = []
    repeat {
      parameters.append(Grammar.ClosureParameter(name: parseName("a parameter")))
    } while consume(.comma)
    return parameters
  }

  private mutating func parseTypedParameter() -> Grammar.ClosureParameter {
    var name = parseName("a parameter")
    if current.kind == .identifier || current.kind == .underscore { name = parseName("a name") }
    var parameter = Grammar.ClosureParameter(name: name)
    if consume(.colon) {
      var type = parseType()
      if case .attributed(let inner, let attributes, isInout: true) = type.kind {
        parameter.isInout = true
        type = Grammar.TypeSyntax(
          kind: .attributed(inner, attributes: attributes, isInout: false), range: type.range)
      }
      parameter.type = type
    }
    return parameter
  }

  /// `[n, weak q, m = a + 1]`.
  private mutating func parseCaptures() -> [Grammar.Capture] {
    let opening = current
    advance()
    return parseList(until: .rightBracket, opening, SyntaxMessage.bracketEnd) {
      $0.parseCapture()
    }
  }

  private mutating func parseCapture() -> Grammar.Capture {
    var strength = Grammar.Capture.Strength.strong
    if current.kind == .identifier,
      peek().kind == .identifier || isWord(current, "unowned") && peek().kind == .leftParenthesis
    {
      strength = isWord(current, "weak") ? .weak : .unowned
      advance()
      if current.kind == .leftParenthesis { _ = parseRawArgument() }
    }
    let name = parseDeclaredName("a capture")
    var value = Grammar.Expression(kind: .name(name.text, []), range: name.range)
    if consume(.assign) { value = parseExpression() }
    return Grammar.Capture(strength: strength, name: name, value: value)
  }
}
