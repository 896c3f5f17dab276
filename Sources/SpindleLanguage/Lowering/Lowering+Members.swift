import SpindleModel

/// Properties and elements.
extension Lowering {
  /// The value of `base.name`.
  mutating func member(
    _ base: Expression, _ name: String, _ nameRange: SourceRange, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    if case .name(let typeName) = base.kind, find(typeName) == nil,
      let type = vocabulary.type(typeName)
    {
      guard let property = type.statics.property(name) else {
        return refuseValue(name, of: typeName, type.statics, nameRange)
      }
      return read(property, object: nil, target: target, range)
    }
    let window = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let object = unwrap(value(base, target: window), base.range)
    switch object.type {
    case .unknown: return .unknown
    case .handle(let handle):
      let members = vocabulary.instances[Int(handle.rawValue)]
      guard let property = members.property(name) else {
        return refuseValue(name, of: handle.name, members, nameRange)
      }
      let receiver = Receiver(object: object, window: window)
      return read(property, object: receiver, target: target, range)
    case .array where name == "count":
      let array = register(of: object, range)
      let result = target ?? window
      emit(.arrayCount(result, array: array), range)
      return .register(result, .integer)
    default:
      let near = proposal(name, object.type.isArray ? ["append", "count"] : [])
      return refuse(
        Messages.unknownMember(name, of: "\(object.type)", nearest: near), nameRange)
    }
  }

  private mutating func refuseValue(
    _ name: String, of owner: String, _ members: MemberTable, _ range: SourceRange
  ) -> Operand {
    if members.overloads(name) != nil { return refuse(Messages.functionAsValue(name), range) }
    let near = proposal(name, members.names)
    return refuse(Messages.unknownMember(name, of: owner, nearest: near), range)
  }

  /// Reads a property of `object`, or of nothing.
  mutating func read(
    _ property: Property, object: Receiver?, target: Register?, _ range: SourceRange
  ) -> Operand {
    if property.needsThread { needThread(property.name, range) }
    let base =
      object?.window ?? target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    switch property.get {
    case .now:
      let register = target ?? base
      emit(.now(register), range)
      return .register(register, .instant)
    case .perform(let primitive):
      if let object { place(object.object, in: base, range) }
      emit(.perform(primitive, base: base, noSite), range)
    case .ownThread(let primitive):
      emit(.perform(.threadCurrent, base: base, noSite), range)
      emit(.perform(primitive, base: base, noSite), range)
    case .dictionary:
      return refuse(Messages.dictionaryAsValue(property.name), range)
    }
    return finishWindow(base, property.type, target: target, range)
  }

  // MARK: Elements

  /// The value of `base[index]`.
  mutating func element(
    _ base: Expression, _ index: Expression, target: Register?, _ range: SourceRange
  ) -> Operand {
    if let owner = dictionaryOwner(base) {
      return dictionaryValue(owner, index, target: target, range)
    }
    let array = unwrap(value(base), base.range)
    let place = coerce(value(index, expecting: .integer), to: .integer, index.range)
    switch array.type {
    case .unknown: return .unknown
    case .array(let element):
      let (from, at) = (register(of: array, range), register(of: place, range))
      let result = target ?? frame.allocate()
      emit(.arrayGet(result, array: from, index: at), range)
      return Operand(type: element, location: .register(result), isVariable: element.isArray)
    default: return refuse(Messages.noElements("\(array.type)"), base.range)
    }
  }

  /// The thread whose dictionary `expression` means, nil when it means something else.
  func dictionaryOwner(_ expression: Expression) -> Expression? {
    guard case .member(let base, "threadDictionary", _) = expression.kind else { return nil }
    return base
  }

  private mutating func dictionaryValue(
    _ owner: Expression, _ key: Expression, target: Register?, _ range: SourceRange
  ) -> Operand {
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let first = Int(base.index)
    guard let name = dictionaryWindow(owner, key, base) else { return .unknown }
    emit(.perform(.threadDictionaryGet, base: base, noSite), range)
    frame.next = first + 1
    if dictionaryTypes[name] == nil { findDictionaryTypes() }
    let type = dictionaryTypes[name] ?? .unknown
    return finishWindow(base, .optional(type), target: target, range)
  }

  /// Puts thread and key into the window at `base`; gives the key, nil when that was refused.
  private mutating func dictionaryWindow(
    _ owner: Expression, _ key: Expression, _ base: Register
  ) -> String? {
    let object = unwrap(value(owner, target: base), owner.range)
    let thread = coerce(object, to: .handle(.thread), owner.range)
    place(thread, in: base, owner.range)
    frame.next = Int(base.index) + 1
    let register = frame.allocate()
    let made = coerce(value(key, expecting: .string, target: register), to: .string, key.range)
    place(made, in: register, key.range)
    frame.next = Int(register.index) + 1
    guard made.type != .unknown, thread.type != .unknown else { return nil }
    guard let name = made.constant else {
      error(Messages.computedKey, key.range)
      return nil
    }
    return program.names[Int(name)]
  }

  /// Stores a value in a thread's dictionary; the first value in the text gives a key its type.
  mutating func assignDictionary(
    _ owner: Expression, _ key: Expression, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    if let operation {
      error(Messages.compoundDictionary(operation.rawValue), range)
      _ = value(expression, expecting: .unknown)
      return
    }
    let base = frame.allocate()
    guard let name = dictionaryWindow(owner, key, base) else {
      _ = value(expression, expecting: .unknown)
      return
    }
    let register = frame.allocate()
    let known = dictionaryTypes[name].flatMap { $0 == .unknown ? nil : $0 }
    var made = value(expression, expecting: known, target: register)
    if let known {
      made = coerce(made, to: .optional(known), expression.range)
    } else if made.type != .null {
      made = storable(made, expression.range)
      dictionaryTypes[name] = made.type.unwrapped
    }
    place(kept(made, isVariable: true), in: register, expression.range)
    emit(.perform(.threadDictionarySet, base: base, noSite), range)
  }
}
