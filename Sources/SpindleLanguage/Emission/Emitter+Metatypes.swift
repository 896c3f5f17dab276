import SpindleModel

/// Types as values: `Job.self`, `type(of: job)`, and what is done with those whose type the program only then knows.
///
/// Such a value is a number, which no instance has as its identity.
extension Emitter {
  /// A type as a value.
  func emitMetatype(_ type: SwiftType, _ range: SourceRange) -> Register {
    constant(number(of: concrete(type)), range)
  }

  private func number(of type: SwiftType) -> Int64 { -2 - intern(Self.qualified(type)) }

  /// A type as a value of a type that does not say which one it is, whose name and class are noted.
  func emitMetatype(_ inner: Typed.Expression, as type: SwiftType) -> Register {
    let register = emit(inner)
    if case .metatype(let named) = concrete(inner.type), !isDynamic(named) || inner.namesType {
      noteName(of: named, register, inner.range)
      _ = classNumber(of: boxed(concrete(named)))
    }
    return register
  }

  /// Whether values of a type's metatype may be other types.
  func isDynamic(_ type: SwiftType) -> Bool {
    switch concrete(type) {
    case .existential: true
    case .nominal(let nominal, _): nominal.isReference && !nominal.subclasses.isEmpty
    default: false
    }
  }

  /// Keeps what a type is called whose number a register holds.
  func noteName(of type: SwiftType, _ number: Register, _ range: SourceRange) {
    let names = allocate()
    emit(.loadGlobal(names, hiddenGlobal(.typeNames)), range)
    let name = constant(intern(Self.fullName(of: concrete(type))), range)
    emit(.entrySet(names, key: number, value: name), range)
    code.frame.next = Int(names.index)
  }

  /// What a value of a metatype prints as.
  func describe(
    metatypeOf named: SwiftType, _ value: Register, isPart: Bool, _ range: SourceRange
  ) -> Register {
    let own = isPart ? Self.qualified(concrete(named)) : Self.fullName(of: concrete(named))
    guard isDynamic(named) else { return constant(intern(own), range) }
    let (result, isKnown) = (code.frame.pinned(), code.frame.label())
    emit(.loadGlobal(result, hiddenGlobal(.typeNames)), range)
    emit(.entryGet(result, of: result, key: value), range)
    jump(ifNil: false, result, to: isKnown, range)
    emit(.constant(intern(own), to: result), range)
    code.frame.mark(isKnown)
    return result
  }

  // MARK: `type(of:)`

  /// The type that a value turns out to have.
  func emitTypeOf(_ value: Typed.Expression, _ range: SourceRange) -> Register {
    let type = concrete(value.type)
    if case .existential(let protocols) = type {
      if protocols.contains(known.errorProtocol) { return typeOfError(emit(value), range) }
      let object = emit(value)
      return self.type(of: object, among: instances(conformingTo: protocols), range)
    }
    let register = emit(value)
    guard isDynamic(type) else { return emitMetatype(type, range) }
    return self.type(of: register, among: instances(below: type), range)
  }

  /// `Self` in a method of a protocol.
  func emitOwnType(_ value: Typed.Expression, _ range: SourceRange) -> Register {
    let type = concrete(value.type)
    if case .existential = type { return emitTypeOf(value, range) }
    return emitMetatype(type, range)
  }

