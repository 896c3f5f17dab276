import SpindleModel

/// What functions of the library come to that have no body.
extension Emitter {
  func emitBuiltin(
    _ name: String, _ symbol: FunctionSymbol, _ substitution: Substitution, _ call: Typed.Call,
    _ value: Typed.Expression
  ) -> Register {
    let range = value.range
    if concrete(value.type) == known.double { program.decimals.insert(expansion ?? range) }
    if let made = emitArithmetic(name, call, value) { return made }
    if let made = emitTime(name, call, value) { return made }
    if let made = emitCollection(name, call, value) { return made }
    if let made = emitConcurrency(name, call, value) { return made }
    if let made = emitChance(name, call, value) { return made }
    switch name {
    case "identity": return operand(0, call)
    case "some":
      return wrap(operand(0, call), concrete(value.type).wrapped ?? .error, range)
    case "zero": return constant(0, range)
    case "emptyText": return constant(intern(""), range)
    case "describe", "describeValue":
      let one = call.receiver ?? argument(0, call)
      guard let one else { return allocate() }
      return printed(emitOwned(one), concrete(one.type), range)
    case "concatenate":
      let ((one, other), result) = (operands(ofTwo: call), allocate())
      emit(.textBegin, range)
      emit(.textValue(one, .string), range)
      emit(.textValue(other, .string), range)
      emit(.textEnd(result), range)
      return result
    case "textIsBefore": return perform(.textIsBefore, call, range)
    case "textHasPrefix": return perform(.textHasPrefix, call, range)
    case "textHasSuffix": return perform(.textHasSuffix, call, range)
    case "textContains": return perform(.textContains, call, range)
    case "textCount": return perform(.textCount, call, range)
    case "textUppercased": return perform(.textUppercased, call, range)
    case "textLowercased": return perform(.textLowercased, call, range)
    case "parse": return perform(.textNumber, call, range)
    case "reflect":
      guard let one = argument(0, call) else { return allocate() }
      return printed(emitOwned(one), concrete(one.type), isPart: true, range)
    case "print": return emitPrint(call, range)
    case "debugPrint": return emitPrint(call, isPart: true, range)
    case "fatalError", "preconditionFailure":
      let message = call.arguments.first.map { emit($0) } ?? constant(intern(""), range)
      emit(.perform(.doing(.fatalError), base: window([message], range), noSite), range)
      code.frame.isReachable = false
      return message
    case "precondition": return emitPrecondition("Precondition failed", call, value)
    case "assert": return emitPrecondition("Assertion failed", call, value)
    case "typeOf":
      guard let one = argument(0, call) else { return allocate() }
      return call.isDirect ? emitOwnType(one, range) : emitTypeOf(one, range)
    case "anyEqual":
      let (one, other) = operands(ofTwo: call)
      return equalAny(one, other, range)
    case "objectIdentifier":
      let (one, result) = (operand(0, call), allocate())
      emit(.copy(result, from: one), range)
      return result
    case "errorDescription": return emitLocalizedDescription(call, range)
    case "formatted": return emitFormatted(call, range)
    case "log":
      let made = emitFormatted(call, range)
      emit(.perform(.doing(.print), base: window([made], range), noSite), range)
      return made
    case "threadNames":
      noteThreadNames(call, range)
      return allocate()
    case "textPart": return perform(.textPart, call, range)
    case "textTraits": return perform(.textTraits, call, range)
    case "textByte": return perform(.textByte, call, range)
    case "textScalar": return perform(.textScalar, call, range)
    case "textCapitalized": return perform(.textCapitalized, call, range)
    case "stored":
      guard let variable = symbol.variable else { return allocate() }
      if symbol.role == "set" { return setStored(variable, call, value) }
      guard let receiver = call.receiver, !variable.isStatic else {
        return emit(Typed.Expression(.global(variable, [:]), value.type, range))
      }
      return emit(Typed.Expression(.field(receiver, variable), value.type, range))
    case "rawValue": return emitRawValue(call, range)
    case "fromRawValue": return emitFromRawValue(call, value)
    case "allCases":
      let result = allocate()
      emit(.arrayMake(result, base: result, count: 0), range)
      for one in symbol.owner?.cases ?? [] {
        emit(.arrayAppend(result, value: constant(intern(one.name), range)), range)
      }
      return result
    case "equalParts":
      let type = concrete(symbol.parameters[0].type.substituting(substitution))
      let (one, other) = operands(ofTwo: call)
      return emitEqual(one, other, type, range)
    case "caseIsBefore":
      return emitCaseIsBefore(operand(0, call), operand(1, call), call, range)
    default:
      unsupported("'\(symbol.name)'", range)
      return allocate()
    }
  }

