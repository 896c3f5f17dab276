import SpindleModel

extension Parser {
  /// `{ a, b in statements }`, at its brace.
  mutating func parseClosure() -> Expression.Closure {
    let opening = current
    guard descend() else {
      return Expression.Closure(
        parameters: SyntaxList(),
        body: CodeBlock(statements: SyntaxList(), range: opening.range))
    }
    defer { ascend() }
    let outer = (allowsTrailingClosures, shorthandCount, isAwaiting, isTrying)
    (allowsTrailingClosures, shorthandCount, isAwaiting, isTrying) = (true, 0, false, false)
    defer { (allowsTrailingClosures, shorthandCount, isAwaiting, isTrying) = outer }
    advance()
    var (parameters, header) = parseClosureHeader()
    let body = parseStatements(opening)
    if shorthandCount > 0 { parameters = shorthandParameters(parameters) }
    return Expression.Closure(
      parameters: parameters, header: header, body: body, isAwaiting: isAwaiting)
  }

  /// `$0` and those up to the highest that the body has, which are its parameters.
  private mutating func shorthandParameters(_ named: SyntaxList<Name>) -> SyntaxList<Name> {
    guard named.isEmpty else {
      report(SyntaxMessage.shorthandBesideNames, shorthandPlace)
      return named
    }
    return arena.list(
      (0..<shorthandCount).map { Name(word: arena.words.word("$\($0)"), range: shorthandPlace) })
  }

  /// Notes that the body of the closure at hand has `$n` in it.
  mutating func noteShorthand(_ token: Token) {
    var number = 0
    for index in Int(token.start) + 1..<Int(token.end) where number < 100 {
      number = number * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
    }
    guard number < 16 else { return report(SyntaxMessage.shorthandTooLarge, token.range) }
    if number >= shorthandCount { (shorthandCount, shorthandPlace) = (number + 1, token.range) }
  }

  /// Captures, parameters and result, up to the word `in`.
  private mutating func parseClosureHeader() -> (SyntaxList<Name>, Node<Expression.ClosureHeader>?)
  {
    _ = takeIsolation()
    self.isSendable = false
    if current.kind == .unknownCharacter { skipAttributes() }
    let (isolation, isSendable) = (takeIsolation(), self.isSendable)
    self.isSendable = false
    var captures = SyntaxList<Expression.Capture>()
    if current.kind == .leftBracket, startsCaptureList() { captures = parseCaptures() }
    let hasCaptures = !captures.isEmpty
    guard let end = endOfClosureParameters() else {
      guard hasCaptures else {
        // It stands in front of a function, which is the first statement.
        if current.kind == .func { self.isolation = isolation }
        return (SyntaxList(), nil)
      }
      reportMissing(SyntaxMessage.expectedSign("in", "behind the capture list"))
      return (SyntaxList(), closureHeader(captures, SyntaxList(), nil))
    }
    var names = SyntaxListBuilder<Name>()
    if current.kind == .leftParenthesis {
      let (types, result, isAsync) = parseTypedParameters(&names)
      while current.start < end && current.kind != .endOfFile { advance() }
      advance()
      let hasTypes = types.contains { if case .missing = $0.kind { false } else { true } }
      guard hasCaptures || hasTypes || result != nil || isAsync else {
        return (names.list, isolated(nil, isolation, isSendable))
      }
      let header = closureHeader(captures, hasTypes ? types : SyntaxList(), result)
      return (names.list, isolated(header, isolation, isSendable, isAsync: isAsync))
    }
    var result: TypeName?
    while current.start < end {
      switch current.kind {
      case .identifier, .underscore:
        names.append(Name(word: word(current), range: current.range), in: arena)
      case .arrow:
        advance()
        result = parseType()
        continue
      default: break
      }
      advance()
    }
    // The word `in`.
    advance()
    let header =
      hasCaptures || result != nil ? closureHeader(captures, SyntaxList(), result) : nil
    return (names.list, isolated(header, isolation, isSendable))
  }

  /// The header with what is said of where the closure runs; nil where nothing is said at all.
  private func isolated(
    _ header: Node<Expression.ClosureHeader>?, _ isolation: Isolation, _ isSendable: Bool,
    isAsync: Bool = false
  ) -> Node<Expression.ClosureHeader>? {
    if isolation.isUnspecified && !isAsync && !isSendable { return header }
    var whole =
      header?.value
      ?? Expression.ClosureHeader(captures: SyntaxList(), types: SyntaxList(), result: nil)
    (whole.isolation, whole.isAsync, whole.isSendable) = (isolation, isAsync, isSendable)
    return arena.node(whole)
  }

  private func closureHeader(
    _ captures: SyntaxList<Expression.Capture>, _ types: SyntaxList<TypeName>, _ result: TypeName?
  ) -> Node<Expression.ClosureHeader> {
    arena.node(Expression.ClosureHeader(captures: captures, types: types, result: result))
  }

