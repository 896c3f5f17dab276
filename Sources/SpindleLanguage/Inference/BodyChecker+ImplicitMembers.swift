import SpindleModel

/// Members of the type that is expected, initialisers, and functions as values.
extension BodyChecker {
  /// `.red`, `.some(1)`: a member of the type that is expected.
  func inferImplicit(
    _ name: Grammar.Name, _ call: Grammar.Call?, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    guard let expected else {
      return refuse(untypedMember(name.text), range)
    }
    if solver.isOpen(expected) {
      // What is behind it may say which type is meant: `[.red, .green].contains(color)`.
      let made = node(.error, expected, range)
      deferredMembers.append(
        DeferredMember(node: made, name: name, call: call, scope: scope, names: names))
      return made
    }
    if expected.isError { return failed(range) }
    var type = solver.shallow(expected)
    // A case of what is in an optional, but for those of the optional itself.
    if type.wrapped != nil, name.text == "none", call == nil { return node(.nil, type, range) }
    if let wrapped = type.wrapped, name.text == "some", let call, call.arguments.count == 1 {
      return node(.wrapped(check(call.arguments[0].value, wrapped)), type, range)
    }
    if let value = neverAgain(name.text, call, type, range) { return value }
    while let wrapped = type.wrapped { type = solver.shallow(wrapped) }
    if let value = symbol(name.text, type, range) { return value }
    if case .existential(let protocols) = type, !protocols.isEmpty {
      return refuse("'.\(name.text)' needs a type that has it", range)
    }
    if name.text == "init" {
      return resolveCall(
        implicitInitializers(of: type, range), call, expected, range, name: name)
    }
    let found = members(name.text, of: type).filter { $0.symbol.isStatic }
    guard !found.isEmpty else {
      return refuse(
        unknownMember(name.text, of: type, isStatic: true, range, call, expected), range)
    }
    // `.now` is a property where it is not called, though a function has its name too.
    let first = call == nil ? found.first { $0.symbol is VariableSymbol } ?? found[0] : found[0]
    if let variable = first.symbol as? VariableSymbol {
      let value = read(variable, nil, first.substitution, range)
      guard let call else { return value }
      return callValue(value, call, expected, range)
    }
    let candidates = found.compactMap { member -> Candidate? in
      if let one = member.symbol as? CaseSymbol {
        return caseCandidate(one, member.substitution)
      }
      guard let function = member.symbol as? FunctionSymbol else { return nil }
      return Candidate(symbol: function, receiver: nil, substitution: member.substitution)
    }
    if call == nil, let one = candidates.first,
      case .enumCase(let symbol) = one.symbol.implementation,
      symbol.values.isEmpty
    {
      return caseValue(symbol, one.substitution, range)
    }
    if call == nil { return reference(to: candidates, name.text, expected, range) }
    return resolveCall(candidates, call, expected, range, name: name)
  }

  /// `.init`: where `Self` is expected in a class, an instance of the type of the object is made.
  private func implicitInitializers(of type: SwiftType, _ range: SourceRange) -> [Candidate] {
    var candidates = initializers(of: type, range)
    if function?.givesSelf == true, type == context.nominal?.selfType, let own = ownType(range) {
      for index in candidates.indices { candidates[index].metatype = own }
    }
    return candidates
  }

  /// `.never`: the interval of a timer that fires once.
  private func neverAgain(
    _ name: String, _ call: Grammar.Call?, _ type: SwiftType, _ range: SourceRange
  ) -> Typed.Expression? {
    guard name == "never", call == nil, type.wrapped != nil,
      type.unwrappedFully.nominal?.builtin == .duration
    else { return nil }
    return node(.nil, type, range)
  }

  /// A case without values.
  private func caseValue(
    _ symbol: CaseSymbol, _ substitution: Substitution, _ range: SourceRange
  ) -> Typed.Expression {
    let candidate = caseCandidate(symbol, substitution)
    let call = Typed.Call(
      callee: .function(candidate.symbol), substitution: substitution, receiver: nil,
      arguments: [], place: range, nameRange: range)
    let made = node(
      .call(call), candidate.symbol.result.substituting(substitution), range)
    finishCall(made)
    return made
  }

