import SpindleModel

/// Calls: of functions, closures, cases, and what is expanded.
extension Emitter {
  func emitCall(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    if !makesObject(call.callee) { boundName = nil }
    switch call.callee {
    case .closure(let callee): return emitCall(of: callee, call, value)
    case .local(let function): return emitCall(of: function, call, value)
    case .function(let symbol): return emitCall(of: symbol, call, value)
    }
  }

  /// Whether a call itself makes the object that it gives, so that this has the name which the value is bound to: what a
  /// function makes on its way has not.
  private func makesObject(_ callee: Typed.Callee) -> Bool {
    guard case .function(let symbol) = callee else { return false }
    switch symbol.implementation {
    case .row, .builtin, .none: return true
    case .body, .inlined, .memberwise:
      return symbol.isInitializer && (symbol.isInLibraryText || symbol.owner?.isReference == true)
    case .enumCase: return false
    }
  }

  // MARK: Functions

  func emitCall(
    of symbol: FunctionSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    if let made = emitCall(ofMetatype: symbol, call, value) ?? emitOpened(symbol, call, value) {
      return made
    }
    let substitution = call.substitution.mapValues(concrete)
    var (target, given) = (symbol, substitution)
    let isOfType = symbol.isStatic && symbol.isProtocolExtension && call.receiver != nil
    if symbol.isRequirement || isOfType,
      let own = symbol.owner.flatMap({ substitution[$0.selfParameter] }),
      case .existential(let protocols) = own
    {
      return emitDispatch(instances(conformingTo: protocols), symbol, call, value)
    }
    if symbol.isRequirement {
      (target, given) = witness(of: symbol, substitution, call, value.range)
      if let own = symbol.owner.flatMap({ substitution[$0.selfParameter] }),
        let made = emitCall(target, call.copy(substitution: given), of: own, value)
      {
        return made
      }
    }
    if let made = call.made.map(concrete), let own = required(target, made, given) {
      (target, given) = own
    }
    if let made = emitOverridden(target, call, value) { return made }
    if let made = emitAbove(target, call, value.range) { return made }
    if target.owner?.handle == nil, isOverridden(target), !call.isDirect, let owner = target.owner {
      let type = concrete(owner.selfType.substituting(given))
      return emitDispatch(instances(below: type), target, call, value)
    }
    switch target.implementation {
    case .builtin(let name): return emitBuiltin(name, target, given, call, value)
    case .row(let member): return emitRow(member, call, value)
    case .enumCase(let one): return emitCase(one, call, value)
    case .memberwise where target.owner?.isReference != true:
      return emitMemberwise(target, given, call, value)
    case .inlined(let block): return expand(target, block, given, call, value)
    case .body, .memberwise: break
    case .none:
      unsupported("'\(symbol.name)'", value.range)
      return allocate()
    }
    if target.isInitializer, target.owner?.isReference == true {
      return emitClassInitializer(target, given, call, value)
    }
    let arguments =
      receiverArgument(call, target)
      + call.arguments.enumerated().map {
        parameterArgument($1, target, $0, given)
      }
    return emitBlockCall(
      block(of: target, given), arguments, result: concrete(value.type),
      hop: callHop(
        call.hop, first: arguments.count - call.arguments.count, mayThrow: target.isThrowing),
      value.range)
  }

  func emitCall(
    of callee: Typed.Expression, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    if case .local(let local) = callee.kind,
      case .closure(let closure)? = storages[ObjectIdentifier(local)]
    {
      return expand(closure, call.arguments, value)
    }
    if case .closure(let literal) = callee.kind, literal.scope.isExpanded {
      return expand(capture(literal), call.arguments, value)
    }
    let closure = emit(callee)
    let arguments = call.arguments.map { argument -> WindowArgument in
      switch argument {
      case .value(let value), .standard(let value):
        if case .reference(let place) = value.kind { return .place(place) }
        return .value(value)
      case .variadic(let values): return .values(values, .error)
      case .absent: return .register(closure)
      }
    }
    return emitWindow(
      arguments, result: concrete(value.type),
      hop: callHop(call.hop, first: 0, mayThrow: mayThrow(callee)), value.range
    ) { base, site in
      .callClosure(closure, base: base, site)
    }
  }

  /// The initialiser of the subclass that a type parameter is bound to, which overrides a required one.
  private func required(
    _ symbol: FunctionSymbol, _ type: SwiftType, _ given: Substitution
  ) -> (FunctionSymbol, Substitution)? {
    guard symbol.isInitializer, let owner = symbol.owner, owner.kind == .class,
      case .nominal(var nominal, var arguments) = type
    else { return nil }
    while nominal !== owner {
      let substitution = nominal.substitution(arguments)
      for case let one as FunctionSymbol in nominal.members["init"] ?? []
      where hasTypes(of: symbol, given, one, substitution) { return (one, substitution) }
      guard case .nominal(let above, let more)? = nominal.superclass else { return nil }
      (nominal, arguments) = (above, more.map { $0.substituting(substitution) })
    }
    return nil
  }

