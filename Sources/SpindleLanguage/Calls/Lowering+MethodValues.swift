import SpindleModel

/// What the libraries and types can do, by its name alone: `forEach(queue.addOperation)`, `map(String.init)`.
extension Lowering {
  /// The closure that calls what an expression names with so many values, where no function of the trace is named; nil
  /// for anything else.
  ///
  /// The object is looked up here, as in Swift, and has a name that the caller's scope ends.
  mutating func spelledOut(
    _ expression: Expression, taking count: Int
  ) -> Expression.Closure? {
    guard case .member(let access) = expression.kind, plainName(access) == nil else { return nil }
    if checker.mayBeSpelledOut(access.value), isWithoutWords { return nil }
    if access.name == words.initializer { return initializer(access.base, count, expression.range) }
    guard let labels = labels(of: access.value, taking: count) else { return nil }
    let made = shared(value(access.base), access.base.range)
    let own = standIn(for: made, access.base.range)
    let callee = arena.member(access.name, of: own, expression.range)
    return closure(calling: callee, labels, expression.range)
  }

  /// It as a value of the type that is expected; nil for what names a function of the trace, or none.
  mutating func spelledOut(
    _ expression: Expression, _ function: FunctionNode, _ expecting: ValueType?,
    _ target: Register?
  ) -> Operand? {
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    guard let closure = spelledOut(expression, taking: function.parameters.count)
    else { return nil }
    return closureValue(closure, expecting: expecting, target: target, expression.range)
  }

  /// The labels with which a method of a library's object is called with so many values; nil for anything else.
  private func labels(of access: Expression.MemberAccess, taking count: Int) -> [Label?]? {
    for member in checker.objectMethods(access) ?? [] {
      let needed = member.formals.filter { !$0.isOptional }
      if needed.count == count { return needed.map { $0.isBare ? nil : $0.label } }
    }
    return nil
  }

  /// `String.init`, `Int.init`, `Model.init`.
  private mutating func initializer(
    _ type: Expression, _ count: Int, _ range: SourceRange
  ) -> Expression.Closure? {
    guard case .name(let name) = type.kind, find(name) == nil else { return nil }
    if let index = checker.classIndex(of: name) {
      for ordinal in checker.classes[index].initializers {
        let needed = functions[ordinal].formals.filter { !$0.isOptional }
        if needed.count == count { return closure(calling: type, needed.map(\.label), range) }
      }
      return nil
    }
    guard count == 1, Lowering.conversions.contains(name.text) else { return nil }
    return closure(calling: type, [nil], range)
  }

  /// The types that one value is made into another with.
  private static let conversions: Set<String> = [
    "CGFloat", "Decimal", "Double", "Float", "Int", "String",
  ]

  /// `{ callee(label: $0, …) }`.
  func closure(
    calling callee: Expression, _ labels: [Label?], _ range: SourceRange
  ) -> Expression.Closure {
    let names = labels.indices.map { Name(word: arena.words.word("$\($0)"), range: range) }
    let arguments = zip(labels, names).map { label, name in
      Expression.Argument(
        label: label.map { arena.words.word($0.text) }, labelRange: range,
        value: arena.named(name.word, range))
    }
    let call = arena.call(callee, arguments, at: range)
    let body = arena.block([Statement(kind: .expression(call), range: range)], range)
    return Expression.Closure(parameters: arena.list(names), body: body)
  }
}
