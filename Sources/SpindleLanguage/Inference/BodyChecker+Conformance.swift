import SpindleModel

/// What types conform to, and what values are converted to.
extension BodyChecker {
  // MARK: Conformance

  /// Whether a type conforms to a protocol.
  func conforms(_ type: SwiftType, to requirement: Nominal) -> Bool {
    if requirement.isMarker { return true }
    if let constraint = requirement.constraint {
      return conforms(type, to: constraint.base)
        && zip(constraint.base.associatedTypes, constraint.arguments).allSatisfy {
          agrees(solver.resolve(type).associated($0), with: $1)
        }
    }
    switch solver.shallow(type) {
    case .nominal(let nominal, let arguments):
      if requirement === known.anyObject { return nominal.isReference || nominal.handle != nil }
      return conforms(nominal, arguments, to: requirement)
    case .parameter(let parameter):
      if isAssumed(type, requirement) { return true }
      if parameter.bounds.contains(where: { $0.refines(requirement) }) { return true }
      return parameter.superclass.map { conforms($0, to: requirement) } ?? false
    case .member(let base, let name):
      return solver.resolve(base).hasVariables || isAssumed(type, requirement)
        || bounds(of: base, name).contains { $0.refines(requirement) }
    case .existential(let protocols):
      return (requirement === known.errorProtocol || requirement === known.anyObject)
        && protocols.contains { $0.refines(requirement) }
    case .tuple(let elements):
      // A tuple is compared element by element, though it conforms to nothing.
      return requirement === known.equatable
        && elements.allSatisfy { conforms($0.type, to: requirement) }
    case .error, .variable: return true
    case .function, .metatype: return false
    }
  }

  /// Whether an associated type is the one that a constraint gives, as far as both are known.
  private func agrees(_ own: SwiftType, with given: SwiftType) -> Bool {
    if case .member = own { return true }
    return solver.attempt { $0.unify(own, given) }
  }

  private func isAssumed(_ type: SwiftType, _ requirement: Nominal) -> Bool {
    let type = solver.shallow(type)
    return assumed.contains { $0.requirement.refines(requirement) && $0.type == type }
  }

  func conforms(
    _ nominal: Nominal, _ arguments: [SwiftType], to requirement: Nominal
  ) -> Bool {
    var current = nominal
    var substitution = nominal.substitution(arguments)
    while true {
      for conformance in current.conformances where conformance.requirement.refines(requirement) {
        if conformance.conditions.allSatisfy({ holds($0, substitution) }) { return true }
      }
      guard case .nominal(let parent, let given)? = current.superclass else { return false }
      let inherited = given.map { $0.substituting(substitution) }
      (current, substitution) = (parent, parent.substitution(inherited))
    }
  }

  /// The protocols that a type parameter or an associated type conforms to; none for any other type.
  func bounds(of type: SwiftType) -> [Nominal] {
    switch type {
    case .parameter(let parameter):
      parameter.bounds + assumed.filter { $0.type == type }.map(\.requirement)
    case .member(let base, let name): bounds(of: base, name)
    case .nominal, .tuple, .function, .existential, .metatype, .variable, .error: []
    }
  }

  /// The protocols that an associated type conforms to.
  func bounds(of base: SwiftType, _ name: String) -> [Nominal] {
    let type = SwiftType.member(base, name)
    var found = type.declaredBounds
    var (owner, path) = (type, [String]())
    while !assumed.isEmpty, case .member(let outer, let inner) = owner {
      found += assumed.filter { $0.type == owner }.flatMap {
        path.isEmpty ? [$0.requirement] : $0.requirement.bounds(of: path)
      }
      (owner, path) = (outer, [inner] + path)
    }
    for one in assumed where one.type == owner { found += one.requirement.bounds(of: path) }
    return found
  }

  /// Whether the conditions of the extension hold that a member is in.
  func holds(_ symbol: MemberSymbol, _ substitution: Substitution) -> Bool {
    symbol.conditions.allSatisfy { holds($0, substitution) }
  }

  private func holds(_ condition: TypeCondition, _ substitution: Substitution) -> Bool {
    let type = solver.shallow(condition.type.substituting(substitution))
    if let requirement = condition.requirement {
      return conforms(type, to: requirement.substituting(substitution))
    }
    guard let same = condition.same else { return true }
    let other = same.substituting(substitution)
    if case .nominal(let one, _) = type, case .nominal(let parent, _) = other, parent.isReference {
      return one.isSubclass(of: parent)
    }
    if type.hasVariables {
      // What is not known yet may turn out to be the other type.
      let mark = solver.mark
      defer { solver.undo(to: mark) }
      return solver.unify(type, other)
    }
    return solver.resolve(type) == solver.resolve(other)
  }

  // MARK: Shared types

  /// The type that two values of a list or of a choice share.
  func join(_ one: SwiftType, _ other: SwiftType, _ range: SourceRange) -> SwiftType {
    if let made = common(one, other) { return made }
    report("\(solver.shown(one)) and \(solver.shown(other)) share no type", range)
    return solver.shallow(one)
  }

