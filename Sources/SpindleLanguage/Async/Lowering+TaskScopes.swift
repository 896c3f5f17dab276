import SpindleModel

/// Calls that run a closure in place and see to something when that ends: groups, continuations,
/// cancellation handlers, `MainActor.run`.
extension Lowering {
  /// A call of one of the functions of Swift concurrency that run a closure; nil for any other name.
  mutating func asyncScope(
    _ name: String, _ call: CallSite, isUsed: Bool, expecting: ValueType?, target: Register?
  ) -> Operand? {
    switch name {
    case "withTaskGroup", "withThrowingTaskGroup":
      return group(name, call, isDiscarding: false, isUsed: isUsed, target: target)
    case "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup":
      return group(name, call, isDiscarding: true, isUsed: isUsed, target: target)
    case "withCheckedContinuation", "withCheckedThrowingContinuation":
      return continuation(name, call, isChecked: true, isUsed, expecting, target: target)
    case "withUnsafeContinuation", "withUnsafeThrowingContinuation":
      return continuation(name, call, isChecked: false, isUsed, expecting, target: target)
    case "withTaskCancellationHandler":
      return cancellationHandler(call, isUsed: isUsed, target: target)
    case "withTaskExecutorPreference":
      return preference(call, isUsed: isUsed, target: target)
    case "AsyncStream", "AsyncThrowingStream":
      return stream(call, element: nil, target: target)
    default: return nil
    }
  }

  /// The closure of a call that runs one in place, with this label where it has one.
  func scopeBody(_ call: CallSite, _ labels: [String]) -> Expression.Closure? {
    for closure in call.closures
    where closure.label == nil || labels.contains(closure.label?.text ?? "") {
      return closure.closure
    }
    for argument in call.arguments
    where argument.label == nil || labels.contains(argument.label?.text ?? "") {
      if case .closure(let closure) = argument.value.kind { return closure.value }
    }
    return nil
  }

  /// The type that `of: Int.self` says, or an argument `Int.self` without a label; nil where none does.
  mutating func elementType(_ call: CallSite, label: String?) -> ValueType? {
    for argument in call.arguments where argument.label == label {
      guard case .member(let member) = argument.value.kind, member.name == "self",
        case .name(let name) = member.base.kind
      else { continue }
      return checker.type(TypeName(kind: .name(name), range: member.base.range))
    }
    return nil
  }

  /// Runs a closure where it stands, with one argument; what it does at its end is up to the caller.
  ///
  /// With `isIsolated` the argument is the actor on which the closure is.
  mutating func lowerScopeBody(
    _ closure: Expression.Closure, argument: (register: Register, type: ValueType)?,
    isVariable: Bool = false, isIsolated: Bool = false, asynchrony: Frame.Asynchrony?, result: Register, isUsed: Bool
  ) -> ValueType {
    let exit = frame.label()
    let outer = frame.asynchrony
    if let asynchrony { frame.asynchrony = asynchrony }
    frame.asynchrony.awaits = 0
    frame.enterReturn(
      Frame.Return(
        type: nil, register: result, exit: exit, cleanups: frame.cleanups.count,
        loops: frame.loops.count, lives: lifeMark))
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    if let argument, let name = closure.parameters.first {
      declareLocal(
        name, isVariable ? .variable(argument.register) : .register(argument.register),
        argument.type)
      if isIsolated { frame.asynchrony.home = find(name.word).map { .symbol($0) } ?? .pool }
    }
    if isUsed, closure.body.statements.count == 1,
      case .expression(let only) = closure.body.statements[0].kind
    {
      returnValue(only, place: only.range)
    } else {
      lowerBlock(closure.body)
    }
    closeScope(downTo: mark)
    blockStart = outerStart
    let type = frame.leaveReturn().type ?? .void
    if type != .void && type != .unknown && frame.isReachable {
      error(Messages.missingReturn(type.description), closingBrace(closure.body))
    }
    frame.mark(exit)
    let isMainAsync = frame.asynchrony.isMain
    frame.asynchrony = outer
    if isMainAsync && asynchrony == nil { frame.asynchrony.isMain = true }
    return type
  }

  /// Emits what is done behind a body, whether it ends or throws.
  mutating func endScope(
    start: Int, throwing: Int, _ range: SourceRange, normal: (inout Lowering) -> Void,
    thrown: (inout Lowering) -> Void
  ) {
    let end = frame.code.count
    let throwsHere = frame.throwing > throwing
    normal(&self)
    guard throwsHere else { return }
    let after = frame.label()
    frame.jump(after, range)
    let error = frame.allocate()
    frame.catchHere(start: start, end: end, error: error)
    thrown(&self)
    emit(.raise(error), range)
    frame.throwing += 1
    frame.isReachable = false
    frame.mark(after)
  }

