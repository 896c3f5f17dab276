import SpindleModel

/// Errors that are cases of an `enum`: a thrown case is its name.
extension Lowering {
  /// `catch is NetworkError`: whether what was thrown is the name of one of its cases.
  mutating func isThrown(_ type: Expression, _ call: CallSite, target: Register?) -> Operand {
    guard let index = checker.enumIndex(type) else {
      guard case .name(let name) = type.kind else { return .unknown }
      let names = checker.enums.names + ["CancellationError"]
      return refuse(
        Messages.unknownType(name.text, nearest: proposal(name.text, names)), type.range)
    }
    let tests = checker.enums[index].cases.map { name -> Expression in
      let text = arena.expression(kind: .text(name.word), range: type.range)
      let sides = Expression.Sides(
        left: call.arguments[0].value, right: text, operatorRange: type.range)
      return arena.expression(kind: .infix(.equal, arena.node(sides)), range: type.range)
    }
    guard var whole = tests.first else { return .constant(0, .boolean) }
    for test in tests.dropFirst() {
      let sides = Expression.Sides(left: whole, right: test, operatorRange: type.range)
      whole = arena.expression(kind: .infix(.or, arena.node(sides)), range: type.range)
    }
    return value(whole, expecting: .boolean, target: target)
  }
}
