import SpindleModel

/// `weak var`: a name that does not keep its object alive.
extension Lowering {
  /// The type of a `weak var` whose value has the type `type`; reports what is no object.
  mutating func weakType(_ type: ValueType, _ binding: Binding) -> ValueType {
    if type.isUnknown { return .unknown }
    guard type.hasIdentity else {
      error(Messages.weakValue("\(type)"), binding.value.range)
      return .unknown
    }
    return .optional(type.unwrapped)
  }

  /// Warns of weak references that are never nil, since nobody counts who holds what they name.
  mutating func judgeWeakReferences() {
    guard !libraryLives.isReleasing else { return }
    for (handle, place) in libraryLives.uncounted {
      warn(Messages.uncountedWeak(handle.name), place)
    }
  }

  /// Whether an `unowned` reference to a value of this type does not hold it: it is known when that is gone.
  func mayBeUnowned(_ type: ValueType) -> Bool {
    if case .handle(let handle) = type { return handle.dies }
    return type.className != nil
  }

  /// In front of a read of an `unowned` reference: the program crashes where what it names is gone.
  mutating func checkUnowned(_ register: Register, _ type: ValueType, _ range: SourceRange) {
    guard case .handle(let handle) = type else { return emit(.checkUnowned(register), range) }
    libraryLives.noteWeak(handle, range)
    let (next, isReachable) = (frame.next, frame.isReachable)
    let alive = jumpIfAlive(register, handle, range)
    crash(Messages.runTimeUnowned, range)
    (frame.next, frame.isReachable) = (next, isReachable)
    frame.mark(alive)
  }

  /// Jumps to the label that it gives where an object of the library is there.
  private mutating func jumpIfAlive(
    _ register: Register, _ handle: HandleClass, _ range: SourceRange
  ) -> Frame.Label {
    let base = frame.allocate(2)
    let alive = frame.label()
    emit(.copy(base, from: register), range)
    emit(.constant(Int64(handle.rawValue), to: Register(Int(base.index) + 1)), range)
    emit(.perform(.object(.isAlive), base: base, noSite), range)
    emit(.jumpIf(base, frame.target(alive)), range)
    return alive
  }

  /// The object that a `weak var` names, or nothing when it is no longer there.
  mutating func ifAlive(_ operand: Operand, target: Register?, _ range: SourceRange) -> Operand {
    if operand.type.className != nil { return aliveInstance(operand, range) }
    guard case .optionalOf(let wrapped) = operand.type, case .handle(let handle) = wrapped.type
    else { return operand }
    libraryLives.noteWeak(handle, range)
    let result = target ?? frame.allocate()
    place(operand, in: result, range)
    let next = frame.next
    let alive = jumpIfAlive(result, handle, range)
    emit(.constant(noValue, to: result), range)
    frame.mark(alive)
    frame.next = next
    return .register(result, operand.type)
  }
}
