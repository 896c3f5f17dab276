import SpindleModel

/// `Task.sleep(nanoseconds: UInt64(i) * 1_000_000)`: the only whole numbers of Swift that a trace has besides `Int`.
///
/// Anywhere else a number below zero tells the two apart: a difference of the others stops the program there.
extension Lowering {
  /// The name of what makes such a number, which no trace can write.
  static let unsigned = "UInt64 of nanoseconds"

  /// The same sleep, whose length may have such numbers in it; nil for one without.
  func countingNanoseconds(_ call: CallSite) -> CallSite? {
    guard call.arguments.count == 1, call.arguments[0].label == "nanoseconds",
      source.text(in: call.arguments[0].value.range).contains("UInt")
    else { return nil }
    var argument = call.arguments[0]
    argument.value = counting(argument.value)
    let made = Expression.Call(
      callee: call.callee, arguments: arena.list([argument]), closures: call.closures,
      range: call.range)
    return arena.node(made)
  }

  /// An expression in which each `UInt64(n)` is what makes such a number, but where one is taken from another.
  private func counting(_ expression: Expression) -> Expression {
    switch expression.kind {
    case .infix(let operation, let sides)
    where [.add, .multiply, .divide, .remainder].contains(operation):
      var both = sides.value
      (both.left, both.right) = (counting(both.left), counting(both.right))
      return arena.expression(kind: .infix(operation, arena.node(both)), range: expression.range)
    case .conditional(let choice):
      var made = choice.value
      (made.first, made.second) = (counting(made.first), counting(made.second))
      return arena.expression(kind: .conditional(arena.node(made)), range: expression.range)
    case .call(let call):
      guard case .name(let name) = call.callee.kind, ["UInt64", "UInt"].contains(name.text),
        call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == nil
      else { return expression }
      let callee = arena.named(arena.words.word(Lowering.unsigned), call.callee.range)
      return arena.call(callee, Array(call.arguments), at: call.range)
    default: return expression
    }
  }

  /// Such a number: as in Swift, the program stops where it would be below zero.
  mutating func unsigned(_ call: CallSite, target: Register?) -> Operand {
    let plain = arena.named(arena.words.word("Int"), call.callee.range)
    let made = lowerCall(renamed(call, plain), isUsed: true, expecting: .integer, target: target)
    guard made.type == .integer else { return made }
    if let constant = made.constant, constant >= 0 { return made }
    let number = register(of: made, call.place)
    let (test, fits) = (frame.allocate(), frame.label())
    emit(.constant(0, to: test), call.place)
    emit(.lessOrEqual(test, test, number), call.place)
    emit(.jumpIf(test, frame.target(fits)), call.place)
    crash("Negative value is not representable", call.place)
    frame.mark(fits)
    frame.next = Int(test.index)
    return .register(number, .integer)
  }
}
