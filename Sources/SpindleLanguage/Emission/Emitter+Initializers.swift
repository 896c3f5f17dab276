import SpindleModel

/// Initialisers, and the first values of stored properties.
extension Emitter {
  /// Whether an initialiser makes the value that it gives: those of classes are given theirs.
  func makesValue(_ symbol: FunctionSymbol) -> Bool {
    symbol.isInitializer && symbol.owner?.isReference != true
  }

  /// The value or instance that an initialiser gives its stored properties.
  func beginInitializer(
    _ symbol: FunctionSymbol, _ body: BodyTable.Body, _ range: SourceRange
  ) {
    guard let own = body.ownSelf, let owner = symbol.owner else { return }
    if makesValue(symbol) {
      let type = concrete(owner.selfType)
      let register = lifeKind(type).map(scopedRegister) ?? allocate()
      if owner.kind == .struct, owner.builtin == nil {
        makeEmpty(type, in: register, range)
        if !symbol.delegates { storeInitialValues(owner, register, range) }
      } else {
        emit(.constant(noValue, to: register), range)
      }
      if own.isCaptured {
        // Closures share it with the code around them.
        initializedValue = nil
        declare(own, holding: register, range)
      } else {
        initializedValue = register
        storages[ObjectIdentifier(own)] = storage(register, of: own)
      }
    } else if !symbol.delegates, let register = ownRegister(own) {
      storeInitialValues(owner, register, range)
    }
  }

  /// The first values of the classes that inherit an initialiser: what a class declares has them before those above.
  func storeInheritedValues(
    _ type: SwiftType, _ owner: Nominal?, _ instance: Register, _ range: SourceRange
  ) {
    let outer = substitution
    defer { substitution = outer }
    var below = type
    while case .nominal(let one, let arguments) = below, one !== owner {
      substitution = one.substitution(arguments)
      storeInitialValues(one, instance, range)
      guard let above = one.superclass else { return }
      below = above.substituting(substitution)
    }
  }

  func storeInitialValues(_ owner: Nominal, _ instance: Register, _ range: SourceRange) {
    for variable in owner.stored {
      let (next, mark) = (code.frame.next, code.frame.temporaries.count)
      if variable.isLazy {
        let none = constant(noValue, range)
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: none), range)
      } else if let value = bodies.initialValue(of: variable) {
        boundName = isMade(value) ? variable.name : nil
        let made = emitOwned(value, isVariable: !variable.isLet)
        boundName = nil
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: made), range)
      } else if !variable.isLet, bodies.type(of: variable).wrapped != nil {
        let none = constant(noValue, range)
        emit(.fieldStore(instance, fieldNumber(variable, owner), from: none), range)
      }
      endTemporaries(from: mark, range)
      code.frame.next = next
    }
    guard owner.superclass?.nominal?.handle != nil else { return }
    let (next, mark) = (code.frame.next, code.frame.temporaries.count)
    makeObject(of: instance, owner, range)
    endTemporaries(from: mark, range)
    code.frame.next = next
  }

  private func ownRegister(_ own: Typed.Local) -> Register? {
    if case .register(let register, _, _)? = storages[ObjectIdentifier(own)] { return register }
    return nil
  }

  func endInitializer(
    _ symbol: FunctionSymbol, _ body: BodyTable.Body, _ range: SourceRange
  ) {
    guard let own = body.ownSelf, code.frame.isReachable else { return }
    let register =
      ownRegister(own) ?? emit(Typed.Expression(.local(own), concrete(own.type), range))
    guard isCounting else {
      emit(.finishWith(register), range)
      return code.frame.isReachable = false
    }
    let result = allocate()
    emit(.copy(result, from: register), range)
    if let kind = lifeKind(concrete(own.type)), makesValue(symbol) {
      emit(.keep(result, kind), range)
    }
    releaseOwned(range)
    emit(.finishWith(result), range)
    code.frame.isReachable = false
  }

  /// An instance of a value type whose properties have no values yet, in a register that owns it where that is counted.
  private func makeEmpty(_ type: SwiftType, in register: Register, _ range: SourceRange) {
    let number = ClassID(classNumber(of: type))
    guard let kind = lifeKind(type) else {
      return emit(.instanceMake(register, number, .none), range)
    }
    let fresh = allocate()
    emit(.instanceMake(fresh, number, .none), range)
    emit(.hold(register, from: fresh, kind), range)
  }
}
