import SpindleModel

/// Expressions to registers.
extension Lowering {
  /// The value of an expression, as a constant or in a register.
  ///
  /// `expecting` is the type that is wanted, a hint for numbers and names; the result need not have
  /// it. `target` is a register that nothing else reads yet, where the result may be put.
  /// What was made or read on the way to it is let go of.
  mutating func value(
    _ expression: Expression, expecting: ValueType? = nil, target: Register? = nil
  ) -> Operand {
    let (mark, outer) = (frame.temporaries.count, temporariesOfCall)
    temporariesOfCall = mark
    let made = evaluated(expression, expecting, target)
    temporariesOfCall = outer
    if frame.temporaries.count > mark { releaseUsed(for: made, from: mark, expression.range) }
    return made
  }

  /// The value of which a property is read, or an element where no `property` is named.
  ///
  /// A struct or an array in a property is read where it stands, so that what has it ends no sooner than the reading:
  /// run with Swift 6.3.1, `make().list[0]`. What is computed from one is given a copy.
  mutating func base(
    _ expression: Expression, of property: Word? = nil, target: Register? = nil
  ) -> Operand {
    let (mark, outer) = (frame.temporaries.count, temporariesOfCall)
    temporariesOfCall = mark
    let made = evaluated(expression, nil, target)
    temporariesOfCall = outer
    if frame.temporaries.count > mark, !isReadInPlace(expression, made, property) {
      releaseUsed(for: made, from: mark, expression.range)
    }
    return made
  }

  private func isReadInPlace(
    _ expression: Expression, _ made: Operand, _ property: Word?
  ) -> Bool {
    guard case .member(let access) = expression.kind, !isComputed(access.name) else { return false }
    guard let property else { return made.type.isCollection }
    guard case .instance(let name) = made.type, !isComputed(property) else { return false }
    return checker.classes[checker.classes.index(of: name)].isStruct
  }

  private mutating func evaluated(
    _ expression: Expression, _ expecting: ValueType?, _ target: Register?
  ) -> Operand {
    let range = expression.range
    switch expression.kind {
    case .integer(let number): return integer(number, expecting, range)
    case .decimal(let number): return .constant(number.billionths, .decimal)
    case .duration(let length): return .constant(length.rawValue, .duration)
    case .size(let size): return .constant(size.rawValue, .size)
    case .percent: return refuse(Messages.strayPercent, range)
    case .text(let text): return .constant(Int64(intern(text).index), .string)
    case .string(let segments): return text(segments, target: target, range)
    case .boolean(let truth): return .constant(truth ? 1 : 0, .boolean)
    case .none: return .constant(noValue, .null)
    case .name(let name): return named(name, expecting, target: target, range)
    case .implicitMember(let name): return implicit(name.text, expecting, target: target, range)
    case .array(let elements):
      if case .options(let family) = expecting?.unwrapped {
        return options(elements, family, range)
      }
      return arrayLiteral(elements, expecting: expecting, target: target, range)
    case .dictionary(let entries):
      return dictionaryLiteral(entries, expecting: expecting, target: target, range)
    case .member(let access):
      if let name = plainName(access) { return ownValue(name, expecting, target: target) }
      if case .functionOf(let function)? = expecting?.unwrapped,
        let made = spelledOut(expression, function, expecting, target)
      {
        return made
      }
      return member(access.base, access.name, access.nameRange, target: target, range)
    case .call(let call):
      return lowerCall(call, isUsed: true, expecting: expecting, target: target)
    case .element(let access):
      return element(access.value, target: target, range)
    case .prefix(let operation, let inner):
      return prefix(operation, inner, expecting, target: target, range)
    case .infix(let operation, let sides):
      return infix(
        operation, sides.left, sides.right, sides.operatorRange, expecting, target: target, range)
    case .conditional(let choice):
      return conditional(
        choice.condition, choice.first, choice.second, expecting, target: target, range)
    case .range: return expecting == .unknown ? .unknown : refuse(Messages.strayRange, range)
    case .closure(let closure):
      return closureValue(closure.value, expecting: expecting, target: target, range)
    case .coalesce(let sides): return coalesce(sides.value, expecting, target: target, range)
    case .unwrap(let inner): return forced(inner, expecting, target: target, range)
    case .bind(let inner): return bound(inner, target: target)
    case .chain(let inner): return chain(inner, expecting, range)
    case .await(let inner, let isTried):
      return awaited(inner, isTried: isTried, expecting: expecting, target: target, range)
    case .specialized(let name, _): return refuse(Messages.typeAsValue(name.text), range)
    case .attempt(let isForced, let inner):
      return attempt(isForced: isForced, inner, expecting, range)
    case .condition, .match: return refuse(Messages.strayBinding, range)
    case .missing: return .unknown
    }
  }

