import SpindleModel

/// Calls: which function is called, with which type arguments.
extension BodyChecker {
  func inferCall(
    _ call: Grammar.Call, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    switch call.callee.kind {
    case .name(let name, let arguments):
      if name == "init" {
        return refuse("'init' follows 'self.' or 'super.'", range)
      }
      let meaning = meaning(of: name, arguments, call.callee.range, isCalled: true)
      if case .none = meaning {
        for argument in call.arguments where !isContextual(argument.value) {
          _ = infer(argument.value, nil)
        }
        return refuse(unknown(name, call.callee.range, call), call.callee.range)
      }
      return resolve(
        meaning, call, expected, range,
        Grammar.Name(text: name, range: call.callee.range), owner: nil)
    case .member(let base, let name, let arguments):
      if name.text == "init" {
        switch base.kind {
        case .name("self", _) where !isStaticSelf(base.range):
          function?.delegates = true
          return delegation(to: context.nominal?.selfType, call, range)
        case .name("super", _) where hasUnknownParent:
          return callAbove(call, range)
        case .name("super", _):
          function?.callsSuper = true
          return delegation(to: context.nominal?.superclass, call, range)
        default: break
        }
      }
      if case .name("super", _) = base.kind, hasUnknownParent { return callAbove(call, range) }
      let meaning: Meaning
      if case .implicitMember(let first) = base.kind {
        let value = inferImplicit(first, nil, expected, base.range)
        meaning = self.meaning(ofMember: name, value, call.callee.range)
      } else {
        (callAtHand, expectedAtHand) = (call, expected)
        meaning = self.meaning(ofMember: name, base, call.callee.range, isCalled: true)
        (callAtHand, expectedAtHand) = (nil, nil)
      }
      return resolve(
        applying(arguments, to: meaning), call, expected, range, name, owner: base.range)
    case .implicitMember(let name):
      return inferImplicit(name, call, expected, range)
    case .type(let type):
      return make(resolve(type), call, expected, range)
    case .closure(let closure)
    where closure.parameters == nil && (closure.shorthandCount > 0 || endsByError(closure)):
      return callAtOnce(closure, call, expected, range)
    default:
      let value = infer(call.callee, nil)
      if case .metatype(let type) = solver.shallow(value.type) {
        return make(type, call, expected, range)
      }
      return callValue(value, call, expected, range)
    }
  }

  func resolve(
    _ meaning: Meaning, _ call: Grammar.Call, _ expected: SwiftType?, _ range: SourceRange,
    _ name: Grammar.Name, owner: SourceRange?
  ) -> Typed.Expression {
    switch meaning {
    case .value(let value):
      if case .metatype(let type) = solver.shallow(value.type) {
        return make(type, call, expected, range, metatype: value)
      }
      return callValue(value, call, expected, range)
    case .type(let type): return make(type, call, expected, range)
    case .functions(let candidates) where candidates.first?.unapplied != nil:
      return callValue(
        reference(to: candidates, name.text, nil, call.callee.range), call, expected, range)
    case .functions(let candidates):
      return resolveCall(candidates, call, expected, range, name: name, owner: owner)
    case .none: return refuse(unknown(name.text, name.range, call), name.range)
    }
  }

  /// Whether `self` is a type.
  private func isStaticSelf(_ range: SourceRange) -> Bool {
    if case .metatype? = ownSelf(range)?.type { true } else { false }
  }

  /// A value of a type, made by one of its initialisers.
  func make(
    _ type: SwiftType, _ call: Grammar.Call, _ expected: SwiftType?, _ range: SourceRange,
    metatype: Typed.Expression? = nil
  ) -> Typed.Expression {
    if type.isError { return failed(range) }
    let call = repeatedElements(call) ?? call
    // `.success(1)` and `Box(1)` may have to learn their arguments from what is expected.
    let name = Grammar.Name(text: "\(solver.resolve(type))", range: call.callee.range)
    var candidates = initializers(of: type, range)
    for index in candidates.indices { candidates[index].metatype = metatype }
    guard !candidates.isEmpty else {
      return refuse("'\(name.text)' has no initialiser", range)
    }
    return resolveCall(candidates, call, expected, range, name: name)
  }

