import SpindleModel

/// The protocols of a trace, by what they say of where those who conform run.
struct ProtocolsAbove {
  private var declarations: [Word: TypeDeclaration] = [:]

  init(_ protocols: [TypeDeclaration]) {
    for one in protocols { declarations[one.name.word] = one }
  }

  /// Whether a name is one of theirs.
  func has(_ name: Word) -> Bool { declarations[name] != nil }

  /// Those that are named, and those above them, in the order in which they are named.
  func all(of names: [Name]) -> [TypeDeclaration] {
    var (found, seen) = ([TypeDeclaration](), Set<Word>())
    var open = Array(names.reversed())
    while let name = open.popLast() {
      guard let one = declarations[name.word], seen.insert(name.word).inserted else { continue }
      found.append(one)
      open += one.bases.reversed()
    }
    return found
  }

  /// Whether only actors conform to one that is named, so that what it has runs on those.
  func areOfActors(_ names: [Name]) -> Bool {
    all(of: names).contains { one in one.bases.contains { $0.word == "Actor" } }
  }

  /// Where all members run of a type that conforms to what is named where it is declared.
  func isolation(of names: [Name]) -> Isolation {
    all(of: names).first { !$0.isolation.isUnspecified }?.isolation ?? .unspecified
  }

  /// Where a member runs that one of the named protocols asks for.
  func isolation(of member: Word, in names: [Name]) -> Isolation {
    for one in all(of: names) {
      guard let asked = one.required.first(where: { $0.name == member }) else { continue }
      return asked.isolation.isUnspecified ? one.isolation : asked.isolation
    }
    return .unspecified
  }
}

/// Where the members of a type run that say nothing themselves: where the class above it does, or the protocol that it
/// conforms to where it is declared; what overrides or answers to a member runs where that does.
///
/// Source: SE-0316, "Global actor inference".
extension Lowering {
  /// Says it in the declarations of types, before extensions are taken in.
  func inheritIsolation(_ protocols: ProtocolsAbove, _ merge: inout Merge) {
    var isDone = Set<Int>()
    for index in merge.types.indices { inheritIsolation(index, protocols, &merge, &isDone) }
  }

  private func inheritIsolation(
    _ index: Int, _ protocols: ProtocolsAbove, _ merge: inout Merge, _ isDone: inout Set<Int>
  ) {
    guard merge.types[index].type.keyword != .actor, isDone.insert(index).inserted else { return }
    var type = merge.types[index].type
    var base: TypeDeclaration?
    if let above = type.bases.first.flatMap({ merge.index(of: $0.word) }), above != index {
      inheritIsolation(above, protocols, &merge, &isDone)
      base = merge.types[above].type
    }
    if type.isolation.isUnspecified {
      type.isolation = base?.isolation ?? .unspecified
      if type.isolation.isUnspecified { type.isolation = protocols.isolation(of: type.bases) }
    }
    let (home, bases) = (type.isolation, type.bases)
    type.isolateMembers { name, isStatic in
      let overridden = isStatic ? nil : base?.isolation(ofMember: name)
      if let overridden, !overridden.isUnspecified { return overridden }
      return home.isUnspecified ? protocols.isolation(of: name, in: bases) : home
    }
    merge.types[index].type = type
  }

  /// Says it in an extension: of a protocol, or of a type that conforms there.
  func inheritIsolation(_ protocols: ProtocolsAbove, _ type: inout TypeDeclaration) {
    guard type.isolation.isUnspecified else { return }
    let (name, bases) = (type.name, type.bases)
    let home = protocols.isolation(of: [name])
    type.isolateMembers { member, _ in
      home.isUnspecified ? protocols.isolation(of: member, in: bases) : home
    }
  }
}
