import SpindleModel

/// Expressions: the value of each in a register.
extension Emitter {
  /// The value of an expression: what was made or read on the way to it is released.
  @discardableResult
  func emit(_ value: Typed.Expression) -> Register {
    let (mark, outer) = (code.frame.temporaries.count, (temporariesOfCall, isDropped))
    (temporariesOfCall, isDropped) = (mark, dropped === value)
    let made = evaluate(value)
    (temporariesOfCall, isDropped) = outer
    // What an access of the chain at hand needs is there until that ends.
    guard code.frame.temporaries.count > mark, chains.last?.accesses.isEmpty != false else {
      return made
    }
    return settle(made, concrete(ownType(of: value)), from: mark, value.range)
  }

  /// The type by which a value is counted: an object that is taken for one of several kinds, as a timer for what a run loop
  /// is given, is counted by its own.
  private func ownType(of value: Typed.Expression) -> SwiftType {
    guard case .conversion(let inner) = value.kind, concrete(value.type).nominal?.handle != nil,
      lifeKind(concrete(value.type)) == nil
    else { return value.type }
    return ownType(of: inner)
  }

  private func evaluate(_ value: Typed.Expression) -> Register {
    let range = value.range
    let outer = isChanging
    isChanging = false
    defer { isChanging = outer }
    switch value.kind {
    case .constant(let number), .options(_, let number): return constant(number, range)
    case .decimal(let number): return emitDecimal(number, value)
    case .integer(let number): return emitInteger(number, value)
    case .text(let text), .symbol(_, let text): return constant(intern(text), range)
    case .interpolation(let segments): return emitText(segments, range)
    case .nil: return constant(noValue, range)
    case .local, .global, .field, .element: return load(prepare(value), value)
    case .property(let row, let receiver): return read(row, receiver, value)
    case .call(let call): return emitCall(call, value)
    case .closure(let closure): return owning(emitClosure(closure), value.type, range)
    case .function(let symbol, let substitution, let receiver):
      return emitFunctionValue(symbol, substitution, receiver, value)
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
      let (first, second) = operands(one, other)
      return compare(first, second, isEqual, range)
    case .nilTest(let inner, let isEqual):
      return compare(emit(inner), constant(noValue, range), isEqual, range)
    case .bind(let bindings, let inner):
      for (local, value) in bindings {
        declare(local, holding: emit(value), until: .expression, range)
      }
      return emit(inner)
    case .tuple(let parts), .instance(let parts):
      if parts.isEmpty, value.type.isVoid { return constant(0, range) }
      return makeInstance(concrete(value.type), emitParts(parts), range)
    case .array(let elements): return emitArray(elements, concrete(value.type), range)
    case .dictionary(let entries): return emitDictionary(entries, concrete(value.type), range)
    case .conversion(let inner): return emitConversion(inner, value)
    case .optionalConversion(let inner, let local, let made):
      return emitOptionalConversion(inner, local, made, range)
    case .elementConversion(let inner, let local, let made):
      return emitElementConversion(inner, local, made, concrete(value.type), range)
    case .cast(let inner, let cast, let type): return emitCast(inner, cast, type, range)
    case .metatype(let type): return emitMetatype(type, range)
    case .attempt(let kind, let inner): return emitAttempt(kind, inner, value)
    case .await(let inner): return emitAwait(inner)
    case .visit(let inner, let target): return emitVisit(inner, target, range)
    case .choice(let statement, let result): return emitChoice(statement, result, value)
    case .reference(let place): return emit(place)
    case .assign(let place, let made): return emitAssigned(place, made, range)
    case .error: return emitUnknown(range)
    }
  }

  /// The parts of a tuple, which names make that are bound to them.
  private func emitParts(_ parts: [Typed.Expression]) -> [Register] {
    let names = boundParts
    boundParts = []
    defer { boundName = nil }
    let made = emitOwned(eachOf: parts) { index in
      boundName = index < names.count && isMade(parts[index]) ? names[index] : nil
    }
    // What is in a place that never changes has a copy in the tuple, which may be taken apart by variables.
    return zip(parts, made).map { part, register in
      let type = concrete(part.type)
      return isCollection(type) && isLeft(part) && !isShared(part)
        ? copy(register, type, part.range) : register
    }
  }

