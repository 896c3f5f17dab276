import SpindleModel

/// The functions that let errors out without saying `throws`, as a trace may.
struct UndeclaredThrows {
  private(set) var functions: Set<ObjectIdentifier> = []

  init(_ program: TypedProgram) {
    var callers: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    var open: [ObjectIdentifier] = []
    func look(at statements: [Typed.Statement], of symbol: FunctionSymbol) {
      let own = ObjectIdentifier(symbol)
      let walk = TypedWalk(
        visit: { value in
          guard case .call(let call) = value.kind else { return }
          switch call.callee {
          case .function(let callee): callers[ObjectIdentifier(callee), default: []].insert(own)
          case .local(let callee):
            callers[ObjectIdentifier(callee.symbol), default: []].insert(own)
          case .closure: break
          }
        },
        visitStatement: { statement in
          switch statement.kind {
          case .throw: open.append(own)
          case .localFunction(let function): look(at: function.body, of: function.symbol)
          default: break
          }
        }, entersClosures: false)
      walk.statements(statements)
    }
    for (symbol, body) in program.bodies.ownBodies where !symbol.isThrowing {
      look(at: body.statements, of: symbol)
    }
    for section in program.sections {
      guard case .main(let body, _, _) = section else { continue }
      TypedWalk(
        visitStatement: { statement in
          if case .localFunction(let function) = statement.kind {
            look(at: function.body, of: function.symbol)
          }
        }
      ).statements(body.statements)
    }
    while let one = open.popLast() {
      if functions.insert(one).inserted { open += callers[one] ?? [] }
    }
  }
}
