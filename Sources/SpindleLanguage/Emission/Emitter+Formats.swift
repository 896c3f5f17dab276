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
      case .value(let sign, let digits):
        let (register, type, place) = made[next]
        parts += stretch(sign, digits, register, type, place)
        next += 1
      }
    }
    let result = allocate()
    text(parts, into: result, range)
    return result
  }

  /// A value in the place of a sign.
  private func stretch(
    _ sign: Character, _ digits: Int?, _ value: Register, _ type: SwiftType, _ range: SourceRange
  ) -> [(literal: String?, value: (register: Register, format: ValueFormat)?)] {
    func wants(_ fits: Bool, _ name: String) {
      if !fits { table.report(Messages.mismatch(expected: name, found: "\(type)"), range) }
    }
    switch sign {
    case "@": return [(nil, describe(value, type, isPart: false, range))]
    case "s":
      wants(type == known.string, "String")
      return [(nil, (value, .string))]
    case "f":
      // A length of time is a number of seconds for Foundation, and both count billionths here.
      wants(type == known.double || type == known.duration, "Double")
      return fixed(value, digits ?? 6, range)
    default:
      wants(type.nominal?.builtin == .integer || type.nominal?.builtin == .fixedInteger, "Int")
      return [(nil, (value, .integer))]
    }
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
