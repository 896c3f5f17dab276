import SpindleModel

/// Assignments and the places that they change.
extension BodyChecker {
  /// `target += value`: the operator's function of that name, or the operator and an assignment.
  func compoundAssignment(
    _ target: Grammar.Expression, _ sign: Grammar.Name, _ value: Grammar.Expression,
    _ range: SourceRange
  ) -> Typed.StatementKind {
    let place = infer(target, nil)
    let operand = infer(value, operandHint(sign.text, place.type, value))
    if place.type.isError || operand.type.isError { return .discard(failed(range)) }
    if case .chain(let inner) = place.kind {
      return .expression(
        node(
          .chain(assigned(inner, sign, operand, range)), known.optional(.void), range))
    }
    return .expression(assigned(place, sign, operand, range))
  }

  func assigned(
    _ place: Typed.Expression, _ sign: Grammar.Name, _ operand: Typed.Expression,
    _ range: SourceRange
  ) -> Typed.Expression {
    checkSettable(place)
    let name = sign.text + "="
    for candidate in operators(name, [place.type, operand.type])
    where candidate.symbol.parameters.count == 2 {
      let mark = solver.mark
      let substitution = open(candidate)
      let parameters = candidate.symbol.parameters.map { $0.type.substituting(substitution) }
      let fits =
        solver.unify(place.type, parameters[0]) && operandCost(operand, parameters[1]) != nil
      solver.undo(to: mark)
      if fits {
        return call(
          candidate, [place, operand], range, Grammar.Name(text: name, range: sign.range))
      }
    }
    return refuse(
      "there is no '\(name)' of \(solver.resolve(place.type)) and \(solver.resolve(operand.type))",
      sign.range)
  }

  /// Reports a place that cannot be given another value.
  func checkSettable(_ place: Typed.Expression) {
    switch place.kind {
    case .local(let local):
      if !local.isVariable, !local.isLate, !local.isSelf {
        report("'\(local.name)' is a 'let'", place.range)
      }
    case .global(let variable, _):
      if variable.isLet { report("'\(variable.name)' is a 'let'", place.range) }
    case .field(let base, let variable):
      if variable.isLet, !isOwnInInitializer(base) {
        report("'\(variable.name)' is a 'let'", place.range)
      } else if variable.owner?.isValue == true {
        checkSettable(base)
      }
    case .element(let base, _): checkSettable(base)
    case .forced(let inner), .chain(let inner), .bound(let inner): checkSettable(inner)
    case .call(let call):
      guard case .function(let getter) = call.callee, getter.role == "get" else {
        report("this is no variable", place.range)
        return
      }
      if getter.setter == nil { report("'\(getter.name)' can only be read", place.range) }
      if let receiver = call.receiver, getter.owner?.isValue == true { checkSettable(receiver) }
    case .property(let row, _):
      if !row.isSettable { report("'\(row.name)' can only be read", place.range) }
    case .error: break
    case .conversion(let inner): checkSettable(inner)
    default: report("this is no variable", place.range)
    }
  }

  private func isOwnInInitializer(_ base: Typed.Expression) -> Bool {
    if case .local(let local) = base.kind { return local.isSelf && local.isVariable }
    return false
  }
}
