import SpindleModel

/// Calls of the vocabulary's members: rows to primitives.
extension Lowering {
  mutating func callMember(
    _ meaning: CallMeaning, _ receiver: Receiver?, _ call: CallSite, _ naming: Naming,
    isUsed: Bool, target: Register?
  ) -> Operand {
    meaning.member._withUnsafeGuaranteedRef { member in
      callMember(member, meaning, receiver, call, naming, isUsed: isUsed, target: target)
    }
  }

  private mutating func callMember(
    _ member: Member, _ meaning: CallMeaning, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, isUsed: Bool, target: Register?
  ) -> Operand {
    let nameRange = SpindleLanguage.nameRange(of: call.callee)
    if member.traits.contains(.suspends) {
      noteSuspension(member.name, nameRange)
    } else if member.traits.contains(.needsThread) {
      needThread(member.name, nameRange, unless: member.action.freedom)
    }
    if case .draw(let distribution) = member.action {
      return draw(distribution, member, call, target: target)
    }
    if member.isNote { return note(member, call) }
    var call = call
    if member.name == "sleep" {
      if let message = checker.countedSleep(call) {
        return refuse(message, call.arguments[0].value.range)
      }
      if let counted = countingNanoseconds(call) { call = counted }
    }
    guard
      let actuals = meaning.actuals
        ?? checker.match(member.formals, call, name: member.name, nameRange)
    else {
      walkStray(call)
      return Operand(type: member.result.isVoid ? .void : .unknown, location: .constant(0))
    }
    if let form = meaning.form { forms.note(form.value, member, actuals) }
    if !isUsed { checkUnused(member, nameRange) }
    switch member.check {
    case nil: break
    case .makesOperation, .takesOperationBlock: usage.noteOperationClosures(member, call)
    case .operationKey: checker.checkKey(call)
    case .constraint: checker.checkConstraint(call)
    }
    if member.action.isInPlace {
      return callInPlace(member, actuals, receiver, call, naming, isUsed: isUsed, target: target)
    }
    if case .claim(let claims) = member.action { return claim(claims, member, call) }
    if let made = asyncCall(member, actuals, receiver, call, naming, target: target) {
      return made
    }
    return perform(member, actuals, receiver, call, naming, target: target)
  }

  /// Reports or notes that something needs a thread.
  ///
  /// At the top there is nobody yet whom a lock would keep out, and who asks whether an operation is ready waits for
  /// none: that just goes on.
  mutating func needThread(
    _ name: String, _ range: SourceRange, unless freedom: Member.Freedom = .none
  ) {
    switch frame.caller {
    case .thread, .anywhere: break
    case .world: error(Messages.needsThread(name), range)
    case .asked: if freedom == .none { error(Messages.needsThread(name), range) }
    case .top: if freedom != .locks { error(Messages.needsThreadAtTop(name), range) }
    case .function(let ordinal): needs.need(name, in: ordinal, unless: freedom, at: range, source)
    }
  }

  private mutating func checkUnused(_ member: Member, _ range: SourceRange) {
    guard !member.result.isVoid, !member.traits.contains(.ignorable) else { return }
    switch member.action {
    case .perform(.thread(.make)): warn(Messages.neverStarted, range)
    case .perform(.workItem(.make)): warn(Messages.neverSubmitted, range)
    case .perform(.dispatchSource(.make)): warn(Messages.neverResumed, range)
    default: warn(Messages.unusedResult(member.name), range)
    }
  }

  // MARK: Primitives

  /// Fills the window of a member's primitive, slot by slot, and performs it.
  mutating func perform(
    _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming, target: Register?
  ) -> Operand {
    if let receiver, member.steps.count == 1, member.result.isVoid,
      case .register(let object) = receiver.object.location,
      case .perform(let primitive) = member.action
    {
      let site = member.traits.contains(.creates) ? self.site() : noSite
      libraryLives.noteUse(primitive)
      emit(.perform(primitive, base: object, site), call.place)
      if member.traits.contains(.suspends) { goHome(call.place) }
      return .void
    }
    let base =
      receiver?.window ?? target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let key = fillWindow(base, member, actuals, receiver, call, naming)
    let primitive: Primitive
    var result = member.result
    switch member.action {
    case .perform(let action), .store(let action): primitive = action
    case .load(let action):
      primitive = action
      result = key.map { .optional(storedType($0)) } ?? .unknown
    case .record: primitive = .doing(.record)
    case .sample: primitive = .doing(.sample)
    case .draw, .inPlace, .inPlaceIf, .now, .claim:
      preconditionFailure("'\(member.name)' is more than one primitive")
    }
    let site = member.traits.contains(.creates) ? self.site() : noSite
    if case .doing(.io) = primitive, frame.asynchrony.awaits > 0 {
      // Behind 'await' the call waits without its thread.
      frame.asynchrony.isUsed = true
      let io = frame.asynchrony.tries > 0 ? TaskPrimitive.ioThrowing : .io
      emit(.perform(.task(io), base: base, site), call.place)
      goHome(call.place)
    } else {
      emit(.perform(primitive, base: base, site), call.place)
      if member.traits.contains(.suspends) { goHome(call.place) }
    }
    if case .task(.checkCancellation) = primitive { frame.noteThrow() }
    if member.traits.contains(.neverReturns) { frame.isReachable = false }
    let made = finishWindow(base, result, target: target, call.place)
    libraryLives.noteUse(primitive)
    if case .operation(.addDependency) = primitive { noteHold(of: .handle(.operation)) }
    if let handle = primitive.makes(made.type) {
      if call.place(of: "initiallyInactive", in: "attributes") != nil {
        libraryLives.noteInactive()
      }
      return newObject(made, handle, call.place)
    }
    return isCounting ? shared(made, call.place) : made
  }

