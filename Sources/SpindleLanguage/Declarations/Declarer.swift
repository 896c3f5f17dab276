import SpindleModel

/// Declarations as they are written to the table of what a program declares.
///
/// In four passes, since each names what another declares: types, their headers, their members, and what the compiler
/// writes by itself.
struct Declarer {
  let table: DeclarationTable
  let isLibrary: Bool
  var pending: [PendingType] = []
  var extensions: [PendingExtension] = []

  /// A type whose header and members have not been looked at.
  struct PendingType {
    var nominal: Nominal
    var syntax: Grammar.TypeDeclaration
    var context: TypeContext
  }

  struct PendingExtension {
    var type: Grammar.TypeSyntax
    var inherited: [Grammar.TypeSyntax]
    var requirements: [Grammar.Requirement]
    var members: [Grammar.Declaration]
    var modifiers: Grammar.Modifiers
  }

  init(_ table: DeclarationTable, isLibrary: Bool) {
    (self.table, self.isLibrary) = (table, isLibrary)
  }

  /// The table of a program's declarations and those of the library, which it shares with other programs if
  /// `sharesLibrary` says so: that changes no program.
  static func declare(
    _ declarations: [Grammar.Declaration], of source: SourceText, _ vocabulary: Vocabulary,
    _ options: [Int32: FileOptions] = [:], sharesLibrary: Bool = true
  ) -> DeclarationTable {
    let table = DeclarationTable(source: source, vocabulary: vocabulary)
    table.fileOptions = options
    table.use(.take(vocabulary, isShared: sharesLibrary), isShared: sharesLibrary)
    var program = Declarer(table, isLibrary: false)
    for declaration in declarations { program.collect(declaration, outer: nil) }
    program.finish()
    return table
  }

  /// Declares what the library's text and the rows of the vocabulary have.
  static func declareLibrary(in table: DeclarationTable) {
    var library = Declarer(table, isLibrary: true)
    // A vocabulary may have a clock of its own.
    let hasClock = table.vocabulary.types.contains { $0.name == "Clock" }
    for part in Prelude.declarations where !hasClock || part.source.name != "library/clocks" {
      table.current = part.source
      for declaration in part.declarations { library.collect(declaration, outer: nil) }
    }
    VocabularyDeclarer.declareTypes(in: table)
    table.knownTypes = KnownTypes(table)
    library.finish()
    VocabularyDeclarer.declareMembers(in: table)
    demand(
      table.diagnostics.isEmpty,
      "the library declares what it uses: \(table.diagnostics.first?.message ?? "")")
  }

  /// Declares a local type.
  static func declareLocal(
    _ declaration: Grammar.Declaration, in table: DeclarationTable, _ context: TypeContext
  ) -> Nominal? {
    guard case .type(let syntax) = declaration.kind else { return nil }
    var declarer = Declarer(table, isLibrary: false)
    let nominal = declarer.makeType(syntax, declaration.modifiers, outer: nil, context)
    table.note(nominal)
    // Its own members may name it.
    for index in declarer.pending.indices {
      declarer.pending[index].context.locals[nominal.name] = nominal
    }
    declarer.finish()
    return nominal
  }

  /// A declarer for what a body declares.
  static func forBody(_ table: DeclarationTable) -> Declarer { Declarer(table, isLibrary: false) }

  // MARK: Types

  private mutating func collect(_ declaration: Grammar.Declaration, outer: Nominal?) {
    switch declaration.kind {
    case .type(let syntax):
      if outer == nil, table.isBuiltIn(syntax.name.range), isDeclared(syntax.name.text) { return }
      let nominal = makeType(syntax, declaration.modifiers, outer: outer, TypeContext())
      if outer != nil {
        table.note(nominal)
      } else if !isLibrary, Self.isPrivate(declaration.modifiers) {
        table.addPrivate(nominal)
      } else {
        table.add(nominal)
      }
    case .extension(let type, let inherited, let requirements, let members):
      extensions.append(
        PendingExtension(
          type: type, inherited: inherited, requirements: requirements, members: members,
          modifiers: declaration.modifiers))
    case .typeAlias(let name, let generics, let type):
      table.aliases[name.text] = TypeAlias(
        generics: generics, type: type, context: TypeContext(), isLibrary: isLibrary)
    case .function, .variable, .main, .statement: topLevel.append(declaration)
    case .setting, .include, .missing: break
    case .initializer, .deinitializer, .subscript, .enumCases, .associatedType:
      table.report("only a type has such a member", declaration.range)
    }
  }

  /// Whether a declaration at the top is seen in its file only.
  static func isPrivate(_ modifiers: Grammar.Modifiers) -> Bool {
    modifiers.words.contains {
      ($0.word.text == "private" || $0.word.text == "fileprivate") && $0.argument == nil
    }
  }

  /// Whether the program declares a type of this name itself.
  private func isDeclared(_ name: String) -> Bool {
    table.types[name].map { !$0.isLibrary } ?? false
  }

