import SpindleModel

/// Members of tasks, groups, continuations and streams that are more than their rows.
extension Lowering {
  /// What is known of the closure of a task while it is made.
  struct TaskClosure {
    var home: Home
    /// What it is to give; nil where that is found out.
    var result: ValueType?
  }

  /// A call of a member of Swift concurrency whose types depend on its objects; nil for any other.
  mutating func asyncCall(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, target: Register?
  ) -> Operand? {
    guard case .perform(let primitive) = member.action else { return nil }
    switch primitive {
    case .task(.make): return makeTask(member, actuals, call, naming, target: target)
    case .taskGroup(.add): return addTask(member, actuals, receiver, call, naming, target: target)
    case .taskGroup(.next):
      var made = perform(member, actuals, receiver, call, naming, target: target)
      let element = receiver?.object.type.element ?? .void
      made.type = .optional(element)
      return held(made, call.place)
    case .task(.get):
      var made = perform(member, actuals, receiver, call, naming, target: target)
      frame.noteThrow()
      made.type = receiver?.object.type.element ?? .void
      return shared(made, call.place)
    case .continuation(.resume), .asyncStream(.yield):
      return handOver(member, actuals, receiver, call, target: target)
    default: return nil
    }
  }

  /// The registers of calls that make tasks, as far as this file fills them.
  private enum TaskWindow {
    static let (making, executor, closure, life, count) = (4, 5, 6, 7, 8)
    /// Of a task that is added to a group.
    static let adding = 7
  }

  // MARK: Making tasks

  private mutating func makeTask(
    _ member: Member, _ actuals: Actuals, _ call: CallSite, _ naming: Naming, target: Register?
  ) -> Operand {
    if case .top = frame.context {
      checker.diagnosis.error(Messages.taskAtTop, call.callee.range, belongsInMain: true)
      return .unknown
    }
    let closure = closureLiteral(actuals[member.formals.count - 1], call)
    // Source: Swift 6.3's _Concurrency.swiftinterface: with 'executorPreference:', which may be nil, the closure of
    // 'Task(…)' does not inherit an actor; that of 'Task.immediate' always does.
    let isPlain = member.name == "Task"
    let inherits =
      isPlain ? !gives(member, actuals, "executorPreference") : member.name != "detached"
    let home = home(of: closure, inherits: inherits, always: member.name == "immediate")
    let isOfNothing = wantedResult?.unwrapped == .handle(.task) && closure?.isOneValue == true
    var made = performMaking(
      member, actuals, nil, call, naming, home: home, gives: isOfNothing ? .void : nil,
      target: target)
    made.type = .generic(.task, of: taskResult)
    return counted(task: made, call.place)
  }

  /// A new task, reference-counted where the task or its result may hold counted objects.
  private mutating func counted(task made: Operand, _ range: SourceRange) -> Operand {
    libraryLives.noteMaking(.task)
    guard let kind = lifeKind(made.type), case .register(let task) = made.location else {
      return made
    }
    emit(.countElements(task, kind), range)
    return held(made, range)
  }

  /// Says in the window of a call that makes a task what it holds that the task gives.
  private mutating func placeLife(
    ofResult result: ValueType, _ base: Register, _ range: SourceRange
  ) {
    guard let kind = lifeKind(result) else { return }
    emit(.constant(Int64(kind.raw), to: Register(Int(base.index) + TaskWindow.life)), range)
  }

  private mutating func addTask(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, target: Register?
  ) -> Operand {
    let closure = closureLiteral(actuals[member.formals.count - 1], call)
    // Source: SE-0472: only what begins at once inherits where its maker runs.
    let isImmediate = member.name.hasPrefix("addImmediate")
    let home = home(of: closure, inherits: isImmediate, always: isImmediate)
    let element = receiver?.object.type.element ?? .void
    // What stands alone in a closure that is to give nothing is dropped, as in Swift.
    let gives: ValueType? =
      element.isVoid && !groupIsUnsaid && closure?.isOneValue == true ? .void : nil
    let made = performMaking(
      member, actuals, receiver, call, naming, home: home, gives: gives, target: target)
    if element.isVoid && !taskResult.isVoid && !taskResult.isUnknown {
      let isOptional = taskResult.unwrapped != taskResult
      error(
        isOptional ? Messages.optionalElement : Messages.groupElement("\(taskResult)"),
        nameRange(of: call.callee))
    } else if !element.accepts(taskResult) && !element.isVoid {
      error(
        Messages.mismatch(expected: "\(element)", found: "\(taskResult)"),
        nameRange(of: call.callee))
    }
    return made
  }

