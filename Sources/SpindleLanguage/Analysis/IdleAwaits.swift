import SpindleModel

/// `await` in front of what never waits.
struct IdleAwaits {
  private let table: DeclarationTable

  /// Warns of each `await` that covers nothing which may suspend.
  static func walk(_ program: TypedProgram) -> TypedWalk {
    let check = IdleAwaits(table: program.table)
    return TypedWalk(visit: { value in
      guard case .await(let inner) = value.kind, !check.mayWait(inner) else { return }
      let start = Int(value.range.lowerBound)
      program.table.warn(Messages.idleAwait, SourceRange(start, start + "await".utf8.count))
    })
  }

  /// Whether something in an expression may suspend, apart from the code of its closures.
  private func mayWait(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .visit: return true
    case .local(let local): if local.isAsyncLet { return true }
    case .property(let row, _): if row.suspends || row.leavesActor { return true }
    case .call(let call):
      if call.isAsync || call.hop != nil || mayVisitType(call) { return true }
      // It blocks a thread where nothing awaits it, and leaves it where something does.
      if case .perform(.doing(.io))? = NamedObjects.row(of: value)?.0.action { return true }
    case .choice: return true
    case .closure(let closure) where closure.scope.isExpanded: return true
    default: break
    }
    var found = false
    value.forEachPart { if !found { found = mayWait($0) } }
    return found
  }

  /// Whether a call is of an initialiser that is not written, of a type of a global actor: that runs there in the mode of
  /// Swift 5.
  private func mayVisitType(_ call: Typed.Call) -> Bool {
    guard case .function(let symbol) = call.callee, case .memberwise = symbol.implementation,
      let owner = symbol.owner
    else { return false }
    switch owner.isolation {
    case .mainActor, .globalActor: return true
    case .unspecified, .nonisolated, .nonsending, .concurrent, .ownActor: return false
    }
  }
}
