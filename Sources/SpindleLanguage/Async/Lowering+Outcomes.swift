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
    let from = register(of: task, range)
    let result = frame.pinned()
    let (failed, end) = (frame.label(), frame.label())
    let base = frame.allocate()
    emit(.copy(base, from: from), range)
    emit(.perform(.task(.isSuccess), base: base, noSite), range)
    emit(.jumpUnless(base, frame.target(failed)), range)
    for isSuccess in [true, false] {
      emit(.copy(base, from: from), range)
      emit(.perform(.task(isSuccess ? .get : .failure), base: base, noSite), range)
      let part = Operand.register(base, isSuccess ? task.type.element : .string)
      let made = make(isSuccess, part, index, range)
      place(made, in: result, range)
      if isSuccess {
        frame.jump(end, range)
        frame.mark(failed)
      }
    }
    frame.mark(end)
    return .register(result, type)
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
