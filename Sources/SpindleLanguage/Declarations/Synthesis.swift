import SpindleModel

/// What the compiler declares by itself for a type: initialisers, raw values, lists of cases, comparison.
enum Synthesis {
  static func complete(_ nominal: Nominal, in table: DeclarationTable) {
    switch nominal.kind {
    case .struct:
      if nominal.builtin == nil, !nominal.hasOwnInitializer { addMemberwise(nominal, table) }
    case .class, .actor:
      if !nominal.hasOwnInitializer, nominal.superclass == nil { addPlain(nominal) }
    case .enum: completeEnum(nominal, table)
    case .protocol: return
    }
    if nominal.isGlobalActor { addShared(nominal) }
    addComparison(nominal, table)
  }

  /// The `shared` of a global actor that declares none, as a trace may.
  private static func addShared(_ nominal: Nominal) {
    let name = "shared"
    guard nominal.kind == .actor, nominal.members[name] == nil else { return }
    let range = nominal.place ?? SourceRange(0, 0)
    let made = VariableSymbol(name, range, owner: nominal, isLet: true)
    (made.isStatic, made.isolation) = (true, .nonisolated)
    (made.type, made.state) = (nominal.selfType, .resolved)
    let callee = Grammar.Expression(kind: .name(nominal.name, []), range: range)
    let call = Grammar.Call(callee: callee, arguments: [], place: range, hasParentheses: true)
    made.value = Grammar.Expression(kind: .call(call), range: range)
    nominal.add(made)
  }

  private static func initializer(_ nominal: Nominal) -> FunctionSymbol {
    let made = FunctionSymbol("init", nominal.place ?? SourceRange(0, 0), owner: nominal)
    made.isInitializer = true
    made.isDiscardable = true
    made.result = nominal.selfType
    made.implementation = .memberwise
    made.isMemberwise = true
    // An initialiser that the compiler writes runs wherever it is called, unless the type says where.
    made.isolation = nominal.kind == .actor ? .nonisolated : nominal.isolation
    return made
  }

  private static func addMemberwise(_ nominal: Nominal, _ table: DeclarationTable) {
    let made = initializer(nominal)
    if WrappedProperty.complete(made, nominal, table) { return nominal.add(made) }
    for variable in nominal.stored where !(variable.isLet && variable.value != nil) {
      let hasStandard =
        variable.value != nil || (!variable.isLet && variable.written.map(isOptional) ?? false)
      made.parameters.append(
        FunctionSymbol.Parameter(
          label: variable.name, name: variable.name, type: variable.type,
          isEscaping: true, standard: variable.isLazy ? nil : variable.value,
          hasStandard: hasStandard,
          range: variable.range))
    }
    nominal.add(made)
  }

  static func isOptional(_ syntax: Grammar.TypeSyntax) -> Bool {
    if case .optional = syntax.kind { return true }
    if syntax.isImplicit { return true }
    return false
  }

  private static func addPlain(_ nominal: Nominal) { nominal.add(initializer(nominal)) }

  private static func completeEnum(_ nominal: Nominal, _ table: DeclarationTable) {
    if let raw = nominal.rawType {
      let variable = VariableSymbol(
        "rawValue", nominal.place ?? SourceRange(0, 0), owner: nominal, isLet: true)
      (variable.type, variable.state) = (raw, .resolved)
      let getter = FunctionSymbol("rawValue", variable.range, owner: nominal)
      (getter.result, getter.role) = (raw, "get")
      getter.implementation = .builtin("rawValue")
      variable.getter = getter
      nominal.add(variable)
      let made = FunctionSymbol("init", variable.range, owner: nominal)
      made.isInitializer = true
      made.isFailable = true
      made.isDiscardable = true
      made.parameters = [
        FunctionSymbol.Parameter(
          label: "rawValue", name: "rawValue", type: raw, hasStandard: false, range: variable.range)
      ]
      made.result = table.known.optional(nominal.selfType)
      made.implementation = .builtin("fromRawValue")
      nominal.add(made)
    }
    if nominal.allProtocols.contains(where: { $0.name == "CaseIterable" }) {
      let variable = VariableSymbol(
        "allCases", nominal.place ?? SourceRange(0, 0), owner: nominal, isLet: true)
      (variable.type, variable.state) = (table.known.array(nominal.selfType), .resolved)
      variable.isStatic = true
      let getter = FunctionSymbol("allCases", variable.range, owner: nominal)
      (getter.result, getter.role, getter.isStatic) = (variable.type, "get", true)
      getter.implementation = .builtin("allCases")
      variable.getter = getter
      nominal.add(variable)
    }
    // Without values in its cases an enum is compared, and is a key, by itself.
    if nominal.builtin == nil, nominal.cases.allSatisfy({ $0.values.isEmpty }) {
      nominal.add(Conformance(table.known.hashable))
    }
  }

  /// `==` where the type says that it is `Equatable` and does not say how; `<` of an `enum`.
  private static func addComparison(_ nominal: Nominal, _ table: DeclarationTable) {
    guard nominal.builtin == nil || nominal.builtin == .optional else { return }
    if nominal.conforms(to: table.known.equatable), nominal.members["=="] == nil, nominal.isValue {
      nominal.addOperator("==", "equalParts", table)
    }
    if nominal.kind == .enum, nominal.conforms(to: table.known.comparable),
      nominal.members["<"] == nil
    {
      nominal.addOperator("<", "caseIsBefore", table)
    }
  }
}

extension Nominal {
  /// Whether the type itself, and not only an extension of it, declares an initialiser.
  fileprivate var hasOwnInitializer: Bool {
    (members["init"] ?? []).contains { !$0.isInExtension }
  }
}