  /// The initialisers of a type.
  func initializers(of type: SwiftType, _ range: SourceRange) -> [Candidate] {
    guard case .nominal(let nominal, let arguments) = solver.shallow(type) else {
      let type = solver.shallow(type)
      switch type {
      case .parameter, .member:
        return members("init", of: type).compactMap { member in
          guard let function = member.symbol as? FunctionSymbol else { return nil }
          var candidate = Candidate(
            symbol: function, receiver: nil, substitution: member.substitution)
          // What a class requires makes an instance of the class that the parameter stands for.
          if function.owner?.kind == .class { candidate.made = type }
          return candidate
        }
      case .existential(let protocols) where protocols.count == 1:
        // `Actor()`: the vocabulary's executor of that name.
        return (protocols[0].members["init"] ?? []).compactMap { symbol in
          guard let function = symbol as? FunctionSymbol, case .row = function.implementation else {
            return nil
          }
          return Candidate(symbol: function, receiver: nil, substitution: [:])
        }
      case .nominal, .tuple, .function, .existential, .metatype, .variable, .error: return []
      }
    }
    var made: [Candidate] = []
    var current = nominal
    var substitution = nominal.substitution(arguments)
    while true {
      for symbol in current.members["init"] ?? [] {
        guard let function = symbol as? FunctionSymbol else { continue }
        bodies.completeParameters(of: function)
        var candidate = Candidate(symbol: function, receiver: nil, substitution: substitution)
        // What is inherited makes an instance of the class below.
        if current !== nominal { candidate.made = type }
        made.append(candidate)
      }
      // A class that declares no initialiser of its own inherits those above.
      guard made.isEmpty || made.allSatisfy(\.symbol.isConvenience),
        case .nominal(let parent, let given)? = current.superclass
      else { break }
      let inherited = given.map { $0.substituting(substitution) }
      (current, substitution) = (parent, parent.substitution(inherited))
    }
    for requirement in nominal.allProtocols {
      for symbol in requirement.members["init"] ?? [] where symbol.isProtocolExtension {
        guard let function = symbol as? FunctionSymbol,
          !made.contains(where: { $0.symbol.hides(function) })
        else { continue }
        made.append(
          Candidate(
            symbol: function, receiver: nil, substitution: [requirement.selfParameter: type]))
      }
    }
    return made
  }

  // MARK: Operands

  /// The type whose member an operand is that names none: that of the other operand, or the expected one where that alone
  /// has it, as in `.now() + .seconds(1)`.
  func owner(
    of syntax: Grammar.Expression, _ other: SwiftType, _ expected: SwiftType?
  ) -> SwiftType {
    guard let name = implicitName(syntax) else { return other }
    func has(_ type: SwiftType) -> Bool {
      members(name, of: solver.shallow(type).unwrappedFully).contains(where: \.symbol.isStatic)
    }
    if has(other) { return other }
    if let expected, has(expected) { return expected }
    // `.now() + 5ms`, `.now() + 0.5`: moments are what else a length is added to.
    let length = solver.shallow(other)
    let isLength =
      length.nominal?.builtin == .duration || length.nominal?.builtin == .double
      || solver.literal(length) != nil
    return isLength && has(known.instant) ? known.instant : other
  }

  /// The type whose member the right operand is that names none: that of the left one, or what an operator of that takes.
  func owner(
    of syntax: Grammar.Expression, _ sign: String, _ left: SwiftType
  ) -> SwiftType {
    guard let name = implicitName(syntax) else { return left }
    return ([left] + operands(of: sign, left)).first { type in
      members(name, of: type.unwrappedFully).contains(where: \.symbol.isStatic)
    } ?? left
  }

  /// What an operator takes behind a value of a type of the program: what its declarations say, of several the one of
  /// the type that the operand makes a value of; the type itself where they say nothing more.
  func operand(
    of sign: String, _ left: SwiftType, _ syntax: Grammar.Expression
  ) -> SwiftType {
    guard let nominal = left.nominal, !nominal.isLibrary else { return left }
    let taken = operands(of: sign, left).filter { !$0.hasVariables }
    if let made = madeName(syntax), let type = taken.first(where: { $0.nominal?.name == made }) {
      return type
    }
    return taken.count == 1 ? taken[0] : left
  }

