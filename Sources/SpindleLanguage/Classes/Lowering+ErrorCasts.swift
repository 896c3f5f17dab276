import SpindleModel

/// `error is NetworkError`, `error as? NetworkError`: an error is a text, which is asked what it stands for.
extension Lowering {
  /// What such a question comes to.
  mutating func cast(
    _ type: Expression, _ name: Word, _ call: CallSite, target: Register?
  ) -> Operand {
    guard case .name(let word) = type.kind else { return .unknown }
    let written = call.arguments[0]
    let made = value(written.value)
    if made.type.isUnknown { return .unknown }
    // What is asked is read once, however many cases it is compared with: it may be computed.
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let thrown = standIn(for: made, written.value.range)
    let once = Expression.Argument(
      label: written.label, labelRange: written.labelRange, value: thrown)
    let call = arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list([once]), closures: call.closures,
        range: call.range))
    if made.type.unwrapped.isAnyObject { return castObject(made, word, name, call.range) }
    if name == words.asType, made.type.unwrapped != .string,
      made.type.unwrapped == checker.plainType(word.text)
    {
      return made.type.unwrapped == made.type ? asOptional(made) : made
    }
    guard made.type.unwrapped == .string, Parser.isRead(written.value),
      checker.plainType(word.text) == nil || word == "Error"
    else {
      return refuse(Messages.cast(made.type, to: word.text), call.range)
    }
    if word == "CancellationError" {
      let text = arena.expression(kind: .text(words.cancellation), range: type.range)
      return name == words.isOfType
        ? value(isText(thrown, text, type.range), expecting: .boolean, target: target)
        : kept(
          made.type.unwrapped, made, where: value(isText(thrown, text, type.range)), type.range)
    }
    if name == words.isOfType { return isThrown(type, call, target: target) }
    guard let index = checker.enumIndex(type), checker.enums[index].isError else {
      return thrownCase(type, call)
    }
    if let found = thrownChoice(of: index, thrown, type.range) { return found }
    return kept(
      checker.enums[index].type, made, where: isThrown(type, call, target: nil), type.range)
  }

  private func isText(
    _ thrown: Expression, _ text: Expression, _ range: SourceRange
  ) -> Expression {
    let sides = Expression.Sides(left: thrown, right: text, operatorRange: range)
    return arena.expression(kind: .infix(.equal, arena.node(sides)), range: range)
  }

  /// The text of an error, or an object, as a value of a type where that is what it is, else nil.
  mutating func kept(
    _ type: ValueType, _ made: Operand, where truth: Operand, _ range: SourceRange
  ) -> Operand {
    let (result, end) = (frame.allocate(), frame.label())
    place(made, in: result, range)
    emit(.jumpIf(register(of: truth, range), frame.target(end)), range)
    emit(.constant(noValue, to: result), range)
    frame.mark(end)
    return .register(result, .optional(type))
  }
}
