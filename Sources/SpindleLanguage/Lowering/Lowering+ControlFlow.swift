import SpindleModel

/// Loops and branches to jumps.
extension Lowering {
  mutating func lowerIf(_ branches: SyntaxList<Statement.Branch>, _ otherwise: CodeBlock?) {
    let end = frame.label()
    for (index, branch) in branches.enumerated() {
      warnOfConstant(branch.condition)
      let next = frame.label()
      self.branch(branch.condition, when: false, to: next)
      lowerBlock(branch.body)
      if index < branches.count - 1 || otherwise != nil {
        frame.jump(end, closingBrace(branch.body))
      }
      frame.mark(next)
    }
    if let otherwise { lowerBlock(otherwise) }
    frame.mark(end)
  }

  mutating func lowerGuard(_ condition: Expression, _ body: CodeBlock) {
    warnOfConstant(condition)
    let next = frame.label()
    branch(condition, when: true, to: next)
    lowerBlock(body)
    if frame.isReachable { error(Messages.guardFallsThrough, closingBrace(body)) }
    frame.isReachable = false
    frame.mark(next)
  }

  mutating func lowerWhile(_ condition: Expression, _ body: CodeBlock) {
    warnOfConstant(condition, isLoop: true)
    let (top, exit) = (frame.label(), frame.label())
    frame.mark(top)
    frame.loopDepth += 1
    branch(condition, when: false, to: exit)
    lowerLoopBody(body, exit: exit, next: top)
    frame.jump(top, closingBrace(body))
    frame.loopDepth -= 1
    frame.mark(exit)
  }

  mutating func lowerRepeat(_ body: CodeBlock, _ condition: Expression) {
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    frame.loopDepth += 1
    lowerLoopBody(body, exit: exit, next: next)
    frame.mark(next)
    branch(condition, when: true, to: top)
    frame.loopDepth -= 1
    frame.mark(exit)
  }

