import SpindleModel

/// Parameters of function type that a function may only call or pass on, since they are not `@escaping`.
///
/// Source: SE-0103. A closure that such a parameter is given does not outlive the call.
final class EscapeCheck {
  private let table: DeclarationTable
  /// The functions at places from which they do not escape: called, passed on, or bound to a name of their own.
  private var kept: Set<ObjectIdentifier> = []
  /// The variables of bodies that are bound to what does not escape.
  private var names: Set<ObjectIdentifier> = []

  init(_ table: DeclarationTable) { self.table = table }

  /// Goes through code, and reports what would outlive the call.
  var walk: TypedWalk {
    TypedWalk(
      visit: { self.check($0) }, visitCall: { call, _ in self.check(call) },
      visitStatement: { statement in
        if case .discard(let value) = statement.kind { self.keep(value) }
      },
      bound: { pattern, value in self.bind(pattern, value) })
  }

  private func check(_ call: Typed.Call) {
    if case .closure(let callee) = call.callee { keep(callee) }
    var parameters: [FunctionSymbol.Parameter] = []
    switch call.callee {
    case .function(let symbol):
      // What a case has is stored in the value.
      if case .enumCase = symbol.implementation { return }
      parameters = symbol.parameters
    case .local(let function): parameters = function.symbol.parameters
    case .closure:
      for case .value(let given) in call.arguments { keep(given) }
    }
    for (parameter, argument) in zip(parameters, call.arguments) where parameter.isKept {
      if case .value(let given) = argument { keep(given) }
    }
  }

  private func bind(_ pattern: Typed.Pattern, _ value: Typed.Expression) {
    if case .tuple(let parts) = value.kind { return parts.forEach(keep) }
    guard case .local(let name) = pattern.kind, !name.isVariable, let local = value.namedLocal,
      isKept(local)
    else { return }
    names.insert(ObjectIdentifier(name))
    keep(value)
  }

  private func keep(_ value: Typed.Expression) {
    switch value.kind {
    case .conversion(let inner), .bind(_, let inner): keep(inner)
    case .ternary(_, let one, let other):
      keep(one)
      keep(other)
    default: kept.insert(ObjectIdentifier(value))
    }
  }

  private func isKept(_ local: Typed.Local) -> Bool {
    local.staysInCall || names.contains(ObjectIdentifier(local))
  }

  /// Reports what code that outlives the call captures and must not.
  private func check(_ captured: [Typed.Local], _ place: SourceRange) {
    if let local = captured.first(where: isKept) {
      table.report(Messages.escaping(local.name), place)
    } else if let local = captured.first(where: \.isInout) {
      table.report(local.isSelf ? Messages.lentSelf : Messages.lentVariable(local.name), place)
    }
  }

  private func check(_ value: Typed.Expression) {
    switch value.kind {
    case .bind(let parts, _):
      // A function as one of another type is called by a closure that has it under a name.
      for (local, value) in parts {
        guard let function = value.namedLocal, isKept(function) else { continue }
        names.insert(ObjectIdentifier(local))
        keep(value)
      }
    case .local(let local):
      guard isKept(local), !kept.contains(ObjectIdentifier(value)) else { return }
      table.report(Messages.escaping(local.name), value.range)
    case .localFunction(let function):
      if !kept.contains(ObjectIdentifier(value)) { check(function.captured, value.range) }
    case .closure(let closure):
      guard !closure.scope.isExpanded, !kept.contains(ObjectIdentifier(value)) else { return }
      check(closure.scope.captured, value.range.firstByte)
    default: break
    }
  }
}
