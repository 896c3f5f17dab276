import SpindleModel

/// Assignments to what is computed.
extension Lowering {
  /// Sets a property that is computed, by the function that its `set` is; whether it is one.
  ///
  /// `a.n += 1` reads it, and sets it then: two calls, between which others may come.
  mutating func setComputed(
    _ object: Operand, _ written: Expression, _ index: Int, _ name: String,
    _ nameRange: SourceRange, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ range: SourceRange
  ) -> Bool {
    guard checker.classes[index].hasSetters else { return false }
    let info = checker.classes[index]
    guard let setter = info.methods.first(where: { $0.name.text == "set \(name)" })?.name,
      let getter = info.computed.first(where: { $0.name.text == name })?.name
    else { return false }
    var base = written
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    if !isSimple(base), !checker.classes[index].isValue {
      // It is evaluated once.
      base = standIn(for: object, base.range)
    }
    var given = expression
    if let operation {
      let read = Expression.MemberAccess(
        base: base, name: getter, nameRange: nameRange)
      let sides = Expression.Sides(
        left: arena.expression(kind: .member(arena.node(read)), range: nameRange),
        right: expression, operatorRange: range)
      given = arena.expression(kind: .infix(operation, arena.node(sides)), range: range)
    }
    let callee = Expression.MemberAccess(base: base, name: setter, nameRange: nameRange)
    let call = Expression.Call(
      callee: arena.expression(kind: .member(arena.node(callee)), range: nameRange),
      arguments: arena.list([
        Expression.Argument(label: nil, labelRange: given.range, value: given)
      ]),
      closures: SyntaxList(), range: range)
    lowerCall(arena.node(call), isUsed: false, expecting: nil, target: nil)
    return true
  }
}
