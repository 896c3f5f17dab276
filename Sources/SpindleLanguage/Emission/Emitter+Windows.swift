import SpindleModel

/// The windows of calls: the registers in which a function finds its arguments.
extension Emitter {
  /// An argument of a call while its window is filled.
  enum WindowArgument {
    case value(Typed.Expression)
    /// The default of a parameter: it is evaluated behind what is written, as in Swift (SILGen's `DelayedArgument`).
    ///
    /// With the arguments for the type parameters of the function that declares it; nil where those are the caller's.
    case standard(Typed.Expression, Substitution? = nil)
    case values([Typed.Expression], SwiftType)
    case register(Register)
    /// A place that the function changes: it is given a box, whose value is put back.
    case place(Typed.Expression)
    case preparedPlace(Place, Typed.Expression)
  }

  /// Puts what `make` gives into the first register that is free now; those behind it are free afterwards.
  ///
  /// Most values are made there, so that nothing is copied.
  func inNext(_ range: SourceRange, _ make: () -> Register) -> Register {
    let start = code.frame.next
    let made = make()
    code.frame.next = start
    let register = allocate()
    if made != register { emit(.copy(register, from: made), range) }
    return register
  }

  /// Puts values one behind the other into the first free registers, from the one that it gives on: the window of a call,
  /// which has a register even where it is empty.
  func fillWindow(
    _ count: Int, _ range: SourceRange, _ make: (Int) -> Register
  ) -> Register {
    let base = Register(code.frame.next)
    for index in 0..<count { _ = inNext(range) { make(index) } }
    if count == 0 { _ = allocate() }
    return base
  }

  func receiverArgument(
    _ call: Typed.Call, _ symbol: FunctionSymbol
  ) -> [WindowArgument] {
    guard let receiver = call.receiver, !symbol.isStatic, !symbol.isInitializer else { return [] }
    return symbol.changesSelf
      ? [.place(receiver)] : [.value(receiver)]
  }

  func parameterArgument(
    _ argument: Typed.Argument, _ symbol: FunctionSymbol, _ index: Int,
    _ substitution: Substitution? = nil
  ) -> WindowArgument {
    switch argument {
    case .standard(let value): return .standard(value, substitution)
    case .value(let value):
      if case .reference(let place) = value.kind { return .place(place) }
      return .value(value)
    case .variadic(let values):
      return .values(values, symbol.parameters[index].type.substituting(substitution ?? [:]))
    case .absent:
      return .value(
        Typed.Expression(.nil, symbol.parameters[index].type, symbol.range))
    }
  }

  /// Fills a window with arguments, performs a call, and puts back what it changed.
  func emitBlockCall(
    _ block: BlockID, _ arguments: [WindowArgument], result: SwiftType, hop: CallHop = .none,
    _ range: SourceRange
  ) -> Register {
    emitWindow(arguments, result: result, hop: hop, range) { base, site in
      .call(block, base: base, site)
    }
  }

  func emitWindow(
    _ arguments: [WindowArgument], result: SwiftType, hop: CallHop = .none, _ range: SourceRange,
    _ instruction: (Register, SiteID) -> Instruction
  ) -> Register {
    let kept = isOutOfOrder(arguments) ? allocate() : nil
    let (given, boxes) = open(arguments, range)
    let base = fillWindow(given.count, range) { register(of: given[$0], range) }
    leave(for: hop, base, range)
    let start = code.frame.code.count
    emit(instruction(base, code.site()), range)
    code.frame.noteThrow()
    let end = code.frame.code.count
    let needed = hop.needed + code.frame.temporaries.dropFirst(temporariesOfCall)
    if let kept { emit(.copy(kept, from: base), range) }
    let made = owning(kept ?? base, result, range)
    if boxes.isEmpty { endCall(made, result, hop, range) }
    comeBack(from: hop, range)
    if boxes.isEmpty { endFailed(needed, hop, from: start, to: end, range) }
    putBack(boxes, from: start, range)
    free(from: Int((kept ?? base).index) + 1)
    return made
  }

  /// What a call needed that goes on elsewhere is released there, before the code comes back.
  func endCall(
    _ made: Register, _ type: SwiftType, _ hop: CallHop, _ range: SourceRange
  ) {
    guard hop.comesBack, code.frame.asynchrony.suspending != .no else { return }
    if isDropped {
      endTemporaries(from: temporariesOfCall, range)
    } else {
      _ = settle(made, type, from: temporariesOfCall, range)
    }
    release(hop.needed[...], range)
  }

