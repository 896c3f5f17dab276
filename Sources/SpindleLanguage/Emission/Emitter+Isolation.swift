import SpindleModel

/// Where code goes on: isolation, and the hops that checking found.
extension Emitter {
  /// Goes on on an executor.
  func hop(to home: Home, _ range: SourceRange) {
    let next = code.frame.next
    let register = allocate()
    placeExecutor(of: home, in: register, range)
    emit(.perform(.task(.hop), base: register, noSite), range)
    code.frame.next = next
  }

  /// Puts the number of an executor into a register.
  func placeExecutor(of home: Home, in register: Register, _ range: SourceRange) {
    switch home {
    case .pool: emit(.constant(-1, to: register), range)
    case .mainActor: emit(.constant(0, to: register), range)
    case .symbol(let symbol):
      emit(
        .fieldLoad(register, of: self.register(of: symbol), Emitter.executorField), range)
    case .object(let actor): emit(.fieldLoad(register, of: actor, Emitter.executorField), range)
    case .caller(let executor): emit(.copy(register, from: executor), range)
    case .global(let number):
      let next = code.frame.next
      if let shared = shared(of: globalActors[number], range) {
        emit(.fieldLoad(register, of: shared, Emitter.executorField), range)
      } else {
        emit(.constant(-1, to: register), range)
      }
      code.frame.next = next
    }
  }

  /// The field of an actor that has its executor.
  static let executorField: Int32 = 0

  /// The instance whose executor a global actor is.
  private func shared(of nominal: Nominal, _ range: SourceRange) -> Register? {
    guard
      let variable = nominal.members["shared"]?.compactMap({ $0 as? VariableSymbol }).first
    else { return nil }
    return emit(Typed.Expression(.global(variable, [:]), bodies.type(of: variable), range))
  }

  /// Where code runs, as this block knows it.
  func home(of isolation: Typed.Isolation) -> Home {
    switch isolation {
    case .nonisolated, .caller: return .pool
    case .mainActor: return .mainActor
    case .globalActor(let nominal): return .global(number(ofGlobalActor: nominal))
    case .actor(let local):
      switch storages[ObjectIdentifier(local)] {
      case .register(_, _, let symbol)?: return .symbol(symbol)
      case .place(let place)?:
        return .object(load(place, Typed.Expression(.local(local), local.type, local.range)))
      case .box, .closure, .task, nil: return .pool
      }
    }
  }

  private func number(ofGlobalActor nominal: Nominal) -> Int {
    if let known = globalActors.firstIndex(where: { $0 === nominal }) { return known }
    globalActors.append(nominal)
    return globalActors.count - 1
  }

  // MARK: Bodies

  /// Begins the body of a function or of a closure that is a value: one that may suspend goes on where it belongs, wherever
  /// it is called.
  ///
  /// One whose body does nothing stays where it was called, as what the compiler can prove to be useless is left
  /// out. Source: SE-0338, SE-0461; swift:lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp.
  func beginBody(
    _ scope: Typed.FunctionScope, _ statements: [Typed.Statement], _ range: SourceRange,
    isAsync: Bool
  ) {
    code.frame.asynchrony.suspending = isAsync ? .yes : .no
    code.frame.asynchrony.home = home(of: scope.isolation)
    guard isAsync, !isIndifferent(statements) else { return }
    let place = range.firstByte
    guard case .caller = scope.isolation else {
      return hop(to: code.frame.asynchrony.home, place)
    }
    let executor = code.frame.pinned()
    emit(.perform(.task(.ownExecutor), base: executor, noSite), place)
    code.frame.asynchrony.home = .caller(executor)
  }

  /// Whether a body is nothing, or a plain value that is written there.
  private func isIndifferent(_ statements: [Typed.Statement]) -> Bool {
    guard let only = statements.first else { return true }
    guard statements.count == 1 else { return false }
    switch only.kind {
    case .expression(let value), .discard(let value): return isPlain(value)
    case .return(let value): return value.map(isPlain) ?? true
    default: return false
    }
  }

