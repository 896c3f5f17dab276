import SpindleModel

/// Assignments to what is computed.
extension Lowering {
  /// Sets a property that is computed, by the function that its `set` is; whether it is one.
  ///
  /// `a.n += 1` evaluates the right side, reads it, and sets it then: two calls, between which others may come.
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
      let type = functions[info.computed.first { $0.name == getter }?.ordinal ?? 0].result
      let sides = Expression.Sides(
        left: arena.expression(kind: .member(arena.node(read)), range: nameRange),
        right: self.given(expression, operation, to: type), operatorRange: range)
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

  /// Sets what a type itself computes: `Cache.limit = 3`; whether it has a `set`.
  mutating func setComputedStatic(
    _ symbol: Symbol, _ nameRange: SourceRange, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) -> Bool {
    guard case .function(let ordinal) = symbol.meaning, statics.getters.contains(ordinal),
      let setter = setter(of: symbol)
    else { return false }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    var given = expression
    if let operation {
      let read = arena.expression(kind: .name(symbol.name), range: nameRange)
      let right = self.given(expression, operation, to: functions[ordinal].result)
      let sides = Expression.Sides(left: read, right: right, operatorRange: range)
      given = arena.expression(kind: .infix(operation, arena.node(sides)), range: range)
    }
    let call = Expression.Call(
      callee: arena.expression(kind: .name(setter), range: nameRange),
      arguments: arena.list([
        Expression.Argument(label: nil, labelRange: given.range, value: given)
      ]),
      closures: SyntaxList(), range: range)
    lowerCall(arena.node(call), isUsed: false, expecting: nil, target: nil)
    return true
  }

  /// The function that sets what a type itself computes, or what is computed at the top; nil for none.
  func setter(of symbol: Symbol) -> Word? {
    guard let owner = checker.classes.owner(of: symbol.name) else {
      return statics.setters[symbol.name.text]
    }
    return checker.classes[owner].statics.first { $0.symbol == symbol.name }
      .flatMap { checker.classes[owner].symbol(named: "set \($0.name.text)") }
  }

  /// Notes a function at the top, the last that was declared, that is called where a name is read or set.
  mutating func noteComputed(_ function: Declaration.Function) {
    switch function.role {
    case .plain: break
    case .getter: statics.getters.insert(functions.count - 1)
    case .setter:
      let name = function.name
      statics.setters[String(name.text.dropFirst("set ".count))] = name.word
      statics.hasPassages = true
    }
  }
}
