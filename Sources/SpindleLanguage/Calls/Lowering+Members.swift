import SpindleModel

/// Properties and elements.
extension Lowering {
  /// The value of `base.name`.
  mutating func member(
    _ base: Expression, _ name: Word, _ nameRange: SourceRange, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    if let made = entryMember(base, name, target: target, range) { return made }
    if let type = typeItself(base) { return member(type, name, nameRange, target: target, range) }
    if name == "inserted", let made = inserted(base, target: target) { return made }
    if let made = memberOfType(base, name, nameRange, target: target, range) { return made }
    if let refused = refuseCase(name, of: base, nameRange) { return refused }
    if let above = computedAbove(base, name, range) { return value(above, target: target) }
    if let made = readinessAbove(base, name) ?? endIsAsked(base, name, range)
      ?? bound(name, of: base, nameRange)
    {
      return made
    }
    let window = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    var object =
      numbers(base, asked: name) ?? unwrap(self.base(base, of: name, target: window), base.range)
    if case .instance(let className) = object.type {
      let index = checker.classes.index(of: className)
      if let read = instanceMember(object, index, name, nameRange, target: target, range) {
        return read
      }
      object = parent(of: object, base.range) ?? object
    }
    if case .choice(let className) = object.type,
      let index = checker.classes.members(ofEnum: className),
      let read = instanceMember(object, index, name, nameRange, target: target, range)
    {
      return read
    }
    if let made = localizedDescription(of: object, name, range) { return made }
    switch object.type {
    case .unknown: return .unknown
    case .instance(let className):
      return refuseMember(name, ofClass: checker.classes.index(of: className), nameRange)
    case .handle(let handle), .generic(let handle, _):
      let members = vocabulary.instances[Int(handle.rawValue)]
      guard let property = members.property(name) else {
        return refuseValue(name.text, of: handle.name, members, nameRange, in: range)
      }
      if usage.watchesMembers { usage.noteMember(name, of: base.named, &checker) }
      let receiver = Receiver(object: object, window: window)
      return read(property, object: receiver, target: target, range)
    case .arrayOf, .dictionaryOf, .setOf:
      if name == "count" || name == "isEmpty" {
        return count(of: object, isQuestion: name == "isEmpty", in: target ?? window, range)
      }
      return collectionProperty(object, name.text, target: target, range)
        ?? refuseMember(name.text, of: object.type, nameRange)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .choice, .optionalOf, .functionOf, .void, .null:
      return plainProperty(object, name.text, target: target, range)
        ?? refuseMember(name.text, of: object.type, nameRange)
    }
  }

  /// What a clock has, or another type whose name nothing of the trace has; nil for any other base.
  private mutating func memberOfType(
    _ base: Expression, _ name: Word, _ nameRange: SourceRange, target: Register?,
    _ range: SourceRange
  ) -> Operand? {
    let isClock = checker.isClock(base)
    if name == "now", isClock || checker.isSwiftClock(base) {
      return read(.presentMoment, object: nil, target: target, range)
    }
    if isClock { return implicit(name.text, .instant, target: target, nameRange) }
    guard checker.isFree(base) else { return nil }
    return freeMember(base, name, nameRange, target: target, range)
  }

  /// How many elements there are, or whether there are none.
  private mutating func count(
    of object: Operand, isQuestion: Bool, in result: Register, _ range: SourceRange
  ) -> Operand {
    let array = register(of: object, range)
    emit(.arrayCount(result, array: array), range)
    guard isQuestion else { return .register(result, .integer) }
    let zero = frame.allocate()
    emit(.constant(0, to: zero), range)
    emit(.equal(result, result, zero), range)
    frame.next = Int(zero.index)
    return .register(result, .boolean)
  }

  /// A member of what a name of no trace stands for: a type, a list of names; nil for none.
  private mutating func freeMember(
    _ base: Expression, _ name: Word, _ nameRange: SourceRange, target: Register?,
    _ range: SourceRange
  ) -> Operand? {
    if case .name(let typeName) = base.kind, let type = vocabulary.type(typeName) {
      guard let property = type.statics.property(name) else {
        return refuseValue(name.text, of: typeName.text, type.statics, nameRange, in: range)
      }
      return read(property, object: nil, target: target, range)
    }
    let type = checker.enumIndex(base).map { checker.enums[$0].type }
    guard let type = type ?? checker.family(base)?.type else { return nil }
    return implicit(name.text, type, target: target, nameRange)
  }

  /// Reports a case that an `enum` with values does not have; nil for anything else.
  mutating func refuseCase(
    _ name: Word, of base: Expression, _ nameRange: SourceRange, _ call: CallSite? = nil
  ) -> Operand? {
    guard case .name(let type) = base.kind, find(type) == nil,
      let index = checker.classes.index(of: type), !checker.classes[index].cases.isEmpty,
      checker.classes[index].symbol(name) == nil
    else { return nil }
    if let call { walkStray(call) }
    return refuse(unknownMember(name.text, of: checker.classes[index].type), nameRange)
  }

  /// Reports a member of a plain value or an array, which has none or a few.
  mutating func refuseMember(
    _ name: String, of type: ValueType, _ range: SourceRange
  ) -> Operand {
    let isSet = if case .setOf = type { true } else { false }
    let owner =
      type.isArray ? "Array" : isSet ? "Set" : type.isCollection ? "Dictionary" : "\(type)"
    if ["\(owner).\(name)", "Optional.\(name)"].contains(where: checker.refusedMembers.contains) {
      return .unknown
    }
    if let message = ForeignMember.member(name, of: owner) { return refuse(message, range) }
    guard type.isArray else {
      if type.isCollection { return refuseCollectionMember(name, of: type, range) }
      return refuse(Messages.unknownMember(name, of: owner, nearest: nil), range)
    }
    let near = proposal(name, Lowering.arrayChanges + Lowering.arrayMembers)
    return refuse(Messages.arrayMember(name, of: "\(type)", nearest: near), range)
  }

