import SpindleModel

/// Members of dictionaries and sets, and what makes them.
extension Lowering {
  // MARK: Making

  /// `[Int: String]()`.
  mutating func makeDictionary(
    _ entries: SyntaxList<Expression.Entry>, _ call: CallSite, target: Register?
  ) -> Operand {
    guard call.arguments.isEmpty, call.closures.isEmpty, entries.count == 1,
      let key = writtenType(entries[0].key), let value = writtenType(entries[0].value)
    else {
      walkStray(call)
      return refuse(Messages.dictionaryForm, call.callee.range)
    }
    let type = checker.dictionary(checker.type(key), key.range, checker.type(value), value.range)
    return emptyCollection(type, target: target, call.place)
  }

  /// `Set<Int>()`, `Set<Int>(a)`, `Dictionary<Int, String>()`, `Array<Int>()`; nil for other types.
  mutating func collection(
    _ name: Word, _ types: SyntaxList<TypeName>, _ call: CallSite, target: Register?
  ) -> Operand? {
    guard ["Set", "Dictionary", "Array"].contains(name.text) else { return nil }
    let type = checker.genericType(name, types)
    if call.arguments.isEmpty, call.closures.isEmpty {
      return emptyCollection(type, target: target, call.place)
    }
    if case .setOf(let element) = type { return set(of: call, element.type, target: target) }
    if let made = repeatedArray(call, expecting: type) { return made }
    walkStray(call)
    return type.isUnknown ? .unknown : refuse(Messages.tooManyArguments("\(type)"), call.range)
  }

  mutating func emptyCollection(
    _ type: ValueType, target: Register?, _ range: SourceRange
  ) -> Operand {
    if !type.isCollection { return .unknown }
    let result = target ?? frame.allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    var made = Operand.register(result, type)
    made.isFresh = true
    return counted(made, range)
  }

  /// `[1, 2]` where a set is wanted.
  mutating func setLiteral(
    _ elements: SyntaxList<Expression>, of type: ValueType, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    let made = emptyCollection(.setOf(TypeNode(type)), target: target, range)
    let set = register(of: made, range)
    let next = frame.next
    for element in elements {
      let register = frame.allocate()
      argument(element, Formal(label: nil, type: type, isOptional: false, slot: 0), into: register)
      emit(.entrySet(set, key: register, value: register), element.range)
      frame.next = next
    }
    return made
  }

  /// `Set(a)`, `Set([1, 2])`: of an array, of a range, or of another set.
  mutating func set(
    of call: CallSite, _ wanted: ValueType? = nil, target: Register?
  ) -> Operand {
    guard call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == nil else {
      walkStray(call)
      return refuse(
        call.arguments.isEmpty ? Messages.untypedSet : Messages.oneValue("Set"), call.range)
    }
    let written = call.arguments[0].value
    let given: Operand
    if case .range(let bounds) = written.kind {
      given = numbers(in: bounds.value, written.range)
    } else {
      given = unwrap(value(written, expecting: wanted.map { .array($0) }), written.range)
    }
    let element: ValueType
    switch given.type {
    case .arrayOf(let known), .setOf(let known): element = known.type
    case .unknown: return .unknown
    default:
      return refuse(
        Messages.mismatch(expected: "an array", found: "\(given.type)"), written.range)
    }
    let type = checker.set(of: element, written.range)
    guard !type.isUnknown else { return .unknown }
    let from = register(of: given, written.range)
    let made = emptyCollection(type, target: target, call.place)
    let set = register(of: made, call.place)
    eachElement(of: from, call.place) { lowering, item, _, _ in
      lowering.emit(.entrySet(set, key: item, value: item), call.place)
    }
    return made
  }

