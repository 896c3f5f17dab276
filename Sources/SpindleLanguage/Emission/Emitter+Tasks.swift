import SpindleModel

/// Tasks, and what runs a closure in place and sees to something when that ends.
extension Emitter {
  /// The registers of calls that make tasks.
  private enum TaskWindow {
    static let (making, executor, life) = (4, 5, 7)
    /// Of a task that is added to a group.
    static let adding = 7
  }

  // MARK: Rows

  /// Completes the window of a row that makes a task: with the executor on which that runs, what is retained of what it
  /// gives, and whether it is named.
  func completeTask(
    _ primitive: Primitive, _ row: Member, _ base: Register, _ call: Typed.Call,
    _ type: SwiftType
  ) {
    let flag: (place: Int, named: Int64)
    switch primitive {
    case .task(.make): flag = (TaskWindow.making, TaskMaking.named)
    case .taskGroup(.add): flag = (TaskWindow.adding, TaskAdding.named.rawValue)
    default: return
    }
    placeExecutor(
      of: taskIsolation(call), in: Register(Int(base.index) + TaskWindow.executor), call.place)
    if case .task(.make) = primitive, let result = type.arguments.first {
      emit(
        .constant(lifeWord(result), to: Register(Int(base.index) + TaskWindow.life)), call.place)
    }
    guard isNamed(row, call), case .constant(let value) = row.steps[flag.place].kind else { return }
    emit(.constant(value | flag.named, to: Register(Int(base.index) + flag.place)), call.place)
  }

  /// Where the closure of a new task runs.
  private func taskIsolation(_ call: Typed.Call) -> Home {
    guard case .value(let value)? = call.arguments.last else { return .pool }
    guard let closure = value.closureLiteral else {
      guard case .function(let type) = concrete(value.type), !type.isSendable else { return .pool }
      switch code.frame.asynchrony.home {
      case .mainActor, .global: return code.frame.asynchrony.home
      case .pool, .symbol, .object, .caller: return .pool
      }
    }
    return home(of: closure.isolation)
  }

  /// Whether a call names the task that it makes: what a variable is called names it for the simulator only.
  ///
  /// Source: SE-0469: without a name `Task.name` is nil.
  private func isNamed(_ row: Member, _ call: Typed.Call) -> Bool {
    for step in row.steps where step.formal >= 0 && step.formal < call.arguments.count {
      guard case .name = step.kind, case .value(let value) = call.arguments[step.formal] else {
        continue
      }
      return !isNil(value)
    }
    return false
  }

  /// The closure of a task, which begins where the task does.
  func emitTaskClosure(_ value: Typed.Expression, isAdded: Bool = false) -> Register {
    var isWrapped = false
    if isAdded, case .function(let type) = concrete(value.type) {
      isWrapped = type.result.wrapped != nil
    }
    guard let closure = value.closureLiteral else {
      if isWrapped {
        unsupported("a closure that is no literal and gives an optional", value.range)
      }
      return emitKept(value)
    }
    return emitClosure(closure, isTask: true, wrapping: isWrapped)
  }

  /// Performs a row's primitive, and what belongs to it where it suspends or throws.
  func performRow(
    _ primitive: Primitive, _ row: Member, _ base: Register, _ site: SiteID, _ call: Typed.Call,
    _ value: Typed.Expression
  ) {
    let range = call.place
    switch primitive {
    case .doing(.io) where call.isAwaited:
      // Behind `await` the call waits without its thread.
      let isTried = call.isTried || code.frame.asynchrony.tries > 0
      emit(.perform(.task(isTried ? .ioThrowing : .io), base: base, site), range)
      return goHome(range)
    case .task(.checkCancellation):
      emit(.perform(primitive, base: base, site), range)
      return code.frame.noteThrow()
    case .continuation(.resume):
      let given = Register(Int(base.index) + 1)
      emit(.perform(primitive, base: base, site), range)
      var type = SwiftType.void
      if case .value(let value)? = call.arguments.first { type = concrete(value.type) }
      return trapIfResumed(call, base, given, type, range)
    default: emit(.perform(primitive, base: base, site), range)
    }
    if row.traits.contains(.suspends) { goHome(range) }
  }

