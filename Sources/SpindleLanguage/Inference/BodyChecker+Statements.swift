import SpindleModel

/// Statements.
extension BodyChecker {
  /// The statements of a block, which is a scope.
  func checkStatements(_ block: Grammar.Block) -> [Typed.Statement] {
    inScope {
      declareTypes(block)
      declareFunctions(block)
      return block.statements.compactMap { checkStatement($0, isBranch: false) }
    }
  }

  func declareTypes(_ block: Grammar.Block) {
    for statement in block.statements {
      guard case .declaration(let declaration) = statement.kind,
        case .type = declaration.kind,
        let nominal = Declarer.declareLocal(declaration, in: table, context)
      else { continue }
      names.append(nominal.name, .type(nominal))
      context.locals[nominal.name] = nominal
    }
  }

  func statement(_ kind: Typed.StatementKind, _ range: SourceRange) -> Typed.Statement {
    Typed.Statement(kind: kind, range: range)
  }

  /// A statement; as the last one of a branch of a value, what it gives is assigned.
  func checkStatement(_ syntax: Grammar.Statement, isBranch: Bool) -> Typed.Statement {
    let range = syntax.range
    switch syntax.kind {
    case .expression(let value): return checkExpressionStatement(value, range, isBranch: isBranch)
    case .declaration(let declaration): return checkDeclaration(declaration, range)
    case .assignment(let target, let sign, let value):
      return statement(checkAssignment(target, sign, value, range), range)
    case .if(let choice):
      let (conditions, body) = inScope {
        (checkConditions(choice.conditions), checkBranch(choice.body, isBranch))
      }
      // What the conditions bind is not seen behind `else`.
      return statement(
        .if(conditions, body, choice.otherwise.map { checkBranch($0, isBranch) } ?? []), range)
    case .guard(let conditions, let body):
      // The block does not see what the conditions bind.
      let otherwise = checkStatements(body)
      return statement(.guard(checkConditions(conditions), otherwise), range)
    case .while(let conditions, let body):
      return inScope {
        statement(.while(checkConditions(conditions), checkStatements(body), label: nil), range)
      }
    case .repeatWhile(let body, let condition):
      let made = checkStatements(body)
      return statement(
        .repeatWhile(made, complete { $0.check(condition, known.boolean) }, label: nil), range)
    case .forIn(let loop): return checkLoop(loop, range)
    case .switch(let selection): return checkSwitch(selection, range, isBranch: isBranch)
    case .labelled(let label, let inner):
      var made = checkStatement(inner, isBranch: false)
      made.kind = labelled(made.kind, label.text)
      return made
    case .break(let label): return statement(.break(label?.text), range)
    case .continue(let label): return statement(.continue(label?.text), range)
    case .fallthrough: return statement(.fallthrough, range)
    case .return(let value): return checkReturn(value, range)
    case .throw(let value): return checkThrow(value, range)
    case .defer(let body): return statement(.defer(checkStatements(body)), range)
    case .doCatch(let body, let thrown, let catches):
      return checkDo(body, thrown, catches, range, isBranch)
    case .missing: return statement(.block([], label: nil), range)
    }
  }

  func labelled(_ kind: Typed.StatementKind, _ label: String) -> Typed.StatementKind {
    switch kind {
    case .while(let conditions, let body, _): .while(conditions, body, label: label)
    case .repeatWhile(let body, let condition, _): .repeatWhile(body, condition, label: label)
    case .forIn(let loop, _): .forIn(loop, label: label)
    case .switch(let selection, _): .switch(selection, label: label)
    case .doCatch(let body, let catches, let error, _):
      .doCatch(body, catches, error: error, label: label)
    default: .block([Typed.Statement(kind: kind, range: SourceRange(0, 0))], label: label)
    }
  }

