import SpindleModel

/// What declarations have to be, apart from the types in them.
struct DeclarationCheck {
  let bodies: BodyTable
  var table: DeclarationTable { bodies.table }
  private var known: KnownTypes { bodies.table.known }

  static func check(_ program: TypedProgram) {
    let check = DeclarationCheck(bodies: program.bodies)
    for nominal in check.table.usedTypes { check.check(nominal) }
    for nominal in check.table.extendedTypes {
      check.checkRequirements(nominal, nominal.place ?? SourceRange(0, 0))
    }
    check.checkTop()
    check.checkArguments()
  }

  /// Reports type arguments that do not conform to what their parameters ask for.
  private func checkArguments() {
    let checker = BodyChecker(bodies, context: TypeContext())
    for (place, nominal, given) in table.writtenArguments {
      for (generic, type) in zip(nominal.generics, given)
      where !type.hasParameters && !type.hasErrors {
        guard let bound = generic.bounds.first(where: { !checker.conforms(type, to: $0) }) else {
          continue
        }
        table.report(Messages.conformance("\(type)", bound.name), place)
      }
    }
  }

  private func check(_ nominal: Nominal) {
    let place = nominal.place ?? SourceRange(0, 0)
    if nominal.isValue, holdsItself(nominal) {
      table.report("a value of '\(nominal.name)' would hold another one of its own type", place)
    }
    checkParts(nominal, place)
    checkRequirements(nominal, place)
    let members = nominal.members.values.flatMap { $0 }.sorted(by: bodies.isBefore)
    for member in members where member.isOverride { checkOverride(member, nominal) }
    checkStored(nominal, place)
    checkCases(nominal)
    for member in members { check(member, of: nominal) }
    if nominal.deinitializer?.isolation == .unspecified {
      table.report(Messages.isolatedDeinit(nominal.name), place)
    }
    if nominal.isValue, let deinitializer = nominal.deinitializer {
      table.report(
        "a value that cannot be copied is not known here: only a class has a 'deinit'",
        deinitializer.range)
    }
    for variable in nominal.stored where variable.strength != .strong {
      let type = bodies.type(of: variable)
      if !type.isOfObjects { table.report(Messages.weakValue("\(type)"), variable.range) }
      if variable.strength == .weak, type.wrapped == nil, type.isOfObjects {
        table.report(Messages.weakPresent("\(type)"), variable.range)
      }
    }
    checkSecond(members)
  }

  // MARK: Values that hold themselves

