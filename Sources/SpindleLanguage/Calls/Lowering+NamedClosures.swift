import SpindleModel

/// Closures that a row of the vocabulary is given: written where they stand, or by name.
extension Lowering {
  /// Puts the closure that a call gives for `formal` into `register`, or nothing for one left out.
  mutating func fillClosure(
    _ actual: Actual, _ formal: Formal, captured: Register?, _ call: CallSite, _ register: Register
  ) {
    if let literal = closureLiteral(actual, call) {
      fillClosure(
        literal, formal, captured: captured, asynchrony(of: formal, call, literal), register,
        call.place)
    } else if case .argument(let ordinal) = actual {
      let expression = call.arguments[ordinal].value
      fillClosure(
        expression, formal, captured: captured, asynchrony(of: formal, call), register,
        expression.range)
    } else {
      emit(.constant(noValue, to: register), call.place)
    }
  }

  /// Puts the closure that `expression` is into `register`.
  mutating func fillClosure(
    _ expression: Expression, _ formal: Formal, captured: Register?,
    _ asynchrony: Frame.Asynchrony, _ register: Register, _ range: SourceRange
  ) {
    switch expression.kind {
    case .closure(let literal):
      fillClosure(literal.value, formal, captured: captured, asynchrony, register, range)
    // A source's handler is taken away so.
    case .none where formal.isOptional || formal.inherits && formal.label?.text == "handler":
      emit(.constant(noValue, to: register), range)
    default:
      if case .functionOf(let function) = formal.type.unwrapped {
        let mark = scope.count
        defer { scope.close(downTo: mark) }
        if let closure = spelledOut(expression, taking: function.parameters.count) {
          return fillClosure(closure, formal, captured: captured, asynchrony, register, range)
        }
      }
      if wrapValue(expression, formal, register, range) { return }
      guard let named = checker.namedClosure(expression) else {
        refuseClosure(value(expression), expression)
        return
      }
      guard named.fits(formal) else {
        let expected = formal.type == Formal.plainClosure ? "a closure" : "\(formal.type)"
        error(Messages.mismatch(expected: expected, found: "\(named.type)"), range)
        return
      }
      if case .symbol(let index) = named.callee { noteEscape(index) }
      wrapGiven(named, target: register, place: range)
    }
  }

  /// Makes a closure in `target` that calls what a call of the library is given, which has a type already: that of a
  /// task may wait.
  mutating func wrapGiven(_ named: NamedClosure, target: Register, place: SourceRange) {
    let isTask = taskClosure != nil
    if isTask { (taskClosure, taskResult) = (nil, named.result) }
    wrapClosure(
      named, context: .thread, traits: isTask ? .isAsync : [], target: target, place: place)
  }

  private mutating func fillClosure(
    _ literal: Expression.Closure, _ formal: Formal, captured: Register?,
    _ asynchrony: Frame.Asynchrony, _ register: Register, _ range: SourceRange
  ) {
    guard case .functionOf(let function) = formal.type.unwrapped else { return }
    let (parameters, result) = (function.parameters, function.result)
    var literal = literal
    let written = literal.parameters.count - (captured == nil ? 0 : 1)
    literal.parameters = parametersWithSelf(literal, parameters.first, named: written)
    let named = literal.parameters.count - (captured == nil ? 0 : 1)
    if let task = taskClosure {
      taskClosure = nil
      var asynchrony = Frame.Asynchrony()
      (asynchrony.suspending, asynchrony.home) = (.yes, task.home)
      taskResult = makeClosure(
        literal, context: .thread,
        result: literal.header?.result.map { checker.type($0) } ?? task.result,
        asynchrony: asynchrony, target: register, place: range)
      return
    }
    makeClosure(
      literal, context: formal.runs == .asked ? .asked : .thread,
      parameters: Array(parameters.prefix(max(0, named))),
      result: result, captured: captured, runs: formal.runs, asynchrony: asynchrony,
      target: register, place: range)
  }

