import SpindleModel

/// Streams: making them, with a buffer or without, and the pairs that `makeStream` gives.
extension Lowering {
  /// `AsyncStream(Int.self) { input in }`, whose closure runs at once.
  mutating func stream(_ call: CallSite, element: ValueType?, target: Register?) -> Operand {
    if call.value.isUnfolding { return unfoldingStream(call, element: element, target: target) }
    guard let body = scopeBody(call, ["build"]) else {
      walkStray(call)
      return refuse(Messages.streamForm, call.callee.range)
    }
    let type =
      element ?? elementType(call, label: nil) ?? elementType(call, label: "of") ?? .integer
    let stream = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    makeStream(call, stream, of: type)
    let made = newObject(
      .register(stream, .generic(.asyncStream, of: type)), .asyncStream, call.place)
    let mark = frame.temporaries.count
    let input = newInput(stream, of: type, call.place)
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    let scratch = frame.allocate()
    _ = lowerScopeBody(
      body, argument: (register(of: input, call.place), input.type), asynchrony: asynchrony,
      result: scratch, isUsed: false)
    releaseTemporaries(from: mark, call.place)
    frame.temporaries.removeLast(frame.temporaries.count - mark)
    frame.next = Int(stream.index) + 1
    return made
  }

  /// What feeds a new stream, of which it is counted who holds it.
  private mutating func newInput(
    _ stream: Register, of element: ValueType, _ range: SourceRange
  ) -> Operand {
    let input = Operand.register(stream, .generic(.streamInput, of: element))
    guard let kind = lifeKind(input.type) else { return input }
    emit(.countElements(stream, kind), range)
    return held(input, range)
  }

  /// Makes a stream in a register, as the call's policy says.
  mutating func makeStream(_ call: CallSite, _ stream: Register, of element: ValueType) {
    let next = frame.next
    let window = frame.allocate(5)
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
    let life = lifeKind(element)?.raw ?? 0
    emit(.constant(Int64(life), to: Register(Int(window.index) + 3)), call.place)
    let mayThrow: Int64 = isThrowingStream(call.callee) ? 1 : 0
    emit(.constant(mayThrow, to: Register(Int(window.index) + 4)), call.place)
    emit(.perform(.asyncStream(.make), base: window, noSite), call.place)
    emit(.copy(stream, from: window), call.place)
    frame.next = next
  }

