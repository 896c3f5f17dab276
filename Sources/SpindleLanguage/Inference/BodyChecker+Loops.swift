import SpindleModel

/// Conditions, loops and errors.
extension BodyChecker {
  func checkConditions(_ conditions: [Grammar.Condition]) -> [Typed.Condition] {
    conditions.compactMap { condition in
      switch condition {
      case .expression(let value):
        return .expression(complete { $0.check(value, known.boolean) })
      case .available: return nil
      case .pattern(let pattern, let annotation, let value, let isOptional):
        let annotated = annotation.map { resolve($0) }
        let made = complete { checker in
          if let annotated {
            return checker.check(value, isOptional ? known.optional(annotated) : annotated)
          }
          return checker.infer(value, nil)
        }
        if isOptional, isProgram(made.type) { return nil }
        guard isOptional else { return .pattern(checkPattern(pattern, made.type), made) }
        guard let wrapped = made.type.wrapped else {
          if !made.type.isError {
            report(
              "'if let' is for an optional, and this is \(made.type)", value.range)
          }
          return .pattern(checkPattern(pattern, .error), made)
        }
        // `guard let x` may be behind a `let x` of the same body.
        let outer = scopeStart
        scopeStart = names.count
        let inner = checkPattern(pattern, wrapped)
        scopeStart = outer
        return .pattern(
          Typed.Pattern(kind: .some(inner), type: made.type, range: pattern.range), made)
      }
    }
  }

  /// What to say of an `await` in code that may not suspend.
  var awaitElsewhere: String {
    guard scope.isFunction else {
      return scope.parent == nil ? Messages.awaitAtTop : Messages.awaitInClosure
    }
    return function == nil ? Messages.awaitInApp : Messages.awaitInFunction(functionName)
  }

  func checkLoop(_ loop: Grammar.Loop, _ range: SourceRange) -> Typed.Statement {
    inScope {
      let outerAwaited = isAwaited
      isAwaited = loop.isAwaited
      if loop.isAwaited, !mayAwait {
        report(awaitElsewhere, range)
      }
      let annotated = loop.type.map { resolve($0) }
      let sequence = complete { $0.inferSequence(loop, annotated) }
      isAwaited = outerAwaited
      var (element, iteration) = element(of: sequence, loop)
      if let annotated, let type = loop.type {
        element = convertElements(&iteration, element, to: annotated, type.range)
      }
      if loop.isTried { raised.append(RaisedError(type: known.error, place: range)) }
      let pattern = checkPattern(loop.pattern, element)
      let filter = loop.filter.map { filter in complete { $0.check(filter, known.boolean) } }
      let body = checkStatements(loop.body)
      return statement(
        .forIn(
          Typed.Loop(
            pattern: pattern, sequence: sequence, element: element, isAwaited: loop.isAwaited,
            filter: filter, body: body, iteration: iteration), label: nil), range)
    }
  }

  /// The sequence of a loop, of which the type that is written for its elements says what they are.
  private func inferSequence(_ loop: Grammar.Loop, _ annotated: SwiftType?) -> Typed.Expression {
    guard let annotated else { return infer(loop.sequence, nil) }
    let list = known.array(annotated)
    let made = infer(loop.sequence, loop.isAwaited ? nil : list)
    let element = made.type.associated("Element")
    if solver.attempt({ $0.unify(element, annotated) }) { return made }
    // Elements of an array are converted: `for animal: Animal in cats`.
    return solver.shallow(made.type).nominal?.builtin == .array ? convert(made, to: list) : made
  }

  /// Each element of a sequence as one of the type that is written for it.
  private func convertElements(
    _ iteration: inout Typed.Iteration?, _ element: SwiftType, to annotated: SwiftType,
    _ range: SourceRange
  ) -> SwiftType {
    let type = solver.resolve(annotated)
    if element == type || element.isError || type.isError { return element }
    if solver.attempt({ $0.unify(element, annotated) }) { return solver.resolve(annotated) }
    if let each = iteration {
      let next = complete { $0.convert(each.next, to: known.optional(type)) }
      iteration = Typed.Iteration(iterator: each.iterator, make: each.make, next: next)
    } else {
      report(Messages.mismatch(expected: "\(type)", found: "\(element)"), range)
    }
    return type
  }

  /// What a sequence gives, and for one that a program declares how it is gone through.
  func element(
    of sequence: Typed.Expression, _ loop: Grammar.Loop
  ) -> (SwiftType, Typed.Iteration?) {
    let type = solver.resolve(sequence.type)
    if type.isError { return (.error, nil) }
    if loop.isAwaited, let element = asyncElement(of: type) {
      return (element, nil)
    }
    if loop.isAwaited, known.isCollection(type) {
      report(Messages.plainSequence("\(type)"), loop.sequence.range)
      return (.error, nil)
    }
    if known.isCollection(type) { return (solver.resolve(type.associated("Element")), nil) }
    return iteration(of: sequence, loop)
  }

  /// How a sequence is gone through: its iterator is asked for one element after the other.
  private func iteration(
    of sequence: Typed.Expression, _ loop: Grammar.Loop
  ) -> (SwiftType, Typed.Iteration?) {
    let type = solver.resolve(sequence.type)
    let range = loop.sequence.range
    let name = loop.isAwaited ? "makeAsyncIterator" : "makeIterator"
    let outer = isAwaited
    isAwaited = loop.isAwaited || isAwaited
    defer { isAwaited = outer }
    var make = sequence
    if !members(name, of: type).isEmpty {
      make = complete { checker in
        checker.resolveCall(
          checker.methods(name, of: sequence), nil, nil, range,
          name: Grammar.Name(text: name, range: range))
      }
    }
    let iterator = local("iterator", make.type, isVariable: true, range)
    let own = node(.local(iterator), make.type, range)
    let found = methods("next", of: own)
    guard !found.isEmpty else {
      report("\(type) is not a sequence", range)
      return (.error, nil)
    }
    let next = complete { checker in
      checker.resolveCall(
        found, nil, nil, range, name: Grammar.Name(text: "next", range: range))
    }
    guard let element = next.type.wrapped else { return (.error, nil) }
    return (element, Typed.Iteration(iterator: iterator, make: make, next: next))
  }

  func methods(_ name: String, of value: Typed.Expression) -> [Candidate] {
    members(name, of: value.type).compactMap { member in
      guard let symbol = member.symbol as? FunctionSymbol, !symbol.isStatic else { return nil }
      return Candidate(symbol: symbol, receiver: value, substitution: member.substitution)
    }
  }

  private func asyncElement(of type: SwiftType) -> SwiftType? {
    type.nominal?.isAsyncHandle == true ? type.arguments.first : nil
  }

  // MARK: Errors
}
