import SpindleModel

/// A call as it is written.
struct CallSite {
  var callee: Expression
  var arguments: [Expression.Argument]
  var closures: [Expression.TrailingClosure]
  var range: SourceRange

  /// The text that the call's instructions come from: without the closures behind it.
  var place: SourceRange {
    guard !closures.isEmpty else { return range }
    guard let last = arguments.last else { return callee.range }
    return callee.range.union(last.value.range)
  }
}

/// What a call gives for one formal.
enum Actual {
  case absent
  /// The argument with this ordinal.
  case argument(Int)
  /// The trailing closure with this ordinal.
  case closure(Int)
}

/// What an object is called in the log when its call does not say.
enum Naming {
  case none
  /// The name that the object is bound to.
  case bound(String)
  /// An element of the array with this name, at the index in the register.
  case element(String, Register)
}

/// Which arguments of a call stand for which formals.
extension Lowering {
  /// Whether a call's labels are those of `formals`, and nothing is missing.
  func fits(_ formals: [Formal], _ call: CallSite) -> Bool {
    var next = 0
    for argument in call.arguments {
      guard let found = formals[next...].firstIndex(where: { $0.label == argument.label }) else {
        return false
      }
      guard formals[next..<found].allSatisfy({ $0.isOptional || $0.type.isFunction }) else {
        return false
      }
      next = found + 1
    }
    let rest = formals[next...].filter { !$0.isOptional && !$0.type.isFunction }
    let takesClosure = formals.contains { $0.type.isFunction }
    return rest.isEmpty && (call.closures.isEmpty || takesClosure)
  }

  /// What stands for each formal; nil when the call was refused.
  mutating func match(
    _ formals: [Formal], _ call: CallSite, name: String, _ nameRange: SourceRange
  ) -> [Actual]? {
    var actuals = Array(repeating: Actual.absent, count: formals.count)
    var next = 0
    for (ordinal, argument) in call.arguments.enumerated() {
      let found = formals[next...].firstIndex { $0.label == argument.label }
      guard let found else {
        refuseArgument(argument, formals, next, name)
        return nil
      }
      actuals[found] = .argument(ordinal)
      next = found + 1
    }
    for (ordinal, closure) in call.closures.enumerated() {
      let found = formals.indices.first { index in
        guard case .absent = actuals[index], formals[index].type.isFunction else { return false }
        return closure.label == nil || closure.label == formals[index].label
      }
      guard let found else {
        let known = formals.filter { $0.type.isFunction }.compactMap(\.label)
        let message =
          closure.label.map {
            Messages.unknownArgument($0, of: name, nearest: proposal($0, known))
          } ?? Messages.noClosure(name)
        error(message, closure.label == nil ? closure.range : closure.labelRange)
        return nil
      }
      actuals[found] = .closure(ordinal)
    }
    for (index, formal) in formals.enumerated() where !formal.isOptional {
      guard case .absent = actuals[index] else { continue }
      error(missing(formal, name), nameRange)
      return nil
    }
    return actuals
  }

  private func missing(_ formal: Formal, _ name: String) -> String {
    if formal.type.isFunction { return Messages.missingClosure(name) }
    if let label = formal.label { return Messages.missingArgument(label, of: name) }
    return Messages.missingValue("\(formal.type)", of: name)
  }

  private mutating func refuseArgument(
    _ argument: Expression.Argument, _ formals: [Formal], _ next: Int, _ name: String
  ) {
    let range = argument.label == nil ? argument.value.range : argument.labelRange
    guard let label = argument.label else {
      let labelled = formals[next...].filter { $0.label != nil && !$0.type.isFunction }
      if let label = (labelled.first { !$0.isOptional } ?? labelled.first)?.label {
        error(Messages.missingLabel(label, of: name), range)
      } else {
        error(Messages.tooManyArguments(name), range)
      }
      return
    }
    if formals[..<next].contains(where: { $0.label == label }) {
      error(Messages.misplacedArgument(label, of: name), range)
      return
    }
    let known = formals.compactMap(\.label)
    error(Messages.unknownArgument(label, of: name, nearest: proposal(label, known)), range)
  }

  /// Looks through the arguments of a call that was refused: their own mistakes are told as well.
  mutating func walkStray(_ call: CallSite) {
    let wasLenient = isLenient
    isLenient = true
    for argument in call.arguments {
      if case .closure(let closure) = argument.value.kind {
        walkStray(closure)
      } else {
        _ = value(argument.value, expecting: .unknown)
      }
    }
    for closure in call.closures { walkStray(closure.closure) }
    isLenient = wasLenient
  }

  private mutating func walkStray(_ closure: Expression.Closure) {
    guard depth >= 0 else { return }
    if case .top = frame.context {
      postponed.append(
        PostponedClosure(
          closure: closure, block: reserveBlock(), context: .anywhere,
          parameters: closure.parameters.map { _ in .unknown }, result: .unknown, captured: nil))
      return
    }
    let mark = scope.count
    beginFrame(.anywhere, name: .none, result: .unknown)
    lowerBody(closure, parameters: closure.parameters.map { _ in .unknown })
    abandonFrame()
    scope.close(downTo: mark)
  }
}