  /// `self.init(…)`, `super.init(…)`.
  private func delegation(
    to type: SwiftType?, _ call: Grammar.Call, _ range: SourceRange
  ) -> Typed.Expression {
    guard let type, let own = ownSelf(range) else {
      return refuse("this belongs in an initialiser", range)
    }
    var candidates = initializers(of: type, range)
    let isValue = context.nominal?.isReference != true
    if !isValue {
      for index in candidates.indices {
        candidates[index].receiver = own
        candidates[index].isDirect = true
      }
    }
    let made = resolveCall(
      candidates, call, nil, range, name: Grammar.Name(text: "init", range: range))
    if made.type.isError { return made }
    if case .call(let call) = made.kind, case .function(let symbol) = call.callee,
      symbol.isFailable
    {
      return failing(made, own, isValue: isValue, range)
    }
    // Another initialiser makes the value, which becomes this one.
    if isValue { return node(.assign(own, made), .void, range) }
    made.type = .void
    return made
  }

  /// A call of an initialiser that may fail: where it does, the one at hand fails, too.
  private func failing(
    _ made: Typed.Expression, _ own: Typed.Expression, isValue: Bool, _ range: SourceRange
  ) -> Typed.Expression {
    guard let function, function.isFailable else {
      return refuse(Messages.failingDelegate, range)
    }
    let none = node(.nil, function.result, range)
    let failure = [Typed.Statement(kind: .return(none), range: range)]
    var statements: [Typed.Statement] = []
    if isValue, let wrapped = made.type.wrapped {
      let value = local("value", wrapped, isVariable: false, range)
      let target = Typed.Pattern(kind: .local(value), type: wrapped, range: range)
      let some = Typed.Pattern(kind: .some(target), type: made.type, range: range)
      statements = [
        Typed.Statement(kind: .guard([.pattern(some, made)], failure), range: range),
        Typed.Statement(
          kind: .assignment(own, node(.local(value), wrapped, range)), range: range),
      ]
    } else {
      let isMade = node(.nilTest(made, isEqual: false), known.boolean, range)
      statements = [
        Typed.Statement(kind: .guard([.expression(isMade)], failure), range: range)
      ]
    }
    let result = local("result", .void, isVariable: false, range)
    return node(
      .choice(Typed.Statement(kind: .several(statements), range: range), result: result), .void,
      range)
  }

  /// The call of the initialiser above at the end of one that has none; nil where there is nothing to call.
  func implicitSuper(in symbol: FunctionSymbol, _ block: Grammar.Block) -> Typed.Statement? {
    guard symbol.isInitializer, !symbol.delegates, !symbol.callsSuper, !symbol.isConvenience,
      let parent = symbol.owner?.superclass?.nominal, parent.handle == nil, !hasUnknownParent
    else { return nil }
    let range = block.range.lastByte
    let candidates = initializers(of: symbol.owner?.superclass ?? .error, range)
    guard candidates.contains(where: { $0.symbol.isPlain }) else {
      report(Messages.missingSuper(parent.name), symbol.range)
      return nil
    }
    let base = Grammar.Expression(kind: .name("super", []), range: range)
    let callee = Grammar.Expression(
      kind: .member(base, Grammar.Name(text: "init", range: range), []), range: range)
    let call = Grammar.Call(callee: callee, arguments: [], place: range, hasParentheses: true)
    let made = complete { $0.infer(Grammar.Expression(kind: .call(call), range: range), nil) }
    return Typed.Statement(kind: .expression(made), range: range, isWritten: false)
  }

  // MARK: Closures

