import SpindleModel

/// Calls: which function, method or initialiser is meant.
extension Lowering {
  /// The value of a call; `isUsed` says whether anything takes it.
  @discardableResult
  mutating func lowerCall(
    _ call: CallSite, isUsed: Bool, expecting: ValueType?, target: Register?
  ) -> Operand {
    let bound = boundName
    boundName = nil
    let outer = wantedResult
    wantedResult = expecting
    defer { wantedResult = outer }
    let naming = bound.map { Naming.bound($0) } ?? .none
    switch call.callee.kind {
    case .name(let name):
      if let type = typeItself(call.callee) {
        boundName = bound
        return lowerCall(
          renamed(call, type), isUsed: isUsed, expecting: expecting, target: target)
      }
      return callNamed(name, call, naming, isUsed: isUsed, expecting: expecting, target: target)
    case .member(let member):
      let base = typeItself(member.base).map { arena.member(member.name, of: $0, member.nameRange) }
      if let name = plainName(member) ?? typeItself(call.callee) ?? base {
        boundName = bound
        return lowerCall(
          renamed(call, name), isUsed: isUsed, expecting: expecting, target: target)
      }
      return callMember(member, call, naming, isUsed: isUsed, target: target)
    case .implicitMember(let name):
      return callImplicit(name, call, naming, isUsed: isUsed, expecting: expecting, target: target)
    case .array(let elements):
      return makeArray(elements, call, bound, target: target)
    case .dictionary(let entries): return makeDictionary(entries, call, target: target)
    case .missing:
      walkStray(call)
      return .unknown
    case .specialized(let name, let types):
      if name == "AsyncStream" || name == "AsyncThrowingStream" {
        let element = types.first.map { oneByOne(checker.type($0), call.callee.range) }
        return stream(call, element: element, target: target)
      }
      if let made = collection(name, types, call, target: target) { return made }
      var expecting = expecting
      if !types.isEmpty, ["Task", "Mutex", "OSAllocatedUnfairLock"].contains(name.text) {
        expecting = checker.genericType(name, types)
      }
      let plain = arena.expression(kind: .name(name), range: call.callee.range)
      boundName = bound
      return lowerCall(
        renamed(call, plain), isUsed: isUsed, expecting: expecting, target: target)
    case .closure(let closure) where closure.value.isChoice:
      return run(
        .literal(closure.value, taken: taken(by: closure.value)), [],
        expecting?.isUnknown == true ? nil : expecting)
    case .bind(let inner): return callBound(inner, call, isUsed: isUsed, target: target)
    default:
      if case .closure = call.callee.kind { closureCaller = frame.caller }
      let made = value(call.callee)
      let name = source.text(in: call.callee.range)
      return self.call(made, call, name: name, isUsed: isUsed, target: target)
    }
  }

  /// `.now()`, `.seconds(2)`, `.make()`: a call whose type is the one that is wanted.
  private mutating func callImplicit(
    _ name: Word, _ call: CallSite, _ naming: Naming, isUsed: Bool, expecting: ValueType?,
    target: Register?
  ) -> Operand {
    if name == words.now {
      if !call.arguments.isEmpty || !call.closures.isEmpty {
        error(Messages.tooManyArguments("now"), call.range)
      }
      let register = target ?? frame.allocate()
      emit(.now(register), call.range)
      return .register(register, .instant)
    }
    if name == words.initializer, let type = madeType(expecting, call) {
      return lowerCall(renamed(call, type), isUsed: isUsed, expecting: expecting, target: target)
    }
    if case .handle(let handle) = expecting?.unwrapped, let type = vocabulary.type(of: handle) {
      return callStatic(name, of: type, call, naming, isUsed: isUsed, target: target)
    }
    if let made = length(name, call, target: target) { return made }
    if let own = staticName(name, of: expecting, call.callee.range) {
      return lowerCall(
        renamed(call, own), isUsed: isUsed, expecting: expecting, target: target)
    }
    if name == "random", let type = expecting?.unwrapped,
      let made = random("\(type)", call, target: target)
    {
      return made
    }
    walkStray(call)
    guard expecting != .unknown else { return .unknown }
    if let expecting, expecting.unwrapped != .instant {
      return refuse(unknownMember(name.text, of: expecting), call.callee.range)
    }
    if name.text == "success" || name.text == "failure" {
      return refuse(Messages.resultOfNoTask(name.text), call.callee.range)
    }
    return refuse(untyped(name.text, expecting), call.callee.range)
  }

