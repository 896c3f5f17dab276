import SpindleModel

/// Statements and patterns.
extension Emitter {
  /// Statements of one block, with the `defer`s among them.
  func emitStatements(_ statements: [Typed.Statement]) {
    var open: [OpenDefer] = []
    let mark = code.frame.scoped.count
    declareLocalFunctions(statements)
    emitStatements(statements, &open)
    for one in open.reversed() { endDefer(one) }
    endScope(from: mark, end(of: statements))
  }

  /// Where the last of some statements ends.
  private func end(of statements: [Typed.Statement]) -> SourceRange {
    statements.last.map { SourceRange(Int($0.range.upperBound) - 1, Int($0.range.upperBound)) }
      ?? SourceRange(0, 0)
  }

  func emitStatements(_ statements: [Typed.Statement], _ open: inout [OpenDefer]) {
    for statement in statements {
      let mark = code.frame.temporaries.count
      defer { endTemporaries(from: mark, statement.range) }
      switch statement.kind {
      case .defer(let body): open.append(beginDefer(.statements(body), statement.range))
      case .asyncLet(let local, let closure, _):
        open.append(emitAsyncLet(local, closure, statement.range))
      case .several(let inner): emitStatements(inner, &open)
      default: emitStatement(statement)
      }
    }
  }

  /// A block: what it declares is gone behind it.
  func emitBlock(_ statements: [Typed.Statement]) {
    let next = code.frame.next
    openBlocks += 1
    emitStatements(statements)
    openBlocks -= 1
    code.frame.next = next
  }

  /// A statement is a full expression: what it made for itself is released behind it.
  func emitStatement(_ statement: Typed.Statement) {
    inTemporaries(statement.range) { emitPlain(statement) }
  }

  /// The call in a chain whose value nothing takes: `updates?.yield(place)`.
  private func innermost(_ value: Typed.Expression) -> Typed.Expression {
    switch value.kind {
    case .chain(let inner), .wrapped(let inner), .await(let inner): innermost(inner)
    default: value
    }
  }

  /// The call that is awaited where nothing takes the value: `_ = try await make()`.
  func awaited(_ value: Typed.Expression) -> Typed.Expression {
    switch value.kind {
    case .await(let inner), .attempt(.plain, let inner), .attempt(.forced, let inner):
      awaited(inner)
    default: value
    }
  }

  private func emitPlain(_ statement: Typed.Statement) {
    let range = statement.range
    switch statement.kind {
    case .expression(let value), .discard(let value):
      let next = code.frame.next
      discarded = innermost(value)
      dropped = awaited(value)
      inChain(range) { emit(value) }
      code.frame.next = next
      if concrete(value.type).nominal?.builtin == .never { code.frame.isReachable = false }
    case .binding(let pattern, let value, _): emitBinding(pattern, value, range)
    case .declaration(let local):
      declare(local, holding: constant(noValue, range), range)
    case .asyncLet: unsupported("'async let'", range)
    case .tupleAssignment(let places, let value):
      inChain(range) { emitAssignment(to: places, value, range) }
    case .assignment(let place, let value):
      let next = code.frame.next
      inChain(range) { emitAssignment(place, value, range) }
      code.frame.next = next
    case .if(let conditions, let body, let otherwise):
      emitIf(conditions, body, otherwise, range)
    case .guard(let conditions, let otherwise): emitGuard(conditions, otherwise, range)
    case .while(let conditions, let body, let label):
      emitWhile(conditions, body, label, range)
    case .repeatWhile(let body, let condition, let label):
      emitRepeat(body, condition, label, range)
    case .forIn(let loop, let label): emitLoop(loop, label, range)
    case .switch(let selection, let label): emitSwitch(selection, label, range)
    case .block(let body, let label):
      let exit = code.frame.label()
      inLoop(label, exit: exit, next: exit, isLoop: false, endsBreak: false) { emitBlock(body) }
      code.frame.mark(exit)
    case .several(let inner): for one in inner { emitStatement(one) }
    case .break(let label):
      if let loop = reachable(label, isBreak: true) { leave(.breakLoop(loop), range) }
    case .continue(let label):
      if let loop = reachable(label, isBreak: false) { leave(.continueLoop(loop), range) }
    case .fallthrough:
      if let loop = code.frame.loops.last, let following = loop.following {
        code.frame.loops[code.frame.loops.count - 1].fallsThrough = true
        release(downTo: loop.lives, range)
        code.frame.jump(following, expansion ?? range)
      }
    case .return(let value): emitReturn(of: value, range)
    case .throw(let value):
      emit(.raise(emit(value)), range)
      code.frame.noteThrow()
      code.frame.isReachable = false
    case .defer(let body): endDefer(beginDefer(.statements(body), range))
    case .doCatch(let body, let catches, let error, let label):
      emitDo(body, catches, error, label, range)
    case .localFunction(let function): emitLocalFunction(function, range)
    }
  }

