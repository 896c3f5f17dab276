import SpindleModel

/// The members of types.
extension BodyChecker {
  /// A member with the arguments for its type's parameters and for `Self`.
  struct FoundMember {
    var symbol: MemberSymbol
    var substitution: Substitution
  }

  /// The members of a type with a name, its own first, then those of classes above, then those of protocols.
  func members(_ name: String, of type: SwiftType) -> [FoundMember] {
    let type = solver.shallow(type)
    // What has no type arguments has the same members everywhere.
    guard case .nominal(let nominal, let arguments) = type, arguments.isEmpty else {
      return findMembers(name, of: type)
    }
    let key = BodyTable.MemberName(type: ObjectIdentifier(nominal), name: name)
    if let known = bodies.foundMembers[key] { return known }
    let found = findMembers(name, of: type)
    bodies.foundMembers[key] = found
    return found
  }

  private func findMembers(_ name: String, of type: SwiftType) -> [FoundMember] {
    var found: [FoundMember] = []
    switch type {
    case .nominal(let nominal, let arguments):
      var current = nominal
      var substitution = nominal.substitution(arguments)
      while true {
        // What a class below overrides is found there.
        found += specialFirst(current.members[name] ?? []).filter { holds($0, substitution) }.map {
          FoundMember(symbol: $0, substitution: substitution)
        }
        guard case .nominal(let parent, let given)? = current.superclass else { break }
        let inherited = given.map { $0.substituting(substitution) }
        (current, substitution) = (parent, parent.substitution(inherited))
      }
      addProtocolMembers(name, nominal.allProtocols, type, &found)
    case .parameter(let parameter):
      if let parent = parameter.superclass { found += members(name, of: parent) }
      addProtocolMembers(name, bounds(of: type).flatMap(withRefined), type, &found)
    case .member(let base, let inner):
      addProtocolMembers(name, bounds(of: base, inner).flatMap(withRefined), type, &found)
    case .existential(let protocols):
      addProtocolMembers(name, protocols.flatMap(withRefined), type, &found)
    case .tuple, .function, .metatype, .variable, .error: break
    }
    return found
  }

  private func withRefined(_ nominal: Nominal) -> [Nominal] { [nominal] + nominal.allProtocols }

  private func addProtocolMembers(
    _ name: String, _ protocols: [Nominal], _ type: SwiftType, _ found: inout [FoundMember]
  ) {
    let owners = protocols.filter { $0.members[name] != nil }
    // What a protocol has comes before what one that it refines has.
    let ordered =
      owners.count < 2
      ? owners
      : owners.enumerated().sorted { one, other in
        let (first, second) = (one.element.depth, other.element.depth)
        return first == second ? one.offset < other.offset : first > second
      }.map(\.element)
    for requirement in ordered {
      for symbol in specialFirst(requirement.members[name] ?? []) {
        let substitution: Substitution = [requirement.selfParameter: type]
        // A requirement is found as what the type has for it, where the type is known.
        if !symbol.isProtocolExtension, case .nominal = type { continue }
        if holds(symbol, substitution) {
          found.append(FoundMember(symbol: symbol, substitution: substitution))
        }
      }
    }
  }

  /// Members of one name, those first whose extensions ask most of the type.
  private func specialFirst(_ members: [MemberSymbol]) -> [MemberSymbol] {
    guard members.contains(where: { !$0.conditions.isEmpty }), members.count > 1 else {
      return members
    }
    return members.enumerated().sorted { one, other in
      let (first, second) = (one.element.speciality, other.element.speciality)
      return first == second ? one.offset < other.offset : first > second
    }.map(\.element)
  }
}
