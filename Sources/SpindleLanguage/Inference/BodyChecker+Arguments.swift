import SpindleModel

/// The arguments of the function that a call means.
extension BodyChecker {
  func apply(
    _ candidate: Candidate, _ matched: [Matched], _ written: [Grammar.Argument],
    _ given: [Typed.Expression?], _ call: Grammar.Call?, _ expected: SwiftType?,
    _ range: SourceRange,
    _ name: Grammar.Name, _ owner: SourceRange?
  ) -> Typed.Expression {
    let symbol = candidate.symbol
    let substitution = open(candidate)
    let result = (candidate.made ?? symbol.result).substituting(substitution)
    unifySameTypes(of: symbol, substitution)
    unifyEarly(result, expected, symbol, written)
    if let receiver = candidate.receiver, symbol.changesSelf { checkSettable(receiver) }
    var arguments: [Typed.Argument?] = matched.map { _ in nil }
    func fill(closures: Bool) {
      for (index, match) in matched.enumerated() where arguments[index] == nil {
        let parameter = symbol.parameters[index]
        let type = placed(parameter.type.substituting(substitution), candidate)
        switch match {
        case .absent:
          if !closures { arguments[index] = standard(parameter, symbol) }
        case .variadic(let indices):
          if closures { continue }
          arguments[index] = .variadic(
            indices.map { argument(written[$0].value, given[$0], parameter, type, symbol) })
        case .argument(let number):
          guard isClosure(written[number].value) == closures else { continue }
          unifyList(written[number], given[number], type, for: parameter, substitution)
          arguments[index] = .value(
            argument(written[number].value, given[number], parameter, type, symbol))
        }
      }
    }
    fill(closures: false)
    unifyConstraints(of: symbol, substitution)
    if let expected {
      // What is a closure is no optional.
      let isClosure = takesClosure(symbol, matched, written)
      unifyResult(result, isClosure ? expected.wrapped ?? expected : expected)
    }
    fill(closures: true)
    let made = assembled(
      candidate, substitution, arguments.map { $0 ?? .absent }, call?.place ?? range, range, name,
      owner)
    if case .row = symbol.implementation,
      symbol.result.isError || symbol.parameters.contains(where: \.type.isError)
    {
      return refuse("'\(name.text)' is not known here yet", name.range)
    }
    checkOverlap(made.arguments)
    (made.isAwaited, made.isTried) = (isAwaited, isTried)
    made.hop = hop(for: candidate, made.arguments, name.text, range)
    let whole = node(.call(made), result, range)
    finishCall(whole)
    return whole
  }

  /// Reports two `inout` arguments that are one place, or of which one is a part of the other.
  ///
  /// Source: SE-0176. What is behind a reference is looked at in the run.
  private func checkOverlap(_ arguments: [Typed.Argument]) {
    let places = arguments.compactMap { argument -> Typed.Expression? in
      guard case .value(let value) = argument, case .reference(let place) = value.kind else {
        return nil
      }
      return place
    }
    for (index, place) in places.enumerated().dropFirst() {
      guard let path = place.path else { continue }
      for other in places[..<index] {
        guard let second = other.path, zip(path, second).allSatisfy({ $0 == $1 }) else { continue }
        return report(Messages.overlappingReferences, place.range)
      }
    }
  }

  /// Whether an argument `any P` is opened: the function is made for the type that it turns out to have.
  ///
  /// Source: SE-0352.
  private func isOpened(
    _ type: SwiftType, _ generic: GenericParameter, _ bound: Nominal, _ symbol: FunctionSymbol
  ) -> Bool {
    guard case .existential(let protocols) = solver.shallow(type),
      protocols.contains(where: { $0.refines(bound) })
    else { return false }
    let own = SwiftType.parameter(generic)
    return symbol.parameters.contains {
      $0.type == own && !$0.isVariadic || $0.type == .metatype(own)
    }
  }

  /// The call of a function whose arguments have been found.
  private func assembled(
    _ candidate: Candidate, _ substitution: Substitution, _ arguments: [Typed.Argument],
    _ place: SourceRange, _ range: SourceRange, _ name: Grammar.Name, _ owner: SourceRange?
  ) -> Typed.Call {
    let symbol = candidate.symbol
    if case .builtin("typeOf") = symbol.implementation { bodies.namesTypes = true }
    if symbol.isInLibraryText, let value = symbol.generics.first, let type = substitution[value] {
      noteStored(symbol, arguments, type)
    }
    for generic in symbol.generics {
      guard let type = substitution[generic] else { continue }
      for bound in generic.bounds where !isOpened(type, generic, bound, symbol) {
        requirements.append((type, bound.substituting(substitution), range))
      }
    }
    if !symbol.isOfLibrary, !symbol.generics.isEmpty {
      openCalls.append((symbol.generics, substitution, name.range))
    }
    if let local = candidate.local {
      for captured in local.captured { scope.note(captured) }
    }
    let made = Typed.Call(
      callee: candidate.local.map { .local($0) } ?? .function(symbol), substitution: substitution,
      receiver: candidate.receiver, arguments: arguments,
      place: place, owner: owner, nameRange: name.range)
    made.isAsync = symbol.isAsync
    made.isThrowing = symbol.isThrowing
    noteErrors(of: symbol, made, range)
    made.isDirect = candidate.isDirect
    made.made = candidate.made?.substituting(substitution)
    made.metatype = candidate.metatype
    return made
  }

