import SpindleModel

/// The types of which a value can be whose static type is a class or a protocol.
///
/// A generic declaration has one type for each list of type arguments that the program instantiates, and a type of the
/// library is one of a protocol's where the program makes a box for it. All of them are known only when everything has been
/// emitted: a program that asks is emitted again until no new one appears.
extension Emitter {
  /// The types of declarations, in the order of the declarations.
  func instances(of nominals: [Nominal]) -> [SwiftType] {
    nominals.flatMap { nominal -> [SwiftType] in
      if nominal.generics.isEmpty { return [nominal.selfType] }
      asksForInstances = true
      return knownInstances.filter { $0.nominal === nominal }
    }
  }

  /// A class and all classes below it.
  func instances(below type: SwiftType) -> [SwiftType] {
    guard let nominal = type.nominal else { return [] }
    return instances(of: table.usedTypes.filter { $0.isSubclass(of: nominal) })
      .filter { ancestor(of: $0, nominal) == type }
  }

  /// The types that conform to all of several protocols, under the conditions that they state.
  func instances(conformingTo protocols: [Nominal]) -> [SwiftType] {
    let checker = BodyChecker(bodies, context: TypeContext())
    func conforms(_ type: SwiftType) -> Bool {
      protocols.allSatisfy { checker.conforms(type, to: $0) }
    }
    let own = instances(of: table.conformers(to: protocols)).filter { type in
      type.arguments.isEmpty || conforms(type)
    }
    let mayBeOfLibrary = table.libraryTypes.contains { type in
      type.kind != .protocol && protocols.allSatisfy { type.conforms(to: $0) }
    }
    // That a text is an error is an addition of traces.
    guard mayBeOfLibrary, !protocols.contains(known.errorProtocol) else { return own }
    // Of the library's types those are meant whose values the program has as 'Any' or as a protocol.
    asksForInstances = true
    return own
      + knownInstances.filter { type in
        type.nominal?.isLibrary != false && !own.contains(type) && conforms(type)
      }
  }

  /// The superclass of a type that this declaration declares; nil if it has no such superclass.
  private func ancestor(of type: SwiftType, _ nominal: Nominal) -> SwiftType? {
    var current = type
    while case .nominal(let own, let arguments) = current {
      if own === nominal { return current }
      guard let above = own.superclass else { return nil }
      current = above.substituting(own.substitution(arguments))
    }
    return nil
  }

  /// The types of generic declarations that the program has instantiated so far, and those of the library whose values
  /// it has put into boxes.
  var madeInstances: [SwiftType] {
    classes.sorted { $0.value < $1.value }.map { held(in: $0.key).type }
      .filter { type in
        if type.hasParameters { return false }
        switch type {
        case .tuple, .function, .metatype: return true
        default: break
        }
        guard let nominal = type.nominal else { return false }
        return nominal.isLibrary || !nominal.generics.isEmpty
      }
  }

  /// Emits a program, again and again while it makes instances of new generic types that a dispatch would have to know.
  static func emitted(
    _ typed: TypedProgram, _ bodies: BodyTable, _ code: CodeBuilder, _ program: Program,
    _ files: Overrides.FileReader?
  ) -> Emitter {
    let table = bodies.table
    var known: [SwiftType] = []
    for pass in 1... {
      let emitter = Emitter(bodies, CodeBuilder(like: code), program)
      (emitter.files, emitter.knownInstances) = (files, known)
      let count = table.diagnostics.count
      emitter.emit(typed)
      let made = emitter.madeInstances
      if !emitter.asksForInstances || Set(made).isSubset(of: known) { return emitter }
      table.removeDiagnostics(from: count) { _ in true }
      known = made
      if pass == mostPasses {
        emitter.unsupported("a type whose arguments grow with each call", SourceRange(0, 0))
        return emitter
      }
    }
    fatalError("the last pass returns")
  }

  /// How often a program is emitted: as deep as types are made within types by calls that a dispatch finds.
  private static let mostPasses = 16
}
