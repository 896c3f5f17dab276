import SpindleModel

/// What is done where a dictionary has no value for a key that is changed.
enum MissingEntry {
  /// `d[key]`: only a whole value can be assigned.
  case refused
  /// `d[key, default: x]`.
  case takesDefault
  /// `d[key]?`: nothing more is done.
  case ends
  /// `d[key]!`.
  case crashes
}

/// Dictionaries: what is written, read and assigned.
extension Lowering {
  /// `[k: v]`, `[:]`.
  mutating func dictionaryLiteral(
    _ entries: SyntaxList<Expression.Entry>, expecting: ValueType?, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    var types: (key: ValueType?, value: ValueType?)
    if case .dictionaryOf(let wanted) = expecting?.unwrapped {
      types = (wanted.parameters[0], wanted.result)
    }
    let result = target ?? frame.allocate()
    let next = frame.next
    emit(.arrayMake(result, base: result, count: 0), range)
    var written: Set<Int64> = []
    for entry in entries {
      let (key, item) = (frame.allocate(), frame.allocate())
      types.key = entryPart(entry.key, types.key, in: key, item, &written, of: result)
      types.value = entryPart(entry.value, types.value, in: item)
      emit(.entrySet(result, key: key, value: item), entry.value.range)
      frame.next = next
    }
    guard let key = types.key, let value = types.value else {
      return expecting == .unknown ? .unknown : refuse(Messages.untypedDictionary, range)
    }
    if let first = entries.first {
      guard checker.isDictionary(key, first.key.range, value, first.value.range) else {
        return .unknown
      }
    }
    var made = Operand.register(result, .dictionary(key, value))
    made.isFresh = true
    return counted(made, range)
  }

  private mutating func entryPart(
    _ part: Expression, _ type: ValueType?, in register: Register
  ) -> ValueType {
    let type = type ?? functionType(of: part)
    var made = value(part, expecting: type, target: register)
    made = type.map { coerce(made, to: $0, part.range) } ?? storable(made, part.range)
    place(kept(made, isVariable: true), in: register, part.range)
    frame.next = Int(register.index) + 1
    return type ?? made.type
  }

  /// A key of a literal, which is there once.
  private mutating func entryPart(
    _ part: Expression, _ type: ValueType?, in register: Register, _ test: Register,
    _ written: inout Set<Int64>, of dictionary: Register
  ) -> ValueType {
    let made = type.map { coerce(value(part, expecting: type), to: $0, part.range) } ?? value(part)
    place(made, in: register, part.range)
    frame.next = Int(test.index) + 1
    if let constant = made.constant, !made.type.isUnknown {
      if !written.insert(constant).inserted {
        error(Messages.duplicateKey(source.text(in: part.range)), part.range)
      }
    } else if !made.type.isUnknown {
      let isNew = frame.label()
      emit(.entryGet(test, of: dictionary, key: register), part.range)
      jump(ifMissing: test, to: isNew, part.range)
      crash(Messages.runTimeKeys, part.range)
      frame.mark(isNew)
    }
    return type ?? made.type
  }

  // MARK: Reading

  /// The value of `d[key]`, and of `d[key, default: x]`; `dictionary` is nil where a variable holds it,
  /// which is read when the key is known.
  mutating func entry(
    _ access: Expression.ElementAccess, of dictionary: Operand?, _ types: FunctionNode,
    target: Register?, _ range: SourceRange
  ) -> Operand {
    let key = frame.allocate()
    entryKey(access, of: .dictionaryOf(types), into: key)
    let made = dictionary ?? unwrap(value(access.base), access.base.range)
    let from = register(of: made, range)
    let result = frame.allocate()
    emit(.entryGet(result, of: from, key: key), range)
    noteLook(at: access.base, key: key, range)
    guard let fallback = access.fallback else {
      return shared(
        Operand(
          type: .optional(types.result), location: .register(result),
          isVariable: types.result.isCollection), range)
    }
    let present = frame.label()
    jump(ifPresent: result, to: present, range)
    let other = coerce(
      value(fallback, expecting: types.result, target: result), to: types.result, fallback.range)
    place(kept(other, isVariable: false), in: result, fallback.range)
    frame.next = Int(result.index) + 1
    frame.mark(present)
    return shared(
      Operand(
        type: types.result, location: .register(result), isVariable: types.result.isCollection),
      range)
  }

