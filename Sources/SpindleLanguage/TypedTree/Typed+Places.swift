import SpindleModel

/// A step of the way from a variable to a place in it.
enum PlaceStep: Hashable {
  case variable(ObjectIdentifier)
  case element(Int)
}

extension Typed.Expression {
  /// A variable and the stored parts that lead to a place in it; nil for a place behind a reference.
  var path: [PlaceStep]? {
    switch kind {
    case .local(let local): return [.variable(ObjectIdentifier(local))]
    case .global(let variable, _): return [.variable(ObjectIdentifier(variable))]
    case .field(let base, let variable):
      guard variable.owner?.isValue == true else { return nil }
      return base.path.map { $0 + [.variable(ObjectIdentifier(variable))] }
    case .element(let base, let index): return base.path.map { $0 + [.element(index)] }
    case .call(let call):
      // An element of a collection: the access is one to the whole of it.
      guard case .function(let symbol) = call.callee, symbol.role == "get",
        symbol.owner?.isValue == true
      else { return nil }
      return call.receiver?.path
    case .forced(let base), .bound(let base), .conversion(let base): return base.path
    default: return nil
    }
  }

  /// Whether it is `self`.
  var isSelf: Bool {
    switch kind {
    case .local(let local): local.isSelf
    case .conversion(let inner): inner.isSelf
    default: false
    }
  }

  /// The variable of a body that it names, however it is converted; nil for any other value.
  var namedLocal: Typed.Local? {
    switch kind {
    case .local(let local): local
    case .conversion(let inner): inner.namedLocal
    default: nil
    }
  }
}

extension Typed.Pattern {
  /// The names that it binds.
  var names: [String] {
    switch kind {
    case .local(let local): [local.name]
    case .any, .none, .isType, .symbol, .test: []
    case .tuple(let parts): parts.flatMap(\.names)
    case .enumCase(_, let parts): (parts ?? []).flatMap(\.names)
    case .some(let inner), .asType(let inner, _): inner.names
    }
  }
}
