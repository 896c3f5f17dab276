import SpindleModel

/// `NSLog("%d of %@", n, name)`, `String(format: "%.2f", x)`: a text with places for values.
extension Emitter {
  /// The text of a format, the first argument, with the values of the others in their places.
  func emitFormatted(_ call: Typed.Call, _ range: SourceRange) -> Register {
    guard let first = argument(0, call), case .text(let written) = first.kind else {
      table.report(Messages.formatForm, range)
      return allocate()
    }
    guard let format = TextFormat(written) else {
      table.report(Messages.formatSign, first.range)
      return allocate()
    }
    var values: [Typed.Expression] = []
    if call.arguments.count > 1, case .variadic(let given) = call.arguments[1] { values = given }
    guard format.valueCount <= values.count else {
      table.report(Messages.formatCount(format.valueCount, given: values.count), first.range)
      return allocate()
    }
    let made = values.map { value -> (register: Register, type: SwiftType, range: SourceRange) in
      let inner = beforeAny(value)
      return (emitOwned(inner), concrete(inner.type), inner.range)
    }
    var parts: [(literal: String?, value: (register: Register, format: ValueFormat)?)] = []
    var next = 0
    for part in format.parts {
      switch part {
      case .literal(let text): parts.append((text, nil))
      case .value(let place):
        let (register, type, range) = made[next]
        parts += padded(stretch(place, register, type, range), to: place, range)
        next += 1
      }
    }
    let result = allocate()
    text(parts, into: result, range)
    return result
  }

  /// A value in the place of a sign.
  private func stretch(
    _ place: TextFormat.Place, _ value: Register, _ type: SwiftType, _ range: SourceRange
  ) -> [(literal: String?, value: (register: Register, format: ValueFormat)?)] {
    func wants(_ fits: Bool, _ name: String) {
      if !fits { table.report(Messages.mismatch(expected: name, found: "\(type)"), range) }
    }
    switch place.sign {
    case "@": return [(nil, describe(value, type, isPart: false, range))]
    case "s":
      wants(type == known.string, "String")
      return [(nil, (value, .string))]
    case "f":
      // A length of time is a number of seconds for Foundation, and both count billionths here.
      wants(type == known.double || type == known.duration, "Double")
      return fixed(value, place.digits ?? 6, range)
    default:
      wants(type.nominal?.builtin == .integer || type.nominal?.builtin == .fixedInteger, "Int")
      let bits: Int64? =
        switch place.sign {
        case "x", "X": 4
        case "o": 3
        default: nil
        }
      guard let bits else { return [(nil, (value, .integer))] }
      let made = textCall(
        "_digits", of: constant(intern(""), range),
        [.register(value), .number(bits), .flag(place.isLong), .flag(place.sign == "X")], range)
      return [(nil, (made, .string))]
    }
  }

  /// The text of a value, padded to the width of its place.
  private func padded(
    _ parts: [(literal: String?, value: (register: Register, format: ValueFormat)?)],
    to place: TextFormat.Place, _ range: SourceRange
  ) -> [(literal: String?, value: (register: Register, format: ValueFormat)?)] {
    // Run with Swift 6.3.1: a width says nothing of `%@`.
    guard place.sign != "@" else { return parts }
    let isText = place.sign == "s"
    let digits = isText || place.sign == "f" ? 0 : place.digits ?? 0
    guard place.width > 0 || digits > 0 || !place.positive.isEmpty && !isText else { return parts }
    let plain = allocate()
    text(parts, into: plain, range)
    let positive = place.sign == "d" || place.sign == "i" || place.sign == "f" ? place.positive : ""
    let hasZeros = place.hasZeros && !place.isLeft && !isText && (digits == 0 || place.sign == "f")
    let made = textCall(
      "_inPlace", of: plain,
      [
        .number(Int64(place.width)), .number(Int64(digits)), .flag(place.isLeft), .flag(hasZeros),
        .register(constant(intern(positive), range)),
      ], range)
    return [(nil, (made, .string))]
  }

  private enum TextArgument {
    case number(Int64)
    case flag(Bool)
    case register(Register)
  }

  /// A call of a method of the library's texts.
  private func textCall(
    _ name: String, of text: Register, _ arguments: [TextArgument], _ range: SourceRange
  ) -> Register {
    guard
      let symbol = known.string.nominal?.members[name]?.compactMap({ $0 as? FunctionSymbol }).first
    else { preconditionFailure("the library's texts have no '\(name)'") }
    let call = Typed.Call(
      callee: .function(symbol), substitution: [:], receiver: held(text, known.string, range),
      arguments: zip(arguments, symbol.parameters).map { argument, parameter in
        switch argument {
        case .number(let number): .value(Typed.Expression(.integer(number), parameter.type, range))
        case .flag(let flag):
          .value(held(constant(flag ? 1 : 0, range), parameter.type, range))
        case .register(let register): .value(held(register, parameter.type, range))
        }
      }, place: range, nameRange: range)
    return emit(Typed.Expression(.call(call), known.string, range))
  }

  /// A number with so many digits behind the point, the last one rounded.
  private func fixed(
    _ number: Register, _ digits: Int, _ range: SourceRange
  ) -> [(literal: String?, value: (register: Register, format: ValueFormat)?)] {
    func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
    let (sign, rest, other) = (allocate(), allocate(), allocate())
    let (test, isPositive) = (allocate(), code.frame.label())
    emit(.copy(rest, from: number), range)
    emit(.constant(intern(""), to: sign), range)
    emit(.constant(0, to: other), range)
    emit(.less(test, rest, other), range)
    emit(.jumpUnless(test, code.frame.target(isPositive)), range)
    emit(.constant(intern("-"), to: sign), range)
    emit(.subtract(rest, other, rest), range)
    code.frame.mark(isPositive)
    let whole = allocate()
    round(rest, power(9 - digits), range)
    emit(.constant(power(digits), to: other), range)
    emit(.divide(whole, rest, other), range)
    var parts: [(literal: String?, value: (register: Register, format: ValueFormat)?)] = [
      (nil, (sign, .string)), (nil, (whole, .integer)),
    ]
    if digits > 0 { parts.append((".", nil)) }
    emit(.constant(10, to: test), range)
    for place in (0..<digits).reversed() {
      let digit = allocate()
      emit(.constant(power(place), to: other), range)
      emit(.divide(digit, rest, other), range)
      emit(.remainder(digit, digit, test), range)
      parts.append((nil, (digit, .integer)))
    }
    return parts
  }

  /// Divides what a register has by a power of ten, to the nearest number, from the middle to the even one.
  private func round(_ register: Register, _ unit: Int64, _ range: SourceRange) {
    guard unit > 1 else { return }
    let next = code.frame.next
    let (rest, other, test) = (allocate(), allocate(), allocate())
    let (up, end) = (code.frame.label(), code.frame.label())
    emit(.constant(unit, to: other), range)
    emit(.remainder(rest, register, other), range)
    emit(.divide(register, register, other), range)
    emit(.constant(unit / 2, to: other), range)
    emit(.less(test, other, rest), range)
    emit(.jumpIf(test, code.frame.target(up)), range)
    emit(.equal(test, other, rest), range)
    emit(.jumpUnless(test, code.frame.target(end)), range)
    emit(.constant(2, to: other), range)
    emit(.remainder(rest, register, other), range)
    emit(.jumpUnless(rest, code.frame.target(end)), range)
    code.frame.mark(up)
    emit(.increment(register), range)
    code.frame.mark(end)
    code.frame.next = next
  }
}
