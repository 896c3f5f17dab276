import SpindleModel

/// What is behind an operand: members, arguments, indices and closures.
extension GrammarParser {
  /// An operand with members, arguments, indices and closures behind it.
  mutating func parsePostfix() -> Grammar.Expression {
    growing { $0.parseLinks() }
  }

  private mutating func parseLinks() -> Grammar.Expression {
    let start = current.start
    return parseLinks(of: parsePrimary(), start)
  }

  /// What is behind an operand, or behind the root of a key path, in which nothing is called.
  mutating func parseLinks(
    of first: Grammar.Expression, _ start: Int32, isKeyPath: Bool = false
  ) -> Grammar.Expression {
    var (value, isChain) = (first, false)
    loop: repeat {
      if isKeyPath, current.hasSpaceBefore || current.isFirstOnLine { break }
      switch current.kind {
      case .dot where isKeyPath && text(peek()) == "?.": advance()
      case .dot where isKeyPath && peek().kind == .leftBracket:
        advance()
        value = parseElement(of: value, start)
      case .dot:
        advance()
        value = parseMember(of: value, start)
      case .leftParenthesis where isKeyPath, .leftBrace where isKeyPath: break loop
      case .unknownOperator where isSign("?."):
        isChain = true
        value = parseOptionalMember(of: value, start)
      case .question where !current.hasSpaceBefore && bindsVariables == nil:
        guard continuesChain else {
          if isInPattern { break loop }
          report(SyntaxMessage.optionalChaining, current.range)
          advance()
          continue loop
        }
        advance()
        isChain = true
        value = Grammar.Expression(kind: .questioned(value), range: range(from: start))
      case .coalesce where !isInPattern && endsOptionalOfOptional:
        // `x??.y` goes on in an optional of an optional.
        let first = SourceRange(Int(start), Int(current.end) - 1)
        advance()
        isChain = true
        value = Grammar.Expression(
          kind: .questioned(Grammar.Expression(kind: .questioned(value), range: first)),
          range: range(from: start))
      case .not where !current.hasSpaceBefore && !current.isFirstOnLine:
        advance()
        value = Grammar.Expression(kind: .forced(value), range: range(from: start))
      case .leftParenthesis where !current.isFirstOnLine:
        value = parseCall(value, start)
      case .leftBracket where !current.isFirstOnLine:
        value = parseElement(of: value, start)
      case .leftBrace where takesClosure(value) && startsTrailingClosure():
        value = parseTrailingClosures(of: value, start)
      default: break loop
      }
    } while grow()
    return isChain
      ? Grammar.Expression(kind: .chain(value), range: value.range) : value
  }

  /// Whether `??` is behind its operand, and not between two: nothing but a point or white space is right behind it.
  private var endsOptionalOfOptional: Bool {
    guard !current.hasSpaceBefore, !current.isFirstOnLine, bindsVariables == nil else {
      return false
    }
    let end = Int(current.end)
    return isSpace(at: end) || bytes[end] == UInt8(ascii: ".")
  }

  /// `base?.name`, at its sign.
  private mutating func parseOptionalMember(
    of base: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    let questioned = Grammar.Expression(
      kind: .questioned(base), range: SourceRange(Int(start), Int(current.start) + 1))
    advance()
    return parseMember(of: questioned, start)
  }

  /// `base[arguments]`.
  private mutating func parseElement(
    of base: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    let opening = current
    advance()
    let arguments = parseList(until: .rightBracket, opening, SyntaxMessage.bracketEnd) {
      $0.parseArgument()
    }
    return Grammar.Expression(kind: .subscripted(base, arguments), range: range(from: start))
  }

  /// `callee { closure }`.
  private mutating func parseTrailingClosures(
    of callee: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    let call = Grammar.Call(
      callee: callee, arguments: [], place: callee.range, hasParentheses: false)
    return parseTrailingClosures(call, start)
  }

  /// Whether something of a chain follows the `?` at hand.
  var continuesChain: Bool {
    let next = peek()
    if next.kind == .leftParenthesis || next.kind == .leftBracket { return !next.isFirstOnLine }
    return next.kind == .dot || next.kind == .not || isOptionalAssignment(next)
  }

  /// Whether `a? = b` is written, which assigns where there is a value.
  private func isOptionalAssignment(_ next: Token) -> Bool {
    switch next.kind {
    case .assign, .plusAssign, .minusAssign, .starAssign, .slashAssign, .percentAssign,
      .shiftLeftAssign, .shiftRightAssign, .bitAndAssign, .bitOrAssign, .bitXorAssign:
      true
    default: false
    }
  }

  /// Whether a closure behind a call is here; as in Swift, it may begin on the next line.
  private mutating func startsTrailingClosure() -> Bool {
    // A '{' before 'case' opens the body of a 'switch' whose header is incomplete.
    guard current.kind == .leftBrace, !startsObservers, !isWord(peek(), "case") else {
      return false
    }
    return allowsTrailingClosures || isClosureInHeader()
  }

  /// Whether braces in the header of a statement are a closure, and not the statement's body: they close in their line,
  /// and what follows them decides.
  ///
  /// Source: swift:lib/Parse/ParseExpr.cpp, `isValidTrailingClosure`; swiftc 6.3 was asked about each token.
  private mutating func isClosureInHeader() -> Bool {
    var (token, ahead) = (current, lexer)
    guard skipBalanced(&token, &ahead, withinLine: true) else { return false }
    switch token.kind {
    case .leftBrace, .comma: return true
    case .endOfFile, .semicolon: return false
    default: break
    }
    if isWord(token, "where") { return true }
    return !token.isFirstOnLine && goesOn(token)
  }

