/// Types that no rule of the language takes for each other.
extension SwiftType {
  /// Whether a declaration with this type certainly cannot replace one with the other type.
  ///
  /// Where type parameters, protocols, optionals or classes may bridge the two, it is not sure.
  func isPlainlyOther(than other: SwiftType) -> Bool {
    switch (self, other) {
    case (.nominal(let one, let own), .nominal(let two, let others)):
      if one === two { return zip(own, others).contains { $0.isPlainlyOther(than: $1) } }
      if one.isOpaque || two.isOpaque || one.hasUnknownParent || two.hasUnknownParent {
        return false
      }
      if one.builtin == .optional || two.builtin == .optional { return false }
      if one.isReference, two.isReference {
        return !one.isSubclass(of: two) && !two.isSubclass(of: one)
      }
      // A `TimeInterval` is a length here, and a `Double` in Swift.
      return !(one.isLength && two.isLength)
    case (.tuple(let own), .tuple(let others)):
      return own.count != others.count
        || zip(own, others).contains { $0.type.isPlainlyOther(than: $1.type) }
    case (.nominal(let nominal, _), .tuple), (.tuple, .nominal(let nominal, _)),
      (.nominal(let nominal, _), .function), (.function, .nominal(let nominal, _)):
      return nominal.builtin != .optional && !nominal.isOpaque && nominal.builtin != .never
    case (.function(let own), .function(let others)):
      return own.parameters.count != others.parameters.count
    default: return false
    }
  }
}

extension Nominal {
  fileprivate var isLength: Bool {
    builtin == .duration || builtin == .double || builtin == .instant
  }
}
