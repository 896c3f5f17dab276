import SpindleModel

/// `await`, and where code goes on behind it.
extension Lowering {
  /// The value of `await inner`, which says that others may get in between.
  mutating func awaited(
    _ inner: Expression, isTried: Bool, expecting: ValueType?, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    let isUsed = beginAwait(isTried: isTried, range)
    let made = value(inner, expecting: expecting, target: target)
    endAwait(isUsed, isTried: isTried, range)
    return made
  }

  /// `await inner` as a statement.
  mutating func lowerAwaited(_ inner: Expression, isTried: Bool, _ range: SourceRange) {
    let isUsed = beginAwait(isTried: isTried, range)
    drop(inner)
    lowerForEffect(inner)
    endAwait(isUsed, isTried: isTried, range)
  }

  /// `await x = f()`: it covers both sides, as in Swift.
  mutating func assignAwaited(
    _ target: Expression, isTried: Bool, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    let isUsed = beginAwait(isTried: isTried, range)
    let outer = awaitedTarget
    awaitedTarget = target.range
    lowerAssignment(target, operation, expression, range)
    awaitedTarget = outer
    endAwait(isUsed, isTried: isTried, range)
  }

  /// Notes that nothing takes what a call gives, or `await` of one; a chain makes an optional of it first.
  mutating func drop(_ expression: Expression) {
    switch expression.kind {
    case .await(let inner, _): drop(inner)
    case .chain: dropped = nil
    default: dropped = expression.range
    }
  }

  /// The first value of a `let` or `var`.
  mutating func boundValue(
    _ binding: Binding, expecting: ValueType?, target: Register
  ) -> Operand {
    if binding.name.word.isUnderscore { drop(binding.value) }
    return value(binding.value, expecting: expecting, target: target)
  }

  /// Begins what an `await` covers; gives whether something around it needs an `await`.
  private mutating func beginAwait(isTried: Bool, _ range: SourceRange) -> Bool {
    if frame.asynchrony.suspending == .no { error(misplacedAwait(), range) }
    if frame.asynchrony.isMain { program.mainIsAsync = true }
    let isUsed = frame.asynchrony.isUsed
    frame.awaitCount += 1
    frame.asynchrony.awaits += 1
    if isTried { frame.asynchrony.tries += 1 }
    frame.asynchrony.isUsed = false
    return isUsed
  }

  private mutating func endAwait(_ isUsed: Bool, isTried: Bool, _ range: SourceRange) {
    if !frame.asynchrony.isUsed && frame.asynchrony.suspending != .no && !isLenient {
      warn(Messages.idleAwait, SourceRange(Int(range.lowerBound), Int(range.lowerBound) + 5))
    }
    frame.asynchrony.awaits -= 1
    if isTried { frame.asynchrony.tries -= 1 }
    frame.asynchrony.isUsed = isUsed || frame.asynchrony.awaits > 0
  }

  private func misplacedAwait() -> String {
    if frame.asynchrony.isMain { return Messages.awaitInApp }
    switch frame.context {
    case .function(let ordinal):
      let name = functions[ordinal].name
      return isGetter(ordinal) ? Messages.awaitInGetter(name) : Messages.awaitInFunction(name)
    case .top: return Messages.awaitAtTop
    case .thread, .world, .asked, .anywhere: return Messages.awaitInClosure
    }
  }

  /// Whether a function computes what is read by its name.
  private func isGetter(_ ordinal: Int) -> Bool {
    if statics.getters.contains(ordinal) { return true }
    guard checker.ownClass >= 0 else { return false }
    return checker.classes[checker.ownClass].computed.contains { $0.ordinal == ordinal }
  }

  /// Something is made whose task may leave its thread in it: there must be an `await` around it.
  mutating func noteSuspension(_ name: String, _ range: SourceRange) {
    needThread(name, range)
    if frame.asynchrony.awaits > 0 {
      frame.asynchrony.isUsed = true
    } else if frame.asynchrony.suspending == .no {
      error(Messages.asyncCallInSync(name), range)
    } else {
      error(Messages.missingAwait(name, source.text(in: range)), range)
    }
  }

  /// Something is called that may wait, as far as its type says: a closure, code of another actor.
  mutating func noteMaybe() {
    if frame.asynchrony.awaits > 0 { frame.asynchrony.isUsed = true }
  }

  // MARK: Functions

  /// A call of a function of Swift concurrency, or of a name of it that a trace has not; nil for others.
  mutating func asyncNamed(
    _ name: Word, _ call: CallSite, isUsed: Bool, expecting: ValueType?, target: Register?
  ) -> Operand? {
    if checker.isSwiftClock(call.callee), call.arguments.isEmpty { return clock(name) }
    if ForeignWord.concurrencyTypes.contains(name.text) {
      return refuse(ForeignWord.concurrency(name.text), call.callee.range)
    }
    return asyncScope(name.text, call, isUsed: isUsed, expecting: expecting, target: target)
  }
}
