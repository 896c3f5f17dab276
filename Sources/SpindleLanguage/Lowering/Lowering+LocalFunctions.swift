import SpindleModel

/// Functions in a body. One that takes nothing from around it is a function like those at the top; one that
/// does is a closure with a name, which takes over values when its declaration is reached; where it uses itself, it finds itself in a
/// cell, and what runs later and was made inside holds it.
extension Lowering {
  mutating func lowerLocalFunction(_ function: Statement.LocalFunction) {
    let ordinal = declareLocalFunction(function)
    let signature = functions[ordinal]
    let type = ValueType.function(
      parameters: signature.formals.map(\.type), result: signature.result,
      traits: checker.traits(of: signature))
    let cell = functionCell(function.name, type)
    let declared =
      cell == nil
      ? declareLocal(function.name, .function(ordinal), .unknown)
      : declareLocal(function.name, .cell, type)
    if cell != nil { localFunctions[function.name.range.lowerBound] = ordinal }
    let (mark, outerStart) = (scope.count, blockStart)
    beginFrame(.function(ordinal), name: intern(signature.name), result: signature.result)
    blockStart = mark
    for (formal, parameter) in zip(signature.formals, function.parameters) {
      declareLocal(parameter.name, .register(frame.allocate()), formal.type)
    }
    frame.parameterCount = signature.formals.count
    beginLocal(signature, function)
    if cell != nil, let declared { findItself(function, declared) }
    copyLaterFunctions(namedIn: function.body)
    lowerBody(Expression.Closure(parameters: SyntaxList(), body: function.body), parameters: [])
    let captures = frame.captures.isEmpty ? [] : frame.captures
    endFrame(signature.block, closingBrace(function.body))
    scope.close(downTo: mark)
    blockStart = outerStart
    guard !captures.isEmpty, let symbol = declared else { return }
    // Nothing but its body has seen it.
    if cell == nil, scope[symbol].isUsed { cells.want(function.name.range) }
    let register = frame.allocate()
    let base = frame.next
    for (index, captured) in captures.enumerated() {
      guard let from = self.register(of: captured) else { continue }
      emit(.copy(Register(base + index), from: from), function.name.range)
    }
    frame.high = max(frame.high, base + captures.count)
    emit(.closure(register, signature.block, base: Register(base)), function.name.range)
    var made = register
    if let kind = lifeKind(type) {
      let owner = frame.owner(kind)
      emit(.hold(owner.register, from: register, kind), function.name.range)
      made = owner.register
      scope[symbol].owner = owner
    }
    if let cell { emit(.fieldStore(cell, 0, from: made), function.name.range) }
    (scope[symbol].meaning, scope[symbol].type) = (.register(made), type)
    localFunctions[function.name.range.lowerBound] = ordinal
  }

  /// Begins the body of a function that uses itself with what its cell has.
  ///
  /// The function lives while it runs. What is made in its body and runs later takes it from here, and holds it as
  /// it holds all that it captures: the cell, which holds nothing, would not keep it.
  private mutating func findItself(_ function: Statement.LocalFunction, _ index: Int32) {
    if function.parameters.contains(where: { $0.name.word == function.name.word }) { return }
    let temporaries = frame.temporaries.count
    let made = value(cellMember(index, function.name.range))
    declareBound(function.name, made, isVariable: false, holds: true, function.name.range)
    releaseUsed(for: .void, from: temporaries, function.name.range)
  }

  /// Begins the body: in a function that runs on an actor it does so, too, unless it says something else.
  private mutating func beginLocal(
    _ signature: FunctionSignature, _ function: Statement.LocalFunction
  ) {
    let home = actorAround(code.outerFrame)
    var own = isolated(signature, function.parameters)
    if own == nil, function.isolation.isUnspecified, case .symbol(let actor) = home { own = actor }
    beginAsync(signature, function.body, own: own)
    if function.isolation.isUnspecified, !signature.isAsync { frame.asynchrony.home = home }
  }

  /// The actor that a function in a body of this frame inherits: a function's, and not that of a closure.
  private func actorAround(_ frame: Frame) -> Home {
    if case .function = frame.context { return frame.asynchrony.home }
    return frame.asynchrony.isMain ? frame.asynchrony.home : .pool
  }

  /// Where an asynchronous function in a body runs that says nothing of it.
  private func isolation(of function: Statement.LocalFunction) -> Isolation {
    guard function.isolation.isUnspecified, function.isAsync else { return function.isolation }
    switch actorAround(frame) {
    case .mainActor: return .mainActor
    case .global(let index): return .global(checker.classes[index].name)
    case .pool, .symbol, .object, .caller: return .unspecified
    }
  }

  /// Declares a function in a body; gives its ordinal.
  private mutating func declareLocalFunction(_ function: Statement.LocalFunction) -> Int {
    let ordinal = functions.count
    let formals = function.parameters.enumerated().map { index, parameter in
      Formal(parameter, checker.type(parameter.type), slot: index)
    }
    // What it is given may outlive the call: nothing watches that here.
    functions.append(
      FunctionSignature(
        name: function.name.text, formals: formals, standards: function.parameters.map(\.standard),
        result: function.result.map { checker.type($0) } ?? .void, isAsync: function.isAsync,
        isolation: isolation(of: function),
        isolatedParameter: function.parameters.firstIndex(where: { $0.isIsolated }),
        block: reserveBlock(),
        escapes: formals.map { _ in true }))
    needs.addFunction()
    return ordinal
  }

  /// Calls a function of a body that is a closure, with its labels and defaults; nil when the symbol is
  /// something else.
  mutating func callLocalFunction(
    _ index: Int32, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    guard let ordinal = localFunctions[scope[index].place.lowerBound] else { return nil }
    let signature = functions[ordinal]
    let call = checker.gathered(call, for: signature.formals)
    noteCall(of: ordinal, call.callee.range)
    guard let register = closure(of: index, call.callee.range),
      let actuals = checker.match(signature.formals, call, name: signature.name, call.callee.range)
    else {
      walkStray(call)
      return .unknown
    }
    if !isUsed && !signature.result.isVoid {
      warn(Messages.unusedResult(signature.name), call.callee.range)
    }
    let hop = beginCall(of: signature, call, actuals, call.callee.range)
    let made = emitCall(
      signature.formals, actuals, signature.standards, call, result: signature.result,
      function: nil, hop: hop, target: target
    ) { .callClosure(register, base: $0, $1) }
    comeBack(from: hop, with: made, call)
    return made
  }

  /// The register of a closure that a name means.
  mutating func closure(of index: Int32, _ range: SourceRange) -> Register? {
    guard case .cell = scope[index].meaning else { return register(of: index) }
    return register(of: value(cellMember(index, range)), range)
  }
}
