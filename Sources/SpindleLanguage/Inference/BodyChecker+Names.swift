import SpindleModel

/// What names and members mean.
extension BodyChecker {
  /// A function that a call may mean.
  struct Candidate {
    var symbol: FunctionSymbol
    var receiver: Typed.Expression?
    var substitution: Substitution
    /// Whether it is called through `super`.
    var isDirect = false
    var local: Typed.LocalFunction?
    /// The type of the instance that an inherited initialiser makes; nil where that is its own.
    var made: SwiftType?
  }

  /// What a name or a member is.
  enum Meaning {
    case value(Typed.Expression)
    case functions([Candidate])
    case type(SwiftType)
    case none
  }

  // MARK: Names alone

  func inferName(
    _ name: String, _ arguments: [Grammar.TypeSyntax], _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    value(of: meaning(of: name, arguments, range), name, expected, range)
  }

  /// The value that a meaning is where it is not called.
  func value(
    of meaning: Meaning, _ name: String, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    switch meaning {
    case .value(let value): return value
    case .type(let type): return node(.metatype(type), .metatype(type), range)
    case .functions(let candidates): return reference(to: candidates, name, expected, range)
    case .none:
      if GrammarParser.Precedence.of(name) != nil { return operatorValue(name, expected, range) }
      return refuse("'\(name)' is not known here", range)
    }
  }

  func meaning(
    of name: String, _ arguments: [Grammar.TypeSyntax], _ range: SourceRange
  ) -> Meaning {
    if name == "self" {
      return ownSelf(range).map { .value($0) } ?? .none
    }
    if let found = find(name) {
      switch found {
      case .local(let local): return .value(use(local, range))
      case .type(let nominal): return .type(instantiated(nominal, arguments))
      case .function(let function, _):
        for local in function.captured { scope.note(local) }
        return .functions([
          Candidate(symbol: function.symbol, receiver: nil, substitution: [:], local: function)
        ])
      }
    }
    // An operator is found by the types of its operands.
    if GrammarParser.Precedence.of(name) != nil { return .none }
    if let member = implicitMember(name, range) { return member }
    if let parameter = bodies.parameters[name] {
      return .value(Typed.Expression(.constant(parameter.value), parameter.type, range))
    }
    if let symbols = table.globals[name] {
      let functions = symbols.compactMap { $0 as? FunctionSymbol }
      if let variable = symbols.last(where: { $0 is VariableSymbol }) as? VariableSymbol {
        return .value(read(variable, nil, [:], range))
      }
      return .functions(functions.map { Candidate(symbol: $0, receiver: nil, substitution: [:]) })
    }
    let syntax = Grammar.TypeSyntax(kind: .name(name, arguments), range: range)
    if context.parameters[name] != nil || table.types[name] != nil || table.aliases[name] != nil
      || isTypeMember(name) || ["Void", "Any", "Self"].contains(name)
    {
      return .type(resolve(syntax))
    }
    return .none
  }

  func isTypeMember(_ name: String) -> Bool {
    var around = context.nominal
    while let one = around {
      if one.types[name] != nil || one.associatedTypes.contains(name) { return true }
      if one.allProtocols.contains(where: { $0.associatedTypes.contains(name) }) { return true }
      around = one.outer
    }
    return false
  }

  private func instantiated(_ nominal: Nominal, _ arguments: [Grammar.TypeSyntax]) -> SwiftType {
    if nominal.kind == .protocol { return .existential([nominal]) }
    let given = arguments.map { resolve($0) }
    return .nominal(
      nominal,
      nominal.generics.enumerated().map { index, _ in
        index < given.count ? given[index] : solver.variable()
      })
  }

  /// A member of `self`, or a static one of a type around, that is named alone.
  func implicitMember(_ name: String, _ range: SourceRange) -> Meaning? {
    var around = context.nominal
    while let nominal = around {
      let isOwn = nominal === context.nominal
      let own = nominal.selfType
      var found = members(name, of: own)
      if nominal.kind == .protocol {
        found += (nominal.members[name] ?? []).filter { !$0.isProtocolExtension }.map {
          FoundMember(symbol: $0, substitution: [nominal.selfParameter: own])
        }
      }
      if !found.isEmpty {
        let receiver = isOwn ? ownSelf(range) : nil
        let isStaticSelf =
          receiver.map { if case .metatype = $0.type { true } else { false } } ?? true
        let usable = found.filter { $0.symbol.isStatic == isStaticSelf }
        if let made = meaning(of: usable, receiver: receiver, range) { return made }
      }
      around = nominal.outer
    }
    return nil
  }

