import SpindleModel

/// Closures and functions in bodies.
extension BodyChecker {
  func inferClosure(
    _ syntax: Grammar.Closure, _ expected: SwiftType?, isExpanded: Bool, mayIgnore: Bool = false
  ) -> Typed.Expression {
    let range = syntax.range
    var wanted: FunctionType?
    if case .function(let function)? = expected.map({ solver.shallow($0).unwrappedFully }).map({
      solver.shallow($0)
    }) {
      wanted = function
    }
    let captures = syntax.captures.map { ($0, infer($0.value, nil)) }
    let inner = Typed.FunctionScope(scope)
    inner.isExpanded = isExpanded
    inner.isAsync =
      wanted?.isAsync ?? (syntax.effects.isAsync || EffectScan.isAwaiting(syntax.body))
    inner.isolation = isolation(of: syntax, wanted, inner)
    let outer = (scope, returned, mayAwait, isAwaited, choiceResult, isTried)
    let outerErrors = (raised, thrown)
    scope = inner
    (mayAwait, isAwaited, choiceResult) = (inner.isAsync || isExpanded && outer.2, false, nil)
    isTried = false
    let made = inScope { () -> Typed.Closure in
      var type = FunctionType(parameters: [], result: .void)
      type.isAsync = inner.isAsync
      type.isThrowing =
        wanted?.isThrowing
        ?? (syntax.effects.isThrowing || EffectScan.isThrowing(syntax.body))
      (type.isSendable, type.isolation) = (
        wanted?.isSendable ?? false,
        typeIsolation(of: syntax) ?? wanted?.isolation ?? .unspecified
      )
      let closure = Typed.Closure(type, range, inner)
      closure.errors = errors(of: syntax)
      closure.type.thrown = thrownType(of: syntax, closure.errors, wanted)
      (raised, thrown) = ([], closure.type.thrown)
      for (capture, value) in captures { addCapture(capture, value, closure) }
      if !mayIgnore, syntax.parameters == nil, let wanted { checkCount(syntax, wanted) }
      var opening = declareParameters(syntax, wanted, closure)
      let result =
        syntax.result.map { resolve($0) } ?? wanted?.result ?? solver.variable()
      returned = result
      opening += checkClosureBody(syntax.body, result)
      closure.body = opening
      checkRaised()
      settleIsolation(of: closure, wanted)
      closure.result = result
      closure.type.result = result
      closure.type.parameters = closure.parameters.map {
        FunctionType.Parameter(type: $0.type, isInout: $0.isInout)
      }
      return closure
    }
    (scope, returned, mayAwait, isAwaited, choiceResult, isTried) = outer
    (raised, thrown) = outerErrors
    finishClosure(made)
    return node(.closure(made), .function(made.type), range)
  }

  /// Reports a closure that leaves out values that it is given: only what the library calls may.
  private func checkCount(_ syntax: Grammar.Closure, _ wanted: FunctionType) {
    let (used, given) = (syntax.shorthandCount, wanted.parameters.count)
    guard used < given else { return }
    // A single `()` may be left out.
    if given == 1, solver.resolve(wanted.parameters[0].type).isVoid { return }
    report(
      used == 0 ? Messages.unusedParameters(given) : Messages.fewParameters(given),
      syntax.range.firstByte)
  }

  /// Completes the types of a closure with the expression that it is part of.
  func finishClosure(_ closure: Typed.Closure) {
    finishers.append { [self, closure] in
      closure.result = solver.resolve(closure.result)
      if case .function(let type) = solver.resolve(.function(closure.type)) { closure.type = type }
    }
  }

  private func addCapture(
    _ capture: Grammar.Capture, _ value: Typed.Expression, _ closure: Typed.Closure
  ) {
    if isProgram(value.type) { return }
    var type = value.type
    if capture.strength == .weak, solver.shallow(type).wrapped == nil {
      type = known.optional(type)
    }
    // `[self]` says nothing new.
    if capture.name.text == "self", capture.strength == .strong, case .local(let own) = value.kind,
      own.isSelf
    {
      return
    }
    let made = local(
      capture.name.text, type, isVariable: false, capture.name.range)
    made.strength = capture.strength
    made.isSelf = capture.name.text == "self" && capture.strength != .weak
    declare(made)
    if capture.strength != .strong {
      finishers.append { [self] in
        let found = solver.resolve(type)
        bodies.references.append(found)
        if !found.isOfObjects {
          report(Messages.captureOfNothing(capture.name.text), capture.name.range)
        }
      }
    }
    closure.captures.append((made, value, capture.strength))
  }

