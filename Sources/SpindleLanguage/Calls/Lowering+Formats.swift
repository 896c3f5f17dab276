import SpindleModel

/// `NSLog("%d of %@", n, name)`, `String(format: "%.2f", x)`: a text with places for values.
extension Lowering {
  /// A stretch of a format: a text as it is, or the place of a value.
  private enum FormatPart {
    case literal(String)
    /// `%d` and the like, with how many digits behind the point are wanted; nil where it does not say.
    case value(Character, digits: Int?)
  }

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
    guard let parts = parts(of: text.text) else {
      walkStray(call)
      error(Messages.formatSign, range)
      return nil
    }
    let wanted = parts.count { if case .value = $0 { true } else { false } }
    guard wanted < arguments.count else {
      walkStray(call)
      error(Messages.formatCount(wanted, given: arguments.count - 1), range)
      return nil
    }
    var pieces: [TextPiece] = []
    var next = 1
    for part in parts {
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

  /// Takes a format apart; nil when it has a sign that is not known here.
  ///
  /// Source: IEEE Std 1003.1, `printf`; Foundation has `%@` beside its signs.
  private func parts(of format: String) -> [FormatPart]? {
    var parts: [FormatPart] = []
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      parts.append(.literal(String(rest[..<percent])))
      rest = rest[rest.index(after: percent)...]
      var digits: Int?
      if rest.first == "." {
        let count = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        digits = count.isEmpty ? 0 : Int(count) ?? 10
        rest = rest.dropFirst(1 + count.count)
      }
      // How long a number is says nothing where all have 64 bits.
      let lengths = rest.prefix { "hlqz".contains($0) }
      rest = rest.dropFirst(lengths.count)
      guard let sign = rest.popFirst() else { return nil }
      switch sign {
      case "%": parts.append(.literal("%"))
      case "d", "i", "u", "@", "s", "f":
        if digits ?? 0 > 9 || digits != nil && sign != "f" { return nil }
        parts.append(.value(sign, digits: digits))
      default: return nil
      }
    }
    parts.append(.literal(String(rest)))
    return parts
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
