import SpindleModel

extension Parser {
  /// A block in braces, which belongs to `what`.
  mutating func parseBlock(_ what: String) -> CodeBlock {
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    defer { allowsTrailingClosures = outer }
    var opening = current
    if opening.kind != .leftBrace {
      reportMissing(SyntaxMessage.expectedBlock(what))
      skipToBlock()
      opening = current
    }
    guard opening.kind == .leftBrace || isIndentedMore else {
      height = 1
      return CodeBlock(
        statements: SyntaxList(), range: SourceRange(Int(previousEnd), Int(previousEnd)))
    }
    guard descend() else { return CodeBlock(statements: SyntaxList(), range: opening.range) }
    defer { ascend() }
    _ = consume(.leftBrace)
    return parseStatements(opening)
  }

  /// Statements up to the brace that closes the one at `opening`, which has been read.
  mutating func parseStatements(_ opening: Token) -> CodeBlock {
    var statements = SyntaxListBuilder<Statement>()
    var open = OpenStatements(opening: opening, isIndented: !isAtLineStart(current))
    while let statement = nextStatement(&open) { statements.append(statement, in: arena) }
    return CodeBlock(statements: statements.list, range: range(from: opening.start))
  }

  /// Statements between braces, of which some have been read.
  struct OpenStatements {
    /// The brace in front of them.
    var opening: Token
    /// Whether the first one is indented.
    var isIndented: Bool
    /// How many levels the deepest of them has.
    var levels = 0
  }

  /// The next statement; nil when there is none, and the brace behind the last one has been read.
  mutating func nextStatement(_ open: inout OpenStatements) -> Statement? {
    while true {
      switch current.kind {
      case .rightBrace:
        advance()
        height = open.levels + 1
        return nil
      case .semicolon:
        advance()
        continue
      case .endOfFile:
        reportUnclosedBrace(open.opening)
        height = open.levels + 1
        return nil
      default:
        break
      }
      if current.isFirstOnLine && startsDeclaration(inIndentedBlock: open.isIndented) {
        reportUnclosedBrace(open.opening)
        continue
      }
      let (start, errors) = (current.start, diagnostics.count)
      let isFirst = open.levels == 0
      let statement = isFirst && current.kind == .leftBrace ? parseSoleClosure() : parseStatement()
      open.levels = max(open.levels, height)
      endStatement(hasErrors: diagnostics.count > errors)
      if current.start == start && current.kind != .endOfFile && current.kind != .rightBrace {
        advance()
      }
      return statement
    }
  }

