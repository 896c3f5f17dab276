import SpindleModel

/// The value of a condition that literals alone decide.
///
/// A parameter of the trace has another value in another run, so that it decides nothing.
enum LiteralTruth {
  /// Whether a condition always or never holds; nil where that is not written.
  static func of(_ condition: Typed.Expression) -> Bool? {
    guard condition.type.nominal?.builtin == .boolean else { return nil }
    if case .logical(let one, let other, let isAnd) = condition.kind {
      guard let first = of(one), let second = of(other) else { return nil }
      return isAnd ? first && second : first || second
    }
    return number(condition).map { $0 != 0 }
  }

  /// Whether all conditions of a statement hold, or one of them never does; nil where that is not written.
  static func of(_ conditions: [Typed.Condition]) -> Bool? {
    // What depends on the system alone has been left out of them.
    var isAlways = !conditions.isEmpty
    for condition in conditions {
      guard case .expression(let value) = condition, let truth = of(value) else {
        isAlways = false
        continue
      }
      if !truth { return false }
    }
    return isAlways ? true : nil
  }

  /// The number that literals, signs in front of them and operators between them make.
  private static func number(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .constant(let number): return value.isParameter ? nil : number
    case .decimal(let number): return number
    case .integer(let number):
      guard value.type.nominal?.builtin == .double else { return number }
      let (scaled, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
      return overflow ? nil : scaled
    case .logical: return of(value).map { $0 ? 1 : 0 }
    case .call(let call):
      guard case .function(let symbol) = call.callee,
        case .builtin(let name) = symbol.implementation
      else { return nil }
      var operands: [Int64] = []
      for argument in call.arguments {
        guard case .value(let given) = argument, let operand = number(given) else { return nil }
        operands.append(operand)
      }
      return result(of: name, operands)
    default: return nil
    }
  }

  /// What an operation that emission does by itself makes of numbers; nil for other operations.
  private static func result(of name: String, _ operands: [Int64]) -> Int64? {
    func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
      result.overflow ? nil : result.partialValue
    }
    guard let first = operands.first else { return nil }
    if operands.count == 1 {
      switch name {
      case "negate": return checked(Int64(0).subtractingReportingOverflow(first))
      case "not": return first == 0 ? 1 : 0
      default: return nil
      }
    }
    guard operands.count == 2 else { return nil }
    let second = operands[1]
    switch name {
    case "equal": return first == second ? 1 : 0
    case "notEqual": return first != second ? 1 : 0
    case "less": return first < second ? 1 : 0
    case "greater": return first > second ? 1 : 0
    case "lessOrEqual": return first <= second ? 1 : 0
    case "greaterOrEqual": return first >= second ? 1 : 0
    case "add": return checked(first.addingReportingOverflow(second))
    case "subtract": return checked(first.subtractingReportingOverflow(second))
    case "multiply": return checked(first.multipliedReportingOverflow(by: second))
    case "divide": return second == 0 ? nil : checked(first.dividedReportingOverflow(by: second))
    case "remainder":
      return second == 0 ? nil : checked(first.remainderReportingOverflow(dividingBy: second))
    default: return nil
    }
  }
}