  func checkBranch(_ block: Grammar.Block, _ isBranch: Bool) -> [Typed.Statement] {
    guard isBranch, let last = block.statements.last else { return checkStatements(block) }
    return inScope {
      declareTypes(block)
      declareFunctions(block)
      return block.statements.dropLast().compactMap { checkStatement($0, isBranch: false) }
        + [checkStatement(last, isBranch: true)]
    }
  }

  private func checkExpressionStatement(
    _ value: Grammar.Expression, _ range: SourceRange, isBranch: Bool
  ) -> Typed.Statement {
    if isBranch, let result = choiceResult {
      let made = infer(value, solver.isOpen(result.type) ? nil : result.type)
      if made.type.nominal?.builtin == .never { return statement(.expression(made), range) }
      if solver.isOpen(result.type) { _ = solver.unify(result.type, made.type) }
      let converted = convert(made, to: result.type)
      return statement(
        .assignment(node(.local(result), result.type, range), converted), range)
    }
    let made = complete { $0.infer(value, nil) }
    if case .closure = made.kind { report(SyntaxMessage.loneBlock, range) }
    return statement(.expression(made), range)
  }

  private func checkReturn(
    _ value: Grammar.Expression?, _ range: SourceRange
  ) -> Typed.Statement {
    guard let returned else {
      report("'return' is for functions", range)
      return statement(.return(nil), range)
    }
    guard let value else {
      if solver.isOpen(returned) { _ = solver.unify(returned, .void) }
      let wanted = solver.shallow(returned)
      if !wanted.isVoid, !wanted.isError, function?.isInitializer != true {
        report(Messages.missingReturnValue("\(solver.shown(returned))"), range)
      }
      return statement(.return(nil), range)
    }
    if hidesResult {
      let made = complete { $0.hidden($0.infer(value, nil), returned) }
      return statement(.return(made), range)
    }
    if solver.isOpen(returned) {
      let made = complete { $0.infer(value, nil) }
      _ = solver.unify(returned, made.type)
      return statement(.return(made), range)
    }
    let made = complete { checker in
      let value = checker.forTaker(Taker()) { checker.infer(value, returned) }
      if solver.shallow(returned).isVoid, checker.converted(value, to: returned) == nil {
        return checker.refuse(Messages.unexpectedReturnValue, value.range)
      }
      return checker.convert(value, to: returned)
    }
    noteReturned(made)
    return statement(.return(made), range)
  }

  // MARK: Declarations

  func checkDeclaration(
    _ declaration: Grammar.Declaration, _ range: SourceRange
  ) -> Typed.Statement {
    switch declaration.kind {
    case .variable(let variable):
      if declaration.modifiers.has("async") { return checkAsyncLet(variable, range) }
      if variable.isSetInMain { return statement(.several(checkTopVariables(variable)), range) }
      var made = variable.entries.map {
        checkVariable($0, isLet: variable.isLet, declaration.modifiers)
      }
      guard made.count == 1 else { return statement(.several(made), range) }
      made[0].whole = range
      return made[0]
    case .function(let syntax):
      guard let made = checkLocalFunction(syntax) else { break }
      return statement(.localFunction(made), range)
    case .type: return statement(.several([]), range)
    default: report("this declaration is not allowed in a body", range)
    }
    return statement(.several([]), range)
  }

  /// The variables of a script that get their values in their place among its statements.
  private func checkTopVariables(_ variable: Grammar.Variable) -> [Typed.Statement] {
    variable.entries.compactMap { entry in
      guard case .name(let name, _) = entry.pattern.kind,
        let symbol = table.globals(named: name.text, at: name.range)?.lazy
          .compactMap({ $0 as? VariableSymbol }).first(where: { $0.range == name.range }),
        let value = topValue(of: symbol) ?? bodies.initialValue(of: symbol)
      else { return nil }
      let place = node(.global(symbol, [:]), bodies.type(of: symbol), name.range)
      return statement(.assignment(place, value), entry.range)
    }
  }