  /// `(a: Int, _ b) -> Bool`.
  private mutating func parseTypedParameters(
    _ names: inout SyntaxListBuilder<Name>
  ) -> (SyntaxList<TypeName>, TypeName?, isAsync: Bool) {
    var types = SyntaxListBuilder<TypeName>()
    advance()
    while current.kind == .identifier || current.kind == .underscore {
      var name = current
      advance()
      if current.kind == .identifier || current.kind == .underscore {
        name = current
        advance()
      }
      names.append(Name(word: word(name), range: name.range), in: arena)
      let nothing = TypeName(kind: .missing, range: name.range)
      types.append(consume(.colon) ? parseType() : nothing, in: arena)
      if !consume(.comma) { break }
    }
    _ = consume(.rightParenthesis)
    let isAsync = skipEffects()
    return (types.list, consume(.arrow) ? parseType() : nil, isAsync)
  }

  // MARK: Captures

  /// `[n, weak q, m = a + 1]`.
  private mutating func parseCaptures() -> SyntaxList<Expression.Capture> {
    var captures = SyntaxListBuilder<Expression.Capture>()
    let opening = current
    advance()
    while current.kind == .identifier {
      var (isWeak, isUnowned) = (false, false)
      if current.kind == .identifier, peek().kind == .identifier || isUnownedWithSign {
        (isWeak, isUnowned) = (isName(current, "weak"), isName(current, "unowned"))
        let hasSign = isUnownedWithSign
        advance()
        if hasSign {
          advance()
          advance()
          advance()
        }
      }
      let name = Name(word: word(current), range: current.range)
      advance()
      let value =
        consume(.assign)
        ? parseEnclosedExpression() : arena.expression(kind: .name(name.word), range: name.range)
      captures.append(
        Expression.Capture(name: name, value: value, isWeak: isWeak, isUnowned: isUnowned),
        in: arena)
      if !consume(.comma) { break }
    }
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    return captures.list
  }

  /// Whether the current token begins `unowned(safe)`.
  private var isUnownedWithSign: Bool {
    isName(current, "unowned") && peek().kind == .leftParenthesis
  }

  /// Whether the `[` at hand begins a capture list: behind the `]` that closes it follow parameters or
  /// the word `in`.
  private mutating func startsCaptureList() -> Bool {
    var (ahead, depth, previous) = (lexer, 1, current)
    guard peek().kind == .identifier else { return false }
    for _ in 0..<min(200, lookahead) where depth > 0 {
      lookahead -= 1
      let token = ahead.next()
      switch token.kind {
      case .leftBracket, .leftParenthesis, .leftBrace: depth += 1
      case .rightBracket, .rightParenthesis, .rightBrace: depth -= 1
      case .endOfFile: return false
      default: break
      }
      previous = token
    }
    guard depth == 0, previous.kind == .rightBracket else { return false }
    let saved = (lexer, current)
    current = ahead.next()
    lexer = ahead
    defer { (lexer, current) = saved }
    return endOfClosureParameters() != nil
  }

  /// Where the word `in` stands that ends the parameters; nil when there are none.
  ///
  /// Looks no further than over what parameters may be made of, so reading stays linear.
  @inline(__always)
  private mutating func endOfClosureParameters() -> Int32? {
    switch current.kind {
    case .identifier:
      // Mostly a call, of a function or of a member.
      let next = lexer.following(0)
      if next == UInt8(ascii: "(") || next == UInt8(ascii: ".") { return nil }
    case .underscore, .leftParenthesis: break
    case .in: return current.start
    default: return nil
    }
    return endOfWrittenParameters()
  }

  private mutating func endOfWrittenParameters() -> Int32? {
    var ahead = lexer
    var token = ahead.next()
    var previous = current
    var isTyped = current.kind == .leftParenthesis
    var depth = isTyped ? 1 : 0
    while true {
      if token.kind == .leftParenthesis { depth += 1 }
      if token.kind == .rightParenthesis { depth -= 1 }
      switch token.kind {
      case .in: return depth == 0 ? token.start : nil
      case .identifier, .underscore:
        // Without parentheses, two names in a row are never parameters.
        if !isTyped && (previous.kind == .identifier || previous.kind == .underscore) { return nil }
      case .comma, .rightParenthesis: break
      // Behind it stands a type, also without parentheses.
      case .arrow: isTyped = true
      case .colon, .leftBracket, .rightBracket, .question, .leftParenthesis, .dot, .less,
        .greater:
        if !isTyped { return nil }
      case .unknownCharacter:
        if !isTyped || bytes[Int(token.start)] != UInt8(ascii: "@") { return nil }
      default: return nil
      }
      previous = token
      token = ahead.next()
    }
  }
}