  /// What a value is called that is called itself.
  private func calleeName(_ callee: Grammar.Expression) -> String {
    switch callee.kind {
    case .name(let name, _): name
    case .member(_, let name, _), .implicitMember(let name): name.text
    default: table.current.text(in: callee.range)
    }
  }

  func callValue(
    _ value: Typed.Expression, _ call: Grammar.Call, _ expected: SwiftType?, _ range: SourceRange,
    _ given: [Typed.Expression?] = []
  ) -> Typed.Expression {
    let value = taken(value)
    let type = solver.shallow(value.type)
    if type.isError { return failed(range) }
    guard case .function(let function) = type else {
      let found = members("callAsFunction", of: type).compactMap { member in
        (member.symbol as? FunctionSymbol).map {
          Candidate(symbol: $0, receiver: value, substitution: member.substitution)
        }
      }
      if !found.isEmpty {
        return resolveCall(
          found, call, expected, range,
          name: Grammar.Name(text: "callAsFunction", range: call.callee.range))
      }
      return refuse(notAFunction(call.callee, type), call.callee.range)
    }
    guard function.parameters.count == call.arguments.count else {
      return refuse(
        "this function takes \(function.parameters.count) arguments, and \(call.arguments.count) are given",
        range)
    }
    let arguments = zip(function.parameters, call.arguments).enumerated().map { index, pair in
      let (parameter, argument) = pair
      if parameter.isInout {
        return Typed.Argument.value(referenceArgument(argument.value, parameter.type))
      }
      let known = index < given.count ? given[index] : nil
      return .value(
        known.map { convert($0, to: parameter.type) } ?? check(argument.value, parameter.type))
    }
    let made = Typed.Call(
      callee: .closure(value), substitution: [:], receiver: nil, arguments: arguments,
      place: call.place, nameRange: call.callee.range)
    (made.isAsync, made.isThrowing) = (function.isAsync, function.isThrowing)
    made.hop = hop(for: function, calleeName(call.callee), range)
    if function.isThrowing { noteErrors(function.thrown, range) }
    return node(.call(made), function.result, range)
  }

  // MARK: Functions

  /// What each parameter of a function is given.
  enum Matched {
    case argument(Int)
    case variadic([Int])
    case absent
  }

  /// A call of one of several functions.
  func resolveCall(
    _ candidates: [Candidate], _ call: Grammar.Call?, _ expected: SwiftType?, _ range: SourceRange,
    name: Grammar.Name, owner: SourceRange? = nil
  ) -> Typed.Expression {
    let written = call?.arguments ?? []
    var fitting: [(candidate: Candidate, matched: [Matched])] = []
    for candidate in candidates {
      if let matched = match(candidate.symbol.parameters, written, candidate.symbol) {
        fitting.append((candidate, matched))
      }
    }
    guard !fitting.isEmpty else {
      for argument in written where !isContextual(argument.value) { _ = infer(argument.value, nil) }
      let found = mismatch(candidates, call, expected, name)
      return refuse(found.message, found.range)
    }
    var given: [Typed.Expression?] = written.map { _ in nil }
    var chosen = fitting[0]
    if fitting.count > 1 {
      for (index, argument) in written.enumerated() where !isContextual(argument.value) {
        given[index] = infer(argument.value, nil)
      }
      guard let best = choose(fitting, written, given, expected) else {
        if given.contains(where: { $0?.type.isError == true }) { return failed(range) }
        return refuseArguments(fitting, written, given, call, expected, range, name, owner)
      }
      chosen = best
    }
    return apply(
      chosen.candidate, chosen.matched, written, given, call, expected, range, name, owner)
  }