  /// Fills the window of a member's primitive, which begins at `base`, slot by slot.
  ///
  /// Gives the key under which the member keeps a value.
  @discardableResult
  mutating func fillWindow(
    _ base: Register, _ member: Member, _ actuals: Actuals, _ receiver: Receiver?, _ call: CallSite,
    _ naming: Naming
  ) -> StoredKey? {
    let first = Int(base.index)
    frame.next = first + 1
    var context = SlotContext(naming: naming)
    for index in member.steps.indices {
      if index > 0 { _ = frame.allocate() }
      let step = member.steps[index]
      let actual = step.formal < 0 ? .absent : actuals[step.formal]
      fill(step, index, member, actual, receiver, call, &context, Register(first + index))
      frame.next = first + index + 1
    }
    return context.key
  }

  /// What the slots of one window know of each other.
  struct SlotContext {
    var naming: Naming
    /// The class of the last argument, when it is an object.
    var handle: HandleClass?
    /// The key under which the member keeps a value.
    var key: StoredKey?
    /// Which argument is the name that the call gives.
    var nameOrdinal: Int?
    /// The name when it is a literal without values in it.
    var literalName: NameID?
    /// How the last argument is written.
    var lastFormat = ValueFormat.integer
  }

  /// Fills one slot of a window.
  @inline(always)
  private mutating func fill(
    _ step: Member.Step, _ index: Int, _ member: Member, _ actual: Actual, _ receiver: Receiver?,
    _ call: CallSite, _ context: inout SlotContext, _ register: Register
  ) {
    switch step.kind {
    case .receiver:
      if let receiver { place(receiver.object, in: register, call.place) }
    case .owner(let primitive):
      placeOwner(primitive, in: register, call.place)
    case .handleClass:
      emit(.constant(Int64(context.handle?.rawValue ?? 0), to: register), call.place)
    case .argument(let standard):
      guard case .argument(let ordinal) = actual else {
        emit(.constant(standard, to: register), call.place)
        return
      }
      let (formal, written) = (member.formals[step.formal], call.arguments[ordinal].value)
      if case .store = member.action, formal.type.isUnknown {
        store(written, under: context.key, in: register)
      } else if formal.type.isUnknown {
        context.lastFormat = storedValue(written, into: register).format
      } else {
        let made = argument(written, formal, into: register)
        if case .handle(let handle) = made.type { context.handle = handle }
        if member.action.isKeyed, formal.label?.text == "key" {
          context.key = storedKey(made, .specific, written.range)
        }
      }
    case .name:
      if case .argument(let ordinal) = actual, !call.arguments[ordinal].value.isNil {
        let expression = call.arguments[ordinal].value
        context.nameOrdinal = ordinal
        let made = argument(expression, member.formals[step.formal], into: register)
        if case .text = expression.kind, let name = made.constant {
          context.literalName = NameID(Int(name))
        }
      } else if case .bound(let name) = context.naming, isClassOfThreads(name, member) {
        // The simulator numbers these.
        emit(.constant(noValue, to: register), call.place)
      } else {
        nameObject(context.naming, register, call.place)
      }
    case .kind:
      emit(.constant(kind(context, member, index, call), to: register), call.place)
    case .closure:
      var captured: Register?
      if case .element(_, let index) = context.naming { captured = index }
      closuresBegin = beginning(of: call)
      fillClosure(actual, member.formals[step.formal], captured: captured, call, register)
    case .constant(let constant):
      emit(.constant(constant, to: register), call.place)
    case .format:
      if case .sample = member.action { noteSample(call, context.lastFormat) }
      emit(.constant(Int64(context.lastFormat.rawValue), to: register), call.place)
    case .text: break
    }
  }

  /// Notes what is sampled under a key.
  private mutating func noteSample(_ call: CallSite, _ format: ValueFormat) {
    guard format.isMeasured, let key = call.arguments.first?.value else {
      return error(Messages.notSampled, call.place)
    }
    code.noteSample(.init(key: pattern(of: key), format: format))
  }

  /// Whether a thread is the one that each instance of a class has, whose name it gets.
  private mutating func isClassOfThreads(_ name: Word, _ member: Member) -> Bool {
    guard case .perform(.thread(.make)) = member.action, let index = checker.classIndex(of: name)
    else { return false }
    return checker.classes[index].parent == .thread
  }

