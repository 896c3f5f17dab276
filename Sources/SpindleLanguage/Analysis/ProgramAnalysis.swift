import SpindleModel

/// What is checked of a program once all of its types are known.
///
/// Where something is wrong already, the flow of that code is not followed, and of a line with a mistake no other is
/// reported: it would only follow from that.
enum ProgramAnalysis {
  static func check(_ program: TypedProgram) {
    let table = program.table
    let mistakes = Mistakes(table)
    defer { mistakes.removeConsequences(from: table) }
    let limits = TypedWalk(joining: [LimitCheck(table: table).walk, EscapeCheck(table).walk])
    for (symbol, body) in program.bodies.ownBodies {
      if !mistakes.areIn(symbol) { FlowCheck.check(body, of: symbol, table) }
      limits.statements(body.statements)
    }
    for value in program.bodies.ownValues {
      if !mistakes.areIn(value.range) { FlowCheck.check(value, table) }
      limits.expression(value)
    }
    for section in program.sections {
      switch section {
      case .main(let body, _, let range):
        if !mistakes.areIn(range) { FlowCheck.check(body.statements, table) }
        limits.statements(body.statements)
      case .arrival(let value, _):
        if !mistakes.areIn(value.range) { FlowCheck.check(value, table) }
        var own = LimitCheck(table: table)
        own.arrival = value
        own.checkArrival(value)
        own.walk.expression(value)
      case .variables: break
      }
    }
    DeclarationCheck.check(program)
    TopOrder.check(program)
    OperationCheck.check(program)
  }
}

/// The mistakes that were found before.
private struct Mistakes {
  private let count: Int
  private let places: [Int32]
  private let lines: Set<Int>

  init(_ table: DeclarationTable) {
    let errors = table.diagnostics.filter { $0.severity == .error }
    count = table.diagnostics.count
    places = errors.map(\.range.lowerBound).sorted()
    lines = Set(errors.map { $0.source.lineNumber(at: $0.range.lowerBound) })
  }

  /// Whether one of them is in a stretch of the text.
  func areIn(_ range: SourceRange) -> Bool {
    places.contains { range.lowerBound <= $0 && $0 < range.upperBound }
  }

  /// Whether one of them is in a function.
  func areIn(_ symbol: FunctionSymbol) -> Bool {
    guard !places.isEmpty, case .body(let block) = symbol.implementation else { return false }
    return areIn(block.range)
  }

  /// Takes away what was reported since of the lines that have one of them.
  func removeConsequences(from table: DeclarationTable) {
    guard !lines.isEmpty else { return }
    table.removeDiagnostics(from: count) {
      lines.contains($0.source.lineNumber(at: $0.range.lowerBound))
    }
  }
}
