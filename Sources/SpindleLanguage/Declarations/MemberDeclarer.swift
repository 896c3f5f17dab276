import SpindleModel

/// Functions, variables, initialisers, subscripts and cases to symbols.
struct MemberDeclarer {
  let table: DeclarationTable
  let declarer: Declarer
  /// The type whose members they are; nil at the top.
  let nominal: Nominal?
  let context: TypeContext
  var conditions: [(type: SwiftType, requirement: Nominal?, same: SwiftType?)] = []
  /// What an extension says of where its members run.
  var isolation = SymbolIsolation.unspecified
  var isExtension = false

  mutating func declare(_ declaration: Grammar.Declaration) {
    let modifiers = declaration.modifiers
    switch declaration.kind {
    case .function(let syntax): add(function(syntax, modifiers))
    case .initializer(let syntax, let isFailable):
      let made = function(syntax, modifiers)
      made.isInitializer = true
      made.isFailable = isFailable
      made.isConvenience = modifiers.has("convenience")
      made.isDiscardable = true
      made.isMutating = false
      let own = context.selfType ?? .error
      made.result = isFailable ? table.known.optional(own) : own
      add(made)
    case .deinitializer(let body):
      let made = FunctionSymbol("deinit", declaration.range, owner: nominal)
      made.implementation = .body(body)
      made.isolation =
        modifiers.has("isolated") ? ownIsolation(modifiers, isStatic: false) : .nonisolated
      nominal?.deinitializer = made
    case .variable(let variable):
      for entry in variable.entries {
        for made in variables(entry, isLet: variable.isLet, modifiers) {
          add(made)
          if made.isTaskLocal { add(projection(of: made)) }
        }
      }
    case .subscript(let syntax): add(subscripted(syntax, modifiers))
    case .enumCases(let cases):
      for one in cases { declareCase(one) }
    case .typeAlias(let name, let generics, let type):
      declarer.declareAlias(name.text, generics, type, of: nominal, context)
    case .type, .associatedType, .missing, .setting, .include, .extension, .main, .statement: break
    }
  }

  func add(_ member: MemberSymbol) {
    member.conditions = conditions
    member.isProtocolExtension = isExtension && nominal?.kind == .protocol
    member.isInExtension = isExtension
    guard let nominal else { return }
    if !declarer.isLibrary, table.isBuiltIn(member.range), nominal.has(member) { return }
    if let variable = member as? VariableSymbol, variable.isStored, !variable.isStatic {
      if isExtension, !declarer.isLibrary {
        table.report(Messages.extensionWithStored, variable.range)
      }
      if variable.isOverride, variable.isObserved {
        table.report("an override with observers is not known here yet", variable.range)
      }
      variable.index = nominal.stored.count
      nominal.stored.append(variable)
    }
    nominal.add(member)
  }

  // MARK: Functions

  private func ownIsolation(
    _ modifiers: Grammar.Modifiers, isStatic: Bool
  ) -> SymbolIsolation {
    let written = declarer.isolation(of: modifiers)
    if written != .unspecified { return written }
    if isolation != .unspecified { return isolation }
    guard let nominal else { return .unspecified }
    if nominal.isOfActors, !isStatic { return .ownActor }
    return nominal.isolation
  }

  func configure(_ symbol: MemberSymbol, _ modifiers: Grammar.Modifiers) {
    symbol.isStatic = modifiers.isStatic
    symbol.isInLibraryText = declarer.isLibrary
    symbol.isOverride = modifiers.has("override")
    symbol.isFinal = modifiers.has("final") || modifiers.has("static")
    symbol.isPrivate = modifiers.has("private")
    symbol.isolation = ownIsolation(modifiers, isStatic: symbol.isStatic)
    if symbol.isolation == .unspecified, !declarer.isLibrary,
      table.options(at: symbol.range).isMainActor
    {
      symbol.isolation = .mainActor
    }
  }

