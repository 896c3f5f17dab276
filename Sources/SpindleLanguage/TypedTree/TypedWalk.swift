import SpindleModel

/// Goes through typed trees: each expression in them is given to `visit`, the outer one before its parts.
final class TypedWalk {
  private let visit: ((Typed.Expression) -> Void)?
  /// What is done with each call.
  private let visitCall: ((Typed.Call, Typed.Expression) -> Void)?
  /// What is done with each statement, the outer one before those in it.
  private let visitStatement: ((Typed.Statement) -> Void)?
  /// What is done with the statements of each block, in front of what is done with each of them.
  private let visitBlock: (([Typed.Statement]) -> Void)?
  /// What is done with the place and the value of each assignment.
  private let assigned: ((Typed.Expression, Typed.Expression) -> Void)?
  /// What is done with the pattern and the value of each declaration.
  private let bound: ((Typed.Pattern, Typed.Expression) -> Void)?
  /// Whether the code of closures is gone through that run at another time, or never.
  private let entersClosures: Bool

  init(
    visit: ((Typed.Expression) -> Void)? = nil,
    visitCall: ((Typed.Call, Typed.Expression) -> Void)? = nil,
    visitStatement: ((Typed.Statement) -> Void)? = nil,
    visitBlock: (([Typed.Statement]) -> Void)? = nil,
    assigned: ((Typed.Expression, Typed.Expression) -> Void)? = nil,
    bound: ((Typed.Pattern, Typed.Expression) -> Void)? = nil, entersClosures: Bool = true
  ) {
    (self.visit, self.visitCall, self.visitStatement) = (visit, visitCall, visitStatement)
    (self.visitBlock, self.assigned, self.bound) = (visitBlock, assigned, bound)
    self.entersClosures = entersClosures
  }

  /// Does what each of several walks does, which enter all closures, in one.
  convenience init(joining walks: [TypedWalk]) {
    let (all, calls) = (walks.compactMap(\.visit), walks.compactMap(\.visitCall))
    let (statements, blocks) = (walks.compactMap(\.visitStatement), walks.compactMap(\.visitBlock))
    let (assignments, bindings) = (walks.compactMap(\.assigned), walks.compactMap(\.bound))
    self.init(
      visit: { value in for each in all { each(value) } },
      visitCall: { call, value in for each in calls { each(call, value) } },
      visitStatement: { statement in for each in statements { each(statement) } },
      visitBlock: { block in for each in blocks { each(block) } },
      assigned: { place, value in for each in assignments { each(place, value) } },
      bound: { pattern, value in for each in bindings { each(pattern, value) } })
  }

  func statements(_ statements: [Typed.Statement]) {
    visitBlock?(statements)
    for statement in statements { self.statement(statement) }
  }

  func statement(_ statement: Typed.Statement) {
    visitStatement?(statement)
    switch statement.kind {
    case .expression(let value), .discard(let value), .throw(let value): expression(value)
    case .binding(let pattern, let value, _):
      bound?(pattern, value)
      expression(value)
      self.pattern(pattern)
    case .declaration, .break, .continue, .fallthrough: break
    case .asyncLet(_, let closure, _): statements(closure.body)
    case .assignment(let place, let value):
      assigned?(place, value)
      expression(place)
      expression(value)
    case .tupleAssignment(let places, let value):
      for case let place? in places {
        assigned?(place, value)
        expression(place)
      }
      expression(value)
    case .if(let conditions, let body, let otherwise):
      self.conditions(conditions)
      statements(body)
      statements(otherwise)
    case .guard(let conditions, let body), .while(let conditions, let body, _):
      self.conditions(conditions)
      statements(body)
    case .repeatWhile(let body, let condition, _):
      statements(body)
      expression(condition)
    case .forIn(let loop, _):
      expression(loop.sequence)
      if let iteration = loop.iteration {
        expression(iteration.make)
        expression(iteration.next)
      }
      pattern(loop.pattern)
      if let filter = loop.filter { expression(filter) }
      statements(loop.body)
    case .switch(let selection, _):
      expression(selection.subject)
      for one in selection.cases {
        items(one.items)
        statements(one.body)
      }
    case .block(let body, _), .several(let body), .defer(let body): statements(body)
    case .return(let value): if let value { expression(value) }
    case .doCatch(let body, let catches, _, _):
      statements(body)
      for one in catches {
        items(one.items)
        statements(one.body)
      }
    case .localFunction(let function): statements(function.body)
    }
  }

  private func items(_ items: [(pattern: Typed.Pattern, filter: Typed.Expression?)]) {
    for item in items {
      pattern(item.pattern)
      if let filter = item.filter { expression(filter) }
    }
  }

  private func conditions(_ conditions: [Typed.Condition]) {
    for condition in conditions {
      switch condition {
      case .expression(let value): expression(value)
      case .pattern(let pattern, let value):
        expression(value)
        self.pattern(pattern)
      }
    }
  }

  private func pattern(_ pattern: Typed.Pattern) {
    switch pattern.kind {
    case .any, .local, .none, .isType, .symbol: break
    case .tuple(let parts): for part in parts { self.pattern(part) }
    case .enumCase(_, let parts): for part in parts ?? [] { self.pattern(part) }
    case .some(let inner), .asType(let inner, _): self.pattern(inner)
    case .test(let test, _): expression(test)
    }
  }

  func expression(_ value: Typed.Expression) {
    visit?(value)
    switch value.kind {
    case .call(let call):
      visitCall?(call, value)
      self.call(call)
    case .closure(let closure):
      for capture in closure.captures { expression(capture.value) }
      if entersClosures || closure.scope.isExpanded { statements(closure.body) }
    case .choice(let statement, _): self.statement(statement)
    default: value.forEachPart { self.expression($0) }
    }
  }

  /// Whether a function may keep what is given for a parameter.
  private func mayKeep(_ index: Int, _ call: Typed.Call) -> Bool {
    guard case .function(let symbol) = call.callee, index < symbol.parameters.count else {
      return true
    }
    return symbol.parameters[index].isEscaping
  }

  /// The code of a closure that runs during a call.
  private func closure(_ value: Typed.Expression) {
    switch value.kind {
    case .closure(let closure) where !closure.scope.isExpanded: statements(closure.body)
    case .conversion(let inner): closure(inner)
    default: break
    }
  }

  private func call(_ call: Typed.Call) {
    if let receiver = call.receiver { expression(receiver) }
    if let metatype = call.metatype { expression(metatype) }
    if case .closure(let callee) = call.callee {
      if case .closure(let closure) = callee.kind {
        statements(closure.body)
      } else {
        expression(callee)
      }
    }
    for (index, argument) in call.arguments.enumerated() {
      switch argument {
      case .value(let value), .standard(let value):
        expression(value)
        if !entersClosures, !mayKeep(index, call) { closure(value) }
      case .variadic(let values): for value in values { expression(value) }
      case .absent: break
      }
    }
  }
}