  /// A declaration at the top level other than a type.
  var topLevel: [Grammar.Declaration] = []

  private mutating func makeType(
    _ syntax: Grammar.TypeDeclaration, _ modifiers: Grammar.Modifiers, outer: Nominal?,
    _ context: TypeContext
  ) -> Nominal {
    let kind: Nominal.Kind =
      switch syntax.keyword {
      case .class: .class
      case .struct: .struct
      case .enum: .enum
      case .actor: .actor
      case .protocol: .protocol
      }
    let nominal = Nominal(syntax.name.text, kind)
    nominal.isLibrary = isLibrary
    nominal.place = isLibrary ? nil : syntax.name.range
    nominal.outer = outer
    nominal.isGlobalActor = modifiers.attribute("globalActor") != nil
    if let builtin = modifiers.attribute("builtin")?.argument {
      nominal.builtin = Nominal.Builtin(rawValue: builtin) ?? .fixedInteger
    }
    if isLibrary, let handle = modifiers.attribute("handle")?.argument {
      (nominal.builtin, nominal.handle) = (.handle, HandleClass(libraryName: handle))
    }
    nominal.modifiers = modifiers
    if kind == .protocol {
      nominal.associatedTypes = syntax.generics.map(\.name.text)
    } else {
      // A type within a generic one has the type parameters of that, too.
      nominal.generics =
        (outer?.generics ?? []) + syntax.generics.map { GenericParameter($0.name.text) }
    }
    nominal.localTypes = context.locals
    var inner = context.adding(nominal.generics)
    inner.nominal = nominal
    inner.selfType = nominal.selfType
    pending.append(PendingType(nominal: nominal, syntax: syntax, context: inner))
    for member in syntax.members {
      switch member.kind {
      case .type(let nested):
        let made = makeType(nested, member.modifiers, outer: nominal, inner)
        nominal.types[nested.name.text] = made.writtenType
        table.note(made)
      case .associatedType(let name, _, _):
        if !nominal.associatedTypes.contains(name.text) {
          nominal.associatedTypes.append(name.text)
        }
      default: break
      }
    }
    return nominal
  }

  // MARK: Headers

  mutating func finish() {
    // Nested types of extensions first, since headers may name them.
    for index in extensions.indices { collectTypes(of: extensions[index]) }
    for type in pending { declareAliases(of: type) }
    // What a protocol refines first: requirements name the associated types of that.
    for type in pending where type.nominal.kind == .protocol { inheritAll(of: type) }
    for type in pending { declareHeader(type) }
    // What an extension conforms to says nothing of where the rest of the type runs: SE-0316.
    for type in pending { inheritIsolation(type.nominal) }
    for each in extensions { declareHeader(each) }
    for type in pending { declareIdentity(of: type) }
    for type in pending { declareMembers(type.syntax.members, type.nominal, type.context) }
    for each in extensions { declareMembers(of: each) }
    if !isLibrary { for type in pending { AssociatedTypes.infer(type.nominal, table) } }
    for type in pending { inheritMemberIsolation(type.nominal) }
    for declaration in topLevel { declareAtTop(declaration) }
    for type in pending where type.nominal.isWrapper {
      Synthesis.complete(type.nominal, in: table)
    }
    for wrapped in table.wrapped { wrapped.complete(in: table) }
    for type in pending where !type.nominal.isWrapper {
      Synthesis.complete(type.nominal, in: table)
    }
    table.wrapped = []
    (pending, extensions, topLevel) = ([], [], [])
  }

  private mutating func collectTypes(of each: PendingExtension) {
    let nested = each.members.filter { if case .type = $0.kind { true } else { false } }
    guard !nested.isEmpty, case .name(let name, _) = each.type.kind,
      let nominal = table.type(named: name, at: each.type.range)
    else { return }
    for member in nested {
      guard case .type(let syntax) = member.kind else { continue }
      let made = makeType(
        syntax, member.modifiers, outer: nominal, context(of: nominal))
      nominal.types[syntax.name.text] = made.writtenType
      table.note(made)
    }
  }

  func context(of nominal: Nominal) -> TypeContext {
    var context = TypeContext().adding(nominal.generics)
    (context.nominal, context.selfType) = (nominal, nominal.selfType)
    return context
  }

  private func declareAliases(of type: PendingType) {
    for member in type.syntax.members {
      guard case .typeAlias(let name, let generics, let aliased) = member.kind else { continue }
      declareAlias(name.text, generics, aliased, of: type.nominal, type.context)
    }
  }

  /// Declares a type alias in a type; one with type parameters is resolved where it is given arguments.
  func declareAlias(
    _ name: String, _ generics: [Grammar.TypeParameter], _ aliased: Grammar.TypeSyntax,
    of nominal: Nominal?, _ context: TypeContext
  ) {
    if generics.isEmpty {
      nominal?.types[name] = table.resolve(aliased, in: context)
    } else {
      nominal?.aliases[name] = TypeAlias(
        generics: generics, type: aliased, context: context, isLibrary: isLibrary)
    }
  }

