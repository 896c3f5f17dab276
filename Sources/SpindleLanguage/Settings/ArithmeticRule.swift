import SpindleModel

/// How two values are joined, and of which type the result is.
struct ArithmeticRule: Equatable {
  var result: ValueType
  var code: Code

  enum Code: Equatable {
    case add, subtract, multiply, divide, remainder, shiftLeft, shiftRight
    case bitAnd, bitOr, bitXor
    /// The left times the right, which is a decimal.
    case scale
    /// The right times the left, which is a decimal.
    case scaleRight
    /// The left over the right, which is a decimal.
    case unscale
    case ratio
    /// A moment plus a duration.
    case advance
    /// A duration plus a moment.
    case advanceRight
    /// A moment minus a duration.
    case retreat
    /// One text after the other.
    case join
  }

  /// The rule for `left operation right`, nil when there is none.
  static func rule(
    _ operation: InfixOperator, _ left: ValueType, _ right: ValueType
  ) -> ArithmeticRule? {
    switch operation {
    case .add: sum(left, right)
    case .subtract: difference(left, right)
    case .multiply: product(left, right)
    case .divide: quotient(left, right)
    case .remainder: remainder(left, right)
    case .shiftLeft: shift(.shiftLeft, left, right)
    case .shiftRight: shift(.shiftRight, left, right)
    case .bitAnd: shift(.bitAnd, left, right)
    case .bitOr: shift(.bitOr, left, right)
    case .bitXor: shift(.bitXor, left, right)
    case .or, .and, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .identical,
      .notIdentical, .plusMinus:
      nil
    }
  }

  private static func sum(_ left: ValueType, _ right: ValueType) -> ArithmeticRule? {
    switch (left, right) {
    case (.integer, .integer), (.duration, .duration), (.size, .size), (.decimal, .decimal):
      ArithmeticRule(result: left, code: .add)
    case (.instant, .duration): ArithmeticRule(result: .instant, code: .advance)
    case (.duration, .instant): ArithmeticRule(result: .instant, code: .advanceRight)
    case (.string, .string): ArithmeticRule(result: .string, code: .join)
    default: nil
    }
  }

  private static func difference(_ left: ValueType, _ right: ValueType) -> ArithmeticRule? {
    switch (left, right) {
    case (.integer, .integer), (.duration, .duration), (.size, .size), (.decimal, .decimal):
      ArithmeticRule(result: left, code: .subtract)
    case (.instant, .instant): ArithmeticRule(result: .duration, code: .subtract)
    case (.instant, .duration): ArithmeticRule(result: .instant, code: .retreat)
    default: nil
    }
  }

  private static func product(_ left: ValueType, _ right: ValueType) -> ArithmeticRule? {
    switch (left, right) {
    case (.integer, .integer), (.integer, .duration), (.integer, .size), (.integer, .decimal):
      ArithmeticRule(result: right, code: .multiply)
    case (.duration, .integer), (.size, .integer), (.decimal, .integer):
      ArithmeticRule(result: left, code: .multiply)
    case (.duration, .decimal), (.size, .decimal), (.decimal, .decimal):
      ArithmeticRule(result: left, code: .scale)
    case (.decimal, .duration), (.decimal, .size):
      ArithmeticRule(result: right, code: .scaleRight)
    default: nil
    }
  }

  private static func quotient(_ left: ValueType, _ right: ValueType) -> ArithmeticRule? {
    switch (left, right) {
    case (.integer, .integer), (.duration, .integer), (.size, .integer), (.decimal, .integer):
      ArithmeticRule(result: left, code: .divide)
    case (.duration, .decimal), (.size, .decimal):
      ArithmeticRule(result: left, code: .unscale)
    case (.duration, .duration), (.size, .size), (.decimal, .decimal):
      ArithmeticRule(result: .decimal, code: .ratio)
    default: nil
    }
  }

  private static func shift(_ code: Code, _ left: ValueType, _ right: ValueType) -> ArithmeticRule?
  {
    left == .integer && right == .integer ? ArithmeticRule(result: left, code: code) : nil
  }

  private static func remainder(_ left: ValueType, _ right: ValueType) -> ArithmeticRule? {
    switch (left, right) {
    case (.integer, .integer), (.duration, .duration), (.size, .size):
      ArithmeticRule(result: left, code: .remainder)
    default: nil
    }
  }
}