  /// The type that an expression spells in `[T]()`; nil for what spells none.
  mutating func writtenType(_ expression: Expression) -> TypeName? {
    let kind: TypeName.Kind
    switch expression.kind {
    case .name(let name): kind = .name(name)
    case .member: kind = .name(code.word(source.text(in: expression.range)))
    case .specialized(let name, let types): kind = .generic(name, types)
    case .array(let elements) where elements.count == 1:
      guard let element = writtenType(elements[0]) else { return nil }
      kind = .array(arena.node(element))
    case .dictionary(let entries) where entries.count == 1:
      guard let key = writtenType(entries[0].key), let value = writtenType(entries[0].value) else {
        return nil
      }
      kind = .dictionary(key: arena.node(key), arena.node(value))
    default: return nil
    }
    return TypeName(kind: kind, range: expression.range)
  }

  // MARK: Reading

  /// A property of an array, a dictionary or a set; nil when there is none of that name.
  mutating func collectionProperty(
    _ object: Operand, _ name: String, target: Register?, _ range: SourceRange
  ) -> Operand? {
    switch object.type {
    case .arrayOf(let element):
      return arrayProperty(object, element.type, name, target: target, range)
    case .setOf(let element) where name == "first":
      return arrayProperty(object, element.type, name, target: target, range)
    case .dictionaryOf(let types) where name == "keys":
      let from = register(of: object, range)
      let result = target ?? frame.allocate()
      emit(.entryKeys(result, of: from), range)
      var made = Operand.register(result, .array(types.parameters[0]))
      made.isFresh = true
      return made
    case .dictionaryOf(let types) where name == "values":
      return Operand(type: .array(types.result), location: object.location, isVariable: true)
    default: return nil
    }
  }

  mutating func refuseCollectionMember(
    _ name: String, of type: ValueType, _ range: SourceRange
  ) -> Operand {
    let isSet = if case .setOf = type { true } else { false }
    return refuse(Messages.collectionMember(name, of: "\(type)", isSet: isSet), range)
  }

  /// A function of a dictionary or a set that leaves it as it is; nil when there is none of that name.
  mutating func entriesCall(_ object: Operand, _ name: String, _ call: CallSite) -> Operand? {
    let entries = register(of: object, call.place)
    switch object.type {
    case .setOf(let element):
      if name == "contains", call.closures.isEmpty, call.arguments.first?.label == nil {
        return contains(entries, element.type, call)
      }
      let taken = [
        "contains", "forEach", "map", "allSatisfy", "reduce", "min", "max", "randomElement",
        "sorted",
        "compactMap", "flatMap", "first", "count", "joined",
      ]
      guard taken.contains(name) else { return nil }
      var array = object
      array.type = .array(element.type)
      return arrayCall(array, element.type, name, call)
    case .dictionaryOf(let types) where name == "forEach":
      let given = [types.parameters[0], types.result]
      guard let body = elementBody(call, nil, given, .void) else { return .unknown }
      if case .literal(let closure, _) = body, closure.parameters.count == 1,
        let only = closure.parameters.first, !only.word.isUnderscore
      {
        return refuse(Messages.entryClosure, closure.body.range)
      }
      let keys = frame.allocate()
      emit(.entryKeys(keys, of: entries), call.place)
      eachElement(of: entries, call.place) { lowering, item, index, _ in
        let key = lowering.frame.allocate()
        lowering.emit(.arrayGet(key, array: keys, index: index), call.place)
        _ = lowering.run(body, [(key, given[0]), (item, given[1])], .void)
      }
      return .void
    default: return nil
    }
  }

  private mutating func contains(
    _ set: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    guard let given = entryArguments("contains", [(nil, element)], call) else { return .unknown }
    let (result, nothing) = (frame.allocate(), frame.allocate())
    emit(.entryGet(result, of: set, key: given[0]), call.place)
    emit(.constant(noValue, to: nothing), call.place)
    emit(.notEqual(result, result, nothing), call.place)
    if case .member(let member) = call.callee.kind {
      noteLook(at: member.base, key: given[0], call.place)
    }
    return .register(result, .boolean)
  }

  // MARK: Changing