  /// The same call of something else.
  mutating func renamed(_ call: CallSite, _ callee: Expression) -> CallSite {
    arena.node(
      Expression.Call(
        callee: callee, arguments: call.arguments, closures: call.closures, range: call.range))
  }

  private mutating func callNamed(
    _ name: Word, _ call: CallSite, _ naming: Naming, isUsed: Bool, expecting: ValueType?,
    target: Register?
  ) -> Operand {
    if let index = find(name) {
      scope[index].isUsed = true
      if scope[index].late >= 0 { noteReading(index, call.callee.range) }
      if case .function(let ordinal) = scope[index].meaning {
        if let made = callComputed(index, call, isUsed: isUsed, target: target) { return made }
        let meant = checker.overload(of: ordinal, for: call)
        return callFunction(meant, call, isUsed: isUsed, target: target)
      }
      if case .functionOf(let function) = scope[index].type.unwrapped {
        if !localFunctions.isEmpty,
          let made = callLocalFunction(index, call, isUsed: isUsed, target: target)
        {
          return made
        }
        guard case .register = scope[index].meaning else {
          let made = value(call.callee)
          return self.call(made, call, name: name.text, isUsed: isUsed, target: target)
        }
        return callClosure(index, function, call, isUsed: isUsed, target: target)
      }
      if let named = calledAsFunction(scope[index].type, call) {
        return lowerCall(named, isUsed: isUsed, expecting: expecting, target: target)
      }
      return refuseCall(of: scope[index], call)
    }
    if let own = ownMember(name, call.callee.range) {
      let call = arena.node(
        Expression.Call(
          callee: own, arguments: call.arguments, closures: call.closures, range: call.range))
      return lowerCall(call, isUsed: isUsed, expecting: nil, target: target)
    }
    if name == words.serialQueue { return serialQueue(call, naming, target: target) }
    if let index = checker.classIndex(of: name) {
      return makeInstance(index, call, naming, target: target)
    }
    if name == words.choice { return choice(call, expecting: expecting, target: target) }
    if let meaning = forms.meaning(of: name, in: .passUnretained(vocabulary.free), call, &checker) {
      return callMember(meaning, nil, call, naming, isUsed: isUsed, target: target)
    }
    if let made = guarded(name, call, naming, target: target) { return made }
    if let made = builtin(name.text, call, expecting: expecting, target: target) { return made }
    if let type = vocabulary.type(name), !type.initializers.isEmpty {
      let member = checker.overload(type.initializers, for: call)
      return callMember(
        CallMeaning(member), nil, call, naming, isUsed: isUsed, target: target)
    }
    if let own = checker.withoutClock(call) ?? checker.performOfLoop(name, call) {
      return lowerCall(own, isUsed: isUsed, expecting: .instant, target: target)
    }
    if let length = checker.laterDate(call) { return laterDate(length, call, target: target) }
    if let made = asyncNamed(name, call, isUsed: isUsed, expecting: expecting, target: target) {
      return made
    }
    return refuseCall(of: name, call)
  }

  /// `DispatchSerialQueue(label:)`, which is a queue that says so.
  private mutating func serialQueue(
    _ call: CallSite, _ naming: Naming, target: Register?
  ) -> Operand {
    let queue = arena.expression(
      kind: .name(words.queue), range: call.callee.range)
    if case .bound(let word) = naming { boundName = word }
    return lowerCall(renamed(call, queue), isUsed: true, expecting: nil, target: target)
  }

