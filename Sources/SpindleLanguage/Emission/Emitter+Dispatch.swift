import SpindleModel

/// Calls whose function is known when the program runs, and what is expanded.
extension Emitter {
  /// A call whose function depends on the type that the receiver turns out to have.
  func emitDispatch(
    _ types: [SwiftType], _ symbol: FunctionSymbol, _ call: Typed.Call, _ whole: Typed.Expression
  ) -> Register {
    let range = whole.range
    guard let receiver = call.receiver else {
      unsupported(
        symbol.isStatic
          ? "an overridden 'class' member such as '\(symbol.name)'"
          : "a call of '\(symbol.name)' here",
        range)
      return allocate()
    }
    let type = concrete(whole.type)
    let result = lifeKind(type).map(temporary) ?? code.frame.pinned()
    // A value is changed where it is held, and put back.
    let isChanged = symbol.changesSelf && types.contains { $0.nominal?.isReference != true }
    let place = isChanged ? prepareToChange(receiver) : nil
    let own: Register
    if let place {
      own = changing(place, receiver)
    } else {
      own = code.frame.pinned()
      emit(.copy(own, from: emit(receiver)), range)
    }
    var arguments: [WindowArgument] = []
    for (index, argument) in call.arguments.enumerated() {
      let given = parameterArgument(argument, symbol, index, call.substitution.mapValues(concrete))
      switch given {
      case .value, .standard, .values: arguments.append(kept(given, range))
      case .place(let changed): arguments.append(.preparedPlace(prepareToChange(changed), changed))
      case .register, .preparedPlace: arguments.append(given)
      }
    }
    let end = code.frame.label()
    let needed = code.frame.temporaries[temporariesOfCall...].filter { $0.register != result }
    temporariesOfCall = code.frame.temporaries.count
    for type in types {
      let next = code.frame.label()
      let test = allocate()
      emit(.instanceIs(test, of: own, ClassID(classNumber(of: boxed(type)))), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      if isInstance(type) {
        emitDispatched(type, symbol, own, arguments, needed, call, result, whole)
      } else {
        emitDispatched(boxed: type, symbol, own, arguments, needed, call, result, whole)
      }
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
    }
    crash("no type has '\(symbol.name)'", range)
    code.frame.mark(end)
    if let place { store(own, in: place, receiver) }
    return result
  }

  /// A call for a value in a box, which is changed in a register and put into a box of its own.
  private func emitDispatched(
    boxed type: SwiftType, _ symbol: FunctionSymbol, _ box: Register,
    _ arguments: [WindowArgument], _ needed: [OwnedRegister], _ call: Typed.Call,
    _ result: Register, _ value: Typed.Expression
  ) {
    let range = value.range
    let ownType = symbol.owner.map { SwiftType.parameter($0.selfParameter) } ?? .error
    let givesOwn = symbol.result == ownType
    if !givesOwn, symbol.result.contains(ownType) {
      return unsupported("a result of '\(symbol.name)' of \(type) as one of another type", range)
    }
    let own = code.frame.pinned()
    emit(.fieldLoad(own, of: box, 0), range)
    if givesOwn {
      let made = lifeKind(type).map(temporary) ?? code.frame.pinned()
      let whole = Typed.Expression(value.kind, type, range)
      emitDispatched(type, symbol, own, arguments, needed, call, made, whole)
      assign(
        result, from: emitAny(held(made, type, range), type, range), concrete(value.type), range)
    } else {
      emitDispatched(type, symbol, own, arguments, needed, call, result, value)
    }
    guard symbol.changesSelf else { return }
    if lifeKind(type) != nil || isCollection(type) {
      unsupported("'\(symbol.name)' of \(type) as one of another type", range)
    }
    let made = emitAny(held(own, type, range), type, range)
    assign(box, from: made, concrete(call.receiver?.type ?? .any), range)
  }

  /// The value in a place, in a register that owns what becomes of it until that is put back.
  func changing(_ place: Place, _ value: Typed.Expression) -> Register {
    let type = concrete(value.type)
    let own = lifeKind(type).map(temporary) ?? code.frame.pinned()
    assign(own, from: load(place, value), type, value.range)
    return own
  }

  private func emitDispatched(
    _ type: SwiftType, _ symbol: FunctionSymbol, _ own: Register, _ arguments: [WindowArgument],
    _ needed: [OwnedRegister], _ call: Typed.Call, _ result: Register, _ value: Typed.Expression
  ) {
    var requirement = symbol
    var substitution = call.substitution.mapValues(concrete)
    if let owner = symbol.owner { substitution[owner.selfParameter] = type }
    (requirement, substitution) = witness(of: symbol, substitution, call, value.range)
    switch requirement.implementation {
    case .builtin("stored"):
      guard let variable = requirement.variable else { return }
      if requirement.role == "set" {
        if case .register(let given)? = arguments.last {
          let object = held(own, type, isVariable: true, value.range)
          store(given, in: storedPlace(object, variable, value), value)
        }
        return
      }
      let made = emitStored(variable, of: own, substitution, value)
      assign(result, from: made, concrete(value.type), value.range)
    case .body:
      let first = requirement.isStatic ? 0 : 1
      var hop = callHop(call.hop, first: first, mayThrow: requirement.isThrowing)
      hop.needed = needed
      let receiver: WindowArgument =
        requirement.changesSelf
        ? .place(held(own, type, isVariable: true, value.range)) : .register(own)
      let made = emitBlockCall(
        block(of: requirement, substitution),
        requirement.isStatic ? arguments : [receiver] + arguments,
        result: concrete(value.type), hop: hop, value.range)
      assign(result, from: made, concrete(value.type), value.range)
    case .row, .builtin("libraryMain"):
      // What the library has where a class has none of its own.
      guard arguments.isEmpty, isInstance(type) || type.nominal?.handle != nil else {
        return unsupported("a call of '\(symbol.name)' here", value.range)
      }
      let direct = call.copy(
        receiver: Typed.Expression(
          .conversion(held(own, type, value.range)),
          requirement.owner?.selfType ?? .error, value.range))
      direct.isDirect = true
      let made = emitCall(of: requirement, direct, value)
      assign(result, from: made, concrete(value.type), value.range)
    case .inlined, .builtin:
      let given = zip(requirement.parameters, arguments).compactMap { parameter, argument in
        guard case .register(let register) = argument else { return Typed.Argument?.none }
        let type = concrete(parameter.type.substituting(substitution))
        return .value(held(register, type, value.range))
      }
      let receiver = held(own, type, isVariable: requirement.changesSelf, value.range)
      let direct = call.copy(
        callee: .function(requirement), substitution: substitution, receiver: receiver,
        arguments: given)
      let made = emitCall(of: requirement, direct, value)
      assign(result, from: made, concrete(value.type), value.range)
    default: unsupported("'\(symbol.name)' of \(type)", value.range)
    }
  }

  /// What a stored property of an instance, or a static one, has.
  private func emitStored(
    _ variable: VariableSymbol, of own: Register, _ substitution: Substitution,
    _ value: Typed.Expression
  ) -> Register {
    guard let owner = variable.owner, !variable.isStatic else {
      return emit(Typed.Expression(.global(variable, substitution), value.type, value.range))
    }
    let (number, made) = (fieldNumber(variable, owner), allocate())
    let isRead = owner.isReference && !variable.isLet
    emit(
      isRead ? .fieldRead(made, of: own, number) : .fieldLoad(made, of: own, number), value.range)
    return made
  }

  /// Whether a class below has a method of its own in the place of one.
  func isOverridden(_ symbol: FunctionSymbol) -> Bool {
    guard let owner = symbol.owner, owner.kind == .class, !symbol.isInitializer else {
      return false
    }
    func overrides(_ nominal: Nominal) -> Bool {
      nominal.subclasses.contains { subclass in
        (subclass.members[symbol.name] ?? []).contains(where: \.isOverride) || overrides(subclass)
      }
    }
    return overrides(owner)
  }

  // MARK: Witnesses

  /// What a type has for a requirement of a protocol.
  func witness(
    of requirement: FunctionSymbol, _ substitution: Substitution, _ call: Typed.Call,
    _ range: SourceRange
  ) -> (FunctionSymbol, Substitution) {
    guard let owner = requirement.owner, let own = substitution[owner.selfParameter] else {
      return (requirement, substitution)
    }
    let checker = BodyChecker(bodies, context: TypeContext())
    var first: (FunctionSymbol, Substitution)?
    for found in checker.members(requirement.name, of: own)
    where !isAddedBelow(found.symbol, own.nominal, owner) {
      var candidate: FunctionSymbol?
      switch found.symbol {
      case let function as FunctionSymbol: candidate = function
      case let variable as VariableSymbol where !requirement.role.isEmpty:
        if variable.getter == nil {
          return (
            storedWitness(variable, requirement, own),
            variable.owner?.substitution(own.arguments) ?? [:]
          )
        }
        candidate = requirement.role == "set" ? variable.setter : variable.getter
      case let one as SubscriptSymbol:
        candidate = requirement.role == "set" ? one.setter : one.getter
      default: break
      }
      guard let candidate, !candidate.isRequirement,
        candidate.parameters.map(\.label) == requirement.parameters.map(\.label),
        candidate.isStatic == requirement.isStatic
      else { continue }
      var given = found.substitution
      for (one, other) in zip(candidate.generics, requirement.generics) {
        given[one] = substitution[other]
      }
      // Of several with the same labels, the one with the same types is meant.
      guard checker.hasBounds(candidate, given) else { continue }
      if hasTypes(of: requirement, substitution, candidate, given) { return (candidate, given) }
      first = first ?? (candidate, given)
    }
    if let first { return first }
    unsupported("'\(requirement.name)' of \(own)", range)
    return (requirement, substitution)
  }

  /// Whether a class below the one that conforms to a protocol adds a member, which is no witness: what that class has
  /// can only be overridden.
  ///
  /// Run with Swift 6.3.1.
  private func isAddedBelow(
    _ member: MemberSymbol, _ type: Nominal?, _ requirement: Nominal
  ) -> Bool {
    guard let owner = member.owner, owner.kind == .class,
      (member as? FunctionSymbol)?.isInitializer != true
    else { return false }
    // The one that conforms is the highest that does.
    var conforming = type
    while let parent = conforming?.superclass?.nominal, parent.conforms(to: requirement) {
      conforming = parent
    }
    guard let conforming, owner !== conforming, owner.isSubclass(of: conforming) else {
      return false
    }
    guard member.isOverride else { return true }
    var above: Nominal? = conforming
    while let one = above {
      if one.members[member.name] != nil { return false }
      above = one.superclass?.nominal
    }
    return true
  }

  /// Whether a function takes and gives what another one does, each with arguments for its type parameters.
  func hasTypes(
    of one: FunctionSymbol, _ substitution: Substitution, _ other: FunctionSymbol,
    _ given: Substitution
  ) -> Bool {
    one.parameters.map(\.label) == other.parameters.map(\.label)
      && zip(one.parameters, other.parameters).allSatisfy {
        $0.type.substituting(substitution) == $1.type.substituting(given)
      }
      && (one.isInitializer
        || isResult(other.result.substituting(given), of: one.result.substituting(substitution)))
  }

  /// Whether what a function gives may be what the one gives that it is in the place of: of a class a subclass.
  private func isResult(_ type: SwiftType, of other: SwiftType) -> Bool {
    if type == other { return true }
    guard let own = type.unwrappedFully.nominal, let above = other.unwrappedFully.nominal else {
      return false
    }
    return above.isReference && own.isSubclass(of: above)
  }

  /// The property that a type has for the one that a protocol asks for; nil where the instance has to be asked, and for
  /// anything else.
  func witnessPlace(
    _ getter: FunctionSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Place? {
    guard getter.isRequirement, getter.setter != nil,
      let owner = getter.owner, let receiver = call.receiver,
      let own = call.substitution[owner.selfParameter].map(concrete)
    else { return nil }
    if case .existential = own { return nil }
    let (witness, given) = witness(
      of: getter, call.substitution.mapValues(concrete), call, value.range)
    if case .builtin("stored") = witness.implementation, let variable = witness.variable {
      return storedPlace(receiver, variable, value)
    }
    if witness === getter { return nil }
    return prepare(call.copy(callee: .function(witness), substitution: given), value)
  }

  /// Sets a stored property in the place of the one that a protocol asks for.
  func setStored(
    _ variable: VariableSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    guard case .value(let given)? = call.arguments.last else { return allocate() }
    let place =
      call.receiver.map { storedPlace($0, variable, value) }
      ?? prepare(Typed.Expression(.global(variable, [:]), given.type, value.range))
    store(emitOwned(given), in: place, value)
    return allocate()
  }

  /// A stored property as the getter or setter that a protocol asks for.
  private func storedWitness(
    _ variable: VariableSymbol, _ requirement: FunctionSymbol, _ own: SwiftType
  ) -> FunctionSymbol {
    let key = ObjectIdentifier(variable)
    if let known = storedWitnesses[key]?[requirement.role] { return known }
    let made = FunctionSymbol(variable.name, variable.range, owner: variable.owner)
    made.result = requirement.role == "set" ? .void : bodies.type(of: variable)
    made.role = requirement.role
    made.implementation = .builtin("stored")
    made.variable = variable
    storedWitnesses[key, default: [:]][requirement.role] = made
    return made
  }
}