  // MARK: Operands

  func argument(_ index: Int, _ call: Typed.Call) -> Typed.Expression? {
    guard index < call.arguments.count else { return nil }
    switch call.arguments[index] {
    case .value(let value), .standard(let value): return value
    case .variadic, .absent: return nil
    }
  }

  func emit(_ argument: Typed.Argument) -> Register {
    switch argument {
    case .value(let value), .standard(let value): return emit(value)
    case .variadic, .absent:
      unsupported("an argument that is left out", SourceRange(0, 0))
      return allocate()
    }
  }

  /// The receiver and the arguments, one behind the other.
  func operand(_ index: Int, _ call: Typed.Call) -> Register {
    if let receiver = call.receiver {
      return index == 0 ? emit(receiver) : emit(call.arguments[index - 1])
    }
    return emit(call.arguments[index])
  }

  func operands(_ call: Typed.Call) -> [Register] {
    (call.receiver.map { [emitStable($0)] } ?? []) + call.arguments.map { emit($0) }
  }

  /// Consecutive registers with these values.
  func window(_ values: [Register], _ range: SourceRange) -> Register {
    fillWindow(values.count, range) { values[$0] }
  }

  func perform(
    _ primitive: DoingPrimitive, _ call: Typed.Call, _ range: SourceRange
  ) -> Register {
    perform(.doing(primitive), operands(call), range)
  }

  // MARK: Numbers

