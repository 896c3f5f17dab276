import SpindleModel

/// The names that are declared around a place.
extension BodyChecker {
  func declare(_ local: Typed.Local) {
    guard local.name != "_" else { return }
    reportSecond(local.name, local.range)
    names.append(local.name, .local(local))
  }

  /// Reports a name that the same block declares already.
  func reportSecond(_ name: String, _ range: SourceRange) {
    guard let known = names.last(name, from: scopeStart, where: { _ in true }) else { return }
    switch known {
    case .local(let other):
      let line = table.current.fileLine(at: other.range.lowerBound).line
      report(Messages.redeclared(name, line: line), range)
    case .function, .type: break
    }
  }

  func local(
    _ name: String, _ type: SwiftType, isVariable: Bool, _ range: SourceRange
  ) -> Typed.Local {
    let made = Typed.Local(name, type, isVariable: isVariable, range, scope)
    if type.hasVariables {
      finishers.append { [self, made] in made.type = solver.resolve(made.type) }
    }
    return made
  }

  func find(_ name: String) -> LocalMeaning? { names[name] }

  func inScope<Result>(_ body: () -> Result) -> Result {
    let (mark, outer) = (names.count, scopeStart)
    scopeStart = mark
    defer {
      names.removeAll(from: mark)
      scopeStart = outer
    }
    return body()
  }

  /// The value of a local variable, which the closures around the place capture.
  func use(_ local: Typed.Local, _ range: SourceRange) -> Typed.Expression {
    scope.note(local)
    local.isUsed = true
    if local.isAsyncLet {
      noteSuspension(local.name, range)
      if isTried { local.isTried = true }
      noteErrors(nil, range)
    }
    let made = node(.local(local), local.type, range)
    made.isImplicit = local.isImplicit
    return made
  }

  /// `self`; nil outside of types.
  func ownSelf(_ range: SourceRange) -> Typed.Expression? {
    if case .local(let named)? = find("self") { return use(named, range) }
    var scope: Typed.FunctionScope? = self.scope
    while let one = scope {
      if let own = one.ownSelf { return use(own, range) }
      scope = one.parent
    }
    return nil
  }
}
