import SpindleModel

/// Closures that are values: in variables, arrays, results.
extension Lowering {
  /// The closure that is written, of the type that is expected or that it says itself.
  mutating func closureValue(
    _ closure: Expression.Closure, expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    let caller = closureCaller
    closureCaller = nil
    if expecting?.isUnknown == true { return .unknown }
    var parameters: [ValueType] = []
    var result: ValueType?
    var traits: FunctionNode.Traits = []
    if case .functionOf(let function)? = expecting?.unwrapped {
      (parameters, result) = (Array(function.parameters), function.result)
      traits = function.traits
    } else if let types = closure.header?.types, !types.isEmpty {
      for type in types { parameters.append(checker.type(type)) }
    } else if let first = closure.parameters.first {
      error(Messages.untypedParameter(first.text), first.range)
      parameters = closure.parameters.map { _ in .unknown }
    }
    if result == nil, let written = closure.header?.result { result = checker.type(written) }
    let register = target ?? frame.allocate()
    let made = makeClosure(
      closure, context: .anywhere, caller: caller, parameters: parameters, result: result,
      isPostponed: false, traits: traits, target: register, place: range)
    if closure.isAwaiting || closure.header?.isAsync == true { traits.insert(.isAsync) }
    if let header = closure.header?.value, expecting?.isFunction != true {
      traits.formUnion(checker.traits(ClosureTraits(isolation: header.isolation)))
    }
    return held(
      .register(register, .function(parameters: parameters, result: made, traits: traits)), range)
  }

  /// Reports types in front of a closure's `in` that are not those of what it is given.
  mutating func checkHeader(
    _ closure: Expression.Closure, _ parameters: [ValueType], _ result: ValueType?
  ) {
    guard let header = closure.header?.value else { return }
    for (written, given) in zip(header.types, parameters) {
      if case .missing = written.kind { continue }
      let type = checker.type(written)
      if !type.accepts(given) && !given.isUnknown {
        error(Messages.mismatch(expected: "\(given)", found: "\(type)"), written.range)
      }
    }
    guard let written = header.result, let result else { return }
    let type = checker.type(written)
    if type != result && !type.isUnknown && !result.isUnknown {
      error(Messages.mismatch(expected: "\(result)", found: "\(type)"), written.range)
    }
  }

  /// The function of the trace that is called `name`, as a closure.
  mutating func functionValue(
    _ name: Word, _ traits: FunctionNode.Traits, target: Register?, _ range: SourceRange
  ) -> Operand {
    let written = arena.expression(kind: .name(name), range: range)
    guard let named = checker.namedClosure(written) else {
      return refuse(Messages.functionAsValue(name.text), range)
    }
    let register = target ?? frame.allocate()
    wrapClosure(named, context: .anywhere, traits: traits, target: register, place: range)
    var whole = named
    if traits.contains(.isAsync) { whole.traits.insert(.isAsync) }
    return held(.register(register, whole.type), range)
  }

  /// The type of the function that an expression is the name of, which a `let` or an array takes as a value; nil for
  /// anything else.
  mutating func functionType(of expression: Expression) -> ValueType? {
    let found: Int32? =
      switch expression.kind {
      case .name(let name): find(name)
      case .member(let member): checker.staticFunction(member.value)
      default: nil
      }
    guard let index = found, case .function(let ordinal) = scope[index].meaning,
      !statics.getters.contains(ordinal)
    else { return nil }
    return checker.namedClosure(expression)?.type
  }

  // MARK: Captures

  /// Evaluates what a closure's list captures, and declares it for the closure's body.
  mutating func declareCaptures(_ closure: Expression.Closure) {
    guard let captures = closure.header?.captures, !captures.isEmpty else { return }
    var symbols: [Symbol] = []
    for capture in captures where !isCaptureOfOwn(capture, closure) {
      let register = frame.allocate()
      let made = takenValue(capture, target: register)
      place(made, in: register, capture.value.range)
      frame.next = Int(register.index) + 1
      symbols.append(symbol(of: capture, register, made.type))
    }
    // All values are those of the code around it: '[weak self, cache]' takes the member 'cache' of 'self'.
    for symbol in symbols { scope.declare(symbol) }
  }

  /// What the list of a closure that runs in place takes, held until its statement ends; nothing is declared yet.
  mutating func taken(by closure: Expression.Closure) -> [Symbol] {
    guard let captures = closure.header?.captures, !captures.isEmpty else { return [] }
    var symbols: [Symbol] = []
    for capture in captures where !isCaptureOfOwn(capture, closure) {
      let next = frame.next
      var made = takenValue(capture, target: nil)
      if !capture.isWeak, !capture.isUnowned { made = shared(made, capture.value.range) }
      let register = frame.pinned()
      place(made, in: register, capture.value.range)
      frame.next = next
      symbols.append(symbol(of: capture, register, made.type))
    }
    return symbols
  }

  /// The value that a closure's list gives a name.
  private mutating func takenValue(
    _ capture: Expression.Capture, target: Register?
  ) -> Operand {
    let made = value(capture.value, target: target)
    return kept(storable(made, capture.value.range), isVariable: false)
  }

  private mutating func symbol(
    of capture: Expression.Capture, _ register: Register, _ given: ValueType
  ) -> Symbol {
    var type = given
    if capture.isWeak, !type.isUnknown {
      if type.hasIdentity {
        type = .optional(type.unwrapped)
      } else {
        error(Messages.captureOfNothing(capture.name.text), capture.name.range)
      }
    }
    return Symbol(
      name: capture.name.word, meaning: .register(register), type: type,
      place: capture.name.range, frame: Int32(depth), isWeak: capture.isWeak,
      isUnowned: capture.isUnowned && mayBeUnowned(type))
  }

