import SpindleModel

/// Statements and patterns.
extension GrammarParser {
  /// A block in braces.
  mutating func parseBlock(_ owner: String) -> Grammar.Block {
    let start = current.start
    guard current.kind == .leftBrace else {
      reportExpected("'{' behind \(owner)")
      return Grammar.Block(statements: [], range: SourceRange(Int(start), Int(start)))
    }
    return nested { parser in
      let outer = (parser.allowsTrailingClosures, parser.bindsVariables)
      (parser.allowsTrailingClosures, parser.bindsVariables) = (true, nil)
      defer { (parser.allowsTrailingClosures, parser.bindsVariables) = outer }
      parser.advance()
      return parser.parseStatements(from: start)
    } ?? Grammar.Block(statements: [], range: range(from: start))
  }

  /// Statements up to the brace that closes the one at `start`, which has been read.
  mutating func parseStatements(from start: Int32) -> Grammar.Block {
    let statements = parseStatementList { $0.kind == .rightBrace }
    if !consume(.rightBrace) { reportExpected("'}'") }
    return Grammar.Block(statements: statements, range: range(from: start))
  }

  /// Statements up to a token that ends them, or the end of the text.
  private mutating func parseStatementList(until ends: (Token) -> Bool) -> [Grammar.Statement] {
    var statements: [Grammar.Statement] = []
    var branches = ConditionalBranches()
    while current.kind != .endOfFile, !ends(current) {
      if current.kind == .semicolon {
        advance()
        continue
      }
      if skipsConditionalBranch(&branches) { continue }
      let before = current.start
      statements.append(parseStatement())
      if current.start == before {
        if current.kind == .endOfFile { break }
        advance()
      }
      endStatement(ends)
    }
    return statements
  }

  mutating func endStatement(_ ends: (Token) -> Bool) {
    if current.isFirstOnLine || current.kind == .semicolon || current.kind == .endOfFile
      || ends(current)
    {
      return
    }
    reportExpected("the end of the statement")
    while !current.isFirstOnLine, current.kind != .semicolon, current.kind != .endOfFile,
      !ends(current)
    {
      advance()
    }
  }

  /// A statement.
  mutating func parseStatement() -> Grammar.Statement {
    let start = current.start
    let kind = parseStatementKind()
    return Grammar.Statement(kind: kind, range: range(from: start))
  }

  private mutating func parseStatementKind() -> Grammar.StatementKind {
    switch current.kind {
    case .if:
      advance()
      return .if(parseConditional())
    case .guard:
      advance()
      let conditions = parseConditions()
      if !consume(.else) { reportExpected("'else'") }
      return .guard(conditions, parseBlock("'else'"))
    case .while:
      advance()
      let conditions = parseConditions()
      return .while(conditions, parseBlock("'while'"))
    case .repeat:
      advance()
      let body = parseBlock("'repeat'")
      if !consume(.while) { reportExpected("'while'") }
      return .repeatWhile(body, parseExpression())
    case .for: return parseLoop()
    case .do: return parseDo()
    case .defer:
      advance()
      return .defer(parseBlock("'defer'"))
    case .break:
      advance()
      return .break(parseLabel())
    case .continue:
      advance()
      return .continue(parseLabel())
    case .return:
      advance()
      if current.isFirstOnLine || current.kind.endsExpression { return .return(nil) }
      return .return(parseExpression())
    case .throw:
      advance()
      return .throw(parseExpression())
    case .identifier:
      if isWord(current, "fallthrough") {
        advance()
        return .fallthrough
      }
      if isWord(current, "switch"), peek().kind != .dot, peek().kind != .assign {
        return parseSwitch()
      }
      if let label = parseStatementLabel() { return .labelled(label, parseStatement()) }
    default: break
    }
    if startsDeclaration { return .declaration(parseDeclaration()) }
    return parseExpressionStatement()
  }

  /// `outer:` in front of a loop.
  private mutating func parseStatementLabel() -> Grammar.Name? {
    var ahead = lexer
    guard ahead.next().kind == .colon else { return nil }
    let behind = ahead.next()
    switch behind.kind {
    case .for, .while, .repeat, .if, .do: break
    default: guard isWord(behind, "switch") else { return nil }
    }
    let label = parseName("a label")
    advance()
    return label
  }

  mutating func parseLabel() -> Grammar.Name? {
    guard current.kind == .identifier, !current.isFirstOnLine else { return nil }
    return parseName("a label")
  }

  /// A call, an assignment, or a value.
  mutating func parseExpressionStatement() -> Grammar.StatementKind {
    let target = parseExpression()
    let token = current
    let sign: String?
    switch token.kind {
    case .assign: sign = nil
    case .plusAssign, .minusAssign, .starAssign, .slashAssign, .percentAssign, .shiftLeftAssign,
      .shiftRightAssign, .bitAndAssign, .bitOrAssign, .bitXorAssign:
      sign = String(text(token).dropLast())
    case .unknownOperator where text(token).hasSuffix("="): sign = String(text(token).dropLast())
    default: return .expression(target)
    }
    advance()
    let value = parseExpression()
    return .assignment(target, sign.map { Grammar.Name(text: $0, range: token.range) }, value)
  }

  // MARK: Control flow

