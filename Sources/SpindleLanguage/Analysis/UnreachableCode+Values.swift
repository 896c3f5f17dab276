import SpindleModel

/// Expressions, for the code of the closures in them and for the errors that come out of them.
extension UnreachableCode {
  /// Goes through an expression; whether what is behind it is reached.
  mutating func completes(_ value: Typed.Expression, _ isReached: Bool) -> Bool {
    lookInto(value, isReached)
    return isReached && !neverReturns(value)
  }

  /// Whether a value is what a function gives that never returns.
  private func neverReturns(_ value: Typed.Expression) -> Bool {
    if value.type.nominal?.builtin == .never { return true }
    switch value.kind {
    case .conversion(let inner), .await(let inner), .attempt(.plain, let inner):
      return neverReturns(inner)
    default: return false
    }
  }

  mutating func lookInto(_ pattern: Typed.Pattern, _ isReached: Bool) {
    switch pattern.kind {
    case .any, .local, .none, .isType, .symbol: break
    case .tuple(let parts): for part in parts { lookInto(part, isReached) }
    case .enumCase(_, let parts): for part in parts ?? [] { lookInto(part, isReached) }
    case .some(let inner), .asType(let inner, _): lookInto(inner, isReached)
    case .test(let test, _): lookInto(test, isReached)
    }
  }

  /// Goes through an expression in a place that is reached or not.
  mutating func lookInto(_ value: Typed.Expression, _ isReached: Bool) {
    switch value.kind {
    case .closure(let closure): lookInto(closure, isReached)
    case .choice(let statement, _): _ = completes([statement], isReached)
    case .attempt(let kind, let inner):
      let outer = (mayThrow, isTried)
      isTried = kind == .plain
      lookInto(inner, isReached)
      if kind != .plain { mayThrow = outer.0 }
      isTried = outer.1
    case .call(let call):
      if isReached, throwsErrors(call) { mayThrow = true }
      value.forEachPart { lookInto($0, isReached) }
    case .local(let local):
      if isReached, isTried, local.isAsyncLet { mayThrow = true }
    case .property:
      if isReached, isTried { mayThrow = true }
      value.forEachPart { lookInto($0, isReached) }
    default: value.forEachPart { lookInto($0, isReached) }
    }
  }

  /// Whether an error may come out of a call.
  private func throwsErrors(_ call: Typed.Call) -> Bool {
    switch call.callee {
    case .function(let symbol):
      // Which rows of the vocabulary throw is not told here.
      if case .row = symbol.implementation { return isTried }
      if undeclared.functions.contains(ObjectIdentifier(symbol)) { return true }
    case .local(let function):
      if undeclared.functions.contains(ObjectIdentifier(function.symbol)) { return true }
    case .closure: break
    }
    return call.isThrowing || isTried && Self.takesThrowing(call)
  }

  private mutating func lookInto(_ closure: Typed.Closure, _ isReached: Bool) {
    for capture in closure.captures { lookInto(capture.value, isReached) }
    let outer = mayThrow
    var isThrowing = false
    inFunction { check in
      check.mayThrow = false
      _ = check.completes(closure.body, true)
      isThrowing = check.mayThrow
    }
    // The code of one that is expanded is code of the place.
    mayThrow = outer || closure.scope.isExpanded && isThrowing && isReached
  }

  /// Whether a call is given a closure that may throw, so that it throws what that throws.
  private static func takesThrowing(_ call: Typed.Call) -> Bool {
    call.arguments.contains { argument in
      guard case .value(let value) = argument, case .function(let type) = value.type else {
        return false
      }
      return type.isThrowing
    }
  }
}