  /// What members that were found mean with an object in front of them.
  func meaning(
    of found: [FoundMember], receiver: Typed.Expression?, _ range: SourceRange,
    isDirect: Bool = false, isCalled: Bool = false
  ) -> Meaning? {
    let found = isCalled ? callable(found) : found
    guard let first = found.first else { return nil }
    if let variable = first.symbol as? VariableSymbol {
      return .value(
        read(
          variable, variable.isStatic ? nil : receiver, first.substitution, range,
          isDirect: isDirect))
    }
    if let one = first.symbol as? CaseSymbol {
      return .functions([caseCandidate(one, first.substitution)])
    }
    let functions = found.compactMap { member -> Candidate? in
      guard let symbol = member.symbol as? FunctionSymbol else { return nil }
      return Candidate(
        symbol: symbol, receiver: symbol.isStatic ? nil : receiver,
        substitution: member.substitution, isDirect: isDirect)
    }
    return functions.isEmpty ? nil : .functions(withoutOverridden(functions))
  }

  /// What a class below overrides is left out, and so is what a type has in the place of a protocol's own.
  private func withoutOverridden(_ candidates: [Candidate]) -> [Candidate] {
    var kept: [Candidate] = []
    for candidate in candidates {
      let isHidden = kept.contains { other in
        other.symbol.parameters.map(\.label) == candidate.symbol.parameters.map(\.label)
          && other.symbol.parameters.map(\.type) == candidate.symbol.parameters.map(\.type)
          && other.symbol.owner !== candidate.symbol.owner
          && other.symbol.isStatic == candidate.symbol.isStatic
      }
      if !isHidden { kept.append(candidate) }
    }
    return kept
  }

  /// A case as the function that makes a value of it.
  func caseCandidate(_ one: CaseSymbol, _ substitution: Substitution) -> Candidate {
    let made = FunctionSymbol(one.name, one.range, owner: one.owner)
    made.isStatic = true
    made.parameters = one.values
    made.result = one.owner?.selfType ?? .error
    made.implementation = .enumCase(one)
    made.isDiscardable = true
    return Candidate(symbol: made, receiver: nil, substitution: substitution)
  }

  // MARK: Reading

  /// The value of a variable.
  func read(
    _ variable: VariableSymbol, _ receiver: Typed.Expression?, _ substitution: Substitution,
    _ range: SourceRange, isDirect: Bool = false
  ) -> Typed.Expression {
    let type = bodies.type(of: variable).substituting(substitution)
    if variable.isWrapped {
      return refuse("a property wrapper is not known here yet", range)
    }
    if let row = variable.row {
      if row.suspends { noteSuspension(variable.name, range) }
      if type.isError { return refuse("'\(variable.name)' is not known here yet", range) }
      return node(.property(row, receiver), type, range)
    }
    guard let getter = variable.getter else {
      if variable.owner != nil, !variable.isStatic, let receiver {
        return visiting(variable, receiver, node(.field(receiver, variable), type, range))
      }
      return visiting(variable, nil, node(.global(variable, substitution), type, range))
    }
    var call = Typed.Call(
      callee: .function(getter), substitution: substitution, receiver: receiver, arguments: [],
      place: range, nameRange: range)
    (call.isAsync, call.isThrowing, call.isDirect) = (getter.isAsync, getter.isThrowing, isDirect)
    call.hop = hop(for: getter, receiver, [], variable.name, range)
    let made = node(.call(call), type, range)
    finishCall(made)
    return made
  }

  // MARK: Members

  func inferMember(
    _ base: Grammar.Expression, _ name: Grammar.Name, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if name.text == "self" { return typeValue(infer(base, nil)) }
    if case .implicitMember(let first) = base.kind {
      let value = inferImplicit(first, nil, expected, base.range)
      return self.value(of: meaning(ofMember: name, value, range), name.text, expected, range)
    }
    return value(
      of: meaning(ofMember: name, base, range), name.text, expected, range)
  }

  /// `(Int, String).self`: a tuple of types is the type of tuples.
  private func typeValue(_ value: Typed.Expression) -> Typed.Expression {
    guard case .tuple(let parts) = value.kind, case .tuple(let elements) = value.type else {
      return value
    }
    var types: [SwiftType.TupleElement] = []
    for (part, element) in zip(parts, elements) {
      guard case .metatype(let type) = solver.shallow(typeValue(part).type) else { return value }
      types.append(SwiftType.TupleElement(label: element.label, type: type))
    }
    return Typed.Expression(.metatype(.tuple(types)), .metatype(.tuple(types)), value.range)
  }

  /// A member of a value.
  func member(
    of base: Typed.Expression, _ name: Grammar.Name, _ range: SourceRange
  ) -> Typed.Expression {
    value(of: meaning(ofMember: name, base, range), name.text, nil, range)
  }

