import SpindleModel

/// Streams, and locks around a value.
extension Emitter {
  // MARK: Streams

  /// `AsyncStream(Int.self) { input in }`, whose closure runs at once.
  func emitStream(_ call: Typed.Call, _ value: Typed.Expression, mayThrow: Bool) -> Register {
    let stream = code.frame.pinned()
    let type = concrete(value.type)
    makeStream(
      stream, of: type.arguments.first, policy: call.arguments[1], mayThrow: mayThrow, call.place)
    let made = beginning(stream, .asyncStream, call.place)
    let mark = code.frame.temporaries.count
    let input = beginning(stream, .streamInput, call.place)
    _ = emitScope(call.arguments.last, [input], isAsync: false, value)
    endTemporaries(from: mark, call.place)
    return made
  }

  /// `AsyncStream.makeStream(of: Int.self)`.
  func emitStreamPair(_ call: Typed.Call, _ value: Typed.Expression, mayThrow: Bool) -> Register {
    let stream = code.frame.pinned()
    guard let policy = call.arguments.last else { return stream }
    var element: SwiftType?
    if case .tuple(let parts) = concrete(value.type) { element = parts.first?.type.arguments.first }
    makeStream(stream, of: element, policy: policy, mayThrow: mayThrow, call.place)
    let made = beginning(stream, .asyncStream, call.place)
    let input = beginning(stream, .streamInput, call.place)
    return makeInstance(concrete(value.type), [made, input], call.place)
  }

  private func makeStream(
    _ stream: Register, of element: SwiftType?, policy: Typed.Argument, mayThrow: Bool,
    _ range: SourceRange
  ) {
    let next = code.frame.next
    let given = emit(policy)
    let window = allocate()
    emit(.constant(noValue, to: window), range)
    let (buffering, limit) = (allocate(), allocate())
    emit(.constant(StreamBuffering.unbounded.rawValue, to: buffering), range)
    emit(.constant(0, to: limit), range)
    if case .value(let value) = policy, let nominal = concrete(value.type).nominal {
      place(policy: given, of: nominal, buffering, limit, range)
    }
    emit(.constant(element.map(lifeWord) ?? 0, to: allocate()), range)
    emit(.constant(mayThrow ? 1 : 0, to: allocate()), range)
    emit(.perform(.asyncStream(.make), base: window, noSite), range)
    emit(.copy(stream, from: window), range)
    code.frame.next = next
  }

  /// Says in a window what a stream keeps.
  private func place(
    policy: Register, of nominal: Nominal, _ buffering: Register, _ limit: Register,
    _ range: SourceRange
  ) {
    let name = allocate()
    emit(.fieldLoad(name, of: policy, 0), range)
    let kinds: [StreamBuffering] = [.unbounded, .oldest, .newest]
    for (one, kind) in zip(nominal.cases, kinds) where !one.values.isEmpty {
      let after = code.frame.label()
      let test = constant(intern(one.name), range)
      emit(.equal(test, test, name), range)
      emit(.jumpUnless(test, code.frame.target(after)), range)
      emit(.constant(kind.rawValue, to: buffering), range)
      emit(.fieldLoad(limit, of: policy, firstField(of: one)), range)
      code.frame.mark(after)
    }
    code.frame.next = Int(limit.index) + 1
  }

  /// `AsyncStream(unfolding: { … }, onCancel: { … })`: the closure gives the next element, or nothing.
  func emitUnfolding(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = call.place
    guard case .value(let produce)? = call.arguments.first else { return allocate() }
    let made = emitTaskClosure(produce)
    var handler: Register?
    if call.arguments.count > 1, case .value(let given) = call.arguments[1] {
      handler = emitKept(given)
    }
    let window = allocate()
    emit(.constant(noValue, to: window), range)
    emit(.copy(allocate(), from: made), range)
    let last = allocate()
    emit(handler.map { .copy(last, from: $0) } ?? .constant(noValue, to: last), range)
    emit(.perform(.asyncStream(.makeUnfolding), base: window, code.site()), range)
    return beginning(window, .asyncStream, range)
  }

  /// `input.yield(x)`, and the case that says what became of it.
  func emitYield(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let (range, type) = (call.place, concrete(value.type))
    let stream = operand(0, call)
    var element = owned(0, call)
    let kind = type.arguments.first ?? .void
    // Nil is the end of the stream; a nil that is an element is another word.
    if kind.wrapped != nil { element = wrap(element, kind, range) }
    let name = window([stream, element], range)
    handOver(.asyncStream(.yield), name, call)
    emit(.perform(.asyncStream(.yield), base: name, noSite), range)
    let life = lifeKind(kind)
    if discarded === value, life == nil { return constant(noValue, range) }
    let detail = allocate()
    emit(.perform(.asyncStream(.yieldDetail), base: detail, noSite), range)
    if discarded === value {
      // What the stream drops is left to its sender.
      forCase(
        of: name,
        among: type.nominal?.cases.filter { $0.values.contains { $0.label == nil } } ?? [], range
      ) { _ in
        if let life { emit(.release(detail, life), range) }
      }
      return constant(noValue, range)
    }
    let dropped = kind.wrapped == nil ? detail : unwrap(detail, kind, range)
    let made = makeEmpty(type, range)
    emit(.fieldStore(made, 0, from: name), range)
    forCase(of: name, among: type.nominal?.cases.filter { !$0.values.isEmpty } ?? [], range) {
      let isElement = $0.values.contains { $0.label == nil }
      emit(.fieldStore(made, firstField(of: $0), from: isElement ? dropped : detail), range)
      if isElement, let life { emit(.release(dropped, life), range) }
    }
    return made
  }

