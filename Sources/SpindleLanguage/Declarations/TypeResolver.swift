import SpindleModel

/// Types as they are written to types.
extension DeclarationTable {
  /// The type that is written; one that does not exist is reported.
  func resolve(_ syntax: Grammar.TypeSyntax, in context: TypeContext) -> SwiftType {
    switch syntax.kind {
    case .name(let name, let arguments):
      return resolve(name, arguments, syntax.range, in: context)
    case .member(let base, let name, let arguments):
      return resolveMember(of: base, name, arguments, in: context)
    case .array(let element): return known.array(resolve(element, in: context))
    case .dictionary(let key, let value):
      let given = [resolve(key, in: context), resolve(value, in: context)]
      noteArguments(given, of: known.dictionary, syntax.range)
      return .nominal(known.dictionary, given)
    case .optional(let wrapped), .implicit(let wrapped):
      return known.optional(resolve(wrapped, in: context))
    case .tuple(let elements):
      return .tuple(
        elements.map {
          SwiftType.TupleElement(label: $0.label?.text, type: resolve($0.type, in: context))
        })
    case .function(let parameters, let effects, let thrown, let result):
      return .function(
        FunctionType(
          parameters: parameters.map { parameter($0.type, in: context) },
          result: resolve(result, in: context), isAsync: effects.isAsync,
          isThrowing: effects.isThrowing, thrown: thrown.map { resolve($0, in: context) }))
    case .some(let bound): return resolveSome(bound, in: context)
    case .any(let bound): return existential(resolve(bound, in: context))
    case .composition(let parts):
      var protocols: [Nominal] = []
      var parent: SwiftType?
      for part in parts {
        switch resolve(part, in: context) {
        case .existential(let more): protocols += more
        case let type: parent = type
        }
      }
      return parent ?? .existential(protocols.filter { !$0.isMarker })
    case .metatype(let type): return .metatype(resolve(type, in: context))
    case .attributed(let type, let attributes, _):
      return applying(attributes, to: resolve(type, in: context))
    case .missing: return .error
    }
  }

  private func existential(_ type: SwiftType) -> SwiftType {
    if case .existential(let protocols) = type {
      return .existential(protocols.count > 1 ? protocols.filter { !$0.isMarker } : protocols)
    }
    return type
  }

  /// `some P` that is not a parameter: the checker finds the type behind it.
  private func resolveSome(_ bound: Grammar.TypeSyntax, in context: TypeContext) -> SwiftType {
    existential(resolve(bound, in: context))
  }

  func parameter(_ syntax: Grammar.TypeSyntax, in context: TypeContext) -> FunctionType.Parameter {
    var made = FunctionType.Parameter(type: resolve(syntax, in: context))
    if case .attributed(_, let attributes, let isInout) = syntax.kind {
      made.isInout = isInout
      made.isIsolated = attributes.contains(where: \.isOfParameter)
    }
    return made
  }

  private func applying(_ attributes: [Grammar.Attribute], to type: SwiftType) -> SwiftType {
    guard case .function(var function) = type else { return type }
    for attribute in attributes {
      switch attribute.name.text {
      case "Sendable", "sending": function.isSendable = true
      case "MainActor": function.isolation = .mainActor
      case "concurrent": function.isolation = .concurrent
      case "_inheritActorContext": function.isolation = .inherited
      case "nonisolated" where attribute.argument == "nonsending":
        function.isolation = .nonsending
      case let name:
        if let actor = types[name], actor.isGlobalActor { function.isolation = .globalActor(actor) }
      }
    }
    return .function(function)
  }

  // MARK: Names

  private func resolve(
    _ name: String, _ arguments: [Grammar.TypeSyntax], _ range: SourceRange,
    in context: TypeContext
  ) -> SwiftType {
    if arguments.isEmpty {
      if let parameter = context.parameters[name] { return parameter }
      switch name {
      case "Self": return context.selfType ?? context.nominal?.selfType ?? .error
      case "Void": return .void
      case "_": return openArgument?() ?? .error
      case "Any": return .any
      default: break
      }
      if let type = memberType(name, of: context) { return type }
    }
    if let alias = alias(name, of: context.nominal) {
      return expanded(alias, arguments, in: context)
    }
    if let local = context.locals[name] { return applied(local, arguments, range, in: context) }
    if let nested = nestedType(name, of: context.nominal) {
      return applied(nested, arguments, range, in: context)
    }
    let type = type(named: name, at: range)
    if let alias = aliases[name], type?.isLibrary != false {
      return expanded(alias, arguments, in: context)
    }
    if let type { return applied(type, arguments, range, in: context) }
    if hasFiles { return opaque(name).selfType }
    report(unknownType(name), range)
    return .error
  }