  /// What is kept under a key that is a text has one type: a reader is given the value as it was kept.
  private func noteStored(
    _ symbol: FunctionSymbol, _ arguments: [Typed.Argument], _ type: SwiftType
  ) {
    guard let store = store(of: symbol),
      let place = symbol.parameters.firstIndex(where: { $0.type == known.string }),
      place < arguments.count, case .value(let key) = arguments[place]
    else { return }
    if case .text(let text) = key.kind, let first = bodies.storedTypes[store + text] {
      if solver.isOpen(type) { _ = solver.unify(type, first) }
    }
    finishers.append { [self] in
      guard case .text(let text) = key.kind else {
        let isThread = store == "thread"
        return report(isThread ? Messages.computedKey : Messages.computedSpecificKey, key.range)
      }
      let found = solver.resolve(type)
      if found.hasVariables { return }
      let first = bodies.storedTypes[store + text, default: found]
      bodies.storedTypes[store + text] = first
      if first != found {
        report(
          Messages.mismatch(expected: "\(known.optional(first))", found: "\(found)"), key.range)
      }
    }
  }

  /// What keeps values under keys for a function that is given one: a queue, or the dictionary of a thread.
  private func store(of symbol: FunctionSymbol) -> String? {
    if symbol.owner?.name == Nominal.threadDictionary { return "thread" }
    guard case .builtin(let name) = symbol.implementation else { return nil }
    return ["setSpecific", "getSpecific", "getOwnSpecific"].contains(name) ? "queue" : nil
  }

  func isClosure(_ syntax: Grammar.Expression) -> Bool {
    switch syntax.kind {
    case .closure, .keyPath: true
    default: false
    }
  }

  func standard(
    _ parameter: FunctionSymbol.Parameter, _ symbol: FunctionSymbol
  ) -> Typed.Argument {
    bodies.standard(of: parameter, symbol).map { .standard($0) } ?? .absent
  }

  func argument(
    _ syntax: Grammar.Expression, _ given: Typed.Expression?,
    _ parameter: FunctionSymbol.Parameter, _ type: SwiftType, _ symbol: FunctionSymbol
  ) -> Typed.Expression {
    let function = symbol.isInitializer ? symbol.owner?.name ?? symbol.name : symbol.name
    let taker = Taker(word: parameter.label ?? function, isArgument: true)
    return forTaker(taker) { plainArgument(syntax, given, parameter, type, symbol) }
  }

  private func plainArgument(
    _ syntax: Grammar.Expression, _ given: Typed.Expression?,
    _ parameter: FunctionSymbol.Parameter, _ type: SwiftType, _ symbol: FunctionSymbol
  ) -> Typed.Expression {
    if parameter.isInout { return referenceArgument(syntax, type) }
    if parameter.isCaller {
      return isCallerIsolation(syntax)
        ? node(.nil, type, syntax.range)
        : refuse("an isolation other than '#isolation' is not known here yet", syntax.range)
    }
    if parameter.isAutoclosure, case .function(let function) = solver.shallow(type) {
      return autoclosure(syntax, function)
    }
    if case .reference = syntax.kind { return refuse(Messages.strayReference, syntax.range) }
    if let given { return convertedArgument(given, type, parameter, symbol) }
    if case .closure(let closure) = syntax.kind {
      let isExpanded = expands(symbol, parameter)
      let made = inferClosure(
        closure, type, isExpanded: isExpanded, mayIgnore: symbol.isOfLibrary)
      noteUnchecked(made, symbol)
      return convert(made, to: type)
    }
    return convertedArgument(infer(syntax, type), type, parameter, symbol)
  }

  private func isCallerIsolation(_ syntax: Grammar.Expression) -> Bool {
    switch syntax.kind {
    case .foreign("#isolation"): return true
    // A function passes the actor of its caller on.
    case .name(let name, _): if case .local(let local)? = find(name) { return local.isCaller }
    default: break
    }
    return false
  }

