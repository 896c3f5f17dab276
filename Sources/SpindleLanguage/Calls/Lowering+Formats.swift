import SpindleModel

/// `NSLog("%d of %@", n, name)`, `String(format: "%.2f", x)`: a text with places for values.
extension Lowering {
  /// A call of `NSLog`; nil for one that writes a text without places for values.
  mutating func formatted(_ call: CallSite, _ primitive: Primitive) -> Operand? {
    guard let first = call.arguments.first, call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil }),
      call.arguments.count > 1 || isFormat(first.value)
    else { return nil }
    let base = frame.allocate()
    guard let pieces = formatted(call.arguments, call) else {
      frame.next = Int(base.index)
      return .void
    }
    place(join(pieces, base, call.place), in: base, call.place)
    emit(.perform(primitive, base: base, noSite), call.place)
    frame.next = Int(base.index)
    return .void
  }

  /// `String(format: "%.2f", x)`.
  mutating func formattedText(_ call: CallSite, target: Register?) -> Operand {
    let result = target ?? frame.allocate()
    guard call.arguments.dropFirst().allSatisfy({ $0.label == nil }), call.closures.isEmpty else {
      walkStray(call)
      return refuse(Messages.formatForm, call.range)
    }
    guard let pieces = formatted(call.arguments, call) else { return .unknown }
    let made = join(pieces, result, call.place)
    frame.next = max(frame.next, Int(result.index) + 1)
    return made
  }

  private func isFormat(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .text(let text): text.text.contains("%")
    default: false
    }
  }

  /// The stretches of a format, the first argument, with the values of the others in their places; nil when
  /// it was refused.
  private mutating func formatted(
    _ arguments: SyntaxList<Expression.Argument>, _ call: CallSite
  ) -> [TextPiece]? {
    let range = arguments[0].value.range
    guard case .text(let text) = arguments[0].value.kind else {
      walkStray(call)
      error(Messages.formatForm, range)
      return nil
    }
    guard let format = TextFormat(text.text) else {
      walkStray(call)
      error(Messages.formatSign, range)
      return nil
    }
    let wanted = format.valueCount
    guard wanted < arguments.count else {
      walkStray(call)
      error(Messages.formatCount(wanted, given: arguments.count - 1), range)
      return nil
    }
    var pieces: [TextPiece] = []
    var next = 1
    for part in format.parts {
      switch part {
      case .literal(let text): pieces.append(.literal(text))
      case .value(let sign, let digits):
        let argument = arguments[next].value
        pieces += stretch(sign, digits, value(argument), argument.range)
        next += 1
      }
    }
    // What has no place is evaluated all the same.
    for argument in arguments.dropFirst(next) {
      warn(Messages.formatSurplus, argument.value.range)
      _ = value(argument.value)
    }
    return pieces
  }

  /// A value in the place of a sign.
  private mutating func stretch(
    _ sign: Character, _ digits: Int?, _ made: Operand, _ range: SourceRange
  ) -> [TextPiece] {
    switch sign {
    case "@": return [piece(made, range)]
    case "s": return [piece(coerce(made, to: .string, range), range)]
    case "f":
      // A length of time is a number of seconds for Foundation, and both count billionths here.
      var number = unwrap(made, range)
      if number.type == .duration { number.type = .decimal }
      return fixed(coerce(number, to: .decimal, range), digits ?? 6, range)
    default: return [piece(coerce(made, to: .integer, range), range)]
    }
  }

  /// Divides what a register has by a power of ten, to the nearest number, from the middle to the even one.
  private mutating func round(_ register: Register, _ unit: Int64, _ range: SourceRange) {
    guard unit > 1 else { return }
    let next = frame.next
    let (rest, other, test) = (frame.allocate(), frame.allocate(), frame.allocate())
    let (up, end) = (frame.label(), frame.label())
    emit(.constant(unit, to: other), range)
    emit(.remainder(rest, register, other), range)
    emit(.divide(register, register, other), range)
    emit(.constant(unit / 2, to: other), range)
    emit(.less(test, other, rest), range)
    emit(.jumpIf(test, frame.target(up)), range)
    emit(.equal(test, other, rest), range)
    emit(.jumpUnless(test, frame.target(end)), range)
    emit(.constant(2, to: other), range)
    emit(.remainder(rest, register, other), range)
    emit(.jumpUnless(rest, frame.target(end)), range)
    frame.mark(up)
    emit(.increment(register), range)
    frame.mark(end)
    frame.next = next
  }

  /// A number with so many digits behind the point, the last one rounded.
  private mutating func fixed(
    _ number: Operand, _ digits: Int, _ range: SourceRange
  ) -> [TextPiece] {
    guard number.type == .decimal else { return [] }
    func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
    let from = register(of: number, range)
    let (sign, rest, other) = (frame.allocate(), frame.allocate(), frame.allocate())
    let (test, isPositive) = (frame.allocate(), frame.label())
    emit(.copy(rest, from: from), range)
    emit(.constant(Int64(intern("").index), to: sign), range)
    emit(.constant(0, to: other), range)
    emit(.less(test, rest, other), range)
    emit(.jumpUnless(test, frame.target(isPositive)), range)
    emit(.constant(Int64(intern("-").index), to: sign), range)
    emit(.subtract(rest, other, rest), range)
    frame.mark(isPositive)
    let whole = frame.allocate()
    round(rest, power(9 - digits), range)
    emit(.constant(power(digits), to: other), range)
    emit(.divide(whole, rest, other), range)
    var pieces: [TextPiece] = [.value(sign, .string), .value(whole, .integer)]
    if digits > 0 { pieces.append(.literal(".")) }
    emit(.constant(10, to: test), range)
    for place in (0..<digits).reversed() {
      let digit = frame.allocate()
      emit(.constant(power(place), to: other), range)
      emit(.divide(digit, rest, other), range)
      emit(.remainder(digit, digit, test), range)
      pieces.append(.value(digit, .integer))
    }
    return pieces
  }
}
