import SpindleModel

// Statements that hold blocks.

extension Parser {
  mutating func parseIf() -> Statement.Kind {
    var branches = SyntaxListBuilder<Statement.Branch>()
    var levels = 0
    while true {
      advance()
      let condition = parseHeader("'if'")
      levels = max(levels, height)
      let body = parseBlock("'if'")
      levels = max(levels, height)
      branches.append(Statement.Branch(condition: condition, body: body), in: arena)
      guard consume(.else) else { break }
      guard current.kind != .if else { continue }
      let otherwise = parseBlock("'else'")
      height = max(levels, height)
      return .if(arena.node(Statement.Choice(branches: branches.list, otherwise: otherwise)))
    }
    height = levels
    return .if(arena.node(Statement.Choice(branches: branches.list, otherwise: nil)))
  }

  /// A condition, when there is one: what is missing before a brace is the condition.
  mutating func parseHeader(_ what: String) -> Expression {
    if current.kind == .leftBrace {
      report(SyntaxMessage.conditionMissing(what), current.range)
      return missing(at: current.start)
    }
    let errors = diagnostics.count
    let condition = parseCondition()
    if current.kind == .assign {
      report(SyntaxMessage.assignmentInExpression, current.range)
    }
    if diagnostics.count > errors && current.kind != .leftBrace && !current.isFirstOnLine {
      skipToBlock()
    }
    return condition
  }

  mutating func parseGuard() -> Statement.Kind {
    advance()
    let condition = parseHeader("'guard'")
    let levels = height
    if !consume(.else) {
      reportMissing(SyntaxMessage.expectedSign("else", "behind the condition of 'guard'"))
    }
    let body = parseBlock("'else'")
    height = max(levels, height)
    return .guard(arena.node(Statement.Branch(condition: condition, body: body)))
  }

  mutating func parseWhile() -> Statement.Kind {
    advance()
    let condition = parseHeader("'while'")
    let levels = height
    let body = parseBlock("'while'")
    height = max(levels, height)
    return .while(arena.node(Statement.Branch(condition: condition, body: body)))
  }

  /// `repeat { } while a`, and `repeat(n) { }`, which is a `for` without a name.
  mutating func parseRepeat() -> Statement.Kind {
    let word = current.range
    advance()
    if current.kind == .leftParenthesis {
      let count = parseHeader("'repeat'")
      let levels = height
      let body = parseBlock("'repeat'")
      height = max(levels, height) + 1
      let zero = arena.expression(kind: .integer(0), range: count.range)
      let bounds = Expression.Bounds(from: zero, to: count, isClosed: false)
      let sequence = arena.expression(kind: .range(arena.node(bounds)), range: count.range)
      let name = Name(word: arena.words.word("_"), range: word)
      return .forIn(arena.node(Statement.Loop(name: name, sequence: sequence, body: body)))
    }
    let body = parseBlock("'repeat'")
    let levels = height
    guard consume(.while) else {
      reportMissing { _ in SyntaxMessage.repeatWhile }
      let condition = missing(at: previousEnd)
      return .repeatWhile(arena.node(Statement.Branch(condition: condition, body: body)))
    }
    let condition = parseExpression()
    height = max(levels, height)
    return .repeatWhile(arena.node(Statement.Branch(condition: condition, body: body)))
  }

  mutating func parseFor() -> Statement.Kind {
    advance()
    if isName(current, "case") { return parseForCase() }
    if isTry { advance() }
    var awaitRange: SourceRange?
    if isAwait {
      awaitRange = current.range
      isAwaiting = true
      advance()
      if isName(current, "case") { return parseForCase(awaitRange) }
    }
    let isVariable = current.kind == .var
    if current.kind == .let || isVariable { advance() }
    guard let (name, second) = parseLoopNames() else {
      skipToBlock()
      if current.kind == .leftBrace { _ = parseBlock("'for'") }
      return .missing
    }
    var ahead = lexer
    if current.kind == .colon, [.identifier, .leftBracket].contains(ahead.next().kind) {
      // The type is that of the elements.
      advance()
      _ = parseType()
    }
    if current.kind == .comma || current.kind == .colon {
      report(SyntaxMessage.forInWithoutSequence, current.range)
      while current.kind != .in && current.kind != .leftBrace && !current.isFirstOnLine {
        advance()
      }
    }
    guard consume(.in) else {
      reportMissing { _ in SyntaxMessage.forInWithoutSequence }
      skipToBlock()
      guard current.kind == .leftBrace else { return .missing }
      let sequence = missing(at: previousEnd)
      let body = parseBlock("'for'")
      return .forIn(arena.node(Statement.Loop(name: name, sequence: sequence, body: body)))
    }
    isInLoopHeader = true
    let sequence = parseHeader("'for'")
    isInLoopHeader = false
    var levels = height
    var filter: Expression?
    if isName(current, "where") {
      advance()
      filter = parseHeader("'where'")
      levels = max(levels, height)
    }
    let body = parseBlock("'for'")
    height = max(levels, height) + (isVariable ? 1 : 0)
    var loop = Statement.Loop(
      name: name, second: second, awaitRange: awaitRange, filter: filter, sequence: sequence,
      body: body)
    if isVariable, second == nil { makeVariable(&loop) }
    return .forIn(arena.node(loop))
  }