  mutating func lowerFor(
    _ name: Name, _ sequence: Expression, _ body: CodeBlock, _ range: SourceRange
  ) {
    if case .range(let bounds) = sequence.kind {
      lowerCountingLoop(name, bounds.value, body, sequence.range)
      return
    }
    let made = value(sequence)
    guard case .arrayOf(let element) = made.type else {
      if made.type != .unknown { error(Messages.notASequence("\(made.type)"), sequence.range) }
      lowerUnknownLoop(name, body)
      return
    }
    let array = register(of: kept(made, isVariable: false), sequence.range)
    let (count, index, item) = (frame.allocate(), frame.allocate(), frame.allocate())
    emit(.arrayCount(count, array: array), sequence.range)
    emit(.constant(0, to: index), sequence.range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), sequence.range)
    emit(.arrayGet(item, array: array, index: index), sequence.range)
    lowerNamedBody(name, item, element.type, body, exit: exit, next: next)
    frame.mark(next)
    emit(.increment(index), closingBrace(body))
    frame.jump(top, closingBrace(body))
    frame.mark(exit)
  }

  /// A loop over what is not a sequence: only its body can still be checked.
  private mutating func lowerUnknownLoop(_ name: Name, _ body: CodeBlock) {
    let (exit, next) = (frame.label(), frame.label())
    let item = frame.allocate()
    lowerNamedBody(name, item, .unknown, body, exit: exit, next: next)
    frame.isReachable = true
    frame.mark(next)
    frame.mark(exit)
  }

  private mutating func lowerCountingLoop(
    _ name: Name, _ bounds: Expression.Bounds, _ body: CodeBlock,
    _ range: SourceRange
  ) {
    let (item, limit) = (frame.allocate(), frame.allocate())
    let from = coerce(value(bounds.from, target: item), to: .integer, bounds.from.range)
    place(from, in: item, bounds.from.range)
    let to = coerce(value(bounds.to, target: limit), to: .integer, bounds.to.range)
    place(to, in: limit, bounds.to.range)
    checkBounds(from, to, item, limit, range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    if bounds.isClosed {
      let isInside = frame.allocate()
      emit(.lessOrEqual(isInside, item, limit), range)
      emit(.jumpUnless(isInside, frame.target(exit)), range)
    } else {
      emit(.jumpUnlessLess(item, limit, frame.target(exit)), range)
    }
    lowerNamedBody(name, item, .integer, body, exit: exit, next: next)
    frame.mark(next)
    emit(.increment(item), closingBrace(body))
    frame.jump(top, closingBrace(body))
    frame.mark(exit)
  }

  /// Sees to it that a range does not end before it starts.
  private mutating func checkBounds(
    _ from: Operand, _ to: Operand, _ start: Register, _ end: Register, _ range: SourceRange
  ) {
    if let from = from.constant, let to = to.constant, from <= to { return }
    let next = frame.next
    let isOrdered = frame.allocate()
    let ordered = frame.label()
    emit(.lessOrEqual(isOrdered, start, end), range)
    emit(.jumpIf(isOrdered, frame.target(ordered)), range)
    crash(Messages.runTimeRange, range)
    frame.mark(ordered)
    frame.next = next
  }

  /// Ends the simulated process with a message of the language itself.
  mutating func crash(_ message: String, _ range: SourceRange) {
    let register = frame.allocate()
    emit(.constant(Int64(intern(message).index), to: register), range)
    emit(.perform(.doing(.fatalError), base: register, noSite), range)
    frame.isReachable = false
  }

  private mutating func lowerNamedBody(
    _ name: Name, _ item: Register, _ type: ValueType, _ body: CodeBlock, exit: Frame.Label,
    next: Frame.Label
  ) {
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    declareLocal(name, .register(item), type)
    frame.loopDepth += 1
    lowerLoopBody(body, exit: exit, next: next)
    frame.loopDepth -= 1
    closeScope(downTo: mark)
    blockStart = outerStart
  }

  private mutating func lowerLoopBody(_ body: CodeBlock, exit: Frame.Label, next: Frame.Label) {
    frame.loops.append(Frame.Loop(exit: exit, next: next, cleanups: frame.cleanups.count))
    lowerBlock(body)
    frame.loops.removeLast()
  }

  mutating func lowerBreak(_ range: SourceRange) {
    guard let loop = reachableLoop("break", range) else { return }
    leave(.breakLoop(loop), range)
  }

  mutating func lowerContinue(_ range: SourceRange) {
    guard let loop = reachableLoop("continue", range) else { return }
    leave(.continueLoop(loop), range)
  }

  private mutating func reachableLoop(_ word: String, _ range: SourceRange) -> Int? {
    let outside = frame.innermost
    guard frame.loops.count > outside.loops else {
      let leavesDefer = outside.isDefer && !frame.loops.isEmpty
      error(leavesDefer ? Messages.leavesDefer(word) : Messages.outsideLoop(word), range)
      return nil
    }
    return frame.loops.count - 1
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
    default:
      let made = coerce(value(condition, expecting: .boolean), to: .boolean, condition.range)
      jump(on: made, when: wanted, to: label, condition.range)
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
      if !folded { frame.jump(label, range) }
    } else if pair.code == .less {
      let (a, b) = (register(of: pair.left, range), register(of: pair.right, range))
      emit(.jumpUnlessLess(a, b, frame.target(label)), range)
    } else {
      let result = emitComparison(pair, target: nil, range)
      jump(on: result, when: false, to: label, range)
    }
  }

  private mutating func jump(
    on made: Operand, when wanted: Bool, to label: Frame.Label, _ range: SourceRange
  ) {
    switch made.location {
    case .constant(let value):
      if made.type != .unknown && (value != 0) == wanted { frame.jump(label, range) }
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
      .element, .conditional, .range, .closure, .missing:
      false
    }
  }
}