  /// An argument as a parameter takes it: for a `TimeInterval` a number means seconds.
  private func convertedArgument(
    _ value: Typed.Expression, _ type: SwiftType, _ parameter: FunctionSymbol.Parameter,
    _ symbol: FunctionSymbol
  ) -> Typed.Expression {
    if case .row = symbol.implementation, let made = withoutOperation(value, type) {
      return convert(made, to: type)
    }
    if case .row = symbol.implementation, let wanted = solver.shallow(type).unwrappedFully.nominal {
      let source = solver.shallow(value.type)
      let isNumber =
        source.nominal?.builtin == .double || solver.literal(source) != nil
      if parameter.isInterval, isNumber {
        return convert(
          node(.conversion(convert(value, to: known.double)), known.duration, value.range),
          to: type)
      }
      if wanted.family == .clock,
        source.nominal.map({ KnownNumbers.clocks.contains($0.name) }) == true
      {
        // All clocks are the virtual time.
        return convert(node(.conversion(value), .nominal(wanted, []), value.range), to: type)
      }
      if wanted.builtin == .string, source == known.error {
        // An error is the text that it prints as.
        return convert(node(.conversion(value), known.string, value.range), to: type)
      }
      if wanted.builtin == .instant, source.nominal?.builtin == .duration {
        return convert(node(.conversion(value), known.instant, value.range), to: type)
      }
    }
    return convert(value, to: type)
  }

  /// A function without parameters where a row would give its operation to it.
  func withoutOperation(
    _ value: Typed.Expression, _ type: SwiftType
  ) -> Typed.Expression? {
    guard case .function(let wanted) = solver.shallow(type).unwrappedFully,
      wanted.parameters.count == 1, wanted.parameters[0].type.nominal?.handle == .operation,
      case .function(let own) = solver.shallow(value.type), own.parameters.isEmpty
    else { return nil }
    return node(.conversion(value), .function(wanted), value.range)
  }

  /// Whether a closure is expanded where it is given to a function.
  private func expands(_ symbol: FunctionSymbol, _ parameter: FunctionSymbol.Parameter) -> Bool {
    switch symbol.implementation {
    case .inlined, .builtin:
      // A closure passed for a type parameter is stored, not expanded: `handlers.append { … }`.
      if case .function = parameter.type { return !parameter.isEscaping }
      return false
    case .row(let member): return member.action.isInPlace
    case .none, .body, .memberwise, .enumCase: return false
    }
  }

  /// `&place`.
  func referenceArgument(_ syntax: Grammar.Expression, _ type: SwiftType) -> Typed.Expression {
    guard case .reference(let inner) = syntax.kind else {
      return refuse("an 'inout' parameter takes '&' and a variable", syntax.range)
    }
    let place = infer(inner, type)
    checkSettable(place)
    if !solver.unify(place.type, type) {
      return refuse(
        Messages.mismatch(
          expected: "\(solver.resolve(type))", found: "\(solver.resolve(place.type))"),
        syntax.range)
    }
    return node(.reference(place), place.type, syntax.range)
  }

  func autoclosure(
    _ syntax: Grammar.Expression, _ function: FunctionType
  ) -> Typed.Expression {
    let inner = Typed.FunctionScope(scope)
    (inner.isExpanded, inner.isolation) = (true, scope.isolation)
    let outer = scope
    scope = inner
    let value = check(syntax, function.result)
    scope = outer
    let closure = Typed.Closure(function, syntax.range, inner)
    closure.body = [Typed.Statement(kind: .return(value), range: syntax.range)]
    closure.result = function.result
    finishClosure(closure)
    return node(.closure(closure), .function(function), syntax.range)
  }

  // MARK: Subscripts

  func inferSubscript(
    _ base: Grammar.Expression, _ arguments: [Grammar.Argument], _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    let value = taken(infer(base, nil))
    if value.type.isError { return failed(range) }
    if arguments.count == 1, arguments[0].label?.text == "keyPath" {
      return readKeyPath(value, arguments[0].value, range)
    }
    if let literal = solver.literal(value.type) {
      // `1234[digit: 2]`: a literal has its standard type.
      _ = solver.unify(value.type, literal == .integer ? known.integer : known.double)
    }
    var type = solver.shallow(value.type)
    var isStatic = false
    if case .metatype(let inner) = type { (type, isStatic) = (solver.shallow(inner), true) }
    let candidates = members("subscript", of: type).compactMap { member -> Candidate? in
      guard let symbol = member.symbol as? SubscriptSymbol, symbol.isStatic == isStatic else {
        return nil
      }
      return Candidate(
        symbol: symbol.getter, receiver: isStatic ? nil : value, substitution: member.substitution)
    }
    guard !candidates.isEmpty else {
      return refuse("\(solver.resolve(type)) has no subscript", range)
    }
    let call = Grammar.Call(
      callee: base, arguments: arguments, place: range, hasParentheses: true)
    return resolveCall(
      candidates, call, expected, range, name: Grammar.Name(text: "subscript", range: range))
  }
}
