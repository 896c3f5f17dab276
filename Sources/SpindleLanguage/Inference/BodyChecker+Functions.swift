import SpindleModel

/// Functions as values of other function types.
extension BodyChecker {
  /// A function as one that takes less, gives more, or has more effects; nil where it cannot be one.
  func convertedFunction(
    _ value: Typed.Expression, _ own: FunctionType, _ wanted: FunctionType, _ type: SwiftType
  ) -> Typed.Expression? {
    guard !own.isAsync || wanted.isAsync, !own.isThrowing || wanted.isThrowing,
      throwsFor(own, wanted)
    else { return nil }
    let fits =
      own.parameters.count == wanted.parameters.count
      && solver.attempt { solver in
        zip(own.parameters, wanted.parameters).allSatisfy {
          $0.isInout == $1.isInout && solver.unify($0.type, $1.type)
        } && solver.unify(own.result, wanted.result)
      }
    guard fits else { return adaptedFunction(value, own, wanted, type) }
    if own.isAsync == wanted.isAsync, own.isThrowing == wanted.isThrowing { return value }
    return node(.conversion(value), type, value.range)
  }

  /// Whether all errors that a function throws are errors of another one.
  private func throwsFor(_ own: FunctionType, _ wanted: FunctionType) -> Bool {
    let (given, taken) = (solver.errors(of: own), solver.errors(of: wanted))
    if solver.isOpen(taken) || solver.isOpen(given) { return solver.unify(taken, given) }
    if !own.isThrowing { return true }
    return given == known.never || taken == known.error || given == taken
  }

  /// A closure that calls a function with what it is given, each as the type that the function takes, and gives what
  /// the function gives as another type.
  private func adaptedFunction(
    _ value: Typed.Expression, _ own: FunctionType, _ wanted: FunctionType, _ type: SwiftType
  ) -> Typed.Expression? {
    let range = value.range
    let start = solver.mark
    let function = local(value.namedLocal?.name ?? "function", value.type, isVariable: false, range)
    let inner = Typed.FunctionScope(scope)
    inner.isAsync = wanted.isAsync
    inner.isolation = wanted.isAsync ? .caller : scope.isolation
    let outer = (scope, mayAwait, isAwaited)
    (scope, mayAwait, isAwaited) = (inner, inner.isAsync, inner.isAsync)
    defer { (scope, mayAwait, isAwaited) = outer }
    let parameters = wanted.parameters.enumerated().map { index, parameter in
      let made = local("$\(index)", parameter.type, isVariable: parameter.isInout, range)
      made.isInout = parameter.isInout
      return made
    }
    guard let arguments = adapted(parameters, to: own, range) else {
      solver.undo(to: start)
      return nil
    }
    let call = Typed.Call(
      callee: .closure(use(function, range)), substitution: [:], receiver: nil,
      arguments: arguments, place: range, nameRange: range)
    (call.isAsync, call.isThrowing) = (own.isAsync, own.isThrowing)
    (call.isAwaited, call.isTried) = (true, true)
    call.hop = hop(for: own, "", range)
    guard let result = converted(node(.call(call), own.result, range), to: wanted.result) else {
      solver.undo(to: start)
      return nil
    }
    let closure = Typed.Closure(wanted, range, inner)
    closure.parameters = parameters
    closure.body = [Typed.Statement(kind: .return(result), range: range)]
    closure.result = wanted.result
    closure.isolation = inner.isolation
    finishClosure(closure)
    let made = node(.closure(closure), .function(wanted), range)
    return node(.bind([(function, value)], made), type, range)
  }

  /// Whether a closure gives nothing but an error, so that it may give whatever is expected: `try? { throw Failure() }()`.
  func endsByError(_ closure: Grammar.Closure) -> Bool {
    guard case .throw? = closure.body.statements.last?.kind else { return false }
    return !returnsValue(closure.body)
  }

