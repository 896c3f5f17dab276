import SpindleModel

/// Conversions, casts and errors.
extension Emitter {
  func emitConversion(_ inner: Typed.Expression, _ whole: Typed.Expression) -> Register {
    let (from, to) = (concrete(inner.type), concrete(whole.type))
    if case .function(let given) = from, case .function(let wanted) = to, wanted.isAsync,
      !given.isAsync
    {
      return emitVisitor(of: inner, given, whole.range)
    }
    if case .metatype = to { return emitMetatype(inner, as: to) }
    if case .existential(let protocols) = to {
      if protocols.contains(known.errorProtocol) { return emitError(inner, from) }
      if case .existential(let own) = from, !own.contains(known.errorProtocol) {
        return emit(inner)
      }
      let isSequence = protocols.contains { $0.refines(known.sequence) }
      if let nominal = from.nominal, isSequence, nominal.isLibrary {
        unsupported("\(from) as '\(to)'", whole.range)
      }
      return emitAny(inner, from, whole.range)
    }
    if to.nominal?.builtin == .set, from.nominal?.builtin == .array {
      return emitSet(emit(inner), to, whole.range)
    }
    if to.nominal?.family == .mode, case .text(let name) = inner.kind {
      let known = KnownNumbers.modes.first { $0.raw == name }
      return constant(intern(known?.own ?? name), whole.range)
    }
    if to.nominal?.handle != nil, let library = libraryClass(of: from) {
      return object(of: emit(inner), library, whole.range)
    }
    return emit(inner)
  }

  private func emitSet(_ array: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    checkKey(type.arguments.first ?? .error, range)
    let result = makeCollection(type, range)
    emitLoop(over: array, range) {
      let key = known($0, in: result, type.arguments[0], range)
      emit(.entrySet(result, key: key, value: key), range)
    }
    if !code.frame.isPinned(result) { code.frame.next = Int(result.index) + 1 }
    return result
  }

  func emitCast(
    _ inner: Typed.Expression, _ cast: Grammar.Cast, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let (from, to) = (concrete(inner.type), concrete(type))
    if from == to, cast != .optional { return cast == .test ? constant(1, range) : emit(inner) }
    if let wrapped = from.wrapped, wrapped == to {
      return emitResult(of: cast, to, emit(inner), range)
    }
    if from.unwrappedFully == .any, case .existential(let protocols) = to,
      protocols.contains(known.errorProtocol)
    {
      return emitResult(of: cast, to, error(inAny: inner, protocols, range), range)
    }
    if let made = emitCast(ofMetatype: inner, cast, from, to, range) { return made }
    if case .metatype(let named) = to, isDynamic(named) {
      unsupported("a cast of \(from) to \(to)", range)
    }
    if let made = emitCast(ofElements: inner, cast, from, to, range) { return made }
    if let made = emitCast(ofLibraryObject: inner, cast, from, to, range) { return made }
    if isBoxing(from.unwrappedFully), !isInstance(to), !isExistential(to) {
      return emitCast(fromAny: inner, cast, to, range)
    }
    guard case .existential(let protocols) = from.unwrappedFully,
      protocols.contains(known.errorProtocol)
    else { return emitCast(ofObject: inner, cast, to, range) }
    // The text of no error is nil, which no error is.
    let text = emit(inner)
    return emitResult(of: cast, to, errorValue(text, as: to, range), range)
  }