  private func emitReturn(of value: Typed.Expression?, _ range: SourceRange) {
    boundName = value.map(isMade) == true ? returnedName : nil
    var made = value.map { emitOwned($0) }
    boundName = nil
    let type = value.map { concrete($0.type) }
    if wrapsResult, code.frame.innermost.exit == nil, let plain = made, let type {
      made = wrap(plain, type, range)
    }
    emitReturn(type?.isVoid == true ? nil : made, type ?? .void, range)
  }

  // MARK: Conditions

  private func emitIf(
    _ conditions: [Typed.Condition], _ body: [Typed.Statement], _ otherwise: [Typed.Statement],
    _ range: SourceRange
  ) {
    let (other, end) = (code.frame.label(), code.frame.label())
    let (next, owned) = (code.frame.next, code.frame.owned.count)
    var held = owned
    inScope(range) {
      held = emitConditions(conditions, otherwise: other, range)
      emitBlock(body)
    }
    code.frame.jump(end, expansion ?? range)
    code.frame.next = next
    code.frame.mark(other)
    releaseOwners(from: owned, upTo: held, range)
    emitBlock(otherwise)
    code.frame.mark(end)
  }

  /// Conditions, and the names that they bind; what else they made is released where all hold.
  ///
  /// Gives how many registers own something by then: `otherwise` has to release those that came here.
  private func emitConditions(
    _ conditions: [Typed.Condition], otherwise: Frame.Label, _ range: SourceRange
  ) -> Int {
    let mark = code.frame.temporaries.count
    emitConditions(conditions, otherwise: otherwise)
    endTemporaries(from: mark, range)
    return code.frame.owned.count
  }

  private func emitConditions(_ conditions: [Typed.Condition], otherwise: Frame.Label) {
    for condition in conditions {
      switch condition {
      case .expression(let value): jump(unless: value, to: otherwise)
      case .pattern(let pattern, let value):
        let kept = inNext(value.range) { emitOwned(value) }
        emitPattern(pattern, kept, fails: otherwise)
      }
    }
  }

  /// Jumps unless a condition holds.
  func jump(unless condition: Typed.Expression, to label: Frame.Label) {
    let (range, next) = (condition.range, code.frame.next)
    switch condition.kind {
    case .logical(let one, let other, isAnd: true):
      jump(unless: one, to: label)
      jump(unless: other, to: label)
    case .call(let call) where isLess(call):
      let (one, other) = (operand(0, call), operand(1, call))
      emit(.jumpUnlessLess(one, other, code.frame.target(label)), range)
    default:
      let test = emit(condition)
      emit(.jumpUnless(test, code.frame.target(label)), range)
    }
    code.frame.next = next
  }

  /// Whether a call compares two words by `<`.
  private func isLess(_ call: Typed.Call) -> Bool {
    guard case .function(let symbol) = call.callee, !symbol.isRequirement,
      case .builtin("less") = symbol.implementation
    else { return false }
    return true
  }

  private func emitGuard(
    _ conditions: [Typed.Condition], _ otherwise: [Typed.Statement], _ range: SourceRange
  ) {
    let (fails, end) = (code.frame.label(), code.frame.label())
    let owned = code.frame.owned.count
    let held = emitConditions(conditions, otherwise: fails, range)
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(fails)
    releaseOwners(from: owned, upTo: held, range)
    emitBlock(otherwise)
    if code.frame.isReachable { crash("the block of 'guard' does not leave", range) }
    code.frame.mark(end)
  }

