import SpindleModel

/// The types of which a value can be whose static type is a class or a protocol.
///
/// A generic type stands for one type for each list of arguments that the program makes instances of. All of them are known
/// once everything is emitted: a program that asks is emitted again until no new one comes.
extension Emitter {
  /// The types that declarations stand for, in the order of the declarations.
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
    return instances(of: table.conformers(to: protocols)).filter { type in
      type.arguments.isEmpty || protocols.allSatisfy { checker.conforms(type, to: $0) }
    }
  }

  /// The class above a type that a declaration stands for there; nil where it is none of that declaration.
  private func ancestor(of type: SwiftType, _ nominal: Nominal) -> SwiftType? {
    var current = type
    while case .nominal(let own, let arguments) = current {
      if own === nominal { return current }
      guard let above = own.superclass else { return nil }
      current = above.substituting(own.substitution(arguments))
    }
    return nil
  }

  /// The types that generic declarations stand for, as far as the program has made instances of them.
  var madeInstances: [SwiftType] {
    classes.sorted { $0.value < $1.value }.map(\.key)
      .filter { $0.nominal?.generics.isEmpty == false && !$0.hasParameters }
  }

  /// Emits a program, again and again while it makes instances of new generic types that a dispatch would have to know.
  static func emitted(
    _ typed: TypedProgram, _ bodies: BodyTable, _ code: CodeBuilder, _ program: Program,
    _ files: Overrides.FileReader?
  ) -> Emitter {
    let table = bodies.table
    let mayAsk = table.usedTypes.contains { !$0.generics.isEmpty }
    var known: [SwiftType] = []
    for pass in 1... {
      let emitter = Emitter(bodies, mayAsk ? CodeBuilder(like: code) : code, program)
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
