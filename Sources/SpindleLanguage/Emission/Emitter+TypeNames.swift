import SpindleModel

/// What types are called.
extension Emitter {
  /// The name of a type with the modules of all types in it, as Swift writes what is a part of something.
  static func qualified(_ type: SwiftType) -> String {
    switch type {
    case .nominal(let nominal, let arguments):
      let plain =
        nominal.isLibrary && nominal.handle == nil ? "Swift.\(nominal.name)" : nominal.qualifiedName
      return arguments.isEmpty
        ? plain : "\(plain)<\(arguments.map(qualified).joined(separator: ", "))>"
    case .tuple(let elements):
      return "("
        + elements.map { ($0.label.map { "\($0): " } ?? "") + qualified($0.type) }
        .joined(separator: ", ") + ")"
    case .existential(let protocols) where !protocols.isEmpty:
      return protocols.map { $0.isLibrary ? "Swift.\($0.name)" : $0.qualifiedName }
        .joined(separator: " & ")
    default: return "\(type)"
    }
  }

  /// The name as `print` writes it, without the short forms of collections and optionals.
  static func fullName(of type: SwiftType) -> String {
    switch type {
    case .nominal(let nominal, let arguments) where !arguments.isEmpty:
      {
        // Those of a type around it are not written.
        let own = arguments.dropFirst(nominal.outer?.generics.count ?? 0)
        return own.isEmpty
          ? nominal.name : "\(nominal.name)<\(own.map(fullName).joined(separator: ", "))>"
      }()
    case .existential(let protocols) where !protocols.isEmpty:
      protocols.map(\.name).joined(separator: " & ")
    case .tuple(let elements) where !elements.isEmpty:
      "("
        + elements.map { ($0.label.map { "\($0): " } ?? "") + fullName(of: $0.type) }
        .joined(separator: ", ") + ")"
    default: "\(type)"
    }
  }
}