  /// `for var x in a { }`: a loop whose body begins with a variable for what it goes through.
  private mutating func makeVariable(_ loop: inout Statement.Loop) {
    let (name, body) = (loop.name, loop.body)
    let whole = Name(word: arena.words.word("each value"), range: name.range)
    let binding = Binding(
      isVariable: true, weak: nil, name: name, type: nil,
      value: arena.named(whole.word, name.range))
    var statements = Array(body.statements)
    if let filter = loop.filter {
      let branch = Statement.Branch(condition: filter, body: body)
      let choice = Statement.Choice(branches: arena.list([branch]), otherwise: nil)
      statements = [Statement(kind: .if(arena.node(choice)), range: body.range)]
    }
    let bound = Statement(kind: .binding(arena.node(binding)), range: name.range)
    loop.body = arena.block([bound] + statements, body.range)
    (loop.name, loop.filter) = (whole, nil)
  }

  /// `for case .done(let n) in states where n > 1 { }`: a loop over all, with a condition around its body.
  private mutating func parseForCase(_ awaitRange: SourceRange? = nil) -> Statement.Kind {
    let start = current.range
    advance()
    let pattern = parsePattern()
    var levels = height
    guard consume(.in) else {
      reportMissing { _ in SyntaxMessage.forInWithoutSequence }
      skipToBlock()
      if current.kind == .leftBrace { _ = parseBlock("'for'") }
      return .missing
    }
    let sequence = parseHeader("'for'")
    levels = max(levels, height)
    let name = Name(word: arena.words.word("each value"), range: start)
    let test = Expression.PatternTest(pattern: pattern, value: arena.named(name.word, start))
    var condition = arena.expression(kind: .match(arena.node(test)), range: pattern.range)
    if isName(current, "where") {
      let sign = current.range
      advance()
      let filter = parseHeader("'where'")
      levels = max(levels, height)
      condition = arena.expression(
        kind: .infix(
          .and,
          arena.node(Expression.Sides(left: condition, right: filter, operatorRange: sign))),
        range: condition.range.union(filter.range))
    }
    let body = parseBlock("'for'")
    height = max(levels, height) + 2
    let choice = Statement.Choice(
      branches: arena.list([Statement.Branch(condition: condition, body: body)]), otherwise: nil)
    let chosen = Statement(kind: .if(arena.node(choice)), range: body.range)
    return .forIn(
      arena.node(
        Statement.Loop(
          name: name, awaitRange: awaitRange, sequence: sequence,
          body: arena.block([chosen], body.range))))
  }

  /// `x`, `(i, x)`; nil when it is neither.
  private mutating func parseLoopNames() -> (Name, Name?)? {
    guard current.kind == .leftParenthesis else {
      return (parseName("the loop's value", orUnderscore: true), nil)
    }
    let opening = current
    var ahead = lexer
    guard ahead.next().kind != .var else {
      report(SyntaxMessage.forInWithoutSequence, opening.range)
      return nil
    }
    advance()
    let first = parseName("the loop's value", orUnderscore: true)
    guard consume(.comma) else {
      expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
      return (first, nil)
    }
    let second = parseName("the loop's value", orUnderscore: true)
    if current.kind == .comma {
      report(SyntaxMessage.tuple, opening.range)
      skipToClosing(.rightParenthesis)
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    return (first, second)
  }

  /// `outer: for … { }`, at the label.
  mutating func parseLabelled() -> Statement.Kind {
    let label = Name(word: word(current), range: current.range)
    advance()
    advance()
    switch current.kind {
    case .for, .while, .repeat, .do, .if: break
    default:
      if !isName(current, "switch") { report(SyntaxMessage.labelWithoutLoop, label.range) }
    }
    let statement = parseStatement()
    return .labelled(arena.node(Statement.Labelled(label: label, statement: statement)))
  }

  /// The label behind `break` or `continue`, which has been read; nil for none.
  mutating func parseLabel() -> Word? {
    guard current.kind == .identifier, !current.isFirstOnLine else { return nil }
    let label = word(current)
    advance()
    return label
  }

  mutating func parseDo() -> Statement.Kind {
    advance()
    let body = parseBlock("'do'")
    var levels = height
    let handler = parseCatches(&levels)
    height = levels
    return .doCatch(arena.node(Statement.Attempt(body: body, handler: handler)))
  }

  mutating func parseReturn() -> Statement.Kind {
    advance()
    switch current.kind {
    case .rightBrace, .endOfFile, .semicolon: return .return(nil)
    default: return current.isFirstOnLine ? .return(nil) : .return(parseValue())
    }
  }

  /// An expression, or an `if` or a `switch` each of whose branches is one: a closure that is called at once.
  mutating func parseValue(of type: TypeName? = nil) -> Expression {
    let isSwitch = isName(current, "switch") && lexer.following(0) == UInt8(ascii: " ")
    guard current.kind == .if || isSwitch else { return parseExpression() }
    let (start, word, errors) = (current.start, current.range, diagnostics.count)
    let levels = height
    let statement = parseStatement()
    height = max(levels, height)
    let place = range(from: start)
    let body = CodeBlock(statements: arena.list([statement]), range: place)
    if arena.branchValues(of: body) == nil, diagnostics.count == errors {
      report(SyntaxMessage.branchValues(isSwitch ? "switch" : "if"), word)
      return arena.expression(kind: .missing, range: place)
    }
    let header = type.map {
      arena.node(
        Expression.ClosureHeader(captures: SyntaxList(), types: SyntaxList(), result: $0))
    }
    let closure = Expression.Closure(parameters: SyntaxList(), header: header, body: body)
    return arena.call(
      arena.expression(kind: .closure(arena.node(closure)), range: place), at: place)
  }
}
