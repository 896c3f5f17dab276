import SpindleModel

/// Parts of a tree that stand in no text: what the language writes for the trace, all at one place.
extension SyntaxArena {
  /// A name alone.
  func named(_ word: Word, _ place: SourceRange) -> Expression {
    expression(kind: .name(word), range: place)
  }

  /// `base.name`.
  func member(_ name: Word, of base: Expression, _ place: SourceRange) -> Expression {
    let access = Expression.MemberAccess(base: base, name: name, nameRange: place)
    return expression(kind: .member(node(access)), range: place)
  }

  /// `callee(arguments) { closures }`.
  func call(
    _ callee: Expression, _ arguments: [Expression.Argument] = [],
    closures: [Expression.TrailingClosure] = [], at place: SourceRange
  ) -> Expression {
    let call = Expression.Call(
      callee: callee, arguments: list(arguments), closures: list(closures), range: place)
    return expression(kind: .call(node(call)), range: place)
  }

  /// `target = value`.
  func assignment(
    to target: Expression, _ value: Expression, _ place: SourceRange
  ) -> Statement {
    let made = Statement.Assignment(target: target, assigned: value)
    return Statement(kind: .assignment(node(made)), range: place)
  }

  /// `if condition { statements }`.
  func choice(
    _ condition: Expression, _ statements: [Statement], _ place: SourceRange
  ) -> Statement {
    let branch = Statement.Branch(condition: condition, body: block(statements, place))
    let made = Statement.Choice(branches: list([branch]), otherwise: nil)
    return Statement(kind: .if(node(made)), range: place)
  }

  /// `!a`.
  func not(_ inner: Expression, _ place: SourceRange) -> Expression {
    expression(kind: .prefix(.not, inner), range: place)
  }

  /// `{ statements }`.
  func block(_ statements: [Statement], _ place: SourceRange) -> CodeBlock {
    CodeBlock(statements: list(statements), range: place)
  }
}
