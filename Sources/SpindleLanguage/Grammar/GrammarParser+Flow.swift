import SpindleModel

/// Statements that hold blocks.
extension GrammarParser {
  mutating func parseConditional() -> Grammar.Conditional {
    let conditions = parseConditions("'if'")
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

  mutating func parseGuard() -> Grammar.StatementKind {
    advance()
    let conditions = parseConditions("'guard'")
    if !consume(.else) {
      reportMissing(SyntaxMessage.expectedSign("else", "behind the condition of 'guard'"))
    }
    return .guard(conditions, parseBlock("'else'"))
  }

  mutating func parseRepeat() -> Grammar.StatementKind {
    advance()
    if current.kind == .leftParenthesis {
      report(SyntaxMessage.repeatCount, current.range)
      skipToBlock()
      _ = parseBlock("'repeat'")
      return .missing
    }
    let body = parseBlock("'repeat'")
    guard consume(.while) else {
      reportMissing { _ in SyntaxMessage.repeatWhile }
      return .repeatWhile(body, missing())
    }
    return .repeatWhile(body, parseExpression())
  }

  // MARK: Headers

  /// What stands between the word of a statement and its block.
  private mutating func parseHeader<Part>(
    _ read: (inout GrammarParser) -> Part
  ) -> Part {
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    defer { allowsTrailingClosures = outer }
    let errors = diagnostics.count
    let part = read(&self)
    if current.kind == .assign {
      report(SyntaxMessage.assignmentInExpression, current.range)
    }
    if diagnostics.count > errors, current.kind != .leftBrace, !current.isFirstOnLine {
      skipToBlock()
    }
    return part
  }

  /// A value in a header; what is missing before a brace is the value.
  private mutating func parseHeaderValue(_ what: String) -> Grammar.Expression {
    if current.kind == .leftBrace {
      report(SyntaxMessage.conditionMissing(what), current.range)
      return missing()
    }
    return parseHeader { $0.parseExpression() }
  }

  /// Conditions, separated by commas, up to a brace.
  mutating func parseConditions(_ what: String) -> [Grammar.Condition] {
    if current.kind == .leftBrace {
      report(SyntaxMessage.conditionMissing(what), current.range)
      return [.expression(missing())]
    }
    return parseHeader { parser in
      var conditions: [Grammar.Condition] = []
      repeat { conditions.append(parser.parseCondition()) } while parser.consume(.comma)
      return conditions
    }
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
        if case .missing = pattern.kind {
        } else {
          reportMissing(SyntaxMessage.expectedSign("=", "and a value behind the pattern"))
        }
        return .pattern(pattern, type, missing(), isOptional: true)
      }
      let value = Grammar.Expression(kind: .name(name.text, []), range: range(from: start))
      return .pattern(pattern, type, value, isOptional: true)
    case .identifier where isWord(current, "case"):
      advance()
      let pattern = parsePattern()
      let type = consume(.colon) ? parseType() : nil
      guard consume(.assign) else {
        reportMissing(SyntaxMessage.expectedSign("=", "and a value behind the pattern"))
        return .pattern(pattern, type, missing(), isOptional: false)
      }
      return .pattern(pattern, type, parseExpression(), isOptional: false)
    case .unknownCharacter where isWord(current, "#available") || isWord(current, "#unavailable"):
      advance()
      if current.kind == .leftParenthesis { _ = parseRawArgument() }
      return .available
    default: return .expression(parseExpression())
    }
  }

  mutating func parseLoop() -> Grammar.StatementKind {
    advance()
    if current.kind == .leftParenthesis, peek().kind == .var || peek().kind == .let {
      report(SyntaxMessage.forInWithoutSequence, current.range)
      return skipLoop()
    }
    let isTried = consume(word: "try")
    let isAwaited = consume(word: "await")
    let isCase = consume(word: "case")
    let pattern =
      isCase ? parsePattern() : parseBoundPattern(isVariable: consume(word: "var"))
    let type = consume(.colon) ? parseType() : nil
    guard consume(.in) else {
      reportMissing { _ in SyntaxMessage.forInWithoutSequence }
      return skipLoop()
    }
    let sequence = parseHeaderValue("'for'")
    let filter = consume(word: "where") ? parseHeaderValue("'where'") : nil
    let body = parseBlock("'for'")
    return .forIn(
      Grammar.Loop(
        isTried: isTried, isAwaited: isAwaited, pattern: pattern, type: type, sequence: sequence,
        filter: filter, body: body))
  }

  /// Goes on behind a loop whose head could not be read.
  private mutating func skipLoop() -> Grammar.StatementKind {
    skipToBlock()
    if current.kind == .leftBrace { _ = parseBlock("'for'") }
    return .missing
  }

  mutating func parseDo() -> Grammar.StatementKind {
    advance()
    var thrown: Grammar.TypeSyntax?
    if isWord(current, "throws") { (_, thrown) = parseEffects() }
    let body = parseBlock("'do'")
    var catches: [Grammar.Catch] = []
    while consume(.catch) {
      let items = parseHeader { $0.parseCatchPatterns() }
      catches.append(Grammar.Catch(items: items, body: parseBlock("'catch'")))
    }
    return .doCatch(body, thrown: thrown, catches)
  }

  private mutating func parseCatchPatterns() -> [(
    pattern: Grammar.Pattern, filter: Grammar.Expression?
  )] {
    var items: [(pattern: Grammar.Pattern, filter: Grammar.Expression?)] = []
    while current.kind != .leftBrace && current.kind != .endOfFile && !current.isFirstOnLine {
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
    return items
  }

  // MARK: Selection

  mutating func parseSwitch() -> Grammar.StatementKind {
    advance()
    let subject = parseHeaderValue("'switch'")
    let opening = current
    if current.kind != .leftBrace {
      reportMissing(SyntaxMessage.expectedBlock("'switch'"))
      skipToBlock()
    }
    guard consume(.leftBrace) else {
      let place = range(from: opening.start)
      return .switch(Grammar.Selection(subject: subject, cases: [], range: place))
    }
    let isIndented = !isAtLineStart(current)
    var cases: [Grammar.Selection.Case] = []
    var branches = ConditionalBranches()
    while current.kind != .rightBrace, current.kind != .endOfFile,
      !endsBlock(isIndented: isIndented)
    {
      if consume(.semicolon) { continue }
      if skipsConditionalBranch(&branches) { continue }
      if isAttribute { _ = parseAttribute() }
      if isWord(current, "default") || isWord(current, "case") {
        if let one = nested({ $0.parseCase(isIndented) }) { cases.append(one) }
      } else {
        reportUnexpected { _ in SyntaxMessage.expectedCase }
        skipToCase()
      }
    }
    reportOpen(branches)
    if !consume(.rightBrace) { reportUnclosedBrace(opening) }
    return .switch(
      Grammar.Selection(subject: subject, cases: cases, range: range(from: opening.start)))
  }

  /// Skips what is in a `switch` and in no case of it.
  private mutating func skipToCase() {
    repeat {
      let start = current.start
      skipToStatementEnd()
      if !consume(.semicolon), current.start == start { advance() }
    } while !isCase(current) && current.kind != .rightBrace && current.kind != .endOfFile
  }

  /// Whether a case begins with a token.
  private func isCase(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier: isWord(token, "case") || isWord(token, "default")
    case .unknownCharacter: isWord(token, "@unknown")
    default: false
    }
  }

  /// Skips what is left of a case up to behind its colon, or of its line.
  private mutating func skipToColon() {
    while !current.isFirstOnLine {
      switch current.kind {
      case .endOfFile, .rightBrace, .semicolon: return
      case .leftBrace: return skipToStatementEnd()
      case .colon: return advance()
      default: advance()
      }
    }
  }

  private mutating func parseCase(_ isIndented: Bool) -> Grammar.Selection.Case {
    let start = current.start
    let errors = diagnostics.count
    var items: [(pattern: Grammar.Pattern, filter: Grammar.Expression?)] = []
    let isDefault = isWord(current, "default")
    advance()
    if !isDefault {
      repeat {
        let pattern = parsePattern()
        items.append((pattern, consume(word: "where") ? parseExpression() : nil))
      } while consume(.comma)
    }
    let place = range(from: start)
    if !consume(.colon) {
      reportMissing(SyntaxMessage.expectedSign(":", "behind the case"))
      skipToColon()
    }
    let first = current
    let statements = parseStatementList(isIndented: isIndented) { [self] token in
      token.kind == .rightBrace || isCase(token)
    }
    // What an '#if' leaves out counts.
    if statements.isEmpty, current.start == first.start, diagnostics.count == errors {
      report(SyntaxMessage.emptyCase, SourceRange(Int(start), Int(place.upperBound)))
    }
    return Grammar.Selection.Case(
      items: items, isDefault: isDefault,
      body: Grammar.Block(statements: statements, range: range(from: first.start)), range: place)
  }
}
