import SpindleModel

// The `catch`es of a `do`: an error is a text, so one that takes some errors only compares that.

extension Parser {
  /// The blocks behind `catch`, as one that takes every error; nil where there is none.
  mutating func parseCatches(_ levels: inout Int) -> CodeBlock? {
    var clauses: [(condition: Expression?, body: CodeBlock)] = []
    while consume(.catch) {
      let (condition, name) = parseCatchPattern()
      var body = parseBlock("'catch'")
      if let name { nameError(name, in: &body) }
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

  /// `is CancellationError`, `let name as NetworkError`, `NetworkError.offline`, `let name` or nothing.
  private mutating func parseCatchPattern() -> (condition: Expression?, name: Name?) {
    var name: Name?
    let start = current.start
    if current.kind == .let, peek().kind == .identifier {
      advance()
      name = parseName("'let'")
    }
    if current.kind == .leftBrace || current.isFirstOnLine { return (nil, name) }
    let text: Word?
    if isName(current, "is") || name != nil && isName(current, "as") {
      text = peek().kind == .identifier ? word(peek()) : nil
      advance()
      guard let text else { return refuseCatchPattern(name) }
      advance()
      if text != "CancellationError", current.kind == .leftBrace {
        return (isThrown(by: text, at: range(from: start)), name)
      }
    } else if name == nil, current.kind == .identifier, peek().kind == .dot {
      advance()
      advance()
      text = current.kind == .identifier ? word(current) : nil
      advance()
    } else {
      text = nil
    }
    guard let text, current.kind == .leftBrace else { return refuseCatchPattern(name) }
    let place = range(from: start)
    let message = arena.expression(kind: .text(text), range: place)
    let sides = Expression.Sides(left: error(at: place), right: message, operatorRange: place)
    return (arena.expression(kind: .infix(.equal, arena.node(sides)), range: place), name)
  }

  /// Whether what was thrown is a case of an `enum`: a call that no trace can write.
  private func isThrown(by type: Word, at place: SourceRange) -> Expression {
    let base = arena.expression(kind: .name(type), range: place)
    let member = Expression.MemberAccess(
      base: base, name: arena.words.word(Parser.isThrown), nameRange: place)
    let argument = Expression.Argument(
      label: nil, labelRange: place, value: error(at: place))
    let call = Expression.Call(
      callee: arena.expression(kind: .member(arena.node(member)), range: place),
      arguments: arena.list([argument]), closures: SyntaxList(), range: place)
    return arena.expression(kind: .call(arena.node(call)), range: place)
  }

  /// The name of what `catch is` asks of an `enum`.
  static let isThrown = "is thrown"

  private mutating func refuseCatchPattern(_ name: Name?) -> (condition: Expression?, name: Name?) {
    report(SyntaxMessage.catchPattern, current.range)
    skipToBlock()
    return (nil, name)
  }

  /// The name of what was thrown, in the handler.
  private func error(at place: SourceRange) -> Expression {
    arena.expression(kind: .name(arena.words.word("error")), range: place)
  }

  /// What no `catch` takes goes on.
  private func throwAgain(_ place: SourceRange) -> CodeBlock {
    let statement = Statement(kind: .throw(error(at: place)), range: place)
    return CodeBlock(statements: arena.list([statement]), range: place)
  }

  /// `catch let name`: another name for what was thrown, in the handler.
  private func nameError(_ name: Name, in block: inout CodeBlock) {
    guard name.text != "error" else { return }
    let binding = Binding(
      isVariable: false, weak: nil, name: name, type: nil, value: error(at: name.range))
    let bound = Statement(kind: .binding(arena.node(binding)), range: name.range)
    block.statements = arena.list([bound] + block.statements)
  }
}
