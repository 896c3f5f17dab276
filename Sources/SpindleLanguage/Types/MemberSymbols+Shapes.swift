/// What the declaration of a member says of where it may stand.
extension FunctionSymbol {
  /// Whether it can be what another one is: it has the same labels, and no type that is plainly another one.
  func fits(_ other: FunctionSymbol) -> Bool {
    parameters.map(\.label) == other.parameters.map(\.label)
      && !result.isPlainlyOther(than: other.result)
      && zip(parameters, other.parameters).allSatisfy { !$0.type.isPlainlyOther(than: $1.type) }
  }

  /// Whether it takes the same as another one, a type parameter of its own for each of that.
  func hides(_ other: FunctionSymbol) -> Bool {
    guard generics.count == other.generics.count,
      parameters.map(\.label) == other.parameters.map(\.label)
    else { return false }
    let renamed = Substitution(
      uniqueKeysWithValues: zip(generics, other.generics.map { SwiftType.parameter($0) }))
    return zip(parameters, other.parameters).allSatisfy {
      $0.type.substituting(renamed) == $1.type
    }
  }

  /// Whether a call needs no argument, no `try` and no `await`.
  var isPlain: Bool { parameters.allSatisfy(\.hasStandard) && !isThrowing && !isAsync }
}

extension FunctionSymbol.Parameter {
  /// Whether the function only calls a closure that it is given, or passes it on.
  var isKept: Bool {
    guard case .function = type else { return false }
    return !isEscaping && !isAutoclosure
  }
}

extension VariableSymbol {
  /// Whether code may give it another value.
  var isSettable: Bool { getter == nil ? !isLet : setter != nil }
}

extension MemberSymbol {
  /// How much the conditions of its extension ask of the type: that a part is one type is more than any protocol.
  var speciality: Int {
    conditions.reduce(0) { sum, condition in
      sum + (condition.requirement.map { 1 + $0.allProtocols.count } ?? 1000)
    }
  }

  /// The conditions of its extension, in alphabetical order.
  var writtenConditions: [String] {
    conditions.map { condition in
      "\(condition.type) \(condition.requirement?.name ?? "") \(condition.same.map { "\($0)" } ?? "")"
    }.sorted()
  }
}
