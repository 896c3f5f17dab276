import SpindleModel

/// Where code goes on: homes, and the hops between them.
extension Lowering {
  /// Goes on at a home.
  mutating func hop(to home: Home, _ range: SourceRange) {
    let next = frame.next
    let register = frame.allocate()
    placeExecutor(of: home, in: register, range)
    emit(.perform(.task(.hop), base: register, noSite), range)
    frame.next = next
  }

  /// Puts the number of a home's executor into a register.
  mutating func placeExecutor(of home: Home, in register: Register, _ range: SourceRange) {
    switch home {
    case .pool: emit(.constant(-1, to: register), range)
    case .mainActor: emit(.constant(0, to: register), range)
    case .symbol(let index):
      guard let actor = self.register(of: index) else { return }
      emit(.fieldLoad(register, of: actor, ClassInfo.executorField), range)
    case .object(let actor):
      emit(.fieldLoad(register, of: actor, ClassInfo.executorField), range)
    case .global(let index): placeGlobalExecutor(of: index, in: register, range)
    case .caller(let executor): emit(.copy(register, from: executor), range)
    }
  }

  /// The executor of a global actor: that of its `shared`.
  private mutating func placeGlobalExecutor(
    of index: Int, in register: Register, _ range: SourceRange
  ) {
    guard let symbol = checker.classes[index].symbol(words.shared),
      let found = scope.findAtTop(symbol)
    else { return }
    scope[found].isUsed = true
    let name = arena.expression(kind: .name(symbol), range: range)
    let next = frame.next
    let made = value(name)
    guard case .instance = made.type else { return emit(.constant(-1, to: register), range) }
    emit(
      .fieldLoad(register, of: self.register(of: made, range), ClassInfo.executorField), range)
    frame.next = next
  }

  /// Behind a wait, after which a task is in the pool: goes back to the actor that the code belongs to.
  mutating func goHome(_ range: SourceRange) {
    frame.noteThrow()
    guard frame.asynchrony.suspending != .no, frame.asynchrony.home != .pool else { return }
    frame.mayFailElsewhere = true
    hop(to: frame.asynchrony.home, range)
  }

  /// Where something thrown is taken: what was awaited may have failed elsewhere, in the pool or on an actor.
  ///
  /// `awaits` is how many there were in front of what may throw. Source: swift:lib/SILGen/SILGenApply.cpp, which
  /// goes back to the executor of the caller behind a call, whether that returned or threw.
  mutating func goHome(behind awaits: Int, _ range: SourceRange) {
    guard frame.awaitCount > awaits, frame.asynchrony.suspending != .no else { return }
    hop(to: frame.asynchrony.home, range)
  }

  /// At the end of a block: what is thrown out of it goes home first, where the block lets go of what it holds; one
  /// that holds nothing has nothing to do there.
  ///
  /// Source: swift:lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp, which leaves out a hop before a `throw`.
  mutating func endErrors(_ range: SourceRange) {
    guard frame.mayFailElsewhere, frame.throwing > 0,
      frame.owned.contains(where: { $0.register.index < Frame.captureBase })
    else { return }
    let end = frame.code.count
    emit(.finish, range)
    let (thrown, origin) = (frame.allocate(), frame.allocate())
    frame.catchHere(start: 0, end: end, error: thrown, origin: origin)
    hop(to: frame.asynchrony.home, range)
    emit(.rethrow(thrown, from: origin), range)
    frame.isReachable = false
  }

  /// Whether code of another home is somewhere else than this code, as far as the text tells.
  mutating func isElsewhere(_ home: Home) -> Bool {
    let own = frame.asynchrony.home
    guard own != home else { return false }
    guard case .object(let actor) = home, case .symbol(let index) = own else { return true }
    return register(of: index) != actor
  }

  // MARK: Functions

  /// Where the global actor's code runs that a name says.
  func home(of actor: Name) -> Home {
    checker.classes.index(of: actor.word).map { .global($0) } ?? .pool
  }