  /// The message for a name that no type has.
  private func unknownType(_ name: String) -> String {
    ForeignName.type(name) ?? Messages.unknownType(name, nearest: nearest(name, in: typeNames))
  }

  /// A type alias or an associated type of the type that a place is in.
  private func memberType(_ name: String, of context: TypeContext) -> SwiftType? {
    var around = context.nominal
    while let nominal = around {
      if let alias = nominal.types[name] {
        // A nested type with type parameters of its own is given arguments for them.
        let isGeneric = alias.nominal.map { $0.outer === nominal && $0.hasOwnGenerics } ?? false
        return isGeneric ? nil : alias
      }
      if nominal.kind == .protocol, isAssociated(name, nominal) {
        return .member(.parameter(nominal.selfParameter), name)
      }
      if let inherited = inheritedType(name, nominal) { return inherited }
      around = nominal.outer
    }
    return nil
  }

  private func isAssociated(_ name: String, _ nominal: Nominal) -> Bool {
    nominal.associatedTypes.contains(name)
      || nominal.refined.contains { isAssociated(name, $0) }
  }

  /// `Element` in an extension of what conforms to `Sequence`: the associated type of the type itself.
  private func inheritedType(_ name: String, _ nominal: Nominal) -> SwiftType? {
    guard nominal.kind != .protocol,
      let type = nominal.associated(name, nominal.generics.map { .parameter($0) }),
      nominal.isAsked(for: name)
    else { return nil }
    return type
  }

  /// An alias with type parameters that a type, or one around it, declares.
  private func alias(_ name: String, of nominal: Nominal?) -> TypeAlias? {
    var around = nominal
    while let one = around {
      if let alias = one.aliases[name] { return alias }
      around = one.outer
    }
    return nil
  }

  private func nestedType(_ name: String, of nominal: Nominal?) -> Nominal? {
    var around = nominal
    while let one = around {
      if case .nominal(let nested, _)? = one.types[name] { return nested }
      around = one.outer
    }
    return nil
  }

  private func resolveMember(
    of base: Grammar.TypeSyntax, _ name: Grammar.Name, _ arguments: [Grammar.TypeSyntax],
    in context: TypeContext
  ) -> SwiftType {
    if case .name(let owner, _) = base.kind {
      // `Swift.Int`, `Foundation.Thread`: the module in front says nothing more.
      if DeclarationTable.modules.contains(owner) {
        if let type = libraryType(name.text) {
          return applied(type, arguments, name.range, in: context)
        }
        // While the library itself is declared, its own members of that name are not meant.
        return resolve(
          name.text, arguments, name.range, in: arguments.isEmpty ? TypeContext() : context)
      }
      if let family = types["\(owner).\(name.text)"] { return .nominal(family, []) }
    }
    if case .member(let outer, let middle, _) = base.kind, case .name(let owner, _) = outer.kind,
      let family = types["\(owner).\(middle.text).\(name.text)"]
    {
      return .nominal(family, [])
    }
    let owner = resolve(base, in: context)
    switch owner {
    case .nominal(let nominal, let given):
      if case .nominal(let nested, _)? = nominal.types[name.text], !arguments.isEmpty {
        return applied(nested, arguments, name.range, in: context, around: given)
      }
      if let alias = nominal.aliases[name.text] {
        return expanded(alias, arguments, in: context)
          .substituting(nominal.substitution(given))
      }
      let type = owner.associated(name.text)
      if type != .member(owner, name.text) { return type }
    case .parameter, .member: return owner.associated(name.text)
    case .error: return .error
    case .tuple, .function, .existential, .metatype, .variable: break
    }
    report("'\(owner)' has no type '\(name.text)'", name.range)
    return .error
  }