  /// Reports that something is no property, and gives what stands for it.
  mutating func refuseValue(
    _ name: String, of owner: String, _ members: MemberTable, _ range: SourceRange,
    in whole: SourceRange? = nil
  ) -> Operand {
    if let overloads = members.overloads(name) {
      let takesNothing = overloads.contains { $0.formals.allSatisfy(\.isOptional) }
      guard takesNothing, let whole else { return refuse(Messages.functionAsValue(name), range) }
      return refuse(Messages.functionAsValue(name, source.text(in: whole)), range)
    }
    if checker.refusedMembers.contains("\(owner).\(name)") { return .unknown }
    if let message = misplaced(name, of: owner, members) { return refuse(message, range) }
    if let message = ForeignMember.member(name, of: owner) { return refuse(message, range) }
    let near = proposal(name, members.names)
    return refuse(Messages.unknownMember(name, of: owner, nearest: near), range)
  }

  /// What to say of a member that objects have and not their type, or the other way round; nil of
  /// any other name.
  func misplaced(_ name: String, of owner: String, _ members: MemberTable) -> String? {
    guard let type = vocabulary.type(owner), let handle = type.handle else { return nil }
    if members === type.statics {
      let isOfObjects = vocabulary.instances[Int(handle.rawValue)].names.contains(name)
      return isOfObjects ? Messages.memberOfObjects(name, of: owner) : nil
    }
    guard type.statics.names.contains(name) else { return nil }
    return Messages.unknownMember(name, of: owner, nearest: "\(owner).\(name)")
  }

  /// Reads a property of `object`, or of nothing.
  mutating func read(
    _ property: Property, object: Receiver?, target: Register?, _ range: SourceRange
  ) -> Operand {
    if property.suspends {
      noteSuspension(property.name, range)
    } else if property.needsThread {
      needThread(property.name, range)
    }
    let base =
      object?.window ?? target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    switch property.get {
    case .now:
      let register = target ?? base
      emit(.now(register), range)
      return .register(register, .instant)
    case .perform(let primitive):
      if let object {
        place(object.object, in: base, range)
      } else if let owner = property.owner {
        placeOwner(owner, in: base, range)
      }
      if property.leavesActor, frame.asynchrony.home != .pool {
        let next = frame.next
        frame.next = max(next, Int(base.index) + 1)
        hop(to: .pool, range)
        frame.next = next
      }
      emit(.perform(primitive, base: base, noSite), range)
      if property.suspends {
        goHome(range)
        let element = object?.object.type.element ?? .void
        let isResult = primitive == .task(.result)
        return finishWindow(
          base, isResult ? .generic(.taskResult, of: element) : element, target: target, range)
      }
    case .dictionary:
      return refuse(Messages.dictionaryAsValue(property.name), range)
    case .none:
      return refuse(Messages.setOnly(property.name), range)
    case .constant(let value):
      return .constant(value, property.type)
    }
    let made = finishWindow(base, property.type, target: target, range)
    // What is an array is a new one.
    return property.type.isArray ? counted(made, range) : made
  }

  /// Reports `a[i ..< j]`.
  private mutating func refuseSlice(
    of base: Expression, _ bounds: Expression.Bounds, _ range: SourceRange
  ) -> Operand {
    _ = value(base)
    return refuse(
      SliceMessage.text(
        source.text(in: base.range), from: source.text(in: bounds.from.range),
        to: source.text(in: bounds.to.range), isClosed: bounds.isClosed), range)
  }

  // MARK: Elements

  /// The value of `base[index]`.
  mutating func element(
    _ access: Expression.ElementAccess, target: Register?, _ range: SourceRange
  ) -> Operand {
    let (base, index) = (access.base, access.index)
    if let owner = dictionaryOwner(base) {
      return dictionaryValue(owner, index, target: target, range)
    }
    if case .range(let bounds) = index.kind { return refuseSlice(of: base, bounds.value, range) }
    // A variable is read when its index is known, as in Swift; any other array comes before that.
    let variable = arrayPlace(base)
    let readsLate = variable != nil
    var array = readsLate ? Operand.unknown : unwrap(self.base(base), base.range)
    if case .dictionaryOf(let types) = variable?.type.unwrapped ?? array.type {
      return entry(access, of: readsLate ? nil : array, types, target: target, range)
    }
    if (variable?.type ?? array.type).isUnknown {
      for part in [index, access.fallback].compactMap(\.self) {
        _ = value(part, expecting: .unknown)
      }
      return .unknown
    }
    if let fallback = access.fallback { error(Messages.strayDefault, fallback.range) }
    let found = value(index, expecting: .integer)
    if isBroken(array.type) { return .unknown }
    let place = coerce(found, to: .integer, index.range)
    if readsLate { array = unwrap(value(base), base.range) }
    switch array.type {
    case .unknown: return .unknown
    case .arrayOf(let node):
      let element = node.type
      let (from, at) = (register(of: array, range), register(of: place, range))
      let result = target ?? frame.allocate()
      emit(.arrayGet(result, array: from, index: at), range)
      noteLook(at: base, key: at, range)
      return shared(
        Operand(type: element, location: .register(result), isVariable: element.isArray), range)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .handle, .generic, .instance, .choice, .optionalOf, .dictionaryOf, .setOf, .functionOf,
      .void, .null:
      if isBroken(array.type) { return .unknown }
      return refuse(Messages.noElements("\(array.type)"), base.range)
    }
  }
}
