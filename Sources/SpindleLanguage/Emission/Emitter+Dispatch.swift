import SpindleModel

/// Calls whose function is known when the program runs, and what is expanded.
extension Emitter {
  /// A call whose function depends on the type that the receiver turns out to have.
  func emitDispatch(
    _ types: [Nominal], _ symbol: FunctionSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    guard let receiver = call.receiver, !symbol.changesSelf else {
      unsupported("a call of '\(symbol.name)' here", range)
      return allocate()
    }
    let type = concrete(value.type)
    let (result, own) = (
      lifeKind(type).map(temporary) ?? code.frame.pinned(), code.frame.pinned()
    )
    emit(.copy(own, from: emit(receiver)), range)
    var arguments: [WindowArgument] = []
    for (index, argument) in call.arguments.enumerated() {
      let given: Typed.Expression
      switch parameterArgument(argument, symbol, index) {
      case .value(let one), .standard(let one): given = one
      case .values, .register, .place, .preparedPlace:
        unsupported("an argument of '\(symbol.name)' here", range)
        return allocate()
      }
      let kept = code.frame.pinned()
      emit(.copy(kept, from: emitOwned(given)), range)
      arguments.append(.register(kept))
    }
    let end = code.frame.label()
    temporariesOfCall = code.frame.temporaries.count
    for nominal in types {
      guard nominal.generics.isEmpty, isInstance(nominal.selfType) else {
        unsupported("a value of '\(nominal.name)' as one of another type", range)
        continue
      }
      let next = code.frame.label()
      let test = allocate()
      emit(.instanceIs(test, of: own, ClassID(classNumber(of: nominal.selfType))), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      emitDispatched(nominal, symbol, own, arguments, call, result, value)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
    }
    crash("no type has '\(symbol.name)'", range)
    code.frame.mark(end)
    return result
  }

  private func emitDispatched(
    _ nominal: Nominal, _ symbol: FunctionSymbol, _ own: Register, _ arguments: [WindowArgument],
    _ call: Typed.Call, _ result: Register, _ value: Typed.Expression
  ) {
    var requirement = symbol
    var substitution: Substitution = [:]
    if let owner = symbol.owner { substitution[owner.selfParameter] = nominal.selfType }
    (requirement, substitution) = witness(of: symbol, substitution, call, value.range)
    switch requirement.implementation {
    case .builtin("stored"):
      guard let variable = requirement.variable, let owner = variable.owner else { return }
      let (number, made) = (fieldNumber(variable, owner), allocate())
      emit(
        owner.isReference && !variable.isLet
          ? .fieldRead(made, of: own, number) : .fieldLoad(made, of: own, number),
        value.range)
      assign(result, from: made, concrete(value.type), value.range)
    case .body:
      let made = emitBlockCall(
        block(of: requirement, substitution), [.register(own)] + arguments,
        result: concrete(value.type), hop: callHop(call.hop, first: 1), value.range)
      assign(result, from: made, concrete(value.type), value.range)
    default: unsupported("'\(symbol.name)' of \(nominal.name)", value.range)
    }
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

  // MARK: Expansion

  /// A closure with what names mean at this place.
  ///
  /// The values of its list are those that they are where it is formed.
  func capture(_ closure: Typed.Closure) -> ExpandedClosure {
    if let known = formed.removeValue(forKey: ObjectIdentifier(closure)) { return known }
    let outer = storages
    for (local, captured, _) in closure.captures {
      declare(local, holding: emitOwned(captured), until: .expression, captured.range)
    }
    defer { storages = outer }
    return ExpandedClosure(closure, substitution, expansion, storages)
  }

  /// Forms the closures of a call whose lists take something, in front of what the call does.
  func formClosures(_ call: Typed.Call) {
    for argument in call.arguments {
      guard case .value(let value) = argument, let closure = value.closureLiteral,
        closure.scope.isExpanded, !closure.captures.isEmpty
      else { continue }
      formed[ObjectIdentifier(closure)] = capture(closure)
    }
  }

  /// The body of an `@inlined` function in the place of a call.
  func expand(
    _ symbol: FunctionSymbol, _ block: Grammar.Block, _ substitution: Substitution,
    _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    guard let body = bodies.body(of: symbol) else { return allocate() }
    var bindings: [(Typed.Local, Storage)] = []
    if let own = body.ownSelf, !symbol.isStatic {
      if let receiver = call.receiver, !symbol.isInitializer {
        bindings.append((own, receiverStorage(receiver, symbol)))
      } else if symbol.isInitializer {
        let type = own.type.substituting(substitution)
        let register = joined(type)
        emit(.constant(noValue, to: register), value.range)
        bindings.append((own, storage(register, type)))
      }
    }
    for (index, (parameter, argument)) in zip(body.parameters, call.arguments).enumerated() {
      bindings.append((parameter, storage(of: argument, symbol, index, value.range)))
    }
    let made = accessing(bindings, substitution, value) { opened in
      expanding(symbol, substitution, value) {
        for (local, storage) in opened { storages[ObjectIdentifier(local)] = storage }
        return body.statements
      }
    }
    guard symbol.isInitializer, let own = body.ownSelf,
      case .register(let register, _, _)? = bindings.first(where: { $0.0 === own })?.1
    else { return made }
    return register
  }

  /// Begins the accesses to the places among `bindings`, does what changes them, and ends them.
  private func accessing(
    _ bindings: [(Typed.Local, Storage)], _ substitution: Substitution,
    _ value: Typed.Expression, _ body: ([(Typed.Local, Storage)]) -> Register
  ) -> Register {
    var opened = bindings
    var accesses: [Access] = []
    for (index, (local, storage)) in bindings.enumerated() {
      guard case .place(let place) = storage else { continue }
      if case .register = place { continue }
      let access = beginAccess(place, local.type.substituting(substitution), value)
      accesses.append(access)
      opened[index].1 = .place(.register(access.register))
    }
    if accesses.isEmpty { return body(opened) }
    return ending(
      value.range, finish: { for access in accesses.reversed() { endAccess(access, value) } }
    ) { body(opened) }
  }

  private func receiverStorage(
    _ receiver: Typed.Expression, _ symbol: FunctionSymbol
  ) -> Storage {
    if symbol.changesSelf { return .place(prepareToChange(receiver)) }
    return storage(emit(receiver), concrete(receiver.type))
  }

  func storage(
    of argument: Typed.Argument, _ symbol: FunctionSymbol, _ index: Int, _ range: SourceRange
  ) -> Storage {
    switch argument {
    case .value(let value), .standard(let value):
      if case .reference(let place) = value.kind { return .place(prepareToChange(place)) }
      if let closure = value.closureLiteral, closure.scope.isExpanded {
        return .closure(capture(closure))
      }
      return storage(emitOwned(value), concrete(value.type))
    case .variadic(let values):
      let list = Typed.Expression(
        .array(values), known.array(concrete(symbol.parameters[index].type)), range)
      return storage(emit(list), list.type)
    case .absent:
      return storage(constant(noValue, range), .error)
    }
  }

  func bind(
    _ local: Typed.Local, to register: Register, _ substitution: Substitution
  ) {
    storages[ObjectIdentifier(local)] = storage(
      register, local.type.substituting(substitution))
  }

  /// Expands statements of a function: its `return` goes on behind them.
  func expanding(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ value: Typed.Expression,
    _ prepare: () -> [Typed.Statement]
  ) -> Register {
    expansionDepth += 1
    defer { expansionDepth -= 1 }
    guard expansionDepth < 60 else {
      unsupported("a function that is expanded within itself", value.range)
      return allocate()
    }
    let outer = (storages, self.substitution, expansion, isInitializing)
    let statements = prepare()
    self.substitution = substitution
    if symbol.isInLibraryText { expansion = expansion ?? value.range }
    isInitializing = false
    let result = emitExpanded(
      statements, symbol.isInitializer ? .void : concrete(symbol.result), value.range)
    (storages, self.substitution, expansion, isInitializing) = outer
    return result
  }

  /// The body of a closure in the place of its call.
  func expand(
    _ closure: ExpandedClosure, _ arguments: [Typed.Argument], _ value: Typed.Expression
  ) -> Register {
    var bindings: [(Typed.Local, Storage)] = []
    for (parameter, argument) in zip(closure.closure.parameters, arguments) {
      guard case .value(let given) = argument else { continue }
      if case .reference(let place) = given.kind {
        bindings.append((parameter, .place(prepareToChange(place))))
      } else {
        bindings.append((parameter, storage(emitOwned(given), concrete(given.type))))
      }
    }
    return expand(closure, bindings)
  }

  private func expand(_ closure: ExpandedClosure, _ bindings: [(Typed.Local, Storage)]) -> Register
  {
    let outer = (storages, substitution, expansion, isInitializing)
    storages = closure.storages
    for (local, storage) in bindings { storages[ObjectIdentifier(local)] = storage }
    (substitution, expansion) = (closure.substitution, closure.expansion)
    isInitializing = false
    let result = emitExpanded(
      closure.closure.body, concrete(closure.closure.result), closure.closure.range)
    (storages, substitution, expansion, isInitializing) = outer
    return result
  }

  /// The body of a closure in the place of its call, with arguments that are in registers.
  func expand(_ closure: ExpandedClosure, given arguments: [Register]) -> Register {
    var bindings: [(Typed.Local, Storage)] = []
    for (parameter, register) in zip(closure.closure.parameters, arguments) {
      let type = parameter.type.substituting(closure.substitution)
      bindings.append((parameter, storage(register, type)))
    }
    return expand(closure, bindings)
  }

  private func emitExpanded(
    _ statements: [Typed.Statement], _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = code.frame.pinned()
    let exit = code.frame.label()
    code.frame.enterReturn(
      Frame.Return(
        type: .void, register: result, exit: exit, cleanups: code.frame.cleanups.count,
        loops: code.frame.loops.count, lives: lifeMark))
    openBlocks += 1
    emitStatements(statements)
    openBlocks -= 1
    code.frame.leaveReturn()
    code.frame.mark(exit)
    return owning(result, type, range)
  }

  /// Runs a closure between two others, in the place of a call.
  func emitInPlace(_ argument: Typed.Expression, _ value: Typed.Expression) -> Register {
    if let closure = argument.closureLiteral, closure.scope.isExpanded {
      return expand(capture(closure), [], value)
    }
    var plain = argument
    if case .conversion(let inner) = plain.kind { plain = inner }
    if case .local(let local) = plain.kind,
      case .closure(let closure)? = storages[ObjectIdentifier(local)]
    {
      return expand(closure, [], value)
    }
    let closure = emit(argument)
    return emitWindow([], result: concrete(value.type), value.range) { base, site in
      .callClosure(closure, base: base, site)
    }
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
    for found in checker.members(requirement.name, of: own) {
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
      return (candidate, given)
    }
    unsupported("'\(requirement.name)' of \(own)", range)
    return (requirement, substitution)
  }

  /// A stored property as the getter that a protocol asks for.
  private func storedWitness(
    _ variable: VariableSymbol, _ requirement: FunctionSymbol, _ own: SwiftType
  ) -> FunctionSymbol {
    let key = ObjectIdentifier(variable)
    if let known = storedWitnesses[key] { return known }
    let made = FunctionSymbol(variable.name, variable.range, owner: variable.owner)
    made.result = bodies.type(of: variable)
    made.implementation = .builtin("stored")
    made.variable = variable
    storedWitnesses[key] = made
    return made
  }
}
