import SpindleModel

/// Subscripts, and the cases of enums.
extension MemberDeclarer {
  func subscripted(
    _ syntax: Grammar.Subscript, _ modifiers: Grammar.Modifiers
  ) -> SubscriptSymbol {
    let (generics, inner) = declarer.generics(syntax.generics, [], context)
    func accessor(_ body: Grammar.Block?, _ role: String) -> FunctionSymbol {
      let made = FunctionSymbol("subscript", syntax.range, owner: nominal)
      configure(made, modifiers)
      made.generics = generics
      made.parameters = parameters(syntax.parameters, inner, &made.generics)
      made.conditions = conditions
      made.isProtocolExtension = isExtension && nominal?.kind == .protocol
      made.role = role
      if let builtin = modifiers.attribute("builtin")?.argument {
        made.implementation = .builtin(role == "get" ? builtin : builtin + "Set")
      } else if let body {
        made.implementation = modifiers.attribute("inlined") != nil ? .inlined(body) : .body(body)
      } else {
        made.isRequirement = true
      }
      return made
    }
    let result = table.resolve(syntax.result, in: inner)
    let getter = accessor(syntax.accessors.getter, "get")
    getter.result = result
    getter.isMutating = syntax.accessors.isGetterMutating
    let made = SubscriptSymbol(getter: getter, owner: nominal)
    made.isStatic = getter.isStatic
    made.isolation = getter.isolation
    if syntax.accessors.setter != nil || syntax.accessors.requiresSetter {
      let setter = accessor(syntax.accessors.setter, "set")
      setter.isMutating = !syntax.accessors.isSetterNonmutating
      setter.readsFirst = syntax.accessors.readsFirst
      setter.parameters.append(
        FunctionSymbol.Parameter(
          label: nil, name: syntax.accessors.setterName?.text ?? "newValue", type: result,
          hasStandard: false, range: syntax.range))
      made.setter = setter
      getter.setter = setter
    }
    return made
  }

  // MARK: Cases

  func declareCase(_ one: Grammar.EnumCase) {
    guard let nominal else { return }
    let made = CaseSymbol(one.name.text, one.name.range, owner: nominal)
    made.isStatic = true
    made.index = nominal.cases.count
    var none: [GenericParameter] = []
    made.values = parameters(one.values, context, &none)
    made.writtenRaw = one.raw
    switch one.raw?.kind {
    case .integer(let value)?: made.raw = .integer(value)
    case .prefix(let sign, let inner)?:
      if sign.text == "-", case .integer(let value) = inner.kind { made.raw = .integer(-value) }
    case .string(let segments)?:
      if case .text(let text)? = segments.first { made.raw = .text(text) }
    case .decimal(let value)?: made.raw = .decimal(value)
    default:
      if nominal.rawType == table.known.string {
        made.raw = .text(one.name.text)
      } else if nominal.rawType == table.known.integer {
        var next: Int64 = 0
        if case .integer(let last)? = nominal.cases.last?.raw { next = last + 1 }
        made.raw = .integer(next)
      }
    }
    nominal.cases.append(made)
    add(made)
  }
}