  private func emitWhile(
    _ conditions: [Typed.Condition], _ body: [Typed.Statement], _ label: String?,
    _ range: SourceRange
  ) {
    let (top, exit) = (code.frame.label(), code.frame.label())
    let (next, owned, lives) = (code.frame.next, code.frame.owned.count, lifeMark)
    var held = owned
    code.frame.loopDepth += 1
    code.frame.mark(top)
    inScope(range) {
      held = emitConditions(conditions, otherwise: exit, range)
      inLoop(label, exit: exit, next: top, lives: lives) { emitBlock(body) }
    }
    code.frame.jump(top, expansion ?? range)
    code.frame.loopDepth -= 1
    code.frame.next = next
    code.frame.mark(exit)
    releaseOwners(from: owned, upTo: held, range)
  }

  private func emitRepeat(
    _ body: [Typed.Statement], _ condition: Typed.Expression, _ label: String?,
    _ range: SourceRange
  ) {
    let (top, next, exit) = (code.frame.label(), code.frame.label(), code.frame.label())
    code.frame.loopDepth += 1
    code.frame.mark(top)
    inLoop(label, exit: exit, next: next) { emitBlock(body) }
    code.frame.mark(next)
    let test = emit(condition)
    emit(.jumpIf(test, code.frame.target(top)), range)
    code.frame.loopDepth -= 1
    code.frame.mark(exit)
  }

  // MARK: Loops

  func emitLoop(_ loop: Typed.Loop, _ label: String?, _ range: SourceRange) {
    if loop.isAwaited, loop.iteration == nil { return emitAwaitedLoop(loop, label, range) }
    if let iteration = loop.iteration {
      if loop.isAwaited { noteAwait() }
      return emitIteration(iteration, loop, label, range)
    }
    let outer = code.frame.next
    let type = concrete(loop.sequence.type)
    guard let nominal = type.nominal else { return unsupported("a loop over \(type)", range) }
    if nominal === known.range || nominal === known.closedRange {
      emitCountingLoop(loop, isClosed: nominal === known.closedRange, label, range)
    } else if nominal.builtin == .dictionary {
      emitEntryLoop(loop, type, label, range)
    } else if nominal.builtin == .array || nominal.builtin == .set {
      var list = emit(loop.sequence)
      if isShared(loop.sequence) { list = copy(list, type, range) }
      emitElements(of: list, loop, label, range) { $0 }
    } else {
      unsupported("generic code that goes through a sequence of one's own", range)
    }
    code.frame.next = outer
  }

  /// The body of a loop for an element, and the temporaries that have it, from the one with the number `given` on.
  func emitBody(
    _ loop: Typed.Loop, _ element: Register, next: Frame.Label, exit: Frame.Label,
    _ label: String?, given: (temporaries: Int, owned: Int)? = nil
  ) {
    let mark = code.frame.next
    let owned = given?.owned ?? code.frame.owned.count
    let temporaries = given?.temporaries ?? code.frame.temporaries.count
    let lives = Frame.LifeMark(symbols: code.frame.scoped.count, temporaries: temporaries)
    let range = loop.pattern.range
    code.frame.loopDepth += 1
    inScope(range) {
      let fails = isCounting ? code.frame.label() : next
      if case .local(let local) = loop.pattern.kind, !local.isVariable {
        declare(local, taking: element, range)
      } else {
        emitPattern(loop.pattern, element, fails: fails)
      }
      if let filter = loop.filter {
        jump(unless: filter, to: fails)
      }
      let held = code.frame.owned.count
      endTemporaries(from: temporaries, range)
      inLoop(label, exit: exit, next: next, lives: lives) { emitBlock(loop.body) }
      // An element that did not fit goes here, too: what the pattern owns is released.
      if isCounting { code.frame.mark(fails) }
      releaseOwners(from: owned, upTo: held, range)
    }
    code.frame.loopDepth -= 1
    code.frame.next = mark
  }