  private func mayThrow(_ function: Typed.Expression) -> Bool {
    if case .function(let type) = concrete(function.type) { type.isThrowing } else { false }
  }

  func emitCall(
    of function: Typed.LocalFunction, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let symbol = function.symbol
    if !symbol.generics.isEmpty { unsupported("a generic function in a body", value.range) }
    let register = closure(of: function, value.range)
    return emitWindow(
      call.arguments.enumerated().map { parameterArgument($1, symbol, $0) },
      result: concrete(value.type),
      hop: callHop(call.hop, first: 0, mayThrow: symbol.isThrowing), value.range
    ) { base, site in .callClosure(register, base: base, site) }
  }

  // MARK: Accessors

  /// A call of the getter or setter of a computed property or a subscript.
  func emitAccessor(
    _ call: Typed.Call, isSetter: Bool, _ receiver: Place?, _ arguments: [Register],
    _ value: Typed.Expression
  ) -> Register {
    guard case .function(let getter) = call.callee else { return allocate() }
    guard let symbol = isSetter ? getter.setter : getter else {
      unsupported("an assignment to this", value.range)
      return allocate()
    }
    if isDispatched(symbol, call) {
      return emitDispatched(symbol, isSetter: isSetter, call, receiver, arguments, value)
    }
    let substitution = call.substitution.mapValues(concrete)
    if case .inlined(let block) = symbol.implementation {
      return expandAccessor(symbol, block, substitution, call, receiver, arguments, value)
    }
    if case .body = symbol.implementation {
      var window: [WindowArgument] = []
      if let receiver, let own = call.receiver {
        window.append(
          symbol.changesSelf ? .preparedPlace(receiver, own) : .register(load(receiver, own)))
      }
      window += arguments.map { .register($0) }
      return emitBlockCall(
        block(of: symbol, substitution), window, result: concrete(value.type),
        hop: callHop(call.hop, first: receiver == nil ? 0 : 1), value.range)
    }
    if !isSetter { return emit(value) }
    unsupported("an assignment to '\(symbol.name)'", value.range)
    return allocate()
  }

  /// Whether which accessor is called depends on the type that the receiver turns out to have.
  private func isDispatched(_ symbol: FunctionSymbol, _ call: Typed.Call) -> Bool {
    guard call.receiver != nil, !call.isDirect, !symbol.isStatic else { return false }
    return symbol.isRequirement || symbol.owner?.handle == nil && isOverridden(symbol)
  }

  /// A call of such an accessor with a receiver and arguments that have been evaluated.
  private func emitDispatched(
    _ symbol: FunctionSymbol, isSetter: Bool, _ call: Typed.Call, _ receiver: Place?,
    _ arguments: [Register], _ value: Typed.Expression
  ) -> Register {
    var object = call.receiver
    var changed: Register?
    if let receiver, let whole = object {
      let type = concrete(whole.type)
      if symbol.changesSelf, type.nominal?.isReference != true {
        changed = changing(receiver, whole)
      }
      object = held(
        changed ?? load(receiver, whole), type, isVariable: changed != nil, value.range)
    }
    // What a value becomes is put back into its place.
    defer {
      if let changed, let receiver, let whole = call.receiver {
        store(changed, in: receiver, whole)
      }
    }
    let given = zip(symbol.parameters, arguments).map { parameter, register in
      let type = concrete(parameter.type.substituting(call.substitution))
      return Typed.Argument.value(held(register, type, value.range))
    }
    let made = call.copy(callee: .function(symbol), receiver: object, arguments: given)
    return emitCall(
      of: symbol, made,
      Typed.Expression(.call(made), isSetter ? .void : value.type, value.range))
  }

  /// A value in a register as an expression.
  func held(
    _ register: Register, _ type: SwiftType, isVariable: Bool = false, _ range: SourceRange
  ) -> Typed.Expression {
    let local = Typed.Local(
      "value", type, isVariable: isVariable, range, Typed.FunctionScope(nil))
    storages[ObjectIdentifier(local)] = storage(register, type)
    return Typed.Expression(.local(local), type, range)
  }

  private func expandAccessor(
    _ symbol: FunctionSymbol, _ block: Grammar.Block, _ substitution: Substitution,
    _ call: Typed.Call, _ receiver: Place?, _ arguments: [Register], _ value: Typed.Expression
  ) -> Register {
    guard let body = bodies.body(of: symbol) else { return allocate() }
    return expanding(symbol, substitution, value) {
      if let own = body.ownSelf, let receiver { storages[ObjectIdentifier(own)] = .place(receiver) }
      for (index, parameter) in body.parameters.enumerated() {
        if index < call.arguments.count, case .value(let argument) = call.arguments[index],
          case .closure(let literal) = argument.kind, literal.scope.isExpanded
        {
          storages[ObjectIdentifier(parameter)] = .closure(capture(literal))
        } else if index < arguments.count {
          bind(parameter, to: arguments[index], substitution)
        }
      }
      return body.statements
    }
  }

  // MARK: Values