  private mutating func perform(
    _ primitive: Primitive, on object: Register, goesHome: Bool, _ range: SourceRange
  ) {
    let next = frame.next
    let base = frame.allocate()
    emit(.copy(base, from: object), range)
    emit(.perform(primitive, base: base, noSite), range)
    if goesHome { goHome(range) }
    frame.next = next
  }

  // MARK: Groups

  private mutating func group(
    _ name: String, _ call: CallSite, isDiscarding: Bool, isUsed: Bool, target: Register?
  ) -> Operand {
    noteSuspension(name, call.callee.range)
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    let element = elementType(call, label: "of") ?? .void
    let result = target ?? frame.allocate()
    let group = frame.allocate()
    emit(.constant(isDiscarding ? 1 : 0, to: group), call.place)
    emit(.perform(.taskGroup(.make), base: group, noSite), call.place)
    let (start, throwing) = (frame.code.count, frame.throwing)
    let type = lowerScopeBody(
      body, argument: (group, .generic(.taskGroup, of: element)), asynchrony: nil, result: result,
      isUsed: isUsed)
    let place = closingBrace(body.body)
    frame.throwing = max(frame.throwing, throwing + 1)
    endScope(start: start, throwing: throwing, place) {
      $0.perform(.taskGroup(.finish), on: group, goesHome: true, place)
    } thrown: {
      $0.perform(.taskGroup(.abandon), on: group, goesHome: true, place)
    }
    return Operand(type: type, location: .register(result))
  }

  // MARK: Continuations

  private mutating func continuation(
    _ name: String, _ call: CallSite, isChecked: Bool, _ isUsed: Bool, _ expecting: ValueType?,
    target: Register?
  ) -> Operand {
    noteSuspension(name, call.callee.range)
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    var element = expecting?.isUnknown == false ? expecting ?? .void : .void
    if let written = body.header?.types.first, case .generic(_, let arguments) = written.kind,
      !arguments.isEmpty
    {
      element = checker.type(arguments[0])
    } else if let type = body.header?.types.first {
      _ = checker.type(type)
    }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let continuation = frame.allocate()
    emit(.constant(isChecked ? 1 : 0, to: continuation), call.place)
    emit(.perform(.continuation(.make), base: continuation, noSite), call.place)
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    let scratch = frame.allocate()
    _ = lowerScopeBody(
      body, argument: (continuation, .generic(.continuation, of: element)),
      asynchrony: asynchrony, result: scratch, isUsed: false)
    emit(.copy(base, from: continuation), call.place)
    emit(.perform(.continuation(.await), base: base, noSite), call.place)
    goHome(call.place)
    return finishWindow(base, element, target: target, call.place)
  }

  // MARK: Cancellation handlers

  private mutating func cancellationHandler(
    _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let name = "withTaskCancellationHandler"
    noteSuspension(name, call.callee.range)
    let handler =
      call.closures.first { $0.label == "onCancel" }?.closure
      ?? scopeArgument(call, "onCancel")
    guard let body = scopeBody(call, ["operation"]), let handler else {
      walkStray(call)
      return refuse(Messages.missingArgument("onCancel", of: name), call.callee.range)
    }
    let result = target ?? frame.allocate()
    let closure = frame.allocate()
    makeClosure(handler, context: .thread, target: closure, place: call.place)
    emit(.perform(.task(.pushHandler), base: closure, site()), call.place)
    let (start, throwing) = (frame.code.count, frame.throwing)
    let type = lowerScopeBody(
      body, argument: nil, asynchrony: nil, result: result, isUsed: isUsed)
    let place = closingBrace(body.body)
    endScope(start: start, throwing: throwing, place) {
      $0.emit(.perform(.task(.popHandler), base: closure, noSite), place)
    } thrown: {
      $0.emit(.perform(.task(.popHandler), base: closure, noSite), place)
    }
    return Operand(type: type, location: .register(result))
  }

  private func scopeArgument(_ call: CallSite, _ label: String) -> Expression.Closure? {
    for argument in call.arguments where argument.label == label {
      if case .closure(let closure) = argument.value.kind { return closure.value }
    }
    return nil
  }

  // MARK: Streams

  /// `AsyncStream(Int.self) { input in }`, whose closure runs at once.
  mutating func stream(_ call: CallSite, element: ValueType?, target: Register?) -> Operand {
    guard let body = scopeBody(call, ["build"]) else {
      if call.value.isUnfolding { return refuse(Messages.unfolding, call.callee.range) }
      walkStray(call)
      return refuse(Messages.streamForm, call.callee.range)
    }
    let type =
      element ?? elementType(call, label: nil) ?? elementType(call, label: "of") ?? .integer
    let stream = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    makeStream(call, stream)
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    let scratch = frame.allocate()
    _ = lowerScopeBody(
      body, argument: (stream, .generic(.streamInput, of: type)), asynchrony: asynchrony,
      result: scratch, isUsed: false)
    frame.next = Int(stream.index) + 1
    return .register(stream, .generic(.asyncStream, of: type))
  }