  /// The same for a call that throws: only what it needed itself is released there.
  private func endFailed(
    _ needed: [OwnedRegister], _ hop: CallHop, from start: Int, to end: Int,
    _ range: SourceRange
  ) {
    guard hop.mayThrow, hop.comesBack, code.frame.asynchrony.suspending != .no, !needed.isEmpty
    else { return }
    onThrow(from: start, to: end, range) {
      release(needed[...], range)
      comeBack(from: hop, range)
    }
  }

  private func register(of argument: WindowArgument, _ range: SourceRange) -> Register {
    switch argument {
    case .value(let value): return emitOwned(value)
    case .standard(let value, let given):
      let outer = substitution
      substitution = given ?? outer
      defer { substitution = outer }
      return emitOwned(value)
    case .values(let values, let type):
      return emit(Typed.Expression(.array(values), known.array(concrete(type)), range))
    case .register(let register): return register
    case .place(let value), .preparedPlace(_, let value): return emit(value)
    }
  }

  /// An argument whose value is in a register of its own.
  func kept(_ argument: WindowArgument, _ range: SourceRange) -> WindowArgument {
    let register = code.frame.pinned()
    let next = code.frame.next
    emit(.copy(register, from: self.register(of: argument, range)), range)
    code.frame.next = next
    return .register(register)
  }

  /// Arguments whose values are in registers: the defaults are evaluated last.
  func evaluated(_ arguments: [WindowArgument], _ range: SourceRange) -> [WindowArgument] {
    var given = arguments
    func keep(_ index: Int) { given[index] = kept(arguments[index], range) }
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .value, .values: keep(index)
      case .register, .preparedPlace, .standard, .place: break
      }
    }
    for (index, argument) in arguments.enumerated() {
      if case .standard = argument { keep(index) }
    }
    return given
  }

  private typealias Box = (box: Register, access: Access, value: Typed.Expression)

  /// Evaluates arguments in their order where some are places, and begins the accesses to those behind all of them.
  private func open(
    _ arguments: [WindowArgument], _ range: SourceRange
  ) -> (arguments: [WindowArgument], boxes: [Box]) {
    guard isOutOfOrder(arguments) else { return (arguments, []) }
    var given = arguments
    func keep(_ index: Int) { given[index] = kept(arguments[index], range) }
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .place(let value): given[index] = .preparedPlace(prepareToChange(value), value)
      case .value, .values: keep(index)
      case .register, .preparedPlace, .standard: break
      }
    }
    for (index, argument) in arguments.enumerated() {
      if case .standard = argument { keep(index) }
    }
    var boxes: [Box] = []
    for (index, argument) in given.enumerated() {
      guard case .preparedPlace(let place, let value) = argument else { continue }
      let type = concrete(value.type)
      let local = Typed.Local("inout", type, isVariable: true, range, Typed.FunctionScope(nil))
      let fresh = allocate()
      emit(.instanceMake(fresh, ClassID(boxClass(local)), .none), range)
      let box = isCounting ? owning(fresh, LifeKind.instance, range) : fresh
      let access = beginAccess(place, type, value)
      emit(.fieldStore(box, 0, from: access.register), range)
      if access.steps.isEmpty, let kind = lifeKind(type) {
        // Meanwhile the box alone has it.
        emit(.release(access.register, kind), range)
      } else {
        vacate(access, range)
      }
      boxes.append((box, access, value))
      given[index] = .register(box)
    }
    return (given, boxes)
  }

  /// A call of the simulator that takes values and may give one.
  func perform(
    _ primitive: Primitive, _ operands: [Register], _ range: SourceRange
  ) -> Register {
    let base = operands.isEmpty ? allocate() : window(operands, range)
    emit(.perform(primitive, base: base, noSite), range)
    return base
  }

  /// Whether arguments are not evaluated one after the other into their window: some are places, or a default is in front
  /// of what is written.
  private func isOutOfOrder(_ arguments: [WindowArgument]) -> Bool {
    var hasStandard = false
    for argument in arguments {
      switch argument {
      case .place, .preparedPlace: return true
      case .standard: hasStandard = true
      case .value, .values: if hasStandard { return true }
      case .register: break
      }
    }
    return false
  }

  /// Gives places the values of the boxes that a call changed, whether it returned or threw.
  private func putBack(_ boxes: [Box], from start: Int, _ range: SourceRange) {
    guard !boxes.isEmpty else { return }
    func store() {
      for (box, access, value) in boxes.reversed() {
        let type = concrete(value.type)
        if lifeKind(type) == nil {
          emit(.fieldLoad(access.register, of: box, 0), range)
        } else {
          let changed = allocate()
          emit(.fieldLoad(changed, of: box, 0), range)
          assign(access.register, from: changed, type, range)
        }
        endAccess(access, value)
      }
    }
    let end = code.frame.code.count
    store()
    onThrow(from: start, to: end, range, store)
  }
}
