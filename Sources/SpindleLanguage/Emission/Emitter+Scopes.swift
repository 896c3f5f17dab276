import SpindleModel

/// Functions of the library that run a closure in place and see to something when that ends, whichever way.
extension Emitter {
  /// What a function of Swift concurrency comes to; nil for any other.
  func emitConcurrency(
    _ name: String, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register? {
    if name == Emitter.stateLock { return emitLock(call, value) }
    // What the closures within make has names of its own.
    let bound = boundName
    boundName = nil
    formClosures(call)
    defer { boundName = bound }
    switch name {
    case "taskGroup": return emitGroup(isDiscarding: false, call, value)
    case "discardingGroup": return emitGroup(isDiscarding: true, call, value)
    case "checkedContinuation": return emitContinuation(isChecked: true, call, value)
    case "unsafeContinuation": return emitContinuation(isChecked: false, call, value)
    case "cancellationHandler": return emitHandled(.pushHandler, call, value)
    case "escalationHandler": return emitHandled(.pushEscalation, call, value)
    case "executorPreference": return emitPreference(call, value)
    case "bindLocal": return emitBinding(call, value)
    case "runOnMain": return emitRunOnMain(call, value)
    case "assumeOnMain", "checkOnMain":
      emitCheck(of: .mainActor, typeName: noValue, call.place)
      return name == "checkOnMain" ? allocate() : emitAssumed(call, [], .mainActor, value)
    case "checkGlobal":
      if let nominal = call.substitution.values.compactMap({ concrete($0).nominal }).first {
        let home = home(of: .globalActor(nominal))
        emitCheck(of: home, typeName: intern(nominal.name), call.place)
      }
      return allocate()
    case "dispatchPrecondition": return emitQueueCheck(call)
    case "currentTask": return perform(.task(.current), [], call.place)
    case "threadValue": return perform(.thread(.dictionaryGet), operands(call), call.place)
    case "setThreadValue": return perform(.thread(.dictionarySet), operands(call), call.place)
    case "setSpecific": return perform(.queue(.setSpecific), operands(call), call.place)
    case "getSpecific": return perform(.queue(.getSpecific), operands(call), call.place)
    case "getOwnSpecific": return perform(.queue(.getOwnSpecific), operands(call), call.place)
    case "assumeIsolated", "checkIsolated":
      guard let receiver = call.receiver else { return allocate() }
      let actor = code.frame.pinned()
      emit(.copy(actor, from: emit(receiver)), call.place)
      let type = intern(concrete(receiver.type).nominal?.name ?? "")
      emitCheck(of: .object(actor), typeName: type, call.place)
      return name == "checkIsolated" ? allocate() : emitAssumed(call, [actor], nil, value)
    case "stream": return emitStream(call, value, mayThrow: false)
    case "throwingStream": return emitStream(call, value, mayThrow: true)
    case "streamPair": return emitStreamPair(call, value, mayThrow: false)
    case "throwingStreamPair": return emitStreamPair(call, value, mayThrow: true)
    case "unfoldingStream": return emitUnfolding(call, value)
    case "yield": return emitYield(call, value)
    case "streamNext":
      let base = window([operand(0, call)], call.place)
      emit(.perform(.asyncStream(.next), base: base, noSite), call.place)
      goHome(call.place)
      return owning(base, concrete(value.type), call.place)
    case "withLock": return emitLocked(call, value)
    case "atomic": return emitAtomic(call, value)
    case "withLockIfAvailable": return emitLockedIfAvailable(call, value)
    default: return nil
    }
  }

  /// `dispatchPrecondition(condition: .onQueue(q))`.
  private func emitQueueCheck(_ call: Typed.Call) -> Register {
    let (range, value) = (call.place, operand(0, call))
    guard case .value(let condition)? = call.arguments.first,
      let cases = concrete(condition.type).nominal?.cases
    else { return value }
    let name = allocate()
    emit(.fieldLoad(name, of: value, 0), range)
    forCase(of: name, among: cases, range) { one in
      let queue = allocate()
      emit(.fieldLoad(queue, of: value, firstField(of: one)), range)
      let isOn = one.name == "onQueue"
      emit(
        .perform(.queue(isOn ? .precondition : .preconditionNot), base: queue, noSite), range)
    }
    return value
  }

  /// What the library's text calls the initialisers of locks around a value.
  private static let stateLock = "lockedState"

  // MARK: Closures in place

  /// Runs a closure in the place of a call with arguments that are in registers; `home` is where it runs, if that is
  /// elsewhere.
  func emitScope(
    _ argument: Typed.Argument?, _ arguments: [Register], isAsync: Bool? = nil, home: Home? = nil,
    _ value: Typed.Expression
  ) -> Register {
    guard case .value(let given)? = argument else { return allocate() }
    let outer = code.frame.asynchrony
    if let isAsync { code.frame.asynchrony.suspending = isAsync ? .yes : .no }
    if let home { code.frame.asynchrony.home = home }
    defer { code.frame.asynchrony = outer }
    if let expanded = expandedClosure(given) { return expand(expanded, given: arguments) }
    guard case .function(let type) = concrete(given.type) else { return allocate() }
    let closure = emit(given)
    let made = emitWindow(
      arguments.map { .register($0) }, result: type.result, value.range
    ) { base, site in .callClosure(closure, base: base, site) }
    if type.isAsync { hop(to: code.frame.asynchrony.home, value.range) }
    return made
  }

  /// The closure that is expanded for an argument; nil for one that is called as a value.
  func expandedClosure(_ value: Typed.Expression) -> ExpandedClosure? {
    switch value.kind {
    case .closure(let literal): literal.scope.isExpanded ? capture(literal) : nil
    case .conversion(let inner): expandedClosure(inner)
    case .local(let local):
      if case .closure(let closure)? = storages[ObjectIdentifier(local)] { closure } else { nil }
    default: nil
    }
  }

  /// Where a closure that runs in place runs.
  private func scopeHome(_ argument: Typed.Argument?) -> Home {
    guard case .value(let value)? = argument, let closure = value.closureLiteral else {
      return code.frame.asynchrony.home
    }
    return home(of: closure.isolation)
  }

  /// Where a closure is written that an argument is; nil for any other.
  private func written(_ argument: Typed.Argument?) -> SourceRange? {
    guard case .value(let value)? = argument else { return nil }
    return value.closureLiteral?.range
  }

  /// Where a closure ends that is written.
  private func closingBrace(_ argument: Typed.Argument?, _ call: Typed.Call) -> SourceRange {
    guard let end = written(argument).map({ Int($0.upperBound) }) else { return call.place }
    return SourceRange(end - 1, end)
  }

  /// Goes on where a closure runs that is expanded, if that is elsewhere; whether it is.
  private func goInto(_ home: Home, _ place: SourceRange) -> Bool {
    guard home != code.frame.asynchrony.home, code.frame.asynchrony.suspending == .yes else {
      return false
    }
    hop(to: home, place.firstByte)
    return true
  }

  /// Emits what is done behind code, whether it ends or throws.
  func around(
    _ place: SourceRange, mayThrow: Bool = false, gives: Bool, _ body: () -> Register,
    end: (_ isThrown: Bool) -> Void
  ) -> Register {
    let (start, throwing, awaits) = (
      code.frame.code.count, code.frame.throwing, code.frame.awaitCount
    )
    let owned = code.frame.owned.count
    let result = code.frame.pinned()
    let made = body()
    if gives { emit(.copy(result, from: made), place) }
    let (finish, held) = (code.frame.code.count, code.frame.owned.count)
    let throwsHere = mayThrow || code.frame.throwing > throwing
    let isReachable = code.frame.isReachable
    if isReachable { end(false) }
    guard throwsHere else { return result }
    onThrow(from: start, to: finish, place) {
      goHome(behind: awaits, place)
      releaseOwners(from: owned, upTo: held, place)
      end(true)
    }
    return result
  }

  /// Whether a call gives more than `Void`, by itself or where it is made.
  func isGiven(_ value: Typed.Expression) -> Bool {
    let type = concrete(value.type)
    return !type.isVoid && type.wrapped?.isVoid != true
  }

  /// Runs a closure in the place of a call where it belongs, and comes back behind `end`; with `mayGo` false it runs where
  /// the code does.
  private func emitInside(
    _ body: Typed.Argument?, _ call: Typed.Call, mayGo: Bool = true, _ value: Typed.Expression,
    end: (SourceRange) -> Void
  ) -> Register {
    let place = closingBrace(body, call)
    let inner = mayGo ? scopeHome(body) : code.frame.asynchrony.home
    let isElsewhere = mayGo && goInto(inner, written(body) ?? call.place)
    return around(place, gives: isGiven(value)) {
      emitScope(body, [], home: inner, value)
    } end: { _ in
      end(place)
      if isElsewhere { hop(to: code.frame.asynchrony.home, place) }
    }
  }

  func performOn(
    _ primitive: Primitive, _ object: Register, goesHome: Bool, _ range: SourceRange
  ) {
    let next = code.frame.next
    let base = allocate()
    emit(.copy(base, from: object), range)
    emit(.perform(primitive, base: base, noSite), range)
    if goesHome { goHome(range) }
    code.frame.next = next
  }

  // MARK: Groups

  /// `withTaskGroup` and its like.
  ///
  /// The end of the group waits in a function of no actor, which leaves the caller's actor and comes back, also when no
  /// child is left; `next()` and `waitForAll()` stay on it. Source: `awaitAllRemainingTasks()` in Swift 6.3's
  /// _Concurrency.swiftinterface; run with Swift 6.3.1 on Linux, all four kinds of group, with and without an error.
  private func emitGroup(
    isDiscarding: Bool, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let range = call.place
    let group = code.frame.pinned()
    let window = allocate()
    emit(.constant(isDiscarding ? 1 : 0, to: window), range)
    let element = groupElement(call)
    emit(.constant(element.map(lifeWord) ?? 0, to: allocate()), range)
    emit(.perform(.taskGroup(.make), base: window, noSite), range)
    emit(.copy(group, from: window), range)
    let body = call.arguments.last
    let place = closingBrace(body, call)
    let (outer, inner) = (code.frame.asynchrony.home, scopeHome(body))
    _ = goInto(inner, written(body) ?? call.place)
    return around(place, mayThrow: true, gives: !concrete(value.type).isVoid) {
      emitScope(body, [group], home: inner, value)
    } end: { isThrown in
      if isThrown { performOn(.taskGroup(.cancelAll), group, goesHome: false, place) }
      if inner != .pool || isThrown && outer != .pool { hop(to: .pool, place) }
      performOn(.taskGroup(isThrown ? .abandon : .finish), group, goesHome: true, place)
      if element.flatMap(lifeKind) != nil {
        performOn(.taskGroup(.dropResults), group, goesHome: false, place)
      }
    }
  }

  /// What the tasks of a group give; nil for a group that discards that.
  private func groupElement(_ call: Typed.Call) -> SwiftType? {
    guard case .value(let body)? = call.arguments.last,
      case .function(let type) = concrete(body.type)
    else { return nil }
    return type.parameters.first.flatMap { $0.type.arguments.first }
  }

  // MARK: Continuations

  private func emitContinuation(
    isChecked: Bool, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let range = call.place
    let continuation = code.frame.pinned()
    let window = allocate()
    emit(.constant(isChecked ? 1 : 0, to: window), range)
    emit(.constant(intern(functionName), to: allocate()), range)
    emit(.perform(.continuation(.make), base: window, noSite), range)
    emit(.copy(continuation, from: window), range)
    // Its closure retains it, and so does what that hands it to; the waiting code does not.
    let mark = code.frame.temporaries.count
    let given = beginning(continuation, .continuation, range)
    _ = emitScope(call.arguments.last, [given], isAsync: false, value)
    endTemporaries(from: mark, range)
    let base = allocate()
    emit(.copy(base, from: continuation), range)
    emit(.perform(.continuation(.await), base: base, noSite), range)
    goHome(range)
    return owning(base, concrete(value.type), range)
  }

  /// Behind a resume that says whether there was one before: then the process ends, by a text with the value.
  func trapIfResumed(
    _ call: Typed.Call, _ isAgain: Register, _ value: Register, _ type: SwiftType,
    _ range: SourceRange
  ) {
    guard let receiver = call.receiver else { return }
    let (next, goesOn) = (code.frame.next, code.frame.label())
    code.frame.next = max(next, Int(value.index) + 1)
    emit(.jumpUnless(isAgain, code.frame.target(goesOn)), range)
    let text: Register
    switch type {
    case _ where type.isVoid: text = constant(intern("()"), range)
    case .function: text = constant(intern("(Function)"), range)
    default: text = printed(value, type, range)
    }
    let window = window([emit(receiver), text], range)
    emit(.perform(.continuation(.resumedTwice), base: window, noSite), range)
    code.frame.next = next
    code.frame.mark(goesOn)
  }

  // MARK: Handlers

  /// A closure that runs in place, and one that is called meanwhile when its task is cancelled, or raised.
  private func emitHandled(
    _ push: TaskPrimitive, _ call: Typed.Call, _ value: Typed.Expression
  ) -> Register {
    let range = call.place
    guard case .value(let handler)? = call.arguments.last else { return allocate() }
    let closure = code.frame.pinned()
    emit(.copy(closure, from: emitKept(handler)), range)
    emit(.perform(.task(push), base: closure, code.site()), range)
    return emitInside(call.arguments.first, call, value) { place in
      emit(.perform(.task(.popHandler), base: closure, noSite), place)
    }
  }

  /// `withTaskExecutorPreference(queue) { }`: code of no actor runs on a queue.
  private func emitPreference(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = call.place
    let before = code.frame.pinned()
    emit(.copy(before, from: operand(0, call)), range)
    emit(.perform(.task(.prefer), base: before, noSite), range)
    return emitInside(call.arguments.last, call, value) { place in
      performOn(.task(.prefer), before, goesHome: false, place)
    }
  }

  /// `Context.$id.withValue(1) { }`.
  private func emitBinding(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = call.place
    guard case .global(let variable, _)? = call.receiver?.kind, let bound = variable.bound else {
      unsupported("a task-local value that is not named", range)
      return allocate()
    }
    let window = code.frame.pinned()
    let given = emit(call.arguments[0])
    let base = allocate()
    emit(.constant(taskLocalKey(bound), to: base), range)
    emit(.copy(allocate(), from: given), range)
    emit(.perform(.task(.bindLocal), base: base, noSite), range)
    emit(.copy(window, from: base), range)
    return emitInside(call.arguments.last, call, mayGo: call.isAsync, value) { place in
      emit(.perform(.task(.unbindLocal), base: window, noSite), place)
    }
  }

  /// What a task-local value is to the task that reads it.
  func emitTaskLocal(_ variable: VariableSymbol, _ range: SourceRange) -> Register {
    if globals[ObjectIdentifier(variable)] == nil { _ = staticPlace(variable, range) }
    guard let global = globals[ObjectIdentifier(variable)] else { return allocate() }
    let base = constant(taskLocalKey(variable), range)
    emit(.loadGlobal(allocate(), global), range)
    emit(.perform(.task(.local), base: base, noSite), range)
    return base
  }

  /// The text by which a task-local value is found.
  func taskLocalKey(_ variable: VariableSymbol) -> Int64 {
    intern(fullName(of: variable))
  }

  // MARK: Isolation

  /// `MainActor.run { }`: through the pool to the main actor, and back.
  ///
  /// Source: swift:stdlib/public/Concurrency/MainActor.swift, run, which is nonisolated.
  private func emitRunOnMain(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    hop(to: .pool, call.place)
    hop(to: .mainActor, call.place)
    let body = call.arguments.last
    let place = closingBrace(body, call)
    let needed = code.frame.temporaries[temporariesOfCall...]
    return around(place, gives: isGiven(value)) {
      emitScope(body, [], isAsync: false, home: .mainActor, value)
    } end: { isThrown in
      if !isThrown { release(needed, place) }
      if code.frame.asynchrony.home != .mainActor { hop(to: code.frame.asynchrony.home, place) }
    }
  }

  /// The closure of `assumeIsolated`, which runs where the code does.
  private func emitAssumed(
    _ call: Typed.Call, _ arguments: [Register], _ home: Home?, _ value: Typed.Expression
  ) -> Register {
    emitScope(
      call.arguments.last, arguments, isAsync: false,
      home: home ?? arguments.first.map { .object($0) },
      value)
  }
}
