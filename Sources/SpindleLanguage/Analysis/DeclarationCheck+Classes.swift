import SpindleModel

/// What classes take from those above them.
extension DeclarationCheck {
  func checkOverride(_ member: MemberSymbol, _ nominal: Nominal) {
    var above = nominal.superclass?.nominal
    if nominal.hasUnknownParent { return }
    while let one = above {
      if one.isLibrary { return checkOverride(member, of: one) }
      if one.hasUnknownParent { return }
      if let found = (one.members[member.name] ?? []).first(where: { isReplaced($0, by: member) }) {
        let isConstant = (found as? VariableSymbol).map { $0.isStored && $0.isLet } ?? false
        if found.isFinal || isConstant {
          table.report(Messages.finalMember(member.name, one.name), member.range)
        }
        return
      }
      above = one.superclass?.nominal
    }
    table.report("'\(member.name)' overrides nothing: no class above has it", member.range)
  }

  private func isReplaced(_ other: MemberSymbol, by member: MemberSymbol) -> Bool {
    guard let function = member as? FunctionSymbol else {
      guard let variable = member as? VariableSymbol, let above = other as? VariableSymbol else {
        return true
      }
      return !bodies.type(of: variable).isPlainlyOther(than: bodies.type(of: above))
    }
    return (other as? FunctionSymbol).map { function.fits($0) } ?? false
  }

  /// What the library keeps for itself of an operation or a thread.
  private func checkOverride(_ member: MemberSymbol, of library: Nominal) {
    let isThread = library.handle == .thread
    let kept: Set<String> =
      isThread
      ? ["start", "isExecuting", "isFinished", "isCancelled", "cancel"]
      : ["isReady", "isCancelled"]
    guard kept.contains(member.name) else { return }
    let isComputed = (member as? VariableSymbol)?.getter != nil
    if member.name == "isReady", isComputed { return }
    table.report(Messages.overriddenState(member.name, isThread: isThread), member.range)
  }

  /// Reports stored properties that a type cannot have, or that nothing gives a value.
  func checkStored(_ nominal: Nominal, _ place: SourceRange) {
    if nominal.kind == .enum {
      for variable in nominal.stored {
        table.report(Messages.storedInEnum(variable.name), variable.range)
      }
    }
    if let parent = nominal.superclass?.nominal, parent.modifiers.has("final") {
      table.report(Messages.finalClass(parent.name), place)
    }
    for variable in nominal.stored where hasAbove(variable, nominal) {
      table.report(Messages.storedAbove(variable.name), variable.range)
    }
    guard nominal.isReference, !nominal.hasUnknownParent,
      !(nominal.members["init"] ?? []).contains(where: { isWritten($0) && !$0.isInExtension }),
      let variable = nominal.stored.first(where: \.needsValue)
    else { return }
    table.report(Messages.noInitializer(nominal.name, variable.name), place)
  }

  private func isWritten(_ member: MemberSymbol) -> Bool {
    guard case .body? = (member as? FunctionSymbol)?.implementation else { return false }
    return true
  }

  /// Whether a class above has a property of the name, which all of its subclasses see.
  private func hasAbove(_ variable: VariableSymbol, _ nominal: Nominal) -> Bool {
    var above = nominal.superclass?.nominal
    while let one = above {
      if one.isLibrary { return false }
      let isThere = (one.members[variable.name] ?? []).contains {
        $0 is VariableSymbol && !$0.isStatic && !$0.isPrivate
      }
      if isThere { return true }
      above = one.superclass?.nominal
    }
    return false
  }
}
