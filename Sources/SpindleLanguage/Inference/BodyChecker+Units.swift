import SpindleModel

/// Numbers without a unit where a length of time, a moment or a size is wanted, and which unit they most likely want.
extension BodyChecker {
  /// What a value is for, as far as its name says which unit a number has.
  struct Taker {
    /// The label of a parameter or the name of a function or a property; empty for nothing that has a name.
    var word = ""
    var isArgument = false
  }

  /// What `body` finds out of a value that is for `taker`.
  func forTaker<Result>(_ taker: Taker, _ body: () -> Result) -> Result {
    let outer = self.taker
    self.taker = taker
    defer { self.taker = outer }
    return body()
  }

  /// What to say of a number where a value of `type` is wanted, or is added to it; nil for anything else.
  func missingUnit(
    _ value: Typed.Expression, _ type: SwiftType, isSum: Bool = false
  ) -> String? {
    guard let wanted = quantity(type), let isDecimal = isDecimal(value.type) else { return nil }
    let text = table.current.text(in: value.range)
    let isNumber = !text.isEmpty && BareNumber.isWritten(text)
    let isWhole = isNumber ? !text.contains(".") : !isDecimal
    let number = proposal(isNumber ? text : "1", wanted, isWhole: isWhole, isSum: isSum)
    let what = wanted == .size ? "a size" : "a duration"
    return Messages.needsUnit(what, isNumber ? number : BareNumber.product(number, text))
  }

  /// A number of bytes as a size, in a Swift file; nil anywhere else.
  func countedInBytes(
    _ value: Typed.Expression, _ source: SwiftType, _ type: SwiftType
  ) -> Typed.Expression? {
    guard type.nominal?.builtin == .size, table.isInFile(value.range),
      source.nominal?.builtin == .integer || solver.literal(source) == .integer
    else { return nil }
    _ = solver.attempt { $0.unify(source, known.integer) }
    return node(.conversion(value), type, value.range)
  }

  private func quantity(_ type: SwiftType) -> ValueType? {
    switch solver.shallow(type).unwrappedFully.nominal?.builtin {
    case .duration: .duration
    case .instant: .instant
    case .size: .size
    default: nil
    }
  }

  /// Whether a number has a fraction; nil for what is no number.
  private func isDecimal(_ type: SwiftType) -> Bool? {
    switch solver.shown(type).nominal?.builtin {
    case .integer, .fixedInteger: false
    case .double: true
    default: nil
    }
  }

  private func proposal(
    _ number: String, _ type: ValueType, isWhole: Bool, isSum: Bool
  ) -> String {
    if type == .duration, number == "0" { return "0s" }
    if type == .instant, isSum { return number + "s" }
    var unit = BareNumber.unit(of: type, for: taker.word, isWhole: isWhole)
    if type == .size { return number + unit }
    // A part of a second is what is meant where only the trace knows what takes it.
    let isOwn = BareNumber.short.contains(taker.word)
    if type == .duration, !isOwn, !isWhole, taker.word.isEmpty || taker.isArgument { unit = "s" }
    let isMoment = taker.isArgument && BareNumber.moments.contains(taker.word)
    return (type == .instant && isMoment ? ".now() + " : "") + number + unit
  }

  // MARK: Operators

  /// Reports operands that no operator takes: one of them may be a number without a unit.
  func refuseOperator(
    _ sign: Grammar.Name, _ left: Typed.Expression, _ right: Typed.Expression
  ) -> Typed.Expression {
    if let refused = refuseBareNumber(sign.text, left, right) { return refused }
    let (one, other) = (solver.shown(left.type), solver.shown(right.type))
    var message = Messages.noOperator(sign.text, "\(one)", "\(other)")
    if sign.text == "&" || sign.text == "|", one == known.boolean, other == known.boolean {
      message = Messages.meant(message, sign.text + sign.text)
    }
    if sign.text == "==" || sign.text == "!=", one == other, let nominal = one.nominal,
      !nominal.isLibrary
    {
      message =
        nominal.isReference ? Messages.instanceEquality : Messages.valueEquality(nominal.name)
    }
    return refuse(message, sign.range)
  }

  /// Reports a number without a unit beside a length of time, a moment or a size; nil without a mistake.
  private func refuseBareNumber(
    _ sign: String, _ left: Typed.Expression, _ right: Typed.Expression
  ) -> Typed.Expression? {
    let isSum = ["+", "-", "+=", "-="].contains(sign)
    guard isSum || isComparison(sign) else { return nil }
    if let message = missingUnit(right, left.type, isSum: isSum) {
      return refuse(message, right.range)
    }
    // What is changed has its type.
    if sign.hasSuffix("="), isSum { return nil }
    return missingUnit(left, right.type, isSum: isSum).map { refuse($0, left.range) }
  }
}