  private func applied(
    _ nominal: Nominal, _ arguments: [Grammar.TypeSyntax], _ range: SourceRange,
    in context: TypeContext, around: [SwiftType]? = nil
  ) -> SwiftType {
    if nominal.kind == .protocol {
      let given = arguments.map { resolve($0, in: context) }
      return .existential([given.isEmpty ? nominal : nominal.constrained(by: given)])
    }
    if nominal.isOpaque { return nominal.selfType }
    // Within its own declaration the name alone means the type with its own parameters.
    if arguments.isEmpty, isAround(nominal, context) { return nominal.selfType }
    let around = around ?? outerArguments(of: nominal, in: context)
    let own = nominal.generics.count - around.count
    if arguments.isEmpty {
      return .nominal(
        nominal, around + (0..<own).map { _ in openArgument?() ?? unwritten(nominal, range) })
    }
    var given = arguments.map { resolve($0, in: context) }
    if given.count > own, nominal.isLibrary { given = Array(given.prefix(own)) }
    guard given.count == own else {
      report("'\(nominal.name)' takes \(own) type arguments", range)
      return .error
    }
    noteArguments(around + given, of: nominal, range)
    return .nominal(nominal, around + given)
  }

  /// Notes type arguments that the program writes for parameters with bounds, which are checked when all is declared.
  private func noteArguments(_ given: [SwiftType], of nominal: Nominal, _ range: SourceRange) {
    guard current.name == source.name, nominal.generics.contains(where: { !$0.bounds.isEmpty })
    else { return }
    if writtenArguments.last?.place != range { writtenArguments.append((range, nominal, given)) }
  }

  /// The type argument of a type whose name stands alone where nothing infers it.
  private func unwritten(_ nominal: Nominal, _ range: SourceRange) -> SwiftType {
    let names = nominal.generics.map(\.name).joined(separator: ", ")
    report(Messages.unwrittenArguments(nominal.name, names), range)
    return .error
  }

  /// The arguments for the type parameters of the types around one: within those their own.
  func outerArguments(of nominal: Nominal, in context: TypeContext) -> [SwiftType] {
    guard let outer = nominal.outer else { return [] }
    if isAround(outer, context) { return outer.generics.map { .parameter($0) } }
    return outer.generics.map { _ in openArgument?() ?? .error }
  }

  private func isAround(_ nominal: Nominal, _ context: TypeContext) -> Bool {
    var around = context.nominal
    while let one = around {
      if one === nominal { return true }
      around = one.outer
    }
    return false
  }

  /// Reports the aliases of the program whose type is not there, whether something names them or not.
  func checkAliases() {
    for name in aliasNames {
      guard let alias = aliases[name], !alias.isLibrary, !isInFile(alias.type.range),
        !hasAliasCycle
      else { continue }
      var inner = alias.context
      for generic in alias.generics { inner.parameters[generic.name.text] = .error }
      _ = resolve(alias.type, in: inner)
    }
  }

  func expanded(
    _ alias: TypeAlias, _ arguments: [Grammar.TypeSyntax], in context: TypeContext
  ) -> SwiftType {
    var inner = alias.context
    for (index, generic) in alias.generics.enumerated() {
      inner.parameters[generic.name.text] =
        index < arguments.count
        ? resolve(arguments[index], in: context) : openArgument?() ?? .error
    }
    aliasDepth += 1
    defer { aliasDepth -= 1 }
    if aliasDepth > 100 {
      if hasAliasCycle { return .error }
      hasAliasCycle = true
      report("this type alias refers to itself", alias.type.range)
      return .error
    }
    return resolve(alias.type, in: inner)
  }
}

extension Nominal {
  /// Whether a protocol asks for nothing: `Sendable`.
  var isMarker: Bool { kind == .protocol && ["Sendable", "Copyable", "AnyObject"].contains(name) }
}

extension Grammar.Attribute {
  /// Whether it makes a parameter the actor of its function; `@isolated(any)` is about a function type.
  var isOfParameter: Bool { name.text == "isolated" && argument == nil }
}
