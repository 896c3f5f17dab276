import SpindleModel

/// What stands at the top of a trace, to code.
extension Lowering {
  mutating func declareFunction(_ function: Declaration.Function) {
    var formals: [Formal] = []
    for (ordinal, parameter) in function.parameters.enumerated() {
      formals.append(Formal(parameter, checker.type(parameter.type), slot: ordinal))
    }
    let result = function.result.map { checker.type($0) } ?? .void
    checkIsolated(function.parameters, formals)
    functions.append(
      FunctionSignature(
        name: function.name.text, formals: formals, standards: function.parameters.map(\.standard),
        result: result, isDiscardable: function.isDiscardable, isAsync: function.isAsync,
        isolation: function.isolation,
        isolatedParameter: function.parameters.firstIndex(where: \.isIsolated),
        block: code.reserveBlock(), escapes: formals.map { _ in false }))
    needs.addFunction()
    checker.declareFunctionAtTop(function.name, functions.count - 1)
  }

  mutating func setMode(_ mode: Expression?) {
    guard let mode else { return }
    if case .implicitMember("tool") = mode.kind {
      program.mainIsTool = true
    } else {
      error(Messages.mainMode, mode.range)
    }
  }

  // MARK: Initialisers

  mutating func lowerInitializers(_ bindings: [Binding]) {
    guard !bindings.isEmpty else { return }
    let block = reserveBlock()
    beginFrame(.top, name: intern("top"))
    for binding in bindings where binding.isLazy { declareLazy(binding) }
    for binding in bindings {
      if binding.isLazy {
        declareLazy(binding)
        continue
      }
      isTopForGood = !binding.isVariable
      lowerGlobal(binding)
    }
    isTopForGood = false
    let place = bindings[bindings.count - 1].value.range
    endFrame(block, SourceRange(Int(place.upperBound), Int(place.upperBound)))
    program.initializer = block
    earlyReads.isPossible = code.calls(block)
  }

