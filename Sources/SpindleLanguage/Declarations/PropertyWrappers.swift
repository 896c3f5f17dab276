import SpindleModel

/// A property with a wrapper of the program: `@Locked var hits = 0` is a stored `_hits`, and accessors that go through
/// it.
///
/// Source: SE-0258. Run with Swift 6.3.1.
struct WrappedProperty {
  let property: VariableSymbol
  let storage: VariableSymbol
  let wrapper: Nominal
  let attribute: Grammar.Attribute
  let entry: Grammar.Variable.Entry
  let declarer: MemberDeclarer

  /// Completes what depends on the members of the wrapper: the first value, which accessors there are, and `$hits`.
  func complete(in table: DeclarationTable) {
    guard let value = variable("wrappedValue") else {
      (storage.state, property.state) = (.resolved, .resolved)
      return table.report(Messages.wrapperWithoutValue(wrapper.name), attribute.name.range)
    }
    storage.value = firstValue
    if storage.value == nil {
      let type = Grammar.TypeSyntax(
        kind: .name(wrapper.name, typeArguments), range: attribute.name.range)
      storage.written = type
      (storage.type, storage.state) = (table.resolve(type, in: declarer.context), .resolved)
    }
    restrict(property, to: value)
    guard let projected = variable("projectedValue"), let nominal = declarer.nominal else { return }
    let made = declarer.accessing(
      Grammar.Name(text: "$" + property.name, range: property.range), "projectedValue", storage,
      type: nil, property)
    restrict(made, to: projected)
    nominal.add(made)
  }

  private func variable(_ name: String) -> VariableSymbol? {
    (wrapper.members[name] ?? []).lazy.compactMap { $0 as? VariableSymbol }.first
  }

  /// Leaves out a setter that the wrapper has not; a wrapper that is a class, or says so, is not changed by one.
  private func restrict(_ property: VariableSymbol, to value: VariableSymbol) {
    let isSettable = value.isStored ? !value.isLet : value.setter != nil
    if !isSettable {
      property.setter = nil
      property.getter?.setter = nil
    }
    let isKept = wrapper.isReference
    property.setter?.isMutating = !isKept && (value.isStored || value.setter?.isMutating == true)
    property.getter?.isMutating = !isKept && value.getter?.isMutating == true
  }

  /// What the wrapper is made of: the value in front, the arguments of the attribute, or nothing where it needs nothing.
  private var firstValue: Grammar.Expression? {
    if let value = entry.value { return call([wrapped(value)] + attribute.arguments) }
    if !attribute.arguments.isEmpty { return call(attribute.arguments) }
    if canBeMadeOfNothing { return call([]) }
    guard let type = entry.type, Synthesis.isOptional(type) else { return nil }
    return call([wrapped(Grammar.Expression(kind: .nil, range: property.range))])
  }

  private func wrapped(_ value: Grammar.Expression) -> Grammar.Argument {
    let label = Grammar.Name(text: "wrappedValue", range: value.range)
    guard let type = entry.type else { return Grammar.Argument(label: label, value: value) }
    let typed = Grammar.Expression(kind: .cast(value, .coerce, type), range: value.range)
    return Grammar.Argument(label: label, value: typed)
  }

  private func call(_ arguments: [Grammar.Argument]) -> Grammar.Expression {
    let range = attribute.name.range
    let callee = Grammar.Expression(kind: .name(wrapper.name, typeArguments), range: range)
    let call = Grammar.Call(
      callee: callee, arguments: arguments, place: range, hasParentheses: true)
    return Grammar.Expression(kind: .call(call), range: range)
  }

  /// The type arguments that are written; else, where no value says it, the one that the type of the property is, or is
  /// the optional of.
  private var typeArguments: [Grammar.TypeSyntax] {
    guard attribute.typeArguments.isEmpty, entry.value == nil else {
      return attribute.typeArguments
    }
    guard wrapper.generics.count == 1, let type = entry.type, let value = variable("wrappedValue")
    else { return [] }
    if value.type.wrapped != nil, case .optional(let inner) = type.kind { return [inner] }
    return [type]
  }

  private var canBeMadeOfNothing: Bool {
    let initializers = (wrapper.members["init"] ?? []).compactMap { $0 as? FunctionSymbol }
    return initializers.contains { $0.parameters.allSatisfy(\.hasStandard) }
  }
}

// MARK: Initialisers

