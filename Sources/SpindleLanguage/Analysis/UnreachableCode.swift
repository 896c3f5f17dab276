import SpindleModel

/// Code that no way leads to: behind a way out, under a condition that never holds, in a `catch` of nothing.
///
/// As in Java, each statement either can complete or cannot (The Java Language Specification, 14.22). What only the value
/// of a parameter decides may go either way.
struct UnreachableCode {
  let table: DeclarationTable
  let undeclared: UndeclaredThrows
  /// The statements around the place that `break` and `continue` lead out of, innermost last.
  private var targets: [Target] = []
  /// Whether an error can come out of what has been gone through, in the `do` at hand.
  var mayThrow = false
  /// Whether a `try` is around the place.
  var isTried = false

  private struct Target {
    var label: String?
    var isLoop: Bool
    var isSelection = false
    var isLeft = false
    var isContinued = false
  }

  private init(_ table: DeclarationTable, _ undeclared: UndeclaredThrows) {
    (self.table, self.undeclared) = (table, undeclared)
  }

  /// Warns of what is never reached in a program, and of conditions that are no question.
  static func check(_ program: TypedProgram) {
    let undeclared = UndeclaredThrows(program)
    for part in program.code {
      var check = UnreachableCode(program.table, undeclared)
      switch part {
      case .statements(let statements): _ = check.completes(statements, true)
      case .value(let value): check.lookInto(value, true)
      }
    }
  }

  // MARK: Statements

  /// Goes through the statements of a block; whether their end is reached.
  mutating func completes(_ statements: [Typed.Statement], _ isReached: Bool) -> Bool {
    var isReached = isReached
    // What is in a block that nothing leads to has been told with the block.
    var isTold = !isReached
    for statement in statements {
      if !isReached, !isTold, isCode(statement) {
        table.warn(Messages.unreachable, statement.whole ?? statement.range)
        isTold = true
      }
      isReached = completes(statement, isReached)
    }
    return isReached
  }

  /// Whether a statement does something where it stands: a declaration of a function or a type does not.
  private func isCode(_ statement: Typed.Statement) -> Bool {
    switch statement.kind {
    case .localFunction: false
    case .several(let inner): inner.contains(where: isCode)
    default: statement.isWritten
    }
  }

  private mutating func completes(_ statement: Typed.Statement, _ isReached: Bool) -> Bool {
    switch statement.kind {
    case .expression(let value), .discard(let value): return completes(value, isReached)
    case .binding(let pattern, let value, _):
      lookInto(pattern, isReached)
      return completes(value, isReached)
    case .declaration: return isReached
    case .asyncLet(_, let closure, _):
      inFunction { _ = $0.completes(closure.body, true) }
      return isReached
    case .assignment(let place, let value):
      lookInto(place, isReached)
      return completes(value, isReached)
    case .tupleAssignment(let places, let value):
      for case let place? in places { lookInto(place, isReached) }
      return completes(value, isReached)
    case .if(let conditions, let body, let otherwise):
      let truth = truth(of: conditions, isReached)
      let isEndReached = completes(body, isReached && truth != false)
      return completes(otherwise, isReached && truth != true) || isEndReached
    case .guard(let conditions, let otherwise):
      let truth = truth(of: conditions, isReached)
      _ = completes(otherwise, isReached && truth != true)
      return isReached && truth != false
    case .while(let conditions, let body, let label):
      return completes(while: conditions, body, label, isReached)
    case .repeatWhile(let body, let condition, let label):
      return completes(repeat: body, condition, label, isReached)
    case .forIn(let loop, let label): return completes(loop, label, isReached)
    case .switch(let selection, let label): return completes(selection, label, isReached)
    case .block(let body, let label):
      var isEndReached = false
      let target = inTarget(Target(label: label, isLoop: false)) {
        isEndReached = $0.completes(body, isReached)
      }
      return isEndReached || target.isLeft
    case .several(let inner):
      return inner.reduce(isReached) { completes($1, $0) }
    case .doCatch(let body, let catches, _, let label):
      return completes(do: body, catches, label, isReached)
    case .defer(let body):
      _ = completes(body, isReached)
      return isReached
    case .localFunction(let function):
      inFunction { _ = $0.completes(function.body, true) }
      return isReached
    case .break, .continue, .fallthrough, .return, .throw:
      leave(by: statement, isReached)
      return false
    }
  }

  private mutating func leave(by statement: Typed.Statement, _ isReached: Bool) {
    switch statement.kind {
    case .return(let value): if let value { lookInto(value, isReached) }
    case .throw(let value):
      lookInto(value, isReached)
      if isReached { mayThrow = true }
    case .break(let label):
      guard isReached, let index = target(label, isBreak: true) else { return }
      targets[index].isLeft = true
    case .continue(let label):
      guard isReached, let index = target(label, isBreak: false) else { return }
      targets[index].isContinued = true
    default: break
    }
  }