  /// The type that two values share; nil for none.
  func common(_ one: SwiftType, _ other: SwiftType) -> SwiftType? {
    let (a, b) = (solver.shallow(one), solver.shallow(other))
    if solver.attempt({ $0.unify(a, b) }) { return a }
    if let wrapped = a.wrapped, b.wrapped == nil, solver.attempt({ $0.unify(wrapped, b) }) {
      return a
    }
    if let wrapped = b.wrapped, a.wrapped == nil, solver.attempt({ $0.unify(wrapped, a) }) {
      return b
    }
    if case .metatype(let first) = a, case .metatype(let second) = b {
      if isMetatype(first, of: second) { return b }
      if isMetatype(second, of: first) { return a }
    }
    if case .nominal(let first, _) = a, case .nominal(let second, _) = b {
      var above: Nominal? = first
      while let one = above {
        if second.isSubclass(of: one), one.isReference { return one.selfType }
        above = one.superclass?.nominal
      }
    }
    return nil
  }

  // MARK: Conversion

  /// An expression whose type has to be `type`.
  func check(_ syntax: Grammar.Expression, _ type: SwiftType) -> Typed.Expression {
    let made = infer(syntax, type)
    return convert(made, to: type)
  }

  /// A value as one of another type; a type that it cannot have is reported.
  func convert(_ value: Typed.Expression, to type: SwiftType) -> Typed.Expression {
    if let made = converted(value, to: type) { return made }
    // What is wrong with a part of a type has been reported, and so has a type without an associated type.
    let (wanted, found) = (solver.resolve(type), solver.resolve(value.type))
    if wanted.hasErrors || found.hasErrors || wanted.isMissing {
      return failed(value.range)
    }
    return refuse(mismatch(value, type), value.range)
  }

  /// The message for a value that does not have the type.
  private func mismatch(_ value: Typed.Expression, _ type: SwiftType) -> String {
    if let message = missingUnit(value, type) { return message }
    let (found, wanted) = (solver.shown(value.type), solver.shown(type))
    switch value.kind {
    case .nil: return Messages.mismatch(expected: "\(wanted)", found: "nil")
    case .function(let symbol, _, _) where !isFunction(wanted):
      return Messages.functionAsValue(symbol.name)
    case .localFunction(let function) where !isFunction(wanted):
      return Messages.functionAsValue(function.symbol.name)
    default:
      if ["ClosedRange<\(wanted)>", "Range<\(wanted)>"].contains("\(found)") {
        let range = table.current.text(in: value.range)
        return Messages.rangeAsValue(
          "\(wanted)", found: "\(found)", range.contains("..") ? range : nil)
      }
      return Messages.mismatch(expected: "\(wanted)", found: "\(found)")
    }
  }

  /// A value as one of another type; nil where it cannot be one.
  func converted(_ value: Typed.Expression, to type: SwiftType) -> Typed.Expression? {
    let (source, target) = (solver.shallow(value.type), solver.shallow(type))
    if source.isError || target.isError { return value }
    if case .nominal(let never, _) = source, never.builtin == .never, source != target {
      return node(.conversion(value), type, value.range)
    }
    if value.isImplicit, source.wrapped != nil, target.wrapped == nil, !solver.isOpen(target) {
      return converted(taken(value), to: type)
    }
    if let made = visitingClosure(value, source, target) ?? madeFromLiteral(value, target)
      ?? madeHashable(value, source, target)
    {
      return made
    }
    if let wrapped = target.wrapped {
      return convertedToOptional(value, source, wrapped, type)
    }
    if let made = countedInBytes(value, source, target) { return made }
    switch target {
    case .existential(let protocols):
      return convertedToExistential(value, source, protocols, type)
    case .nominal(let nominal, _):
      if case .nominal(let own, _) = source, own !== nominal {
        if own.isSubclass(of: nominal), unifyAbove(source, target) {
          return node(.conversion(value), type, value.range)
        }
        if let to = nominal.handle, let from = own.handle, to.accepts(from) {
          return node(.conversion(value), type, value.range)
        }
        if nominal.family == .mode, own.builtin == .string, case .text = value.kind {
          // A mode of a run loop is its name.
          return node(.conversion(value), type, value.range)
        }
        if nominal.builtin == .instant, own.builtin == .duration, case .constant = value.kind {
          // `5ms` as a moment: so long after the start.
          return node(.conversion(value), type, value.range)
        }
        return nil
      }
      if case .nominal(_, let given) = source, !given.isEmpty,
        nominal.builtin == .array || nominal.builtin == .dictionary,
        let made = convertedElements(value, source, target)
      {
        return made
      }
    case .function(let wanted):
      if case .function(let own) = source { return convertedFunction(value, own, wanted, type) }
    case .metatype(let wanted):
      if case .metatype(let own) = source, isMetatype(own, of: wanted) {
        return node(.conversion(value), type, value.range)
      }
    case .tuple(let wanted):
      if let made = convertedParts(value, source, wanted, type) { return made }
    default: break
    }
    return solver.attempt { $0.unify(source, target) } ? value : nil
  }