extension WrappedProperty {
  /// Makes the initialiser that the compiler writes for a struct some of whose properties have wrappers; false where none
  /// has.
  ///
  /// The wrappers are made of the arguments.
  static func complete(
    _ made: FunctionSymbol, _ nominal: Nominal, _ table: DeclarationTable
  ) -> Bool {
    let all = table.wrapped.filter { $0.storage.owner === nominal && !$0.storage.isStatic }
    guard !all.isEmpty else { return false }
    var statements: [Grammar.Statement] = []
    for variable in nominal.stored {
      let wrapped = all.first { $0.storage === variable }
      // What is lazy is made when it is asked for.
      if variable.isLet && variable.value != nil || variable.isLazy { continue }
      if wrapped?.takesValue == false { continue }
      let property = wrapped?.property ?? variable
      let standard = standard(of: variable, wrapped?.entry)
      made.parameters.append(
        FunctionSymbol.Parameter(
          label: property.name, name: property.name, type: property.type, isEscaping: true,
          standard: standard, hasStandard: standard != nil, range: variable.range))
      let range = variable.range
      let own = Grammar.Expression(kind: .name("self", []), range: range)
      let target = Grammar.Expression(
        kind: .member(own, Grammar.Name(text: variable.name, range: range), []), range: range)
      let value = Grammar.Expression(kind: .name(property.name, []), range: range)
      let first = wrapped.map { $0.call([$0.wrapped(value)] + $0.attribute.arguments) } ?? value
      statements.append(
        Grammar.Statement(kind: .assignment(target, nil, first), range: range))
    }
    made.implementation = .body(
      Grammar.Block(statements: statements, range: nominal.place ?? SourceRange(0, 0)))
    return true
  }

  /// The default of a parameter: the first value of the property, or nil.
  private static func standard(
    of variable: VariableSymbol, _ entry: Grammar.Variable.Entry?
  ) -> Grammar.Expression? {
    if let value = entry.map(\.value) ?? variable.value { return value }
    guard !variable.isLet, let type = entry.map(\.type) ?? variable.written,
      Synthesis.isOptional(type)
    else { return nil }
    return Grammar.Expression(kind: .nil, range: variable.range)
  }

  /// Whether its wrapper is made of a value that an initialiser is given.
  private var takesValue: Bool {
    if entry.value != nil { return true }
    guard attribute.arguments.isEmpty, !canBeMadeOfNothing else { return false }
    return storage.value == nil || entry.type.map(Synthesis.isOptional) == true
  }
}

extension DeclarationTable {
  /// The attributes of a declaration that name wrappers of the program.
  func wrappers(
    in modifiers: Grammar.Modifiers
  ) -> [(attribute: Grammar.Attribute, type: Nominal)] {
    modifiers.attributes.compactMap { attribute in
      guard let type = types[attribute.name.text], type.isWrapper else { return nil }
      return (attribute, type)
    }
  }
}

extension MemberDeclarer {
  /// The stored wrapper of a property, and the property itself.
  func wrapped(
    _ name: Grammar.Name, _ entry: Grammar.Variable.Entry, isLet: Bool,
    _ attribute: Grammar.Attribute, _ wrapper: Nominal, _ modifiers: Grammar.Modifiers
  ) -> [VariableSymbol] {
    let isAlone = table.wrappers(in: modifiers).count == 1
    if nominal == nil || isLet || !isAlone || entry.accessors != nil || isExtension {
      table.report(Messages.wrapperElsewhere, attribute.name.range)
      return []
    }
    var plain = modifiers
    plain.attributes.removeAll { $0.name.text == attribute.name.text }
    let storage = VariableSymbol("_" + name.text, name.range, owner: nominal, isLet: false)
    configure(storage, plain)
    let property = accessing(name, "wrappedValue", storage, type: entry.type, storage)
    configure(property, plain)
    table.wrapped.append(
      WrappedProperty(
        property: property, storage: storage, wrapper: wrapper, attribute: attribute, entry: entry,
        declarer: self))
    return [storage, property]
  }

  /// A property that reads and writes a member of a stored wrapper.
  func accessing(
    _ name: Grammar.Name, _ member: String, _ storage: VariableSymbol, type: Grammar.TypeSyntax?,
    _ model: VariableSymbol
  ) -> VariableSymbol {
    let made = VariableSymbol(name.text, name.range, owner: nominal, isLet: false)
    (made.isStatic, made.isolation) = (model.isStatic, model.isolation)
    made.wrapper = (storage, member)
    let range = name.range
    let place = Grammar.Expression(
      kind: .member(
        Grammar.Expression(kind: .name(storage.name, []), range: range),
        Grammar.Name(text: member, range: range), []),
      range: range)
    let value = Grammar.Expression(kind: .name("newValue", []), range: range)
    func block(_ kind: Grammar.StatementKind) -> Grammar.Block {
      Grammar.Block(statements: [Grammar.Statement(kind: kind, range: range)], range: range)
    }
    made.written = type
    if let type { (made.type, made.state) = (table.resolve(type, in: context), .resolved) }
    declare(
      Grammar.Accessors(
        getter: block(.expression(place)), setter: block(.assignment(place, nil, value)),
        range: range),
      of: made, Grammar.Modifiers())
    return made
  }
}
