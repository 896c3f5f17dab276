import SpindleModel

// The `catch`es of a `do`: an error is a text, so one that takes some errors only compares that.

extension Parser {
  /// The blocks behind `catch`, as one that takes every error; nil where there is none.
  mutating func parseCatches(_ levels: inout Int) -> CodeBlock? {
    var clauses: [(condition: Expression?, body: CodeBlock)] = []
    while consume(.catch) {
      let (condition, name, type) = parseCatchPattern()
      var body = parseBlock("'catch'")
      if let name { nameError(name, as: type, in: &body) }
      levels = max(levels, height + clauses.count)
      clauses.append((condition, body))
      if condition == nil { break }
    }
    guard let last = clauses.last else { return nil }
    var handler = last.condition == nil ? clauses.removeLast().body : throwAgain(last.body.range)
    for clause in clauses.reversed() {
      guard let condition = clause.condition else { continue }
      let branch = Statement.Branch(condition: condition, body: clause.body)
      let choice = Statement.Choice(branches: arena.list([branch]), otherwise: handler)
      let statement = Statement(kind: .if(arena.node(choice)), range: condition.range)
      handler = CodeBlock(statements: arena.list([statement]), range: clause.body.range)
    }
    return handler
  }

  /// What a `catch` takes, the name that it gives that, and the type that this has.
  private typealias Caught = (condition: Expression?, name: Name?, type: Word?)

  /// What a `catch` takes, with `where`, which sees the name that is given.
  private mutating func parseCatchPattern() -> Caught {
    let caught = parseCaught()
    guard isName(current, "where") else { return caught }
    advance()
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    var condition = parseExpression()
    allowsTrailingClosures = outer
    if let name = caught.name, name.text != "error" || caught.type != nil {
      let test = Expression.PatternTest(
        pattern: Pattern(kind: .name(name, isVariable: false), filter: nil, range: name.range),
        value: whatIsCaught(name, as: caught.type))
      condition = both(
        arena.expression(kind: .match(arena.node(test)), range: name.range), condition)
    }
    if let first = caught.condition { condition = both(first, condition) }
    return (condition, nil, nil)
  }

  private func both(_ first: Expression, _ second: Expression) -> Expression {
    let sides = Expression.Sides(left: first, right: second, operatorRange: second.range)
    return arena.expression(
      kind: .infix(.and, arena.node(sides)), range: first.range.union(second.range))
  }

  /// Whether what a `catch` takes is read.
  private var endsCaught: Bool {
    current.kind == .leftBrace || isName(current, "where")
  }

  /// `is CancellationError`, `let name as NetworkError`, `NetworkError.offline`, `NetworkError.status(let code)`, `let name`
  /// or nothing.
  private mutating func parseCaught() -> Caught {
    var name: Name?
    skipOuterTypes()
    let start = current.start
    if let condition = parseCaughtCase() { return (condition, nil, nil) }
    if current.kind == .let, peek().kind == .identifier {
      advance()
      name = parseName("'let'")
    }
    if endsCaught || current.isFirstOnLine { return (nil, name, nil) }
    let text: Word?
    if isName(current, "is") || name != nil && isName(current, "as") {
      text = peek().kind == .identifier ? word(peek()) : nil
      advance()
      guard let text else { return refuseCatchPattern(name) }
      advance()
      if text != "CancellationError", endsCaught {
        return (ask(Parser.isThrown, of: text, at: range(from: start)), name, text)
      }
    } else if name == nil, current.kind == .identifier, peek().kind == .dot {
      let owner = (word: word(current), range: current.range)
      advance()
      advance()
      guard current.kind == .identifier else { return refuseCatchPattern(name) }
      let one = arena.expression(kind: .text(word(current)), range: current.range)
      advance()
      guard endsCaught else { return refuseCatchPattern(name) }
      return (ask(Parser.isThrownAs, of: owner.word, [one], at: owner.range), nil, nil)
    } else {
      text = nil
    }
    guard let text, endsCaught else { return refuseCatchPattern(name) }
    let place = range(from: start)
    // As it is written: `CancellationError()`.
    let message = arena.expression(
      kind: .text(arena.words.word("\(text.text)()")), range: place)
    let sides = Expression.Sides(left: error(at: place), right: message, operatorRange: place)
    return (arena.expression(kind: .infix(.equal, arena.node(sides)), range: place), name, nil)
  }