  private mutating func lowerGlobal(_ binding: Binding) {
    if binding.second != nil { return lowerGlobalPair(binding) }
    let errors = checker.diagnosis.count
    let annotated = binding.type.map { checker.type($0) }
    let isRefused = checker.diagnosis.count > errors
    let register = frame.allocate()
    frame.asynchrony.home = topSymbol(binding.name).flatMap { statics.homes[$0] } ?? .pool
    var made = initialValue(binding, expecting: annotated, target: register)
    let range = binding.value.range
    if let annotated { made = coerce(made, to: annotated, range) }
    made = storable(made, range)
    if isRefused { made.type = .unknown }
    if binding.isWeak { made.type = weakType(made.type, binding) }
    place(kept(made, isVariable: true), in: register, range)
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(
        name: binding.name.text, format: made.type.format, told: made.type.toldFormat,
        isVariable: binding.isVariable, place: binding.name.range, handle: made.type.handle,
        life: binding.isWeak ? nil : lifeKind(made.type), isClosure: made.type.isFunction))
    emit(.storeGlobal(global, from: register), range)
    releaseTemporaries(from: 0, range)
    frame.temporaries.removeAll()
    frame.next = 0
    guard let index = topSymbol(binding.name) else { return }
    globals.note(index, global)
    scope[index].type = made.type
    scope[index].isWeak = binding.isWeak
    if binding.isTaskLocal { return declareTaskLocal(index, made, global, binding) }
    noteBinding(binding, made.type, isAtTop: true)
    if binding.isVariable {
      scope[index].meaning = .shared(global)
    } else if let constant = made.constant, made.type != .unknown {
      scope[index].meaning = .constant(constant)
    } else {
      scope[index].meaning = .global(global)
      if case .handle(let handle) = made.type {
        usage.noteLock(index, handle, binding.name.range)
      }
    }
  }

  /// `let (stream, input) = AsyncStream.makeStream(…)` at the top.
  private mutating func lowerGlobalPair(_ binding: Binding) {
    guard let second = binding.second, let (call, element) = streamCall(binding.value) else {
      let made = value(binding.value, expecting: .unknown)
      if !made.type.isUnknown { error(Messages.pairValue, binding.value.range) }
      return
    }
    let stream = frame.allocate()
    makeStream(call, stream, of: element)
    for (name, handle) in [(binding.name, HandleClass.asyncStream), (second, .streamInput)] {
      let global = GlobalID(program.globals.count)
      program.globals.append(
        Global(
          name: name.text, format: .object, isVariable: false, place: name.range, handle: handle))
      emit(.storeGlobal(global, from: stream), binding.value.range)
      guard let index = topSymbol(name) else { continue }
      globals.note(index, global)
      scope[index].type = .generic(handle, of: element)
      scope[index].meaning = .global(global)
    }
    frame.next = 0
  }

  /// The symbol at the top that was declared at this place.
  func topSymbol(_ name: Name) -> Int32? {
    scope.findAtTop(name.word).flatMap { scope[$0].place == name.range ? $0 : nil }
  }

  private mutating func initialValue(
    _ binding: Binding, expecting: ValueType?, target: Register
  ) -> Operand {
    let name = binding.name.word
    guard let replacement = replacements.last(where: { name.text == $0.name }) else {
      if case .call = binding.value.kind { boundName = name }
      defer { boundName = nil }
      return boundValue(binding, expecting: expecting, target: target)
    }
    frame.isReachable = false
    let original = value(binding.value, expecting: expecting)
    frame.isReachable = true
    frame.next = Int(target.index) + 1
    if !binding.isVariable, case .handle(let handle) = original.type {
      if handle.isExecutor { return replacedValue(replacement, name, target: target) }
      if handle.isLock, case .call(let call) = binding.value.kind {
        return replacedLock(replacement, call, handle, name, target: target)
      }
    }
    if original.type != .unknown { checker.refuseReplacement(replacement) }
    return original
  }

  // MARK: Bodies

  mutating func lowerMain(_ body: CodeBlock) {
    var main = beginMain()
    lowerStatements(of: body, in: &main.block)
    endMain(&main, closingBrace(body))
  }

  /// The body of `main` while its statements are lowered.
  struct OpenMain {
    fileprivate let id: BlockID
    var block: OpenBlock
  }

  /// Begins the body of `main`.
  mutating func beginMain() -> OpenMain {
    let id = reserveBlock()
    beginFrame(.thread, name: WellKnownName.main.id)
    frame.asynchrony.suspending = program.mainIsTool ? .yes : .no
    (frame.asynchrony.home, frame.asynchrony.isMain) = (.mainActor, true)
    let main = OpenMain(id: id, block: openBlock())
    mainBlocks = openBlocks
    return main
  }

  /// Ends it, at the brace at `place`.
  mutating func endMain(_ main: inout OpenMain, _ place: SourceRange) {
    close(&main.block)
    mainBlocks = -1
    endFrame(main.id, place)
    program.main = main.id
  }

  mutating func lowerFunction(_ function: Declaration.Function, _ ordinal: Int) {
    let signature = functions[ordinal]
    checkStandards(function.parameters, signature)
    beginFrame(.function(ordinal), name: intern(signature.name), result: signature.result)
    let mark = scope.count
    blockStart = mark
    for (formal, parameter) in zip(signature.formals, function.parameters) {
      let register = frame.allocate()
      declareLocal(parameter.name, .register(register), formal.type)
    }
    frame.parameterCount = signature.formals.count
    beginAsync(signature, function.body, own: isolated(signature, function.parameters))
    lowerBody(Expression.Closure(parameters: SyntaxList(), body: function.body), parameters: [])
    endFrame(signature.block, closingBrace(function.body))
    scope.close(downTo: mark)
  }

  /// The symbol of the parameter on whose actor a function runs; nil for none.
  func isolated(
    _ signature: FunctionSignature, _ parameters: some Sequence<Declaration.Function.Parameter>
  ) -> Int32? {
    guard signature.isolatedParameter != nil else { return nil }
    return parameters.first(where: \.isIsolated).flatMap { scope.find($0.name.word) }
  }

  /// Reports an `isolated` parameter that is no actor.
  mutating func checkIsolated(
    _ parameters: some Sequence<Declaration.Function.Parameter>, _ formals: [Formal]
  ) {
    for (formal, parameter) in zip(formals, parameters) where parameter.isIsolated {
      if case .instance(let className) = formal.type,
        checker.classes[checker.classes.index(of: className)].isActor
      {
        continue
      }
      if !formal.type.isUnknown {
        error(Messages.isolatedParameter("\(formal.type)"), parameter.type.range)
      }
    }
  }

  /// Checks the defaults of a function's parameters, even where no call needs them.
  mutating func checkStandards(
    _ parameters: [Declaration.Function.Parameter], _ signature: FunctionSignature
  ) {
    for (formal, standard) in zip(signature.formals, parameters.map(\.standard)) {
      guard let standard else { continue }
      beginFrame(.anywhere, name: .none)
      argument(standard, formal, into: frame.allocate())
      abandonFrame()
    }
  }
}
