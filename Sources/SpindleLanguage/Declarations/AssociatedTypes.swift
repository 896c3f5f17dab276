/// Associated types that a type does not name: what its members say that meet the requirements of a protocol.
///
/// Source: *The Swift Programming Language*, "Generics", on associated types.
enum AssociatedTypes {
  /// Finds those of a type, whose members have been declared.
  static func infer(_ nominal: Nominal, _ table: DeclarationTable) {
    guard nominal.kind != .protocol else { return }
    for requirement in nominal.allProtocols {
      let open = requirement.associatedTypes.filter { name in
        nominal.types[name] == nil && !nominal.generics.contains { $0.name == name }
      }
      if open.isEmpty { continue }
      var found: [String: SwiftType] = [:]
      for name in requirement.members.keys.sorted() {
        for member in requirement.members[name] ?? [] where !member.isProtocolExtension {
          for own in nominal.members[name] ?? [] {
            match(member, own, requirement.selfParameter, table, &found)
          }
        }
      }
      for name in open { nominal.types[name] = found[name] }
      if requirement.isLibrary, requirement.name == "Collection" {
        inferElements(of: nominal, table)
      }
      if requirement.isLibrary { inferElement(of: nominal, requirement.name, open, table) }
    }
  }

  /// Finds what a sequence gives, and what an asynchronous one may throw, by its iterator: the sequence itself, where it
  /// has none and is one.
  ///
  /// Source: swift:stdlib/public/core/Sequence.swift, stdlib/public/Concurrency/AsyncSequence.swift; SE-0421.
  private static func inferElement(
    of nominal: Nominal, _ requirement: String, _ open: [String], _ table: DeclarationTable
  ) {
    let name: String
    switch requirement {
    case "Sequence": name = "Iterator"
    case "AsyncSequence": name = "AsyncIterator"
    default: return
    }
    let isIterator = nominal.allProtocols.contains { $0.isLibrary && $0.name == name + "Protocol" }
    if nominal.types[name] == nil, isIterator { nominal.types[name] = nominal.selfType }
    if case .existential? = nominal.types[name], open.contains("Element") {
      nominal.types["Element"] = nominal.types[name]?.associated("Element")
    }
    guard case .nominal(let iterator, let arguments)? = nominal.types[name] else { return }
    if iterator !== nominal { infer(iterator, table) }
    if open.contains("Element") {
      nominal.types["Element"] = iterator.associated("Element", arguments)
    }
    if open.contains("Failure") {
      let mayThrow = iterator.members["next"]?.contains {
        ($0 as? FunctionSymbol)?.isThrowing == true
      }
      nominal.types["Failure"] =
        mayThrow == true
        ? .existential([table.library("Error")]) : .nominal(table.library("Never"), [])
    }
  }

  /// What a collection gives that says nothing of its iterator: what its subscript gives, from one place to the next.
  private static func inferElements(
    of nominal: Nominal, _ table: DeclarationTable
  ) {
    let isNamed =
      nominal.types["Element"] != nil || nominal.generics.contains { $0.name == "Element" }
    if !isNamed {
      let subscripts = (nominal.members["subscript"] ?? []).compactMap {
        ($0 as? SubscriptSymbol)?.getter
      }
      guard let one = subscripts.first(where: { $0.parameters.map(\.label) == [nil] }) else {
        return
      }
      nominal.types["Element"] = one.result
    }
    if nominal.types["SubSequence"] == nil,
      let element = nominal.associated("Element", nominal.generics.map { .parameter($0) })
    {
      // The parts of a collection are arrays.
      nominal.types["SubSequence"] = .nominal(table.library("Array"), [element])
    }
    if nominal.types["Iterator"] == nil, nominal.members["makeIterator"] == nil {
      nominal.types["Iterator"] = .nominal(table.library("IndexingIterator"), [nominal.selfType])
    }
  }

  private static func match(
    _ requirement: MemberSymbol, _ own: MemberSymbol, _ owner: GenericParameter,
    _ table: DeclarationTable, _ found: inout [String: SwiftType]
  ) {
    if let asked = requirement as? FunctionSymbol, let given = own as? FunctionSymbol {
      guard asked.parameters.map(\.label) == given.parameters.map(\.label) else { return }
      for (one, other) in zip(asked.parameters, given.parameters) {
        bind(one.type, other.type, owner, &found)
      }
      bind(asked.result, given.result, owner, &found)
      if let thrown = asked.thrown {
        let none: SwiftType =
          given.isThrowing
          ? .existential([table.library("Error")]) : .nominal(table.library("Never"), [])
        bind(thrown, given.thrown ?? none, owner, &found)
      }
    } else if let asked = requirement as? VariableSymbol, let given = own as? VariableSymbol,
      given.state == .resolved
    {
      bind(asked.type, given.type, owner, &found)
    }
  }

  /// Binds the associated types in a type of the protocol to what stands there in the type of a member.
  static func bind(
    _ asked: SwiftType, _ given: SwiftType, _ owner: GenericParameter,
    _ found: inout [String: SwiftType]
  ) {
    switch (asked, given) {
    case (.member(.parameter(owner), let name), _):
      if found[name] == nil { found[name] = given }
    case (.nominal(let one, let some), .nominal(let other, let more)) where one === other:
      for (one, other) in zip(some, more) { bind(one, other, owner, &found) }
    case (.tuple(let some), .tuple(let more)):
      for (one, other) in zip(some, more) { bind(one.type, other.type, owner, &found) }
    case (.function(let one), .function(let other)):
      for (one, other) in zip(one.parameters, other.parameters) {
        bind(one.type, other.type, owner, &found)
      }
      bind(one.result, other.result, owner, &found)
    default: break
    }
  }
}