  private func holdsItself(_ nominal: Nominal) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    func leads(_ type: SwiftType) -> Bool {
      switch type {
      case .tuple(let elements): return elements.contains { leads($0.type) }
      case .nominal(let other, let arguments):
        if other.builtin == .optional { return arguments.contains(where: leads) }
        guard other.isValue, other.builtin == nil else { return false }
        if other === nominal { return true }
        return seen.insert(ObjectIdentifier(other)).inserted && stored(other).contains(where: leads)
      case .function, .existential, .parameter, .member, .metatype, .variable, .error: return false
      }
    }
    return stored(nominal).contains(where: leads)
  }

  private func stored(_ nominal: Nominal) -> [SwiftType] {
    nominal.stored.map { bodies.type(of: $0) }
  }

  // MARK: Conformances

  /// Reports parts that cannot be compared where the compiler would write `==`.
  private func checkParts(_ nominal: Nominal, _ place: SourceRange) {
    guard nominal.isValue, nominal.conforms(to: known.equatable) else { return }
    let isWritten = (nominal.members["=="] ?? []).contains { symbol in
      guard let function = symbol as? FunctionSymbol else { return false }
      if case .builtin = function.implementation { return false }
      return true
    }
    if isWritten { return }
    let checker = BodyChecker(bodies, context: bodies.context(of: nominal))
    // `extension Pair: Equatable where A: Equatable`.
    for conformance in nominal.conformances where conformance.requirement.refines(known.equatable) {
      checker.assumed += assumptions(conformance)
    }
    let types = stored(nominal) + nominal.cases.flatMap { $0.values.map(\.type) }
    for type in types where !checker.conforms(type, to: known.equatable) {
      table.report(
        "'\(nominal.name)' does not conform to 'Equatable': it has \(type), which does not", place)
      return
    }
  }

  /// Reports what a protocol of the program requires and a type does not have.
  private func checkRequirements(_ nominal: Nominal, _ place: SourceRange) {
    guard nominal.kind != .protocol else { return }
    if nominal.isValue,
      let one = nominal.allProtocols.first(where: { !$0.isLibrary && $0.refines(known.anyObject) })
    {
      return table.report(Messages.classProtocol(nominal.name, one.name), place)
    }
    let checker = BodyChecker(bodies, context: bodies.context(of: nominal))
    checker.assumed += nominal.conformances.flatMap(assumptions)
    for one in nominal.allProtocols where !one.isLibrary {
      let requirements = one.members.values.flatMap { $0 }.sorted(by: bodies.isBefore)
      for requirement in requirements
      where !requirement.isProtocolExtension && !isInitializer(requirement) {
        // What an extension has under its own conditions is there where it conforms.
        let found =
          checker.members(requirement.name, of: nominal.selfType)
          + (nominal.members[requirement.name] ?? []).filter { !$0.conditions.isEmpty }
          .map { BodyChecker.FoundMember(symbol: $0, substitution: [:]) }
        if found.contains(where: { answers($0.symbol, requirement) }) { continue }
        let name = (requirement as? FunctionSymbol)?.fullName ?? requirement.name
        var reason = "it has no '\(name)'"
        if let variable = requirement as? VariableSymbol, variable.getter != nil,
          found.contains(where: { $0.symbol is VariableSymbol && $0.symbol !== requirement })
        {
          reason = "its '\(name)' has another type, or can't be set"
        } else if found.contains(where: { $0.symbol !== requirement && !isRequirement($0.symbol) })
        {
          reason = "its '\(name)' has other types or effects, or is static"
        }
        table.report(
          "'\(nominal.name)' does not conform to '\(one.name)': \(reason)",
          nominal.conformance(to: one)?.place ?? place)
        return
      }
    }
  }

  private func assumptions(
    _ conformance: Conformance
  ) -> [(type: SwiftType, requirement: Nominal)] {
    conformance.conditions.compactMap { condition in
      condition.requirement.map { (condition.type, $0) }
    }
  }

  private func isRequirement(_ symbol: MemberSymbol) -> Bool {
    if let function = symbol as? FunctionSymbol { return function.isRequirement }
    return (symbol as? VariableSymbol)?.getter?.isRequirement == true
  }

  private func isInitializer(_ symbol: MemberSymbol) -> Bool {
    (symbol as? FunctionSymbol)?.isInitializer == true
  }

  private func answers(_ symbol: MemberSymbol, _ requirement: MemberSymbol) -> Bool {
    guard symbol !== requirement else { return false }
    if let function = symbol as? FunctionSymbol {
      guard let other = requirement as? FunctionSymbol else { return false }
      return !function.isRequirement && function.fits(other) && (other.isAsync || !function.isAsync)
        && (other.isThrowing || !function.isThrowing) && function.isStatic == other.isStatic
    }
    guard let variable = symbol as? VariableSymbol, let other = requirement as? VariableSymbol
    else {
      return true
    }
    if isRequirement(variable) || variable.isStatic != other.isStatic { return false }
    if other.setter != nil, !variable.isSettable { return false }
    return !bodies.type(of: variable).isPlainlyOther(than: other.type)
  }

  // MARK: Names that are given twice

  private func checkTop() {
    for members in table.globalsByFile {
      let own = members.filter { $0.range.upperBound > 0 && !isLibrary($0) }
      checkSecond(own)
      for member in own { check(member, of: nil) }
    }
  }

  private func isLibrary(_ symbol: MemberSymbol) -> Bool {
    if symbol.isInLibraryText { return true }
    if case .row? = (symbol as? FunctionSymbol)?.implementation { return true }
    return (symbol as? VariableSymbol)?.row != nil
  }

  private func checkSecond(_ members: [MemberSymbol]) {
    var first: [Signature: MemberSymbol] = [:]
    for member in members where member.range.upperBound > 0 {
      guard let signature = signature(of: member) else { continue }
      if let other = first[signature] {
        let line = table.source.fileLine(at: other.range.lowerBound).line
        table.report(Messages.redeclared(member.name, line: line), member.range)
      } else {
        first[signature] = member
      }
    }
  }

  private struct Signature: Hashable {
    var name: String
    var labels: [String?] = []
    var types: [SwiftType] = []
    var isVariadic: [Bool] = []
    var isStatic: Bool
    var isVariable: Bool
    /// What the extension around it asks of the type.
    var conditions: [String]
  }

  private func signature(of member: MemberSymbol) -> Signature? {
    switch member {
    case let function as FunctionSymbol:
      guard case .body = function.implementation, function.role.isEmpty, function.generics.isEmpty
      else { return nil }
      return Signature(
        name: function.name, labels: function.parameters.map(\.label),
        types: function.parameters.map(\.type) + [function.result],
        isVariadic: function.parameters.map(\.isVariadic), isStatic: function.isStatic,
        isVariable: false, conditions: function.writtenConditions)
    case let variable as VariableSymbol:
      if variable.getter?.isRequirement == true { return nil }
      return Signature(
        name: variable.name, isStatic: variable.isStatic, isVariable: true,
        conditions: variable.writtenConditions)
    default: return nil
    }
  }
}