  /// Evaluates the key of an element into `register`.
  mutating func entryKey(
    _ access: Expression.ElementAccess, of dictionary: ValueType, into register: Register
  ) {
    guard case .dictionaryOf(let types) = dictionary.unwrapped else { return }
    let formal = Formal(label: nil, type: types.parameters[0], isOptional: false, slot: 0)
    argument(access.index, formal, into: register)
    frame.next = max(frame.next, Int(register.index) + 1)
  }

  // MARK: Places

  /// The variable that holds the dictionary of an element; nil where it is none.
  mutating func entries(of access: Expression.ElementAccess) -> ArrayPlace? {
    guard let place = arrayPlace(access.base), case .dictionaryOf = place.type else { return nil }
    return place
  }

  /// The value of a key as a place, where it is an array, a dictionary or a set.
  mutating func entryPlace(
    _ access: Expression.ElementAccess, _ missing: MissingEntry
  ) -> ArrayPlace? {
    guard let dictionary = entries(of: access), case .dictionaryOf(let types) = dictionary.type,
      types.result.isCollection
    else { return nil }
    return ArrayPlace(kind: .entry(dictionary, access, missing), type: types.result)
  }

  /// Puts the present value of a key that is to be changed into `register`.
  mutating func present(
    _ access: Expression.ElementAccess, _ missing: MissingEntry, _ dictionary: Register,
    key: Register, _ type: ValueType, in register: Register
  ) {
    let range = access.index.range
    emit(.entryGet(register, of: dictionary, key: key), range)
    if missing == .ends, let exit = chainExits.last {
      return jump(ifMissing: register, to: exit, range)
    }
    let isThere = frame.label()
    jump(ifPresent: register, to: isThere, range)
    if let fallback = access.fallback {
      let made = coerce(value(fallback, expecting: type), to: type, fallback.range)
      place(kept(made, isVariable: true), in: register, fallback.range)
    } else {
      let isReached = frame.isReachable
      crash(Messages.runTimeNil, range)
      frame.isReachable = isReached
    }
    frame.mark(isThere)
  }

  // MARK: Assigning

  /// `d[key] = x`, `d[key] = nil`, `d[key, default: 0] += x`, `d[key]! += x`, `d[key]? += x`.
  mutating func assignEntry(
    _ variable: ArrayPlace, _ access: Expression.ElementAccess, _ missing: MissingEntry,
    _ operation: Expression.InfixOperator?, _ expression: Expression, _ range: SourceRange
  ) {
    var place = variable
    guard case .dictionaryOf(let types) = place.type, changeable(&place, access.base) else {
      _ = value(expression, expecting: .unknown)
      return
    }
    let (key, register) = (frame.allocate(), frame.allocate())
    entryKey(access, of: place.type, into: key)
    frame.next = Int(register.index) + 1
    let type = types.result
    if missing == .ends { checkEntry(place, access, missing, key: key, type, register) }
    guard let operation else {
      let isPlain = access.fallback == nil && missing == .refused
      return assignWhole(
        expression, isPlain ? .optional(type) : type, to: place, access, missing, key: key,
        register, range)
    }
    if missing == .refused, access.fallback == nil {
      let text = source.text(in: access.base.range.union(access.index.range)) + "]"
      _ = value(expression, expecting: .unknown)
      return error(Messages.optionalChange(text, operation.rawValue), range)
    }
    let made = rightSide(operation, type, expression)
    noteChange(in: place, key: key, range)
    let dictionary = load(place, access.base.range)
    present(access, missing, dictionary, key: key, type, in: register)
    let joined = join(
      .register(register, type), operation, made, expression, target: register, range)
    self.place(coerce(joined, to: type, range), in: register, range)
    emit(.entrySet(dictionary, key: key, value: register), range)
    store(dictionary, to: place, range)
  }