  /// Declares the parameters; what takes a tuple apart comes in front of the body.
  func declareParameters(
    _ syntax: Grammar.Closure, _ wanted: FunctionType?, _ closure: Typed.Closure
  ) -> [Typed.Statement] {
    let types = wanted?.parameters ?? []
    guard let written = syntax.parameters else {
      let count = max(syntax.shorthandCount, wanted == nil ? 0 : types.count)
      if syntax.shorthandCount > 1, types.count == 1,
        case .tuple(let parts) = solver.shallow(types[0].type), parts.count == syntax.shorthandCount
      {
        return destructure(
          parts.enumerated().map { ("$\($0.offset)", $0.element.type) }, types[0].type, closure,
          syntax.range)
      }
      for index in 0..<count {
        let type = index < types.count ? types[index].type : solver.variable()
        let isInout = index < types.count && types[index].isInout
        let made = local(
          isOfOperation(type, syntax, types) ? "self" : "$\(index)", type, isVariable: isInout,
          syntax.range)
        made.isInout = isInout
        noteIsolated(made, index, types)
        closure.parameters.append(made)
        declare(made)
      }
      return []
    }
    if written.count > 1, types.count == 1, case .tuple(let parts) = solver.shallow(types[0].type),
      parts.count == written.count
    {
      return destructure(
        zip(written, parts).map { ($0.name.text, $1.type) }, types[0].type, closure, syntax.range)
    }
    if wanted != nil, written.count > types.count {
      report(
        Messages.closureParameters(types.count + syntax.outerCount),
        written[types.count].name.range)
    }
    for (index, parameter) in written.enumerated() {
      if wanted != nil, index >= types.count {
        declare(local(parameter.name.text, .error, isVariable: false, parameter.name.range))
        continue
      }
      var type = index < types.count ? types[index].type : solver.variable()
      if let annotation = parameter.type {
        let own = resolve(annotation)
        if index < types.count, !solver.unify(own, type) {
          report(
            Messages.mismatch(expected: "\(solver.shown(type))", found: "\(own)"), annotation.range)
        }
        type = own
      }
      let isInout = parameter.isInout || index < types.count && types[index].isInout
      let made = local(parameter.name.text, type, isVariable: isInout, parameter.name.range)
      made.isInout = isInout
      noteIsolated(made, index, types)
      closure.parameters.append(made)
      declare(made)
    }
    return []
  }

  /// Whether a closure is the body of an operation that it does not name: members of the operation stand alone in it.
  private func isOfOperation(
    _ type: SwiftType, _ syntax: Grammar.Closure, _ types: [FunctionType.Parameter]
  ) -> Bool {
    syntax.shorthandCount == 0 && types.count == 1 && context.nominal == nil
      && type.nominal?.handle == .operation
  }

  /// `{ key, value in … }` where one tuple is given.
  private func destructure(
    _ names: [(String, SwiftType)], _ type: SwiftType, _ closure: Typed.Closure,
    _ range: SourceRange
  ) -> [Typed.Statement] {
    let whole = local("parts", type, isVariable: false, range)
    closure.parameters = [whole]
    return names.enumerated().map { index, name in
      let made = local(name.0, name.1, isVariable: false, range)
      declare(made)
      let value = node(
        .element(node(.local(whole), type, range), index), name.1, range)
      return Typed.Statement(
        kind: .binding(
          Typed.Pattern(kind: .local(made), type: name.1, range: range), value, isVariable: false),
        range: range)
    }
  }

  private func checkClosureBody(
    _ body: Grammar.Block, _ result: SwiftType
  ) -> [Typed.Statement] {
    if body.statements.count == 1 {
      let only = body.statements[0]
      if case .return(let value?) = only.kind, !solver.shallow(result).isVoid {
        return [checkOnlyValue(value, result, only)]
      }
      if let value = onlyValue(of: body), !isChoice(only) || !solver.shallow(result).isVoid {
        return [checkOnlyValue(value, result, only)]
      }
    }
    // The types of several statements are found one after the other.
    settleEarly()
    let statements = checkStatements(body)
    if solver.isOpen(result), !returnsValue(body) { _ = solver.unify(result, .void) }
    return statements
  }

  /// Gives literals around a closure of several statements their standard types.
  func settleEarly() {
    let open = deferred
    deferred = []
    solver.settleLiterals(from: firstVariable ?? 0)
    for each in open {
      let made = applyOperator(each.name, each.left, each.right, each.node.range, nil)
      _ = solver.unify(made.type, each.node.type)
      each.node.kind = made.kind
    }
  }

  private func checkOnlyValue(
    _ value: Grammar.Expression, _ result: SwiftType, _ statement: Grammar.Statement
  ) -> Typed.Statement {
    let wanted = solver.shallow(result)
    if wanted.isVoid {
      let made = infer(value, nil)
      return Typed.Statement(kind: .expression(made), range: statement.range)
    }
    let made = infer(value, solver.isOpen(wanted) ? nil : wanted)
    if solver.isOpen(wanted) {
      _ = solver.unify(result, made.type)
      return Typed.Statement(kind: .return(made), range: statement.range)
    }
    return Typed.Statement(kind: .return(convert(made, to: result)), range: statement.range)
  }