  /// The error that an `Any`, or a value of a protocol, has: of one of the types that conform to protocols; else nil.
  func error(
    inAny inner: Typed.Expression, _ protocols: [Nominal], _ range: SourceRange
  ) -> Register {
    let (whole, result, end) = (code.frame.pinned(), code.frame.pinned(), code.frame.label())
    emit(.copy(whole, from: emit(inner)), range)
    emit(.constant(noValue, to: result), range)
    for type in instances(conformingTo: protocols) {
      let (next, value) = (code.frame.label(), held(whole, .any, range))
      let made =
        isInstance(type)
        ? emitCast(ofObject: value, .optional, type, range)
        : emitCast(fromAny: value, .optional, type, range)
      jump(ifNil: true, made, to: next, range)
      let found = held(unwrap(made, type, range), type, range)
      emit(.copy(result, from: emitError(found, type)), range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
    }
    code.frame.mark(end)
    return result
  }

  /// What a cast gives for a value that is nil where it is of another type.
  func emitResult(
    of cast: Grammar.Cast, _ to: SwiftType, _ value: Register, _ range: SourceRange
  ) -> Register {
    switch cast {
    case .test:
      let none = constant(noValue, range)
      emit(.notEqual(none, none, value), range)
      return none
    case .forced:
      let present = code.frame.label()
      jump(ifNil: false, value, to: present, range)
      crash("Could not cast value to '\(to)'", range)
      code.frame.mark(present)
      return value
    case .optional, .coerce: return value
    }
  }

  /// The classes of the instances that are of a type; nil where instances do not tell.
  func classes(castTo type: SwiftType) -> [SwiftType]? {
    let types: [SwiftType]
    switch type {
    case .existential(let protocols): return instances(conformingTo: protocols).map(boxed)
    case .nominal(let nominal, _) where nominal.kind == .class: types = instances(below: type)
    default: types = [type]
    }
    return types.allSatisfy(isInstance) ? types : nil
  }

  /// Goes on at a label where an instance is of one of several classes.
  func jump(
    to label: Frame.Label, ifOneOf types: [SwiftType], _ value: Register, _ range: SourceRange
  ) {
    for type in types {
      let test = allocate()
      emit(.instanceIs(test, of: value, ClassID(classNumber(of: type))), range)
      emit(.jumpIf(test, code.frame.target(label)), range)
    }
  }

  /// Whether values of a type are instances or boxes, as those of 'Any' and of protocols are: an error is a text.
  func isBoxing(_ type: SwiftType) -> Bool {
    isExistential(type) && !isErrors(type)
  }

  private func isErrors(_ type: SwiftType) -> Bool {
    if case .existential(let protocols) = type {
      protocols.contains(known.errorProtocol)
    } else {
      false
    }
  }

  func isExistential(_ type: SwiftType) -> Bool {
    if case .existential = type { true } else { false }
  }

  /// A cast of an instance, which knows of which class it is.
  func emitCast(
    ofObject inner: Typed.Expression, _ cast: Grammar.Cast, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let from = concrete(inner.type).unwrappedFully
    let isKnown =
      switch from {
      case .existential: true
      case .nominal(let nominal, _): nominal.isReference && nominal.builtin == nil
      default: false
      }
    guard isKnown, let types = classes(castTo: type) else {
      unsupported("a cast of \(concrete(inner.type))", range)
      return allocate()
    }
    let value = emit(inner)
    let (result, found) = (code.frame.pinned(), code.frame.label())
    let isTest = cast == .test
    emit(isTest ? .constant(1, to: result) : .copy(result, from: value), range)
    jump(to: found, ifOneOf: types, value, range)
    if cast == .forced {
      crash("Could not cast value to '\(type)'", range)
    } else {
      emit(.constant(isTest ? 0 : noValue, to: result), range)
    }
    code.frame.mark(found)
    return result
  }

  // MARK: Errors

  func emitAttempt(
    _ kind: Grammar.Attempt, _ inner: Typed.Expression, _ whole: Typed.Expression
  ) -> Register {
    guard kind != .plain else { return emit(inner) }
    let range = whole.range
    let (type, next) = (concrete(inner.type), code.frame.next)
    let result = joined(type)
    let (start, throwing) = (code.frame.code.count, code.frame.throwing)
    let (awaits, owned) = (code.frame.awaitCount, code.frame.owned.count)
    let value = emit(inner)
    assign(result, from: type.isVoid ? constant(0, range) : value, type, range)
    let end = code.frame.code.count
    guard code.frame.throwing > throwing else { return result }
    code.frame.throwing = throwing
    let after = code.frame.label()
    code.frame.jump(after, expansion ?? range)
    let thrown = allocate()
    code.frame.catchHere(start: start, end: end, error: thrown)
    goHome(behind: awaits, range)
    releaseOwners(from: owned, range)
    if kind == .optional {
      emit(.constant(noValue, to: result), range)
    } else {
      reflect(
        thrown, behind: "'try!' expression unexpectedly raised an error: ", into: thrown, range)
      emit(.perform(.doing(.fatalError), base: thrown, noSite), range)
      code.frame.isReachable = false
    }
    code.frame.mark(after)
    free(behind: result, next)
    return result
  }

  /// A value as `any Error`: the text that it is, beside which the value is kept.
  ///
  /// What is thrown is a text for the simulator. A `catch` finds the value by it.
  private func emitError(_ inner: Typed.Expression, _ type: SwiftType) -> Register {
    let range = inner.range
    if case .existential(let protocols) = type {
      if protocols.contains(known.errorProtocol) { return emit(inner) }
      return error(inAny: inner, protocols, range)
    }
    if type.nominal?.builtin == .string { return emit(inner) }
    let value = emitOwned(inner)
    let result = printed(value, type, range)
    if type.nominal?.name == "CancellationError" { return result }
    let table = allocate()
    emit(.loadGlobal(table, errorTable(of: type)), range)
    emit(.entrySet(table, key: result, value: value), range)
    // The table has it until the program ends.
    if let kind = lifeKind(type) { emit(.keep(value, kind), range) }
    let owners = allocate()
    emit(.loadGlobal(owners, hiddenGlobal(.errorOwners)), range)
    let number = constant(errorNumber(of: type), range)
    emit(.entrySet(owners, key: result, value: number), range)
    noteType(ofError: result, type, range)
    return result
  }

  /// What `localizedDescription` of an error is: its `errorDescription`, where its type has one that is not nil, else what
  /// it prints as.
  func emitLocalizedDescription(_ call: Typed.Call, _ range: SourceRange) -> Register {
    guard let receiver = call.receiver else { return allocate() }
    let type = concrete(receiver.type)
    let protocolType = table.library("LocalizedError")
    guard case .existential = type else {
      let value = emitOwned(receiver)
      let result = joined(known.string)
      emit(.copy(result, from: printed(value, type, range)), range)
      if type.nominal?.conforms(to: protocolType) == true {
        describe(value, type, into: result, range)
      }
      return result
    }
    let text = emit(receiver)
    let result = code.frame.pinned()
    emit(.copy(result, from: text), range)
    for one in instances(conformingTo: [protocolType]) {
      let value = errorValue(text, as: one, range)
      let next = code.frame.label()
      jump(ifNil: true, value, to: next, range)
      describe(value, one, into: result, range)
      code.frame.mark(next)
    }
    return result
  }

  private func describe(
    _ error: Register, _ type: SwiftType, into result: Register, _ range: SourceRange
  ) {
    let local = Typed.Local("error", type, isVariable: false, range, Typed.FunctionScope(nil))
    declare(local, holding: error, until: .expression, range)
    let asked = callOfOwn("errorDescription", Typed.Expression(.local(local), type, range), range)
    let (made, end) = (emit(asked), code.frame.label())
    jump(ifNil: true, made, to: end, range)
    emit(.copy(result, from: made), range)
    code.frame.mark(end)
  }

  /// The number by which a type of errors is known in the run.
  func errorNumber(of type: SwiftType) -> Int64 {
    Int64(classNumber(of: .tuple([SwiftType.TupleElement(label: "error", type: type)])))
  }

  /// The value that was thrown as a text, if it is of a type; else nil.
  func errorValue(_ text: Register, as type: SwiftType, _ range: SourceRange) -> Register {
    let result = constant(noValue, range)
    let end = code.frame.label()
    let test = allocate()
    if case .existential(let protocols) = type {
      if protocols.contains(known.errorProtocol) {
        emit(.copy(result, from: text), range)
        return result
      }
      // A value of a type that is an error and conforms to the protocol too.
      for one in instances(conformingTo: protocols)
      where one.nominal?.conforms(to: known.errorProtocol) == true {
        let next = code.frame.label()
        let value = errorValue(text, as: one, range)
        jump(ifNil: true, value, to: next, range)
        emit(.copy(result, from: emitAny(held(value, one, range), one, range)), range)
        code.frame.jump(end, expansion ?? range)
        code.frame.mark(next)
      }
      code.frame.mark(end)
      return result
    }
    if type.nominal?.name == "CancellationError" {
      emit(.constant(intern("CancellationError()"), to: test), range)
      emit(.equal(test, test, text), range)
      emit(.jumpUnless(test, code.frame.target(end)), range)
      emit(.copy(result, from: text), range)
      code.frame.mark(end)
      return result
    }
    emit(.loadGlobal(test, hiddenGlobal(.errorOwners)), range)
    emit(.entryGet(test, of: test, key: text), range)
    let number = constant(errorNumber(of: type), range)
    emit(.equal(test, test, number), range)
    emit(.jumpUnless(test, code.frame.target(end)), range)
    emit(.loadGlobal(test, errorTable(of: type)), range)
    emit(.entryGet(result, of: test, key: text), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func errorTable(of type: SwiftType) -> GlobalID { hiddenGlobal(.errors(type)) }
}
