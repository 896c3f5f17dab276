import SpindleModel

/// What members of values and of types mean.
extension BodyChecker {
  func inferMember(
    _ base: Grammar.Expression, _ name: Grammar.Name, _ arguments: [Grammar.TypeSyntax],
    _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if name.text == "self" { return typeValue(infer(base, nil)) }
    if case .implicitMember(let first) = base.kind {
      let value = inferImplicit(first, nil, expected, base.range)
      return self.value(of: meaning(ofMember: name, value, range), name.text, expected, range)
    }
    return value(
      of: applying(arguments, to: meaning(ofMember: name, base, range)), name.text, expected, range)
  }

  /// `load(_:completion:)`: a function by its labels.
  func inferCompound(
    _ base: Grammar.Expression, _ labels: [String], _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    let (meaning, name): (Meaning, String)
    switch base.kind {
    case .name(let text, let arguments):
      (meaning, name) = (self.meaning(of: text, arguments, range), text)
    case .member(let owner, let member, _):
      (meaning, name) = (self.meaning(ofMember: member, owner, range, isCalled: true), member.text)
    default: return refuse("a name with labels is that of a function", range)
    }
    guard case .functions(let candidates) = meaning else {
      if case .value(let value) = meaning, value.type.isError { return value }
      return refuse("a name with labels is that of a function", range)
    }
    let wanted = labels.map { $0 == "_" ? nil : Optional($0) }
    var fitting = candidates.filter { $0.symbol.parameters.map(\.label) == wanted }
    if fitting.isEmpty {
      // Rows have labels of Spindle's own, such as 'name:', which Apple's functions do not have.
      fitting = candidates.filter {
        guard case .row = $0.symbol.implementation else { return false }
        return $0.symbol.parameters.filter { !$0.hasStandard }.map(\.label) == wanted
      }
    }
    guard !fitting.isEmpty else {
      return refuse("there is no '\(name)(\(labels.map { $0 + ":" }.joined()))'", range)
    }
    return value(of: .functions(fitting), name, expected, range)
  }

  /// `(Int, [String]).self`: a tuple of types is the type of tuples, and so is an array of one type that of arrays.
  func typeValue(_ value: Typed.Expression) -> Typed.Expression {
    func named(_ value: Typed.Expression) -> SwiftType? {
      if case .metatype(let type) = solver.shallow(typeValue(value).type) { type } else { nil }
    }
    func metatype(_ type: SwiftType) -> Typed.Expression {
      Typed.Expression(.metatype(type), .metatype(type), value.range)
    }
    if case .array(let elements) = value.kind, elements.count == 1, let one = named(elements[0]) {
      return metatype(known.array(one))
    }
    if case .dictionary(let entries) = value.kind, entries.count == 1,
      let key = named(entries[0].0), let one = named(entries[0].1)
    {
      return metatype(.nominal(known.dictionary, [key, one]))
    }
    guard case .tuple(let parts) = value.kind, case .tuple(let elements) = value.type else {
      return value
    }
    var types: [SwiftType.TupleElement] = []
    for (part, element) in zip(parts, elements) {
      guard let type = named(part) else { return value }
      types.append(SwiftType.TupleElement(label: element.label, type: type))
    }
    return metatype(.tuple(types))
  }

  /// A member of a value.
  func member(
    of base: Typed.Expression, _ name: Grammar.Name, _ range: SourceRange
  ) -> Typed.Expression {
    value(of: meaning(ofMember: name, base, range), name.text, nil, range)
  }

  /// Whether the type arguments say which member of a name a value has, so that literals among them take their types first.
  private func dependsOnArguments(_ name: String, of type: SwiftType) -> Bool {
    guard let nominal = type.nominal else { return false }
    return nominal.members[name]?.contains { !$0.conditions.isEmpty } == true
      || nominal.allProtocols.contains { one in
        one.members[name]?.contains { !$0.conditions.isEmpty } == true
      }
  }