  /// The value of a variable of a script which names what only the statements know, such as an `async let`.
  private func topValue(of symbol: VariableSymbol) -> Typed.Expression? {
    guard symbol.state != .resolving, !bodies.hasValue(symbol), let syntax = symbol.value else {
      return nil
    }
    let isKnown = symbol.state == .resolved
    symbol.state = .resolving
    let made = forTaker(Taker(word: "let")) {
      complete { checker in
        let type = isKnown ? symbol.type : symbol.written.map { checker.resolve($0) }
        return type.map { checker.check(syntax, $0) } ?? checker.infer(syntax, nil)
      }
    }
    bodies.note(made, of: symbol)
    return made
  }

  private func checkVariable(
    _ entry: Grammar.Variable.Entry, isLet: Bool, _ modifiers: Grammar.Modifiers
  ) -> Typed.Statement {
    if entry.accessors != nil {
      report("a computed or observed local variable is not known here yet", entry.range)
    }
    if let wrapper = table.wrappers(in: modifiers).first {
      report(Messages.wrapperElsewhere, wrapper.attribute.name.range)
    }
    guard let syntax = entry.value else {
      guard case .name(let name, _) = entry.pattern.kind, let type = entry.type.map({ resolve($0) })
      else {
        report("a variable has a type or a value", entry.range)
        return statement(.several([]), entry.range)
      }
      let made = local(name.text, type, isVariable: !isLet, name.range)
      (made.strength, made.isImplicit) = (strength(modifiers), entry.type?.isImplicit == true)
      if made.strength != .strong { bodies.references.append(type) }
      declare(made)
      if !isLet, type.wrapped != nil {
        // As in Swift, an optional variable begins with nil.
        return statement(
          .binding(
            Typed.Pattern(kind: .local(made), type: type, range: name.range),
            Typed.Expression(.nil, type, name.range), isVariable: true), entry.range)
      }
      made.isLate = true
      return statement(.declaration(made), entry.range)
    }
    let errors = table.diagnostics.count
    var annotated: SwiftType?
    var value = forTaker(Taker(word: entry.type == nil ? "" : "let")) {
      complete { checker in
        annotated = entry.type.map { checker.resolve($0) }
        return annotated.map { checker.check(syntax, $0) } ?? checker.infer(syntax, nil)
      }
    }
    var type = annotated.map { solver.resolve($0) } ?? value.type
    if type.hasVariables, table.diagnostics.count == errors {
      report(Self.untyped(syntax), syntax.range)
    }
    if modifiers.has("weak"), type.wrapped == nil {
      type = known.optional(type)
      value = node(.wrapped(value), type, value.range)
    }
    if strength(modifiers) != .strong {
      bodies.references.append(type)
      if !type.isOfObjects {
        report(Messages.weakValue("\(type.unwrappedFully)"), syntax.range)
      }
    }
    let pattern = checkPattern(entry.pattern, type)
    if case .local(let local) = pattern.kind {
      (local.strength, local.isImplicit) = (strength(modifiers), entry.type?.isImplicit == true)
    }
    return statement(.binding(pattern, value, isVariable: !isLet), entry.range)
  }

  /// What to say of a first value that does not tell its type.
  private static func untyped(_ value: Grammar.Expression) -> String {
    switch value.kind {
    case .nil: Messages.untypedNil
    case .array: Messages.untypedArray
    case .dictionary: Messages.untypedDictionary
    default: Messages.untypedValue
    }
  }

  private func strength(_ modifiers: Grammar.Modifiers) -> Grammar.Capture.Strength {
    modifiers.has("weak") ? .weak : modifiers.has("unowned") ? .unowned : .strong
  }

