import SpindleModel

/// Closures that run where they stand, once for each element.
extension Lowering {
  /// What runs for each element.
  enum ElementBody {
    case literal(Expression.Closure, taken: [Symbol])
    case named(NamedClosure, SourceRange)
  }

  /// The only argument of a call, which takes `parameters`; nil when it was refused.
  mutating func elementBody(
    _ call: CallSite, _ label: Label?, _ parameters: [ValueType], _ result: ValueType?
  ) -> ElementBody? {
    let type = ValueType.function(parameters: parameters, result: result ?? .unknown)
    let formals = [Formal(label: label, type: type, isOptional: false, slot: 0)]
    let name = source.text(in: nameRange(of: call.callee))
    guard let actuals = checker.match(formals, call, name: name, nameRange(of: call.callee)) else {
      walkStray(call)
      return nil
    }
    if let literal = closureLiteral(actuals[0], call) {
      if literal.parameters.count > parameters.count, let extra = literal.parameters.last {
        error(Messages.closureParameters(parameters.count), extra.range)
      }
      checkHeader(literal, parameters, result)
      return .literal(literal, taken: taken(by: literal))
    }
    guard case .argument(let ordinal) = actuals[0] else { return nil }
    let argument = call.arguments[ordinal].value
    if let literal = spelledOut(argument, taking: parameters.count) {
      return .literal(literal, taken: [])
    }
    guard let named = closureToRun(argument) else { return nil }
    guard named.parameters.count == parameters.count,
      zip(named.parameters, parameters).allSatisfy({ $0.accepts($1) })
    else {
      error(Messages.mismatch(expected: "\(type)", found: "\(named.type)"), argument.range)
      return nil
    }
    return .named(named, argument.range)
  }

  /// What the elements of the array are to be that the call at hand gives; nil where nobody says it.
  var wishedElement: ValueType? {
    guard case .arrayOf(let node)? = wantedResult?.unwrapped, !node.type.isUnknown else {
      return nil
    }
    return node.type
  }

  /// Runs a body with what stands in some registers; gives what it returns.
  ///
  /// What it returns is found out where `result` is nil; `wish` says what a member without a type in front is one of.
  mutating func run(
    _ body: ElementBody, _ given: [(register: Register, type: ValueType)], _ result: ValueType?,
    wish: ValueType? = nil
  ) -> Operand {
    switch body {
    case .named(let named, let range):
      let base = frame.allocate(max(1, given.count))
      for (index, item) in given.enumerated() {
        emit(.copy(Register(Int(base.index) + index), from: item.register), range)
      }
      call(named, base: base, range)
      return held(.register(base, named.result), range)
    case .literal(let closure, let taken):
      let result = closure.header?.result.map { checker.type($0) } ?? result
      let register = frame.allocate()
      let exit = frame.label()
      frame.enterReturn(
        Frame.Return(
          type: result, wish: wish, register: register, exit: exit, cleanups: frame.cleanups.count,
          loops: frame.loops.count, lives: lifeMark))
      let (mark, outerStart) = (scope.count, blockStart)
      blockStart = mark
      for name in taken { scope.declare(name) }
      let (entries, changed) = (pairs, unobserved)
      (pairs, unobserved) = (-1, [])
      defer { (pairs, unobserved) = (entries, changed) }
      for (name, item) in zip(closure.parameters, given) {
        guard let declared = declareLocal(name, .register(item.register), item.type)
        else { continue }
        scope[declared].entries = entries
      }
      if result?.isVoid != true, closure.body.statements.count == 1,
        case .expression(let only) = closure.body.statements[0].kind
      {
        returnValue(only, place: only.range)
      } else {
        lowerBlock(closure.body, giving: result)
      }
      let type = frame.leaveReturn().type ?? .void
      if !type.isVoid && !type.isUnknown && frame.isReachable {
        error(Messages.missingReturn(type.description), closingBrace(closure.body))
      }
      closeScope(downTo: mark)
      blockStart = outerStart
      frame.mark(exit)
      return type.isVoid ? .void : held(.register(register, type), closure.body.range)
    }
  }

  /// `withExtendedLifetime(x) { }`: the body runs where it stands, and the statement holds the value.
  mutating func extended(_ call: CallSite, expecting: ValueType?) -> Operand {
    let literal =
      call.closures.first?.closure
      ?? call.arguments.last.flatMap { argument -> Expression.Closure? in
        guard case .closure(let closure) = argument.value.kind else { return nil }
        return closure.value
      }
    guard let literal, let first = call.arguments.first?.value else {
      walkStray(call)
      return refuse(Messages.missingClosure("withExtendedLifetime"), call.callee.range)
    }
    let made = shared(value(first), first.range)
    let given = (register: register(of: made, first.range), type: made.type)
    let body = ElementBody.literal(literal, taken: taken(by: literal))
    return run(body, [given], expecting?.isUnknown == true ? nil : expecting)
  }
}
