import SpindleModel

/// Expressions: the value of each in a register.
extension Emitter {
  /// The value of an expression.
  @discardableResult
  func emit(_ value: Typed.Expression) -> Register {
    let range = value.range
    let outer = isChanging
    isChanging = false
    defer { isChanging = outer }
    switch value.kind {
    case .constant(let number): return constant(number, range)
    case .integer(let number):
      if concrete(value.type).nominal?.builtin == .double {
        let (scaled, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
        if overflow { unsupported("a number of this size", range) }
        return constant(scaled, range)
      }
      return constant(number, range)
    case .decimal(let number): return constant(number, range)
    case .text(let text): return constant(intern(text), range)
    case .interpolation(let segments): return emitText(segments, range)
    case .nil: return constant(noValue, range)
    case .local, .global, .field, .element: return load(prepare(value), value)
    case .property(let row, let receiver): return read(row, receiver, value)
    case .call(let call): return emitCall(call, value)
    case .closure(let closure): return emitClosure(closure)
    case .function(let symbol, let substitution, let receiver):
      return emitReference(symbol, substitution, receiver, range, isAsync: isAsync(value))
    case .localFunction(let function): return emitReference(function, range)
    case .wrapped(let inner):
      return wrap(emit(inner), concrete(inner.type), range)
    case .forced(let inner): return emitForced(inner, range)
    case .chain(let inner): return emitChain(inner, value)
    case .bound(let inner): return emitBound(inner, range)
    case .ternary(let condition, let first, let second):
      return emitTernary(condition, first, second, range)
    case .coalesce(let optional, let other, let keepsOptional):
      return emitCoalesce(optional, other, keepsOptional, range)
    case .logical(let one, let other, let isAnd): return emitLogical(one, other, isAnd, range)
    case .identity(let one, let other, let isEqual):
      let (a, b, result) = (emit(one), emit(other), allocate())
      emit(isEqual ? .equal(result, a, b) : .notEqual(result, a, b), range)
      return result
    case .nilTest(let inner, let isEqual):
      let (register, none) = (emit(inner), constant(noValue, range))
      emit(isEqual ? .equal(none, none, register) : .notEqual(none, none, register), range)
      return none
    case .bind(let bindings, let inner):
      for (local, value) in bindings { declare(local, holding: emit(value), range) }
      return emit(inner)
    case .tuple(let parts), .instance(let parts):
      if parts.isEmpty { return constant(0, range) }
      return makeInstance(concrete(value.type), parts.map(emitOwned), range)
    case .array(let elements): return emitArray(elements, range)
    case .dictionary(let entries): return emitDictionary(entries, concrete(value.type), range)
    case .conversion(let inner): return emitConversion(inner, value)
    case .optionalConversion(let inner, let local, let made):
      return emitOptionalConversion(inner, local, made, range)
    case .arrayConversion(let inner, let local, let made):
      return emitArrayConversion(inner, local, made, range)
    case .cast(let inner, let cast, let type): return emitCast(inner, cast, type, range)
    case .metatype: return constant(0, range)
    case .attempt(let kind, let inner): return emitAttempt(kind, inner, value)
    case .await(let inner): return emitAwait(inner)
    case .visit(let inner, let target): return emitVisit(inner, target, range)
    case .choice(let statement, let result):
      declare(result, holding: constant(noValue, range), range)
      emitStatement(statement)
      return load(prepare(Typed.Expression(.local(result), result.type, range)), value)
    case .reference(let place): return emit(place)
    case .assign(let place, let made):
      emitAssignment(place, made, range)
      return constant(0, range)
    case .symbol(_, let name): return constant(intern(name), range)
    case .options(_, let bits): return constant(bits, range)
    case .error:
      unsupported("this expression", range)
      return allocate()
    }
  }

  /// The value of an expression that nothing else changes from then on.
  ///
  /// A collection in a variable is changed where it is, so that what keeps it has a copy.
  func emitOwned(_ value: Typed.Expression) -> Register {
    let register = emit(value)
    guard isCollection(concrete(value.type)), isShared(value) else { return register }
    return copy(register, concrete(value.type), value.range)
  }

  func copy(_ register: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    let result = allocate()
    guard type.wrapped != nil else {
      emit(.arrayCopy(result, from: register), range)
      return result
    }
    let end = code.frame.label()
    emit(.copy(result, from: register), range)
    for word in 0..<depth(type) {
      let isNil = constant(noValue + word, range)
      emit(.equal(isNil, isNil, register), range)
      emit(.jumpIf(isNil, code.frame.target(end)), range)
    }
    emit(.arrayCopy(result, from: register), range)
    code.frame.mark(end)
    return result
  }

  /// Whether a value is in a place that may be changed.
  func isShared(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .local(let local): local.isVariable || local.isInout
    case .global(let variable, _): !variable.isLet
    case .field(let base, let variable):
      !variable.isLet && (variable.owner?.isReference == true || isShared(base))
    case .element(let base, _), .forced(let base), .bound(let base), .conversion(let base),
      .attempt(_, let base), .await(let base), .wrapped(let base), .chain(let base):
      isShared(base)
    case .coalesce(let one, let other, _): isShared(one) || isShared(other)
    case .ternary(_, let one, let other): isShared(one) || isShared(other)
    default: false
    }
  }

  /// An instance of a value type with its fields.
  func makeInstance(_ type: SwiftType, _ fields: [Register], _ range: SourceRange) -> Register {
    let result = allocate()
    emit(.instanceMake(result, ClassID(classNumber(of: type)), .none), range)
    for (index, field) in fields.enumerated() {
      emit(.fieldStore(result, Int32(index), from: field), range)
    }
    return result
  }

