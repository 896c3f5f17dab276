import SpindleModel

/// A name that keeps an object of the library: a `let` or `var` of a body, or one at the top.
struct ObjectName: Hashable {
  let key: ObjectIdentifier

  /// The name that an expression is; nil for any other expression.
  init?(_ value: Typed.Expression) {
    switch value.kind {
    case .local(let local): key = ObjectIdentifier(local)
    case .global(let variable, _): key = ObjectIdentifier(variable)
    case .conversion(let inner), .visit(let inner, _):
      guard let name = ObjectName(inner) else { return nil }
      self = name
    default: return nil
    }
  }

  init(_ local: Typed.Local) { key = ObjectIdentifier(local) }
  init(_ variable: VariableSymbol) { key = ObjectIdentifier(variable) }
}

/// What names are bound to, in bodies and at the top, where that is written as a call of a row of the vocabulary.
final class NamedObjects {
  /// A name with the call that makes what it is bound to.
  struct Binding {
    var name: ObjectName
    var text: String
    var place: SourceRange
    var isAtTop: Bool
    var isLet: Bool
    var row: Member
    var call: Typed.Call
    var value: Typed.Expression

    /// Whether an initialiser makes the object, so that nothing else has it yet.
    var isMade: Bool {
      if case .function(let symbol) = call.callee { symbol.isInitializer } else { false }
    }
  }

  /// In the order in which the code is gone through.
  private(set) var bindings: [Binding] = []

  /// Finds those at the top.
  init(_ program: TypedProgram) {
    for section in program.sections {
      guard case .variables(let symbols, let value, let isLet) = section, symbols.count == 1,
        let (row, call) = Self.row(of: value)
      else { continue }
      bindings.append(
        Binding(
          name: ObjectName(symbols[0]), text: symbols[0].name, place: symbols[0].range,
          isAtTop: true, isLet: isLet, row: row, call: call, value: value))
    }
  }

  /// Finds those of bodies.
  var walk: TypedWalk {
    TypedWalk(visitStatement: { statement in
      guard case .binding(let pattern, let value, let isVariable) = statement.kind,
        case .local(let local) = pattern.kind, let (row, call) = Self.row(of: value)
      else { return }
      self.bindings.append(
        Binding(
          name: ObjectName(local), text: local.name, place: local.range, isAtTop: false,
          isLet: !isVariable, row: row, call: call, value: value))
    })
  }

  /// The row of the vocabulary that a call is of; nil for any other expression.
  static func row(of value: Typed.Expression) -> (Member, Typed.Call)? {
    switch value.kind {
    case .call(let call):
      guard case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation
      else { return nil }
      return (row, call)
    case .wrapped(let inner), .conversion(let inner): return row(of: inner)
    default: return nil
    }
  }
}