  /// What a member is, with the expression in front of its point.
  func meaning(
    ofMember name: Grammar.Name, _ base: Grammar.Expression, _ range: SourceRange,
    isCalled: Bool = false
  ) -> Meaning {
    if case .name("super", _) = base.kind { return meaningOfSuper(name, range) }
    if let whole = qualifiedName(base, name) {
      if let type = table.types[whole], type.family != nil { return .type(.nominal(type, [])) }
      if table.aliases[whole] != nil {
        let syntax = Grammar.TypeSyntax(kind: .name(whole, []), range: range)
        return .type(resolve(syntax))
      }
    }
    if case .name(let module, _) = base.kind,
      DeclarationTable.modules.contains(module),
      find(module) == nil
    {
      // A name of the program's own does not hide the one of the module.
      if let type = table.libraryType(name.text) { return .type(instantiated(type, [])) }
      let functions = (table.globals[name.text] ?? []).compactMap { $0 as? FunctionSymbol }
        .filter(\.isOfLibrary)
      if !functions.isEmpty {
        return .functions(
          functions.map { Candidate(symbol: $0, receiver: nil, substitution: [:]) })
      }
      return meaning(atTop: name.text, [], range) ?? meaning(of: name.text, [], range)
    }
    let outer = (callAtHand, expectedAtHand)
    (callAtHand, expectedAtHand) = (nil, nil)
    let value = infer(base, nil)
    (callAtHand, expectedAtHand) = outer
    return meaning(ofMember: name, value, range, isCalled: isCalled)
  }

  /// A member of a type as a value, which says what type it is where the code does not name it.
  private func meaning(
    ofMetatype base: Typed.Expression, _ owner: SwiftType, _ name: Grammar.Name,
    _ range: SourceRange, isCalled: Bool
  ) -> Meaning {
    if name.text == "init", !base.namesType {
      var candidates = initializers(of: owner, range)
      if case .existential = owner {
        candidates = members("init", of: owner).compactMap { member in
          (member.symbol as? FunctionSymbol).map {
            Candidate(symbol: $0, receiver: nil, substitution: member.substitution)
          }
        }
      }
      for index in candidates.indices { candidates[index].metatype = base }
      return .functions(candidates)
    }
    return meaning(ofStatic: name, owner, base, range, isCalled: isCalled)
  }

  /// `DispatchQueue.Attributes`: names with points in them are those of closed lists.
  func qualifiedName(_ base: Grammar.Expression, _ name: Grammar.Name) -> String? {
    switch base.kind {
    case .name(let owner, _):
      // These are types of the library, whose names begin with capitals.
      guard let first = owner.utf8.first, first < UInt8(ascii: "a") else { return nil }
      return "\(owner).\(name.text)"
    case .member(let inner, let middle, _):
      return qualifiedName(inner, middle).map { "\($0).\(name.text)" }
    default: return nil
    }
  }

