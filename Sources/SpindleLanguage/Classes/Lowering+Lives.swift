import SpindleModel

/// Who holds instances, closures and arrays of these, where the trace has classes.
///
/// Each name that keeps one has a register that holds it until its scope ends; what an expression
/// makes or reads is held until whatever it is part of has its value, at most until its statement ends; fields,
/// elements, variables at the top and closures hold theirs by themselves when the program runs. What is given to a
/// function is held by its caller.
extension Lowering {
  /// Whether the trace has anything that is counted.
  @inline(__always)
  var isCounting: Bool { !checker.classes.isEmpty || !libraryLives.counted.isEmpty }

  /// The classes of the library whose objects have to be counted in this trace.
  var neededLives: Set<HandleClass> {
    libraryLives.needed(hasClasses: !checker.classes.isEmpty)
  }

  /// What a value of a type holds that is counted; nil for nothing.
  func lifeKind(_ type: ValueType) -> LifeKind? {
    guard isCounting else { return nil }
    switch type {
    case .instance: return .instance
    case .functionOf: return .closure
    case .optionalOf(let inner): return lifeKind(inner.type)
    case .arrayOf(let element): return lifeKind(element.type)?.array
    case .dictionaryOf(let entries): return lifeKind(entries.result)?.array
    case .handle(let handle):
      return libraryLives.counted.contains(handle) ? .object(handle) : nil
    case .generic(let handle, let element): return lifeKind(handle, of: element.type)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .choice, .setOf, .void, .null, .unknown:
      return nil
    }
  }

  /// What is held of a task, which holds what it gives, of a continuation, and of a stream and what feeds it.
  private func lifeKind(_ handle: HandleClass, of element: ValueType) -> LifeKind? {
    switch handle {
    case .task, .taskResult:
      lifeKind(element) != nil || libraryLives.counted.contains(.task) ? .object(.task) : nil
    case .continuation:
      libraryLives.counted.contains(.continuation) ? .object(.continuation) : nil
    case .asyncStream: .object(.asyncStream)
    case .streamInput: .object(.streamInput)
    default: nil
    }
  }

  /// Notes that something made at this place holds a value: where the place may be reached again and again, objects can
  /// hold each other in a chain.
  mutating func noteHold(of type: ValueType) {
    guard case .handle(let handle) = type.unwrapped else { return }
    if case .function = frame.context {} else if frame.loops.isEmpty { return }
    libraryLives.noteChain(handle)
  }

  // MARK: Until the statement ends

  /// A new value that nothing holds but whoever made it: from now on its statement does.
  mutating func held(_ made: Operand, _ range: SourceRange) -> Operand {
    guard let kind = lifeKind(made.type), case .register(let from) = made.location else {
      return made
    }
    let owner = temporary(kind)
    emit(.hold(owner.register, from: from, kind), range)
    var result = made
    result.location = .register(owner.register)
    return result
  }

  /// A new object of the library, which dies with the last that holds it where that is counted.
  mutating func newObject(
    _ made: Operand, _ handle: HandleClass, _ range: SourceRange
  ) -> Operand {
    if !isTopForGood { libraryLives.noteMaking(handle) }
    guard let kind = lifeKind(.handle(handle)), case .register(let object) = made.location else {
      return made
    }
    emit(.countElements(object, kind), range)
    return held(made, range)
  }

  /// A value that something else holds, which may let go of it: from now on its statement does, too.
  mutating func shared(_ made: Operand, _ range: SourceRange) -> Operand {
    guard let kind = lifeKind(made.type), case .register(let from) = made.location else {
      return made
    }
    let owner = temporary(kind)
    emit(.retain(owner.register, from: from, kind), range)
    var result = made
    result.location = .register(owner.register)
    return result
  }

  /// A register that holds what it has until the statement ends.
  mutating func temporary(_ kind: LifeKind) -> OwnedRegister {
    let owner = frame.owner(kind)
    frame.temporaries.append(owner)
    return owner
  }

  /// Lets go of what statements hold, from the `mark`th on.
  mutating func releaseTemporaries(from mark: Int, _ range: SourceRange) {
    guard frame.temporaries.count > mark else { return }
    for owner in frame.temporaries[mark...].reversed() {
      emit(.release(owner.register, owner.kind), range)
    }
  }

  /// Lets go of what was held from the `mark`th on for `made`, which is known now, and of nothing that it needs.
  ///
  /// In `make().name` the instance is gone when its name has been read: run with Swift 6.3.1, with and without `-O`.
  mutating func releaseUsed(for made: Operand, from mark: Int, _ range: SourceRange) {
    var kept: OwnedRegister?
    if lifeKind(made.type) != nil {
      guard case .register(let register) = made.location,
        let own = frame.temporaries[mark...].last(where: { $0.register == register })
      else { return }
      kept = own
    }
    for owner in frame.temporaries[mark...].reversed() where owner.register != kept?.register {
      emit(.release(owner.register, owner.kind), range)
    }
    frame.temporaries.removeSubrange(mark...)
    if let kept { frame.temporaries.append(kept) }
  }

  // MARK: Until the scope ends