  private func emitElements(
    of list: Register, _ loop: Typed.Loop, _ label: String?, _ range: SourceRange,
    _ make: (Register) -> Register
  ) {
    let (count, index, item) = (allocate(), allocate(), allocate())
    emit(.arrayCount(count, array: list), range)
    emit(.constant(0, to: index), range)
    let (top, next, exit) = (code.frame.label(), code.frame.label(), code.frame.label())
    code.frame.mark(top)
    emit(.jumpUnlessLess(index, count, code.frame.target(exit)), range)
    emit(.arrayGet(item, array: list, index: index), range)
    emitBody(loop, make(item), next: next, exit: exit, label)
    code.frame.mark(next)
    emit(.increment(index), range)
    code.frame.jump(top, expansion ?? range)
    code.frame.mark(exit)
  }

  private func emitEntryLoop(
    _ loop: Typed.Loop, _ type: SwiftType, _ label: String?, _ range: SourceRange
  ) {
    checkKey(type.arguments[0], range)
    var entries = emit(loop.sequence)
    if isShared(loop.sequence) { entries = copy(entries, type, range) }
    let keys = allocate()
    emit(.entryKeys(keys, of: entries), range)
    emitElements(of: keys, loop, label, range) { key in
      let value = allocate()
      emit(.entryGet(value, of: entries, key: key), range)
      return makeInstance(concrete(loop.element), [key, value], range)
    }
  }

  private func emitCountingLoop(
    _ loop: Typed.Loop, isClosed: Bool, _ label: String?, _ range: SourceRange
  ) {
    let (item, limit) = bounds(of: loop.sequence, range)
    let (top, next, exit) = (code.frame.label(), code.frame.label(), code.frame.label())
    code.frame.mark(top)
    if isClosed {
      let test = allocate()
      emit(.lessOrEqual(test, item, limit), range)
      emit(.jumpUnless(test, code.frame.target(exit)), range)
    } else {
      emit(.jumpUnlessLess(item, limit, code.frame.target(exit)), range)
    }
    emitBody(loop, item, next: next, exit: exit, label)
    code.frame.mark(next)
    emit(.increment(item), range)
    code.frame.jump(top, expansion ?? range)
    code.frame.mark(exit)
  }

  /// The bounds of a range, each in a register of its own, of which the upper one is not below the lower one.
  private func bounds(
    of value: Typed.Expression, _ range: SourceRange
  ) -> (lower: Register, upper: Register) {
    let item: Register
    let limit: Register
    if case .instance(let bounds) = value.kind, bounds.count == 2 {
      item = inNext(range) { emit(bounds[0]) }
      limit = inNext(range) { emit(bounds[1]) }
      if let lower = number(bounds[0]), let upper = number(bounds[1]), lower <= upper {
        return (item, limit)
      }
    } else {
      let whole = inNext(range) { emit(value) }
      (item, limit) = (allocate(), allocate())
      emit(.fieldLoad(item, of: whole, 0), range)
      emit(.fieldLoad(limit, of: whole, 1), range)
    }
    let ordered = code.frame.label()
    let test = allocate()
    emit(.lessOrEqual(test, item, limit), range)
    emit(.jumpIf(test, code.frame.target(ordered)), range)
    crash("Range requires lowerBound <= upperBound", range)
    code.frame.mark(ordered)
    code.frame.next = Int(limit.index) + 1
    return (item, limit)
  }

  /// The number that a literal is; nil for any other expression.
  private func number(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .integer(let number), .constant(let number): number
    default: nil
    }
  }

  private func emitIteration(
    _ iteration: Typed.Iteration, _ loop: Typed.Loop, _ label: String?, _ range: SourceRange
  ) {
    let outer = code.frame.next
    declare(iteration.iterator, holding: emitOwned(iteration.make), until: .expression, range)
    let (top, exit) = (code.frame.label(), code.frame.label())
    code.frame.loopDepth += 1
    code.frame.mark(top)
    let mark = code.frame.next
    let given = (code.frame.temporaries.count, code.frame.owned.count)
    let made = emit(iteration.next)
    jump(ifNil: true, made, to: exit, range)
    emitBody(
      loop, unwrap(made, concrete(loop.element), range), next: top, exit: exit, label,
      given: given)
    code.frame.next = mark
    code.frame.jump(top, expansion ?? range)
    code.frame.loopDepth -= 1
    code.frame.mark(exit)
    code.frame.next = outer
  }
}
