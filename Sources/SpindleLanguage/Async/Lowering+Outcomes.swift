import SpindleModel

/// What a task gave or threw, of `task.result`.
extension Lowering {
  /// Whether a pattern is that a task gave something, or that it threw; nil for any other.
  func outcome(_ pattern: Pattern) -> (isSuccess: Bool, part: Pattern?)? {
    guard let named = pattern.namedCase, ["success", "failure"].contains(named.name) else {
      return nil
    }
    return (named.name == "success", named.elements.first?.pattern)
  }

  /// Jumps to `label` where a task did not give something, or did not throw something.
  mutating func branchOutcome(
    _ isSuccess: Bool, _ from: Register, otherwise label: Frame.Label, _ range: SourceRange
  ) {
    let next = frame.next
    let test = frame.allocate()
    emit(.copy(test, from: from), range)
    emit(.perform(.task(.isSuccess), base: test, noSite), range)
    emit(
      isSuccess ? .jumpUnless(test, frame.target(label)) : .jumpIf(test, frame.target(label)), range
    )
    frame.next = next
  }

  /// Declares the name of what a task gave or threw, where that is known to be there.
  mutating func declareOutcome(
    _ isSuccess: Bool, _ name: Name, isVariable: Bool, _ from: Register, _ subject: ValueType,
    _ range: SourceRange
  ) {
    let type = isSuccess ? subject.element : .string
    guard !name.word.isUnderscore, !type.isVoid else { return }
    let register = frame.pinned()
    let next = frame.next
    let base = frame.allocate()
    emit(.copy(base, from: from), range)
    emit(.perform(.task(isSuccess ? .get : .failure), base: base, noSite), range)
    emit(.copy(register, from: base), range)
    frame.next = next
    if hasCell(name, isVariable: isVariable) {
      return declareCell(name, .register(register, type), range)
    }
    let meaning = isVariable ? Symbol.Meaning.variable(register) : .register(register)
    if let declared = declareLocal(name, meaning, type) {
      scope[declared].canBeShared = isVariable
    }
  }

  // MARK: Results that the trace makes

  /// What a task gave or threw as a `Result` of the trace.
  mutating func result(
    of task: Operand, as type: ValueType, _ range: SourceRange
  ) -> Operand? {
    guard type.isResult, case .instance(let className) = type, task.type.isOutcome,
      !task.type.isResult
    else { return nil }
    let index = checker.classes.index(of: className)
    let result = frame.pinned()
    eachOutcome(of: task, range) { lowering, isSuccess, part in
      lowering.readOutcome(isSuccess, into: part, range)
      let read = Operand.register(part.base, part.type)
      lowering.place(lowering.make(isSuccess, read, index, range), in: result, range)
    }
    return .register(result, type)
  }

  /// One of the two things that the outcome of a task may have.
  struct OutcomePart {
    let outcome: Register
    /// Where it is read to.
    let base: Register
    let type: ValueType
  }

  /// Does one thing where a task gave something and another where it threw; gives the register that both read to.
  @discardableResult
  mutating func eachOutcome(
    of task: Operand, _ range: SourceRange,
    _ body: (inout Lowering, _ isSuccess: Bool, OutcomePart) -> Void
  ) -> Register {
    let from = register(of: task, range)
    let (failed, end) = (frame.label(), frame.label())
    let base = frame.allocate()
    emit(.copy(base, from: from), range)
    emit(.perform(.task(.isSuccess), base: base, noSite), range)
    emit(.jumpUnless(base, frame.target(failed)), range)
    for isSuccess in [true, false] {
      let type = isSuccess ? task.type.element : .string
      body(&self, isSuccess, OutcomePart(outcome: from, base: base, type: type))
      if isSuccess {
        frame.jump(end, range)
        frame.mark(failed)
      }
    }
    frame.mark(end)
    return base
  }

  /// Reads it.
  mutating func readOutcome(_ isSuccess: Bool, into part: OutcomePart, _ range: SourceRange) {
    emit(.copy(part.base, from: part.outcome), range)
    emit(.perform(.task(isSuccess ? .get : .failure), base: part.base, noSite), range)
  }

  /// `.success(part)`, `.failure(part)` of a class of results.
  private mutating func make(
    _ isSuccess: Bool, _ part: Operand, _ index: Int, _ range: SourceRange
  ) -> Operand {
    let maker = isSuccess ? words.success : words.failure
    guard let symbol = checker.classes[index].symbol(maker) else { return .unknown }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let argument = Expression.Argument(
      label: nil, labelRange: range, value: standIn(for: part, range))
    return value(
      arena.call(arena.named(symbol, range), part.type.isVoid ? [] : [argument], at: range))
  }
}