  /// `NetworkError.status(let code)`, `let NetworkError.status(code)`; nil for anything else.
  private mutating func parseCaughtCase() -> Expression? {
    let type: Token
    if current.kind == .let || current.kind == .var {
      type = peek()
      guard isCaughtCase(behindWord: true) else { return nil }
    } else {
      type = current
      guard isCaughtCase(behindWord: false) else { return nil }
    }
    let owner = word(type)
    let outer = allowsTrailingClosures
    allowsTrailingClosures = false
    defer { allowsTrailingClosures = outer }
    let pattern = parsePattern()
    let test = Expression.PatternTest(
      pattern: pattern, value: ask(Parser.mayBeThrown, of: owner, at: type.range))
    return arena.expression(kind: .match(arena.node(test)), range: pattern.range)
  }

  /// Skips the names of the types around the one of the error: a type within a type is as good as one at the top.
  private mutating func skipOuterTypes() {
    while current.kind == .identifier, peek().kind == .dot {
      var ahead = lexer
      _ = ahead.next()
      guard ahead.next().kind == .identifier, ahead.next().kind == .dot else { return }
      advance()
      advance()
    }
  }

  /// Whether `Type.name(` stands here, or behind a `let`.
  private func isCaughtCase(behindWord: Bool) -> Bool {
    var (token, ahead) = (current, lexer)
    if behindWord { token = ahead.next() }
    guard token.kind == .identifier, ahead.next().kind == .dot,
      ahead.next().kind == .identifier
    else { return false }
    return ahead.next().kind == .leftParenthesis
  }

  /// What is asked of an `enum` about what was thrown: a call that no trace can write.
  private func ask(
    _ question: String, of type: Word, _ more: [Expression] = [], at place: SourceRange
  ) -> Expression {
    let callee = arena.member(arena.words.word(question), of: arena.named(type, place), place)
    let arguments = ([error(at: place)] + more).map {
      Expression.Argument(label: nil, labelRange: $0.range, value: $0)
    }
    return arena.call(callee, arguments, at: place)
  }

  /// Whether what was thrown is one of its cases.
  static let isThrown = "is thrown"
  /// Whether what was thrown is the case with a name.
  static let isThrownAs = "is thrown as"
  /// The case that was thrown, or nil.
  static let mayBeThrown = "may be thrown"
  /// The case that is known to have been thrown.
  static let whatIsThrown = "what is thrown"

  /// What the `do` around has caught, as no trace can write it: `throw` of it is no new error.
  static let whatWasCaught = "what was caught"

  private mutating func refuseCatchPattern(_ name: Name?) -> Caught {
    report(SyntaxMessage.catchPattern, current.range)
    skipToBlock()
    return (nil, name, nil)
  }

  /// The name of what was thrown, in the handler.
  private func error(at place: SourceRange) -> Expression {
    arena.expression(kind: .name(arena.words.word("error")), range: place)
  }

  /// What no `catch` takes goes on.
  private func throwAgain(_ place: SourceRange) -> CodeBlock {
    let error = arena.expression(kind: .name(arena.words.word(Parser.whatWasCaught)), range: place)
    let statement = Statement(kind: .throw(error), range: place)
    return CodeBlock(statements: arena.list([statement]), range: place)
  }

  private func whatIsCaught(_ name: Name, as type: Word?) -> Expression {
    type.map { ask(Parser.whatIsThrown, of: $0, at: name.range) } ?? error(at: name.range)
  }

  /// `catch let name`: another name for what was thrown, in the handler.
  private func nameError(_ name: Name, as type: Word?, in block: inout CodeBlock) {
    guard name.text != "error" || type != nil else { return }
    let binding = Binding(
      isVariable: false, weak: nil, name: name, type: nil, value: whatIsCaught(name, as: type))
    let bound = Statement(kind: .binding(arena.node(binding)), range: name.range)
    block.statements = arena.list([bound] + block.statements)
  }
}