  /// Where a function's body runs; nil for wherever it is called.
  ///
  /// `receiver` is the actor that it is a member of, as who calls it has it.
  private func home(of signature: FunctionSignature, _ receiver: Register?) -> Home? {
    switch signature.isolation {
    case .mainActor: return .mainActor
    case .global(let actor): return home(of: actor)
    case .own: return receiver.map { .object($0) }
    case .nonisolated, .unspecified: return signature.isAsync ? .pool : nil
    case .nonsending: return nil
    }
  }

  /// What a function's body is of Swift concurrency.
  ///
  /// `own` is the symbol of the actor that it is a member of, or that is an `isolated` parameter.
  func asynchrony(of signature: FunctionSignature, own: Int32?) -> Frame.Asynchrony {
    var made = Frame.Asynchrony()
    made.suspending = signature.isAsync ? .yes : .no
    switch signature.isolation {
    case .mainActor: made.home = .mainActor
    case .global(let actor): made.home = home(of: actor)
    case .own, .nonisolated, .nonsending, .unspecified: made.home = .pool
    }
    if let own { made.home = .symbol(own) }
    made.saysHome = made.home != .pool
    return made
  }

  /// Begins the body of a function: an asynchronous one goes on where it belongs.
  ///
  /// One whose body does nothing stays where it was called, as what the compiler can prove to be useless is
  /// left out. Source: SE-0338; SE-0461 of what stays with its caller.
  mutating func beginAsync(_ signature: FunctionSignature, _ body: CodeBlock, own: Int32? = nil) {
    frame.asynchrony = asynchrony(of: signature, own: own)
    guard signature.isAsync, !isIndifferent(body) else { return }
    var isWithCaller = false
    if case .nonsending = signature.isolation, own == nil { isWithCaller = true }
    goHome(into: body, isWithCaller: isWithCaller)
  }

  /// In front of a body that may wait: goes on where it belongs, or notes where its caller is.
  mutating func goHome(into body: CodeBlock, isWithCaller: Bool) {
    let place = SourceRange(Int(body.range.lowerBound), Int(body.range.lowerBound) + 1)
    guard isWithCaller else { return hop(to: frame.asynchrony.home, place) }
    let executor = frame.pinned()
    emit(.perform(.task(.ownExecutor), base: executor, noSite), place)
    frame.asynchrony.home = .caller(executor)
  }

  /// Comes before the call of a function: what is to be done in front of it and behind.
  ///
  /// An asynchronous function needs an `await`, and so does one of an actor from elsewhere.
  mutating func beginCall(
    of signature: FunctionSignature, on receiver: Register? = nil, _ call: CallSite,
    _ actuals: Actuals?, _ range: SourceRange
  ) -> CallHop {
    let target = home(of: signature, receiver)
    if let number = signature.isolatedParameter {
      if isOwnActor(actuals?[number], call) {
        if signature.isAsync { noteSuspension(signature.name, range) }
        return .none
      }
      noteSuspension(signature.name, range)
      return CallHop(before: signature.isAsync ? nil : .parameter(number), comesBack: true)
    }
    if signature.isAsync {
      noteSuspension(signature.name, range)
      return CallHop(before: nil, comesBack: target.map { isElsewhere($0) } ?? false)
    }
    guard let target, isElsewhere(target) else { return .none }
    return visit(target, signature.name, range)
      ? CallHop(before: .home(target), comesBack: true) : .none
  }

  /// Whether something of an actor is reached from elsewhere by a hop; reports where it can't be.
  ///
  /// Functions that can't wait may use what is of the main actor: what is checked by Swift's compiler is left
  /// to it there, as nobody but the main thread does in an app. Closures that may run on any thread may not.
  mutating func visit(_ target: Home, _ name: String, _ range: SourceRange) -> Bool {
    if frame.asynchrony.isOver { return false }
    switch frame.asynchrony.suspending {
    case .yes: break
    case .no, .maybe:
      guard target == .mainActor else { break }
      if frame.asynchrony.isOutside { error(Messages.mainActorFromOutside(name), range) }
      return false
    }
    if frame.asynchrony.suspending == .no {
      error(Messages.actorFromOutside(name), range)
      return false
    }
    noteSuspension(name, range)
    return true
  }