  /// Where there is no such key, nothing more is done, or the process crashes.
  private mutating func checkEntry(
    _ place: ArrayPlace, _ access: Expression.ElementAccess, _ missing: MissingEntry,
    key: Register, _ type: ValueType, _ register: Register
  ) {
    let (next, mark) = (frame.next, frame.temporaries.count)
    let dictionary = load(place, access.base.range)
    present(access, missing, dictionary, key: key, type, in: register)
    releaseUsed(for: .void, from: mark, access.index.range)
    frame.next = next
  }

  private mutating func assignWhole(
    _ expression: Expression, _ type: ValueType, to place: ArrayPlace,
    _ access: Expression.ElementAccess, _ missing: MissingEntry, key: Register,
    _ register: Register, _ range: SourceRange
  ) {
    let given = value(expression, expecting: type, target: register)
    let made = coerce(given, to: type, expression.range)
    self.place(kept(made, isVariable: true), in: register, expression.range)
    if missing == .crashes { checkEntry(place, access, missing, key: key, type, frame.allocate()) }
    noteChange(in: place, key: key, range)
    let dictionary = load(place, access.base.range)
    if let fallback = access.fallback { evaluateUnused(fallback, type, dictionary, key: key) }
    let (isNil, end) = (frame.label(), frame.label())
    if given.type != .null {
      if case .optionalOf = given.type { jump(ifMissing: register, to: isNil, range) }
      emit(.entrySet(dictionary, key: key, value: register), range)
      frame.jump(end, range)
    }
    frame.mark(isNil)
    if given.type == .null || given.type.unwrapped != given.type {
      let mark = frame.temporaries.count
      removeEntry(key, of: dictionary, place.type, range)
      releaseUsed(for: .void, from: mark, range)
    }
    frame.mark(end)
    store(dictionary, to: place, range)
  }

  /// The default of a key that is only set: evaluated where there is no such key, and not used, as in Swift.
  private mutating func evaluateUnused(
    _ fallback: Expression, _ type: ValueType, _ dictionary: Register, key: Register
  ) {
    let next = frame.next
    let (value, present) = (frame.allocate(), frame.label())
    emit(.entryGet(value, of: dictionary, key: key), fallback.range)
    jump(ifPresent: value, to: present, fallback.range)
    let mark = frame.temporaries.count
    _ = coerce(self.value(fallback, expecting: type), to: type, fallback.range)
    releaseUsed(for: .void, from: mark, fallback.range)
    frame.mark(present)
    frame.next = next
  }

  /// Takes a key out, and gives its value, which the statement holds.
  @discardableResult
  mutating func removeEntry(
    _ key: Register, of dictionary: Register, _ type: ValueType, _ range: SourceRange
  ) -> Operand {
    guard case .dictionaryOf(let types) = type else { return .unknown }
    let result = frame.allocate()
    emit(.entryRemove(result, of: dictionary, key: key), range)
    return held(.register(result, .optional(types.result)), range)
  }
}

extension Checker {
  /// The type of a dictionary of these; reports what can't be one.
  mutating func dictionary(
    _ key: ValueType, _ keyRange: SourceRange, _ value: ValueType, _ range: SourceRange
  ) -> ValueType {
    if key.isUnknown || value.isUnknown { return .unknown }
    return isDictionary(key, keyRange, value, range) ? .dictionary(key, value) : .unknown
  }

  mutating func isDictionary(
    _ key: ValueType, _ keyRange: SourceRange, _ value: ValueType, _ range: SourceRange
  ) -> Bool {
    if key.isUnknown || value.isUnknown || value == .null || value.isVoid { return false }
    guard key.isKey else {
      error(Messages.keyType("\(key)"), keyRange)
      return false
    }
    if case .optionalOf = value {
      error(Messages.optionalEntry, range)
      return false
    }
    return true
  }

  /// The type of a set of these; reports what can't be one.
  mutating func set(of element: ValueType, _ range: SourceRange?) -> ValueType {
    if element.isUnknown { return .unknown }
    guard element.isKey else {
      if let range { error(Messages.keyType("\(element)"), range) }
      return .unknown
    }
    return .setOf(TypeNode(element))
  }
}
