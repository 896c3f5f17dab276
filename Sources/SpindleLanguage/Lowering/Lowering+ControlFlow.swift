import SpindleModel

/// Loops and branches to jumps.
extension Lowering {
  mutating func lowerIf(_ branches: SyntaxList<Statement.Branch>, _ otherwise: CodeBlock?) {
    let end = frame.label()
    for (index, branch) in branches.enumerated() {
      warnOfConstant(branch.condition)
      let next = frame.label()
      let (mark, lives) = (lifeMark, frame.owned.count)
      let open = openCondition(branch.condition)
      self.branch(branch.condition, when: false, to: next)
      releaseTemporaries(from: mark.temporaries, branch.condition.range)
      let held = frame.owned.count
      lowerBlock(branch.body)
      closeCondition(open)
      if index < branches.count - 1 || otherwise != nil {
        frame.jump(end, closingBrace(branch.body))
      }
      frame.mark(next)
      releaseOwners(from: lives, upTo: held, branch.condition.range)
    }
    if let otherwise { lowerBlock(otherwise) }
    frame.mark(end)
  }

  mutating func lowerGuard(_ condition: Expression, _ body: CodeBlock) {
    if binds(condition) { return lowerBindingGuard(condition, body) }
    warnOfConstant(condition)
    let next = frame.label()
    let (mark, lives) = (lifeMark, frame.owned.count)
    branch(condition, when: true, to: next)
    releaseTemporaries(from: mark.temporaries, condition.range)
    let held = frame.owned.count
    lowerBlock(body)
    if frame.isReachable || frame.isReachableOtherwise {
      error(Messages.guardFallsThrough, closingBrace(body))
    }
    frame.isReachable = false
    frame.mark(next)
    releaseOwners(from: lives, upTo: held, condition.range)
  }

  mutating func lowerWhile(_ condition: Expression, _ body: CodeBlock) {
    let label = takeLabel()
    warnOfConstant(condition, isLoop: true)
    let (top, exit) = (frame.label(), frame.label())
    frame.mark(top)
    frame.loopDepth += 1
    let (mark, lives) = (lifeMark, frame.owned.count)
    let open = openCondition(condition)
    branch(condition, when: false, to: exit)
    releaseTemporaries(from: mark.temporaries, condition.range)
    let held = frame.owned.count
    lowerLoopBody(body, label, exit: exit, next: top)
    closeCondition(open)
    frame.jump(top, closingBrace(body))
    frame.loopDepth -= 1
    frame.mark(exit)
    releaseOwners(from: lives, upTo: held, condition.range)
  }

  mutating func lowerRepeat(_ body: CodeBlock, _ condition: Expression) {
    let label = takeLabel()
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    frame.loopDepth += 1
    lowerLoopBody(body, label, exit: exit, next: next)
    frame.mark(next)
    let mark = lifeMark
    branch(condition, when: true, to: top)
    releaseTemporaries(from: mark.temporaries, condition.range)
    frame.loopDepth -= 1
    frame.mark(exit)
  }

  /// Ends the simulated process with a message of the language itself.
  mutating func crash(_ message: String, _ range: SourceRange) {
    let register = frame.allocate()
    emit(.constant(Int64(intern(message).index), to: register), range)
    emit(.perform(.doing(.fatalError), base: register, noSite), range)
    frame.isReachable = false
  }

  mutating func lowerLoopBody(
    _ body: CodeBlock, _ label: Word?, exit: Frame.Label, next: Frame.Label
  ) {
    frame.loops.append(
      Frame.Loop(
        exit: exit, next: next, cleanups: frame.cleanups.count, label: label, lives: lifeMark))
    lowerBlock(body)
    frame.loops.removeLast()
  }

  /// The label in front of the statement at hand; nil for none.
  mutating func takeLabel() -> Word? {
    guard let label = pendingLabel else { return nil }
    pendingLabel = nil
    return label
  }