  /// What the declarations of an operator take behind a value of a type, each type once.
  private func operands(of sign: String, _ left: SwiftType) -> [SwiftType] {
    var taken: [SwiftType] = []
    for candidate in operators(sign, [left]) where candidate.symbol.parameters.count == 2 {
      let mark = solver.mark
      let substitution = open(candidate)
      let types = candidate.symbol.parameters.map { $0.type.substituting(substitution) }
      _ = solver.attempt { $0.unify(types[0], left) }
      let second = solver.resolve(types[1])
      solver.undo(to: mark)
      if !taken.contains(second) { taken.append(second) }
    }
    return taken
  }

  /// The name in front of the arguments of a call, or of a static member that is called.
  private func madeName(_ syntax: Grammar.Expression) -> String? {
    switch syntax.kind {
    case .name(let name, _): name
    case .call(let call): madeName(call.callee)
    case .member(let base, _, _): madeName(base)
    default: nil
    }
  }

  func implicitName(_ syntax: Grammar.Expression) -> String? {
    switch syntax.kind {
    case .implicitMember(let name): name.text
    case .call(let call): implicitName(call.callee)
    case .member(let base, _, _): implicitName(base)
    default: nil
    }
  }

  // MARK: Functions as values

  /// A function as a value: of several the one whose type is expected.
  func reference(
    to candidates: [Candidate], _ name: String, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if candidates.count == 1, case .enumCase(let one) = candidates[0].symbol.implementation,
      one.values.isEmpty
    {
      return caseValue(one, open(candidates[0]), range)
    }
    let candidates = withoutChanges(candidates)
    for candidate in candidates {
      let mark = solver.mark
      var substitution = open(candidate)
      if let owner = candidate.symbol.owner, let own = typeInFront(of: candidate, range) {
        substitution[owner.selfParameter] = own
      }
      let type = valueType(of: candidate, substitution)
      let made =
        candidate.unapplied.map { unappliedMethod(candidate, of: $0, substitution, range) }
        ?? node(functionKind(candidate, substitution), type, range)
      if candidates.count == 1 || expected.map({ converted(made, to: $0) != nil }) ?? true {
        unifySameTypes(of: candidate.symbol, substitution)
        finishCall(made)
        return suspending(made, expected)
      }
      solver.undo(to: mark)
    }
    return refuse("it is not clear which '\(name)' is meant", range)
  }

  /// The type of a function as a value: what an inherited initialiser makes is of the type in front of it.
  private func valueType(of candidate: Candidate, _ substitution: Substitution) -> SwiftType {
    let type = candidate.symbol.type.substituting(substitution)
    guard let made = candidate.made, case .function(var function) = type else { return type }
    function.result = made.substituting(substitution)
    return .function(function)
  }

  /// The type whose static member or initialiser is a value; nil for any other function.
  private func typeInFront(of candidate: Candidate, _ range: SourceRange) -> SwiftType? {
    guard candidate.symbol.owner?.kind == .class else { return nil }
    if let metatype = candidate.metatype, case .metatype(let type) = solver.shallow(metatype.type) {
      switch metatype.kind {
      case .metatype: return type
      case .local(let local) where local.isSelf: return type
      default:
        report(
          "a function of a type that only the running program knows is not known here yet", range)
        return nil
      }
    }
    return candidate.symbol.isInitializer ? candidate.made : nil
  }

  /// The functions that change nothing they are given, where there are any: the others are called with a variable.
  private func withoutChanges(_ candidates: [Candidate]) -> [Candidate] {
    let plain = candidates.filter { !$0.symbol.parameters.contains(where: \.isInout) }
    return plain.isEmpty || candidates.contains(where: { !$0.symbol.isOfLibrary })
      ? candidates : plain
  }

  private func functionKind(_ candidate: Candidate, _ substitution: Substitution) -> Typed.Kind {
    if let local = candidate.local { return .localFunction(local) }
    return .function(candidate.symbol, substitution, receiver: candidate.receiver)
  }

  /// The substitution of a candidate with a variable for each of its own type parameters.
  func open(_ candidate: Candidate) -> Substitution {
    bodies.completeResult(of: candidate.symbol)
    var substitution = candidate.substitution
    for generic in candidate.symbol.generics { substitution[generic] = solver.variable() }
    if let owner = candidate.symbol.owner,
      candidate.symbol.isStatic || candidate.symbol.isInitializer
    {
      for generic in owner.generics where substitution[generic] == nil {
        substitution[generic] = solver.variable()
      }
    }
    return substitution
  }
}