  /// Whether it is `self`, which is there anyway: no instance that the closure holds, or an actor that its body takes
  /// all the same, and which it stays on.
  private func isCaptureOfOwn(_ capture: Expression.Capture, _ closure: Expression.Closure) -> Bool
  {
    guard capture.name.word == words.own, case .name(let name) = capture.value.kind,
      name == words.own
    else { return false }
    guard let own = find(words.own), scope[own].type.className != nil else { return true }
    guard case .instance(let type) = scope[own].type, !capture.isWeak, !capture.isUnowned else {
      return false
    }
    return checker.classes[checker.classes.index(of: type)].isActor && uses(own, closure)
  }

  // MARK: Calls

  /// Calls the closure that an operand is.
  mutating func call(
    _ made: Operand, _ call: CallSite, name: String, isUsed: Bool, target: Register?
  ) -> Operand {
    let given = unwrap(made, call.callee.range)
    if let named = calledAsFunction(given.type, call) {
      return self.call(named, of: given, isUsed: isUsed, target: target)
    }
    guard case .functionOf(let function) = given.type else {
      walkStray(call)
      return given.type.isUnknown
        ? .unknown : refuse(Messages.notAFunction("\(given.type)"), call.callee.range)
    }
    let formals = function.parameters.enumerated().map {
      Formal(label: nil, type: $0.element, isOptional: false, slot: $0.offset)
    }
    guard let actuals = checker.match(formals, call, name: name, call.callee.range) else {
      walkStray(call)
      return .unknown
    }
    if !isUsed && !function.result.isVoid {
      warn(Messages.unusedResult(name), call.callee.range)
    }
    let register = register(of: given, call.callee.range)
    let hop = beginCall(of: function, name, call.callee.range)
    let result = emitCall(
      formals, actuals, [], call, result: function.result, function: nil, hop: hop, target: target
    ) { .callClosure(register, base: $0, $1) }
    comeBack(from: hop, with: result, call)
    return result
  }

  /// `completion?(1)`: nothing of it is done when the closure is nil.
  mutating func callBound(
    _ inner: Expression, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let made = bound(inner, target: nil)
    let name = source.text(in: inner.range)
    return self.call(made, call, name: name, isUsed: isUsed, target: target)
  }

  /// Notes that a closure which a function was given may outlive the call.
  mutating func noteEscape(_ index: Int32) {
    guard scope[index].type.isFunction, case .function(let ordinal) = code.outermostContext,
      case .register(let register) = scope[index].meaning, scope[index].frame == 0,
      Int(register.index) < functions[ordinal].escapes.count
    else { return }
    functions[ordinal].escapes[Int(register.index)] = true
  }

  // MARK: Where a call takes a closure

  /// Puts a closure into `register` that calls the one that an expression gives; false where the expression names a
  /// closure or a function, or can't give any.
  mutating func wrapValue(
    _ expression: Expression, _ formal: Formal, _ register: Register, _ range: SourceRange
  ) -> Bool {
    guard isClosureValue(expression) else { return false }
    let own = frame.allocate()
    let made = value(expression, expecting: formal.type, target: own)
    guard made.type.isFunction else {
      refuseClosure(made, expression)
      return true
    }
    if case .optionalOf = made.type, formal.type == formal.type.unwrapped {
      error(Messages.optionalClosure(source.text(in: expression.range)), expression.range)
      return true
    }
    place(made, in: own, range)
    frame.next = max(frame.next, Int(own.index) + 1)
    guard case .optionalOf(let wrapped) = made.type else {
      wrap(.register(own, made.type), formal, register, range)
      return true
    }
    // `op.completionBlock = handler`, which may be nil.
    let end = frame.label()
    emit(.constant(noValue, to: register), range)
    jump(ifMissing: own, to: end, range)
    wrap(.register(own, wrapped.type), formal, register, range)
    frame.mark(end)
    return true
  }

  /// Puts a closure into `register` that calls `made`, which is one.
  private mutating func wrap(
    _ made: Operand, _ formal: Formal, _ register: Register, _ range: SourceRange
  ) {
    guard case .functionOf(let function) = made.type else { return }
    let mark = scope.count
    _ = standIn(for: made, range)
    let named = NamedClosure(
      callee: .symbol(Int32(mark)), parameters: Array(function.parameters),
      result: function.result, traits: function.traits)
    if named.fits(formal) {
      wrapGiven(named, target: register, place: range)
    } else {
      let expected = formal.type == Formal.plainClosure ? "a closure" : "\(formal.type)"
      error(Messages.mismatch(expected: expected, found: "\(named.type)"), range)
    }
    scope.close(downTo: mark)
  }

  /// Whether what an expression gives is read or made now, and may be a closure: nothing that a name stands for by
  /// itself.
  private func isClosureValue(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name):
      // A name that nothing else has is that of a member.
      guard let index = find(name) else { return true }
      if case .optionalOf = scope[index].type { return true }
      guard scope[index].type.isFunction else { return false }
      switch scope[index].meaning {
      case .variable, .cell, .global, .shared: return true
      case .constant, .register, .function, .pending: return false
      }
    case .member, .call, .element, .conditional, .coalesce, .unwrap, .bind, .chain, .await,
      .attempt:
      return true
    case .integer, .decimal, .duration, .size, .percent, .text, .string, .boolean, .none,
      .implicitMember, .array, .dictionary, .prefix, .infix, .range, .closure, .specialized,
      .condition, .match, .missing:
      return false
    }
  }
}
