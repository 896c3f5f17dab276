import SpindleModel

// What decides in a header, and what a `case` compares with.

extension Parser {
  /// Conditions with commas between them, of which braces are no part: one begins the body.
  mutating func parseCondition() -> Expression {
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    defer { allowsTrailingClosures = outer }
    var condition = parseConditionElement()
    while current.kind == .comma {
      let sign = current.range
      advance()
      let left = height
      let next = parseConditionElement()
      guard grow(to: max(left, height) + 1, at: sign) else { return condition }
      condition = arena.expression(
        kind: .infix(
          .and,
          arena.node(Expression.Sides(left: condition, right: next, operatorRange: sign))),
        range: condition.range.union(next.range))
    }
    return condition
  }

  private mutating func parseConditionElement() -> Expression {
    switch current.kind {
    case .let, .var: return parseConditionBinding()
    case .identifier where isName(current, "case"): return parseConditionMatch()
    default: return parseExpression()
    }
  }

  /// `let x = a`, `let x`.
  private mutating func parseConditionBinding() -> Expression {
    let (start, isVariable) = (current.start, current.kind == .var)
    advance()
    if current.kind == .leftParenthesis {
      report(SyntaxMessage.tuple, current.range)
      skipToBlock()
      return missing(at: start)
    }
    let name = parseName(isVariable ? "'var'" : "'let'", orUnderscore: true)
    let type = consume(.colon) ? parseType() : nil
    height = 1
    let value =
      consume(.assign)
      ? parseExpression() : arena.expression(kind: .name(name.word), range: name.range)
    let binding = Binding(isVariable: isVariable, weak: nil, name: name, type: type, value: value)
    return arena.expression(kind: .condition(arena.node(binding)), range: range(from: start))
  }

  /// `case .a = value`.
  private mutating func parseConditionMatch() -> Expression {
    let start = current.start
    advance()
    let pattern = parsePattern()
    let levels = height
    guard consume(.assign) else {
      reportMissing(SyntaxMessage.expectedSign("=", "and a value behind the pattern"))
      return missing(at: start)
    }
    let value = parseExpression()
    height = max(levels, height)
    let test = Expression.PatternTest(pattern: pattern, value: value)
    return arena.expression(kind: .match(arena.node(test)), range: range(from: start))
  }

  // MARK: Patterns

  /// What stands behind `case`; what a name is, behind a `let` or `var` in front of the whole.
  mutating func parsePattern(bound isVariable: Bool? = nil) -> Pattern {
    let start = current.start
    height = 1
    let kind: Pattern.Kind
    switch current.kind {
    case .let, .var: kind = parseNamePattern()
    case .underscore:
      let name = Name(word: word(current), range: current.range)
      advance()
      kind = takesQuestion() ? .present(name, isVariable: false) : .any
    case .dot where isName(peek(), "some"): kind = parseSome(bound: isVariable)
    case _ where isCaseAhead: kind = parseCasePattern(bound: isVariable)
    case .identifier where isVariable != nil && peek().kind != .dot:
      let name = Name(word: word(current), range: current.range)
      advance()
      kind = .name(name, isVariable: isVariable ?? false)
    case .leftParenthesis:
      report(SyntaxMessage.tuplePattern, current.range)
      kind = skipPattern()
    default:
      if isName(current, "is") {
        report(SyntaxMessage.typePattern, current.range)
        kind = skipPattern()
      } else {
        isInPattern = true
        kind = .value(parseComparedValue())
        isInPattern = false
        // What may be nil is compared all the same: `.idle?`.
        if takesQuestion() { return caseOfPresent(kind, from: start) }
      }
    }
    return Pattern(kind: kind, filter: nil, range: range(from: start))
  }

  /// A value, or `..<100`, a range without a beginning.
  private mutating func parseComparedValue() -> Expression {
    let sign = current
    guard sign.kind == .halfOpenRange || sign.kind == .closedRange else { return parseExpression() }
    advance()
    let bounds = Expression.Bounds(
      from: missing(at: sign.start), to: parseExpression(), isClosed: sign.kind == .closedRange)
    return arena.expression(kind: .range(arena.node(bounds)), range: range(from: sign.start))
  }

  /// `let x`, `let x?`, `let .failed(code, reason)`.
  private mutating func parseNamePattern() -> Pattern.Kind {
    let isVariable = current.kind == .var
    advance()
    if current.kind == .dot, isName(peek(), "some") { return parseSome(bound: isVariable) }
    if isCaseAhead { return parseCasePattern(bound: isVariable) }
    guard current.kind == .identifier || current.kind == .underscore else {
      let isTuple = current.kind == .leftParenthesis
      report(isTuple ? SyntaxMessage.tuplePattern : SyntaxMessage.payloadPattern, current.range)
      return skipPattern()
    }
    let name = parseName("'let'", orUnderscore: true)
    if isName(current, "as") {
      report(SyntaxMessage.typePattern, current.range)
      return skipPattern()
    }
    if takesQuestion() { return .present(name, isVariable: isVariable) }
    return .name(name, isVariable: isVariable)
  }