  private func target(_ label: String?, isBreak: Bool) -> Int? {
    targets.lastIndex { target in
      if let label { return target.label == label }
      return target.isLoop || isBreak && target.isSelection
    }
  }

  private mutating func inTarget(
    _ target: Target, _ body: (inout UnreachableCode) -> Void
  ) -> Target {
    targets.append(target)
    body(&self)
    return targets.removeLast()
  }

  /// Goes through the code of a function or a closure, which has ways out of its own.
  mutating func inFunction(_ body: (inout UnreachableCode) -> Void) {
    let outer = (targets, mayThrow, isTried)
    (targets, isTried) = ([], false)
    body(&self)
    (targets, mayThrow, isTried) = outer
  }

  // MARK: Conditions and loops

  /// Whether conditions always hold, or never; warns of those that are no question.
  private mutating func truth(
    of conditions: [Typed.Condition], _ isReached: Bool, isLoop: Bool = false
  ) -> Bool? {
    for condition in conditions {
      switch condition {
      case .expression(let value): lookInto(value, isReached)
      case .pattern(let pattern, let value):
        lookInto(value, isReached)
        lookInto(pattern, isReached)
      }
    }
    guard conditions.count == 1, case .expression(let only) = conditions[0] else {
      return LiteralTruth.of(conditions)
    }
    let truth = LiteralTruth.of(only)
    // `while true` is meant so.
    if let truth, !(truth && isLoop) { table.warn(Messages.constantCondition(truth), only.range) }
    return truth
  }

  private mutating func completes(
    while conditions: [Typed.Condition], _ body: [Typed.Statement], _ label: String?,
    _ isReached: Bool
  ) -> Bool {
    let truth = truth(of: conditions, isReached, isLoop: true)
    let target = inTarget(Target(label: label, isLoop: true)) {
      _ = $0.completes(body, isReached && truth != false)
    }
    return isReached && (truth != true || target.isLeft)
  }

  private mutating func completes(
    repeat body: [Typed.Statement], _ condition: Typed.Expression, _ label: String?,
    _ isReached: Bool
  ) -> Bool {
    var isEndReached = false
    let target = inTarget(Target(label: label, isLoop: true)) {
      isEndReached = $0.completes(body, isReached)
    }
    isEndReached = isEndReached || target.isContinued
    lookInto(condition, isEndReached)
    return target.isLeft || isEndReached && LiteralTruth.of(condition) != true
  }

  private mutating func completes(
    _ loop: Typed.Loop, _ label: String?, _ isReached: Bool
  ) -> Bool {
    lookInto(loop.sequence, isReached)
    // What comes when it is there may end by an error.
    if loop.isAwaited, isReached { mayThrow = true }
    if let filter = loop.filter { lookInto(filter, isReached) }
    _ = inTarget(Target(label: label, isLoop: true)) { _ = $0.completes(loop.body, isReached) }
    return isReached
  }

  private mutating func completes(
    _ selection: Typed.Selection, _ label: String?, _ isReached: Bool
  ) -> Bool {
    lookInto(selection.subject, isReached)
    var isEndReached = false
    let target = inTarget(Target(label: label, isLoop: false, isSelection: true)) { check in
      for one in selection.cases {
        for item in one.items {
          check.lookInto(item.pattern, isReached)
          if let filter = item.filter { check.lookInto(filter, isReached) }
        }
        if check.completes(one.body, isReached) { isEndReached = true }
      }
    }
    return isEndReached || target.isLeft
  }

  // MARK: Errors

  private mutating func completes(
    do body: [Typed.Statement], _ catches: [Typed.Catch], _ label: String?, _ isReached: Bool
  ) -> Bool {
    let outer = mayThrow
    mayThrow = false
    var isEndReached = false
    let target = inTarget(Target(label: label, isLoop: false)) { check in
      isEndReached = check.completes(body, isReached)
      let isCaught = check.mayThrow
      check.mayThrow = outer || isCaught && !catches.contains(where: \.catchesAll)
      if isReached, !isCaught, let first = catches.first, !first.body.isEmpty {
        check.table.warn(Messages.unreachableCatch, first.place)
      }
      for one in catches {
        for item in one.items {
          check.lookInto(item.pattern, isCaught)
          if let filter = item.filter { check.lookInto(filter, isCaught) }
        }
        if check.completes(one.body, isCaught) { isEndReached = true }
      }
    }
    return isEndReached || target.isLeft
  }
}
