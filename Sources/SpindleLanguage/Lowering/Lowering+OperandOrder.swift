import SpindleModel

/// Operands and arguments in a row: each is what it was when it was evaluated, whatever one behind it changes.
extension Lowering {
  /// A value of a place as it is now, though what is evaluated behind it may change the place.
  ///
  /// A number, a text or an optional one is copied, and so is a collection; an object is held until the statement
  /// ends, and a struct too: its variable gets another one when it changes.
  mutating func steady(_ made: Operand, _ expression: Expression) -> Operand {
    guard case .register(let from) = made.location, !made.isFresh,
      isPlace(expression, made)
    else { return made }
    let isCollection = made.type.unwrapped.isCollection
    guard isCollection || lifeKind(made.type) == nil else {
      return shared(made, expression.range)
    }
    guard isCollection || made.isVariable else { return made }
    var copy = made
    let register = frame.allocate()
    copy.location = .register(register)
    guard isCollection else {
      emit(.copy(register, from: from), expression.range)
      return copy
    }
    emit(.arrayCopy(register, from: from), expression.range)
    copy.isFresh = true
    return held(copy, expression.range)
  }

  /// Whether a value was read from where something else can change it: no constant, and no result of a call.
  private func isPlace(_ expression: Expression, _ made: Operand) -> Bool {
    switch expression.kind {
    // A name that stands nowhere is one of `self`.
    case .name(let name): made.isVariable || find(name) == nil
    case .member, .element, .bind, .unwrap, .chain, .coalesce, .conditional: true
    default: made.isVariable
    }
  }

  /// Whether evaluating an expression runs no code of the trace, so that it changes nothing.
  func isQuiet(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .integer, .decimal, .duration, .size, .text, .boolean, .none, .implicitMember, .closure:
      return true
    case .name(let name): return !isComputed(name)
    case .member(let member): return !isComputed(member.name) && isQuiet(member.base)
    case .prefix(_, let inner), .unwrap(let inner), .bind(let inner), .chain(let inner):
      return isQuiet(inner)
    case .infix(_, let sides), .coalesce(let sides):
      return isQuiet(sides.left) && isQuiet(sides.right)
    case .conditional(let parts):
      return isQuiet(parts.condition) && isQuiet(parts.first) && isQuiet(parts.second)
    case .range(let bounds): return isQuiet(bounds.from) && isQuiet(bounds.to)
    case .element(let access):
      return isQuiet(access.base) && isQuiet(access.index)
        && (access.fallback.map { isQuiet($0) } ?? true)
    case .array(let elements): return elements.allSatisfy { isQuiet($0) }
    case .dictionary(let entries):
      return entries.allSatisfy { isQuiet($0.key) && isQuiet($0.value) }
    case .string(let segments):
      return segments.allSatisfy { segment in
        if case .value(let inner) = segment { return isQuiet(inner) }
        return true
      }
    case .percent, .call, .await, .specialized, .attempt, .condition, .match, .missing:
      return false
    }
  }

  /// Whether a type of the trace computes something of this name when it is read.
  func isComputed(_ name: Word) -> Bool { checker.classes.computedNames.contains(name) }

  /// Whether what stands behind each of several expressions runs code of the trace.
  func areFollowed(_ expressions: some BidirectionalCollection<Expression>) -> [Bool] {
    if expressions.count < 2 { return [false] }
    var follows = false
    var result: [Bool] = []
    for expression in expressions.reversed() {
      result.append(follows)
      if !follows { follows = !isQuiet(expression) }
    }
    return result.reversed()
  }

  /// The right side of an assignment to a property of a struct, evaluated before that is copied to be changed.
  ///
  /// What stands in its place by then is changed, as in Swift. Nil where the right side runs no code of the trace.
  mutating func assignedFirst(
    _ expression: Expression, _ operation: Expression.InfixOperator?, _ index: Int, _ name: String
  ) -> Expression? {
    guard !isQuiet(expression),
      let number = checker.classes[index].fields.firstIndex(where: { $0.name.text == name })
    else { return nil }
    return assignedFirst(expression, operation, fieldType(index, number))
  }

  /// A name for the right side of an assignment to what has the type `wanted`, evaluated here.
  mutating func assignedFirst(
    _ expression: Expression, _ operation: Expression.InfixOperator?, _ wanted: ValueType
  ) -> Expression {
    let range = expression.range
    var made: Operand
    if let operation {
      made = rightSide(operation, wanted, expression)
    } else {
      made = coerce(value(expression, expecting: wanted), to: wanted, range)
    }
    made = kept(made, isVariable: true)
    let register = frame.pinned()
    place(made, in: register, range)
    scope.declare(
      Symbol(
        name: words.assigned, meaning: .register(register), type: made.type, place: range,
        frame: Int32(depth)))
    return arena.named(words.assigned, range)
  }
}