  // MARK: Properties

  /// Behind the reading of a property of a task that suspends: what it gave.
  func finishRead(
    _ row: Property, _ base: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    guard row.suspends else { return retained(base, concrete(type), range) }
    goHome(range)
    guard case .perform(.task(.result)) = row.get else {
      return retained(base, concrete(type), range)
    }
    return emitOutcome(of: base, concrete(type), range)
  }

  /// What a task gave or threw, as a `Result`.
  private func emitOutcome(of task: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    let result = lifeKind(type).map(temporary) ?? code.frame.pinned()
    let (failed, end) = (code.frame.label(), code.frame.label())
    let base = allocate()
    emit(.copy(base, from: task), range)
    emit(.perform(.task(.isSuccess), base: base, noSite), range)
    emit(.jumpUnless(base, code.frame.target(failed)), range)
    for (number, primitive) in [TaskPrimitive.get, .failure].enumerated() {
      emit(.copy(base, from: task), range)
      emit(.perform(.task(primitive), base: base, noSite), range)
      guard let one = type.nominal?.cases[number] else { continue }
      let made = makeEmpty(type, range)
      emit(.fieldStore(made, 0, from: constant(intern(one.name), range)), range)
      emit(.fieldStore(made, firstField(of: one), from: base), range)
      assign(result, from: made, type, range)
      if number == 0 {
        code.frame.jump(end, expansion ?? range)
        code.frame.mark(failed)
      }
    }
    code.frame.mark(end)
    return result
  }

  // MARK: async let

  /// `async let a = f()`: a child task, which the end of its scope cancels and waits for.
  func emitAsyncLet(_ local: Typed.Local, _ closure: Typed.Closure, _ range: SourceRange)
    -> OpenDefer
  {
    if code.frame.asynchrony.isMain { program.mainIsAsync = true }
    let task =
      isCounting ? scopedRegister(.object(.task)) : code.frame.pinned()
    let place = closure.range
    let first = allocate()
    let name = intern(local.name)
    emit(.constant(name, to: first), place)
    emit(.constant(code.kind(pattern: code.intern(local.name)), to: allocate()), place)
    emit(.constant(noValue, to: allocate()), place)
    emit(.constant(noValue, to: allocate()), place)
    emit(.constant(TaskMaking(.asyncLet, isNamed: false).rawValue, to: allocate()), place)
    emit(.constant(-1, to: allocate()), place)
    let register = allocate()
    let made = emitClosure(closure, isTask: true, isTried: local.isTried)
    emit(.copy(register, from: made), place)
    code.frame.next = Int(register.index) + 1
    emit(.constant(lifeWord(concrete(local.type)), to: allocate()), place)
    emit(.perform(.task(.make), base: first, code.site()), place)
    if isCounting {
      emit(.countElements(first, .object(.task)), place)
      emit(.hold(task, from: first, .object(.task)), place)
    } else {
      emit(.copy(task, from: first), place)
    }
    code.frame.next = Int(first.index)
    storages[ObjectIdentifier(local)] = .task(symbol(task, nil))
    return beginDefer(.endLet(task), range)
  }

  /// The value of an `async let`, for which the code waits where it reads it.
  func emitLetValue(_ task: Int32, _ type: SwiftType, _ range: SourceRange) -> Register {
    let base = allocate()
    emit(.copy(base, from: register(of: task)), range)
    emit(.perform(.task(.value), base: base, noSite), range)
    goHome(range)
    return retained(base, type, range)
  }

  /// The end of the scope of an `async let`.
  func endLet(_ task: Register, _ range: SourceRange) {
    performOn(.task(.endLet), task, goesHome: true, range)
  }
}