  /// Reports a call of a value that is no function, but may hide one.
  private mutating func refuseCall(of symbol: Symbol, _ call: CallSite) -> Operand {
    walkStray(call)
    let name = symbol.name
    if case .pending = symbol.meaning {
      return refuse(Messages.usedTooEarly(name.text), call.callee.range)
    }
    guard !symbol.type.isUnknown else { return .unknown }
    let isHiding = vocabulary.free.overloads(name) != nil
    return refuse(
      isHiding
        ? Messages.hidesFunction(name.text, line: checker.line(symbol.place))
        : Messages.notAFunction(name.text), call.callee.range)
  }

  // MARK: Functions of the trace

  mutating func callFunction(
    _ ordinal: Int, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let signature = functions[ordinal]
    let call = checker.gathered(call, for: signature.formals)
    if checker.overloaded.contains(signature.name) { return overloadedCall(call) }
    noteCall(of: ordinal, call.callee.range)
    guard
      let actuals = checker.match(signature.formals, call, name: signature.name, call.callee.range)
    else {
      walkStray(call)
      return Operand(type: signature.result.isVoid ? .void : .unknown, location: .constant(0))
    }
    let hop = beginCall(of: signature, call, actuals, call.callee.range)
    let made = emitCall(
      signature.formals, actuals, signature.standards, call, result: signature.result,
      function: ordinal, hop: hop, target: target
    ) { .call(signature.block, base: $0, $1) }
    comeBack(from: hop, with: made, call)
    if !isUsed && !signature.result.isVoid && !signature.isDiscardable {
      warn(Messages.unusedResult(signature.name), call.callee.range)
    }
    return made
  }

  /// Notes that the present block calls a function, which may need a thread.
  mutating func noteCall(of ordinal: Int, _ range: SourceRange) {
    needs.noteCall(of: ordinal, from: frame.caller, range, source)
  }

  private mutating func callClosure(
    _ index: Int32, _ function: FunctionNode, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let result = function.result
    let name = scope[index].name
    if depth > 0 { noteEscape(index) }
    let formals = function.parameters.enumerated().map {
      Formal(label: nil, type: $0.element, isOptional: false, slot: $0.offset)
    }
    guard var register = register(of: index),
      let actuals = checker.match(formals, call, name: name.text, call.callee.range)
    else {
      walkStray(call)
      return .unknown
    }
    if !isUsed && !result.isVoid { warn(Messages.unusedResult(name.text), call.callee.range) }
    let given = unwrap(.register(register, scope[index].type), call.callee.range)
    if case .register(let present) = given.location { register = present }
    let hop = beginCall(of: function, name.text, call.callee.range)
    let made = emitCall(
      formals, actuals, [], call, result: result, function: nil, hop: hop, target: target
    ) { .callClosure(register, base: $0, $1) }
    comeBack(from: hop, with: made, call)
    return made
  }

  /// Makes the closures that a call gives, in front of its window: with the numbers of their parameters.
  private mutating func closures(
    _ formals: [Formal], _ actuals: Actuals, _ call: CallSite
  ) -> [(Register, Int)] {
    var closures: [(Register, Int)] = []
    for (index, formal) in formals.enumerated() where formal.takesClosure {
      guard case .functionOf(let type) = formal.type.unwrapped else { continue }
      if let literal = closureLiteral(actuals[index], call) {
        let register = frame.allocate()
        makeClosure(
          literal, context: .anywhere, parameters: Array(type.parameters), result: type.result,
          traits: type.traits, target: register, place: call.place)
        closures.append((closureHeld(register, formal, call.place), index))
      } else if case .argument(let ordinal) = actuals[index],
        let named = checker.namedClosure(call.arguments[ordinal].value),
        case .function = named.callee,
        named.fits(formal)
      {
        let register = frame.allocate()
        wrapClosure(
          named, context: .anywhere, traits: type.traits, target: register, place: call.place)
        closures.append((closureHeld(register, formal, call.place), index))
      }
    }
    return closures
  }

