import SpindleModel

/// Blocks and statements.
extension GrammarParser {
  /// A block in braces, which belongs to `owner`.
  mutating func parseBlock(_ owner: String) -> Grammar.Block {
    let outer = (allowsTrailingClosures, bindsVariables, isInPattern)
    (allowsTrailingClosures, bindsVariables, isInPattern) = (true, nil, false)
    defer { (allowsTrailingClosures, bindsVariables, isInPattern) = outer }
    if current.kind != .leftBrace {
      reportMissing(SyntaxMessage.expectedBlock(owner))
      skipToBlock()
    }
    let opening = current
    // What is indented more is the block, where only its brace is missing.
    guard opening.kind == .leftBrace || isIndentedMore else {
      return Grammar.Block(
        statements: [], range: SourceRange(Int(previousEnd), Int(previousEnd)))
    }
    return nested { parser in
      _ = parser.consume(.leftBrace)
      return parser.parseStatements(opening)
    } ?? Grammar.Block(statements: [], range: range(from: opening.start))
  }

  /// Statements up to the brace that closes the one at `opening`, which has been read.
  mutating func parseStatements(_ opening: Token) -> Grammar.Block {
    let statements = parseStatementList(isIndented: !isAtLineStart(current)) {
      $0.kind == .rightBrace
    }
    if !consume(.rightBrace) { reportUnclosedBrace(opening) }
    return Grammar.Block(statements: statements, range: range(from: opening.start))
  }

  /// Statements up to a token that ends them, or the end of the text.
  mutating func parseStatementList(
    isIndented: Bool, until ends: (Token) -> Bool
  ) -> [Grammar.Statement] {
    var statements: [Grammar.Statement] = []
    var branches = ConditionalBranches()
    while current.kind != .endOfFile, !ends(current), !endsBlock(isIndented: isIndented),
      !endsValue
    {
      if consume(.semicolon) { continue }
      if skipsConditionalBranch(&branches) { continue }
      let (before, errors) = (current.start, diagnostics.count)
      let statement = parseStatement()
      // A closure that is all of a body is its value.
      if !statements.isEmpty || !ends(current) { refuseLoneBlock(statement, errors) }
      statements.append(statement)
      if endsValue { break }
      if !ends(current) { endStatement(hasErrors: diagnostics.count > errors) }
      if current.start == before, current.kind != .endOfFile, !ends(current) { advance() }
    }
    reportOpen(branches)
    return statements
  }

  /// Whether the `)` is here that ends a value in a text, whatever is open in it.
  private var endsValue: Bool { lexer.limit < end && current.kind == .rightParenthesis }

  /// Reports a block that nothing runs.
  private mutating func refuseLoneBlock(_ statement: Grammar.Statement, _ errors: Int) {
    guard case .expression(let value) = statement.kind, case .closure = value.kind,
      bytes[Int(value.range.lowerBound)] == UInt8(ascii: "{")
    else { return }
    let start = Int(value.range.lowerBound)
    report(SyntaxMessage.loneBlock, SourceRange(start, start + 1))
  }

  /// A statement ends where its line does, or at `;`.
  mutating func endStatement(hasErrors: Bool) {
    switch current.kind {
    case .rightBrace, .endOfFile, .semicolon: return
    default:
      if current.isFirstOnLine { return }
      if !hasErrors { reportStatementEnd() }
      skipToStatementEnd()
    }
  }

  private mutating func reportStatementEnd() {
    switch current.kind {
    case .assign: report(SyntaxMessage.assignmentInExpression, current.range)
    case .rightParenthesis, .rightBracket:
      report(SyntaxMessage.unmatchedSign(text(current)), current.range)
    case .in: report(SyntaxMessage.rangeQuestion, current.range)
    default: reportUnexpected(SyntaxMessage.statementEnd)
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
    case .guard: return parseGuard()
    case .while:
      advance()
      let conditions = parseConditions("'while'")
      return .while(conditions, parseBlock("'while'"))
    case .repeat: return parseRepeat()
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
    case .else, .catch, .in:
      reportUnexpected(SyntaxMessage.expectedStatement)
      skipToStatementEnd()
      return .missing
    case .rightParenthesis, .rightBracket:
      report(SyntaxMessage.unmatchedSign(text(current)), current.range)
      advance()
      return .missing
    case .identifier:
      if isWord(current, "switch") { return parseSwitch() }
      if peek().kind == .colon, !isWord(current, "default") { return parseLabelled() }
      if let kind = parseWordStatement() { return kind }
    default: break
    }
    guard startsDeclaration else { return parseExpressionStatement() }
    if let message = SyntaxMessage.misplaced(text(current)) {
      // Where a brace is missing, it may be that of the function before.
      if !endsAtFirstColumn || openTypes == 0 { report(message, current.range) }
      skipToStatementEnd()
      return .missing
    }
    return .declaration(parseDeclaration())
  }

  /// `yield value` in a `_read` gives the value, and `yield &place` in a `_modify` puts the new one into the place.
  private mutating func parseYield() -> Grammar.StatementKind? {
    guard let accessor = yielding, isWord(current, "yield"), !peek().isFirstOnLine else {
      return nil
    }
    advance()
    yielding?.hasYielded = true
    let value = parseExpression()
    guard accessor.isModify else { return .return(value) }
    guard case .reference(let place) = value.kind else { return .expression(value) }
    let given = Grammar.Expression(kind: .name("newValue", []), range: value.range)
    return .assignment(place, nil, given)
  }

  /// A statement that a word begins which is not reserved; nil for a declaration or an expression.
  private mutating func parseWordStatement() -> Grammar.StatementKind? {
    if let kind = parseYield() { return kind }
    if isWord(current, "fallthrough") {
      advance()
      return .fallthrough
    }
    if isWord(current, "default"), peek().kind == .colon {
      report(SyntaxMessage.strayCase("default"), current.range)
      skipToStatementEnd()
      return .missing
    }
    if lexer.following(0) == UInt8(ascii: " "), isSection, !declares(text(current)) {
      report(SyntaxMessage.declarationInBody(text(current)), current.range)
      skipToStatementEnd()
      return .missing
    }
    if isAmong(current, SyntaxMessage.wordsForElse), peek().kind.startsOperand,
      !peek().isFirstOnLine, peek().kind != .leftParenthesis
    {
      reportUnexpected(SyntaxMessage.expectedStatement)
      skipToStatementEnd()
      return .missing
    }
    return nil
  }

  /// `outer: for … { }`, at its label.
  private mutating func parseLabelled() -> Grammar.StatementKind {
    let label = parseName("a label")
    advance()
    switch current.kind {
    case .for, .while, .repeat, .if, .do: break
    default:
      guard isWord(current, "switch") else {
        report(SyntaxMessage.labelWithoutLoop, label.range)
        if !current.isFirstOnLine { skipToStatementEnd() }
        return .missing
      }
    }
    return .labelled(label, parseStatement())
  }

  private mutating func parseLabel() -> Grammar.Name? {
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
    case .unknownOperator where text(token).hasSuffix("=") && text(token) != "~=":
      sign = String(text(token).dropLast())
    default: return .expression(target)
    }
    advance()
    let value = parseExpression()
    return .assignment(target, sign.map { Grammar.Name(text: $0, range: token.range) }, value)
  }
}
