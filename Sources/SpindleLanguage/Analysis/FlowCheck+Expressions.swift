import SpindleModel

/// Expressions, patterns and closures, for what they read and give a value.
extension FlowCheck {
  mutating func checkAssignment(_ place: Typed.Expression, _ value: Typed.Expression) {
    check(value)
    checkAssigned(place)
  }

  /// A place that is given a value.
  mutating func checkAssigned(_ place: Typed.Expression) {
    switch place.kind {
    case .local(let local) where local.isSelf: assignWhole()
    case .local(let local): assign(local, place.range)
    case .field(let base, let variable):
      if case .local(let own) = base.kind, own.isSelf {
        assignOwn(variable, place.range)
      } else {
        check(base)
      }
    default: check(place)
    }
  }

  mutating func check(_ value: Typed.Expression) {
    let range = value.range
    switch value.kind {
    case .constant, .integer, .decimal, .text, .nil, .global, .metatype, .symbol, .options, .error:
      break
    case .local(let local): local.isSelf ? useSelf(range) : read(local, range)
    case .field(let inner, let variable) where inner.isSelf: readOwn(variable, range)
    case .interpolation(let segments):
      for case .value(let inner) in segments { check(inner) }
    case .field(let inner, _), .element(let inner, _), .wrapped(let inner), .forced(let inner),
      .chain(let inner), .bound(let inner), .nilTest(let inner, _), .conversion(let inner),
      .cast(let inner, _, _), .await(let inner), .reference(let inner),
      .visit(let inner, _):
      check(inner)
    case .attempt(let kind, let inner):
      check(inner)
      if kind == .plain { atThrows.join(state) }
    case .call(let call): check(call)
    case .closure(let closure): check(closure)
    case .function(_, _, let receiver): if let receiver { check(receiver) }
    case .localFunction(let function): readCaptures(of: function, range)
    case .ternary(let condition, let one, let other):
      check(condition)
      checkBranches {
        $0.check(one)
      } _: {
        $0.check(other)
      }
    case .coalesce(let one, let other, _), .logical(let one, let other, _):
      check(one)
      checkBranches {
        $0.check(other)
      } _: { _ in
      }
    case .identity(let one, let other, _):
      check(one)
      check(other)
    case .bind(let bindings, let inner):
      for (_, bound) in bindings { check(bound) }
      check(inner)
    case .tuple(let parts), .instance(let parts), .array(let parts):
      for part in parts { check(part) }
    case .dictionary(let entries):
      for (key, entry) in entries {
        check(key)
        check(entry)
      }
    case .optionalConversion(let inner, _, let made), .elementConversion(let inner, _, let made):
      check(inner)
      check(made)
    case .choice(let statement, _): check(statement)
    case .assign(let place, let made): checkAssignment(place, made)
    case .property(_, let receiver): if let receiver { check(receiver) }
    }
  }

  private mutating func checkBranches(
    _ one: (inout FlowCheck) -> Void, _ other: (inout FlowCheck) -> Void
  ) {
    let entry = state
    one(&self)
    let first = state
    state = entry
    other(&self)
    state.join(first)
  }

  private mutating func check(_ call: Typed.Call) {
    let delegates = delegates(call)
    if let receiver = call.receiver, !delegates { check(receiver) }
    switch call.callee {
    case .closure(let callee): check(callee)
    case .local(let function): readCaptures(of: function, call.nameRange)
    case .function: break
    }
    for argument in call.arguments {
      switch argument {
      case .value(let value): check(value)
      case .variadic(let values): for value in values { check(value) }
      case .standard, .absent: break
      }
    }
    if delegates { delegate(by: call) }
  }

  /// A function of a body reads what it captures when it is called.
  private mutating func readCaptures(of function: Typed.LocalFunction, _ range: SourceRange) {
    for local in function.captured { local.isSelf ? useSelf(range) : read(local, range) }
  }

  // MARK: Closures

  mutating func check(_ closure: Typed.Closure) {
    for capture in closure.captures { check(capture.value) }
    inFunction(isExpanded: closure.scope.isExpanded) { flow in
      flow.check(closure.body)
      flow.checkEnd(closure.result, closure.range.lastByte)
    }
  }

  mutating func check(_ function: Typed.LocalFunction) {
    let symbol = function.symbol
    let outer = (state, late)
    // What it captures has its values when it is called.
    late = []
    inFunction(isExpanded: false) { flow in
      flow.check(function.body)
      flow.checkEnd(symbol.result, FlowCheck.end(of: symbol))
    }
    (state, late) = outer
  }

  /// Goes through the code of a closure, which has ways out of its own.
  private mutating func inFunction(isExpanded: Bool, _ body: (inout FlowCheck) -> Void) {
    let outer = (state, targets, outside, atReturns, isInDefer, atThrows)
    (targets, atReturns, isInDefer) = ([], [], false)
    if !isExpanded { outside.formUnion(late) }
    // A closure that no way leads to is never called, so its variables lack nothing.
    if !state.isReachable { state.certain.formUnion(late) }
    state.isReachable = true
    body(&self)
    (state, targets, outside, atReturns, isInDefer, atThrows) = outer
  }

  // MARK: Patterns

  mutating func check(_ pattern: Typed.Pattern) {
    switch pattern.kind {
    case .any, .local, .none, .isType, .symbol: break
    case .tuple(let parts): for part in parts { check(part) }
    case .enumCase(_, let parts): for part in parts ?? [] { check(part) }
    case .some(let inner), .asType(let inner, _): check(inner)
    case .test(let test, _): check(test)
    }
  }
}