  /// Puts the arguments into a window and appends the call.
  mutating func emitCall(
    _ formals: [Formal], _ actuals: Actuals, _ standards: [Expression?], _ call: CallSite,
    result: ValueType, function: Int?, receiver: CallReceiver = .none, hop: CallHop = .none,
    target: Register?,
    _ instruction: (Register, SiteID) -> Instruction
  ) -> Operand {
    let closures = closures(formals, actuals, call)
    if function == nil { noteMaybe() }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    var first = Int(base.index)
    if case .object(let object) = receiver { place(object, in: base, call.place) }
    if receiver.takesRoom {
      frame.next = max(frame.next, first + 1)
      first += 1
      if !formals.isEmpty { _ = frame.allocate() }
    }
    let ownCount = first - Int(base.index)
    let isFollowed = areFollowed(call.arguments.lazy.map(\.value))
    for (index, formal) in formals.enumerated() {
      if index > 0 { _ = frame.allocate() }
      let register = Register(first + index)
      if let (made, _) = closures.first(where: { $0.1 == index }) {
        emit(.copy(register, from: made), call.place)
      } else if case .argument(let ordinal) = actuals[index] {
        let written = call.arguments[ordinal].value
        let made = argument(written, formal, into: register)
        if isFollowed[ordinal] { place(steady(made, written), in: register, written.range) }
      }
      frame.next = first + index + 1
    }
    // Defaults come after all that the call gives, wherever they stand, as in Swift.
    for (index, formal) in formals.enumerated() {
      guard case .absent = actuals[index], let standard = standards[index] else { continue }
      standardArgument(standard, formal, of: function, receiver, into: Register(first + index))
      frame.next = first + formals.count
    }
    if case .changed(let object, let place) = receiver, case .register(let kept) = object.location {
      emit(.copy(kept, from: changeableCopy(place, call.place)), call.place)
      emit(.copy(base, from: kept), call.place)
      frame.next = first + formals.count
    }
    let owner = newInstance(receiver, in: base, call.place)
    leave(for: hop, arguments: first, call.place)
    frame.lastCall = frame.code.count
    emit(instruction(base, site()), call.place)
    frame.noteThrow()
    for (register, index) in closures {
      guard let function, frame.isReachable, !isCounting else { continue }
      frame.frees.append(
        ClosureFree(
          instruction: frame.code.count, function: function, parameter: index + ownCount))
      emit(.freeClosure(register), call.place)
    }
    frame.next = max(frame.next, Int(base.index) + 1)
    let made = finishWindow(base, result, target: target, call.place)
    return owner.map { .register($0.register, made.type) } ?? held(made, call.place)
  }

  /// The register of a closure that is made for a call, held until its statement ends where it is counted.
  private mutating func closureHeld(
    _ register: Register, _ formal: Formal, _ range: SourceRange
  ) -> Register {
    self.register(of: held(.register(register, formal.type), range), range)
  }

  /// Evaluates an argument into the register where the callee finds it.
  @discardableResult
  mutating func argument(
    _ expression: Expression, _ formal: Formal, into register: Register
  ) -> Operand {
    let made = value(expression, expecting: formal.type, target: register)
    checker.checkLiteral(expression, made, formal, earliest: frame.earliest)
    let result = kept(coerce(made, to: formal.type, expression.range), isVariable: false)
    place(result, in: register, expression.range)
    return result
  }

  /// The result of what was done in the window at `base`, moved to `target`.
  mutating func finishWindow(
    _ base: Register, _ result: ValueType, target: Register?, _ range: SourceRange
  ) -> Operand {
    guard !result.isVoid else {
      frame.next = max(Int(base.index), target.map { Int($0.index) + 1 } ?? 0)
      return .void
    }
    guard let target, target != base else {
      frame.next = Int(base.index) + 1
      return .register(base, result)
    }
    emit(.copy(target, from: base), range)
    frame.next = max(Int(base.index), Int(target.index) + 1)
    return .register(target, result)
  }
}