  /// What the body of a closure is of Swift concurrency that a call of the library is given: the main actor's where
  /// the call says `DispatchQueue.main`, and no actor's where it is `@Sendable`.
  ///
  /// Source: swift:lib/Sema/TypeCheckConcurrency.cpp, isDispatchQueueOperationName; lib/Sema/CSSyntacticElement.cpp,
  /// isMainDispatchQueueMember.
  /// What is no `@Sendable` belongs to the actor of the code that it is formed in. Since the library knows of none it
  /// looks at its entry whether it is there, in the language mode of Swift 6: SE-0423; Swift 6.3.1 was run with each row
  /// that takes a closure. There `main` is the main actor's too; here only code with an explicit isolation is checked, since a trace may
  /// model a program in the mode of Swift 5.
  private mutating func asynchrony(
    of formal: Formal, _ call: CallSite, _ literal: Expression.Closure? = nil
  ) -> Frame.Asynchrony {
    if isOnMainQueue(call.callee) { return .onMain }
    guard formal.inherits, literal?.header?.isSendable != true else { return .outside }
    var made = Frame.Asynchrony()
    made.home = home(of: literal, inherits: true)
    made.checksHome = literal != nil && made.home != .pool && saysHome
    return made
  }

  /// Whether what is called hands work to `DispatchQueue.main`, named so.
  mutating func isOnMainQueue(_ callee: Expression) -> Bool {
    guard case .member(let member) = callee.kind, case .member(let queue) = member.base.kind,
      queue.name == "main", case .name(words.queue) = queue.base.kind
    else { return false }
    return ["async", "asyncAfter", "sync", "asyncAndWait"].contains(member.name.text)
  }

  /// Reports something that stands where a closure is taken.
  mutating func refuseClosure(_ made: Operand, _ expression: Expression) {
    guard !made.type.isUnknown else { return }
    if case .optionalOf(let wrapped) = made.type, case .functionOf(let function) = wrapped.type,
      function.parameters.isEmpty
    {
      error(Messages.optionalClosure(source.text(in: expression.range)), expression.range)
      return
    }
    error(Messages.mismatch(expected: "a closure", found: "\(made.type)"), expression.range)
  }

  /// Calls what is named, with the arguments that stand from `base` on.
  mutating func call(_ named: NamedClosure, base: Register, _ range: SourceRange) {
    switch named.callee {
    case .symbol(let index):
      guard let inner = closure(of: index, range) else { return }
      if !named.traits.contains(.isAsync), let home = Home(named.traits) { visit(home, range) }
      emit(.callClosure(inner, base: base, site()), range)
    case .function(let ordinal):
      noteCall(of: ordinal, range)
      visit(functions[ordinal], range)
      emit(.call(functions[ordinal].block, base: base, site()), range)
    case .method(let ordinal, let own):
      noteCall(of: ordinal, range)
      guard let instance = register(of: own) else { return }
      let window = frame.allocate(named.parameters.count + 1)
      visit(functions[ordinal], range)
      emit(.copy(window, from: instance), range)
      for number in named.parameters.indices {
        emit(
          .copy(
            Register(Int(window.index) + 1 + number), from: Register(Int(base.index) + number)),
          range)
      }
      emit(.call(functions[ordinal].block, base: window, site()), range)
      if !named.result.isVoid { emit(.copy(base, from: window), range) }
    }
    frame.noteThrow()
  }

  /// In a closure that may wait: goes on where a function runs that can't.
  private mutating func visit(_ signature: FunctionSignature, _ range: SourceRange) {
    guard !signature.isAsync else { return }
    switch signature.isolation {
    case .mainActor: visit(.mainActor, range)
    case .global(let actor): visit(home(of: actor), range)
    case .own, .nonisolated, .nonsending, .unspecified: break
    }
  }