  private func emitArray(_ elements: [Typed.Expression], _ range: SourceRange) -> Register {
    let result = allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    for element in elements {
      let next = code.frame.next
      emit(.arrayAppend(result, value: emitOwned(element)), range)
      code.frame.next = next
    }
    return result
  }

  private func emitDictionary(
    _ entries: [(key: Typed.Expression, value: Typed.Expression)], _ type: SwiftType,
    _ range: SourceRange
  ) -> Register {
    checkKey(type.arguments.first ?? .error, range)
    let result = allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    for entry in entries {
      let next = code.frame.next
      let word = known(emit(entry.key), in: result, type.arguments[0], range)
      let (key, test, isNew) = (word, allocate(), code.frame.label())
      emit(.entryGet(test, of: result, key: key), range)
      jump(ifNil: true, test, to: isNew, range)
      crash("Dictionary literal contains duplicate keys", range)
      code.frame.mark(isNew)
      emit(.entrySet(result, key: key, value: emitOwned(entry.value)), range)
      code.frame.next = next
    }
    return result
  }

  // MARK: Optionals

  private func emitForced(_ inner: Typed.Expression, _ range: SourceRange) -> Register {
    let value = emit(inner)
    let present = code.frame.label()
    jump(ifNil: false, value, to: present, range)
    crash("Unexpectedly found nil while unwrapping an Optional value", range)
    code.frame.mark(present)
    return unwrap(value, concrete(inner.type).wrapped ?? .error, range)
  }

  private func emitBound(_ inner: Typed.Expression, _ range: SourceRange) -> Register {
    let value = emit(inner)
    guard let chain = chains.last else { return value }
    jump(ifNil: true, value, to: chain.exit, range)
    return unwrap(value, concrete(inner.type).wrapped ?? .error, range)
  }

  private func emitChain(_ inner: Typed.Expression, _ whole: Typed.Expression) -> Register {
    let range = whole.range
    let result = constant(noValue, range)
    chains.append(Chain(exit: code.frame.label()))
    let value = emit(inner)
    let chain = chains.removeLast()
    let type = concrete(inner.type)
    if type.wrapped == nil || concrete(whole.type) != type {
      emit(.copy(result, from: type.isVoid ? constant(0, range) : wrap(value, type, range)), range)
    } else {
      emit(.copy(result, from: value), range)
    }
    endChain(chain, range)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func emitCoalesce(
    _ optional: Typed.Expression, _ other: Typed.Expression, _ keepsOptional: Bool,
    _ range: SourceRange
  ) -> Register {
    let result = allocate()
    let end = code.frame.label()
    let missing = code.frame.label()
    let value = emit(optional)
    jump(ifNil: true, value, to: missing, range)
    let present =
      keepsOptional ? value : unwrap(value, concrete(optional.type).wrapped ?? .error, range)
    emit(.copy(result, from: present), range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(missing)
    let standard = emit(other)
    emit(.copy(result, from: standard), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func emitOptionalConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression,
    _ range: SourceRange
  ) -> Register {
    let result = constant(noValue, range)
    let end = code.frame.label()
    let value = emit(inner)
    jump(ifNil: true, value, to: end, range)
    declare(local, holding: unwrap(value, concrete(local.type), range), range)
    emit(.copy(result, from: emit(made)), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func emitArrayConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression,
    _ range: SourceRange
  ) -> Register {
    let array = emit(inner)
    let result = allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    emitLoop(over: array, range) { element in
      declare(local, holding: element, range)
      emit(.arrayAppend(result, value: emit(made)), range)
    }
    code.frame.next = Int(result.index) + 1
    return result
  }

  /// Does something with each element of an array.
  func emitLoop(over array: Register, _ range: SourceRange, _ body: (Register) -> Void) {
    let (count, index, item) = (allocate(), allocate(), allocate())
    emit(.arrayCount(count, array: array), range)
    emit(.constant(0, to: index), range)
    let (top, exit) = (code.frame.label(), code.frame.label())
    code.frame.mark(top)
    emit(.jumpUnlessLess(index, count, code.frame.target(exit)), range)
    emit(.arrayGet(item, array: array, index: index), range)
    code.frame.loopDepth += 1
    let next = code.frame.next
    body(item)
    code.frame.next = next
    code.frame.loopDepth -= 1
    emit(.increment(index), range)
    code.frame.jump(top, expansion ?? range)
    code.frame.mark(exit)
  }

  // MARK: Choices

  private func emitTernary(
    _ condition: Typed.Expression, _ first: Typed.Expression, _ second: Typed.Expression,
    _ range: SourceRange
  ) -> Register {
    let result = allocate()
    let (other, end) = (code.frame.label(), code.frame.label())
    let test = emit(condition)
    emit(.jumpUnless(test, code.frame.target(other)), range)
    emit(.copy(result, from: emit(first)), range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(other)
    emit(.copy(result, from: emit(second)), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func emitLogical(
    _ one: Typed.Expression, _ other: Typed.Expression, _ isAnd: Bool, _ range: SourceRange
  ) -> Register {
    let result = allocate()
    let end = code.frame.label()
    emit(.copy(result, from: emit(one)), range)
    let target = code.frame.target(end)
    emit(isAnd ? .jumpUnless(result, target) : .jumpIf(result, target), range)
    emit(.copy(result, from: emit(other)), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }
}
