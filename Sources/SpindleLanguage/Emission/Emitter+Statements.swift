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
    statements.last?.range.lastByte ?? SourceRange(0, 0)
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
    var made = value.map { emitOwned($0, isVariable: isLeft($0)) }
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
    case .constant(1): break
    case .logical(let one, let other, isAnd: true):
      jump(unless: one, to: label)
      jump(unless: other, to: label)
    case .call(let call) where isLess(call):
      let (one, other) = operands(ofTwo: call)
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
}