  /// What a task is to give: as its type says, `Task<Int, any Error> { }`, or the group that it is a child of.
  private func wantedElement(of receiver: Receiver?) -> ValueType? {
    let type = receiver?.object.type ?? wantedResult?.unwrapped
    guard case .generic(.task, let node)? = type else {
      guard case .generic(.taskGroup, let node)? = type else { return nil }
      return node.type
    }
    return node.type
  }

  /// Makes a task; its closure may wait, and what it gives is found out.
  private mutating func performMaking(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, home: Home, gives: ValueType? = nil, target: Register?
  ) -> Operand {
    let base =
      receiver?.window ?? target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let outer = taskClosure
    taskClosure = TaskClosure(home: home, result: gives ?? wantedElement(of: receiver))
    taskResult = .unknown
    fillWindow(base, member, actuals, receiver, call, naming)
    taskClosure = outer
    placeExecutor(of: home, in: Register(Int(base.index) + TaskWindow.executor), call.place)
    if isNamed(member, actuals, call) { noteName(member, base, call.place) }
    guard case .perform(let primitive) = member.action else {
      preconditionFailure("'\(member.name)' makes no task")
    }
    if receiver == nil { placeLife(ofResult: taskResult, base, call.place) }
    emit(.perform(primitive, base: base, site()), call.place)
    return finishWindow(base, member.result, target: target, call.place)
  }

  /// Whether a call gives the argument with a label.
  private func gives(_ member: Member, _ actuals: Actuals, _ label: String) -> Bool {
    argument(label, member, actuals) != nil
  }

  private func argument(_ label: String, _ member: Member, _ actuals: Actuals) -> Int? {
    for (index, formal) in member.formals.enumerated() where formal.label?.text == label {
      if case .argument(let ordinal) = actuals[index] { return ordinal }
    }
    return nil
  }

  /// Whether a call names the task that it makes: what a variable is called names it for the simulator only.
  ///
  /// Source: SE-0469: without a name `Task.name` is nil.
  private func isNamed(_ member: Member, _ actuals: Actuals, _ call: CallSite) -> Bool {
    guard let ordinal = argument("name", member, actuals) else { return false }
    if case .none = call.arguments[ordinal].value.kind { return false }
    return true
  }

  /// Says in the window of a call that makes a task that the program names it.
  private mutating func noteName(_ member: Member, _ base: Register, _ range: SourceRange) {
    let isChild = if case .perform(.taskGroup) = member.action { true } else { false }
    let place = isChild ? TaskWindow.adding : TaskWindow.making
    guard case .constant(let value) = member.steps[place].kind else {
      preconditionFailure("'\(member.name)' does not say how its task is made")
    }
    let named = isChild ? TaskAdding.named.rawValue : TaskMaking.named
    emit(.constant(value | named, to: Register(Int(base.index) + place)), range)
  }

  // MARK: Values for others

  /// `resume(returning: x)`, `yield(x)`: the value has the type that the object gives.
  private mutating func handOver(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    target: Register?
  ) -> Operand {
    guard let receiver else { return .unknown }
    let base = receiver.window
    place(receiver.object, in: base, call.place)
    frame.next = Int(base.index) + 1
    let register = frame.allocate()
    let element = handedElement(of: receiver.object.type)
    var handed = element
    if let formal = member.formals.first, case .argument(let ordinal) = actuals[0] {
      let written = call.arguments[ordinal].value
      if element.isVoid {
        error(Messages.mismatch(expected: "no value", found: "a value"), written.range)
      } else {
        var wanted = formal
        wanted.type = element
        let made = argument(written, wanted, into: register)
        noteHandover(made.type, to: receiver.object.type)
        if element.isUnknown { handed = made.type }
        // Until somebody takes it, what it is handed to holds it.
        if let kind = lifeKind(handed) {
          emit(.keep(register, kind), written.range)
        }
      }
    } else {
      noteHandover(.void, to: receiver.object.type)
      if !element.isVoid && !element.isUnknown {
        error(Messages.missingValue("\(element)", of: member.name), nameRange(of: call.callee))
      }
      // Of an element that says nothing it must be told that it is there.
      emit(.constant(member.name == "resume" ? noValue : 0, to: register), call.place)
    }
    guard case .perform(let primitive) = member.action else { return .unknown }
    emit(.perform(primitive, base: base, noSite), call.place)
    if case .continuation = primitive {
      trapIfResumed(receiver.object, base, with: .register(register, handed), call)
    }
    return finishWindow(base, member.result, target: target, call.place)
  }