  private func checkAsyncLet(
    _ variable: Grammar.Variable, _ range: SourceRange
  ) -> Typed.Statement {
    if !mayAwait { report(Messages.asyncLetInSync, range) }
    if !variable.isLet { report(Messages.asyncVariable, range) }
    var made: [Typed.Statement] = []
    for entry in variable.entries {
      guard let syntax = entry.value else { continue }
      let annotated = entry.type.map { resolve($0) }
      let inner = Typed.FunctionScope(scope)
      (inner.isAsync, inner.isolation) = (true, .nonisolated)
      let outer = (scope, mayAwait, isAwaited)
      (scope, mayAwait, isAwaited) = (inner, true, true)
      let errors = raised
      let value = complete { checker in
        annotated.map { checker.check(syntax, $0) } ?? checker.infer(syntax, nil)
      }
      raised = errors
      (scope, mayAwait, isAwaited) = outer
      let type = annotated ?? value.type
      let function = FunctionType(
        parameters: [], result: type, isAsync: true, isThrowing: true, isSendable: true)
      let closure = Typed.Closure(function, syntax.range, inner)
      closure.body = [Typed.Statement(kind: .return(value), range: syntax.range)]
      closure.result = type
      closure.isolation = .nonisolated
      guard case .name(let name, _) = entry.pattern.kind else {
        report("an 'async let' of a tuple is not known here yet", entry.range)
        continue
      }
      let target = local(name.text, type, isVariable: false, name.range)
      target.isAsyncLet = true
      declare(target)
      made.append(statement(.asyncLet(target, closure, kindRange: syntax.range), range))
    }
    return made.count == 1 ? made[0] : statement(.several(made), range)
  }

  // MARK: Assignment

  private func checkAssignment(
    _ target: Grammar.Expression, _ sign: Grammar.Name?, _ value: Grammar.Expression,
    _ range: SourceRange
  ) -> Typed.StatementKind {
    // `await n = a.f()`, `try n += f()`: the word is about the whole.
    switch target.kind {
    case .await(let place):
      let whole = Grammar.Expression(kind: .await(value), range: value.range)
      return checkAssignment(place, sign, whole, range)
    case .attempt(.plain, let place):
      let whole = Grammar.Expression(kind: .attempt(.plain, value), range: value.range)
      return checkAssignment(place, sign, whole, range)
    default: break
    }
    if let sign {
      let kind = completeStatement { $0.compoundAssignment(target, sign, value, range) }
      return kind
    }
    if case .discard = target.kind {
      return .discard(complete { $0.infer(value, nil) })
    }
    if case .tuple(let targets) = target.kind { return assignTuple(targets, value, range) }
    return completeStatement { checker in
      let place = checker.inferTarget(target)
      if place.type.isError {
        return .discard(checker.infer(value, nil))
      }
      if case .chain(let inner) = place.kind {
        checker.checkSettable(inner)
        let made = checker.check(value, inner.type)
        return .expression(
          checker.node(
            .chain(checker.node(.assign(inner, made), .void, range)),
            checker.known.optional(.void), range))
      }
      if let first = checker.firstWrapper(place, value) { return first }
      checker.checkSettable(place)
      let made = checker.forTaker(checker.taker(for: target)) { checker.check(value, place.type) }
      return .assignment(place, made)
    }
  }

  private func completeStatement(
    _ body: (BodyChecker) -> Typed.StatementKind
  ) -> Typed.StatementKind {
    var made = Typed.StatementKind.several([])
    _ = complete { checker in
      made = body(checker)
      return Typed.Expression(.error, .error, SourceRange(0, 0))
    }
    return made
  }

  /// `(a, b) = (b, a)`: all values are there before the first is assigned.
  private func assignTuple(
    _ targets: [Grammar.Argument], _ value: Grammar.Expression, _ range: SourceRange
  ) -> Typed.StatementKind {
    completeStatement { checker in
      let places = targets.map { target -> Typed.Expression? in
        if case .discard = target.value.kind { return nil }
        let place = checker.inferTarget(target.value)
        checker.checkSettable(place)
        return place
      }
      let types = places.map { $0?.type ?? checker.solver.variable() }
      let wanted = SwiftType.tuple(types.map { SwiftType.TupleElement(label: nil, type: $0) })
      let made = checker.check(value, wanted)
      return .tupleAssignment(places, made)
    }
  }
}