  private mutating func integer(
    _ number: Int64, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand {
    if expecting?.unwrapped == .decimal { return decimal(number, range) }
    var result = Operand.constant(number, .integer)
    result.isLiteral = true
    return result
  }

  /// A whole number as a decimal.
  mutating func decimal(_ number: Int64, _ range: SourceRange) -> Operand {
    let (billionths, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
    guard !overflow else { return refuse(Messages.decimalTooLarge, range) }
    return .constant(billionths, .decimal)
  }

  // MARK: Registers

  /// A register that holds `operand`.
  mutating func register(of operand: Operand, _ range: SourceRange) -> Register {
    switch operand.location {
    case .register(let register): return register
    case .constant(let value):
      let register = frame.allocate()
      emit(.constant(value, to: register), range)
      return register
    }
  }

  /// Puts `operand` into `register`.
  mutating func place(_ operand: Operand, in register: Register, _ range: SourceRange) {
    switch operand.location {
    case .constant(let value): emit(.constant(value, to: register), range)
    case .register(let from):
      if from != register { emit(.copy(register, from: from), range) }
    }
  }

  /// A value that can be kept: an array, dictionary or set that a `var` has is copied, and so is one that a `var` gets.
  mutating func kept(_ operand: Operand, isVariable: Bool) -> Operand {
    if let copy = ownCopy(operand, frame.code.lastPlace ?? SourceRange(0, 0)) { return copy }
    guard operand.type.isCollection, !operand.isFresh, operand.isVariable || isVariable,
      case .register(let from) = operand.location
    else { return operand }
    let register = frame.allocate()
    let range = frame.code.lastPlace ?? SourceRange(0, 0)
    emit(.arrayCopy(register, from: from), range)
    return held(.register(register, operand.type), range)
  }

  // MARK: Types

  /// `operand` as a value of `type`; reports what can't be one.
  ///
  /// An optional value is checked when the program runs: a missing one crashes, as `!` would.
  @inline(__always)
  mutating func coerce(_ operand: Operand, to type: ValueType, _ range: SourceRange) -> Operand {
    type.isPlainly(operand.type) && !operand.isLiteral
      ? operand : converted(operand, to: type, range)
  }

  /// What `coerce` gives where the type is not just the one that is wanted.
  private mutating func converted(
    _ operand: Operand, to type: ValueType, _ range: SourceRange
  ) -> Operand {
    if type.accepts(operand.type) {
      noteHandover(asked: type, of: operand.type)
      if let made = visiting(operand, as: type, range) { return made }
      var result = operand
      // No name has the type of what a run loop takes, and its row asks for the object's own class.
      let keepsOwn = type == .handle(.runLoopItem)
      if !type.isUnknown && !operand.type.isUnknown && !keepsOwn { result.type = type }
      if result.isLiteral, type != .integer { result.isLiteral = false }
      if type.unwrapped == .symbol(.mode), operand.type == .string {
        return mode(named: operand, range)
      }
      return result
    }
    if operand.isLiteral, type.unwrapped == .decimal, let number = operand.constant {
      return decimal(number, range)
    }
    if let message = checker.missingUnit(operand, type, range) { return refuse(message, range) }
    if let parent = parent(of: operand, range), type.accepts(parent.type) { return parent }
    if let made = parents(of: operand, as: type, range) { return made }
    if let made = result(of: operand, as: type.unwrapped, range) { return made }
    if type.unwrapped == .string, case .choice(let name) = operand.type,
      checker.enums[checker.enums.index(of: name)].isError
    {
      return Operand(type: type, location: thrownName(operand, name, range).location)
    }
    if type.unwrapped == .string, var text = thrownText(operand, range) {
      text.type = type
      return text
    }
    if case .optionalOf(let wrapped) = operand.type, type.accepts(wrapped.type) {
      return unwrap(operand, range)
    }
    if let any = anyObject(operand, as: type) { return coerce(any, to: type, range) }
    if let base = checker.parents["\(operand.type)"], base == "\(type.unwrapped)" {
      return refuse(Messages.noSubtype("\(operand.type)", of: base), range)
    }
    let message =
      libraryMismatch(type, operand)
      ?? Messages.mismatch(expected: "\(type)", found: "\(operand.type)")
    return refuse(message, range)
  }

  /// The value of an optional; where there is none, the simulated program crashes with that message.
  mutating func unwrap(
    _ operand: Operand, _ range: SourceRange, otherwise message: String = Messages.runTimeNil
  ) -> Operand {
    guard case .optionalOf(let wrapped) = operand.type else { return operand }
    let register = register(of: operand, range)
    let next = frame.next
    let test = frame.allocate()
    let present = frame.label()
    emit(.constant(noValue, to: test), range)
    emit(.notEqual(test, register, test), range)
    emit(.jumpIf(test, frame.target(present)), range)
    crash(message, range)
    frame.mark(present)
    frame.next = next
    return .register(register, wrapped.type)
  }

  // MARK: Names

  private mutating func named(
    _ name: Word, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    guard let index = find(name) else {
      if let own = ownMember(name, range) { return value(own, target: target) }
      if let own = ownCase(name, range) { return own }
      if let property = vocabulary.free.property(name) {
        return read(property, object: nil, target: target, range)
      }
      return checker.unknownName(name, range)
    }
    let symbol = scope[index]
    scope[index].isUsed = true
    usage.noteUse(of: index, boundAt: symbol.place)
    if symbol.late >= 0 { noteReading(index, range) }
    if symbol.isAsyncLet { return asyncLetValue(index, target: target, range) }
    if symbol.isTaskLocal { return taskLocalValue(index, target: target, range) }
    if statics.hasAny {
      if let made = computedStatic(index, target: target, range) { return made }
      if let hop = beginStaticRead(index, range) {
        leave(for: hop, arguments: 0, range)
        makeLazy(index, range)
        let made = stored(index, expecting, target: target, range)
        comeBack(from: hop, range)
        return made
      }
      makeLazy(index, range)
    }
    return stored(index, expecting, target: target, range)
  }

  /// The value that a symbol has.
  private mutating func stored(
    _ index: Int32, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    let symbol = scope[index]
    let name = symbol.name
    switch symbol.meaning {
    case .constant(let value):
      noteConstant(index)
      return .constant(value, symbol.type)
    case .register where symbol.entries >= 0:
      return refuse(Messages.wholeEntry(name.text), range)
    case .register:
      noteEscape(index)
      guard let register = register(of: index) else { return .unknown }
      if symbol.isWeak { return ifAlive(.register(register, symbol.type), target: target, range) }
      if symbol.isUnowned { checkUnowned(register, symbol.type, range) }
      return .register(register, symbol.type)
    case .variable:
      guard let register = register(of: index) else {
        cells.want(symbol)
        return isLenient ? .unknown : refuse(Messages.capturedVariable(name.text), range)
      }
      if symbol.isWeak { return ifAlive(.register(register, symbol.type), target: target, range) }
      return Operand(type: symbol.type, location: .register(register), isVariable: true)
    case .cell: return value(cellMember(index, range), target: target)
    case .global(let global):
      let register = target ?? frame.allocate()
      emit(.loadGlobal(register, global), range)
      return .register(register, symbol.type)
    case .shared(let global):
      let register = target ?? frame.allocate()
      emit(
        changing == global ? .readToChange(register, global) : .readShared(register, global), range)
      if symbol.isWeak { return ifAlive(.register(register, symbol.type), target: target, range) }
      return shared(
        Operand(type: symbol.type, location: .register(register), isVariable: true), range)
    case .function:
      guard case .functionOf(let wanted)? = expecting?.unwrapped else {
        return refuse(Messages.functionAsValue(name.text), range)
      }
      return functionValue(name, wanted.traits, target: target, range)
    case .pending:
      if let value = statics.lazy(index)?.value, isForeign(value) { return .unknown }
      return refuse(Messages.usedTooEarly(name.text), range)
    }
  }

  // MARK: Choice

  private mutating func conditional(
    _ condition: Expression, _ first: Expression, _ second: Expression, _ expecting: ValueType?,
    target: Register?, _ range: SourceRange
  ) -> Operand {
    if let known = constantCondition(condition) {
      let other = value(of: known ? second : first, expecting, isReachable: false)
      let chosen = value(known ? first : second, expecting: expecting, target: target)
      return unify(chosen, other, known ? first : second, known ? second : first)
    }
    let expecting = expecting ?? functionType(of: first)
    let result = target ?? frame.allocate()
    let (otherwise, end) = (frame.label(), frame.label())
    let next = frame.next
    branch(condition, when: false, to: otherwise)
    let one = kept(value(first, expecting: expecting, target: result), isVariable: false)
    place(one, in: result, first.range)
    frame.next = next
    frame.jump(end, first.range)
    frame.mark(otherwise)
    let hint = one.type == .null || one.isLiteral ? expecting : expecting ?? one.type
    let two = kept(value(second, expecting: hint, target: result), isVariable: false)
    var unified = unify(one, two, first, second)
    if one.isLiteral, two.type == .decimal { unified = refuse(Messages.mixedChoice, range) }
    place(two, in: result, second.range)
    frame.next = next
    frame.mark(end)
    return .register(result, unified.type)
  }

  /// What an expression that is never evaluated would be: its mistakes are told all the same.
  private mutating func value(
    of expression: Expression, _ expecting: ValueType?, isReachable: Bool
  ) -> Operand {
    let wasReachable = frame.isReachable
    frame.isReachable = isReachable
    let result = value(expression, expecting: expecting)
    frame.isReachable = wasReachable
    return result
  }

  /// The value of a condition of literals and parameters, nil when only the run can tell.
  mutating func constantCondition(_ condition: Expression) -> Bool? {
    guard isSimple(condition) else { return nil }
    let wasReachable = frame.isReachable
    let (next, count) = (frame.next, checker.diagnosis.count)
    frame.isReachable = false
    let made = value(condition, expecting: .boolean)
    frame.isReachable = wasReachable
    frame.next = next
    guard made.type == .boolean, let truth = made.constant else {
      checker.diagnosis.retract(to: count)
      return nil
    }
    return truth != 0
  }

  private mutating func unify(
    _ one: Operand, _ two: Operand, _ first: Expression, _ second: Expression
  ) -> Operand {
    if one.type.accepts(two.type) { return one }
    if two.type.accepts(one.type) {
      var result = one
      result.type = two.type
      return result
    }
    switch (one.type, two.type) {
    case (.null, let other), (let other, .null):
      var result = one
      result.type = .optional(other)
      return result
    default:
      if let message = checker.missingUnit(one, two.type, first.range) {
        return refuse(message, first.range)
      }
      return refuse(
        checker.missingUnit(two, one.type, second.range)
          ?? Messages.mismatch(expected: "\(one.type)", found: "\(two.type)"), second.range)
    }
  }
}
