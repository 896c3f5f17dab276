import SpindleModel

/// `.name`, whose type is what is expected.
extension Lowering {
  /// The value of `.name` where a value of the type `expecting` is wanted.
  mutating func implicit(
    _ name: String, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    // Of what may be nil, `none` is that, whatever its type calls so.
    if name == "none", case .optionalOf = expecting { return .constant(noValue, .null) }
    if name == "zero", let made = zero(expecting?.unwrapped) { return made }
    switch expecting?.unwrapped {
    case .symbol(let family):
      let name = family.ownName(name)
      guard family.members.contains(name) else { return refuseMember(name, of: family, range) }
      return .constant(Int64(intern(name).index), .symbol(family))
    case .choice(let className):
      if let index = checker.classes.members(ofEnum: className),
        let symbol = checker.classes[index].symbol(named: name)
      {
        let own = arena.expression(kind: .name(symbol), range: range)
        return value(own, expecting: expecting, target: target)
      }
      return enumMember(checker.enums[checker.enums.index(of: className)], name, range)
    case .options(let family):
      guard let bits = family.bits(of: name) else { return refuseMember(name, of: family, range) }
      return .constant(bits, .options(family))
    case .duration where name == "never" && expecting != .duration:
      return .constant(noValue, .null)
    case .instance(let className):
      let index = checker.classes.index(of: className)
      guard let symbol = checker.classes[index].symbol(named: name) else {
        return refuse(unknownStatic(name, of: index), range)
      }
      let own = arena.expression(kind: .name(symbol), range: range)
      return value(own, expecting: expecting, target: target)
    case .handle(let handle):
      guard let type = vocabulary.type(of: handle) else { break }
      guard let property = type.statics.property(name) else {
        return refuseValue(name, of: type.name, type.statics, range)
      }
      return read(property, object: nil, target: target, range)
    default: break
    }
    switch name {
    case "distantFuture": return .constant(Instant.distantFuture.nanoseconds, .instant)
    case "now" where expecting == nil || expecting == .instant:
      // Of a clock of Swift's, which has it as a property: `Task.sleep(until: .now + .seconds(1))`.
      let register = target ?? frame.allocate()
      emit(.now(register), range)
      return .register(register, .instant)
    case "distantPast": return .constant(Instant.distantPast.nanoseconds, .instant)
    default: break
    }
    guard expecting != .unknown else { return .unknown }
    if expecting == .instant {
      let near = proposal(name, ["now()", "distantFuture", "distantPast"])
      return refuse(Messages.unknownMember(name, of: "Instant", nearest: near), range)
    }
    guard let expecting else {
      return refuse(Messages.untypedMember(name, of: checker.owners(of: name)), range)
    }
    return refuse(noMember(name, expecting), range)
  }

  /// `.zero` of what has one.
  private func zero(_ type: ValueType?) -> Operand? {
    switch type {
    case .duration?, .integer?, .decimal?, .size?: type.map { .constant(0, $0) }
    default: nil
    }
  }

  /// `Duration.zero`, `Int.max`; nil for anything else.
  mutating func bound(
    _ name: Word, of base: Expression, _ range: SourceRange
  ) -> Operand? {
    guard case .name(let type) = base.kind, checker.declaredType(type.text) == nil else {
      return nil
    }
    switch (type.text, name.text) {
    case ("Duration", "zero"), ("TimeInterval", "zero"): return .constant(0, .duration)
    case ("Double", "zero"): return .constant(0, .decimal)
    case ("Int", "zero"): return .constant(0, .integer)
    case ("Int", "max"): return .constant(Int64.max, .integer)
    case ("Int", "min"): return refuse(Messages.leastInteger, range)
    default: return nil
    }
  }

  /// What a type of the trace does not have itself: the nearest that it has, or how a notification gets its name.
  private mutating func unknownStatic(_ name: String, of index: Int) -> String {
    let info = checker.classes[index]
    if payloads(of: info.type) != nil { return unknownMember(name, of: info.type) }
    if info.name.text == "Name", isOfLibrary(info) {
      return Messages.undeclaredNotification(name)
    }
    let names = info.statics.map(\.name.text)
    return Messages.unknownMember(
      name, of: info.name.text, nearest: proposal(name, names), names)
  }

  /// What is said of a call of `.name` that makes no moment: to write the type in front that has such a case.
  mutating func untyped(_ name: String, _ expecting: ValueType?) -> String {
    let owners = expecting == nil ? checker.owners(of: name) : []
    if !owners.isEmpty { return Messages.untypedMember(name, of: owners) }
    return Messages.unknownMember(name, of: "Instant", nearest: proposal(name, ["now"]))
  }

  private mutating func noMember(_ name: String, _ expecting: ValueType) -> String {
    payloads(of: expecting.unwrapped) == nil
      ? Messages.mismatch(expected: "\(expecting)", found: ".\(name)")
      : unknownMember(name, of: expecting.unwrapped)
  }

  private mutating func refuseMember(
    _ name: String, of family: SymbolFamily, _ range: SourceRange
  ) -> Operand {
    let near = proposal(name, family.members) ?? family.longer(name)
    return refuse(
      Messages.unknownMember(name, of: family.rawValue, nearest: near, family.members), range)
  }

  /// `[.barrier, .enforceQoS]`: the bits of all of them.
  mutating func options(
    _ elements: SyntaxList<Expression>, _ family: SymbolFamily, _ range: SourceRange
  ) -> Operand {
    let type = ValueType.options(family)
    var bits: Int64 = 0
    for element in elements {
      let made = coerce(value(element, expecting: type), to: type, element.range)
      if let constant = made.constant {
        bits |= constant
      } else {
        error(Messages.notConstant, element.range)
      }
    }
    return .constant(bits, type)
  }

  /// `RunLoop.Mode("x")`: a name of one's own, of a list that is open.
  mutating func makeSymbol(
    _ family: SymbolFamily, _ call: CallSite, target: Register?
  ) -> Operand {
    let type = ValueType.symbol(family)
    guard family.isOpen else {
      walkStray(call)
      return refuse(Messages.notAFunction(family.rawValue), call.callee.range)
    }
    let label: Label? = call.arguments.first?.label == "rawValue" ? "rawValue" : nil
    let formal = Formal(label: label, type: .string, isOptional: false, slot: 0)
    guard checker.match([formal], call, name: family.rawValue, call.callee.range) != nil else {
      walkStray(call)
      return .unknown
    }
    let written = call.arguments[0].value
    var made = coerce(
      value(written, expecting: .string, target: target), to: .string, written.range)
    if family == .mode, made.type == .string { made = mode(named: made, written.range) }
    if !made.type.isUnknown { made.type = type }
    return made
  }

  /// `DispatchQoS(qosClass: .utility, relativePriority: 0)`, which is `.utility`.
  mutating func qualityOfService(_ call: CallSite) -> Operand {
    guard call.closures.isEmpty,
      call.arguments.map({ $0.label?.text }) == ["qosClass", "relativePriority"]
    else {
      walkStray(call)
      return refuse(Messages.qualityForm, call.callee.range)
    }
    let (quality, step) = (call.arguments[0].value, call.arguments[1].value)
    let type = ValueType.symbol(.dispatchQuality)
    let made = coerce(value(quality, expecting: type), to: type, quality.range)
    let given = coerce(value(step, expecting: .integer), to: .integer, step.range)
    guard given.type.isUnknown || given.constant == 0 else {
      return refuse(Messages.relativePriority, step.range)
    }
    return made
  }
}