  func meaningOfSuper(_ name: Grammar.Name, _ range: SourceRange) -> Meaning {
    guard let parent = context.nominal?.superclass, let own = ownSelf(range) else {
      report("'super' is for subclasses", range)
      return .value(failed(range))
    }
    var receiver = own
    if case .metatype = own.type {} else { receiver = node(.conversion(own), parent, range) }
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
    case .metatype(let owner):
      return meaning(ofMetatype: base, solver.shallow(owner), name, range, isCalled: isCalled)
    case .tuple(let elements):
      let index =
        Int(name.text) ?? elements.firstIndex { $0.label == name.text } ?? elements.count
      if index < elements.count {
        return .value(node(.element(base, index), elements[index].type, range))
      }
    default: break
    }
    if type.hasVariables, dependsOnArguments(name.text, of: type) {
      solver.settleLiterals(in: type)
    }
    let found = members(name.text, of: type).filter { !$0.symbol.isStatic }
    if let made = meaning(of: found, receiver: base, range, isCalled: isCalled) { return made }
    if solver.isOpen(type), solver.literal(type) != nil {
      // `5.description`: a literal has its standard type.
      let standard = solver.literal(type) == .integer ? known.integer : known.double
      if solver.unify(type, standard) { return meaning(ofMember: name, base, range) }
    }
    if let wrapped = type.wrapped, !members(name.text, of: wrapped).isEmpty {
      if base.isImplicit { return meaning(ofMember: name, taken(base), range, isCalled: isCalled) }
      report(
        "'\(name.text)' is a member of \(solver.resolve(wrapped)), and this is an optional: unwrap it with '?' or '!'",
        name.range)
      return .value(failed(range))
    }
    report(
      unknownMember(name.text, of: type, isStatic: false, name.range, callAtHand, expectedAtHand),
      name.range)
    return .value(failed(range))
  }

  /// Where nothing is called, a property is meant in front of a function of its name, as in `Date.now`.
  func withVariableFirst(_ found: [FoundMember]) -> [FoundMember] {
    guard let first = found.first, first.symbol is FunctionSymbol,
      let variable = found.first(where: {
        $0.symbol is VariableSymbol && $0.symbol.owner === first.symbol.owner
      })
    else { return found }
    return [variable]
  }

  /// The value in an optional whose type is written with `!`.
  func taken(_ value: Typed.Expression) -> Typed.Expression {
    guard value.isImplicit, let wrapped = solver.shallow(value.type).wrapped else { return value }
    return node(.forced(value), wrapped, value.range)
  }

  /// The functions among members of one name, such as `first(where:)` beside `first`, where something is called.
  func callable(_ found: [FoundMember]) -> [FoundMember] {
    let fitting = found.filter { member in
      guard let variable = member.symbol as? VariableSymbol else { return true }
      return isFunction(bodies.type(of: variable))
    }
    return fitting.isEmpty ? found : fitting
  }

  func meaning(
    ofStatic name: Grammar.Name, _ owner: SwiftType, _ base: Typed.Expression,
    _ range: SourceRange, isCalled: Bool = false
  ) -> Meaning {
    if owner == programType { return meaning(atTop: name.text, [], range) ?? .none }
    if name.text == "init" { return .functions(initializers(of: owner, range)) }
    if let value = symbol(name.text, owner, range) { return .value(value) }
    if owner.wrapped != nil, name.text == "none" { return .value(node(.nil, owner, range)) }
    if owner.wrapped != nil, name.text == "some" {
      return .functions(initializers(of: owner, range))
    }
    let found = members(name.text, of: owner)
    let statics = found.filter { $0.symbol.isStatic }
    if let made = meaning(of: statics, receiver: base, range, isCalled: isCalled) { return made }
    if let nested = owner.nominal?.types[name.text] { return .type(self.nested(nested, in: owner)) }
    if let type = associatedType(name.text, of: owner) { return .type(type) }
    if name.text == "self" { return .value(base) }
    if owner.isError { return .value(failed(range)) }
    if let methods = unapplied(found, owner, isCalled: isCalled) { return .functions(methods) }
    report(
      unknownMember(name.text, of: owner, isStatic: true, name.range, callAtHand, expectedAtHand),
      name.range)
    return .value(failed(range))
  }

  /// `T.Element`: an associated type, or a type alias of a protocol; nil where the type has none of this name.
  private func associatedType(_ name: String, of owner: SwiftType) -> SwiftType? {
    switch owner {
    case .nominal:
      let type = owner.associated(name)
      return type == .member(owner, name) ? nil : type
    case .parameter, .member:
      let isThere = bounds(of: owner).contains { bound in
        ([bound] + bound.allProtocols).contains {
          $0.associatedTypes.contains(name) || $0.types[name] != nil
        }
      }
      return isThere ? solver.shallow(owner.associated(name)) : nil
    case .tuple, .function, .existential, .metatype, .variable, .error: return nil
    }
  }

  /// A type that another one declares: with the arguments of that one, and open ones for parameters of its own.
  private func nested(_ type: SwiftType, in owner: SwiftType) -> SwiftType {
    guard case .nominal(let outer, let given) = owner else { return type }
    var substitution = outer.substitution(given)
    if case .nominal(let inner, _) = type, inner.outer === outer {
      for parameter in inner.generics where substitution[parameter] == nil {
        substitution[parameter] = solver.variable()
      }
    }
    return type.substituting(substitution)
  }

  /// `Outer<Int>.Inner<String>`: the arguments that are written behind the name of a nested type.
  func applying(_ arguments: [Grammar.TypeSyntax], to meaning: Meaning) -> Meaning {
    guard !arguments.isEmpty, case .type(let type) = meaning,
      case .nominal(_, let given) = type
    else { return meaning }
    for (open, written) in zip(given.suffix(arguments.count), arguments) {
      _ = solver.unify(open, resolve(written))
    }
    return meaning
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
