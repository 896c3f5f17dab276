import SpindleModel

/// What a type inherits from, and which protocols it conforms to.
extension Declarer {
  func inherit(
    _ syntax: Grammar.TypeSyntax, _ nominal: Nominal,
    conditions: [TypeCondition], _ context: TypeContext
  ) {
    if case .attributed(let inner, _, _) = syntax.kind {
      return inherit(inner, nominal, conditions: conditions, context)
    }
    // What nothing declares is taken for a protocol: it asks for nothing and gives nothing.
    if case .name(let name, _) = syntax.kind, table.hasFiles, !isKnown(name, syntax.range, context)
    {
      nominal.hasUnknownParent = true
      return
    }
    switch table.resolve(syntax, in: context) {
    case .existential(let protocols):
      for one in protocols {
        let conformance = Conformance(one)
        conformance.conditions = conditions
        if nominal.isLibrary, !isLibrary { conformance.place = syntax.range }
        nominal.add(conformance)
      }
    case let parent:
      guard let parentNominal = parent.nominal else {
        if !parent.isError { table.report("a type does not inherit from this", syntax.range) }
        return
      }
      if nominal.kind == .enum {
        nominal.rawType = parent
      } else if parentNominal.isSubclass(of: nominal) {
        table.report("'\(nominal.name)' inherits from itself", syntax.range)
      } else if nominal.kind == .class, parentNominal.kind == .class {
        nominal.superclass = parent
        parentNominal.subclasses.append(nominal)
      } else {
        table.report("'\(nominal.name)' cannot inherit from '\(parentNominal.name)'", syntax.range)
      }
    }
  }

  private func isKnown(_ name: String, _ range: SourceRange, _ context: TypeContext) -> Bool {
    table.type(named: name, at: range).map { !$0.isOpaque } ?? false || table.aliases[name] != nil
      || context.parameters[name] != nil || context.locals[name] != nil
      || isNested(name, in: context.nominal) || ["AnyObject", "Any"].contains(name)
  }

  /// Whether a type, or one around it, has a nested type of this name.
  private func isNested(_ name: String, in nominal: Nominal?) -> Bool {
    var around = nominal
    while let one = around {
      if one.types[name] != nil { return true }
      around = one.outer
    }
    return false
  }
}