  /// Whether a body has a `return` with a value that is its own.
  func returnsValue(_ block: Grammar.Block) -> Bool {
    block.statements.contains { statement in
      switch statement.kind {
      case .return(let value): value != nil
      case .if(let one): returnsValue(one.body) || (one.otherwise.map(returnsValue) ?? false)
      case .guard(_, let body), .while(_, let body), .defer(let body): returnsValue(body)
      case .repeatWhile(let body, _): returnsValue(body)
      case .forIn(let loop): returnsValue(loop.body)
      case .switch(let selection): selection.cases.contains { returnsValue($0.body) }
      case .doCatch(let body, _, let catches):
        returnsValue(body) || catches.contains { returnsValue($0.body) }
      case .labelled(_, let inner):
        returnsValue(Grammar.Block(statements: [inner], range: inner.range))
      default: false
      }
    }
  }

  // MARK: Key paths

  func inferKeyPath(
    _ root: Grammar.TypeSyntax?, _ path: Grammar.Expression, _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    var owner = root.map { resolve($0) }
    let shallow = expected.map { solver.shallow($0).unwrappedFully }
    var isFunction = false
    if case .function(let wanted)? = shallow, wanted.parameters.count == 1 {
      (owner, isFunction) = (owner ?? wanted.parameters[0].type, true)
    } else if case .nominal(let nominal, let arguments)? = shallow, nominal === known.keyPath {
      owner = owner ?? arguments[0]
    }
    guard let owner, !solver.isOpen(owner) else {
      return refuse(
        "the root of this key path is not known: write its type behind the backslash", range)
    }
    let read = function(of: "root", owner, range) { root in
      inScope {
        if case .local(let local) = root.kind {
          names.append(GrammarParser.keyPathRoot, .local(local))
        }
        return infer(path, nil)
      }
    }
    guard !isFunction, case .function(let type) = read.type else { return read }
    return node(.instance([read]), .nominal(known.keyPath, [owner, type.result]), range)
  }

  /// `value[keyPath: path]`, which is read.
  func readKeyPath(
    _ value: Typed.Expression, _ path: Grammar.Expression, _ range: SourceRange
  ) -> Typed.Expression {
    let (type, given) = (solver.variable(), value.type)
    let path = check(path, .nominal(known.keyPath, [given, type]))
    guard let read = known.keyPath.stored.first, !path.type.isError else { return failed(range) }
    let function = FunctionType(
      parameters: [FunctionType.Parameter(type: given)], result: type)
    let call = Typed.Call(
      callee: .closure(node(.field(path, read), .function(function), range)), substitution: [:],
      receiver: nil, arguments: [.value(value)], place: range, nameRange: range)
    return node(.call(call), type, range)
  }

  // MARK: Functions in bodies

  /// Declares the functions of a block, which may name each other.
  func declareFunctions(_ block: Grammar.Block) {
    for statement in block.statements {
      guard case .declaration(let declaration) = statement.kind,
        case .function(let syntax) = declaration.kind
      else { continue }
      let declarer = table.memberDeclarer(context)
      let symbol = declarer.function(syntax, declaration.modifiers)
      let inner = Typed.FunctionScope(scope)
      inner.isolation = isolation(ofLocal: symbol)
      names.append(syntax.name.text, .function(Typed.LocalFunction(symbol, inner), syntax))
    }
  }

  /// The body of a function that a body declares.
  func checkLocalFunction(_ syntax: Grammar.Function) -> Typed.LocalFunction? {
    guard
      case .function(let function, _)? = names.last(
        syntax.name.text,
        where: {
          if case .function(_, let other) = $0 { return other.range == syntax.range }
          return false
        })
    else { return nil }
    let symbol = function.symbol
    guard let body = syntax.body else { return function }
    let outer = (scope, returned, mayAwait, isAwaited, context, choiceResult, isTried)
    let outerErrors = (raised, thrown)
    (raised, thrown) = ([], symbol.thrown)
    scope = function.scope
    (scope.isFunction, scope.isAsync) = (true, symbol.isAsync)
    (mayAwait, isAwaited, choiceResult, isTried) = (symbol.isAsync, false, nil, false)
    context = context.adding(symbol.generics)
    returned = symbol.result
    inScope {
      function.parameters = declareParameters(of: symbol)
      if let isolated = function.parameters.first(where: \.isIsolated) {
        scope.isolation = .actor(isolated)
      }
      function.body = checkBody(body, result: symbol.result)
      checkRaised()
    }
    (raised, thrown) = outerErrors
    (scope, returned, mayAwait, isAwaited, context, choiceResult, isTried) = outer
    for local in function.captured { scope.note(local) }
    return function
  }
}

extension DeclarationTable {
  /// What declares functions and types of a body.
  func memberDeclarer(_ context: TypeContext) -> MemberDeclarer {
    MemberDeclarer(
      table: self, declarer: Declarer.forBody(self), nominal: nil, context: context)
  }
}
