import SpindleModel

/// `Mutex(0)`, `OSAllocatedUnfairLock(initialState: 0)`: a lock around a value, which `withLock` gives its
/// closure to change.
extension Lowering {
  /// A lock around a value; nil when a call makes something else.
  mutating func guarded(
    _ name: Word, _ call: CallSite, _ naming: Naming, target: Register?
  ) -> Operand? {
    guard name == "Mutex" || name == "OSAllocatedUnfairLock", call.arguments.count == 1,
      call.closures.isEmpty,
      call.arguments[0].label?.text == (name == "Mutex" ? nil : "initialState")
    else { return nil }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let first = Int(base.index)
    _ = frame.allocate(4)
    let written = call.arguments[0].value
    emit(.constant(Int64(LockClass.unfair.rawValue), to: base), call.place)
    var wanted: ValueType?
    if case .generic(.unfair, let node)? = wantedResult?.unwrapped { wanted = node.type }
    let given = value(written, expecting: wanted, target: Register(first + 2))
    let made = storable(wanted.map { coerce(given, to: $0, written.range) } ?? given, written.range)
    place(kept(made, isVariable: true), in: Register(first + 2), written.range)
    if let kind = lifeKind(made.type) {
      let isForGood =
        isTopForGood
        || program.mainIsTool && frame.asynchrony.isMain && openBlocks == mainBlocks
      if !isForGood, holdsObjects(made.type) {
        return refuse(Messages.guardedObject("\(made.type)"), written.range)
      }
      emit(.keep(Register(first + 2), kind), written.range)
    }
    nameObject(naming, Register(first + 1), call.place)
    for slot in 3...4 { emit(.constant(noValue, to: Register(first + slot)), call.place) }
    emit(.perform(.lock(.make), base: base, site()), call.place)
    return finishWindow(base, .generic(.unfair, of: made.type), target: target, call.place)
  }

  /// `withLock { $0 += 1 }` of a lock around a value.
  mutating func withValue(
    of lock: Operand, _ element: ValueType, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure("withLock"), call.callee.range)
    }
    needThread("withLock", nameRange(of: call.callee), unless: .locks)
    let result = target ?? frame.allocate()
    let owner = frame.allocate()
    place(lock, in: owner, call.place)
    emit(.perform(.lock(.lock), base: owner, noSite), call.place)
    let type = runLocked(body, element, owner: owner, call, isUsed: isUsed, result: result)
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  /// `withLockIfAvailable { … }`: nil where another thread has the lock; `element` is the type of the value in it,
  /// nil where there is none.
  mutating func withValueIfAvailable(
    of lock: Operand, _ element: ValueType?, _ call: CallSite, isUsed: Bool
  ) -> Operand {
    let name = "withLockIfAvailable"
    guard let body = scopeBody(call, ["body"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure(name), call.callee.range)
    }
    needThread(name, nameRange(of: call.callee))
    let (result, owner, test) = (frame.allocate(), frame.allocate(), frame.allocate())
    let missed = frame.label()
    place(lock, in: owner, call.place)
    emit(.copy(test, from: owner), call.place)
    emit(.perform(.lock(.tryLock), base: test, noSite), call.place)
    emit(.constant(noValue, to: result), call.place)
    emit(.jumpUnless(test, frame.target(missed)), call.place)
    // What is wanted of the call is optional because the lock may be taken, not because of the closure.
    let outer = wantedResult
    wantedResult = nil
    var type = runLocked(body, element, owner: owner, call, isUsed: isUsed, result: result)
    wantedResult = outer
    if type == .void && isUsed { emit(.constant(1, to: result), call.place) }
    frame.mark(missed)
    if type == .void && !isUsed { return .void }
    if case .optionalOf = type {
      if isUsed { error(Messages.optionalElement(name), nameRange(of: call.callee)) }
    } else if !type.isUnknown {
      type = .optional(type)
    }
    return held(Operand(type: type, location: .register(result)), call.place)
  }

  /// Runs a body while this thread has the lock, and gives the lock what has become of the value in it.
  private mutating func runLocked(
    _ body: Expression.Closure, _ element: ValueType?, owner: Register, _ call: CallSite,
    isUsed: Bool, result: Register
  ) -> ValueType {
    let guarded = frame.allocate()
    emit(.copy(guarded, from: owner), call.place)
    if element != nil { emit(.perform(.lock(.condition), base: guarded, noSite), call.place) }
    let mark = scope.count
    let changed = element.flatMap { holdGuarded(guarded, $0, body) }
    var asynchrony = frame.asynchrony
    asynchrony.suspending = .no
    let (start, throwing) = (frame.code.count, frame.throwing)
    let type = lowerScopeBody(
      body, argument: changed == nil ? element.map { (guarded, $0) } : nil, isVariable: true,
      asynchrony: asynchrony, result: result, isUsed: isUsed)
    let place = closingBrace(body.body)
    func end(_ lowering: inout Lowering) {
      let next = lowering.frame.next
      let window = lowering.frame.allocate(2)
      lowering.emit(.copy(window, from: owner), place)
      guard element != nil else {
        lowering.emit(.perform(.lock(.unlock), base: window, noSite), place)
        lowering.frame.next = next
        return
      }
      if let changed { lowering.emit(.keep(changed.register, changed.kind), place) }
      let value = changed?.register ?? guarded
      lowering.emit(.copy(Register(Int(window.index) + 1), from: value), place)
      lowering.emit(.perform(.lock(.setValue), base: window, noSite), place)
      if let changed { lowering.emit(.release(guarded, changed.kind), place) }
      lowering.emit(.perform(.lock(.unlock), base: owner, noSite), place)
      lowering.frame.next = next
    }
    endScope(start: start, throwing: throwing, place) {
      end(&$0)
    } thrown: {
      end(&$0)
    }
    if changed != nil { closeScope(downTo: mark) }
    return type
  }

  /// Declares what a closure is given of an object in a lock, and holds it until the lock has what it has become; nil
  /// where nothing is counted.
  private mutating func holdGuarded(
    _ guarded: Register, _ type: ValueType, _ body: Expression.Closure
  ) -> OwnedRegister? {
    // What has no name is not changed.
    guard let name = body.parameters.first, !name.word.isUnderscore,
      let owner = keeper(of: .register(guarded, type), name.range)
    else { return nil }
    declareLocal(name, .variable(owner.register), type, owner: owner)
    return owner
  }

  /// Whether it can be noticed when what a value holds dies: a lock around a value is never gone.
  private mutating func holdsObjects(_ type: ValueType) -> Bool {
    if let index = structure(of: type.unwrapped) {
      return checker.classes[index].fields.indices.contains {
        holdsObjects(fieldType(index, $0))
      }
    }
    guard let index = payloads(of: type.unwrapped) else { return lifeKind(type) != nil }
    return checker.classes[index].cases.contains { one in
      one.values.contains { lifeKind(checker.type($0.type)) != nil }
    }
  }
}