  /// The register of a name that holds its value, with that in it; nil where nothing is counted.
  mutating func keeper(of made: Operand, _ range: SourceRange) -> OwnedRegister? {
    guard let kind = lifeKind(made.type) else { return nil }
    let from = register(of: made, range)
    let owner = frame.owner(kind)
    emit(.retain(owner.register, from: from, kind), range)
    return owner
  }

  /// The semaphores, sources and queues that a tool's main names itself are there until the process ends, as the
  /// globals of a tool are; gives whether it is one of these.
  @discardableResult
  mutating func keepToTheEnd(_ owner: OwnedRegister?, _ range: SourceRange) -> Bool {
    guard let owner, isToTheEnd(owner.kind) else { return false }
    emit(.keep(owner.register, owner.kind), range)
    return true
  }

  /// Whether what is declared here, and holds something of this kind, is one of these.
  func isToTheEnd(_ kind: LifeKind?) -> Bool { isToTheEnd(kind?.handle) }

  private func isToTheEnd(_ handle: HandleClass?) -> Bool {
    guard program.mainIsTool, frame.asynchrony.isMain, openBlocks == mainBlocks else {
      return false
    }
    return handle == .semaphore || handle == .dispatchSource || handle == .queue
  }

  /// Whether a name of this type lets go of what it has at the end of the block that is open.
  func endsWithItsBlock(_ type: ValueType) -> Bool {
    guard type.hasIdentity else { return false }
    return type.handle.map { $0.dies && !isToTheEnd($0) } ?? true
  }

  /// Sets one of these to something else: what it had dies there, as that of a global does, and what it has now is
  /// there until the end.
  mutating func replaceKept(
    _ register: Register, by value: Register, _ life: LifeKind, _ range: SourceRange
  ) {
    let former = frame.allocate()
    emit(.copy(former, from: register), range)
    emit(.retain(register, from: value, life), range)
    emit(.keep(register, life), range)
    emit(.release(former, life), range)
  }

  /// Lets go of what names hold, from the symbol `mark` on.
  mutating func releaseSymbols(from mark: Int, _ range: SourceRange) {
    guard isCounting, frame.isReachable else { return }
    for index in (mark..<max(mark, scope.count)).reversed() {
      let symbol = scope[Int32(index)]
      guard let owner = symbol.owner, Int(symbol.frame) == depth else { continue }
      emit(.release(owner.register, owner.kind), range)
    }
  }

  /// Lets go of what registers hold that came after the `mark`th: an error leads past their ends.
  ///
  /// Or a condition whose other side was taken.
  mutating func releaseOwners(from mark: Int, upTo end: Int? = nil, _ range: SourceRange) {
    let end = end ?? frame.owned.count
    guard end > mark else { return }
    for owner in frame.owned[mark..<end].reversed() {
      emit(.release(owner.register, owner.kind), range)
    }
  }

  /// What is alive here.
  var lifeMark: Frame.LifeMark {
    Frame.LifeMark(symbols: scope.count, temporaries: frame.temporaries.count)
  }

  /// Lets go of all that came after `mark`.
  mutating func release(downTo mark: Frame.LifeMark, _ range: SourceRange) {
    guard isCounting else { return }
    releaseTemporaries(from: mark.temporaries, range)
    releaseSymbols(from: mark.symbols, range)
  }

  /// Notes what the present block holds of what it captured.
  mutating func ownCaptures() {
    guard isCounting else { return }
    for (ordinal, index) in frame.captures.enumerated() where index >= 0 {
      let symbol = scope[index]
      guard !symbol.isWeak, !symbol.isUnowned, let kind = lifeKind(symbol.type) else { continue }
      frame.owned.append(
        OwnedRegister(register: Register(Frame.captureBase + ordinal), kind: kind))
    }
  }

  // MARK: Weak references and arrays

  /// The instance of a weak reference, or nothing when it is gone; held until the statement ends.
  mutating func aliveInstance(_ made: Operand, _ range: SourceRange) -> Operand {
    let from = register(of: made, range)
    let owner = temporary(.instance)
    emit(.loadWeak(owner.register, from: from), range)
    return .register(owner.register, made.type)
  }

  /// Holds a new array that is being filled: where an error ends that, it dies with what it has.
  ///
  /// What its elements hold, if anything, is known when the first one is. nil where nothing is counted.
  mutating func growing(_ array: Register, _ range: SourceRange) -> OwnedRegister? {
    guard isCounting else { return nil }
    let owner = temporary(LifeKind.instance.array)
    emit(.hold(owner.register, from: array, owner.kind), range)
    return owner
  }

  /// The array that `growing` holds, when it has all its elements.
  func grown(_ array: Register, _ owner: OwnedRegister?, _ element: ValueType) -> Operand {
    let isCounted = lifeKind(.array(element)) != nil
    var made = Operand.register(
      isCounted ? owner?.register ?? array : array, .array(element))
    made.isFresh = true
    return made
  }

  /// A new array, which holds its elements and is held until the statement ends.
  mutating func counted(_ made: Operand, _ range: SourceRange) -> Operand {
    guard let kind = lifeKind(made.type), case .register(let array) = made.location else {
      return made
    }
    emit(.countElements(array, kind), range)
    return held(made, range)
  }
}