  private func emitCase(
    _ one: CaseSymbol, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let type = concrete(value.type)
    if isPlainEnum(type) { return constant(intern(one.name), value.range) }
    let values = call.arguments.compactMap { argument -> Register? in
      switch argument {
      case .value(let value), .standard(let value): emitOwned(value)
      case .variadic, .absent: nil
      }
    }
    let result = makeEmpty(type, value.range)
    let name = constant(intern(one.name), value.range)
    emit(.fieldStore(result, 0, from: name), value.range)
    for (index, register) in values.enumerated() {
      emit(.fieldStore(result, firstField(of: one) + Int32(index), from: register), value.range)
    }
    return result
  }

  private func emitMemberwise(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ call: Typed.Call,
    _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    let type = concrete(symbol.result.substituting(substitution))
    let result = makeEmpty(type, range)
    let outer = self.substitution
    for (variable, argument) in memberwiseOrder(symbol, call) {
      let (next, mark) = (code.frame.next, code.frame.temporaries.count)
      let register: Register
      switch argument {
      case .value(let value): register = emitOwned(value, isVariable: !variable.isLet)
      case .standard(let value):
        self.substitution = substitution
        register = emitOwned(value)
        self.substitution = outer
      case .variadic, .absent: register = constant(noValue, range)
      }
      emit(.fieldStore(result, Int32(variable.index), from: register), range)
      endTemporaries(from: mark, range)
      code.frame.next = next
    }
    self.substitution = outer
    return result
  }

  /// The stored properties of an instance in the order in which they get their values: those that the call names, then
  /// defaults (SILGen's `DelayedArgument`), then the values of constants; where the call names none, all in the order of
  /// the text, since `init()` is another initialiser than the one with parameters.
  private func memberwiseOrder(
    _ symbol: FunctionSymbol, _ call: Typed.Call
  ) -> [(variable: VariableSymbol, argument: Typed.Argument)] {
    let all = (symbol.owner?.stored ?? []).compactMap {
      variable -> (variable: VariableSymbol, argument: Typed.Argument)? in
      if let index = symbol.parameters.firstIndex(where: { $0.name == variable.name }) {
        return (variable, call.arguments[index])
      }
      return bodies.initialValue(of: variable).map { (variable, .standard($0)) }
    }
    func isNamed(_ variable: VariableSymbol) -> Bool {
      symbol.parameters.contains { $0.name == variable.name }
    }
    let written = all.filter { !$0.argument.isStandard && isNamed($0.variable) }
    if !written.contains(where: { if case .value = $0.argument { true } else { false } }) {
      return all
    }
    return written + all.filter { $0.argument.isStandard && isNamed($0.variable) }
      + all.filter { !isNamed($0.variable) }
  }

  private func emitClassInitializer(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ call: Typed.Call,
    _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    let instance: Register
    if let receiver = call.receiver {
      instance = emit(receiver)
    } else {
      let type = concrete(call.made ?? symbol.result.substituting(substitution).unwrappedFully)
      let fresh = allocate()
      let name = boundName.map { code.intern($0) } ?? .none
      boundName = nil
      emit(.instanceMake(fresh, ClassID(classNumber(of: type)), name), range)
      instance = owning(fresh, type, range)
      // What nothing takes is released with what the call needed.
      let isReleasedThere = isDropped && !symbol.isFailable && type.nominal?.kind != .actor
      if !isReleasedThere { temporariesOfCall = code.frame.temporaries.count }
      if type.nominal?.kind == .actor { storeExecutor(of: instance, range) }
    }
    let hop = callHop(call.hop, first: 1, mayThrow: symbol.isThrowing)
    var arguments = call.arguments.enumerated().map {
      parameterArgument($1, symbol, $0, substitution)
    }
    if let made = call.made.map(concrete), made.nominal !== symbol.owner {
      // The values of the class below are made where its initialiser runs, behind the arguments.
      arguments = evaluated(arguments, range)
      if case .home? = hop.before { leave(for: hop, instance, range) }
      storeInheritedValues(made, symbol.owner, instance, range)
    }
    if case .memberwise = symbol.implementation {
      // It has a site as a written one has, so that the draws behind it are the same.
      _ = code.site()
      let outer = self.substitution
      leave(for: hop, instance, range)
      self.substitution = substitution
      if let owner = symbol.owner { initializeByItself(instance, owner, range) }
      self.substitution = outer
      endCall(instance, .void, hop, range)
      comeBack(from: hop, range)
      return instance
    }
    let given = emitBlockCall(
      block(of: symbol, substitution), [.register(instance)] + arguments, result: .void, hop: hop,
      range)
    if call.receiver == nil, let owner = symbol.owner { setExecutor(of: instance, owner, range) }
    guard symbol.isFailable else { return instance }
    // The block gives the instance, or nil where it fails.
    return call.receiver == nil ? retained(given, concrete(value.type), range) : given
  }

  private func initializeByItself(
    _ instance: Register, _ owner: Nominal, _ range: SourceRange
  ) {
    storeInitialValues(owner, instance, range)
    setExecutor(of: instance, owner, range)
  }
}
