import SpindleModel

/// Objects of the library: who retains them, where it shows when they die.
extension Emitter {
  /// What is retained of an object of the library: that of a task is what it gives, and what its code has.
  func lifeKind(_ handle: HandleClass) -> LifeKind? {
    switch handle {
    case .task, .asyncStream, .streamInput: .object(handle)
    case .taskResult: .object(.task)
    default: counted.contains(handle) ? .object(handle) : nil
    }
  }

  /// A new object or collection, which a temporary owns; from now on its references are counted.
  func beginning(_ object: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    beginning(object, lifeKind(type), range)
  }

  func beginning(_ object: Register, _ handle: HandleClass, _ range: SourceRange) -> Register {
    beginning(object, isCounting ? lifeKind(handle) : nil, range)
  }

  private func beginning(
    _ object: Register, _ kind: LifeKind?, _ range: SourceRange
  ) -> Register {
    guard let kind else { return object }
    emit(.countElements(object, kind), range)
    return owning(object, kind, range)
  }

  // MARK: The end of the process

  /// Whether what is declared here is there until the process ends: the semaphores, sources and queues that a tool's main
  /// names itself, as the globals of a tool are.
  func isToTheEnd(_ kind: LifeKind?) -> Bool {
    guard let handle = kind?.handle, program.mainIsTool, code.frame.asynchrony.isMain,
      openBlocks == 0
    else { return false }
    return handle == .semaphore || handle == .dispatchSource || handle == .queue
  }

  func isKept(_ target: Register) -> Bool {
    code.frame.asynchrony.isMain && kept.contains(target)
  }

  /// Gives one of these variables another object: what it had dies there, as that of a global does, and what it has now is
  /// there until the end.
  func replaceKept(
    _ target: Register, by value: Register, _ kind: LifeKind, _ range: SourceRange
  ) {
    let former = allocate()
    emit(.copy(former, from: target), range)
    emit(.retain(target, from: value, kind), range)
    emit(.keep(target, kind), range)
    emit(.release(former, kind), range)
  }

  // MARK: Calls

  /// What a row of the vocabulary gives: a new task, what a group hands over, or what something else owns.
  func given(
    _ value: Register, by row: Member, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    guard lifeKind(type) != nil, case .perform(let primitive) = row.action else { return value }
    if primitive.makes(type) != nil { return beginning(value, type, range) }
    if case .taskGroup(.next) = primitive { return owning(value, type, range) }
    return retained(value, type, range)
  }

  /// What is handed to a stream or a continuation belongs to that until somebody takes it.
  func handOver(_ primitive: Primitive, _ base: Register, _ call: Typed.Call) {
    switch primitive {
    case .asyncStream(.yield), .continuation(.resume):
      guard case .value(let value)? = call.arguments.first,
        let kind = lifeKind(concrete(value.type))
      else { return }
      emit(.keep(Register(Int(base.index) + 1), kind), call.place)
    default: break
    }
  }
}