  /// Takes the `?` of a pattern that is not nil.
  private mutating func takesQuestion() -> Bool {
    guard current.kind == .question, !current.hasSpaceBefore else { return false }
    advance()
    return true
  }

  /// Whether `.name(` or `Type.name(` stands here.
  private var isCaseAhead: Bool {
    var (token, ahead) = (current, lexer)
    if token.kind == .identifier {
      guard bytes[Int(token.start)] >= UInt8(ascii: "A"),
        bytes[Int(token.start)] <= UInt8(ascii: "Z")
      else { return false }
      token = ahead.next()
    }
    guard token.kind == .dot else { return false }
    for _ in 0..<8 {
      guard token.kind == .dot, ahead.next().kind == .identifier else { return false }
      token = ahead.next()
      if token.kind == .leftParenthesis { return !token.hasSpaceBefore }
    }
    return false
  }

  /// `.failed(code: let code, _)`; `.failed(code, reason)` behind a `let`.
  private mutating func parseCasePattern(bound isVariable: Bool?) -> Pattern.Kind {
    var owner: Expression?
    while peek().kind != .leftParenthesis {
      if current.kind == .identifier { owner = arena.named(word(current), current.range) }
      advance()
    }
    let name = Name(word: word(current), range: current.range)
    advance()
    let opening = current
    advance()
    guard descend() else { return .missing }
    defer { ascend() }
    var elements = SyntaxListBuilder<CasePattern.Element>()
    var levels = 1
    while current.kind != .rightParenthesis && current.kind != .endOfFile && !isUnwinding {
      let start = current.start
      var label: Name?
      if current.kind.isWord, peek().kind == .colon {
        label = Name(word: word(current), range: current.range)
        advance()
        advance()
      }
      let pattern = parsePattern(bound: isVariable)
      levels = max(levels, height)
      elements.append(CasePattern.Element(label: label, pattern: pattern), in: arena)
      if !consume(.comma) || current.start == start { break }
    }
    height = levels + 1
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    // What may be nil is looked into all the same.
    if current.kind == .question, !current.hasSpaceBefore { advance() }
    return .payload(
      arena.node(CasePattern(owner: owner, name: name, elements: elements.list)))
  }

  /// `.some(let x)`.
  private mutating func parseSome(bound isVariable: Bool?) -> Pattern.Kind {
    advance()
    advance()
    guard current.kind == .leftParenthesis else {
      let nothing = Name(word: arena.words.word("_"), range: current.range)
      return .present(nothing, isVariable: false)
    }
    let opening = current
    advance()
    let inner = parsePattern(bound: isVariable)
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    switch inner.kind {
    case .name(let name, let isVariable): return .present(name, isVariable: isVariable)
    case .any:
      return .present(Name(word: arena.words.word("_"), range: inner.range), isVariable: false)
    case .value: return caseOfPresent(inner.kind, from: inner.range.lowerBound).kind
    case .present, .payload, .missing: return inner.kind
    }
  }

  /// `.none?`, `.some(.none)`: a case of what is there, while a bare `.none` is that nothing is.
  private mutating func caseOfPresent(_ kind: Pattern.Kind, from start: Int32) -> Pattern {
    var pattern = Pattern(kind: kind, filter: nil, range: range(from: start))
    guard pattern.memberName == "none" else { return pattern }
    let name = Name(word: arena.words.word("none"), range: pattern.range)
    pattern.kind = .payload(arena.node(CasePattern(name: name, elements: SyntaxList())))
    return pattern
  }

  private mutating func skipPattern() -> Pattern.Kind {
    while current.kind != .colon && current.kind != .assign && current.kind != .leftBrace
      && current.kind != .endOfFile && !current.isFirstOnLine
    {
      advance()
    }
    return .missing
  }

  // MARK: switch

  /// `switch a { case 1: … default: … }`.
  mutating func parseSwitch() -> Statement.Kind {
    advance()
    let values = parseSubjects()
    var levels = height
    let opening = current
    guard consume(.leftBrace) else {
      reportMissing(SyntaxMessage.expectedBlock("'switch'"))
      return .missing
    }
    guard descend() else { return .missing }
    defer { ascend() }
    var cases = SyntaxListBuilder<Statement.Case>()
    while current.kind != .rightBrace && current.kind != .endOfFile && !isUnwinding {
      if consume(.semicolon) { continue }
      guard let read = parseCase(isOverTuple: values.count > 1) else { continue }
      levels = max(levels, height)
      cases.append(read, in: arena)
    }
    if current.kind == .rightBrace { advance() } else { reportUnclosedBrace(opening) }
    height = levels + 1
    let selection = Statement.Selection(
      value: values[0], rest: arena.list(Array(values.dropFirst())), cases: cases.list,
      range: range(from: opening.start))
    return .switch(arena.node(selection))
  }