  /// The type of what a type is identified by, which the members of others may name: `Item.ID`.
  private func declareIdentity(of type: PendingType) {
    let (nominal, name) = (type.nominal, "ID")
    guard nominal.kind != .protocol, nominal.types[name] == nil,
      nominal.allProtocols.contains(where: { $0.isLibrary && $0.name == "Identifiable" })
    else { return }
    for case .variable(let variable) in type.syntax.members.map(\.kind) {
      for entry in variable.entries {
        guard case .name(let own, _) = entry.pattern.kind, own.text == "id",
          let written = entry.type
        else { continue }
        nominal.types[name] = table.resolve(written, in: type.context)
      }
    }
  }

  private func inheritAll(of type: PendingType) {
    for inherited in type.syntax.inherited {
      inherit(inherited, type.nominal, conditions: [], type.context)
    }
  }

  private func declareHeader(_ type: PendingType) {
    let nominal = type.nominal
    if nominal.kind != .protocol {
      bound(nominal.generics, type.syntax.generics, type.syntax.requirements, type.context)
    }
    if nominal.kind == .protocol {
      nominal.selfParameter.bounds = [nominal]
      for requirement in type.syntax.requirements {
        require(requirement, in: type.context)
      }
      for member in type.syntax.members {
        guard case .associatedType(let name, let bounds, let requirements) = member.kind else {
          continue
        }
        if !bounds.isEmpty {
          nominal.selfParameter.members[[name.text], default: .init()].bounds += protocols(
            bounds, type.context)
        }
        for requirement in requirements { require(requirement, in: type.context) }
      }
    } else {
      inheritAll(of: type)
    }
    if nominal.isGlobalActor { nominal.add(Conformance(table.library("GlobalActor"))) }
    if nominal.kind == .actor, let actor = table.types[Nominal.actorProtocol] {
      nominal.add(Conformance(actor))
    }
    nominal.isolation = isolation(of: nominal.modifiers)
    if nominal.isolation == .unspecified, nominal.kind != .actor, let place = nominal.place,
      table.options(at: place).isMainActor
    {
      nominal.isolation = .mainActor
    }
  }

  func protocols(_ bounds: [Grammar.TypeSyntax], _ context: TypeContext) -> [Nominal] {
    bounds.flatMap { bound -> [Nominal] in
      if case .existential(let protocols) = table.resolve(bound, in: context) { return protocols }
      return []
    }
  }

  /// Gives type parameters their bounds.
  func bound(
    _ generics: [GenericParameter], _ syntax: [Grammar.TypeParameter],
    _ requirements: [Grammar.Requirement], _ context: TypeContext
  ) {
    for (generic, written) in zip(generics, syntax) {
      for bound in written.bounds { limit(generic, to: table.resolve(bound, in: context)) }
    }
    for requirement in requirements { require(requirement, in: context) }
  }

  func limit(_ generic: GenericParameter, to bound: SwiftType) {
    switch bound {
    case .existential(let protocols): generic.bounds += protocols
    case .nominal(let nominal, _) where nominal.isReference: generic.superclass = bound
    default: break
    }
  }

  func require(_ requirement: Grammar.Requirement, in context: TypeContext) {
    let left = table.resolve(requirement.left, in: context)
    let right = table.resolve(requirement.right, in: context)
    guard let (parameter, path) = left.pathFromParameter else { return }
    if path.isEmpty {
      if !requirement.isSameType { limit(parameter, to: right) }
    } else if requirement.isSameType {
      parameter.members[path, default: .init()].same = right
    } else if case .existential(let protocols) = right {
      parameter.members[path, default: .init()].bounds += protocols
    }
  }

  private func declareHeader(_ each: PendingExtension) {
    guard let nominal = extended(each) else { return }
    let context = context(of: nominal)
    let conditions = self.conditions(each.requirements, context)
    for inherited in each.inherited {
      inherit(inherited, nominal, conditions: conditions, context)
    }
  }

  func extended(_ each: PendingExtension) -> Nominal? {
    if case .name(let name, let arguments) = each.type.kind,
      let nominal = table.type(named: name, at: each.type.range),
      arguments.isEmpty
    {
      return nominal
    }
    switch table.resolve(each.type, in: TypeContext()) {
    case .nominal(let nominal, _): return nominal
    case .existential(let protocols) where protocols.count == 1: return protocols[0]
    case .error: return nil
    default:
      table.report("this type cannot be extended", each.type.range)
      return nil
    }
  }

  func conditions(
    _ requirements: [Grammar.Requirement], _ context: TypeContext
  ) -> [TypeCondition] {
    requirements.flatMap { requirement -> [TypeCondition] in
      let left = table.resolve(requirement.left, in: context)
      let right = table.resolve(requirement.right, in: context)
      if requirement.isSameType { return [(left, nil, right)] }
      if case .existential(let protocols) = right { return protocols.map { (left, $0, nil) } }
      return [(left, nil, right)]
    }
  }
}
