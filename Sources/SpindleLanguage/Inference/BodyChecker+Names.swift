import SpindleModel

/// What names and members mean.
extension BodyChecker {
  /// A function that a call may mean.
  struct Candidate {
    var symbol: FunctionSymbol
    var receiver: Typed.Expression?
    var substitution: Substitution
    /// Whether it is called through `super`.
    var isDirect = false
    var local: Typed.LocalFunction?
    /// The type in front of a method that is not given its object: `Worker.run`; nil for any other function.
    var unapplied: SwiftType?
    /// The type of the instance that an inherited initialiser makes, or a method that gives `Self`; nil where that is its
    /// own.
    var made: SwiftType?
    /// The value that says of which type a static member or an initialiser is called; nil where the code says so.
    var metatype: Typed.Expression?
  }

  /// What a name or a member is.
  enum Meaning {
    case value(Typed.Expression)
    case functions([Candidate])
    case type(SwiftType)
    case none
  }

  /// What `self` is where no type is around: its members are the names at the top.
  var programType: SwiftType { .nominal(table.library("Program"), []) }

  func isProgram(_ type: SwiftType) -> Bool {
    if case .metatype(let inner) = solver.shallow(type) { return inner == programType }
    return false
  }

  /// `Self` in a method: of a class that has subclasses, the type that the object turns out to have; of a protocol, the
  /// one that the method was made for, or of an `any P` that of what it holds.
  func ownType(_ range: SourceRange) -> Typed.Expression? {
    guard let nominal = context.nominal,
      nominal.kind == .class && !nominal.subclasses.isEmpty || nominal.kind == .protocol,
      let own = ownSelf(range)
    else { return nil }
    if case .metatype = own.type { return nominal.kind == .class ? own : nil }
    guard case let symbol as FunctionSymbol = table.globals["type"]?.first,
      let generic = symbol.generics.first
    else { preconditionFailure("the library has no 'type(of:)'") }
    let call = Typed.Call(
      callee: .function(symbol), substitution: [generic: own.type], receiver: nil,
      arguments: [.value(own)], place: range, nameRange: range)
    call.isDirect = nominal.kind == .protocol
    return node(.call(call), .metatype(own.type), range)
  }

  // MARK: Names alone

  func inferName(
    _ name: String, _ arguments: [Grammar.TypeSyntax], _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    value(of: meaning(of: name, arguments, range), name, expected, range)
  }

  /// The value that a meaning is where it is not called.
  func value(
    of meaning: Meaning, _ name: String, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    switch meaning {
    case .value(let value): return value
    case .type(let type): return node(.metatype(type), .metatype(type), range)
    case .functions(let candidates): return reference(to: candidates, name, expected, range)
    case .none:
      if GrammarParser.Precedence.of(name) != nil { return operatorValue(name, expected, range) }
      return refuse(unknown(name, range), range)
    }
  }

  func meaning(
    of name: String, _ arguments: [Grammar.TypeSyntax], _ range: SourceRange,
    isCalled: Bool = false
  ) -> Meaning {
    if name == "self" {
      if let own = ownSelf(range) { return .value(own) }
      // The body of a method that was pasted: its members are the names at the top.
      guard context.nominal == nil else { return .none }
      return .type(programType)
    }
    if let found = find(name) {
      switch found {
      case .local(let local) where local.isCaller:
        return .value(refuse(Messages.callerIsolation(name), range))
      case .local(let local): return .value(use(local, range))
      case .type(let nominal): return .type(instantiated(nominal, arguments))
      case .function(let function, _):
        for local in function.captured { scope.note(local) }
        return .functions([
          Candidate(symbol: function.symbol, receiver: nil, substitution: [:], local: function)
        ])
      }
    }
    if name == "Self", let own = ownType(range) { return .value(own) }
    // An operator is found by the types of its operands.
    if GrammarParser.Precedence.of(name) != nil { return .none }
    if let member = implicitMember(name, range, isCalled: isCalled) { return member }
    if let found = meaning(atTop: name, arguments, range) { return found }
    let syntax = Grammar.TypeSyntax(kind: .name(name, arguments), range: range)
    if context.parameters[name] != nil || table.type(named: name, at: range) != nil
      || table.aliases[name] != nil
      || isTypeMember(name) || ["Void", "Any", "Self"].contains(name)
    {
      return .type(resolve(syntax))
    }
    // A type of the app or of a library that no file declares.
    if table.hasFiles, name.first?.isUppercase == true { return .type(resolve(syntax)) }
    // `SIGTERM`: the names of signals stand alone.
    let signals = table.families[.signalName]
    return signals.flatMap { symbol(name, $0.selfType, range) }.map { .value($0) } ?? .none
  }

