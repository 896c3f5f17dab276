import SpindleModel

/// Calls of functions whose arguments have their types already: operators, and what a literal is made by.
extension BodyChecker {
  /// Whether the types of operands conform to what the type parameters of an operator ask for.
  func hasBounds(_ symbol: FunctionSymbol, _ substitution: Substitution) -> Bool {
    symbol.generics.allSatisfy { generic in
      guard let given = substitution[generic].map({ solver.shallow($0) }) else { return true }
      let type =
        switch solver.literal(given) {
        case .integer?: known.integer
        case .decimal?: known.double
        case nil: given
        }
      return generic.bounds.allSatisfy { conforms(type, to: $0.substituting(substitution)) }
    }
      && symbol.sameTypes.allSatisfy { one, other in
        solver.attempt {
          $0.unify(one.substituting(substitution), other.substituting(substitution))
        }
      }
  }

  /// Whether there is an operator of a name that takes two operands.
  func hasOperator(_ name: String, _ left: Typed.Expression, _ right: Typed.Expression) -> Bool {
    operators(name, [left.type, right.type]).contains { candidate in
      let parameters = candidate.symbol.parameters
      guard parameters.count == 2 else { return false }
      let mark = solver.mark
      defer { solver.undo(to: mark) }
      let substitution = open(candidate)
      return zip(parameters, [left, right]).allSatisfy { parameter, value in
        operandCost(value, parameter.type.substituting(substitution)) != nil
      } && hasBounds(candidate.symbol, substitution)
    }
  }

  func operandCost(_ value: Typed.Expression, _ type: SwiftType) -> Int? {
    if solver.attempt({ $0.unify(value.type, type) }) {
      if case .integer = value.kind, type.nominal?.builtin == .double { return 1 }
      return 0
    }
    return converted(value, to: type) == nil ? nil : 3
  }

  func call(
    _ candidate: Candidate, _ operands: [Typed.Expression], _ range: SourceRange,
    _ sign: Grammar.Name
  ) -> Typed.Expression {
    let symbol = candidate.symbol
    let substitution = open(candidate)
    if let only = symbol.parameters.first, only.isVariadic {
      let type = only.type.substituting(substitution)
      return called(
        candidate, substitution, [.variadic(operands.map { convert($0, to: type) })], range, sign)
    }
    let arguments = zip(symbol.parameters, operands).map { parameter, value in
      let type = parameter.type.substituting(substitution)
      if parameter.isInout {
        checkSettable(value)
        _ = solver.unify(value.type, type)
        return Typed.Argument.value(node(.reference(value), value.type, value.range))
      }
      return Typed.Argument.value(convert(value, to: type))
    }
    return called(candidate, substitution, arguments, range, sign)
  }

  private func called(
    _ candidate: Candidate, _ substitution: Substitution, _ arguments: [Typed.Argument],
    _ range: SourceRange, _ sign: Grammar.Name
  ) -> Typed.Expression {
    let symbol = candidate.symbol
    if let owner = symbol.owner, owner.kind == .protocol,
      let own = substitution[owner.selfParameter]
    {
      requirements.append((own, owner, range))
    }
    let made = node(
      .call(
        Typed.Call(
          callee: .function(symbol), substitution: substitution, receiver: nil,
          arguments: arguments, place: range, nameRange: sign.range)),
      symbol.result.substituting(substitution), range)
    finishCall(made)
    return made
  }
}
