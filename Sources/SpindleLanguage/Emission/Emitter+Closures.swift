import SpindleModel

/// Closures that are values, and functions as values.
extension Emitter {
  /// A closure; that of a task begins where the task does.
  func emitClosure(
    _ closure: Typed.Closure, isTask: Bool = false, isTried: Bool = false,
    wrapping: Bool = false
  ) -> Register {
    for (local, value, _) in closure.captures {
      declare(local, holding: emitOwned(value), until: .expression, value.range)
    }
    return emitBlock(
      closure.parameters, closure.range, name: code.closureName
    ) { [self] in
      if isTask {
        code.frame.asynchrony.suspending = .yes
        code.frame.asynchrony.tries = isTried ? 1 : 0
        code.frame.asynchrony.home = home(of: closure.isolation)
      } else {
        beginBody(closure.scope, closure.body, closure.range, isAsync: closure.scope.isAsync)
        if closure.checksIsolation { checkEntry(of: closure) }
      }
      wrapsResult = wrapping
      emitStatements(closure.body)
    }
  }

  /// A closure for a call that keeps it: what else may be called is called by a closure of its own.
  func emitKept(_ value: Typed.Expression) -> Register {
    var plain = value
    while true {
      if case .conversion(let inner) = plain.kind, !isVisit(inner.type, as: plain.type) {
        plain = inner
      } else if case .wrapped(let inner) = plain.kind {
        plain = inner
      } else {
        break
      }
    }
    let type = concrete(plain.type)
    let range = value.range
    guard case .function(let function) = type.unwrappedFully else { return emit(value) }
    // What a row gives an operation takes none where it is a function without parameters.
    var given: [SwiftType] = []
    if function.parameters.isEmpty, case .function(let wanted) = concrete(value.type).unwrappedFully
    {
      given = wanted.parameters.map(\.type)
    }
    switch plain.kind {
    case .closure(let closure): if given.isEmpty { return emitClosure(closure) }
    case .function, .conversion: if given.isEmpty { return moved(emit(value), range) }
    default: break
    }
    let scope = Typed.FunctionScope(nil)
    let known = Typed.Local("closure", type.unwrappedFully, isVariable: false, range, scope)
    let made = code.frame.pinned()
    emit(.copy(made, from: emit(plain)), range)
    let end = code.frame.label()
    if type.wrapped != nil { jump(ifNil: true, made, to: end, range) }
    declare(known, holding: made, until: .expression, range)
    emit(.copy(made, from: emitForwarding(known, function, given, range)), range)
    code.frame.mark(end)
    return made
  }

  /// A closure that calls another one; it ignores what it is given besides.
  private func emitForwarding(
    _ closure: Typed.Local, _ function: FunctionType, _ given: [SwiftType], _ range: SourceRange
  ) -> Register {
    let ignored = given.map {
      Typed.Local("_", $0, isVariable: false, range, closure.scope)
    }
    let parameters = function.parameters.enumerated().map {
      Typed.Local("$\($0)", $1.type, isVariable: false, range, closure.scope)
    }
    let call = Typed.Call(
      callee: .closure(Typed.Expression(.local(closure), closure.type, range)), substitution: [:],
      receiver: nil,
      arguments: parameters.map { .value(Typed.Expression(.local($0), $0.type, range)) },
      place: range, nameRange: range)
    (call.isAsync, call.isThrowing) = (function.isAsync, function.isThrowing)
    return emitBlock(parameters + ignored, range, name: code.closureName) { [self] in
      let made = emit(Typed.Expression(.call(call), function.result, range))
      emitReturn(function.result.isVoid ? nil : made, function.result, range)
    }
  }

  func emitClosure(_ closure: ExpandedClosure) -> Register {
    unsupported("a closure that is kept here", closure.closure.range)
    return allocate()
  }

  /// A closure whose block `body` fills, with the values that it captures.
  func emitBlock(
    _ parameters: [Typed.Local], _ range: SourceRange, name: NameID, _ body: () -> Void
  ) -> Register {
    let target = allocate()
    let block = code.reserveBlock()
    let outer = (storages, chains, isInitializing, localFunctions, observing, wrapsResult)
    // A closure in an observer changes the property as any other code does.
    (chains, isInitializing, observing, wrapsResult) = ([], false, nil, false)
    code.beginFrame(name: name)
    for parameter in parameters { declareParameter(parameter, range) }
    code.frame.parameterCount = parameters.count
    body()
    let captures = code.frame.captures
    endFrame(block, expansion ?? range)
    (storages, chains, isInitializing, localFunctions, observing, wrapsResult) = outer
    let base = code.frame.next
    for (ordinal, symbol) in captures.enumerated() {
      emit(.copy(Register(base + ordinal), from: register(of: symbol)), range)
    }
    code.frame.high = max(code.frame.high, base + captures.count)
    emit(.closure(target, block, base: Register(base)), range)
    return target
  }

  /// A function as a value: a closure that calls it.
  func emitReference(
    _ symbol: FunctionSymbol, _ substitution: Substitution, _ receiver: Typed.Expression?,
    _ range: SourceRange, isAsync: Bool
  ) -> Register {
    let given = substitution.mapValues(concrete)
    let scope = Typed.FunctionScope(nil)
    let parameters = symbol.parameters.map {
      Typed.Local(
        $0.name, concrete($0.type.substituting(given)), isVariable: false, range, scope)
    }
    var own: Typed.Expression?
    if let receiver {
      let local = Typed.Local("self", concrete(receiver.type), isVariable: false, range, scope)
      declare(local, holding: emitOwned(receiver), until: .expression, range)
      own = Typed.Expression(.local(local), local.type, range)
    }
    let call = Typed.Call(
      callee: .function(symbol), substitution: given, receiver: own,
      arguments: parameters.map { .value(Typed.Expression(.local($0), $0.type, range)) },
      place: range, nameRange: range)
    (call.isAsync, call.isThrowing) = (symbol.isAsync, symbol.isThrowing)
    var result = concrete(symbol.result.substituting(given))
    if symbol.owner?.kind == .class, let type = symbol.owner.flatMap({ given[$0.selfParameter] }) {
      call.metatype = Typed.Expression(.metatype(type), .metatype(type), range)
      if symbol.isInitializer || symbol.givesSelf {
        call.made = type
        result = result.wrapped == nil ? type : known.optional(type)
      }
    }
    return emitBlock(parameters, range, name: code.closureName) { [self] in
      if isAsync { beginReference(to: symbol, range) }
      let made = emit(Typed.Expression(.call(call), result, range))
      emitReturn(result.isVoid ? nil : made, result, range)
    }
  }
}
