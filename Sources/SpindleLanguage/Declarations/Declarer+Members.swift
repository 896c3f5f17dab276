import SpindleModel

/// Members of types and extensions, and functions and variables at the top level.
extension Declarer {
  func declareMembers(of each: PendingExtension) {
    guard let nominal = extended(each) else { return }
    if !isLibrary { table.noteExtended(nominal) }
    let context = context(of: nominal)
    let conditions = self.conditions(each.requirements, context)
    var members = MemberDeclarer(table: table, declarer: self, nominal: nominal, context: context)
    members.conditions = conditions
    // `extension Array<Int>`: the types in brackets become requirements on the parameters.
    if case .name(_, let arguments) = each.type.kind, !arguments.isEmpty {
      for (generic, argument) in zip(nominal.generics, arguments) {
        members.conditions.append(
          (.parameter(generic), nil, table.resolve(argument, in: context)))
      }
    }
    members.isolation = isolation(of: each.modifiers)
    members.isExtension = true
    for member in each.members { members.declare(member) }
  }

  func declareMembers(
    _ members: [Grammar.Declaration], _ nominal: Nominal, _ context: TypeContext
  ) {
    var declarer = MemberDeclarer(table: table, declarer: self, nominal: nominal, context: context)
    for member in members { declarer.declare(member) }
  }

  func declareAtTop(_ declaration: Grammar.Declaration) {
    switch declaration.kind {
    case .main(let isTool, let body):
      table.sections.append(.main(body, isTool: isTool, declaration.range))
    case .statement(let statement): table.sections.append(.statement(statement))
    case .function(let function):
      let members = MemberDeclarer(
        table: table, declarer: self, nominal: nil, context: TypeContext())
      table.add(
        members.function(function, declaration.modifiers),
        isPrivate: !isLibrary && Self.isPrivate(declaration.modifiers))
    case .variable(let variable):
      let members = MemberDeclarer(
        table: table, declarer: self, nominal: nil, context: TypeContext())
      for entry in variable.entries {
        let made = members.variables(
          entry, isLet: variable.isLet, declaration.modifiers)
        for one in made {
          one.isSetInMain = variable.isSetInMain
          table.add(one, isPrivate: !isLibrary && Self.isPrivate(declaration.modifiers))
          if one.isTaskLocal { table.add(members.projection(of: one)) }
        }
        // A variable of a Swift file gets its value when it is first used, as a static one does.
        let isLazy = made.allSatisfy { $0.path.isEmpty && table.isInFile($0.range) }
        if made.contains(where: { $0.getter == nil }), isLibrary || !isLazy {
          table.sections.append(.variables(made, entry, isLet: variable.isLet))
        }
      }
    default: break
    }
  }

  /// The type parameters of a function, with their bounds, and the context that has them.
  func generics(
    _ syntax: [Grammar.TypeParameter], _ requirements: [Grammar.Requirement],
    _ context: TypeContext
  ) -> ([GenericParameter], TypeContext) {
    let generics = syntax.map { GenericParameter($0.name.text) }
    let inner = context.adding(generics)
    bound(generics, syntax, requirements, inner)
    return (generics, inner)
  }
}
