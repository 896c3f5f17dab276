import SpindleModel

/// Closures that run later: each is a block, with the values that it captures.
extension Lowering {
  /// Makes a closure in `target`.
  ///
  /// A closure of an array's element gets the element's index, in `captured`, as its first parameter.
  ///
  /// A result that is not said is found out. Gives the result's type.
  @discardableResult
  mutating func makeClosure(
    _ closure: Expression.Closure, context: Frame.Context, caller: Frame.Context? = nil,
    parameters: [ValueType] = [], result: ValueType? = .void, captured: Register? = nil,
    runs: ClosureSlot.Time = .later, isPostponed: Bool = true, asynchrony: Frame.Asynchrony? = nil,
    traits: FunctionNode.Traits = [], target: Register, place: SourceRange
  ) -> ValueType {
    let block = reserveBlock()
    let start = start(of: closure, given: asynchrony, context, traits)
    checkParameters(closure, count: parameters.count + (captured == nil ? 0 : 1))
    if closure.header != nil { checkHeader(closure, parameters, result) }
    let capturedName = captured == nil ? nil : closure.parameters.first
    if case .top = frame.context, isPostponed, closure.header?.captures.isEmpty != false,
      !takesLocal(closure), let result
    {
      postponed.append(
        PostponedClosure(
          closure: closure, block: block, context: context, parameters: parameters,
          result: result, captured: capturedName, start: start))
      if let captured, capturedName != nil {
        emit(.copy(Register(frame.next), from: captured), place)
        frame.high = max(frame.high, frame.next + 1)
      }
      emit(.closure(target, block, base: Register(frame.next)), place)
      return result
    }
    let mark = scope.count
    let next = frame.next
    let earliest = max(frame.earliest, closuresBegin)
    closuresBegin = .start
    declareCaptures(closure)
    beginFrame(context, name: code.closureName, result: result ?? .void)
    if let caller { frame.caller = caller }
    frame.earliest = earliest
    frame.innermost.type = result
    frame.copiesVariables = runs == .atOnce
    declareCaptured(capturedName)
    begin(start, uncaptured(closure, capturedName), parameters: parameters)
    let captures = frame.captures.isEmpty ? [] : frame.captures
    let found = frame.innermost.type ?? .void
    endFrame(block, closure.body.range)
    let base = frame.next
    for (ordinal, symbol) in captures.enumerated() {
      let from = symbol < 0 ? captured : register(of: symbol)
      guard let from else { continue }
      if symbol >= 0 { noteHold(of: scope[symbol].type) }
      emit(.copy(Register(base + ordinal), from: from), place)
    }
    frame.high = max(frame.high, base + captures.count)
    emit(.closure(target, block, base: Register(base)), place)
    scope.close(downTo: mark)
    frame.next = next
    return found
  }

  /// Whether a closure at the top names something that is no name of the top, as a parameter of the closure around it.
  private func takesLocal(_ closure: Expression.Closure) -> Bool {
    var index = Int32(scope.count)
    while index > 0, scope[index - 1].frame >= 0 {
      index -= 1
      if uses(index, closure) { return true }
    }
    return false
  }

  /// Lowers a closure's body: an asynchronous one goes on where it belongs, wherever it is called.
  private mutating func begin(
    _ start: ClosureStart, _ closure: Expression.Closure, parameters: [ValueType]
  ) {
    frame.asynchrony = start.asynchrony
    declareParameters(closure, parameters)
    if start.goesHome { goOn(at: start, closure.body) }
    if start.asynchrony.checksHome { checkHome(closure.body.range) }
    lowerStatements(of: closure)
  }

  /// Lowers the bodies of the closures at the top.
  mutating func lowerPostponed() {
    for item in postponed {
      let mark = scope.count
      beginFrame(item.context, name: code.closureName, result: item.result)
      declareCaptured(item.captured)
      begin(item.start, uncaptured(item.closure, item.captured), parameters: item.parameters)
      endFrame(item.block, item.closure.body.range)
      scope.close(downTo: mark)
    }
    postponed = []
  }

  /// Declares the index of an array's element, the first captured value of the present frame.
  private mutating func declareCaptured(_ name: Name?) {
    guard let name else { return }
    frame.captures.append(-1)
    declareLocal(name, .register(Register(Frame.captureBase)), .integer)
  }

  /// The closure without the parameter that is a captured value already.
  private func uncaptured(_ closure: Expression.Closure, _ name: Name?) -> Expression.Closure {
    guard name != nil else { return closure }
    var rest = closure
    rest.parameters = rest.parameters.withoutFirst
    return rest
  }

  private mutating func checkParameters(_ closure: Expression.Closure, count: Int) {
    guard closure.parameters.count > count, let first = closure.parameters.last else { return }
    error(Messages.closureParameters(count), first.range)
  }

  /// Declares a closure's parameters and lowers its statements.
  mutating func lowerBody(_ closure: Expression.Closure, parameters: [ValueType]) {
    declareParameters(closure, parameters)
    lowerStatements(of: closure)
  }

  private mutating func lowerStatements(of closure: Expression.Closure) {
    if code.expectedResult?.isVoid != true, closure.body.statements.count == 1,
      case .expression(let only) = closure.body.statements[0].kind
    {
      returnValue(only, place: only.range, isImplicit: true)
      return
    }
    lowerBlock(closure.body, giving: code.expectedResult)
    let result = code.expectedResult ?? .void
    if !result.isVoid && !result.isUnknown && frame.isReachable {
      error(Messages.missingReturn(result.description), closingBrace(closure.body))
    }
  }

  /// Lowers a body that gives a result, each branch of an `if` or a `switch` that is all it has as a value.
  mutating func lowerBlock(_ body: CodeBlock, giving result: ValueType?) {
    lowerBlock(result?.isVoid == true ? body : arena.branchValues(of: body) ?? body)
  }

  private mutating func declareParameters(_ closure: Expression.Closure, _ types: [ValueType]) {
    guard !types.isEmpty || !closure.parameters.isEmpty else { return }
    _ = frame.allocate(max(types.count, closure.parameters.count))
    frame.parameterCount = types.count
    for (ordinal, name) in closure.parameters.enumerated() {
      let type = ordinal < types.count ? types[ordinal] : .unknown
      declareLocal(name, .register(Register(ordinal)), type)
    }
  }
}