  /// A function or initialiser.
  func function(_ syntax: Grammar.Function, _ modifiers: Grammar.Modifiers) -> FunctionSymbol {
    let made = FunctionSymbol(syntax.name.text, syntax.range, owner: nominal)
    made.nameRange = syntax.name.range
    configure(made, modifiers)
    let (generics, inner) = declarer.generics(syntax.generics, syntax.requirements, context)
    made.generics = generics
    made.parameters = parameters(syntax.parameters, inner, &made.generics)
    if syntax.name.isOperator {
      // What an operator is given has no labels.
      for index in made.parameters.indices { made.parameters[index].label = nil }
    }
    made.result = syntax.result.map { table.resolve($0, in: inner) } ?? .void
    made.isOpaque = syntax.result?.isOpaque == true
    made.givesSelf = nominal?.kind == .class && syntax.result?.isSelf == true
    made.isAsync = syntax.effects.isAsync
    if made.isAsync, made.isolation == .unspecified || made.isolation == .nonisolated,
      !declarer.isLibrary, table.options(at: made.range).staysWithCaller
    {
      made.isolation = .nonsending
    }
    // Source: SE-0420. The actor of the calling code is where such a function runs.
    if made.isAsync, made.parameters.contains(where: \.isCaller) { made.isolation = .nonsending }
    (made.isThrowing, made.isRethrowing) = (
      syntax.effects.isThrowing, syntax.effects.isRethrowing
    )
    made.thrown = syntax.thrown.map { table.resolve($0, in: inner) }
    for type in made.parameters.map(\.type) + [made.result] {
      type.inferBounds(of: made.generics)
    }
    made.isMutating = modifiers.has("mutating")
    made.isDiscardable = modifiers.attribute("discardableResult") != nil
    for requirement in syntax.requirements where requirement.isSameType {
      var left = table.resolve(requirement.left, in: inner)
      // What the parameter is known by is what the equation says: the equation itself is about the associated type.
      if case .member(let base, let name, _) = requirement.left.kind {
        left = .member(table.resolve(base, in: inner), name.text)
      }
      made.sameTypes.append((left, table.resolve(requirement.right, in: inner)))
    }
    if let builtin = modifiers.attribute("builtin")?.argument {
      made.implementation = .builtin(builtin)
    } else if declarer.isLibrary, modifiers.attribute("row") != nil {
      made.isFromRow = true
    } else if let body = syntax.body {
      made.implementation = modifiers.attribute("inlined") != nil ? .inlined(body) : .body(body)
    } else if nominal?.kind == .protocol {
      made.isRequirement = true
    } else {
      table.report("a function has a body", syntax.range)
    }
    return made
  }

  func parameters(
    _ syntax: [Grammar.Parameter], _ context: TypeContext, _ generics: inout [GenericParameter]
  ) -> [FunctionSymbol.Parameter] {
    syntax.map { parameter in
      var written = parameter.type
      var made = FunctionSymbol.Parameter(
        label: parameter.label?.text, name: parameter.name.text, type: .error,
        standard: parameter.standard, hasStandard: parameter.standard != nil,
        range: parameter.name.range)
      if case .attributed(let inner, let attributes, let isInout) = written.kind {
        made.isInout = isInout
        made.isEscaping = attributes.contains { $0.name.text == "escaping" }
        made.isIsolated = attributes.contains(where: \.isOfParameter)
        if made.isIsolated, case .foreign("#isolation")? = parameter.standard?.kind {
          (made.isIsolated, made.isCaller) = (false, true)
        }
        made.isAutoclosure = attributes.contains { $0.name.text == "autoclosure" }
        if isInout { written = inner }
      }
      made.type = openParameter(written, context, &generics)
      if case .nominal(let nominal, _) = made.type, nominal.builtin == .optional {
        made.isEscaping = true
      }
      made.isVariadic = parameter.isVariadic
      return made
    }
  }

  /// The type of a parameter, in which `some P` is a type parameter without a name.
  private func openParameter(
    _ syntax: Grammar.TypeSyntax, _ context: TypeContext, _ generics: inout [GenericParameter]
  ) -> SwiftType {
    guard case .some(let bound) = syntax.kind else { return table.resolve(syntax, in: context) }
    let generic = GenericParameter("some")
    declarer.limit(generic, to: table.resolve(bound, in: context))
    generics.append(generic)
    return .parameter(generic)
  }

  // MARK: Variables

  /// The variables of one entry of a declaration: several where its pattern is a tuple.
  func variables(
    _ entry: Grammar.Variable.Entry, isLet: Bool, _ modifiers: Grammar.Modifiers
  ) -> [VariableSymbol] {
    switch entry.pattern.kind {
    case .name(let name, _):
      if let (attribute, type) = table.wrappers(in: modifiers).first {
        return wrapped(name, entry, isLet: isLet, attribute, type, modifiers)
      }
      return [variable(name, entry, isLet: isLet, modifiers)]
    case .tuple(let elements):
      return elements.enumerated().compactMap { index, element in
        guard case .name(let name, _) = element.pattern.kind else { return nil }
        let made = VariableSymbol(name.text, name.range, owner: nominal, isLet: isLet)
        configure(made, modifiers)
        made.path = [index]
        return made
      }
    case .any: return []
    default:
      table.report("a variable has a name", entry.pattern.range)
      return []
    }
  }

  /// `$id`, the object that a task-local variable is.
  func projection(of variable: VariableSymbol) -> VariableSymbol {
    let made = VariableSymbol("$" + variable.name, variable.range, owner: nominal, isLet: true)
    made.isStatic = variable.isStatic
    made.bound = variable
    return made
  }