  func emitArithmetic(
    _ name: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    let range = value.range
    func two(_ make: (Register, Register, Register) -> Instruction) -> Register {
      let start = code.frame.next
      let (one, other) = operands(ofTwo: call)
      // An instruction reads what it takes before it writes.
      code.frame.next = start
      let result = allocate()
      emit(make(result, one, other), range)
      return result
    }
    switch name {
    case "add": return two { .add($0, $1, $2) }
    case "subtract": return two { .subtract($0, $1, $2) }
    case "multiply": return two { .multiply($0, $1, $2) }
    case "addChecked": return checked(two { .add($0, $1, $2) }, value)
    case "subtractChecked": return checked(two { .subtract($0, $1, $2) }, value)
    case "multiplyChecked": return checked(two { .multiply($0, $1, $2) }, value)
    case "divide": return two { .divide($0, $1, $2) }
    case "remainder": return two { .remainder($0, $1, $2) }
    case "scale": return two { .scale($0, $1, by: $2) }
    case "unscale": return two { .unscale($0, $1, by: $2) }
    case "ratio": return two { .ratio($0, $1, $2) }
    case "advance": return two { .advance($0, $1, by: $2) }
    case "wrappingAdd": return wrapped(two { .wrap($0, $1, $2, .add) }, value)
    case "wrappingSubtract": return wrapped(two { .wrap($0, $1, $2, .subtract) }, value)
    case "wrappingMultiply": return wrapped(two { .wrap($0, $1, $2, .multiply) }, value)
    case "shiftLeftWithin": return wrapped(two { .shiftLeft($0, $1, by: $2) }, value)
    case "narrow": return wrapped(operand(0, call), value)
    case "shiftLeft": return two { .shiftLeft($0, $1, by: $2) }
    case "shiftRight": return two { .shiftRight($0, $1, by: $2) }
    case "bitAnd": return two { .bitAnd($0, $1, $2) }
    case "bitOr": return two { .bitOr($0, $1, $2) }
    case "bitXor": return two { .bitXor($0, $1, $2) }
    case "equal": return two { .equal($0, $1, $2) }
    case "notEqual": return two { .notEqual($0, $1, $2) }
    case "less": return two { .less($0, $1, $2) }
    case "greater": return two { .less($0, $2, $1) }
    case "lessOrEqual": return two { .lessOrEqual($0, $1, $2) }
    case "greaterOrEqual": return two { .lessOrEqual($0, $2, $1) }
    case "not":
      let (one, result) = (operand(0, call), allocate())
      emit(.not(result, one), range)
      return result
    case "negate":
      let (one, result) = (operand(0, call), allocate())
      emit(.negate(result, one), range)
      return result
    case "invert":
      let (one, result) = (operand(0, call), constant(-1, range))
      emit(.bitXor(result, one, result), range)
      return result
    case "convert": return checked(operand(0, call), value)
    case "fraction": return times(operand(0, call), FixedDecimal.scale, range)
    case "truncate": return divided(operand(0, call), FixedDecimal.scale, range)
    case "roundHalf":
      // Away from 0 where two whole numbers are as near.
      let (one, half) = (operand(0, call), constant(FixedDecimal.scale / 2, range))
      let (sum, zero) = (allocate(), constant(0, range))
      let (negative, end) = (code.frame.label(), code.frame.label())
      emit(.less(zero, one, zero), range)
      emit(.jumpIf(zero, code.frame.target(negative)), range)
      emit(.add(sum, one, half), range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(negative)
      emit(.subtract(sum, one, half), range)
      code.frame.mark(end)
      return times(divided(sum, FixedDecimal.scale, range), FixedDecimal.scale, range)
    default: return nil
    }
  }

  func times(_ value: Register, _ factor: Int64, _ range: SourceRange) -> Register {
    let result = constant(factor, range)
    emit(.multiply(result, value, result), range)
    return result
  }

  func divided(_ value: Register, _ divisor: Int64, _ range: SourceRange) -> Register {
    let result = constant(divisor, range)
    emit(.divide(result, value, result), range)
    return result
  }

  /// A number in as many bits as its type has.
  ///
  /// Of 64 bits without a sign, 63 can be had here.
  func wrapped(_ value: Register, _ whole: Typed.Expression) -> Register {
    let type = concrete(whole.type)
    guard let width = Prelude.width(of: type.nominal), let bounds = Prelude.bounds(of: type.nominal)
    else { return value }
    let (range, hasSign) = (whole.range, bounds.least < 0)
    if width < 64 {
      let result = constant(hasSign ? -width : width, range)
      emit(.wrap(result, value, result, .narrow), range)
      return result
    }
    if hasSign { return value }
    let (test, fits) = (constant(0, range), code.frame.label())
    emit(.less(test, value, test), range)
    emit(.jumpUnless(test, code.frame.target(fits)), range)
    crash("a number without a sign from 2^63 on can't be simulated", range)
    code.frame.mark(fits)
    return value
  }

  /// A number that has to be within the bounds of its type.
  func checked(_ value: Register, _ whole: Typed.Expression) -> Register {
    let type = concrete(whole.type)
    guard let bounds = Prelude.bounds(of: type.nominal), bounds.least != .min else { return value }
    let range = whole.range
    let test = constant(bounds.least, range)
    let (fails, end) = (code.frame.label(), code.frame.label())
    emit(.less(test, value, test), range)
    if bounds.least == 0 {
      let present = code.frame.label()
      emit(.jumpUnless(test, code.frame.target(present)), range)
      crash("Negative value is not representable", range)
      code.frame.mark(present)
    } else {
      emit(.jumpIf(test, code.frame.target(fails)), range)
    }
    if bounds.most != .max {
      emit(.constant(bounds.most, to: test), range)
      emit(.less(test, test, value), range)
      emit(.jumpIf(test, code.frame.target(fails)), range)
    }
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(fails)
    crash("Not enough bits to represent the passed value", range)
    code.frame.mark(end)
    return value
  }

  // MARK: Times

  private func emitTime(
    _ name: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    let range = value.range
    switch name {
    case "times1000": return times(operand(0, call), 1_000, range)
    case "times1000000": return times(operand(0, call), 1_000_000, range)
    case "times1000000000": return times(operand(0, call), 1_000_000_000, range)
    case "fraction1000": return divided(operand(0, call), 1_000, range)
    case "fraction1000000": return divided(operand(0, call), 1_000_000, range)
    case "now":
      let result = allocate()
      emit(.now(result), range)
      return result
    case "interval":
      // From the end of time to its beginning is as long as can be.
      let (one, other) = (operand(0, call), operand(1, call))
      let (negated, result) = (allocate(), allocate())
      emit(.negate(negated, other), range)
      emit(.advance(result, one, by: negated), range)
      return result
    case "distantFuture": return constant(Instant.distantFuture.nanoseconds, range)
    case "distantPast": return constant(Instant.distantPast.nanoseconds, range)
    default: return nil
    }
  }

  // MARK: Printing

  private func emitPrint(
    _ call: Typed.Call, isPart: Bool = false, _ range: SourceRange
  ) -> Register {
    guard case .variadic(let items)? = call.arguments.first else { return allocate() }
    let plain = items.map(beforeAny)
    let values = zip(emitOwned(eachOf: plain), plain).map { ($0, concrete($1.type)) }
    let separator = emit(call.arguments[1])
    var terminator: Register?
    if case .value(let value) = call.arguments[2] { terminator = emit(value) }
    let parts = values.map { describe($0.0, $0.1, isPart: isPart, range) }
    let base = allocate()
    emit(.textBegin, range)
    for (index, part) in parts.enumerated() {
      if index > 0 { emit(.textValue(separator, .string), range) }
      emit(.textValue(part.register, part.format), range)
    }
    if let terminator { emit(.textValue(terminator, .string), range) }
    emit(.textEnd(base), range)
    emit(
      .perform(.doing(terminator == nil ? .print : .printPart), base: base, noSite), range)
    return base
  }

  /// The value that is passed as `Any`, as it is in front of that.
  func beforeAny(_ value: Typed.Expression) -> Typed.Expression {
    switch value.kind {
    case .conversion(let inner), .cast(let inner, .coerce, _): return beforeAny(inner)
    case .await(let inner):
      let plain = beforeAny(inner)
      return plain === inner ? value : Typed.Expression(.await(plain), plain.type, value.range)
    case .attempt(let kind, let inner) where kind != .optional:
      let plain = beforeAny(inner)
      return plain === inner
        ? value : Typed.Expression(.attempt(kind, plain), plain.type, value.range)
    default: return value
    }
  }

  private func emitPrecondition(
    _ title: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    guard let condition = argument(0, call) else { return allocate() }
    let range = value.range
    let test = emitInPlace(condition, Typed.Expression(.error, known.boolean, range))
    let holds = code.frame.label()
    emit(.jumpIf(test, code.frame.target(holds)), range)
    let message =
      argument(1, call).map {
        emitInPlace($0, Typed.Expression(.error, known.string, range))
      } ?? constant(intern(""), range)
    let whole = constant(intern(title), range)
    let (isEmpty, plain) = (constant(intern(""), range), code.frame.label())
    emit(.equal(isEmpty, isEmpty, message), range)
    emit(.jumpIf(isEmpty, code.frame.target(plain)), range)
    text([(title + ": ", nil), (nil, (message, .string))], into: whole, range)
    code.frame.mark(plain)
    emit(.perform(.doing(.trap), base: window([whole], range), noSite), range)
    code.frame.isReachable = false
    code.frame.mark(holds)
    return test
  }
}
