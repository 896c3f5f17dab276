import SpindleModel

/// Comparing and joining the values of expectations.
enum Quantities {
  /// Whether two values are equal, or as near as the tolerance allows; lists element by element.
  ///
  /// Moments and lengths of time compare as nanoseconds, whole numbers and decimals as numbers.
  static func areEqual(
    _ left: ExpectationValue, _ right: ExpectationValue, _ tolerance: ExpectationTerm.Tolerance?
  ) -> Bool {
    if case .list(let first) = left, case .list(let second) = right {
      return first.count == second.count
        && zip(first, second).allSatisfy { areEqual($0, $1, tolerance) }
    }
    guard let (seen, expected) = pair(left, right) else { return left == right }
    let distance = seen < expected ? expected - seen : seen - expected
    switch tolerance {
    case nil: return distance == 0
    case .absolute(let width): return distance <= Int128(width)
    case .percent(let share):
      // Each side may be past 128 bits.
      let whole = UInt128(100 * FixedDecimal.scale)
      let (near, allowed) = (
        distance.magnitude.multipliedFullWidth(by: whole),
        expected.magnitude.multipliedFullWidth(by: UInt128(share.billionths.magnitude))
      )
      return near.high < allowed.high || near.high == allowed.high && near.low <= allowed.low
    }
  }

  /// The form that all values have in common that are equal without a tolerance: a decimal that is a
  /// whole number is that number.
  static func canonical(_ value: ExpectationValue) -> ExpectationValue {
    switch value {
    case .list(let elements): return .list(elements.map(canonical))
    case .decimal(let decimal):
      let (whole, rest) = decimal.billionths.quotientAndRemainder(dividingBy: FixedDecimal.scale)
      return rest == 0 ? .integer(whole) : value
    default: return value
    }
  }

  /// Whether the first is less than the second.
  static func isLess(
    _ left: ExpectationValue, _ right: ExpectationValue
  ) throws(Unanswerable) -> Bool {
    guard let (first, second) = pair(left, right) else {
      let texts = "\(ValueText.text(left)) and \(ValueText.text(right))"
      throw Unanswerable(cause: .notComparable, explanation: "\(texts) have no order")
    }
    return first < second
  }

  /// The sum, difference, product, quotient or remainder of two values.
  ///
  /// A quotient of two whole numbers, lengths or sizes is rounded toward zero.
  static func result(
    _ operation: ExpectationTerm.Arithmetic, _ left: ExpectationValue, _ right: ExpectationValue
  ) throws(Unanswerable) -> ExpectationValue {
    guard let first = number(left), let second = number(right) else {
      throw Unanswerable(
        cause: .notComparable,
        explanation: "\(ValueText.text(left)) \(operation.rawValue) \(ValueText.text(right)) "
          + "is not a number")
    }
    let scale = Int128(FixedDecimal.scale)
    let (leftIsDecimal, rightIsDecimal) = (isDecimal(left), isDecimal(right))
    switch operation {
    case .add, .subtract:
      let bothScaled = leftIsDecimal || rightIsDecimal
      let a = bothScaled && !leftIsDecimal ? first * scale : first
      let b = bothScaled && !rightIsDecimal ? second * scale : second
      return try make(operation == .add ? a + b : a - b, like: rightIsDecimal ? right : left)
    case .multiply:
      let product =
        leftIsDecimal || rightIsDecimal ? first * second / scale : first * second
      if leftIsDecimal && rightIsDecimal { return try make(product, like: left) }
      return try multiplied(product, first, second, left, right)
    case .divide, .remainder:
      guard second != 0 else {
        throw Unanswerable(
          cause: .outOfRange, explanation: "there is a division by zero")
      }
      if operation == .remainder { return try make(first % second, like: left) }
      if rightIsDecimal { return try make(first * scale / second, like: left) }
      if leftIsDecimal || isInteger(right) { return try make(first / second, like: left) }
      return try make(first / second, like: .integer(0))
    }
  }

  /// A product of which at most one side is a decimal: it is like the side that has a unit.
  private static func multiplied(
    _ product: Int128, _ first: Int128, _ second: Int128, _ left: ExpectationValue,
    _ right: ExpectationValue
  ) throws(Unanswerable) -> ExpectationValue {
    if isDecimal(left) && isInteger(right) || isDecimal(right) && isInteger(left) {
      return try make(first * second, like: .decimal(FixedDecimal(billionths: 0)))
    }
    return try make(product, like: isInteger(left) || isDecimal(left) ? right : left)
  }

  private static func make(
    _ number: Int128, like model: ExpectationValue
  ) throws(Unanswerable) -> ExpectationValue {
    guard let value = Int64(exactly: number) else {
      throw Unanswerable(cause: .outOfRange, explanation: "a number is past 64 bits")
    }
    switch model {
    case .duration: return .duration(Nanoseconds(value))
    case .size: return .size(ByteCount(value))
    case .decimal: return .decimal(FixedDecimal(billionths: value))
    default: return .integer(value)
    }
  }

  /// Both as numbers of one scale; nil when one is not a number or they have different units.
  private static func pair(
    _ left: ExpectationValue, _ right: ExpectationValue
  ) -> (Int128, Int128)? {
    guard let first = number(left), let second = number(right) else { return nil }
    switch (left, right) {
    case (.integer, .decimal): return (first * Int128(FixedDecimal.scale), second)
    case (.decimal, .integer): return (first, second * Int128(FixedDecimal.scale))
    case (.integer, .integer), (.decimal, .decimal), (.duration, .duration), (.size, .size):
      return (first, second)
    default: return nil
    }
  }

  private static func number(_ value: ExpectationValue) -> Int128? {
    switch value {
    case .integer(let number): Int128(number)
    case .duration(let length): Int128(length.rawValue)
    case .size(let size): Int128(size.rawValue)
    case .decimal(let decimal): Int128(decimal.billionths)
    default: nil
    }
  }

  private static func isDecimal(_ value: ExpectationValue) -> Bool {
    if case .decimal = value { true } else { false }
  }

  private static func isInteger(_ value: ExpectationValue) -> Bool {
    if case .integer = value { true } else { false }
  }
}