  /// The declaration at the top level with this name; nil for a type or an unknown name.
  func meaning(
    atTop name: String, _ arguments: [Grammar.TypeSyntax], _ range: SourceRange
  ) -> Meaning? {
    if let parameter = bodies.parameters[name] {
      bodies.usedParameters.insert(name)
      let made = Typed.Expression(.constant(parameter.value), parameter.type, range)
      made.isParameter = true
      return .value(made)
    }
    if let symbols = table.globals(named: name, at: range) {
      let functions = withoutShadowed(symbols.compactMap { $0 as? FunctionSymbol })
      let isOwn = functions.contains { !$0.isOfLibrary }
      if let variable = symbols.last(where: { $0 is VariableSymbol }) as? VariableSymbol,
        !(isOwn && variable.row != nil)
      {
        return .value(read(variable, nil, [:], range))
      }
      return .functions(functions.map { Candidate(symbol: $0, receiver: nil, substitution: [:]) })
    }
    return nil
  }

  /// A function of the program is meant in front of one of the library that takes the same labels.
  private func withoutShadowed(_ functions: [FunctionSymbol]) -> [FunctionSymbol] {
    if functions.allSatisfy(\.isOfLibrary) { return functions }
    let own = functions.filter { !$0.isOfLibrary }
    if own.count == functions.count { return functions }
    // Of two that take the same arguments that of the program comes first.
    return own
      + functions.filter { function in
        function.isOfLibrary
          && !own.contains { $0.parameters.map(\.label) == function.parameters.map(\.label) }
      }
  }

  func isTypeMember(_ name: String) -> Bool {
    var around = context.nominal
    while let one = around {
      if one.types[name] != nil || one.associatedTypes.contains(name) { return true }
      if one.isAsked(for: name) { return true }
      around = one.outer
    }
    return false
  }

  func instantiated(_ nominal: Nominal, _ arguments: [Grammar.TypeSyntax]) -> SwiftType {
    if nominal.kind == .protocol { return .existential([nominal]) }
    let given =
      table.outerArguments(of: nominal, in: context) + arguments.map { resolve($0) }
    return .nominal(
      nominal,
      nominal.generics.enumerated().map { index, _ in
        index < given.count ? given[index] : solver.variable()
      })
  }

  /// Whether the program itself declares a function or a variable of a name, which comes before what an operation has.
  private func isDeclaredAtTop(_ name: String, _ range: SourceRange) -> Bool {
    table.globals(named: name, at: range)?.contains { symbol in
      if let function = symbol as? FunctionSymbol { return !function.isOfLibrary }
      return !symbol.isInLibraryText && (symbol as? VariableSymbol)?.row == nil
    } ?? false
  }

  /// A member of `self`, or a static one of a type around, that is named alone.
  func implicitMember(
    _ name: String, _ range: SourceRange, isCalled: Bool = false
  ) -> Meaning? {
    if context.nominal == nil, case .local(let own)? = find("self"),
      own.type.nominal?.handle != nil, !isDeclaredAtTop(name, range)
    {
      let found = members(name, of: own.type).filter { !$0.symbol.isStatic }
      return meaning(of: found, receiver: use(own, range), range, isCalled: isCalled)
    }
    var around = context.nominal
    while let nominal = around {
      let isOwn = nominal === context.nominal
      let own = nominal.selfType
      var found = members(name, of: own)
      if nominal.kind == .protocol {
        found += (nominal.members[name] ?? []).filter { !$0.isProtocolExtension }.map {
          FoundMember(symbol: $0, substitution: [nominal.selfParameter: own])
        }
      }
      if !found.isEmpty {
        let receiver = isOwn ? ownSelf(range) : nil
        let isStaticSelf =
          receiver.map { if case .metatype = $0.type { true } else { false } } ?? true
        let usable = found.filter { $0.symbol.isStatic == isStaticSelf }
        if let made = meaning(of: usable, receiver: receiver, range, isCalled: isCalled) {
          return made
        }
      }
      around = nominal.outer
    }
    return nil
  }