  private func emitUnknown(_ range: SourceRange) -> Register {
    unsupported("this expression", range)
    return allocate()
  }

  private func emitAssigned(
    _ place: Typed.Expression, _ value: Typed.Expression, _ range: SourceRange
  ) -> Register {
    emitAssignment(place, value, range)
    return constant(0, range)
  }

  private func emitFunctionValue(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ receiver: Typed.Expression?,
    _ value: Typed.Expression
  ) -> Register {
    let made = emitReference(
      symbol, substitution, receiver, value.range, isAsync: isAsync(value))
    return owning(made, value.type, value.range)
  }

  private func emitChoice(
    _ statement: Typed.Statement, _ result: Typed.Local, _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    declare(result, holding: constant(noValue, range), until: .expression, range)
    emitStatement(statement)
    return load(prepare(Typed.Expression(.local(result), result.type, range)), value)
  }

  private func compare(
    _ one: Register, _ other: Register, _ isEqual: Bool, _ range: SourceRange
  ) -> Register {
    let result = allocate()
    emit(isEqual ? .equal(result, one, other) : .notEqual(result, one, other), range)
    return result
  }

  private func emitInteger(_ number: Int64, _ value: Typed.Expression) -> Register {
    let type = concrete(value.type)
    guard type.nominal?.builtin == .double else {
      if isInstance(type) { return emitLiteral(.integer, value, type) }
      return constant(number, value.range)
    }
    let (scaled, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
    if overflow { unsupported("a number of this size", value.range) }
    return constant(scaled, value.range)
  }

  private func emitDecimal(_ number: Int64, _ value: Typed.Expression) -> Register {
    let type = concrete(value.type)
    return isInstance(type)
      ? emitLiteral(.decimal, value, type) : constant(number, value.range)
  }

  /// A literal of a type parameter whose argument is a type of the program, which makes a value of it.
  private func emitLiteral(
    _ literal: Solver.Literal, _ value: Typed.Expression, _ type: SwiftType
  ) -> Register {
    let checker = BodyChecker(bodies, context: TypeContext())
    let made = checker.complete { checker in
      let open = checker.node(value.kind, checker.solver.variable(literal), value.range)
      return checker.madeFromLiteral(open, type) ?? checker.failed(value.range)
    }
    if case .error = made.kind { unsupported("a literal as \(type)", value.range) }
    return emit(made)
  }

  /// An instance of a value type with its fields.
  func makeInstance(_ type: SwiftType, _ fields: [Register], _ range: SourceRange) -> Register {
    let result = makeEmpty(type, range)
    for (index, field) in fields.enumerated() {
      emit(.fieldStore(result, Int32(index), from: field), range)
    }
    return result
  }

  /// An instance of a value type whose fields have no values yet, which a temporary owns.
  func makeEmpty(_ type: SwiftType, _ range: SourceRange) -> Register {
    let fresh = allocate()
    emit(.instanceMake(fresh, ClassID(classNumber(of: type)), .none), range)
    return owning(fresh, type, range)
  }

  private func emitArray(
    _ elements: [Typed.Expression], _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = makeCollection(type, range)
    for element in elements {
      let next = code.frame.next
      inTemporaries(range) { emit(.arrayAppend(result, value: emitOwned(element)), range) }
      code.frame.next = next
    }
    return result
  }

  private func emitDictionary(
    _ entries: [(key: Typed.Expression, value: Typed.Expression)], _ type: SwiftType,
    _ range: SourceRange
  ) -> Register {
    checkKey(type.arguments.first ?? .error, range)
    let result = makeCollection(type, range)
    for entry in entries {
      let (next, mark) = (code.frame.next, code.frame.temporaries.count)
      let word = known(emitStable(entry.key), in: result, type.arguments[0], range)
      let (key, test, isNew) = (word, allocate(), code.frame.label())
      emit(.entryGet(test, of: result, key: key), range)
      jump(ifNil: true, test, to: isNew, range)
      crash("Dictionary literal contains duplicate keys", range)
      code.frame.mark(isNew)
      keepKey(key, type.arguments[0], range)
      let held = wrap(emitOwned(entry.value), type.arguments[1], range)
      emit(.entrySet(result, key: key, value: held), range)
      endTemporaries(from: mark, range)
      code.frame.next = next
    }
    return result
  }

  // MARK: Optionals

  private func emitForced(_ inner: Typed.Expression, _ range: SourceRange) -> Register {
    let value = emit(inner)
    checkPresent(value, range)
    return unwrap(value, concrete(inner.type).wrapped ?? .error, range)
  }

  private func emitBound(_ inner: Typed.Expression, _ range: SourceRange) -> Register {
    let value = emit(inner)
    guard let chain = chains.last else { return value }
    jump(ifNil: true, value, to: chain.exit, range)
    return unwrap(value, concrete(inner.type).wrapped ?? .error, range)
  }

  private func emitChain(_ inner: Typed.Expression, _ whole: Typed.Expression) -> Register {
    let (range, next) = (whole.range, code.frame.next)
    let result = joined(concrete(whole.type))
    emit(.constant(noValue, to: result), range)
    chains.append(Chain(exit: code.frame.label()))
    let value = emit(inner)
    let chain = chains.removeLast()
    let type = concrete(inner.type)
    if type.wrapped == nil || concrete(whole.type) != type {
      let made = type.isVoid ? constant(0, range) : wrap(value, type, range)
      assign(result, from: made, concrete(whole.type), range)
    } else {
      assign(result, from: value, type, range)
    }
    endChain(chain, range)
    free(behind: result, next)
    return result
  }

  private func emitCoalesce(
    _ optional: Typed.Expression, _ other: Typed.Expression, _ keepsOptional: Bool,
    _ range: SourceRange
  ) -> Register {
    let (type, next) = (concrete(other.type), code.frame.next)
    let result = joined(type)
    let end = code.frame.label()
    let missing = code.frame.label()
    let value = emit(optional)
    jump(ifNil: true, value, to: missing, range)
    let present =
      keepsOptional ? value : unwrap(value, concrete(optional.type).wrapped ?? .error, range)
    assign(result, from: present, type, range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(missing)
    assign(result, from: emit(other), type, range)
    code.frame.mark(end)
    free(behind: result, next)
    return result
  }

  private func emitOptionalConversion(
    _ inner: Typed.Expression, _ local: Typed.Local, _ made: Typed.Expression,
    _ range: SourceRange
  ) -> Register {
    let (type, next) = (concrete(made.type), code.frame.next)
    let result = joined(type)
    emit(.constant(noValue, to: result), range)
    let end = code.frame.label()
    let value = emit(inner)
    jump(ifNil: true, value, to: end, range)
    declare(local, holding: unwrap(value, concrete(local.type), range), until: .expression, range)
    assign(result, from: emit(made), type, range)
    code.frame.mark(end)
    free(behind: result, next)
    return result
  }

  /// Does something with each element of an array.
  func emitLoop(over array: Register, _ range: SourceRange, _ body: (Register) -> Void) {
    let (count, item) = (allocate(), allocate())
    emit(.arrayCount(count, array: array), range)
    emitLoop(upTo: count, range) { index in
      emit(.arrayGet(item, array: array, index: index), range)
      body(item)
    }
  }

  /// Code that runs for each number from 0 to below a count.
  func emitLoop(upTo count: Register, _ range: SourceRange, _ body: (Register) -> Void) {
    let index = allocate()
    emit(.constant(0, to: index), range)
    let (top, exit) = (code.frame.label(), code.frame.label())
    code.frame.mark(top)
    emit(.jumpUnlessLess(index, count, code.frame.target(exit)), range)
    code.frame.loopDepth += 1
    let next = code.frame.next
    inTemporaries(range) { body(index) }
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
    let (type, next) = (concrete(first.type), code.frame.next)
    let result = joined(type)
    let (other, end) = (code.frame.label(), code.frame.label())
    jump(unless: condition, to: other)
    assign(result, from: emit(first), type, range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(other)
    assign(result, from: emit(second), type, range)
    code.frame.mark(end)
    free(behind: result, next)
    return result
  }

  private func emitLogical(
    _ one: Typed.Expression, _ other: Typed.Expression, _ isAnd: Bool, _ range: SourceRange
  ) -> Register {
    let end = code.frame.label()
    let result = inNext(range) { emit(one) }
    let target = code.frame.target(end)
    emit(isAnd ? .jumpUnless(result, target) : .jumpIf(result, target), range)
    emit(.copy(result, from: emit(other)), range)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }
}
