import SpindleModel

/// What Swift's types would refuse of an operation, as far as the text shows how it was made.
struct OperationForms {
  /// How operations were made, by the places of the names that stand for them.
  private var forms: [Int32: Form] = [:]

  /// What the text tells of how an operation was made.
  private enum Form {
    /// Its closure is its main part, and the library reports for it.
    case plain
    /// As a plain one, and it may have several closures.
    case block
    /// Its closure is `start`, and it reports for itself.
    case asynchronous
  }

  /// Notes of which form the operation is that the closures of a call are given.
  mutating func noteClosures(_ member: Member, _ call: CallSite) {
    guard let form = form(of: member, call) else { return }
    var closures = call.closures.map(\.closure)
    for argument in call.arguments {
      if case .closure(let closure) = argument.value.kind { closures.append(closure.value) }
    }
    for closure in closures {
      // What a closure calls its operation: its parameter, else `self` at its beginning.
      let place = closure.parameters.first?.range.lowerBound ?? closure.body.range.lowerBound
      forms[place] = form
    }
  }

  /// Notes of which form the operation is that a `let` is bound to.
  mutating func note(_ binding: Binding, _ type: ValueType, _ checker: inout Checker) {
    guard !binding.isVariable, type == .handle(.operation),
      case .call(let call) = binding.value.kind, case .name(let name) = call.callee.kind,
      checker.find(name) == nil,
      let initializer = checker.vocabulary.type(name)?.initializers.first
    else { return }
    forms[binding.name.range.lowerBound] = form(of: initializer, call)
  }

  /// The form of the operation that a call makes; nil where the text does not tell.
  private func form(of member: Member, _ call: CallSite) -> Form? {
    switch member.check {
    case .makesOperation:
      if case .name("BlockOperation") = call.callee.kind { return .block }
      guard let given = call.arguments.first(where: { $0.label == "isAsynchronous" }) else {
        return .plain
      }
      guard case .boolean(let isTrue) = given.value.kind else { return nil }
      return isTrue ? .asynchronous : .plain
    case .takesOperationBlock: return .block
    case .operationKey, .constraint, nil: return nil
    }
  }

  /// The form of the operation that an expression names; nil where the text does not tell.
  private func form(of expression: Expression, _ checker: inout Checker) -> Form? {
    guard !forms.isEmpty, case .name(let name) = expression.kind,
      let index = checker.find(name)
    else { return nil }
    return forms[checker.scope[index].place.lowerBound]
  }

  /// Refuses a function of an operation that its form does not have.
  func check(
    _ member: Word, of base: Expression, _ range: SourceRange, _ checker: inout Checker
  ) {
    guard let form = form(of: base, &checker) else { return }
    switch form {
    case .plain, .asynchronous:
      if member == "addExecutionBlock" { checker.error(Messages.onlyBlockOperations, range) }
    case .block: break
    }
    switch form {
    case .plain, .block:
      if member == "finish" { checker.error(Messages.needsAsynchronous(member.text), range) }
    case .asynchronous: break
    }
  }

  /// Refuses to set what an operation says for itself where the library says it.
  func check(
    setting property: String, of base: Expression, _ range: SourceRange, _ checker: inout Checker
  ) {
    guard property == "isFinished" || property == "isExecuting",
      let form = form(of: base, &checker), form != .asynchronous
    else { return }
    checker.error(Messages.needsAsynchronous(property), range)
  }
}

extension Checker {
  /// Refuses a key that no operation has.
  mutating func checkKey(_ call: CallSite) {
    guard let argument = call.arguments.first, case .text(let key) = argument.value.kind,
      !KnownNumbers.operationKeys.contains(key.text)
    else { return }
    let near = proposal(key.text, Array(KnownNumbers.operationKeys.prefix(8)))
    error(Messages.unknownKey(key.text, nearest: near), argument.value.range)
  }
}