  /// Makes a stream in a register, as the call's policy says.
  mutating func makeStream(_ call: CallSite, _ stream: Register) {
    let next = frame.next
    let window = frame.allocate(3)
    let policy = call.arguments.first { $0.label == "bufferingPolicy" }?.value
    let (buffering, limit) = bufferingPolicy(policy)
    emit(.constant(noValue, to: window), call.place)
    emit(.constant(buffering.rawValue, to: Register(Int(window.index) + 1)), call.place)
    if let limit {
      let formal = Formal(
        label: nil, type: .integer, isOptional: false, slot: 0, limit: .notNegative)
      argument(limit, formal, into: Register(Int(window.index) + 2))
    } else {
      emit(.constant(0, to: Register(Int(window.index) + 2)), call.place)
    }
    emit(.perform(.asyncStream(.make), base: window, noSite), call.place)
    emit(.copy(stream, from: window), call.place)
    frame.next = next
  }

  private mutating func bufferingPolicy(
    _ written: Expression?
  ) -> (StreamBuffering, Expression?) {
    guard let written else { return (.unbounded, nil) }
    switch written.kind {
    case .implicitMember("unbounded"): return (.unbounded, nil)
    case .call(let call) where call.arguments.count == 1:
      if case .implicitMember(let name) = call.callee.kind {
        if name == "bufferingNewest" { return (.newest, call.arguments[0].value) }
        if name == "bufferingOldest" { return (.oldest, call.arguments[0].value) }
      }
    default: break
    }
    error(
      "a stream keeps '.unbounded', '.bufferingNewest(n)' or '.bufferingOldest(n)'", written.range)
    return (.unbounded, nil)
  }

  // MARK: Pairs

  /// The call and the element type of `AsyncStream.makeStream(…)`; nil when an expression is none.
  mutating func streamCall(_ expression: Expression) -> (CallSite, ValueType)? {
    guard case .call(let call) = expression.kind, case .member(let member) = call.callee.kind,
      member.name == "makeStream"
    else { return nil }
    switch member.base.kind {
    case .name("AsyncStream"), .name("AsyncThrowingStream"):
      return (call, elementType(call, label: "of") ?? .integer)
    case .specialized(_, let types) where !types.isEmpty: return (call, checker.type(types[0]))
    default: return nil
    }
  }

  /// `let (stream, input) = AsyncStream.makeStream(…)` in a body.
  mutating func lowerPair(_ binding: Binding) {
    guard let second = binding.second, let (call, element) = streamCall(binding.value) else {
      _ = value(binding.value, expecting: .unknown)
      return error(Messages.pairValue, binding.value.range)
    }
    let stream = frame.allocate()
    makeStream(call, stream)
    declareLocal(binding.name, .register(stream), .generic(.asyncStream, of: element))
    declareLocal(second, .register(stream), .generic(.streamInput, of: element))
  }

  // MARK: for await

  /// `for await x in stream`, `for await x in group`.
  mutating func lowerAsyncLoop(_ loop: Statement.Loop, _ label: Word?, _ range: SourceRange) {
    let isUsed = beginLoopAwait(loop.awaitRange ?? range)
    let made = unwrap(value(loop.sequence), loop.sequence.range)
    let primitive: Primitive
    switch made.type.handle {
    case .taskGroup?: primitive = .taskGroup(.next)
    case .asyncStream?: primitive = .asyncStream(.next)
    default:
      if !made.type.isUnknown {
        error(Messages.loopOfNoStream("\(made.type)"), loop.awaitRange ?? range)
      }
      primitive = .asyncStream(.next)
    }
    endLoopAwait(isUsed)
    let source = frame.allocate()
    place(made, in: source, loop.sequence.range)
    let item = frame.allocate()
    let (top, exit) = (frame.label(), frame.label())
    frame.mark(top)
    emit(.copy(item, from: source), loop.sequence.range)
    emit(.perform(primitive, base: item, noSite), loop.sequence.range)
    goHome(loop.sequence.range)
    jump(ifMissing: item, to: exit, loop.sequence.range)
    let element = made.type.element
    lowerElementBody(
      loop, label, (item, element.isVoid ? .boolean : element), exit: exit, next: top)
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  private mutating func beginLoopAwait(_ range: SourceRange) -> Bool {
    let isUsed = frame.asynchrony.isUsed
    frame.awaitCount += 1
    noteLoopSuspension(range)
    frame.asynchrony.awaits += 1
    return isUsed
  }

  private mutating func noteLoopSuspension(_ range: SourceRange) {
    if frame.asynchrony.isMain { program.mainIsAsync = true }
    frame.asynchrony.awaits += 1
    if frame.asynchrony.suspending == .no {
      error(Messages.asyncCallInSync("for await"), range)
    } else {
      noteSuspension("for await", range)
    }
    frame.asynchrony.awaits -= 1
  }

  private mutating func endLoopAwait(_ isUsed: Bool) {
    frame.asynchrony.awaits -= 1
    frame.asynchrony.isUsed = isUsed
  }
}