  private func variable(
    _ name: Grammar.Name, _ entry: Grammar.Variable.Entry, isLet: Bool,
    _ modifiers: Grammar.Modifiers
  ) -> VariableSymbol {
    let made = VariableSymbol(name.text, name.range, owner: nominal, isLet: isLet)
    configure(made, modifiers)
    made.isLazy = modifiers.has("lazy")
    if made.isLazy, nominal == nil {
      table.report("a variable at the top is not 'lazy': leave the word out", name.range)
    }
    made.isTaskLocal = modifiers.attribute("TaskLocal") != nil
    if modifiers.has("weak") { made.strength = .weak }
    if modifiers.has("unowned") { made.strength = .unowned }
    made.value = entry.value
    if made.isLazy, let value = entry.value { made.maker = maker(of: made, value) }
    made.written = entry.type
    if let type = entry.type {
      made.isImplicit = type.isImplicit
      resolve(type, of: made)
    }
    if declarer.isLibrary, modifiers.attribute("row") != nil {
      made.isFromRow = true
    } else if let accessors = entry.accessors {
      declare(accessors, of: made, modifiers)
    } else if nominal?.kind == .protocol {
      table.report("a property of a protocol says '{ get }'", entry.range)
    }
    return made
  }

  /// The type that is written; the first value says the type arguments that are left out.
  private func resolve(_ type: Grammar.TypeSyntax, of variable: VariableSymbol) {
    let outer = table.openArgument
    defer { table.openArgument = outer }
    var isOpen = false
    if variable.value != nil {
      table.openArgument = {
        isOpen = true
        return .error
      }
    }
    variable.type = table.resolve(type, in: context)
    if !isOpen { variable.state = .resolved }
  }

  /// What makes the first value of a lazy property, when that is asked for.
  private func maker(
    of variable: VariableSymbol, _ value: Grammar.Expression
  ) -> FunctionSymbol {
    let made = FunctionSymbol(variable.name, variable.range, owner: nominal)
    (made.isStatic, made.isolation) = (variable.isStatic, variable.isolation)
    (made.role, made.isMutating) = ("lazy", true)
    made.conditions = conditions
    made.variable = variable
    made.isInLibraryText = declarer.isLibrary
    made.implementation = .body(
      Grammar.Block(
        statements: [Grammar.Statement(kind: .expression(value), range: value.range)],
        range: value.range))
    return made
  }

  func declare(
    _ accessors: Grammar.Accessors, of variable: VariableSymbol, _ modifiers: Grammar.Modifiers
  ) {
    func accessor(_ suffix: String, _ body: Grammar.Block?) -> FunctionSymbol {
      let made = FunctionSymbol(variable.name, variable.range, owner: nominal)
      (made.isStatic, made.isolation) = (variable.isStatic, variable.isolation)
      made.isOverride = variable.isOverride
      made.conditions = conditions
      made.isProtocolExtension = isExtension && nominal?.kind == .protocol
      made.role = suffix
      made.isInLibraryText = declarer.isLibrary
      made.variable = variable
      if let builtin = modifiers.attribute("builtin")?.argument {
        made.implementation = .builtin(builtin)
      } else if let body {
        made.implementation = modifiers.attribute("inlined") != nil ? .inlined(body) : .body(body)
      } else {
        made.isRequirement = true
      }
      return made
    }
    func value(_ name: Grammar.Name?, _ standard: String) -> FunctionSymbol.Parameter {
      FunctionSymbol.Parameter(
        label: nil, name: name?.text ?? standard, type: variable.type, hasStandard: false,
        range: name?.range ?? variable.range)
    }
    if accessors.getter != nil || accessors.isRequirement {
      let getter = accessor("get", accessors.getter)
      (getter.result, getter.isOpaque) = (variable.type, variable.written?.isOpaque == true)
      getter.isAsync = accessors.getterEffects.isAsync
      getter.isThrowing = accessors.getterEffects.isThrowing
      getter.thrown = accessors.getterThrown.map { table.resolve($0, in: context) }
      getter.isMutating = accessors.isGetterMutating
      variable.getter = getter
    }
    if accessors.setter != nil || accessors.requiresSetter {
      let setter = accessor("set", accessors.setter)
      setter.parameters = [value(accessors.setterName, "newValue")]
      setter.readsFirst = accessors.readsFirst
      setter.isMutating = !accessors.isSetterNonmutating
      variable.setter = setter
      variable.getter?.setter = setter
    }
    if accessors.getter != nil, (accessors.willSet ?? accessors.didSet) != nil {
      table.report(
        "a computed property has no observers: its setter does what they would", variable.range)
    }
    if let body = accessors.willSet {
      let observer = accessor("willSet", body)
      observer.parameters = [value(accessors.willSetName, "newValue")]
      observer.isMutating = true
      variable.willSet = observer
    }
    if let body = accessors.didSet {
      let observer = accessor("didSet", body)
      observer.parameters = [value(accessors.didSetName, "oldValue")]
      observer.isMutating = true
      variable.didSet = observer
    }
  }
}