  private func type(
    of value: Register, among types: [SwiftType], _ range: SourceRange
  ) -> Register {
    let result = code.frame.pinned()
    emit(.constant(0, to: result), range)
    let end = code.frame.label()
    for type in types {
      let next = code.frame.label()
      let test = allocate()
      emit(.instanceIs(test, of: value, ClassID(classNumber(of: boxed(type)))), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      emit(.constant(number(of: type), to: result), range)
      noteName(of: type, result, range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
      code.frame.next = Int(test.index)
    }
    code.frame.mark(end)
    return result
  }

  /// The type that was thrown last as a text.
  private func typeOfError(_ text: Register, _ range: SourceRange) -> Register {
    let (result, isKnown) = (code.frame.pinned(), code.frame.label())
    emit(.loadGlobal(result, hiddenGlobal(.errorTypes)), range)
    emit(.entryGet(result, of: result, key: text), range)
    jump(ifNil: false, result, to: isKnown, range)
    // The library throws no other error by itself.
    let error = SwiftType.nominal(table.library("CancellationError"), [])
    emit(.constant(number(of: error), to: result), range)
    noteName(of: error, result, range)
    code.frame.mark(isKnown)
    return result
  }

  /// Keeps the type of an error that is thrown as a text.
  func noteType(ofError text: Register, _ type: SwiftType, _ range: SourceRange) {
    guard bodies.namesTypes else { return }
    let made = emitMetatype(type, range)
    noteName(of: type, made, range)
    let types = allocate()
    emit(.loadGlobal(types, hiddenGlobal(.errorTypes)), range)
    emit(.entrySet(types, key: text, value: made), range)
  }

  // MARK: Casts and calls

  /// A cast of a type as a value; nil for any other cast.
  func emitCast(
    ofMetatype inner: Typed.Expression, _ cast: Grammar.Cast, _ from: SwiftType, _ to: SwiftType,
    _ range: SourceRange
  ) -> Register? {
    guard case .metatype = from.unwrappedFully, case .metatype(let wanted) = to else { return nil }
    let value = emitMetatype(inner, as: to)
    let (result, found) = (code.frame.pinned(), code.frame.label())
    emit(.copy(result, from: value), range)
    for type in types(of: wanted) {
      let test = constant(number(of: type), range)
      emit(.equal(test, test, value), range)
      emit(.jumpIf(test, code.frame.target(found)), range)
    }
    emit(.constant(noValue, to: result), range)
    code.frame.mark(found)
    return emitResult(of: cast, to, result, range)
  }

  /// The types that a metatype's values may be.
  private func types(of type: SwiftType) -> [SwiftType] {
    switch type {
    case .existential(let protocols): instances(conformingTo: protocols)
    case .nominal(let nominal, _) where nominal.kind == .class: instances(below: type)
    default: [type]
    }
  }

  /// A call of an initialiser or a static member of a type that only the running program knows; nil for any other call.
  func emitCall(
    ofMetatype symbol: FunctionSymbol, _ call: Typed.Call, _ whole: Typed.Expression
  ) -> Register? {
    guard let metatype = call.metatype, case .metatype(let named) = concrete(metatype.type) else {
      return nil
    }
    if let type = knownType(metatype) { return emitCall(symbol, call, of: type, whole) }
    guard isDynamic(named) else {
      if case .call = metatype.kind { _ = emit(metatype) }
      return emitCall(symbol, call, of: concrete(named), whole)
    }
    let generic = symbol.owner?.selfParameter
    return emitCall(symbol, call, of: named, metatype, whole) { type, given in
      var substitution = call.substitution.mapValues(concrete)
      if let generic { substitution[generic] = type }
      var (target, found) = witness(of: symbol, substitution, call, whole.range)
      if let owner = target.owner, owner.kind == .class { found[owner.selfParameter] = type }
      let direct = Typed.Call(
        callee: .function(target), substitution: found, receiver: nil, arguments: given(found),
        place: call.place, nameRange: call.nameRange)
      if symbol.isInitializer, type.nominal?.kind == .class { direct.made = type }
      let givesOwn = symbol.isInitializer || generic.map { symbol.result == .parameter($0) } == true
      return (direct, givesOwn)
    }
  }

  /// `self` in a static member: the type whose member was called, which may be a subclass of the one that declares it.
  private func ownType(_ type: SwiftType) -> SwiftType {
    type.nominal.flatMap { substitution[$0.selfParameter] } ?? concrete(type)
  }

  /// `self` in a static member as a value.
  func emitOwnType(_ named: SwiftType, _ range: SourceRange) -> Register {
    let own = ownType(named)
    let made = emitMetatype(own, range)
    if own != concrete(named) { noteName(of: own, made, range) }
    return made
  }

  /// The type that a value of a metatype is, where it is named or is `self` in a static member.
  private func knownType(_ metatype: Typed.Expression) -> SwiftType? {
    guard case .metatype(let named) = metatype.type else { return nil }
    switch metatype.kind {
    case .metatype(let type): return concrete(type)
    case .local(let local) where local.isSelf: return ownType(named)
    case .call(let call) where call.isDirect:
      if case .existential = concrete(named) { return nil }
      return concrete(named)
    default: return nil
    }
  }

  /// A call of an initialiser or a static member of a class, which may be inherited or overridden; nil for any other call.
  func emitCall(
    _ symbol: FunctionSymbol, _ call: Typed.Call, of type: SwiftType, _ whole: Typed.Expression
  ) -> Register? {
    guard symbol.isStatic || symbol.isInitializer else { return nil }
    guard let owner = symbol.owner, owner.kind == .class, owner.handle == nil,
      !owner.subclasses.isEmpty
    else { return nil }
    var substitution = call.substitution.mapValues(concrete)
    var target = symbol
    if symbol.isStatic, !call.isDirect, isOverridden(symbol) {
      substitution[owner.selfParameter] = type
      (target, substitution) = witness(of: symbol, substitution, call, whole.range)
    }
    if let owner = target.owner { substitution[owner.selfParameter] = type }
    let direct = call.copy(callee: .function(target), substitution: substitution)
    direct.metatype = nil
    direct.isDirect = true
    if symbol.isInitializer { direct.made = type }
    return emitCall(of: target, direct, whole)
  }

  /// A call of a generic function with a type as a value that only the running program knows, for which the function is
  /// made; nil for any other call.
  ///
  /// Source: SE-0352.
  func emitOpened(
    _ symbol: FunctionSymbol, _ call: Typed.Call, _ whole: Typed.Expression
  ) -> Register? {
    guard case .body = symbol.implementation, call.receiver == nil else { return nil }
    for (index, parameter) in symbol.parameters.enumerated() {
      guard case .metatype(.parameter(let generic)) = parameter.type,
        let bound = call.substitution[generic], case .existential = concrete(bound),
        index < call.arguments.count, case .value(let metatype) = call.arguments[index],
        !metatype.namesType
      else { continue }
      return emitCall(symbol, call, of: bound, metatype, argument: index, whole) { type, given in
        var substitution = call.substitution.mapValues(concrete)
        substitution[generic] = type
        let direct = call.copy(substitution: substitution, arguments: given(substitution))
        return (direct, symbol.result == .parameter(generic))
      }
    }
    return nil
  }

  /// A call for each type that a metatype's value may be, with arguments that are evaluated once: the type first, also where it
  /// is one of them, as in Swift 6.3.1.
  ///
  /// `direct` gives the call for a type, from the arguments for what its parameters are bound to, and whether that gives a
  /// value of the type.
  private func emitCall(
    _ symbol: FunctionSymbol, _ call: Typed.Call, of named: SwiftType,
    _ metatype: Typed.Expression, argument place: Int? = nil, _ whole: Typed.Expression,
    _ direct: (SwiftType, (Substitution) -> [Typed.Argument]) -> (Typed.Call, givesOwn: Bool)
  ) -> Register {
    let range = whole.range
    let wanted = concrete(whole.type)
    let result = lifeKind(wanted).map(temporary) ?? code.frame.pinned()
    let own = code.frame.pinned()
    emit(.copy(own, from: emit(metatype)), range)
    let arguments = call.arguments.enumerated().map { index, argument in
      index == place
        ? .register(own)
        : kept(
          parameterArgument(argument, symbol, index, call.substitution.mapValues(concrete)), range)
    }
    func given(_ substitution: Substitution) -> [Typed.Argument] {
      zip(symbol.parameters, arguments).compactMap { parameter, argument in
        guard case .register(let register) = argument else { return nil }
        return .value(held(register, concrete(parameter.type.substituting(substitution)), range))
      }
    }
    let end = code.frame.label()
    for type in types(of: concrete(named)) {
      let next = code.frame.label()
      let test = constant(number(of: type), range)
      emit(.equal(test, test, own), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      let (one, givesOwn) = direct(type, given)
      (one.isAsync, one.isThrowing, one.hop) = (call.isAsync, call.isThrowing, call.hop)
      one.isDirect = true
      let made = Typed.Expression(.call(one), givesOwn ? type : wanted, range)
      let isBoxed = if case .existential = wanted { givesOwn && type != wanted } else { false }
      assign(
        result,
        from: isBoxed ? emit(Typed.Expression(.conversion(made), wanted, range)) : emitOwned(made),
        wanted, range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
    }
    crash("no type has '\(symbol.name)'", range)
    code.frame.mark(end)
    return result
  }
}
