import SpindleModel

/// Functions whose result is `some P`: what they give is of one type, which their bodies say.
extension BodyChecker {
  /// Checks that a function whose result is `some P` gives one type.
  func noteReturned(_ value: Typed.Expression) {
    guard function?.isOpaque == true, scope.parent == nil, case .conversion(let inner) = value.kind
    else { return }
    let type = solver.resolve(inner.type)
    guard let first = underlying else { return underlying = type }
    if first != type, !type.hasErrors {
      report(Messages.otherOpaque("\(type)", than: "\(first)"), value.range)
    }
  }

  /// Whether the body at hand says of what type its `some P` is.
  var hidesResult: Bool { function.map { bodies.hidesResult($0) } ?? false && scope.parent == nil }

  /// A value that a function gives as `some P`: what is lazy is not so for its caller, who knows a sequence alone.
  func hidden(_ value: Typed.Expression, _ type: SwiftType) -> Typed.Expression {
    var value = value
    if let nominal = solver.shallow(value.type).nominal, nominal.isLibrary,
      nominal.name == "LazySequence",
      case .value(let made) = meaning(
        ofMember: Grammar.Name(text: "hidden", range: value.range), value, value.range)
    {
      value = made
    }
    if !value.type.isError, !solver.attempt({ $0.unify(value.type, type) }) {
      return refuse(
        Messages.otherOpaque("\(solver.shown(value.type))", than: "\(solver.shown(type))"),
        value.range)
    }
    return convert(value, to: type)
  }

  /// The type that the body of a function gives, which has to be what the function says.
  func hiddenResult(_ type: SwiftType, of symbol: FunctionSymbol) -> SwiftType {
    if type.hasVariables || type.hasErrors { return .error }
    let value = Typed.Expression(.error, type, symbol.range)
    return convert(value, to: symbol.result).type.isError ? .error : type
  }
}
