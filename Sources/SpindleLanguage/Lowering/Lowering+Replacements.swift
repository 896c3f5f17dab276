import SpindleModel

/// `--replace`: an executor of the command line in the place of one at the top.
extension Lowering {
  /// The executor that the command line puts in the place of the trace's own.
  mutating func replacedValue(
    _ assignment: Overrides.Assignment, _ name: Word, target: Register
  ) -> Operand {
    let outer = source
    defer { checker.diagnosis.source = outer }
    guard
      var expression = checker.option("--replace", prefix: assignment.name + "=", assignment.value)
    else { return .unknown }
    if case .name(let type) = expression.kind, vocabulary.type(type) != nil {
      let call = Expression.Call(
        callee: expression, arguments: SyntaxList(), closures: SyntaxList(),
        range: expression.range)
      expression = arena.expression(kind: .call(arena.node(call)), range: expression.range)
    }
    if case .call = expression.kind { boundName = name }
    let made = value(expression, target: target)
    boundName = nil
    guard made.type != .unknown else { return .unknown }
    guard case .handle(let handle) = made.type, handle.isExecutor else {
      return refuse(
        Messages.mismatch(expected: "an executor", found: "\(made.type)"), expression.range)
    }
    return made
  }
}
