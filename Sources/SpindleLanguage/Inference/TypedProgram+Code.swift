extension TypedProgram {
  /// A part of the code of a program.
  enum Code {
    /// The body of a function or of `main`.
    case statements([Typed.Statement])
    /// A first value, or what the world outside does.
    case value(Typed.Expression)
  }

  /// All code that the text of the program has, each part once.
  var code: [Code] {
    var parts = bodies.ownBodies.map { Code.statements($0.body.statements) }
    parts += bodies.ownValues.map { .value($0) }
    for section in sections {
      switch section {
      case .main(let body, _, _): parts.append(.statements(body.statements))
      case .arrival(let value, _): parts.append(.value(value))
      case .variables(let symbols, let value, _):
        // The value of one variable is among the first values.
        if symbols.count != 1 || !symbols[0].path.isEmpty { parts.append(.value(value)) }
      }
    }
    return parts
  }

  /// Goes through all code that the text has.
  func walk(_ walk: TypedWalk) {
    for part in code {
      switch part {
      case .statements(let statements): walk.statements(statements)
      case .value(let value): walk.expression(value)
      }
    }
  }
}
