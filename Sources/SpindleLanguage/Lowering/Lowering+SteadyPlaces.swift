import SpindleModel

/// What a change needs, evaluated in front of it, each once: the objects and the indices on the way to a place, and what is
/// given.
extension Lowering {
  /// A new name that no trace can write.
  mutating func declare(
    _ meaning: Symbol.Meaning, _ type: ValueType, _ range: SourceRange,
    _ owner: OwnedRegister? = nil
  ) -> Expression {
    let free = partWords.first { scope.find($0) == nil }
    // So many are within another only in a text that is made for it.
    let name = free ?? (isWithoutWords ? words.changed : arena.words.word("? part \(scope.count)"))
    scope.declare(
      Symbol(
        name: name, meaning: meaning, type: type, place: range, frame: Int32(depth), owner: owner))
    return arena.named(name, range)
  }

  // MARK: Objects

  /// A place with the last object on the way to it evaluated, where that comes of a call or is computed.
  ///
  /// So it may be come to more than once. Nil for any other place, and where fewer than `least` steps lead on from the object.
  mutating func withSteadyObject(_ place: Expression, from least: Int) -> Expression? {
    guard !isNameAlone(place), runsCode(place), let (object, depth) = lastObject(of: place, 0),
      depth >= least
    else { return nil }
    return replaced(place, depth, by: steady(object))
  }

  /// Whether a place is a name and no more.
  func isNameAlone(_ place: Expression) -> Bool {
    if case .name = place.kind { return true }
    return false
  }

  /// The last object that comes of code, and how many steps lead on from there.
  private mutating func lastObject(of place: Expression, _ depth: Int) -> (Expression, Int)? {
    switch place.kind {
    case .member(let member):
      guard runsCode(member.base) else { return nil }
      if let type = placeType(member.base)?.unwrapped, case .instance(let name) = type,
        !checker.classes[checker.classes.index(of: name)].isStruct
      {
        return (member.base, depth + 1)
      }
      return lastObject(of: member.base, depth + 1)
    case .element(let access): return lastObject(of: access.base, depth + 1)
    case .bind(let inner), .unwrap(let inner), .chain(let inner):
      return lastObject(of: inner, depth + 1)
    default: return nil
    }
  }

  /// Whether code of the trace runs on the way to a place, apart from its indices.
  func runsCode(_ place: Expression) -> Bool {
    switch place.kind {
    case .call: true
    case .name(let name): isComputed(name)
    case .member(let member): isComputed(member.name) || runsCode(member.base)
    case .element(let access): runsCode(access.base)
    case .bind(let inner), .unwrap(let inner), .chain(let inner): runsCode(inner)
    default: false
    }
  }

  /// What a part belongs to, with the object that the way there begins with evaluated, where it is more than a name.
  mutating func steadyOwner(_ owner: Expression) -> Expression {
    let owner = plain(owner)
    if case .name = owner.kind { return owner }
    if isOwn(owner) { return owner }
    if let type = placeType(owner), case .instance = type.unwrapped, !isValue(type.unwrapped) {
      return steady(owner)
    }
    guard let base = stepBase(of: owner) else { return owner }
    let changed = steadyOwner(base)
    if case .member(let member) = owner.kind {
      return arena.member(member.name, of: changed, member.nameRange)
    }
    return step(owner, from: changed, index: steadyIndex(of: owner))
  }

  /// The indices of the last steps of a place, evaluated.
  mutating func steadyIndices(of place: Expression, _ depth: Int) -> Expression {
    guard depth > 0, let base = stepBase(of: place) else { return place }
    let changed = steadyIndices(of: base, depth - 1)
    return step(place, from: changed, index: steadyIndex(of: place))
  }

  /// The index of the last step of a place, evaluated; nil where that has none.
  mutating func steadyIndex(of place: Expression) -> Expression? {
    guard case .element(let access) = place.kind else { return nil }
    return switch placeType(access.base)?.unwrapped {
    case .arrayOf: steadyIndex(access.index, .integer)
    case .dictionaryOf(let types): steadyIndex(access.index, types.parameters[0])
    default: access.index
    }
  }

  /// An index that may be come to more than once: a literal, or a name for what it is.
  mutating func steadyIndex(_ index: Expression, _ type: ValueType) -> Expression {
    let given = given(index, nil, to: type)
    return isSimple(given) ? given : steady(given, type)
  }

  /// What is given to a change, where that is of a type that is not known before or is a closure, which `given` leaves.
  mutating func quiet(_ given: Expression, _ type: ValueType) -> Expression {
    isQuiet(given) ? given : steady(given, type.isUnknown ? nil : type)
  }

  /// What is given to a change, evaluated in front of it: the right side of an assignment.
  mutating func given(
    _ expression: Expression, _ operation: Expression.InfixOperator?, to type: ValueType?
  ) -> Expression {
    guard let type, !type.isUnknown, !type.isFunction, !isFixed(expression) else {
      return expression
    }
    if operation == nil || type.isArray { return steady(expression, type) }
    var made = rightSide(operation ?? .add, type, expression)
    made = kept(made, isVariable: true)
    return steady(made, expression.range)
  }

  /// The arguments of a call, evaluated in front of it.
  mutating func given(_ call: CallSite, _ formals: [Formal]) -> CallSite {
    guard call.arguments.contains(where: { !isFixed($0.value) }), checker.fits(formals, call) else {
      return call
    }
    let arguments = call.arguments.enumerated().map { ordinal, argument in
      guard ordinal < formals.count, formals.count >= call.arguments.count else { return argument }
      var formal = formals[ordinal]
      if let label = argument.label { formal = formals.first { $0.label == label } ?? formal }
      var changed = argument
      changed.value = given(argument.value, nil, to: formal.type)
      return changed
    }
    return arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list(arguments), closures: call.closures,
        range: call.range))
  }

  private mutating func steady(_ expression: Expression, _ type: ValueType? = nil) -> Expression {
    var made = value(expression, expecting: type)
    if let type {
      made = kept(coerce(made, to: type, expression.range), isVariable: true)
    } else {
      made = unwrap(made, expression.range)
    }
    return steady(made, expression.range)
  }

  private mutating func steady(_ made: Operand, _ range: SourceRange) -> Expression {
    let register = frame.pinned()
    place(made, in: register, range)
    return declare(.register(register), made.type, range)
  }

  /// Whether an expression is the same whenever it is evaluated, or no value of its own.
  private func isFixed(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .integer, .decimal, .duration, .size, .percent, .text, .boolean, .none, .implicitMember,
      .closure, .range, .missing:
      true
    case .prefix(_, let inner): isFixed(inner)
    case .array(let elements): elements.allSatisfy { isFixed($0) }
    default: false
    }
  }
}
