import SpindleModel

/// What the text tells of how an operation was made.
enum OperationForm {
  /// Its closure is its main part, and the library reports for it.
  case plain
  /// As a plain one, and it may have several closures.
  case block
  /// Its closure is `start`, and it reports for itself.
  case asynchronous
}

/// What Swift's types would refuse of an operation, as far as the text shows how it was made.
extension Lowering {
  /// Notes of which form the operation is that the closures of a call are given.
  mutating func noteOperationClosures(_ member: Member, _ call: CallSite) {
    guard let form = operationForm(of: member.action, call) else { return }
    var closures = call.closures.map(\.closure)
    for argument in call.arguments {
      if case .closure(let closure) = argument.value.kind { closures.append(closure.value) }
    }
    for closure in closures {
      // What a closure calls its operation: its parameter, else `self` at its beginning.
      let place = closure.parameters.first?.range.lowerBound ?? closure.body.range.lowerBound
      operationForms[place] = form
    }
  }

  /// Notes of which form the operation is that a `let` is bound to.
  mutating func noteOperation(_ binding: Binding, _ type: ValueType) {
    guard !binding.isVariable, type == .handle(.operation),
      case .call(let call) = binding.value.kind, case .name(let name) = call.callee.kind,
      find(name) == nil, let initializer = vocabulary.type(name)?.initializers.first
    else { return }
    operationForms[binding.name.range.lowerBound] = operationForm(of: initializer.action, call)
  }

  /// The form of the operation that a call makes; nil where the text does not tell.
  private func operationForm(of action: Member.Action, _ call: CallSite) -> OperationForm? {
    guard case .perform(let primitive) = action else { return nil }
    switch primitive {
    case .operation(.make):
      if case .name("BlockOperation") = call.callee.kind { return .block }
      guard let given = call.arguments.first(where: { $0.label == "isAsynchronous" }) else {
        return .plain
      }
      guard case .boolean(let isTrue) = given.value.kind else { return nil }
      return isTrue ? .asynchronous : .plain
    case .operation(.addBlock), .operationQueue(.addBlock), .operationQueue(.addBarrier),
      .operationQueue(.async):
      return .block
    default: return nil
    }
  }

  /// The form of the operation that an expression names; nil where the text does not tell.
  private func operationForm(of expression: Expression) -> OperationForm? {
    guard !operationForms.isEmpty, case .name(let name) = expression.kind, let index = find(name)
    else { return nil }
    return operationForms[scope[index].place.lowerBound]
  }

  /// Refuses a function of an operation that its form does not have.
  mutating func checkOperation(_ member: Word, of base: Expression, _ range: SourceRange) {
    guard let form = operationForm(of: base) else { return }
    switch (member.text, form) {
    case ("addExecutionBlock", .plain), ("addExecutionBlock", .asynchronous):
      error(Messages.onlyBlockOperations, range)
    case ("finish", .plain), ("finish", .block):
      error(Messages.needsAsynchronous(member.text), range)
    default: break
    }
  }

  /// Refuses to set what an operation says for itself where the library says it.
  mutating func checkOperation(setting property: String, of base: Expression, _ range: SourceRange)
  {
    guard property == "isFinished" || property == "isExecuting",
      let form = operationForm(of: base), form != .asynchronous
    else { return }
    error(Messages.needsAsynchronous(property), range)
  }

  /// Refuses a key that no operation has.
  mutating func checkKey(_ member: Member, _ call: CallSite) {
    guard case .perform(let primitive) = member.action,
      primitive == .operation(.willChange) || primitive == .operation(.didChange),
      let argument = call.arguments.first, case .text(let key) = argument.value.kind,
      !Lowering.operationKeys.contains(key.text)
    else { return }
    let near = proposal(key.text, Array(Lowering.operationKeys.prefix(8)))
    error(Messages.unknownKey(key.text, nearest: near), argument.value.range)
  }

  /// The keys of an operation that can be observed, and the short forms of some.
  ///
  /// Source: Apple, Operation, KVO-Compliant Properties;
  /// swift-corelibs-foundation:Sources/Foundation/Operation.swift.
  private static let operationKeys = [
    "isFinished", "isExecuting", "isReady", "isCancelled", "isAsynchronous", "dependencies",
    "queuePriority", "completionBlock", "finished", "executing", "ready", "cancelled",
    "isConcurrent", "concurrent", "name", "threadPriority", "qualityOfService",
  ]
}
