import SpindleModel

/// `case .success(let x)`, `case .failure(let x)`: what a task gave or threw, of `task.result`.
extension Lowering {
  /// Which of both a pattern is, of what has both; nil for any other pattern.
  mutating func outcome(_ pattern: Pattern, _ subject: Subject) -> Bool? {
    if subject.type.isOutcome {
      if pattern.memberName == "success" { return true }
      return pattern.memberName == "failure" ? false : nil
    }
    guard case .outcome(let isSuccess, _, _) = pattern.kind else { return nil }
    if !subject.type.isUnknown { error(SyntaxMessage.payloadPattern, pattern.range) }
    return isSuccess
  }

  /// Jumps to `label` where a task gave something, or threw something, or, unless `wanted`, did not.
  mutating func branchOutcome(
    _ isSuccess: Bool, _ subject: Subject, when wanted: Bool, to label: Frame.Label,
    _ range: SourceRange
  ) {
    guard case .register(let from) = subject.symbol else { return }
    let next = frame.next
    let test = frame.allocate()
    if let number = part(ResultPart.isSuccess, of: subject.type) {
      emit(.fieldLoad(test, of: from, number), range)
    } else {
      emit(.copy(test, from: from), range)
      emit(.perform(.task(.isSuccess), base: test, noSite), range)
    }
    emit(
      isSuccess == wanted
        ? .jumpIf(test, frame.target(label)) : .jumpUnless(test, frame.target(label)), range)
    frame.next = next
  }

  /// Declares the name of what a task gave or threw, where that is known to be there.
  mutating func declareOutcome(
    _ isSuccess: Bool, _ name: Name, isVariable: Bool, _ subject: Subject, _ range: SourceRange
  ) {
    if subject.type.isResult { return declarePart(isSuccess, name, isVariable, subject, range) }
    let type = isSuccess ? subject.type.element : .string
    guard case .register(let from) = subject.symbol, !name.word.isUnderscore, !type.isVoid else {
      return
    }
    let register = frame.pinned()
    let next = frame.next
    let base = frame.allocate()
    emit(.copy(base, from: from), range)
    emit(.perform(.task(isSuccess ? .get : .failure), base: base, noSite), range)
    emit(.copy(register, from: base), range)
    frame.next = next
    declareLocal(name, isVariable ? .variable(register) : .register(register), type)
  }

  // MARK: Results that the trace makes

  /// The number of the field of a `Result` with this name; nil where it has none.
  private func part(_ name: String, of type: ValueType) -> Int32? {
    guard type.isResult, case .instance(let className) = type else { return nil }
    return checker.classes[checker.classes.index(of: className)].fields
      .firstIndex { $0.name.text == name }.map { Int32($0) }
  }

  private mutating func declarePart(
    _ isSuccess: Bool, _ name: Name, _ isVariable: Bool, _ subject: Subject, _ range: SourceRange
  ) {
    guard case .register(let from) = subject.symbol, !name.word.isUnderscore,
      case .instance(let className) = subject.type,
      let number = part(isSuccess ? ResultPart.given : ResultPart.thrown, of: subject.type)
    else { return }
    let index = checker.classes.index(of: className)
    let register = frame.pinned()
    emit(.fieldLoad(register, of: from, number), range)
    // A part is optional in the class only; who takes it knows that it is there.
    let type = partType(index, Int(number))
    declareLocal(name, isVariable ? .variable(register) : .register(register), type)
  }

  /// The type of a part as it was written between the brackets of `Result<T, E>`.
  private mutating func partType(_ index: Int, _ number: Int) -> ValueType {
    let written = checker.classes[index].fields[number].written
    guard case .optional(let inner)? = written?.kind else { return fieldType(index, number) }
    return checker.type(inner.value)
  }

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
    scope.declare(
      Symbol(
        name: words.changed, meaning: .register(register(of: part, range)), type: part.type,
        place: range, frame: Int32(depth)))
    let argument = Expression.Argument(
      label: nil, labelRange: range, value: arena.named(words.changed, range))
    return value(
      arena.call(arena.named(symbol, range), part.type.isVoid ? [] : [argument], at: range))
  }
}
