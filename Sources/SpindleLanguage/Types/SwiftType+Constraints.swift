extension Nominal {
  /// A constrained protocol with the parameters in its arguments replaced.
  fileprivate func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> Nominal {
    guard let constraint else { return self }
    return constraint.base.constrained(by: constraint.arguments.map { $0.mapped(replacement) })
  }
}

extension [Nominal] {
  /// Protocols with the parameters in their arguments replaced.
  func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> [Nominal] {
    map { $0.mapped(replacement) }
  }
}
