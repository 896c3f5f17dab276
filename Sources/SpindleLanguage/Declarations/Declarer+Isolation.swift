import SpindleModel

/// Where declarations run: what they say, what they inherit, and what their file says of all.
extension Declarer {
  func inheritIsolation(_ nominal: Nominal) {
    guard nominal.isolation == .unspecified else { return }
    if let parent = nominal.superclass?.nominal {
      inheritIsolation(parent)
      nominal.isolation = parent.isolation
    }
    if nominal.isolation == .unspecified {
      nominal.isolation =
        nominal.refined.map(\.isolation).first { $0 != .unspecified } ?? .unspecified
    }
  }

  /// Says of members where they run that say nothing: what overrides or answers to another one runs where that does.
  ///
  /// Source: SE-0316, "Global actor inference".
  func inheritMemberIsolation(_ nominal: Nominal) {
    guard nominal.kind != .actor, nominal.kind != .protocol else { return }
    for name in nominal.members.keys.sorted() {
      for symbol in nominal.members[name] ?? [] where symbol.isolation == .unspecified {
        guard !symbol.isStatic, let found = askedIsolation(name, nominal) else { continue }
        symbol.isolation = found
        guard let variable = symbol as? VariableSymbol else { continue }
        for accessor in [variable.getter, variable.setter] { accessor?.isolation = found }
      }
    }
  }

  /// Where a member of the class above or of a protocol runs; nil where none says it.
  private func askedIsolation(_ name: String, _ nominal: Nominal) -> SymbolIsolation? {
    var above = nominal.superclass?.nominal
    while let one = above {
      if let found = one.members[name]?.map(\.isolation).first(where: { $0 != .unspecified }) {
        return found
      }
      above = one.superclass?.nominal
    }
    for one in nominal.allProtocols {
      let asked = (one.members[name] ?? []).filter { !$0.isProtocolExtension }
      if let found = asked.map(\.isolation).first(where: { $0 != .unspecified }) { return found }
    }
    return nil
  }

  /// Where a declaration runs as far as it says so itself.
  func isolation(of modifiers: Grammar.Modifiers) -> SymbolIsolation {
    for attribute in modifiers.attributes {
      switch attribute.name.text {
      case "MainActor": return .mainActor
      case "concurrent": return .concurrent
      case let name:
        if let actor = table.types[name], actor.isGlobalActor { return .globalActor(actor) }
      }
    }
    for word in modifiers.words where word.word.text == "nonisolated" {
      return word.argument == "nonsending" ? .nonsending : .nonisolated
    }
    return .unspecified
  }
}
