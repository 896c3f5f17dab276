import SpindleModel

/// What the type parameters of a function that is called say of each other and of its arguments.
extension BodyChecker {
  /// Takes in which types the conditions of a function and of its extension say to be the same.
  func unifySameTypes(of symbol: FunctionSymbol, _ substitution: Substitution) {
    for (one, other) in symbol.sameTypes {
      _ = solver.unify(one.substituting(substitution), other.substituting(substitution))
    }
    // `Result { try load() }`: the conditions of the extension say what a type parameter is.
    for condition in symbol.conditions {
      guard let same = condition.same else { continue }
      _ = solver.unify(condition.type.substituting(substitution), same.substituting(substitution))
    }
  }

  /// Takes in what the constraints of type parameters say of others, whose arguments are known: in
  /// `some Sequence<Key>` what `Key` is.
  func unifyConstraints(of symbol: FunctionSymbol, _ substitution: Substitution) {
    for generic in symbol.generics {
      guard let type = substitution[generic], !solver.isOpen(type) else { continue }
      for bound in generic.bounds where bound.constraint != nil {
        _ = conforms(type, to: bound.substituting(substitution))
      }
    }
  }

  /// What an array literal is as an argument for a type parameter whose elements are known: `Set<ID>([1, 2])`.
  func unifyList(
    _ argument: Grammar.Argument, _ given: Typed.Expression?, _ type: SwiftType,
    for parameter: FunctionSymbol.Parameter, _ substitution: Substitution
  ) {
    guard given == nil, case .array = argument.value.kind, solver.isOpen(type),
      case .parameter(let generic) = parameter.type,
      generic.bounds.contains(where: { $0.refines(known.sequence) })
    else { return }
    let element = solver.resolve(parameter.type.associated("Element").substituting(substitution))
    if case .member = element { return }
    if !element.hasVariables { _ = solver.unify(type, known.array(element)) }
  }

  /// Takes in what is expected before the arguments are looked at, where it says what these are: of a function,
  /// `people.filter(both(matching(\.age, 2), isHere))`, and of an instance, `let box: Box<Int> = .init()`.
  func unifyEarly(
    _ result: SwiftType, _ expected: SwiftType?, _ symbol: FunctionSymbol,
    _ written: [Grammar.Argument]
  ) {
    guard let expected else { return }
    if case .function = result, case .function = solver.shallow(expected) {
      unifyResult(result, expected)
    }
    guard symbol.isInitializer, result.hasVariables,
      symbol.sameTypes.isEmpty || !isConverted(expected) || !written.allSatisfy({ isCopied($0) })
    else { return }
    _ = solver.attempt { $0.unify(result, expected.wrapped ?? expected) }
  }

  /// Takes in what is expected of what a function gives, as far as that is not known yet.
  func unifyResult(_ result: SwiftType, _ expected: SwiftType) {
    guard !solver.isOpen(expected), result.hasVariables, solver.resolve(result).hasVariables else {
      return
    }
    _ =
      solver.attempt { $0.unify(result, expected) }
      || solver.attempt { $0.unify(result, expected.wrapped ?? expected) }
  }

  /// Whether a closure is given for what a function gives back.
  func takesClosure(
    _ symbol: FunctionSymbol, _ matched: [Matched], _ written: [Grammar.Argument]
  ) -> Bool {
    zip(symbol.parameters, matched).contains { parameter, match in
      guard case .argument(let number) = match, parameter.type == symbol.result else {
        return false
      }
      if case .closure = written[number].value.kind { return true }
      return false
    }
  }

  /// Whether arrays or dictionaries of other elements are converted to a type: its own are objects or values of
  /// protocols.
  func isConverted(_ type: SwiftType) -> Bool {
    guard case .nominal(let nominal, let arguments) = solver.shallow(type),
      nominal.builtin == .array || nominal.builtin == .dictionary, let element = arguments.last
    else { return false }
    switch solver.shallow(element).unwrappedFully {
    case .existential: return true
    case .nominal(let own, _): return own.isReference
    case .tuple, .function, .parameter, .member, .metatype, .variable, .error: return false
    }
  }

  /// Whether an argument has elements of a type of its own, which no context decides.
  func isCopied(_ argument: Grammar.Argument) -> Bool {
    switch argument.value.kind {
    case .call, .member, .name, .subscripted: !isContextual(argument.value)
    default: false
    }
  }

  /// Takes in what the conditions of an extension and of a function say of its type parameters.
  func assume(_ symbol: FunctionSymbol) {
    assumeTexts(in: symbol)
    assumeConditions(of: symbol)
    for (one, other) in symbol.sameTypes { solver.same[one] = other }
  }

  func assumeConditions(of symbol: MemberSymbol) {
    for condition in symbol.conditions {
      if let requirement = condition.requirement {
        assumed.append((condition.type, requirement))
        if isText(requirement) { solver.same[condition.type] = known.string }
      } else if let other = condition.same {
        solver.same[condition.type] = other
      }
    }
  }

  /// Takes in which type parameters are texts: 'String' is the only type that is a 'StringProtocol'.
  private func assumeTexts(in symbol: FunctionSymbol) {
    let around = symbol.owner.map { $0.generics + [$0.selfParameter] } ?? []
    for generic in symbol.generics + around {
      let type = SwiftType.parameter(generic)
      if generic.bounds.contains(where: isText) { solver.same[type] = known.string }
      for (path, member) in generic.members where member.bounds.contains(where: isText) {
        solver.same[path.reduce(type) { .member($0, $1) }] = known.string
      }
    }
  }

  private func isText(_ bound: Nominal) -> Bool {
    ([bound] + bound.allProtocols).contains { $0.isLibrary && $0.name == "StringProtocol" }
  }
}