  /// Reports what is wrong with arguments that none of several functions takes, by the one that takes most of them.
  private func refuseArguments(
    _ fitting: [(candidate: Candidate, matched: [Matched])], _ written: [Grammar.Argument],
    _ given: [Typed.Expression?], _ call: Grammar.Call?, _ expected: SwiftType?,
    _ range: SourceRange, _ name: Grammar.Name, _ owner: SourceRange?
  ) -> Typed.Expression {
    let misfits = fitting.map { self.misfits($0.candidate, $0.matched, written, given) }
    let near = misfits.indices.min { misfits[$0] < misfits[$1] } ?? 0
    let (errors, open) = (table.diagnostics.count, requirements.count)
    let made = apply(
      fitting[near].candidate, fitting[near].matched, written, given, call, expected, range, name,
      owner)
    if table.diagnostics.count > errors || requirements.count > open { return made }
    return refuse("no '\(name.text)' takes these arguments", name.range)
  }

  private func notAFunction(_ callee: Grammar.Expression, _ type: SwiftType) -> String {
    let name: String
    switch callee.kind {
    case .name(let one, _): name = one
    case .member(_, let one, _), .implicitMember(let one): name = one.text
    default: return "\(solver.shown(type)) is not a function"
    }
    if case .function? = type.wrapped.map({ solver.shallow($0) }) {
      return Messages.meant("'\(name)' may be nil", table.current.text(in: callee.range) + "?()")
    }
    return Messages.notAFunction(name)
  }

  /// Which argument each parameter takes; nil where they do not go together.
  func match(
    _ parameters: [FunctionSymbol.Parameter], _ arguments: [Grammar.Argument],
    _ symbol: FunctionSymbol
  ) -> [Matched]? {
    var matched: [Matched] = []
    matched.reserveCapacity(parameters.count)
    var next = 0
    let isBare: Bool
    if case .row = symbol.implementation { isBare = true } else { isBare = false }
    for (index, parameter) in parameters.enumerated() {
      guard next < arguments.count else {
        if parameter.isVariadic {
          matched.append(.variadic([]))
        } else if parameter.hasStandard {
          matched.append(.absent)
        } else {
          return nil
        }
        continue
      }
      let argument = arguments[next]
      if parameter.isVariadic {
        guard argument.label?.text == parameter.label, !argument.isTrailing else {
          matched.append(.variadic([]))
          continue
        }
        var taken = [next]
        next += 1
        while next < arguments.count, arguments[next].label == nil, !arguments[next].isTrailing {
          taken.append(next)
          next += 1
        }
        matched.append(.variadic(taken))
        continue
      }
      let takes: Bool
      if argument.isTrailing {
        takes = takesTrailing(argument, parameters[index...], arguments[(next + 1)...])
      } else {
        takes =
          argument.label?.text == parameter.label
          || isBare && argument.label == nil && isFunction(parameter.type)
      }
      if takes {
        matched.append(.argument(next))
        next += 1
      } else if parameter.hasStandard {
        matched.append(.absent)
      } else {
        return nil
      }
    }
    return next == arguments.count ? matched : nil
  }

  /// Whether a closure behind a call is for the first of these parameters; `later` are the closures behind it.
  private func takesTrailing(
    _ argument: Grammar.Argument, _ parameters: ArraySlice<FunctionSymbol.Parameter>,
    _ later: ArraySlice<Grammar.Argument>
  ) -> Bool {
    guard let parameter = parameters.first else { return false }
    // A closure with a label behind it is that of a later parameter. Source: SE-0279, SE-0286.
    let labels = Set(later.compactMap { $0.label?.text })
    let laterNeeds = parameters.dropFirst().contains {
      isFunction($0.type) && !$0.hasStandard && !labels.contains($0.label ?? "")
    }
    return argument.label.map { $0.text == parameter.label }
      ?? ((isFunction(parameter.type) || isParameter(parameter.type))
        && !(parameter.hasStandard && laterNeeds))
  }

  /// Whether a type is a type parameter, for which a function may be given.
  private func isParameter(_ type: SwiftType) -> Bool {
    if case .parameter = type { return true }
    return false
  }

  func isFunction(_ type: SwiftType) -> Bool {
    switch type {
    case .function: true
    case .nominal: type.wrapped.map(isFunction) ?? false
    default: false
    }
  }
}