  /// What a member is, with the expression in front of its point.
  func meaning(
    ofMember name: Grammar.Name, _ base: Grammar.Expression, _ range: SourceRange,
    isCalled: Bool = false
  ) -> Meaning {
    if case .name("super", _) = base.kind { return meaningOfSuper(name, range) }
    if let whole = qualifiedName(base, name), let type = table.types[whole], type.family != nil {
      return .type(.nominal(type, []))
    }
    if case .name(let module, _) = base.kind,
      ["Swift", "Foundation", "Dispatch", "_Concurrency", "Synchronization"].contains(module),
      find(module) == nil
    {
      return meaning(of: name.text, [], range)
    }
    let value = infer(base, nil)
    return meaning(ofMember: name, value, range, isCalled: isCalled)
  }

  /// `DispatchQueue.Attributes`: names with points in them are those of closed lists.
  private func qualifiedName(_ base: Grammar.Expression, _ name: Grammar.Name) -> String? {
    switch base.kind {
    case .name(let owner, _): return "\(owner).\(name.text)"
    case .member(let inner, let middle, _):
      return qualifiedName(inner, middle).map { "\($0).\(name.text)" }
    default: return nil
    }
  }

  private func meaningOfSuper(_ name: Grammar.Name, _ range: SourceRange) -> Meaning {
    guard let parent = context.nominal?.superclass, let own = ownSelf(range) else {
      report("'super' is for subclasses", range)
      return .value(failed(range))
    }
    let receiver = node(.conversion(own), parent, range)
    return meaning(
      of: members(name.text, of: parent), receiver: receiver, name.range, isDirect: true)
      ?? .none
  }

  func meaning(
    ofMember name: Grammar.Name, _ base: Typed.Expression, _ range: SourceRange,
    isCalled: Bool = false
  ) -> Meaning {
    let type = solver.shallow(base.type)
    switch type {
    case .error: return .value(failed(range))
    case .metatype(let owner): return meaning(ofStatic: name, solver.shallow(owner), base, range)
    case .tuple(let elements):
      let index =
        Int(name.text) ?? elements.firstIndex { $0.label == name.text } ?? elements.count
      if index < elements.count {
        return .value(node(.element(base, index), elements[index].type, range))
      }
    default: break
    }
    let found = members(name.text, of: type).filter { !$0.symbol.isStatic }
    if let made = meaning(of: found, receiver: base, range, isCalled: isCalled) { return made }
    if solver.isOpen(type), solver.literal(type) != nil {
      // `5.description`: a literal has its standard type.
      let standard = solver.literal(type) == .integer ? known.integer : known.double
      if solver.unify(type, standard) { return meaning(ofMember: name, base, range) }
    }
    if let wrapped = type.wrapped, !members(name.text, of: wrapped).isEmpty {
      report(
        "'\(name.text)' is a member of \(solver.resolve(wrapped)), and this is an optional: unwrap it with '?' or '!'",
        name.range)
      return .value(failed(range))
    }
    report("\(solver.resolve(type)) has no member '\(name.text)'", name.range)
    return .value(failed(range))
  }

  /// The functions among members of one name, such as `first(where:)` beside `first`, where something is called.
  private func callable(_ found: [FoundMember]) -> [FoundMember] {
    let fitting = found.filter { member in
      guard let variable = member.symbol as? VariableSymbol else { return true }
      return isFunction(bodies.type(of: variable))
    }
    return fitting.isEmpty ? found : fitting
  }

  func meaning(
    ofStatic name: Grammar.Name, _ owner: SwiftType, _ base: Typed.Expression, _ range: SourceRange
  ) -> Meaning {
    if name.text == "init" { return .functions(initializers(of: owner, range)) }
    if let value = symbol(name.text, owner, range) { return .value(value) }
    let found = members(name.text, of: owner)
    let statics = found.filter { $0.symbol.isStatic }
    if let made = meaning(of: statics, receiver: nil, range) { return made }
    if let nested = owner.nominal?.types[name.text] { return .type(nested) }
    if name.text == "self" { return .value(base) }
    if owner.isError { return .value(failed(range)) }
    // `Type.method` is a function of an instance.
    report("\(solver.resolve(owner)) has no member '\(name.text)'", name.range)
    return .value(failed(range))
  }

  /// A name of a closed list.
  func symbol(_ name: String, _ type: SwiftType, _ range: SourceRange) -> Typed.Expression? {
    guard let family = type.nominal?.family else { return nil }
    let own = family.ownName(name)
    if type.nominal?.builtin == .options {
      guard let bits = family.bits(of: own) else { return nil }
      return Typed.Expression(.options(family, bits), type, range)
    }
    guard family.members.contains(own) else { return nil }
    return Typed.Expression(.symbol(family, own), type, range)
  }
}