  /// Evaluates a value of any type that can be kept, into `register`.
  private mutating func storedValue(
    _ expression: Expression, into register: Register
  ) -> ValueType {
    let made = storable(value(expression, target: register), expression.range)
    place(made, in: register, expression.range)
    if made.type.isCollection {
      error(Messages.notPrintable("\(made.type)"), expression.range)
    }
    return made.type
  }

  mutating func nameObject(_ naming: Naming, _ register: Register, _ range: SourceRange) {
    switch naming {
    case .none: emit(.constant(noValue, to: register), range)
    case .bound(let name): emit(.constant(Int64(intern(name).index), to: register), range)
    case .element(let name, let index):
      _ = join(
        [.literal(name.text + "["), .value(index, .integer), .literal("]")], register, range)
    }
  }

  private mutating func kind(
    _ context: SlotContext, _ member: Member, _ slot: Int, _ call: CallSite
  ) -> Int64 {
    if let literal = context.literalName { return code.kind(pattern: literal) }
    var isNamed = false
    if let ordinal = context.nameOrdinal {
      let pattern = pattern(of: call.arguments[ordinal].value)
      // "*" is all work, and no kind of it.
      if !pattern.allSatisfy({ $0 == "*" }) { return code.kind(pattern: intern(pattern)) }
      isNamed = true
    } else {
      switch context.naming {
      case .bound(let name): return code.kind(pattern: intern(name))
      case .element(let name, _): return code.kind(pattern: intern(name.text + "[*]"))
      case .none: break
      }
    }
    guard case .kind(let submitter) = member.slots[slot] else { return 0 }
    let line = source.lineNumber(at: call.place.lowerBound)
    guard case .member(let written) = call.callee.kind, written.name.text == submitter else {
      return code.kind(of: submitter, line: line, at: call.place, isNamed: isNamed)
    }
    let full = CodeBuilder.submitter(submitter, of: source.text(in: written.base.range))
    return code.kind(of: full, line: line, at: call.place, isNamed: isNamed)
  }

  // MARK: Notes and chance

  /// `print` and `mark`: all arguments in one text.
  private mutating func note(_ member: Member, _ call: CallSite) -> Operand {
    if member.name == "print", let done = printParts(call) { return done }
    if member.name == "NSLog", case .perform(let primitive) = member.action,
      let done = formatted(call, primitive)
    {
      return done
    }
    guard !call.arguments.isEmpty, call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil }), case .perform(let primitive) = member.action
    else {
      let formals = [Formal(label: nil, type: .string, isOptional: false, slot: 0)]
      _ = checker.match(formals, call, name: member.name, call.callee.range)
      walkStray(call)
      return .void
    }
    let base = frame.allocate()
    var pieces: [TextPiece] = []
    let isFollowed = areFollowed(call.arguments.map(\.value))
    for (index, argument) in call.arguments.enumerated() {
      if index > 0 { pieces.append(.literal(" ")) }
      let made = value(argument.value, target: call.arguments.count == 1 ? base : nil)
      let kept = isFollowed[index] ? steady(made, argument.value) : made
      pieces.append(piece(kept, argument.value.range))
    }
    if pieces.count == 1, case .value(let register, .string) = pieces[0] {
      place(.register(register, .string), in: base, call.place)
    } else {
      place(join(pieces, base, call.place), in: base, call.place)
    }
    emit(.perform(primitive, base: base, noSite), call.place)
    frame.next = Int(base.index)
    return .void
  }

  private mutating func draw(
    _ distribution: Distribution, _ member: Member, _ call: CallSite, target: Register?
  ) -> Operand {
    if distribution == .choice { return choice(call, expecting: nil, target: target) }
    let formals = member.formals
    if let form = Messages.drawForm(member.name), call.arguments.count < formals.count,
      call.closures.isEmpty, call.arguments.allSatisfy({ $0.label == nil })
    {
      walkStray(call)
      return refuse(form, call.callee.range)
    }
    guard checker.match(formals, call, name: member.name, call.callee.range) != nil else {
      walkStray(call)
      return .unknown
    }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let first = Int(base.index)
    frame.next = first + 1
    var given: [Operand] = []
    for (index, formal) in formals.enumerated() {
      if index > 0 { _ = frame.allocate() }
      given.append(argument(call.arguments[index].value, formal, into: Register(first + index)))
      frame.next = first + index + 1
    }
    checkDraw(distribution, given, call)
    let count = UInt16(clamping: formals.count)
    if formals.count > Int(UInt16.max) { error(Messages.tooManyArguments(member.name), call.range) }
    emit(.draw(base: base, site(), count: count, distribution), call.place)
    return finishWindow(base, .duration, target: target, call.place)
  }

  /// Reports parameters of a distribution that are known and make no sense.
  private mutating func checkDraw(
    _ distribution: Distribution, _ given: [Operand], _ call: CallSite
  ) {
    guard given.count == 2, let second = given[1].constant else { return }
    if distribution == .uniform, let first = given[0].constant, first > second {
      error(Messages.uniformOrder, call.arguments[0].value.range)
    } else if distribution == .pareto, given[1].type == .decimal, second <= 0 {
      error(Messages.paretoShape, call.arguments[1].value.range)
    }
  }
}
