extension Nominal {
  /// A constrained protocol with the parameters in its arguments replaced.
  fileprivate func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> Nominal {
    guard let constraint else { return self }
    return constraint.base.constrained(by: constraint.arguments.map { $0.mapped(replacement) })
  }
}

extension [Nominal] {
  /// What protocols such as `Repo<Int>` say of an associated type.
  func given(_ name: String) -> SwiftType? {
    for one in self {
      if one.constraint != nil, let type = one.types[name] { return type }
    }
    return nil
  }

  /// Protocols with the parameters in their arguments replaced.
  func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> [Nominal] {
    map { $0.mapped(replacement) }
  }
}