  // MARK: Conditions

  /// Jumps to `label` when the condition's value is `wanted`.
  mutating func branch(_ condition: Expression, when wanted: Bool, to label: Frame.Label) {
    let next = frame.next
    switch condition.kind {
    case .prefix(.not, let inner):
      branch(inner, when: !wanted, to: label)
    case .infix(.and, let sides):
      branchBoth(sides.left, sides.right, when: wanted, stop: false, to: label)
    case .infix(.or, let sides):
      branchBoth(sides.left, sides.right, when: wanted, stop: true, to: label)
    case .infix(let operation, let sides)
    where operation.isComparison && !wanted:
      branchUnless(
        operation, sides.left, sides.right, sides.operatorRange, condition.range, to: label)
    case .condition(let binding): branchBinding(binding.value, when: wanted, to: label)
    case .match(let match): branchMatch(match.value, when: wanted, to: label)
    default:
      let made = coerce(value(condition, expecting: .boolean), to: .boolean, condition.range)
      jump(on: made, when: wanted, to: label, isForGood: isLiteral(condition), condition.range)
    }
    frame.next = next
  }

  /// `&&` stops at the first false, `||` at the first true.
  private mutating func branchBoth(
    _ left: Expression, _ right: Expression, when wanted: Bool, stop: Bool, to label: Frame.Label
  ) {
    if wanted == stop {
      branch(left, when: stop, to: label)
      branch(right, when: stop, to: label)
    } else {
      let skip = frame.label()
      branch(left, when: stop, to: skip)
      branch(right, when: wanted, to: label)
      frame.mark(skip)
    }
  }

  private mutating func branchUnless(
    _ operation: Expression.InfixOperator, _ left: Expression, _ right: Expression,
    _ place: SourceRange, _ range: SourceRange, to label: Frame.Label
  ) {
    guard let pair = comparison(operation, left, right, place) else { return }
    if let folded = pair.folded {
      frame.settle(
        jumps: !folded, to: label, range, isForGood: isLiteral(left) && isLiteral(right))
    } else if pair.code == .less {
      let (a, b) = (register(of: pair.left, range), register(of: pair.right, range))
      emit(.jumpUnlessLess(a, b, frame.target(label)), range)
    } else {
      let result = emitComparison(pair, target: nil, range)
      jump(on: result, when: false, to: label, isForGood: false, range)
    }
  }

  private mutating func jump(
    on made: Operand, when wanted: Bool, to label: Frame.Label, isForGood: Bool,
    _ range: SourceRange
  ) {
    switch made.location {
    case .constant(let value):
      if made.type != .unknown {
        frame.settle(jumps: (value != 0) == wanted, to: label, range, isForGood: isForGood)
      }
      // A condition that is wrong may go either way.
      if made.type == .unknown { _ = frame.target(label) }
    case .register(let register):
      let target = frame.target(label)
      emit(wanted ? .jumpIf(register, target) : .jumpUnless(register, target), range)
    }
  }

  // MARK: Conditions that are no question

  /// Warns of a condition that literals alone decide; `while true` is meant so.
  private mutating func warnOfConstant(_ condition: Expression, isLoop: Bool = false) {
    guard isLiteral(condition), let truth = constantCondition(condition) else { return }
    if truth && isLoop { return }
    warn(Messages.constantCondition(truth), condition.range)
  }

  private func isLiteral(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .integer, .decimal, .duration, .size, .boolean, .none: true
    case .prefix(_, let inner): isLiteral(inner)
    case .infix(_, let sides): isLiteral(sides.left) && isLiteral(sides.right)
    case .percent, .text, .string, .name, .implicitMember, .array, .dictionary, .member, .call,
      .element, .conditional, .range, .closure, .coalesce, .unwrap, .bind, .chain, .await,
      .specialized, .attempt, .condition, .match, .missing:
      false
    }
  }
}