  /// A tuple that is written as one of other types.
  private func convertedParts(
    _ value: Typed.Expression, _ source: SwiftType, _ wanted: [SwiftType.TupleElement],
    _ type: SwiftType
  ) -> Typed.Expression? {
    guard case .tuple(let own) = source, own.count == wanted.count,
      source != solver.shallow(type), case .tuple(let parts) = value.kind
    else { return nil }
    let converted = zip(parts, wanted).compactMap { self.converted($0, to: $1.type) }
    return converted.count == parts.count ? node(.tuple(converted), type, value.range) : nil
  }

  /// Whether a type as a value may be one of another metatype, as `Dog.self` may be an `Animal.Type` or an `Any.Type`.
  private func isMetatype(_ type: SwiftType, of wanted: SwiftType) -> Bool {
    let (source, target) = (solver.shallow(type), solver.shallow(wanted))
    switch (source, target) {
    case (.variable, _): return false
    case (.existential(let own), .existential(let protocols)):
      return source != target
        && protocols.allSatisfy { wanted in own.contains { $0.refines(wanted) } }
    case (_, .existential(let protocols)):
      return protocols.allSatisfy { conforms(source, to: $0) }
    case (.nominal(let own, _), .nominal(let nominal, _)):
      return own !== nominal && own.isSubclass(of: nominal) && unifyAbove(source, target)
    default: return false
    }
  }

  private func convertedToExistential(
    _ value: Typed.Expression, _ source: SwiftType, _ protocols: [Nominal], _ type: SwiftType
  ) -> Typed.Expression? {
    if case .existential(let own) = source {
      if source.hasVariables || type.hasVariables, solver.attempt({ $0.unify(source, type) }) {
        return value
      }
      if protocols.allSatisfy({ wanted in own.contains { $0.refines(wanted) } }) {
        return source == solver.shallow(type) ? value : node(.conversion(value), type, value.range)
      }
      return nil
    }
    if case .variable = source {
      if solver.literal(source) == nil { return solver.unify(source, type) ? value : nil }
      // A literal of no other type has its standard one.
      let standard = solver.literal(source) == .integer ? known.integer : known.double
      guard solver.unify(source, standard) else { return nil }
    }
    guard protocols.allSatisfy({ conforms(source, to: $0) }) else { return nil }
    return node(.conversion(value), type, value.range)
  }

  private func convertedToOptional(
    _ value: Typed.Expression, _ source: SwiftType, _ wrapped: SwiftType, _ type: SwiftType
  ) -> Typed.Expression? {
    if source.wrapped == nil {
      if case .variable = source, solver.literal(source) == nil {
        return solver.attempt { $0.unify(source, type) } ? value : nil
      }
      return converted(value, to: wrapped).map { node(.wrapped($0), type, value.range) }
    }
    if solver.attempt({ $0.unify(source, type) }) { return value }
    // `Int?` as `Int??`.
    if solver.shallow(wrapped).wrapped != nil,
      let inner = converted(value, to: wrapped)
    {
      return node(.wrapped(inner), type, value.range)
    }
    guard let own = source.wrapped else { return nil }
    // `Cat?` as `Animal?`: the value in it is converted.
    let opaque = local("value", own, isVariable: false, value.range)
    guard let inner = converted(node(.local(opaque), own, value.range), to: wrapped) else {
      return nil
    }
    return node(
      .optionalConversion(value, opaque, node(.wrapped(inner), type, value.range)), type,
      value.range)
  }

  private func convertedElements(
    _ value: Typed.Expression, _ source: SwiftType, _ target: SwiftType
  ) -> Typed.Expression? {
    if solver.attempt({ $0.unify(source, target) }) { return value }
    guard let own = source.arguments.last, let wanted = target.arguments.last else { return nil }
    // The keys of a dictionary stay what they are.
    if source.arguments.count > 1,
      !solver.attempt({ $0.unify(source.arguments[0], target.arguments[0]) })
    {
      return nil
    }
    let opaque = local("element", own, isVariable: false, value.range)
    guard let inner = converted(node(.local(opaque), own, value.range), to: wanted) else {
      return nil
    }
    return node(.elementConversion(value, opaque, inner), target, value.range)
  }

  private func unifyAbove(_ source: SwiftType, _ target: SwiftType) -> Bool {
    guard case .nominal(var current, var arguments) = source, let wanted = target.nominal else {
      return false
    }
    while current !== wanted {
      guard case .nominal(let parent, let given)? = current.superclass else { return false }
      let substitution = current.substitution(arguments)
      (current, arguments) = (parent, given.map { $0.substituting(substitution) })
    }
    return solver.attempt { $0.unify(.nominal(current, arguments), target) }
  }
}