  private func isPlain(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .integer, .nil: true
    case .constant: concrete(value.type).nominal?.builtin == .boolean
    case .wrapped(let inner): isPlain(inner)
    default: false
    }
  }

  /// Whether a function that is a value may suspend.
  func isAsync(_ value: Typed.Expression) -> Bool {
    if case .function(let type) = value.type { type.isAsync } else { false }
  }

  /// Begins a closure that may suspend and calls a function: one that cannot suspend is called where it belongs.
  func beginReference(to symbol: FunctionSymbol, _ range: SourceRange) {
    code.frame.asynchrony.suspending = .yes
    guard !symbol.isAsync else { return }
    switch symbol.isolation {
    case .mainActor: hop(to: .mainActor, range)
    case .globalActor(let actor): hop(to: home(of: .globalActor(actor)), range)
    case .unspecified, .nonisolated, .nonsending, .concurrent, .ownActor: break
    }
  }

  /// Whether a function of an actor that cannot suspend is taken as one that may.
  func isVisit(_ type: SwiftType, as other: SwiftType) -> Bool {
    guard case .function(let given) = concrete(type), case .function(let wanted) = concrete(other),
      !given.isAsync, wanted.isAsync
    else { return false }
    switch given.isolation {
    case .mainActor, .globalActor: return true
    case .unspecified, .concurrent, .nonsending, .inherited: return false
    }
  }

  /// A closure of an actor that cannot suspend as one that may: it goes to the actor and calls that.
  func emitVisitor(
    of closure: Typed.Expression, _ type: FunctionType, _ range: SourceRange
  ) -> Register {
    let target: Home
    switch type.isolation {
    case .mainActor: target = .mainActor
    case .globalActor(let actor): target = home(of: .globalActor(actor))
    case .unspecified, .concurrent, .nonsending, .inherited: return emit(closure)
    }
    let scope = Typed.FunctionScope(nil)
    let inner = Typed.Local("closure", .function(type), isVariable: false, range, scope)
    declare(inner, holding: emit(closure), until: .expression, range)
    let parameters = type.parameters.enumerated().map {
      Typed.Local("$\($0)", $1.type, isVariable: false, range, scope)
    }
    let made = emitBlock(parameters, range, name: code.closureName) { [self] in
      code.frame.asynchrony.suspending = .yes
      hop(to: target, range)
      let called = emit(Typed.Expression(.local(inner), inner.type, range))
      let made = emitWindow(
        parameters.map { .value(Typed.Expression(.local($0), $0.type, range)) },
        result: type.result, range
      ) { base, site in .callClosure(called, base: base, site) }
      emitReturn(type.result.isVoid ? nil : made, type.result, range)
    }
    return owning(made, .function(type), range)
  }

  // MARK: Calls

  /// What a call's window does for a hop; `first` is the place of the first argument in it.
  func callHop(_ hop: Typed.Hop?, first: Int, mayThrow: Bool = false) -> CallHop {
    guard let hop else { return .none }
    let before: CallHop.Target? =
      switch hop.target {
      case nil: nil
      case .isolation(let isolation)?: .home(home(of: isolation))
      case .receiver?: .parameter(0)
      case .argument(let number)?: .parameter(first + number)
      }
    return CallHop(before: before, comesBack: hop.comesBack, mayThrow: mayThrow)
  }

  /// In front of a call whose window begins at `base`.
  func leave(for hop: CallHop, _ base: Register, _ range: SourceRange) {
    switch hop.before {
    case nil: break
    case .home(let home): self.hop(to: home, range)
    case .parameter(let number):
      self.hop(to: .object(Register(Int(base.index) + number)), range)
    }
  }

  /// Behind a call that went on elsewhere.
  func comeBack(from hop: CallHop, _ range: SourceRange) {
    guard hop.comesBack, code.frame.asynchrony.suspending != .no else { return }
    code.frame.mayFailElsewhere = true
    self.hop(to: code.frame.asynchrony.home, range)
  }

  /// Behind a wait, after which a task is in the pool: goes back to where the code belongs.
  func goHome(_ range: SourceRange) {
    code.frame.noteThrow()
    guard code.frame.asynchrony.suspending != .no, code.frame.asynchrony.home != .pool else {
      return
    }
    code.frame.mayFailElsewhere = true
    hop(to: code.frame.asynchrony.home, range)
  }

  /// Where something thrown is taken: what was awaited may have failed elsewhere.
  ///
  /// Source: swift:lib/SILGen/SILGenApply.cpp, which goes back to the executor of the caller behind a call, whether
  /// that returned or threw.
  func goHome(behind awaits: Int, _ range: SourceRange) {
    guard code.frame.awaitCount > awaits, code.frame.asynchrony.suspending != .no else { return }
    hop(to: code.frame.asynchrony.home, range)
  }

  /// The value of `await inner`.
  func emitAwait(_ inner: Typed.Expression) -> Register {
    noteAwait()
    return emit(inner)
  }

  func noteAwait() {
    code.frame.awaitCount += 1
    if code.frame.asynchrony.isMain { program.mainIsAsync = true }
  }

  /// A property or a variable that is read where it belongs.
  func emitVisit(
    _ inner: Typed.Expression, _ target: Typed.HopTarget, _ range: SourceRange
  ) -> Register {
    var home = Home.pool
    if case .isolation(let isolation) = target { home = self.home(of: isolation) }
    let place: Place
    if case .global = inner.kind {
      // The first use of a static makes it, which is done there as well.
      hop(to: home, range)
      place = prepare(inner)
    } else {
      place = prepare(inner)
      if case .receiver = target, case .field(let actor, _, _) = place { home = .object(actor) }
      hop(to: home, range)
    }
    let value = load(place, inner)
    let result = allocate()
    emit(.copy(result, from: value), range)
    hop(to: code.frame.asynchrony.home, range)
    return result
  }

  // MARK: Actors

  /// A new actor gets its executor.
  func storeExecutor(of actor: Register, _ range: SourceRange) {
    let next = code.frame.next
    let register = allocate()
    emit(.copy(register, from: actor), range)
    emit(.perform(.task(.makeActor), base: register, noSite), range)
    emit(.fieldStore(actor, Emitter.executorField, from: register), range)
    code.frame.next = next
  }

  /// A new actor runs on the queue that it says.
  ///
  /// Source: SE-0392.
  func setExecutor(of actor: Register, _ nominal: Nominal, _ range: SourceRange) {
    guard nominal.kind == .actor,
      let variable = nominal.members["unownedExecutor"]?.compactMap({ $0 as? VariableSymbol })
        .first,
      let getter = variable.getter
    else { return }
    let next = code.frame.next
    let window = allocate()
    emit(.fieldLoad(window, of: actor, Emitter.executorField), range)
    let second = allocate()
    let queue = emitBlockCall(
      block(of: getter, substitution), [.register(actor)], result: getter.result, range)
    emit(.copy(second, from: queue), range)
    emit(.perform(.task(.useQueue), base: window, noSite), range)
    code.frame.next = next
  }

  /// At the entry of a closure that belongs to an actor and is called by code that knows of none.
  func checkEntry(of closure: Typed.Closure) {
    var typeName = noValue
    switch closure.isolation {
    case .mainActor: break
    case .globalActor(let nominal): typeName = intern(nominal.name)
    case .actor(let local): typeName = intern(concrete(local.type).nominal?.name ?? "")
    case .nonisolated, .caller: return
    }
    let start = Int(closure.range.lowerBound)
    emitCheck(of: home(of: closure.isolation), typeName: typeName, SourceRange(start, start + 1))
  }

  /// Looks whether the code is on an actor, and ends the process where it is not.
  ///
  /// Source: swift:stdlib/public/Concurrency/MainActor.swift, Actor.swift, ExecutorAssertions.swift.
  func emitCheck(of home: Home, typeName: Int64, _ range: SourceRange) {
    let next = code.frame.next
    let window = allocate()
    placeExecutor(of: home, in: window, range)
    emit(.constant(typeName, to: allocate()), range)
    emit(.perform(.task(.checkIsolation), base: window, noSite), range)
    code.frame.next = next
  }
}