  /// A function that changes the dictionary or set of a variable; nil when it is none of those.
  mutating func changeEntries(
    _ variable: ArrayPlace, _ base: Expression, _ name: String, _ call: CallSite, isUsed: Bool
  ) -> Operand? {
    let formals: [(Label?, ValueType)]
    switch (variable.type, name) {
    case (.dictionaryOf(let types), "removeValue"): formals = [("forKey", types.parameters[0])]
    case (.dictionaryOf(let types), "updateValue"):
      formals = [(nil, types.result), ("forKey", types.parameters[0])]
    case (.setOf(let element), "insert"), (.setOf(let element), "remove"):
      formals = [(nil, element.type)]
    case (.dictionaryOf, "removeAll"), (.setOf, "removeAll"):
      formals = call.arguments.isEmpty ? [] : [("keepingCapacity", .boolean)]
    default: return nil
    }
    let outer = changesBlindly
    changesBlindly = !isUsed
    defer { changesBlindly = outer }
    var place = variable
    guard changeable(&place, base) else {
      walkStray(call)
      return .unknown
    }
    guard let given = entryArguments(name, formals, call) else { return .unknown }
    let key = given.isEmpty ? nil : given[name == "updateValue" ? 1 : 0]
    if !isUsed { noteChange(in: place, key: key, call.place) }
    let entries = load(place, base.range)
    if isUsed { noteChange(in: place, key: key, call.place) }
    let made: Operand
    switch name {
    case "removeAll":
      empty(entries, place.type, call.place)
      made = .void
    case "removeValue": made = removeEntry(given[0], of: entries, place.type, call.place)
    case "insert":
      emit(.entrySet(entries, key: given[0], value: given[0]), call.place)
      if isUsed { error(Messages.insertedValue, call.range) }
      made = isUsed ? .unknown : .void
    case "remove":
      let result = frame.allocate()
      emit(.entryRemove(result, of: entries, key: given[0]), call.place)
      made = .register(result, .optional(formals[0].1))
    default:
      let result = frame.allocate()
      emit(.entryGet(result, of: entries, key: given[1]), call.place)
      made = shared(.register(result, .optional(formals[0].1)), call.place)
      emit(.entrySet(entries, key: given[1], value: given[0]), call.place)
    }
    store(entries, to: place, call.place)
    return made
  }

  /// `s.insert(x).inserted`: whether it was not there before; nil for anything else.
  mutating func inserted(_ base: Expression, target: Register?) -> Operand? {
    guard case .call(let call) = base.kind, case .member(let member) = call.callee.kind,
      member.name == "insert"
    else { return nil }
    let through = callThrough(member, call) { lowering, call in
      let inner = lowering.arena.expression(kind: .call(call), range: base.range)
      return lowering.inserted(inner, target: target) ?? .unknown
    }
    if let through { return through }
    guard var place = arrayPlace(member.base), case .setOf(let element) = place.type else {
      return nil
    }
    guard changeable(&place, member.base) else { return .unknown }
    guard let given = entryArguments("insert", [(nil, element.type)], call) else { return .unknown }
    let set = load(place, member.base.range)
    noteChange(in: place, key: given[0], call.place)
    let (result, nothing) = (frame.allocate(), frame.allocate())
    emit(.entryGet(result, of: set, key: given[0]), call.place)
    emit(.constant(noValue, to: nothing), call.place)
    emit(.equal(result, result, nothing), call.place)
    emit(.entrySet(set, key: given[0], value: given[0]), call.place)
    store(set, to: place, call.place)
    return .register(result, .boolean)
  }

  /// The arguments of a function in registers; nil when they were refused.
  private mutating func entryArguments(
    _ name: String, _ wanted: [(Label?, ValueType)], _ call: CallSite
  ) -> [Register]? {
    let formals = wanted.enumerated().map { ordinal, formal in
      Formal(label: formal.0, type: formal.1, isOptional: false, slot: ordinal)
    }
    return arguments(of: name, formals, call, keepsCollections: true)
  }
}
