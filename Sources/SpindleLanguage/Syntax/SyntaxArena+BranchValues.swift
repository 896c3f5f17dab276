extension Expression.Closure {
  /// Whether it stands for an `if` or a `switch` as a value: it has no braces of its own.
  var isChoice: Bool { body.statements.count == 1 && body.statements[0].range == body.range }
}

/// An `if` or a `switch` as a value.
extension SyntaxArena {
  /// A body that is one `if` with an `else`, or one `switch`, each of whose branches is a value, with a `return` in front
  /// of each; nil for any other.
  ///
  /// A branch may throw instead, or end the program.
  func branchValues(of body: CodeBlock) -> CodeBlock? {
    guard body.statements.count == 1 else { return nil }
    var only = body.statements[0]
    switch only.kind {
    case .if(let choice):
      guard let otherwise = choice.value.otherwise.flatMap(branchValue) else { return nil }
      var branches: [Statement.Branch] = []
      for branch in choice.value.branches {
        guard let body = branchValue(branch.body) else { return nil }
        branches.append(Statement.Branch(condition: branch.condition, body: body))
      }
      only.kind = .if(
        node(Statement.Choice(branches: list(branches), otherwise: otherwise)))
    case .switch(let selection):
      var cases: [Statement.Case] = []
      for one in selection.value.cases {
        guard let body = branchValue(one.body) else { return nil }
        cases.append(Statement.Case(patterns: one.patterns, body: body, range: one.range))
      }
      if cases.isEmpty { return nil }
      only.kind = .switch(
        node(
          Statement.Selection(
            value: selection.value.value, rest: selection.value.rest, cases: list(cases),
            range: selection.value.range)))
    default: return nil
    }
    return CodeBlock(statements: list([only]), range: body.range)
  }

  /// A branch that is a value, as one that returns it.
  private func branchValue(_ body: CodeBlock) -> CodeBlock? {
    guard body.statements.count == 1 else { return nil }
    var only = body.statements[0]
    switch only.kind {
    case .throw: return body
    case .expression(let value):
      if case .call(let call) = value.kind, case .name(let name) = call.value.callee.kind,
        ["fatalError", "preconditionFailure", "exit"].contains(name.text)
      {
        return body
      }
      only.kind = .return(value)
      return CodeBlock(statements: list([only]), range: body.range)
    default: return branchValues(of: body)
    }
  }
}
