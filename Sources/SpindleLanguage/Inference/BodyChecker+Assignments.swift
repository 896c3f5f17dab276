import SpindleModel

/// Assignments and the places that they change.
extension BodyChecker {
  /// `target += value`: the operator's function of that name, or the operator and an assignment.
  func compoundAssignment(
    _ target: Grammar.Expression, _ sign: Grammar.Name, _ value: Grammar.Expression,
    _ range: SourceRange
  ) -> Typed.StatementKind {
    let place = inferTarget(target)
    let operand = forTaker(taker(for: target)) {
      infer(value, operandHint(sign.text + "=", place.type, value))
    }
    if place.type.isError || operand.type.isError { return .discard(failed(range)) }
    if case .chain(let inner) = place.kind {
      return .expression(
        node(
          .chain(assigned(inner, sign, operand, range)), known.optional(.void), range))
    }
    return .expression(assigned(place, sign, operand, range))
  }

  /// A place that gets another value: what belongs to an actor is not visited for that.
  func inferTarget(_ target: Grammar.Expression) -> Typed.Expression {
    isTarget = true
    defer { isTarget = false }
    return infer(target, nil)
  }

  /// What a value is for that is assigned to a place.
  func taker(for target: Grammar.Expression) -> Taker {
    switch target.kind {
    case .name(let name, _): Taker(word: name)
    case .member(_, let name, _): Taker(word: name.text)
    default: Taker()
    }
  }

  func assigned(
    _ place: Typed.Expression, _ sign: Grammar.Name, _ operand: Typed.Expression,
    _ range: SourceRange
  ) -> Typed.Expression {
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
    return refuseOperator(Grammar.Name(text: name, range: sign.range), place, operand)
  }

  /// The first value of a property with a wrapper, in an initialiser; nil for any other assignment.
  ///
  /// The wrapper is made of the value.
  func firstWrapper(
    _ place: Typed.Expression, _ value: Grammar.Expression
  ) -> Typed.StatementKind? {
    guard function?.isInitializer == true, case .call(let call) = place.kind,
      case .function(let getter) = call.callee,
      case (let storage, "wrappedValue")? = getter.variable?.wrapper, storage.value == nil,
      let receiver = call.receiver, isOwnInInitializer(receiver), storage.owner === function?.owner
    else { return nil }
    let type = bodies.type(of: storage)
    let candidates = initializers(of: type, value.range).filter { candidate in
      let parameters = candidate.symbol.parameters
      return parameters.first?.label == "wrappedValue"
        && parameters.dropFirst().allSatisfy(\.hasStandard)
    }
    guard let candidate = candidates.first else { return nil }
    let made = self.call(
      candidate, [check(value, place.type)], value.range,
      Grammar.Name(text: "init", range: value.range))
    return .assignment(node(.field(receiver, storage), type, place.range), convert(made, to: type))
  }

  /// Reports a place that cannot be given another value.
  func checkSettable(_ place: Typed.Expression) {
    switch place.kind {
    case .local(let local):
      if local.isVariable || local.isLate { return }
      if local.isSelf {
        let isValue = function?.owner?.isReference != true
        return report(
          isValue ? Messages.notMutating(functionName) : Messages.notAssignable, place.range)
      }
      refuseChange(of: local.name, place)
    case .global(let variable, _):
      if variable.isTaskLocal {
        report(Messages.readOnly(variable.name), nameRange(variable.name, in: place))
      } else if variable.isLet, !(variable.isSetInMain && variable.value == nil) {
        refuseChange(of: variable.name, place)
      }
    case .field(let base, let variable):
      if variable.isLet, !isOwnInInitializer(base) {
        refuseChange(of: variable.name, place)
      } else if variable.owner?.isValue == true {
        checkSettable(base)
      }
    case .element(let base, _): checkSettable(base)
    case .forced(let inner), .chain(let inner), .bound(let inner): checkSettable(inner)
    case .call(let call):
      guard case .function(let getter) = call.callee, getter.role == "get" else {
        return report(Messages.notAssignable, place.range)
      }
      if getter.setter == nil {
        report(Messages.readOnly(getter.name), nameRange(getter.name, in: place))
      }
      if let receiver = call.receiver, changesWhole(receiver, by: getter) {
        checkSettable(receiver)
      }
    case .property(let row, _):
      if !row.isSettable { report(Messages.readOnly(row.name), nameRange(row.name, in: place)) }
    case .visit(let value, let target): report(setElsewhere(value, target), place.range)
    case .error: break
    case .conversion(let inner): checkSettable(inner)
    case .constant where place.isParameter:
      refuseChange(of: table.current.text(in: place.range), place)
    default: report(Messages.notAssignable, place.range)
    }
  }

  /// Whether a setter changes what it belongs to, as those of values do, and of protocols that are not for classes.
  private func changesWhole(_ receiver: Typed.Expression, by getter: FunctionSymbol) -> Bool {
    guard let owner = getter.owner, getter.setter?.isMutating != false else { return false }
    if owner.isValue { return true }
    return owner.kind == .protocol && !owner.isLibrary
      && !isOfInstances(receiver.type)
  }

  /// Whether the values of a type are surely instances of classes.
  private func isOfInstances(_ type: SwiftType) -> Bool {
    switch solver.shallow(type) {
    case .nominal(let nominal, _): nominal.isReference || nominal.handle != nil
    case .parameter(let generic):
      generic.superclass != nil || generic.bounds.contains { $0.refines(known.anyObject) }
    case .existential(let protocols): protocols.contains { $0.refines(known.anyObject) }
    case .tuple, .function, .metatype: false
    case .member, .variable, .error: true
    }
  }

  /// What to say of a property that only code on its actor sets.
  private func setElsewhere(_ value: Typed.Expression, _ target: Typed.HopTarget) -> String {
    let (name, owner): (String, Nominal?) =
      switch value.kind {
      case .field(_, let variable), .global(let variable, _): (variable.name, variable.owner)
      default: (table.current.text(in: value.range), nil)
      }
    guard case .isolation(.mainActor) = target else {
      return Messages.setByActor(name, owner?.name ?? "its actor")
    }
    return Messages.setByMainActor(name)
  }

  private func refuseChange(of name: String, _ place: Typed.Expression) {
    report(Messages.notAVariable(name), nameRange(name, in: place))
  }

  /// Where the name of a member stands that ends an expression.
  private func nameRange(_ name: String, in place: Typed.Expression) -> SourceRange {
    let end = place.range.upperBound
    let range = SourceRange(Int(end) - name.utf8.count, Int(end))
    return range.lowerBound >= place.range.lowerBound && table.current.text(in: range) == name
      ? range : place.range
  }

  func isOwnInInitializer(_ base: Typed.Expression) -> Bool {
    if case .local(let local) = base.kind { return local.isSelf && function?.isInitializer == true }
    return false
  }
}