  /// Whether what is given for an `isolated` parameter is the actor on which this code runs.
  private mutating func isOwnActor(_ actual: Actual?, _ call: CallSite) -> Bool {
    guard case .argument(let ordinal)? = actual, case .symbol(let own) = frame.asynchrony.home,
      case .name(let name) = call.arguments[ordinal].value.kind
    else { return false }
    return find(name) == own
  }

  /// In front of a call, whose arguments stand from `first` on.
  mutating func leave(for hop: CallHop, arguments first: Int, _ range: SourceRange) {
    switch hop.before {
    case nil: break
    case .home(let home): self.hop(to: home, range)
    case .parameter(let number): self.hop(to: .object(Register(first + number)), range)
    }
  }

  /// Behind the reading of something that is elsewhere.
  mutating func comeBack(from hop: CallHop, _ range: SourceRange) {
    if hop.comesBack && frame.asynchrony.suspending != .no {
      frame.mayFailElsewhere = true
      self.hop(to: frame.asynchrony.home, range)
    }
  }

  /// Behind the call of a function that went on elsewhere and gave `made`: what only the call needed dies there.
  ///
  /// So does what it gave where nothing takes that. Then this code goes back. Run with Swift 6.3.1: an argument of a
  /// call that throws dies there, too.
  mutating func comeBack(from hop: CallHop, with made: Operand, _ call: CallSite) {
    guard hop.comesBack && frame.asynchrony.suspending != .no else { return }
    let needed = frame.temporaries.dropFirst(temporariesOfCall)
    if !needed.isEmpty, frame.isReachable {
      let isDropped = dropped == call.range
      releaseUsed(for: isDropped ? .void : made, from: temporariesOfCall, call.place)
      let (back, next) = (frame.label(), frame.next)
      frame.jump(back, call.place)
      let (thrown, origin) = (frame.allocate(), frame.allocate())
      frame.catchHere(
        start: frame.lastCall, end: frame.lastCall + 1, error: thrown, origin: origin)
      for owner in needed.reversed() { emit(.release(owner.register, owner.kind), call.place) }
      emit(.rethrow(thrown, from: origin), call.place)
      frame.noteThrow()
      frame.isReachable = false
      frame.next = next
      frame.mark(back)
    }
    comeBack(from: hop, call.place)
  }

  // MARK: Tasks

  /// Where closures belong that are formed here.
  var homeAround: Home { frame.asynchrony.forming ?? frame.asynchrony.home }

  /// Where the closure of a task runs: where it says, or with `inherits` where its maker does.
  ///
  /// In an actor's code it does only when it uses the actor, or `always`, as what begins at once does. Source: SE-0304,
  /// actor context propagation; SE-0472.
  mutating func home(
    of closure: Expression.Closure?, inherits: Bool, always: Bool = false
  ) -> Home {
    switch closure?.header?.isolation ?? .unspecified {
    case .mainActor: return .mainActor
    case .global(let actor): return home(of: actor)
    case .nonisolated, .nonsending, .own: return .pool
    case .unspecified: break
    }
    guard inherits else { return .pool }
    switch homeAround {
    case .mainActor, .global: return homeAround
    case .symbol(let index):
      return always || closure.map { uses(index, $0) } == true ? homeAround : .pool
    case .pool, .object, .caller: return .pool
    }
  }

  /// The words by which names are resolved.
  func freeWords(own: Word) -> FreeNames.Words {
    FreeNames.Words(own: own, ownType: words.ownType, error: words.error)
  }

  /// Whether the body of a closure names an actor, or a member of it where it is `self`.
  ///
  /// A name means what the scopes around it say: a local, or a member of something else, is none of the actor. Run with
  /// Swift 6.3.1: `[self]` alone takes nothing, and neither does the call of a local function around the closure.
  /// Source: swift:lib/Sema/TypeCheckCaptures.cpp, the capture of the isolated parameter.
  func uses(_ own: Int32, _ closure: Expression.Closure) -> Bool {
    let name = scope[own].name
    let taken = FreeNames.taken(by: closure, in: arena, freeWords(own: name))
    if taken.contains(name), find(name) == own { return true }
    guard case .instance(let className) = scope[own].type, name == words.own else { return false }
    let info = checker.classes[checker.classes.index(of: className)]
    return taken.contains { find($0) == nil && hasMember(info, $0) }
  }
}
