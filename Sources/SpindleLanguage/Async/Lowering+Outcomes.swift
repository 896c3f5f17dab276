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
    emit(.copy(test, from: from), range)
    emit(.perform(.task(.isSuccess), base: test, noSite), range)
    emit(
      isSuccess == wanted
        ? .jumpIf(test, frame.target(label)) : .jumpUnless(test, frame.target(label)), range)
    frame.next = next
  }

  /// Declares the name of what a task gave or threw, where that is known to be there.
  mutating func declareOutcome(
    _ isSuccess: Bool, _ name: Name, isVariable: Bool, _ subject: Subject, _ range: SourceRange
  ) {
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
}