  /// What members that were found mean with an object in front of them.
  func meaning(
    of found: [FoundMember], receiver: Typed.Expression?, _ range: SourceRange,
    isDirect: Bool = false, isCalled: Bool = false
  ) -> Meaning? {
    let found = isCalled ? callable(found) : withVariableFirst(found)
    guard let first = found.first else { return nil }
    var metatype: Typed.Expression?
    if let receiver, case .metatype = solver.shallow(receiver.type) { metatype = receiver }
    let receiver = receiver.map { libraryObject($0, first.symbol, range) }
    if let variable = first.symbol as? VariableSymbol {
      let made = read(
        variable, variable.isStatic ? nil : receiver, first.substitution, range,
        isDirect: isDirect)
      if variable.isStatic, case .call(let call) = made.kind { call.metatype = metatype }
      return .value(made)
    }
    if let one = first.symbol as? CaseSymbol {
      return .functions([caseCandidate(one, first.substitution)])
    }
    let functions = found.compactMap { member -> Candidate? in
      guard let symbol = member.symbol as? FunctionSymbol else { return nil }
      return Candidate(
        symbol: symbol, receiver: symbol.isStatic ? nil : receiver,
        substitution: member.substitution, isDirect: isDirect,
        made: symbol.givesSelf ? made(by: symbol, receiver) : nil,
        metatype: symbol.isStatic ? metatype : nil)
    }
    return functions.isEmpty ? nil : .functions(withoutOverridden(functions))
  }

  /// What a method of a class gives whose result is `Self`: an instance of the type that is in front of it.
  private func made(by symbol: FunctionSymbol, _ receiver: Typed.Expression?) -> SwiftType? {
    guard var type = receiver.map({ solver.shallow($0.type) }) else { return nil }
    if case .metatype(let named) = type { type = solver.shallow(named) }
    return symbol.result.wrapped == nil ? type : known.optional(type)
  }

  /// The object of the library that an instance of a subclass is, in front of a member of the library.
  private func libraryObject(
    _ receiver: Typed.Expression, _ member: MemberSymbol, _ range: SourceRange
  ) -> Typed.Expression {
    guard let owner = member.owner, owner.handle != nil,
      case .nominal(let own, _) = solver.shallow(receiver.type), !own.isLibrary,
      own.isSubclass(of: owner)
    else { return receiver }
    return node(.conversion(receiver), owner.selfType, range)
  }

  /// What a class below overrides is left out, and so is what a type has in the place of a protocol's own.
  private func withoutOverridden(_ candidates: [Candidate]) -> [Candidate] {
    var kept: [Candidate] = []
    for candidate in candidates {
      let isHidden = kept.contains { other in
        other.symbol.owner !== candidate.symbol.owner
          && other.symbol.isStatic == candidate.symbol.isStatic
          && other.symbol.hides(candidate.symbol)
      }
      if !isHidden { kept.append(candidate) }
    }
    return kept
  }

  /// A case as the function that makes a value of it.
  func caseCandidate(_ one: CaseSymbol, _ substitution: Substitution) -> Candidate {
    let made = FunctionSymbol(one.name, one.range, owner: one.owner)
    made.isStatic = true
    made.parameters = one.values
    made.result = one.owner?.selfType ?? .error
    made.implementation = .enumCase(one)
    made.isDiscardable = true
    return Candidate(symbol: made, receiver: nil, substitution: substitution)
  }

  // MARK: Reading

  /// The value of a variable.
  func read(
    _ variable: VariableSymbol, _ receiver: Typed.Expression?, _ substitution: Substitution,
    _ range: SourceRange, isDirect: Bool = false
  ) -> Typed.Expression {
    let made = plainRead(variable, receiver, substitution, range, isDirect: isDirect)
    made.isImplicit = variable.isImplicit
    return made
  }

  private func plainRead(
    _ variable: VariableSymbol, _ receiver: Typed.Expression?, _ substitution: Substitution,
    _ range: SourceRange, isDirect: Bool
  ) -> Typed.Expression {
    let type = bodies.type(of: variable).substituting(substitution)
    if let row = variable.row {
      if row.suspends { noteSuspension(variable.name, range) }
      if type.isError { return refuse("'\(variable.name)' is not known here yet", range) }
      if row.suspends { noteErrors(nil, range) }
      return node(.property(row, receiver), type, range)
    }
    guard let getter = variable.getter else {
      if variable.owner != nil, !variable.isStatic, let receiver {
        // Its first value is stored when it is first read.
        if variable.isLazy, variable.owner?.isValue == true { checkSettable(receiver) }
        return visiting(variable, receiver, node(.field(receiver, variable), type, range))
      }
      return visiting(variable, nil, node(.global(variable, substitution), type, range))
    }
    if getter.changesSelf, let receiver { checkSettable(receiver) }
    let call = Typed.Call(
      callee: .function(getter), substitution: substitution, receiver: receiver, arguments: [],
      place: range, nameRange: range)
    (call.isAsync, call.isThrowing, call.isDirect) = (getter.isAsync, getter.isThrowing, isDirect)
    call.hop = hop(for: getter, receiver, [], variable.name, range)
    noteErrors(of: getter, call, range)
    let made = node(.call(call), type, range)
    finishCall(made)
    return made
  }
}