  /// `for await x in stream`, `for await x in group`.
  func emitAwaitedLoop(_ loop: Typed.Loop, _ label: String?, _ range: SourceRange) {
    noteAwait()
    let place = loop.sequence.range
    let outer = code.frame.next
    let source = code.frame.pinned()
    emit(.copy(source, from: emit(loop.sequence)), place)
    let isGroup = concrete(loop.sequence.type).nominal?.handle == .taskGroup
    let (top, exit) = (code.frame.label(), code.frame.label())
    code.frame.loopDepth += 1
    code.frame.mark(top)
    let item = allocate()
    emit(.copy(item, from: source), place)
    emit(.perform(isGroup ? .taskGroup(.next) : .asyncStream(.next), base: item, noSite), place)
    goHome(place)
    let given = (code.frame.temporaries.count, code.frame.owned.count)
    let type = concrete(loop.element)
    let taken = owning(item, type, place)
    jump(ifNil: true, taken, to: exit, place)
    emitBody(loop, unwrap(taken, type, place), next: top, exit: exit, label, given: given)
    code.frame.jump(top, expansion ?? range)
    code.frame.loopDepth -= 1
    code.frame.mark(exit)
    code.frame.next = outer
  }

  // MARK: Locks

  /// `Mutex(0)`, `OSAllocatedUnfairLock(initialState: 0)`: a lock around a value.
  func emitLock(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = call.place
    let name = boundName
    boundName = nil
    guard let given = argument(0, call) else { return allocate() }
    let state = emitOwned(given)
    // The lock has it from then on.
    if let kind = lifeKind(concrete(given.type)) { emit(.keep(state, kind), range) }
    let base = allocate()
    emit(.constant(Int64(LockClass.unfair.rawValue), to: base), range)
    emit(.constant(name.map { intern($0) } ?? noValue, to: allocate()), range)
    emit(.copy(allocate(), from: state), range)
    emit(.constant(noValue, to: allocate()), range)
    emit(.constant(noValue, to: allocate()), range)
    emit(.perform(.lock(.make), base: base, code.site()), range)
    code.frame.next = Int(base.index) + 1
    return beginning(base, concrete(value.type), range)
  }

  /// `withLock { $0 += 1 }` of a lock around a value.
  func emitLocked(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let owner = code.frame.pinned()
    emit(.copy(owner, from: operand(0, call)), call.place)
    emit(.perform(.lock(.lock), base: owner, noSite), call.place)
    return runLocked(owner, call, value)
  }

  /// An operation on an `Atomic`: between its beginning and its end no other thread comes to a visible step.
  func emitAtomic(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let owner = code.frame.pinned()
    emit(.copy(owner, from: operand(0, call)), call.place)
    let effect = operand(1, call)
    let window = window([owner, effect], call.place)
    emit(.perform(.lock(.access), base: window, noSite), call.place)
    code.frame.next = Int(window.index)
    return runLocked(owner, call, value, unlocks: false)
  }

  /// `withLockIfAvailable { }`: nil where another thread has the lock.
  func emitLockedIfAvailable(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = call.place
    let (owner, result) = (code.frame.pinned(), code.frame.pinned())
    emit(.copy(owner, from: operand(0, call)), range)
    let test = allocate()
    let missed = code.frame.label()
    emit(.copy(test, from: owner), range)
    emit(.perform(.lock(.tryLock), base: test, noSite), range)
    emit(.constant(noValue, to: result), range)
    emit(.jumpUnless(test, code.frame.target(missed)), range)
    let made = runLocked(owner, call, value)
    let wrapped = concrete(value.type).wrapped ?? .void
    emit(
      .copy(result, from: wrapped.isVoid ? constant(0, range) : wrap(made, wrapped, range)), range)
    code.frame.mark(missed)
    return result
  }

  /// Runs a body while no other thread may access the value of a lock, and gives the lock what has become of it.
  private func runLocked(
    _ owner: Register, _ call: Typed.Call, _ value: Typed.Expression, unlocks: Bool = true
  ) -> Register {
    let state = call.receiver.map { concrete($0.type).arguments } ?? []
    let isPlain = state.contains(where: \.isVoid)
    let kind = state.first.flatMap(lifeKind)
    // What the lock has is the code's meanwhile.
    let guarded = kind.map { code.frame.owner($0).register } ?? code.frame.pinned()
    let given = allocate()
    emit(.copy(given, from: owner), call.place)
    if !isPlain { emit(.perform(.lock(.condition), base: given, noSite), call.place) }
    emit(kind.map { .hold(guarded, from: given, $0) } ?? .copy(guarded, from: given), call.place)
    code.frame.next = Int(given.index)
    return around(call.place, gives: isGiven(value)) {
      emitScope(call.arguments.last, [guarded], isAsync: false, value)
    } end: { _ in
      let window = window([owner, guarded], call.place)
      if kind != nil { emit(.constant(noValue, to: guarded), call.place) }
      if !isPlain { emit(.perform(.lock(.setValue), base: window, noSite), call.place) }
      if unlocks { emit(.perform(.lock(.unlock), base: owner, noSite), call.place) }
      code.frame.next = Int(window.index)
    }
  }
}