  /// Whether what is called makes an `AsyncThrowingStream`.
  private func isThrowingStream(_ callee: Expression) -> Bool {
    switch callee.kind {
    case .name(let name), .specialized(let name, _): name == "AsyncThrowingStream"
    case .member(let member): isThrowingStream(member.base)
    default: false
    }
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
    case .specialized(_, let types) where !types.isEmpty:
      return (call, oneByOne(checker.type(types[0]), member.base.range))
    default: return nil
    }
  }

  /// `let (stream, input) = AsyncStream.makeStream(…)` in a body.
  mutating func lowerPair(_ binding: Binding) {
    guard let second = binding.second, let (call, element) = streamCall(binding.value) else {
      let made = value(binding.value, expecting: .unknown)
      for name in [binding.name, binding.second].compactMap(\.self) {
        declareLocal(name, .constant(0), .unknown)
      }
      if !made.type.isUnknown { error(Messages.pairValue, binding.value.range) }
      return
    }
    let stream = frame.allocate()
    makeStream(call, stream, of: element)
    let made = newObject(
      .register(stream, .generic(.asyncStream, of: element)), .asyncStream, call.place)
    let input = newInput(stream, of: element, call.place)
    for (name, part) in [(binding.name, made), (second, input)] {
      let owner = keeper(of: part, call.place)
      keepToTheEnd(owner, call.place)
      declareLocal(
        name, .register(owner?.register ?? stream), part.type, owner: owner)
    }
  }

  // MARK: By hand

  /// `stream.makeAsyncIterator()`, which is the stream here, and `await iterator.next()`.
  mutating func iterate(
    _ receiver: Receiver, _ element: ValueType, _ name: Word, _ call: CallSite, target: Register?
  ) -> Operand {
    let range = nameRange(of: call.callee)
    if !call.arguments.isEmpty || !call.closures.isEmpty {
      walkStray(call)
      return refuse(Messages.tooManyArguments(name.text), call.range)
    }
    if name == "makeAsyncIterator" { return receiver.object }
    noteSuspension("next", range)
    let base = receiver.window
    place(receiver.object, in: base, call.place)
    frame.next = Int(base.index) + 1
    emit(.perform(.asyncStream(.next), base: base, noSite), call.place)
    goHome(call.place)
    let made = finishWindow(
      base, .optional(element), target: target, call.place)
    return held(made, call.place)
  }

  // MARK: Without a buffer

  /// `AsyncStream(unfolding: { … }, onCancel: { … })`: the closure gives the next element, or nothing.
  ///
  /// It runs in the pool, in the task of whoever asks for an element.
  private mutating func unfoldingStream(
    _ call: CallSite, element: ValueType?, target: Register?
  ) -> Operand {
    guard let given = closureArgument(call, "unfolding") else {
      walkStray(call)
      return refuse(Messages.streamForm, call.callee.range)
    }
    let stream = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let next = frame.next
    let window = frame.allocate(3)
    let (produce, onCancel) = (Register(Int(window.index) + 1), Register(Int(window.index) + 2))
    emit(.constant(noValue, to: window), call.place)
    let found = makeProducer(given, element: element, target: produce, call)
    if let handler = closureArgument(call, "onCancel") {
      if case .closure(let literal) = handler.kind {
        makeClosure(literal.value, context: .thread, target: onCancel, place: call.place)
      } else {
        let formal = Formal(
          label: nil, type: .optional(Formal.plainClosure), isOptional: true, slot: 0)
        fillClosure(handler, formal, captured: nil, .outside, onCancel, handler.range)
      }
    } else {
      emit(.constant(noValue, to: onCancel), call.place)
    }
    emit(.perform(.asyncStream(.makeUnfolding), base: window, site()), call.place)
    emit(.copy(stream, from: window), call.place)
    frame.next = next
    return newObject(
      .register(stream, .generic(.asyncStream, of: element ?? found)), .asyncStream, call.place)
  }

  /// Makes the closure that gives the elements; gives their type.
  private mutating func makeProducer(
    _ given: Expression, element: ValueType?, target: Register, _ call: CallSite
  ) -> ValueType {
    var asynchrony = Frame.Asynchrony()
    asynchrony.suspending = .yes
    let body: Expression.Closure
    if case .closure(let literal) = given.kind {
      body = literal.value
      switch body.header?.isolation ?? .unspecified {
      case .mainActor, .global: error(Messages.unfoldingHome, given.range)
      case .unspecified, .nonisolated, .nonsending, .own: break
      }
    } else {
      // A function by its name: a closure that calls it.
      asynchrony.awaits = 1
      let inner = arena.expression(
        kind: .call(
          arena.node(
            Expression.Call(
              callee: given, arguments: SyntaxList(), closures: SyntaxList(), range: given.range))),
        range: given.range)
      body = Expression.Closure(
        parameters: SyntaxList(),
        body: CodeBlock(
          statements: arena.list([Statement(kind: .expression(inner), range: given.range)]),
          range: given.range))
    }
    let written = body.header?.result.map { checker.type($0) }
    let found = makeClosure(
      body, context: .thread, result: element.map { .optional($0) } ?? written,
      asynchrony: asynchrony, target: target, place: call.place)
    if found.isVoid { error(Messages.unfoldingElement, given.range) }
    return found.unwrapped
  }

  /// What a call gives for a label, in its parentheses or behind them; nil for nothing.
  private func closureArgument(_ call: CallSite, _ label: StaticString) -> Expression? {
    for argument in call.arguments where argument.label == label { return argument.value }
    for closure in call.closures
    where closure.label == label || closure.label == nil && label.description == "unfolding" {
      return arena.expression(
        kind: .closure(arena.node(closure.closure)), range: closure.closure.body.range)
    }
    return nil
  }
}
