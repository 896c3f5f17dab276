import SpindleModel

/// Values and results that statements make and nothing takes.
struct UnusedResults {
  private let table: DeclarationTable

  /// Warns of each statement that is a value alone, and of each call whose result nothing takes.
  static func walk(_ program: TypedProgram) -> TypedWalk {
    let check = UnusedResults(table: program.table)
    return TypedWalk(visitStatement: { statement in
      if case .expression(let value) = statement.kind { check.check(value) }
    })
  }

  private func check(_ value: Typed.Expression) {
    switch value.kind {
    case .await(let inner), .chain(let inner), .conversion(let inner): check(inner)
    case .attempt(.optional, _):
      // Whatever it is in front of: what tells whether there was an error is dropped.
      guard gives(value.type) else { return }
      let start = Int(value.range.lowerBound)
      table.warn(
        Messages.unusedResult("try?"), SourceRange(start, start + "try?".utf8.count))
    case .attempt(_, let inner): check(inner)
    case .call(let call): check(call, value)
    case .assign, .closure, .choice, .error: break
    default: if gives(value.type) { table.warn(Messages.unusedValue, value.range) }
    }
  }

  /// Whether a type has values to use: `Void` and `Void?` have no such values.
  private func gives(_ type: SwiftType) -> Bool {
    !type.unwrappedFully.isVoid && !type.isError && type.nominal?.builtin != .never
  }

  private func check(_ call: Typed.Call, _ value: Typed.Expression) {
    guard gives(value.type) else { return }
    switch call.callee {
    case .closure(let callee): warn(name(of: callee), call)
    case .local(let function): warn(function.symbol, call, value)
    case .function(let symbol): warn(symbol, call, value)
    }
  }

  private func warn(_ symbol: FunctionSymbol, _ call: Typed.Call, _ value: Typed.Expression) {
    if case .row(let row) = symbol.implementation { return warn(row, call) }
    if symbol.isDiscardable { return }
    // A property and an operator are written without parentheses: they are values.
    if !symbol.role.isEmpty || NameUses.isOperator(symbol) {
      return table.warn(Messages.unusedValue, value.range)
    }
    warn(symbol.name, call)
  }

  private func warn(_ row: Member, _ call: Typed.Call) {
    guard !row.result.isVoid, !row.traits.contains(.ignorable) else { return }
    switch row.action {
    case .perform(.thread(.make)): table.warn(Messages.neverStarted, call.nameRange)
    case .perform(.workItem(.make)): table.warn(Messages.neverSubmitted, call.nameRange)
    case .perform(.dispatchSource(.make)): table.warn(Messages.neverResumed, call.nameRange)
    default: warn(row.name, call)
    }
  }

  private func warn(_ name: String, _ call: Typed.Call) {
    table.warn(Messages.unusedResult(name), call.nameRange)
  }

  /// What a closure that is called is written as: its name, without what it belongs to.
  private func name(of callee: Typed.Expression) -> String {
    switch callee.kind {
    case .local(let local): local.name
    case .global(let variable, _), .field(_, let variable): variable.name
    case .forced(let inner), .bound(let inner), .visit(let inner, _), .conversion(let inner):
      name(of: inner)
    default: table.source.text(in: callee.range)
    }
  }
}
