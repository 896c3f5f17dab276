import SpindleModel

/// Closures that run where they stand.
extension Lowering {
  /// A call that runs its closure between two primitives.
  mutating func callInPlace(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, isUsed: Bool, target: Register?
  ) -> Operand {
    guard let body = inPlaceBody(actuals[member.formals.count - 1], member, call) else {
      return .unknown
    }
    let mark = scope.count
    var names: [Symbol] = []
    if case .literal(let closure) = body { names = taken(by: closure) }
    defer { closeScope(downTo: mark) }
    let base = inPlaceWindow(member, actuals, receiver, call, naming, target: target)
    for name in names { scope.declare(name) }
    let site = member.traits.contains(.creates) ? self.site() : noSite
    switch member.action {
    case .inPlace(let enter, let leave):
      emit(.perform(enter, base: base, site), call.place)
      return lowerInPlace(
        body, isOnMain: isOnMainQueue(call.callee), leave: leave, base: base, isUsed: isUsed,
        target: target, call.place)
    case .inPlaceIf(let enter, let leave):
      let object = frame.allocate()
      let skip = frame.label()
      emit(.copy(object, from: base), call.place)
      emit(.perform(enter, base: base, site), call.place)
      emit(.jumpUnless(base, frame.target(skip)), call.place)
      emit(.copy(base, from: object), call.place)
      let made = lowerInPlace(
        body, leave: leave, base: base, isUsed: false, target: nil, call.place)
      frame.mark(skip)
      if made.type != .void && made.type != .unknown {
        error(Messages.unexpectedReturnValue, nameRange(of: call.callee))
      }
      return .void
    case .perform, .draw, .record, .sample, .store, .load, .now, .claim:
      preconditionFailure("'\(member.name)' runs no closure in place")
    }
  }

  /// Fills the window of the first primitive; gives its base, which the closure leaves alone.
  private mutating func inPlaceWindow(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, target: Register?
  ) -> Register {
    // An object alone is used where it is, unless it is in a register that the closure may change.
    if case .inPlace = member.action, let receiver, member.steps.count == 1,
      !receiver.object.isVariable
    {
      let base = register(of: receiver.object, call.place)
      if base != target { return base }
    }
    let base = frame.allocate()
    fillWindow(base, member, actuals, receiver, call, naming)
    return base
  }

  /// What runs in place.
  private enum InPlaceBody {
    case literal(Expression.Closure)
    case named(NamedClosure, SourceRange)
  }

  private mutating func inPlaceBody(
    _ actual: Actual, _ member: Member, _ call: CallSite
  ) -> InPlaceBody? {
    if let literal = closureLiteral(actual, call) { return .literal(literal) }
    guard case .argument(let ordinal) = actual else { return nil }
    let argument = call.arguments[ordinal].value
    guard let named = closureToRun(argument) else { return nil }
    guard named.parameters.isEmpty else {
      error(Messages.mismatch(expected: "a closure", found: "\(named.type)"), argument.range)
      return nil
    }
    return .named(named, argument.range)
  }

  /// Runs a closure where it stands, and then the second primitive.
  ///
  /// The closure's `return` gives the value of the call. An error that is thrown in it passes the
  /// second primitive on its way out.
  private mutating func lowerInPlace(
    _ body: InPlaceBody, isOnMain: Bool = false, leave: Primitive, base: Register, isUsed: Bool,
    target: Register?, _ range: SourceRange
  ) -> Operand {
    let (start, throwing) = (frame.code.count, frame.throwing)
    let result = target ?? frame.allocate()
    // None of these calls takes an asynchronous closure.
    let outer = frame.asynchrony
    (frame.asynchrony.suspending, frame.asynchrony.isMain) = (.no, false)
    if isOnMain { (frame.asynchrony.home, frame.asynchrony.isOutside) = (.mainActor, false) }
    let (type, place) = lowerInPlace(body, result, isUsed: isUsed)
    frame.asynchrony = outer
    let end = frame.code.count
    emit(.perform(leave, base: base, noSite), place)
    if frame.throwing > throwing {
      let after = frame.label()
      frame.jump(after, place)
      let (thrown, origin) = (frame.allocate(), frame.allocate())
      frame.catchHere(start: start, end: end, error: thrown, origin: origin)
      emit(.perform(leave, base: base, noSite), place)
      emit(.rethrow(thrown, from: origin), place)
      frame.noteThrow()
      frame.isReachable = false
      frame.mark(after)
    }
    return held(Operand(type: type, location: .register(result)), range)
  }

  /// The type of the value of a closure that runs in place: what it says itself, or the optional one that is wanted
  /// of the call; nil where it is found out.
  mutating func inPlaceResult(_ closure: Expression.Closure, isUsed: Bool) -> ValueType? {
    if let written = closure.header?.result { return checker.type(written) }
    guard isUsed, case .optionalOf? = wantedResult else { return nil }
    return wantedResult
  }

  /// Lowers what runs in place; gives the type of its value, and the place of its end.
  private mutating func lowerInPlace(
    _ body: InPlaceBody, _ result: Register, isUsed: Bool
  ) -> (ValueType, SourceRange) {
    switch body {
    case .named(let named, let range):
      let window = frame.allocate()
      call(named, base: window, range)
      if !named.result.isVoid { emit(.copy(result, from: window), range) }
      return (named.result, range)
    case .literal(let closure):
      let exit = frame.label()
      let wanted = inPlaceResult(closure, isUsed: isUsed)
      frame.enterReturn(
        Frame.Return(
          type: wanted, register: result, exit: exit,
          cleanups: frame.cleanups.count, loops: frame.loops.count, lives: lifeMark))
      let outer = unobserved
      unobserved = []
      defer { unobserved = outer }
      if let extra = closure.parameters.last { error(Messages.closureParameters(0), extra.range) }
      if isUsed || wanted?.isVoid == false, closure.body.statements.count == 1,
        case .expression(let only) = closure.body.statements[0].kind
      {
        returnValue(only, place: only.range)
      } else {
        lowerBlock(closure.body)
      }
      let type = frame.leaveReturn().type ?? .void
      if type != .void && type != .unknown && frame.isReachable {
        error(Messages.missingReturn(type.description), closingBrace(closure.body))
      }
      frame.mark(exit)
      return (type, closingBrace(closure.body))
    }
  }
}
