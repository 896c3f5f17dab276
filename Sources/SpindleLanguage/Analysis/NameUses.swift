import SpindleModel

/// Which names the code of a program reads, and which it only sets.
final class NameUses {
  private(set) var read: Set<ObjectIdentifier> = []
  private(set) var set: Set<ObjectIdentifier> = []
  /// The places of assignments: naming one there reads nothing.
  private var places: Set<ObjectIdentifier> = []

  /// Finds the uses.
  var walk: TypedWalk {
    TypedWalk(
      visit: { self.note($0) },
      visitCall: { call, _ in
        if case .function(let symbol) = call.callee { self.noteFunction(symbol) }
      },
      visitStatement: { self.note($0) },
      assigned: { place, _ in self.noteAssignment(place, isChange: false) })
  }

  /// Whether the name of a function is made of signs.
  static func isOperator(_ symbol: FunctionSymbol) -> Bool {
    Grammar.Name(text: symbol.name, range: symbol.range).isOperator
  }

  private func note(_ statement: Typed.Statement) {
    // `n += 1` sets what it names.
    guard case .expression(let value) = statement.kind, case .call(let call) = value.kind,
      call.receiver == nil, value.type.isVoid, case .function(let symbol) = call.callee,
      Self.isOperator(symbol),
      case .value(let first)? = call.arguments.first, case .reference(let place) = first.kind
    else { return }
    noteAssignment(place, isChange: true)
  }

  /// A variable at the top that is changed by what it was is used by that, and so is one that closures share: others may
  /// change it meanwhile.
  private func noteAssignment(_ place: Typed.Expression, isChange: Bool) {
    switch place.kind {
    case .local(let local) where !local.isCaptured:
      set.insert(ObjectIdentifier(local))
      places.insert(ObjectIdentifier(place))
    case .global(let variable, _) where !isChange && variable.isStored:
      set.insert(ObjectIdentifier(variable))
      places.insert(ObjectIdentifier(place))
    default: break
    }
  }

  private func note(_ value: Typed.Expression) {
    if places.contains(ObjectIdentifier(value)) { return }
    switch value.kind {
    case .local(let local): read.insert(ObjectIdentifier(local))
    case .global(let variable, _), .field(_, let variable):
      read.insert(ObjectIdentifier(variable))
    case .function(let symbol, _, _): noteFunction(symbol)
    default: break
    }
  }

  private func noteFunction(_ symbol: FunctionSymbol) {
    read.insert(ObjectIdentifier(symbol))
    if let variable = symbol.variable { read.insert(ObjectIdentifier(variable)) }
  }
}
