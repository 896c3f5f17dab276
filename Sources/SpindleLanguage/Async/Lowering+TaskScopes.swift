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
      return handled(
        name, "onCancel", .pushHandler, call, isUsed ? expecting : nil, isUsed: isUsed,
        target: target)
    case "withTaskPriorityEscalationHandler":
      return handled(
        name, "onPriorityEscalated", .pushEscalation, call, isUsed ? expecting : nil,
        isUsed: isUsed, target: target)
    case "withTaskExecutorPreference":
      return preference(call, isUsed: isUsed, target: target)
    case "AsyncStream", "AsyncThrowingStream":
      var element: ValueType?
      if case .generic(.asyncStream, let expected) = expecting {
        element = oneByOne(expected.type, call.callee.range)
      }
      return stream(call, element: element, target: target)
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
    for argument in call.arguments where argument.label?.text == label {
      if case .missing = argument.value.kind { return .unknown }
      if case .chain = argument.value.kind {
        error(Messages.optionalElement, argument.value.range)
        return .unknown
      }
      guard case .member(let member) = argument.value.kind, member.name == "self" else { continue }
      if case .missing = member.base.kind { return .unknown }
      guard let type = writtenType(member.base)
      else { continue }
      return oneByOne(checker.type(type), argument.value.range)
    }
    return nil
  }

  /// The type of what comes one by one, whose end is nil; reports one that may be nil itself.
  mutating func oneByOne(_ type: ValueType, _ range: SourceRange) -> ValueType {
    guard case .optionalOf = type else { return type }
    error(Messages.optionalElement, range)
    return .unknown
  }

  /// Runs a closure where it stands, with one argument; what it does at its end is up to the caller.
  ///
  /// With `isIsolated` the argument is the actor on which the closure is; `wanted` is what it is to give, where that is
  /// known: a type that the closure says goes first.
  mutating func lowerScopeBody(
    _ closure: Expression.Closure, argument: (register: Register, type: ValueType)?,
    isVariable: Bool = false, isIsolated: Bool = false, asynchrony: Frame.Asynchrony?,
    result: Register, wanted: ValueType? = nil, isUsed: Bool
  ) -> ValueType {
    let exit = frame.label()
    let outer = frame.asynchrony
    let wanted = closure.header?.result == nil ? wanted : nil
    let known = wanted ?? inPlaceResult(closure, isUsed: isUsed)
    if let asynchrony { frame.asynchrony = asynchrony }
    (frame.asynchrony.awaits, frame.asynchrony.tries) = (0, 0)
    frame.enterReturn(
      Frame.Return(
        type: known, register: result, exit: exit, cleanups: frame.cleanups.count,
        loops: frame.loops.count, lives: lifeMark))
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    for name in taken(by: closure) { scope.declare(name) }
    if let argument, let name = closure.parameters.first {
      declareLocal(
        name, isVariable ? .variable(argument.register) : .register(argument.register),
        argument.type)
      if isIsolated { frame.asynchrony.home = find(name.word).map { .symbol($0) } ?? .pool }
    }
    if isUsed || known?.isVoid == false, closure.body.statements.count == 1,
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

  /// A body that runs in place, while it is lowered.
  struct OpenScope {
    /// What its code is of Swift concurrency, where it is elsewhere than the code around it.
    var own: Frame.Asynchrony?
    fileprivate var start: Int
    fileprivate var throwing: Int
    fileprivate var awaits: Int
    fileprivate var owned: Int
  }

  /// Begins a body that runs in place, and that may have gone on elsewhere.
  func beginScope(_ own: Frame.Asynchrony? = nil) -> OpenScope {
    OpenScope(
      own: own, start: frame.code.count, throwing: frame.throwing, awaits: frame.awaitCount,
      owned: frame.owned.count)
  }

  /// Emits what is done behind such a body, whether it ends or throws: then it lets go of what it holds where it ran,
  /// and the rest is done where the code around it runs.
  mutating func end(
    _ open: OpenScope, _ range: SourceRange, normal: (inout Lowering) -> Void,
    thrown: (inout Lowering) -> Void
  ) {
    endScope(start: open.start, throwing: open.throwing, range, normal: normal) { lowering in
      if lowering.frame.owned.count > open.owned {
        let outer = lowering.frame.asynchrony
        if let own = open.own { lowering.frame.asynchrony = own }
        lowering.goHome(behind: open.awaits, range)
        lowering.releaseOwners(from: open.owned, range)
        lowering.frame.asynchrony = outer
      }
      lowering.goHome(behind: open.awaits, range)
      thrown(&lowering)
    }
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
    let (error, origin) = (frame.allocate(), frame.allocate())
    frame.catchHere(start: start, end: end, error: error, origin: origin)
    thrown(&self)
    emit(.rethrow(error, from: origin), range)
    frame.noteThrow()
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

  /// `withTaskGroup` and its like.
  ///
  /// The end of the group waits in a function of no actor, which leaves the caller's actor and comes back, also when no
  /// child is left; `next()` and `waitForAll()` stay on it. Source: `awaitAllRemainingTasks()` in Swift 6.3's
  /// _Concurrency.swiftinterface; run with Swift 6.3.1 on Linux, all four kinds of group, with and without an error.
  private mutating func group(
    _ name: String, _ call: CallSite, isDiscarding: Bool, isUsed: Bool, target: Register?
  ) -> Operand {
    noteSuspension(name, call.callee.range)
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    let said = elementType(call, label: "of")
    let element = said ?? .void
    let wasUnsaid = groupIsUnsaid
    groupIsUnsaid = said == nil && !isDiscarding
    let result = target ?? frame.allocate()
    let group = frame.allocate()
    emit(.constant(isDiscarding ? 1 : 0, to: group), call.place)
    let life = lifeKind(element)
    emit(.constant(Int64(life?.raw ?? 0), to: frame.allocate()), call.place)
    emit(.perform(.taskGroup(.make), base: group, noSite), call.place)
    let own = goInto(body)
    let open = beginScope(own)
    let throwing = frame.throwing
    let type = lowerScopeBody(
      body, argument: (group, .generic(.taskGroup, of: element)), asynchrony: own, result: result,
      isUsed: isUsed)
    groupIsUnsaid = wasUnsaid
    let place = closingBrace(body.body)
    frame.throwing = max(frame.throwing, throwing + 1)
    let (outer, inner) = (frame.asynchrony.home, own?.home ?? frame.asynchrony.home)
    func end(_ ending: TaskGroupPrimitive, mayBeElsewhere: Bool, _ lowering: inout Lowering) {
      if mayBeElsewhere { lowering.hop(to: .pool, place) }
      lowering.perform(.taskGroup(ending), on: group, goesHome: true, place)
      if life != nil {
        lowering.perform(.taskGroup(.dropResults), on: group, goesHome: false, place)
      }
    }
    self.end(open, place) {
      end(.finish, mayBeElsewhere: inner != .pool, &$0)
    } thrown: {
      $0.perform(.taskGroup(.cancelAll), on: group, goesHome: false, place)
      end(.abandon, mayBeElsewhere: inner != .pool || outer != .pool, &$0)
    }
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  // MARK: Continuations

  private mutating func continuation(
    _ name: String, _ call: CallSite, isChecked: Bool, _ isUsed: Bool, _ expecting: ValueType?,
    target: Register?
  ) -> Operand {
    noteSuspension(name, call.callee.range)
    var element = expecting?.isUnknown == false ? expecting ?? .unknown : .unknown
    let written = scopeBody(call, ["body"])
    guard let body = written ?? namedBody(call, &element) else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    if written != nil { warnOfForgotten(body, call.callee.range) }
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
    emit(.constant(Int64(intern(functionAround).index), to: frame.allocate()), call.place)
    emit(.perform(.continuation(.make), base: continuation, noSite), call.place)
    frame.next = Int(continuation.index) + 1
    // Its closure retains it, and so does what that hands it to; the waiting code does not.
    let mark = frame.temporaries.count
    let kind = ValueType.generic(.continuation, of: element)
    _ = newObject(.register(continuation, kind), .continuation, call.place)
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    let scratch = frame.allocate()
    let outer = foundHandover
    foundHandover = nil
    _ = lowerScopeBody(
      body, argument: (continuation, .generic(.continuation, of: element)),
      asynchrony: asynchrony, result: scratch, isUsed: false)
    // What nothing is said of and nobody hands over is nothing.
    if element.isUnknown { element = foundHandover ?? .void }
    foundHandover = outer
    releaseTemporaries(from: mark, call.place)
    frame.temporaries.removeSubrange(mark...)
    emit(.copy(base, from: continuation), call.place)
    emit(.perform(.continuation(.await), base: base, noSite), call.place)
    goHome(call.place)
    return held(finishWindow(base, element, target: target, call.place), call.place)
  }

  /// The closure that calls the function which a call names, with the continuation; nil where it names none.
  private mutating func namedBody(
    _ call: CallSite, _ element: inout ValueType
  ) -> Expression.Closure? {
    guard call.arguments.count == 1, let given = call.arguments.first?.value,
      let named = checker.namedClosure(given), named.parameters.count == 1
    else { return nil }
    if case .generic(.continuation, let handed) = named.parameters[0] { element = handed.type }
    var label: Label?
    if case .function(let ordinal) = named.callee { label = functions[ordinal].formals[0].label }
    return closure(calling: given, [label], given.range)
  }

  // MARK: for await

  /// `for await x in stream`, `for await x in group`.
  mutating func lowerAsyncLoop(_ loop: Statement.Loop, _ label: Word?, _ range: SourceRange) {
    let isUsed = beginLoopAwait(loop.awaitRange ?? range)
    var made = unwrap(value(loop.sequence), loop.sequence.range)
    // The loop holds what it goes through, whatever becomes of the variable.
    if made.isVariable { made = shared(made, loop.sequence.range) }
    let primitive: Primitive
    switch made.type.handle {
    case .taskGroup?: primitive = .taskGroup(.next)
    case .asyncStream?: primitive = .asyncStream(.next)
    default:
      if !made.type.isUnknown, !isBroken(made.type) {
        error(Messages.loopOfNoStream("\(made.type)"), loop.awaitRange ?? range)
      }
      primitive = .asyncStream(.next)
    }
    endLoopAwait(isUsed)
    let source = frame.allocate()
    place(made, in: source, loop.sequence.range)
    let item = frame.allocate()
    let (top, exit) = (frame.label(), frame.label())
    let owner = lifeKind(made.type.element).map { frame.owner($0) }
    frame.mark(top)
    if let owner { emit(.release(owner.register, owner.kind), loop.sequence.range) }
    emit(.copy(item, from: source), loop.sequence.range)
    emit(.perform(primitive, base: item, noSite), loop.sequence.range)
    goHome(loop.sequence.range)
    jump(ifMissing: item, to: exit, loop.sequence.range)
    let element = isBroken(made.type) ? .unknown : made.type.element
    // What was handed over has no other holder: it dies with its round.
    if let owner { emit(.hold(owner.register, from: item, owner.kind), loop.sequence.range) }
    lowerElementBody(
      loop, label, (owner?.register ?? item, element.isVoid ? .boolean : element), exit: exit,
      next: top)
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
    if let owner { emit(.release(owner.register, owner.kind), closingBrace(loop.body)) }
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