  /// Whether an expression goes on with a token.
  private func goesOn(_ token: Token) -> Bool {
    switch token.kind {
    case .leftBracket, .leftParenthesis, .dot, .question, .colon, .assign: true
    case .identifier: isWord(token, "is") || isWord(token, "as")
    default:
      !token.kind.isKeyword && !token.kind.endsExpression && Precedence.of(text(token)) != nil
    }
  }

  private func takesClosure(_ value: Grammar.Expression) -> Bool {
    switch value.kind {
    case .name, .member, .implicitMember, .subscripted, .forced: true
    default: false
    }
  }

  mutating func parseMember(
    of base: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    if current.kind == .number {
      let token = current
      if !text(token).allSatisfy({ $0.isNumber || $0 == "." }) {
        report(SyntaxMessage.foreignMember(text(token)), token.range)
      }
      advance()
      // `pair.0.1` has one number behind the first point.
      var value = base
      for part in text(token).split(separator: ".") where grow() {
        value = Grammar.Expression(
          kind: .member(value, Grammar.Name(text: String(part), range: token.range), []),
          range: range(from: start))
      }
      return value
    }
    guard current.kind.isWord, !current.isFirstOnLine else {
      reportMissing(SyntaxMessage.expectedMember)
      return missing()
    }
    let name = parseName("a member")
    let arguments = parseExpressionTypeArguments()
    return Grammar.Expression(kind: .member(base, name, arguments), range: range(from: start))
  }

  /// Type arguments behind a name in an expression, where what follows tells that they are some.
  mutating func parseExpressionTypeArguments() -> [Grammar.TypeSyntax] {
    guard current.kind == .less, !current.hasSpaceBefore else { return [] }
    return attempt { parser in
      let arguments = parser.parseTypeArguments()
      switch parser.current.kind {
      case .leftParenthesis where !parser.current.hasSpaceBefore, .rightParenthesis, .rightBracket,
        .dot, .comma, .colon, .semicolon, .endOfFile, .rightBrace, .leftBrace:
        return arguments
      default: return parser.current.isFirstOnLine ? arguments : nil
      }
    } ?? []
  }

  mutating func parseCall(
    _ callee: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    if let compound = parseCompound(callee, start) { return compound }
    let opening = current
    advance()
    let arguments = parseList(until: .rightParenthesis, opening, SyntaxMessage.argumentEnd) {
      $0.parseArgument()
    }
    let call = Grammar.Call(
      callee: callee, arguments: arguments, place: range(from: start), hasParentheses: true)
    if startsTrailingClosure() { return parseTrailingClosures(call, start) }
    return Grammar.Expression(kind: .call(call), range: range(from: start))
  }

  /// `load(_:completion:)`; nil where a call is at hand.
  private mutating func parseCompound(
    _ callee: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression? {
    guard let labels = compoundLabels else { return nil }
    while !consume(.rightParenthesis) { advance() }
    return Grammar.Expression(kind: .compound(callee, labels), range: range(from: start))
  }

  /// The labels of a name like `load(_:completion:)`; nil where a call is at hand.
  private var compoundLabels: [String]? {
    var labels: [String] = []
    var ahead = lexer
    while true {
      let label = ahead.next()
      if label.kind == .rightParenthesis { return labels.isEmpty ? nil : labels }
      guard label.kind == .identifier || label.kind == .underscore, ahead.next().kind == .colon
      else { return nil }
      labels.append(text(label))
    }
  }

  private mutating func parseTrailingClosures(
    _ call: Grammar.Call, _ start: Int32
  ) -> Grammar.Expression {
    var call = call
    let first = parseClosure()
    call.arguments.append(Grammar.Argument(label: nil, value: first, isTrailing: true))
    while current.kind == .identifier {
      var ahead = lexer
      guard ahead.next().kind == .colon, ahead.next().kind == .leftBrace else { break }
      let label = parseName("a label")
      advance()
      call.arguments.append(
        Grammar.Argument(label: label, value: parseClosure(), isTrailing: true))
    }
    return Grammar.Expression(kind: .call(call), range: range(from: start))
  }

  /// `label: value` or `value`, in brackets.
  mutating func parseArgument() -> Grammar.Argument {
    if current.kind.isWord || current.kind == .underscore, peek().kind == .colon {
      let label = parseName("a label")
      advance()
      return Grammar.Argument(
        label: label.text == "_" ? nil : label, value: parseOperatorOrExpression())
    }
    return Grammar.Argument(label: nil, value: parseOperatorOrExpression())
  }

  private mutating func parseOperatorOrExpression() -> Grammar.Expression {
    parseOperatorAlone() ?? parseExpression()
  }

  /// An operator alone, as in `reduce(0, +)`; nil for anything else.
  private mutating func parseOperatorAlone() -> Grammar.Expression? {
    let next = peek().kind
    guard next == .rightParenthesis || next == .comma, current.kind != .identifier,
      Precedence.of(text(current)) != nil
    else { return nil }
    let token = current
    advance()
    return Grammar.Expression(kind: .name(text(token), []), range: token.range)
  }
}