  mutating func parseConditional() -> Grammar.Conditional {
    let conditions = parseConditions()
    let body = parseBlock("'if'")
    guard consume(.else) else {
      return Grammar.Conditional(conditions: conditions, body: body, otherwise: nil)
    }
    guard current.kind == .if else {
      return Grammar.Conditional(
        conditions: conditions, body: body, otherwise: parseBlock("'else'"))
    }
    let start = current.start
    let inner = nested { $0.parseStatement() }
    return Grammar.Conditional(
      conditions: conditions, body: body,
      otherwise: Grammar.Block(statements: inner.map { [$0] } ?? [], range: range(from: start)))
  }

  /// Conditions, separated by commas, up to a brace.
  private mutating func parseConditions() -> [Grammar.Condition] {
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    defer { allowsTrailingClosures = outer }
    var conditions: [Grammar.Condition] = []
    repeat { conditions.append(parseCondition()) } while consume(.comma)
    return conditions
  }

  mutating func parseCondition() -> Grammar.Condition {
    switch current.kind {
    case .let, .var:
      let isVariable = current.kind == .var
      advance()
      let start = current.start
      let pattern = parseBoundPattern(isVariable: isVariable)
      let type = consume(.colon) ? parseType() : nil
      if consume(.assign) {
        return .pattern(pattern, type, parseExpression(), isOptional: true)
      }
      guard case .name(let name, _) = pattern.kind else {
        reportExpected("'='")
        return .pattern(pattern, type, missing(), isOptional: true)
      }
      let value = Grammar.Expression(kind: .name(name.text, []), range: range(from: start))
      return .pattern(pattern, type, value, isOptional: true)
    case .identifier where isWord(current, "case"):
      advance()
      let pattern = parsePattern()
      let type = consume(.colon) ? parseType() : nil
      expect(.assign, "'='")
      return .pattern(pattern, type, parseExpression(), isOptional: false)
    case .unknownCharacter where isWord(current, "#available") || isWord(current, "#unavailable"):
      advance()
      _ = parseRawArgument()
      return .available
    default: return .expression(parseExpression())
    }
  }

  private mutating func parseLoop() -> Grammar.StatementKind {
    advance()
    let isTried = consume(word: "try")
    let isAwaited = consume(word: "await")
    let isCase = consume(word: "case")
    let pattern =
      isCase ? parsePattern() : parseBoundPattern(isVariable: consume(word: "var"))
    let type = consume(.colon) ? parseType() : nil
    expect(.in, "'in'")
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    let sequence = parseExpression()
    let filter = consume(word: "where") ? parseExpression() : nil
    allowsTrailingClosures = outer
    let body = parseBlock("'for'")
    return .forIn(
      Grammar.Loop(
        isTried: isTried, isAwaited: isAwaited, pattern: pattern, type: type, sequence: sequence,
        filter: filter, body: body))
  }

  mutating func parseDo() -> Grammar.StatementKind {
    advance()
    var thrown: Grammar.TypeSyntax?
    if isWord(current, "throws") { (_, thrown) = parseEffects() }
    let body = parseBlock("'do'")
    var catches: [Grammar.Catch] = []
    while consume(.catch) {
      let outer = allowsTrailingClosures
      allowsTrailingClosures = false
      var items: [(pattern: Grammar.Pattern, filter: Grammar.Expression?)] = []
      while current.kind != .leftBrace && current.kind != .endOfFile {
        if isWord(current, "where"), items.isEmpty {
          advance()
          let place = SourceRange(Int(previousEnd), Int(previousEnd))
          items.append((Grammar.Pattern(kind: .any, range: place), parseExpression()))
          break
        }
        let pattern = parsePattern()
        items.append((pattern, consume(word: "where") ? parseExpression() : nil))
        if !consume(.comma) { break }
      }
      allowsTrailingClosures = outer
      catches.append(Grammar.Catch(items: items, body: parseBlock("'catch'")))
    }
    return .doCatch(body, thrown: thrown, catches)
  }

  mutating func parseSwitch() -> Grammar.StatementKind {
    advance()
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    let subject = parseExpression()
    allowsTrailingClosures = outer
    let start = current.start
    expect(.leftBrace, "'{'")
    var cases: [Grammar.Selection.Case] = []
    while current.kind != .rightBrace && current.kind != .endOfFile {
      if isAttribute { _ = parseAttribute() }
      guard let one = nested({ $0.parseCase() }) ?? nil else { break }
      cases.append(one)
    }
    expect(.rightBrace, "'}'")
    return .switch(
      Grammar.Selection(subject: subject, cases: cases, range: range(from: start)))
  }

  mutating func parseCase() -> Grammar.Selection.Case? {
    let start = current.start
    var items: [(pattern: Grammar.Pattern, filter: Grammar.Expression?)] = []
    let isDefault = isWord(current, "default")
    guard isDefault || isWord(current, "case") else {
      reportExpected("'case' or 'default'")
      return nil
    }
    advance()
    if !isDefault {
      repeat {
        let pattern = parsePattern()
        items.append((pattern, consume(word: "where") ? parseExpression() : nil))
      } while consume(.comma)
    }
    let place = range(from: start)
    expect(.colon, "':'")
    let bodyStart = current.start
    let statements = parseStatementList { [self] token in
      token.kind == .rightBrace
        || token.kind == .identifier && (isWord(token, "case") || isWord(token, "default"))
        || token.kind == .unknownCharacter && isWord(token, "@unknown")
    }
    return Grammar.Selection.Case(
      items: items, isDefault: isDefault,
      body: Grammar.Block(statements: statements, range: range(from: bodyStart)), range: place)
  }
}