  /// A statement ends where its line does, or at `;`.
  mutating func endStatement(hasErrors: Bool) {
    switch current.kind {
    case .rightBrace, .endOfFile: return
    case .semicolon: advance()
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

  /// One statement.
  mutating func parseStatement() -> Statement {
    height = 1
    let start = current.start
    let kind: Statement.Kind
    switch current.kind {
    case .let, .var: kind = parseLocalBinding()
    case .if: kind = parseIf()
    case .guard: kind = parseGuard()
    case .while: kind = parseWhile()
    case .repeat: kind = parseRepeat()
    case .for: kind = parseFor()
    case .do: kind = parseDo()
    case .defer:
      advance()
      kind = .defer(arena.node(parseBlock("'defer'")))
    case .break:
      advance()
      kind = .break(parseLabel())
    case .continue:
      advance()
      kind = .continue(parseLabel())
    case .return: kind = parseReturn()
    case .throw:
      advance()
      kind = .throw(thrown(parseExpression()))
    case .identifier
    where lexer.following(0) == UInt8(ascii: " ") || isName(current, "switch") || hasSetter():
      return parseNameStatement()
    case .identifier where lexer.following(0) == UInt8(ascii: ":"): kind = parseLabelled()
    case .identifier where isName(current, "fallthrough"):
      advance()
      kind = .fallthrough
    case .func, .leftBrace, .else, .catch, .in, .unknownCharacter, .unknownOperator:
      kind = parseMisplaced()
    default:
      return parseExpressionStatement()
    }
    return Statement(kind: kind, range: range(from: start))
  }

  /// What is thrown, where the type of a case is left out since `throws(NetworkError)` says it.
  private func thrown(_ value: Expression) -> Expression {
    guard let type = thrownType else { return value }
    let owner = arena.named(type, value.range)
    switch value.kind {
    case .implicitMember(let name): return arena.member(name, of: owner, value.range)
    case .call(let call):
      guard case .implicitMember(let name) = call.value.callee.kind else { return value }
      let callee = arena.member(name, of: owner, call.value.callee.range)
      return arena.call(
        callee, Array(call.value.arguments), closures: Array(call.value.closures), at: value.range)
    default: return value
    }
  }

  /// A closure as all that a body has, which is the value of that.
  private mutating func parseSoleClosure() -> Statement {
    let brace = current.range
    let statement = parseExpressionStatement()
    if current.kind != .rightBrace { report(SyntaxMessage.loneBlock, brace) }
    return statement
  }

  /// A call, or an assignment.
  private mutating func parseExpressionStatement() -> Statement {
    let start = current.start
    if let pair = parsePairAssignment() { return pair }
    let expression = parseExpression()
    let assigned: Expression.InfixOperator?
    switch current.kind {
    case .assign: assigned = nil
    case .plusAssign: assigned = .add
    case .minusAssign: assigned = .subtract
    case .starAssign: assigned = .multiply
    case .slashAssign: assigned = .divide
    case .percentAssign: assigned = .remainder
    case .shiftLeftAssign: assigned = .shiftLeft
    case .shiftRightAssign: assigned = .shiftRight
    case .bitAndAssign: assigned = .bitAnd
    case .bitOrAssign: assigned = .bitOr
    case .bitXorAssign: assigned = .bitXor
    default: return Statement(kind: .expression(expression), range: expression.range)
    }
    let levels = height
    advance()
    if assigned == nil, let dropped = parseDroppedValues(expression) { return dropped }
    let value = assigned == nil ? parseValue() : parseExpression()
    height = max(levels, height)
    return Statement(
      kind: .assignment(
        arena.node(
          Statement.Assignment(target: expression, operation: assigned, assigned: value))),
      range: range(from: start))
  }

  /// A statement that begins with a name and a space: mostly an assignment.
  private mutating func parseNameStatement() -> Statement {
    let start = current.start
    if isName(current, "weak"), peek().kind == .var || peek().kind == .let {
      let kind = parseLocalBinding()
      return Statement(kind: kind, range: range(from: start))
    }
    if isName(current, "async"), peek().kind == .let || peek().kind == .var {
      advance()
      if current.kind == .var { report(SyntaxMessage.asyncVar, current.range) }
      let kind = parseLocalBinding(isAsync: true)
      return Statement(kind: kind, range: range(from: start))
    }
    if isName(current, "fallthrough") {
      advance()
      return Statement(kind: .fallthrough, range: range(from: start))
    }
    if isName(current, "switch") {
      let kind = parseSwitch()
      return Statement(kind: kind, range: range(from: start))
    }
    if isName(current, "nonisolated") { isolation = parseNonisolated() }
    if skipForeignWords() && current.start == start {
      skipToStatementEnd()
      return Statement(kind: .missing, range: range(from: start))
    }
    if current.start != start { return parseStatement() }
    if isDeclarationWord {
      let word = isParameterWord ? "param" : text(current)
      report(SyntaxMessage.declarationInBody(word), current.range)
      skipToStatementEnd()
      return Statement(kind: .missing, range: range(from: start))
    }
    return parseExpressionStatement()
  }

  /// Something that no statement begins with.
  private mutating func parseMisplaced() -> Statement.Kind {
    switch current.kind {
    case .func:
      let function = parseFunction()
      return .function(
        arena.node(
          Statement.LocalFunction(
            name: function.name, isolation: function.isolation, isAsync: function.isAsync,
            parameters: arena.list(function.parameters),
            result: function.result, body: function.body)))
    case .leftBrace:
      report(SyntaxMessage.loneBlock, current.range)
      _ = parseBlock("this")
      return .missing
    default:
      if current.kind == .unknownCharacter && bytes[Int(current.start)] == UInt8(ascii: "@") {
        skipAttributes()
        return current.kind == .rightBrace ? .missing : parseStatement().kind
      }
      reportUnexpected(SyntaxMessage.expectedStatement)
      skipToStatementEnd()
      return .missing
    }
  }
}

// MARK: Bindings

extension Parser {
  private mutating func parseLocalBinding(isAsync: Bool = false) -> Statement.Kind {
    let start = current.start
    if isAsync { isAwaiting = true }
    let wasInAsyncLet = isInAsyncLet
    isInAsyncLet = isAsync
    // What stands in front of a local name changes nothing of it.
    _ = takeIsolation()
    defer { isInAsyncLet = wasInAsyncLet }
    guard var binding = parseBinding(canWait: !isAsync) else { return .missing }
    if startsObservers { skipObservers() }
    binding.isAsync = isAsync
    guard current.kind == .comma || !pairBindings.isEmpty else {
      return .binding(arena.node(binding))
    }
    var statements = SyntaxListBuilder<Statement>()
    let levels = height
    for each in [binding] + takePairBindings() {
      statements.append(
        Statement(kind: .binding(arena.node(each)), range: range(from: start)), in: arena)
    }
    parseFurtherBindings(like: binding, canWait: !isAsync) { parser, next, place in
      var next = next
      next.isAsync = isAsync
      statements.append(
        Statement(kind: .binding(parser.arena.node(next)), range: place), in: parser.arena)
    }
    height = max(levels, height)
    return .several(statements.list)
  }

  /// `, b = 2` behind a first binding, any number of times.
  mutating func parseFurtherBindings(
    like first: Binding, canWait: Bool = false, _ take: (Parser, Binding, SourceRange) -> Void
  ) {
    let word = first.isVariable ? "var" : "let"
    while consume(.comma) {
      let start = current.start
      let next = parseBindingBehindWord(
        word, isVariable: first.isVariable, weak: first.weak, canWait: canWait)
      guard let next else { return }
      take(self, next, range(from: start))
    }
  }

  /// `let x: Int = 1`, `weak var x = y`, `let x: Int` where its value `canWait`; nil when no name could be read.
  mutating func parseBinding(canWait: Bool = false) -> Binding? {
    let weak = current.kind == .identifier ? current.range : nil
    if weak != nil { advance() }
    let word = current
    advance()
    return parseBindingBehindWord(
      text(word), isVariable: word.kind == .var, weak: weak, canWait: canWait)
  }

  private mutating func parseBindingBehindWord(
    _ word: String, isVariable: Bool, weak: SourceRange?, canWait: Bool
  ) -> Binding? {
    if current.kind == .leftParenthesis { return parsePairBinding(isVariable: isVariable) }
    let errors = diagnostics.count
    let name = parseName("'\(word)'", orUnderscore: true)
    guard diagnostics.count == errors else {
      skipToStatementEnd()
      return nil
    }
    var type = consume(.colon) ? parseType() : nil
    var value = missing(at: previousEnd)
    if consume(.assign) {
      value = parseObservedValue(of: type)
      if !isInAsyncLet { makeOnce(&type, &value) }
    } else if isVariable, case .optional? = type?.kind {
      // As in Swift, it begins with nil.
      value = arena.expression(kind: .none, range: name.range)
    } else if canWait, endsBinding, weak == nil, !name.word.isUnderscore, let type {
      var binding = Binding(
        isVariable: isVariable, weak: nil, name: name, type: type, value: value)
      binding.isSetLater = true
      return binding
    } else {
      let message = SyntaxMessage.bindingWithoutValue(word)
      reportMissing { _ in message }
    }
    return Binding(isVariable: isVariable, weak: weak, name: name, type: type, value: value)
  }

  /// Whether nothing more of a binding can follow here.
  private var endsBinding: Bool {
    switch current.kind {
    case .comma, .semicolon, .rightBrace, .endOfFile: true
    default: current.isFirstOnLine && current.kind != .leftBrace
    }
  }

  /// A name that is declared here.
  mutating func parseName(_ what: String, orUnderscore: Bool = false) -> Name {
    let token = current
    if token.kind == .identifier || orUnderscore && token.kind == .underscore {
      advance()
      return Name(word: word(token), range: token.range)
    }
    if token.kind.isKeyword {
      report(SyntaxMessage.reservedName(text(token)), token.range)
      advance()
    } else {
      reportMissing(SyntaxMessage.expectedName(what))
    }
    return Name(word: arena.words.word("_"), range: token.range)
  }
}