  /// What a `switch` is over: one value, or those of a tuple, `switch (state, event) {`.
  private mutating func parseSubjects() -> [Expression] {
    guard isTupleAhead else { return [parseHeader("'switch'")] }
    let opening = current
    advance()
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    var (values, levels) = ([Expression](), 1)
    repeat {
      if current.kind.isWord, peek().kind == .colon {
        advance()
        advance()
      }
      values.append(parseExpression())
      levels = max(levels, height)
    } while consume(.comma)
    allowsTrailingClosures = outer
    height = levels
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    return values
  }

  /// Whether parentheses with a comma in them stand here, alone in front of a brace.
  private var isTupleAhead: Bool {
    guard current.kind == .leftParenthesis else { return false }
    var (ahead, depth, hasComma) = (lexer, 1, false)
    while depth > 0 {
      switch ahead.next().kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
      case .comma: hasComma = hasComma || depth == 1
      case .endOfFile: return false
      default: break
      }
    }
    return hasComma && ahead.next().kind == .leftBrace
  }

  /// `(.idle, let event)`, `let (a, b)`, `_`: what stands behind the `case` of a `switch` over a tuple.
  private mutating func parseTuplePattern() -> Pattern {
    let start = current.start
    var bound: Bool?
    if current.kind == .let || current.kind == .var, peek().kind == .leftParenthesis {
      bound = current.kind == .var
      advance()
    }
    guard current.kind == .leftParenthesis, descend() else { return parsePattern() }
    defer { ascend() }
    let opening = current
    advance()
    var (elements, levels) = (SyntaxListBuilder<CasePattern.Element>(), 1)
    repeat {
      elements.append(
        CasePattern.Element(label: nil, pattern: parsePattern(bound: bound)), in: arena)
      levels = max(levels, height)
    } while consume(.comma)
    height = levels + 1
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    let name = Name(word: arena.words.word("("), range: opening.range)
    return Pattern(
      kind: .payload(arena.node(CasePattern(name: name, elements: elements.list))), filter: nil,
      range: range(from: start))
  }

  /// Whether `@unknown` stands here, in front of `default`.
  private var isUnknownAhead: Bool {
    current.kind == .unknownCharacter && text(current) == "@unknown"
  }

  /// Whether a case of a `switch` begins here.
  private var beginsCase: Bool {
    if isUnknownAhead { return true }
    guard current.kind == .identifier else { return false }
    if isName(current, "case") { return true }
    return isName(current, "default") && peek().kind == .colon
      || isName(current, "default") && lexer.following(0) == UInt8(ascii: ":")
  }

  private mutating func parseCase(isOverTuple: Bool) -> Statement.Case? {
    let start = current.start
    var patterns = SyntaxListBuilder<Pattern>()
    skipAttributes()
    guard beginsCase else {
      report(SyntaxMessage.expectedCase, current.range)
      _ = parseStatement()
      if current.start == start { advance() }
      return nil
    }
    var levels = 1
    let isDefault = isName(current, "default")
    advance()
    if !isDefault {
      let outer = allowsTrailingClosures
      allowsTrailingClosures = false
      repeat {
        var pattern = isOverTuple ? parseTuplePattern() : parsePattern()
        levels = max(levels, height)
        if isName(current, "where") {
          advance()
          pattern.filter = parseExpression()
          levels = max(levels, height)
        }
        patterns.append(pattern, in: arena)
      } while consume(.comma)
      allowsTrailingClosures = outer
    }
    let words = range(from: start)
    if !consume(.colon) {
      reportMissing(SyntaxMessage.expectedSign(":", "behind the case"))
      skipToStatementEnd()
    }
    let body = parseCaseBody(&levels)
    if body.statements.isEmpty { report(SyntaxMessage.emptyCase, words) }
    height = levels
    return Statement.Case(patterns: patterns.list, body: body, range: words)
  }

  private mutating func parseCaseBody(_ levels: inout Int) -> CodeBlock {
    let start = current.start
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    defer { allowsTrailingClosures = outer }
    var statements = SyntaxListBuilder<Statement>()
    while current.kind != .rightBrace && current.kind != .endOfFile && !isUnwinding && !beginsCase {
      if consume(.semicolon) { continue }
      let (begin, errors) = (current.start, diagnostics.count)
      statements.append(parseStatement(), in: arena)
      levels = max(levels, height)
      if !beginsCase { endStatement(hasErrors: diagnostics.count > errors) }
      if current.start == begin && current.kind != .rightBrace { advance() }
    }
    return CodeBlock(statements: statements.list, range: range(from: start))
  }
}
