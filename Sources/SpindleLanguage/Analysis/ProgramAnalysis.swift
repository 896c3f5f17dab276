/// What is checked of a program once all of its types are known.
enum ProgramAnalysis {
  static func check(_ program: TypedProgram) {
    let table = program.table
    let limits = LimitCheck(table: table).walk
    for (symbol, body) in program.bodies.ownBodies {
      FlowCheck.check(body, of: symbol, table)
      limits.statements(body.statements)
    }
    for value in program.bodies.ownValues {
      FlowCheck.check(value, table)
      limits.expression(value)
    }
    for section in program.sections {
      switch section {
      case .main(let body, _, _):
        FlowCheck.check(body.statements, table)
        limits.statements(body.statements)
      case .arrival(let value, _):
        FlowCheck.check(value, table)
        LimitCheck(table: table).checkArrival(value)
        limits.expression(value)
      case .variables: break
      }
    }
    DeclarationCheck.check(program)
    TopOrder.check(program)
    OperationCheck.check(program)
  }
}
