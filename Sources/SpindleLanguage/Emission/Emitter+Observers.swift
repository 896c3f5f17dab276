import SpindleModel

/// Stored properties with observers, and those that are made when they are first asked for.
extension Emitter {
  /// The object of an accessor.
  indirect enum AccessorObject {
    /// A variable at the top has none.
    case none
    case instance(Register)
    case value(Place, SwiftType)
  }

  /// A stored property with what is done when it changes.
  struct Observation {
    var stored: Place
    var variable: VariableSymbol
    var object: AccessorObject
    var substitution: Substitution
    /// Whether the value before a change is read for `didSet` (SE-0268).
    var takesOld: Bool
  }

  /// A stored property as a place, with its observers and its late first value.
  func storedPlace(
    _ base: Typed.Expression, _ variable: VariableSymbol, _ value: Typed.Expression
  ) -> Place {
    guard let owner = variable.owner else { return .value(emit(value)) }
    let type = concrete(base.type)
    var (stored, object): (Place, AccessorObject)
    if type.nominal?.isReference == true || owner.isReference {
      let instance = emit(base)
      // In its own initialiser an instance is known to nothing else.
      let isOwn = isInitializing && isOwnSelf(base)
      stored = .field(
        instance, fieldNumber(variable, owner), isVariable: !variable.isLet && !isOwn)
      object = .instance(instance)
    } else {
      let whole = prepare(base)
      stored = part(variable, of: whole, type)
      object = .value(whole, type)
    }
    let given = owner.substitution(type.arguments)
    stored = reference(stored, variable, given, value.range)
    if variable.isLazy { return .lazy(stored, variable, object, given) }
    guard variable.isObserved, !isDirect(base, variable) else { return stored }
    return .observed(
      Observation(
        stored: stored, variable: variable, object: object, substitution: given,
        takesOld: takesOld(variable)))
  }

  private func isOwnSelf(_ base: Typed.Expression) -> Bool {
    if case .local(let local) = base.kind { return local.isSelf }
    return false
  }

  private func part(_ variable: VariableSymbol, of whole: Place, _ type: SwiftType) -> Place {
    .part(
      whole, number: Int32(variable.index), count: variable.owner?.stored.count ?? 0, of: type)
  }

  /// An initialiser of the type and an observer itself change their own property without a notice.
  private func isDirect(_ base: Typed.Expression, _ variable: VariableSymbol) -> Bool {
    guard case .local(let local) = base.kind, local.isSelf else { return false }
    return observing === variable || isInitializing && initialized === variable.owner
  }

  func takesOld(_ variable: VariableSymbol) -> Bool {
    guard let observer = variable.didSet, let body = bodies.body(of: observer) else { return false }
    return body.parameters.contains { $0.isUsed }
  }

  /// A variable at the top, with its observers.
  func globalPlace(_ global: GlobalID, _ variable: VariableSymbol) -> Place {
    let stored = reference(
      .global(global, isVariable: !variable.isLet), variable, [:], variable.range)
    guard variable.isObserved, observing !== variable, !isMakingGlobals else { return stored }
    return .observed(
      Observation(
        stored: stored, variable: variable, object: .none, substitution: [:],
        takesOld: takesOld(variable)))
  }

  // MARK: Changes

  /// Begins to change an observed property of a value: that value is what is accessed.
  func beginAccess(
    _ observation: Observation, _ type: SwiftType, _ value: Typed.Expression
  ) -> Access {
    var (own, outer) = (observation, [Access.Step]())
    if case .value(let whole, let owner) = observation.object {
      let access = beginAccess(whole, owner, value)
      vacatePlaces(of: access, value.range)
      (own, outer) = (inRegister(access.register, observation, owner), access.steps)
    }
    let current = borrow(own.stored, value, toChange: true)
    let old = own.takesOld ? retained(current, type, value.range) : current
    let (made, kind) = accessRegister(type)
    let isSeen = own.takesOld || own.variable.willSet != nil
    let isCopied = isCollection(type) && (isSeen || !isOwnRoot(own.stored))
    assign(made, from: isCopied ? copy(old, type, value.range) : old, type, value.range)
    return Access(
      register: made,
      steps: [
        Access.Step(
          register: made, kind: kind, type: type, place: .observed(own),
          old: own.takesOld ? old : nil)
      ] + outer)
  }

  private func isOwnRoot(_ place: Place) -> Bool {
    if case .part = place { return false }
    return true
  }

  private func inRegister(
    _ register: Register, _ observation: Observation, _ owner: SwiftType
  ) -> Observation {
    var own = observation
    own.object = .value(.register(register), owner)
    own.stored = part(observation.variable, of: .register(register), owner)
    return own
  }

  /// Gives an observed property another value: `old` is the one before, where it has been read.
  func store(
    _ register: Register, in observation: Observation, old: Register?, _ value: Typed.Expression
  ) {
    if case .value(let whole, let owner) = observation.object {
      let access = beginAccess(whole, owner, value)
      let own = inRegister(access.register, observation, owner)
      change(own, to: register, old: old, value)
      return endAccess(access, value)
    }
    change(observation, to: register, old: old, value)
  }

  private func change(
    _ observation: Observation, to register: Register, old: Register?, _ value: Typed.Expression
  ) {
    var before = old
    if observation.takesOld, before == nil {
      let type = bodies.type(of: observation.variable).substituting(observation.substitution)
      let kept = joined(type)
      assign(kept, from: borrow(observation.stored, value), type, value.range)
      before = kept
    }
    observe(observation.variable.willSet, register, observation, value)
    store(register, in: observation.stored, value)
    observe(observation.variable.didSet, before ?? register, observation, value)
  }

  private func observe(
    _ observer: FunctionSymbol?, _ given: Register, _ observation: Observation,
    _ value: Typed.Expression
  ) {
    guard let observer else { return }
    _ = emitBlockCall(
      block(of: observer, observation.substitution),
      window(observation.object, value) + [.register(given)], result: .void, value.range)
  }

  private func window(
    _ object: AccessorObject, _ value: Typed.Expression
  ) -> [WindowArgument] {
    switch object {
    case .none: []
    case .instance(let register): [.register(register)]
    case .value(let place, let type):
      [.preparedPlace(place, Typed.Expression(.error, type, value.range))]
    }
  }

  // MARK: Late first values

  /// The value of a lazy property; the first read makes it.
  func loadLazy(
    _ stored: Place, _ variable: VariableSymbol, _ object: AccessorObject,
    _ given: Substitution, _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    guard let maker = variable.maker else { return allocate() }
    let type = bodies.type(of: variable).substituting(given)
    let result = lifeKind(type).map(temporary) ?? code.frame.pinned()
    let present = code.frame.label()
    assign(result, from: borrow(stored, value), type, range)
    jump(ifNil: false, result, to: present, range)
    let made = emitBlockCall(block(of: maker, given), window(object, value), result: type, range)
    assign(result, from: wrap(made, type, range), type, range)
    store(result, in: stored, value)
    code.frame.mark(present)
    return unwrap(result, type, range)
  }
}