  /// `{ $0.count }(names)`: the arguments say what the closure is given.
  func callAtOnce(
    _ closure: Grammar.Closure, _ call: Grammar.Call, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    let given = call.arguments.map { argument -> Typed.Expression? in
      if case .reference = argument.value.kind { return nil }
      return isContextual(argument.value) ? nil : infer(argument.value, nil)
    }
    let parameters = zip(call.arguments, given).map { argument, value in
      var made = FunctionType.Parameter(type: value?.type ?? solver.variable())
      if case .reference = argument.value.kind { made.isInout = true }
      return made
    }
    let result = endsByError(closure) ? expected ?? .void : solver.variable()
    let type = FunctionType(
      parameters: parameters, result: result,
      isAsync: closure.effects.isAsync || EffectScan.isAwaiting(closure.body),
      isThrowing: closure.effects.isThrowing || EffectScan.isThrowing(closure.body))
    let value = inferClosure(closure, .function(type), isExpanded: false)
    return callValue(value, call, expected, range, given)
  }

  // MARK: Methods without their objects

  /// `Worker.run`: methods as functions of their objects; nil where a call gives no object, or none is there.
  func unapplied(
    _ found: [FoundMember], _ owner: SwiftType, isCalled: Bool
  ) -> [Candidate]? {
    if isCalled, let call = callAtHand,
      call.arguments.count != 1 || call.arguments[0].label != nil || call.arguments[0].isTrailing
    {
      return nil
    }
    let methods = found.compactMap { member -> Candidate? in
      guard let symbol = member.symbol as? FunctionSymbol, !symbol.isStatic, !symbol.changesSelf
      else { return nil }
      return Candidate(
        symbol: symbol, receiver: nil, substitution: member.substitution, unapplied: owner)
    }
    return methods.isEmpty ? nil : methods
  }

  /// A method as a function of its object, which gives the function of the arguments.
  func unappliedMethod(
    _ candidate: Candidate, of owner: SwiftType, _ substitution: Substitution, _ range: SourceRange
  ) -> Typed.Expression {
    function(of: "object", owner, range) { own in
      let method = node(
        .function(candidate.symbol, substitution, receiver: own),
        candidate.symbol.type.substituting(substitution), range)
      finishCall(method)
      return method
    }
  }

  /// A closure with one parameter that the text does not write: a method of a type, a key path.
  func function(
    of name: String, _ owner: SwiftType, _ range: SourceRange,
    _ result: (Typed.Expression) -> Typed.Expression
  ) -> Typed.Expression {
    let inner = Typed.FunctionScope(scope)
    (inner.isolation, inner.isAsync) = (scope.isolation, false)
    let outer = scope
    scope = inner
    let parameter = local(name, owner, isVariable: false, range)
    let value = result(use(parameter, range))
    scope = outer
    let type = FunctionType(
      parameters: [FunctionType.Parameter(type: owner)], result: value.type)
    let closure = Typed.Closure(type, range, inner)
    closure.parameters = [parameter]
    closure.body = [Typed.Statement(kind: .return(value), range: range)]
    closure.result = value.type
    closure.isolation = inner.isolation
    finishClosure(closure)
    return node(.closure(closure), .function(type), range)
  }

  /// What a function is given by a closure with these parameters; nil where it does not take that.
  private func adapted(
    _ given: [Typed.Local], to own: FunctionType, _ range: SourceRange
  ) -> [Typed.Argument]? {
    if given.count == 1, own.parameters.count > 1, taker.isArgument,
      case .tuple(let parts) = solver.shallow(given[0].type), parts.count == own.parameters.count
    {
      // As an argument, a function takes the elements of a tuple: `zip(a, b).map(add)`.
      let made = parts.indices.compactMap { index in
        converted(
          node(.element(use(given[0], range), index), parts[index].type, range),
          to: own.parameters[index].type)
      }
      return made.count == parts.count ? made.map { .value($0) } : nil
    }
    guard given.count == own.parameters.count else { return nil }
    var arguments: [Typed.Argument] = []
    for (local, parameter) in zip(given, own.parameters) {
      guard local.isInout == parameter.isInout else { return nil }
      let value = use(local, range)
      if local.isInout {
        guard solver.unify(local.type, parameter.type) else { return nil }
        arguments.append(.value(node(.reference(value), local.type, range)))
      } else {
        guard let made = converted(value, to: parameter.type) else { return nil }
        arguments.append(.value(made))
      }
    }
    return arguments
  }
}