extension ArithmeticRule.Code {
  /// The result for two constants, nil when it does not fit or does not exist: then the program
  /// that computes it crashes when it runs.
  func folded(_ left: Int64, _ right: Int64) -> Int64? {
    switch self {
    case .add: Self.checked(left.addingReportingOverflow(right))
    case .subtract: Self.checked(left.subtractingReportingOverflow(right))
    case .multiply: Self.checked(left.multipliedReportingOverflow(by: right))
    case .divide: Self.checked(left.dividedReportingOverflow(by: right))
    case .remainder: Self.checked(left.remainderReportingOverflow(dividingBy: right))
    case .shiftLeft: Self.checked((left << right, false))
    case .shiftRight: Self.checked((left >> right, false))
    case .bitAnd: Self.checked((left & right, false))
    case .bitOr: Self.checked((left | right, false))
    case .bitXor: Self.checked((left ^ right, false))
    case .scale: Self.rounded(left, times: right, over: FixedDecimal.scale)
    case .scaleRight: Self.rounded(right, times: left, over: FixedDecimal.scale)
    case .unscale, .ratio: Self.rounded(left, times: FixedDecimal.scale, over: right)
    case .advance: (Instant(left) + Nanoseconds(right)).nanoseconds
    case .advanceRight: (Instant(right) + Nanoseconds(left)).nanoseconds
    case .retreat: right == Int64.min ? nil : (Instant(left) + Nanoseconds(-right)).nanoseconds
    case .join: nil
    }
  }

  /// What is wrong with the result of two constants that is past what its type can be; nil when it is
  /// not, or when it is a division by zero, with which the program crashes when it runs.
  func excess(_ left: Int64, _ right: Int64, _ type: ValueType) -> SyntaxMessage.Bound? {
    let (bound, most): (SyntaxMessage.Bound, Int64)
    switch type {
    case .duration: (bound, most) = (.duration, Nanoseconds.longest.rawValue)
    case .size: (bound, most) = (.size, ByteCount.largest.rawValue)
    default: return nil
    }
    if let value = folded(left, right) { return value.magnitude > most.magnitude ? bound : nil }
    return isDivision && right == 0 ? nil : bound
  }

  private var isDivision: Bool {
    switch self {
    case .divide, .remainder, .unscale, .ratio: true
    case .add, .subtract, .multiply, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor, .scale,
      .scaleRight, .advance,
      .advanceRight, .retreat, .join:
      false
    }
  }

  private static func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
    result.overflow || result.partialValue == noValue ? nil : result.partialValue
  }

  /// `a * b / c`, to nearest, ties away from 0; nil when it does not fit.
  private static func rounded(_ a: Int64, times b: Int64, over c: Int64) -> Int64? {
    guard c != 0 else { return nil }
    let product = a.magnitude.multipliedFullWidth(by: b.magnitude)
    guard product.high < c.magnitude else { return nil }
    let (quotient, remainder) = c.magnitude.dividingFullWidth(product)
    let roundsUp = remainder >= c.magnitude - remainder
    guard quotient < UInt64(Int64.max) else { return nil }
    let size = Int64(quotient) + (roundsUp ? 1 : 0)
    return ((a < 0) != (b < 0)) != (c < 0) ? -size : size
  }
}

/// An operator between two values of settings and expectations.
enum InfixOperator: String, Sendable {
  case or = "||", and = "&&"
  case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">"
  case greaterOrEqual = ">=", identical = "===", notIdentical = "!=="
  case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
  case shiftLeft = "<<", shiftRight = ">>"
  case bitAnd = "&", bitOr = "|", bitXor = "^"
  /// `400ms ± 2%`, in expectations only.
  case plusMinus = "±"

  /// Whether it compares.
  var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .identical, .notIdentical: true
    default: needsOrder
    }
  }

  /// Whether it asks for order, not only for sameness.
  var needsOrder: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
}

/// What stands on the two sides of such an operator.
struct Sides {
  var operation: InfixOperator
  /// The place of the operator.
  var sign: SourceRange
  var left: Grammar.Expression
  var right: Grammar.Expression
}

extension Grammar.Expression {
  /// Its operator with the values on its sides; nil for anything else.
  var sides: Sides? {
    guard case .binary(let sign, let left, let right) = kind,
      let operation = InfixOperator(rawValue: sign.text)
    else { return nil }
    return Sides(operation: operation, sign: sign.range, left: left, right: right)
  }
}