  // MARK: async let

  /// `async let a = f()`: a child task; gives what cancels and awaits it at the end of the scope.
  mutating func lowerAsyncLet(_ binding: Binding, _ range: SourceRange) -> OpenDefer? {
    if frame.asynchrony.suspending == .no { error(Messages.asyncLetInSync, range) }
    if frame.asynchrony.isMain { program.mainIsAsync = true }
    let mark = frame.temporaries.count
    let task = frame.allocate()
    let first = frame.allocate(TaskWindow.count)
    let place = binding.value.range
    emit(.constant(Int64(intern(binding.name.word).index), to: first), place)
    emit(
      .constant(code.kind(pattern: intern(binding.name.word)), to: Register(Int(first.index) + 1)),
      place)
    emit(.constant(noValue, to: Register(Int(first.index) + 2)), place)
    emit(.constant(noValue, to: Register(Int(first.index) + 3)), place)
    let making = TaskMaking(.asyncLet, isNamed: false)
    emit(
      .constant(making.rawValue, to: Register(Int(first.index) + TaskWindow.making)), place)
    emit(.constant(-1, to: Register(Int(first.index) + TaskWindow.executor)), place)
    let statement = Statement(kind: .expression(binding.value), range: place)
    let body = Expression.Closure(
      parameters: SyntaxList(), body: CodeBlock(statements: arena.list([statement]), range: place))
    var asynchrony = Frame.Asynchrony()
    (asynchrony.suspending, asynchrony.awaits) = (.yes, 1)
    asynchrony.tries = isTried(binding.name, from: range.upperBound) ? 1 : 0
    let annotated = binding.type.map { checker.type($0) }
    let result = makeClosure(
      body, context: .thread, result: annotated, asynchrony: asynchrony,
      target: Register(Int(first.index) + TaskWindow.closure), place: place)
    emit(.constant(0, to: Register(Int(first.index) + TaskWindow.life)), place)
    placeLife(ofResult: result, first, place)
    emit(.perform(.task(.make), base: first, site()), place)
    emit(.copy(task, from: first), place)
    frame.next = Int(task.index) + 1
    let made = counted(task: .register(task, .generic(.task, of: result)), place)
    let owner = keeper(of: made, place)
    let declared = declareLocal(
      binding.name, .register(task), made.type, isExpectedToBeUsed: false, owner: owner)
    if let declared { scope[declared].isAsyncLet = true }
    // From here on only its name holds it, so that its value dies where the name ends.
    releaseUsed(for: .void, from: mark, place)
    return beginEndOfLet(task, range)
  }

  /// Whether the value of an `async let` is read behind a `try`, which stands where it is read and may be missing where
  /// it is computed.
  ///
  /// Source: SE-0317; run with Swift 6.3.1.
  private func isTried(_ name: Name, from start: Int32) -> Bool {
    source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      var (depth, isTrying) = (0, false)
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile { return false }
        if token.start < start { continue }
        switch token.kind {
        case .leftBrace: depth += 1
        case .rightBrace: depth -= 1
        default: break
        }
        if depth < 0 { return false }
        guard token.kind == .identifier else { continue }
        let word = source.text(in: SourceRange(Int(token.start), Int(token.end)))
        if token.isFirstOnLine { isTrying = false }
        if word == "try" { isTrying = true }
        if isTrying && word == name.text { return true }
      }
    }
  }

  /// The value of an `async let`, for which the code waits where it reads it.
  mutating func asyncLetValue(
    _ index: Int32, target: Register?, _ range: SourceRange
  ) -> Operand {
    let symbol = scope[index]
    noteSuspension(symbol.name.text, range)
    guard let task = register(of: index) else { return .unknown }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    emit(.copy(base, from: task), range)
    emit(.perform(.task(.value), base: base, noSite), range)
    goHome(range)
    return shared(finishWindow(base, symbol.type.element, target: target, range), range)
  }
}