  private mutating func visit(_ home: Home, _ range: SourceRange) {
    if frame.asynchrony.suspending == .yes, home != .pool { hop(to: home, range) }
  }

  /// `self.run`, `model.load`: a closure that calls a method, and holds the instance; nil for a method that is no
  /// plain one of a class.
  mutating func methodValue(
    _ object: Operand, _ index: Int, _ name: Word, target: Register?, _ range: SourceRange
  ) -> Operand? {
    let found = checker.classes[index].methods.filter { $0.name == name }.map(\.ordinal)
    guard found.count == 1, let ordinal = found.first, !isValue(object.type) else { return nil }
    let signature = functions[ordinal]
    // One of an actor that can't wait is the actor's wherever it is called, which no type says.
    if case .own = signature.isolation, !signature.isAsync { return nil }
    guard signature.isolatedParameter == nil,
      !signature.formals.contains(where: { $0.takesClosure })
    else { return nil }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    _ = standIn(for: object, range)
    let named = NamedClosure(
      callee: .method(ordinal, of: Int32(mark)), parameters: signature.formals.map(\.type),
      result: signature.result, traits: checker.traits(of: signature))
    let register = target ?? frame.allocate()
    wrapClosure(
      named, context: .anywhere, traits: named.traits, target: register, place: range)
    return held(.register(register, named.type), range)
  }

  /// What to say of a method that is no value: the closure that calls it.
  mutating func methodAsValue(
    _ object: Operand, _ index: Int, _ name: Word, _ range: SourceRange
  ) -> String {
    let found = checker.classes[index].methods.filter { $0.name == name }.map(\.ordinal)
    guard found.count == 1, let ordinal = found.first else {
      return Messages.functionAsValue(name.text)
    }
    let signature = functions[ordinal]
    var isAwaited = signature.isAsync
    if case .own = signature.isolation {
      isAwaited = isAwaited || isElsewhere(.object(register(of: object, range)))
    }
    let given = signature.formals.enumerated().map { number, formal in
      formal.label.map { "\($0.text): $\(number)" } ?? "$\(number)"
    }
    let call = "\(source.text(in: range))(\(given.joined(separator: ", ")))"
    return Messages.methodAsValue(name.text, isAwaited ? "await \(call)" : call)
  }

  /// What an expression names, or the closure that it gives; reports anything else.
  mutating func closureToRun(_ expression: Expression) -> NamedClosure? {
    if let named = checker.namedClosure(expression) { return named }
    let made = value(expression)
    guard case .functionOf(let function) = made.type else {
      refuseClosure(made, expression)
      return nil
    }
    _ = standIn(for: made, expression.range)
    return NamedClosure(
      callee: .symbol(Int32(scope.count - 1)), parameters: Array(function.parameters),
      result: function.result, traits: function.traits)
  }

  /// Makes a closure in `target` that calls what is named, of a type that says whether it may wait.
  mutating func wrapClosure(
    _ named: NamedClosure, context: Frame.Context, traits: FunctionNode.Traits = [],
    target: Register, place: SourceRange
  ) {
    let block = reserveBlock()
    beginFrame(context, name: code.closureName, result: named.result)
    if traits.contains(.isAsync) { frame.asynchrony.suspending = .yes }
    frame.parameterCount = named.parameters.count
    let base = frame.allocate(max(1, named.parameters.count))
    call(named, base: base, place)
    if !named.result.isVoid {
      if isCounting { emit(.releaseOwned, place) }
      emit(.finishWith(base), place)
      frame.isReachable = false
    }
    let captures = frame.captures
    endFrame(block, place)
    let first = frame.next
    for (ordinal, symbol) in captures.enumerated() {
      guard let from = register(of: symbol) else { continue }
      emit(.copy(Register(first + ordinal), from: from), place)
    }
    frame.high = max(frame.high, first + captures.count)
    emit(.closure(target, block, base: Register(first)), place)
  }
}
