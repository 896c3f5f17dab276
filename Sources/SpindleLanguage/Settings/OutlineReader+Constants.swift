import SpindleModel

/// Values that are known before the run.
extension OutlineReader {
  /// The value of an expression; `.unknown` where a mistake is reported, nil where only the run knows it.
  mutating func value(_ expression: Expression, _ expecting: ValueType?) -> Operand? {
    let range = expression.range
    switch expression.kind {
    case .integer(let number): return integer(number, expecting, range)
    case .decimal(let number): return .constant(number.billionths, .decimal)
    case .duration(let length): return .constant(length.rawValue, .duration)
    case .size(let size): return .constant(size.rawValue, .size)
    case .percent: return checker.refuse(Messages.strayPercent, range)
    case .text(let text): return .constant(Int64(intern(text).index), .string)
    case .string(let segments): return text(segments)
    case .boolean(let truth): return .constant(truth ? 1 : 0, .boolean)
    case .none: return .constant(noValue, .null)
    case .name(let name): return named(name, range)
    case .implicitMember(let name): return member(name.text, expecting, range)
    case .array(let elements): return options(elements, expecting)
    case .member(let access): return member(of: access.value, expecting, range)
    case .call(let made): return call(made.value)
    case .prefix(let operation, let inner): return prefix(operation, inner, expecting, range)
    case .infix(let operation, let sides):
      return infix(operation, sides.value, expecting, range)
    case .conditional(let choice):
      guard let test = boolean(choice.value.condition) else { return nil }
      return value(test ? choice.value.first : choice.value.second, expecting)
    case .range: return checker.refuse(Messages.strayRange, range)
    case .missing: return .unknown
    case .dictionary, .element, .closure, .coalesce, .unwrap, .bind, .chain, .await, .specialized,
      .attempt, .condition, .match:
      return nil
    }
  }

  // MARK: Literals and names

  private mutating func integer(
    _ number: Int64, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand {
    if expecting?.unwrapped == .decimal { return decimal(number, range) }
    var result = Operand.constant(number, .integer)
    result.isLiteral = true
    return result
  }

  private mutating func decimal(_ number: Int64, _ range: SourceRange) -> Operand {
    let (billionths, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
    if overflow { return checker.refuse(Messages.decimalTooLarge, range) }
    return .constant(billionths, .decimal)
  }

  private mutating func text(_ segments: SyntaxList<Expression.Segment>) -> Operand? {
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let part): text += part.text
      case .value(let expression):
        guard let made = value(expression, nil), let constant = made.constant else { return nil }
        if made.type == .unknown { return .unknown }
        text += written(constant, made.type)
      }
    }
    return .constant(Int64(intern(text).index), .string)
  }

  private mutating func named(_ name: Word, _ range: SourceRange) -> Operand? {
    guard let index = find(name) else {
      if checker.vocabulary.free.property(name) != nil { return nil }
      return checker.unknownName(name, range)
    }
    scope[index].isUsed = true
    guard case .constant(let value) = scope[index].meaning else { return nil }
    return .constant(value, scope[index].type)
  }

  private mutating func member(
    _ name: String, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand? {
    switch expecting?.unwrapped {
    case .symbol(let family):
      let own = family.ownName(name)
      if family.members.contains(own) {
        return .constant(Int64(intern(own).index), .symbol(family))
      }
      return refuse(name, of: family, range)
    case .options(let family):
      if let bits = family.bits(of: name) { return .constant(bits, .options(family)) }
      return refuse(name, of: family, range)
    case let type? where name == "zero" && [.duration, .size, .integer, .decimal].contains(type):
      return .constant(0, type)
    case .duration where name == "never": return .constant(noValue, .null)
    default: break
    }
    switch name {
    case "distantFuture": return .constant(Instant.distantFuture.nanoseconds, .instant)
    case "distantPast": return .constant(Instant.distantPast.nanoseconds, .instant)
    default: return nil
    }
  }

  private mutating func refuse(
    _ name: String, of family: SymbolFamily, _ range: SourceRange
  ) -> Operand {
    let near = proposal(name, family.members) ?? family.longer(name)
    return checker.refuse(
      Messages.unknownMember(name, of: family.rawValue, nearest: near, family.members), range)
  }

  /// `DispatchQoS.utility`.
  private mutating func member(
    of access: Expression.MemberAccess, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand? {
    guard case .name(let owner) = access.base.kind, find(owner) == nil else { return nil }
    return member(access.name.text, expecting, range)
  }

  private mutating func options(
    _ elements: SyntaxList<Expression>, _ expecting: ValueType?
  ) -> Operand? {
    guard case .options(let family)? = expecting?.unwrapped else { return nil }
    var bits: Int64 = 0
    for element in elements {
      guard let made = value(element, .options(family)), let own = made.constant else {
        return nil
      }
      if made.type == .unknown { return .unknown }
      bits |= own
    }
    return .constant(bits, .options(family))
  }

  /// `.milliseconds(5)`, `Int(x)`, `max(a, b)`: functions of values that are known.
  private mutating func call(_ call: Expression.Call) -> Operand? {
    var name: String?
    switch call.callee.kind {
    case .name(let word), .implicitMember(let word): name = word.text
    case .member(let access): name = access.value.name.text
    default: return nil
    }
    var values: [Operand] = []
    for argument in call.arguments {
      guard let made = value(argument.value, nil) else { return nil }
      if made.type == .unknown { return .unknown }
      values.append(made)
    }
    return ConstantFunction.value(name, values)
  }

  // MARK: Operators

  private mutating func prefix(
    _ operation: Expression.PrefixOperator, _ inner: Expression, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    if operation == .not {
      return boolean(inner).map { .constant($0 ? 0 : 1, .boolean) }
    }
    guard var made = value(inner, expecting), made.type != .unknown, let number = made.constant
    else { return .unknown }
    let isNumber = [.integer, .duration, .size, .decimal].contains(made.type)
    guard isNumber, operation != .invert || made.type == .integer else {
      return checker.refuse(Messages.noOperator(operation.rawValue, "\(made.type)"), range)
    }
    switch operation {
    case .minus: made.location = .constant(number == .min ? number : -number)
    case .invert: made.location = .constant(~number)
    case .plus, .not: break
    }
    return made
  }

  /// The value of a condition that is known before the run; nil for any other expression.
  private mutating func boolean(_ expression: Expression) -> Bool? {
    guard let made = value(expression, .boolean) else { return nil }
    let test = converted(made, to: .boolean, expression.range)
    return test.type == .boolean ? test.constant.map { $0 != 0 } : nil
  }

  private mutating func infix(
    _ operation: Expression.InfixOperator, _ sides: Expression.Sides, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    switch operation {
    case .and, .or:
      guard let left = boolean(sides.left), let right = boolean(sides.right) else { return nil }
      return .constant((operation == .and ? left && right : left || right) ? 1 : 0, .boolean)
    case .plusMinus: return checker.refuse(Messages.strayTolerance, sides.operatorRange)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .identical,
      .notIdentical:
      return comparison(operation, sides)
    case .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr,
      .bitXor:
      return arithmetic(operation, sides, expecting, range)
    }
  }

  private mutating func arithmetic(
    _ operation: Expression.InfixOperator, _ sides: Expression.Sides, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    let isProduct = operation == .multiply
    let hint: ValueType? = !isProduct && expecting?.unwrapped == .decimal ? .decimal : nil
    guard var left = value(sides.left, hint) else { return nil }
    let rightHint: ValueType? = !isProduct && left.type == .decimal ? .decimal : nil
    guard let right = value(sides.right, rightHint) else { return nil }
    guard left.type != .unknown, right.type != .unknown, let b = right.constant else {
      return .unknown
    }
    if left.isLiteral, !isProduct, right.type == .decimal, let number = left.constant {
      left = decimal(number, sides.left.range)
    }
    guard let a = left.constant else { return .unknown }
    guard let rule = ArithmeticRule.rule(operation, left.type, right.type) else {
      return checker.refuseBareSum(
        operation, left, right, sides.left.range, sides.right.range)
        ?? checker.refuse(
          Messages.noOperator(operation.rawValue, "\(left.type)", "\(right.type)"),
          sides.operatorRange)
    }
    if rule.code == .join {
      return .constant(Int64(intern(text(of: a) + text(of: b)).index), .string)
    }
    if let bound = rule.code.excess(a, b, rule.result) {
      return checker.refuse(SyntaxMessage.numberTooLarge(source.text(in: range), bound), range)
    }
    guard let folded = rule.code.folded(a, b) else { return nil }
    var result = Operand.constant(folded, rule.result)
    result.isLiteral = left.isLiteral && right.isLiteral
    return result
  }

  private mutating func comparison(
    _ operation: Expression.InfixOperator, _ sides: Expression.Sides
  ) -> Operand? {
    var left: Operand?
    if case .implicitMember = sides.left.kind {} else { left = value(sides.left, nil) }
    guard let right = value(sides.right, left?.type) else { return nil }
    guard let left = left ?? value(sides.left, right.type) else { return nil }
    if left.type == .unknown || right.type == .unknown { return .unknown }
    guard let a = left.constant, let b = right.constant else { return nil }
    let isText = left.type == .string && right.type == .string
    guard left.type.accepts(right.type) || right.type.accepts(left.type) else {
      return checker.refuse(
        Messages.noOperator(operation.rawValue, "\(left.type)", "\(right.type)"),
        sides.operatorRange)
    }
    let order = isText ? (text(of: a) < text(of: b), text(of: b) < text(of: a)) : (a < b, b < a)
    let truth: Bool? =
      switch operation {
      case .equal: a == b
      case .notEqual: a != b
      case .less: order.0
      case .greater: order.1
      case .lessOrEqual: !order.1
      case .greaterOrEqual: !order.0
      case .identical, .notIdentical, .and, .or, .plusMinus, .add, .subtract, .multiply, .divide,
        .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor:
        nil
      }
    return truth.map { .constant($0 ? 1 : 0, .boolean) }
  }

  // MARK: Types

  /// A value as one of a type; reports what cannot be one.
  mutating func converted(
    _ operand: Operand, to type: ValueType, _ range: SourceRange
  ) -> Operand {
    if type.accepts(operand.type) {
      var result = operand
      if !type.isUnknown && !operand.type.isUnknown { result.type = type }
      if type != .integer { result.isLiteral = false }
      return result
    }
    if operand.isLiteral, type.unwrapped == .decimal, let number = operand.constant {
      return decimal(number, range)
    }
    if let message = checker.missingUnit(operand, type, range) {
      return checker.refuse(message, range)
    }
    return checker.refuse(
      Messages.mismatch(expected: "\(type)", found: "\(operand.type)"), range)
  }
}

/// The functions that settings may call: those of values alone.
enum ConstantFunction {
  /// The result of the function of this name; nil if no function takes such values.
  static func value(_ name: String?, _ values: [Operand]) -> Operand? {
    guard let name, let first = values.first, let number = first.constant else { return nil }
    switch (name, values.count) {
    case ("seconds", 1): return length(number, first.type, unit: 1_000_000_000)
    case ("milliseconds", 1): return length(number, first.type, unit: 1_000_000)
    case ("microseconds", 1): return length(number, first.type, unit: 1_000)
    case ("nanoseconds", 1): return length(number, first.type, unit: 1)
    case ("Int", 1) where first.type == .integer: return .constant(number, .integer)
    case ("Int", 1) where first.type == .decimal:
      return .constant(number / FixedDecimal.scale, .integer)
    case ("Double", 1) where first.type == .decimal: return .constant(number, .decimal)
    case ("Double", 1) where first.type == .integer:
      let (product, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
      return overflow ? nil : .constant(product, .decimal)
    case ("min", 2...), ("max", 2...):
      let numbers = values.compactMap(\.constant)
      guard numbers.count == values.count, values.allSatisfy({ $0.type == first.type }),
        let least = numbers.min(), let most = numbers.max()
      else { return nil }
      return .constant(name == "min" ? least : most, first.type)
    case ("abs", 1): return number == .min ? nil : .constant(abs(number), first.type)
    default: return nil
    }
  }

  private static func length(_ number: Int64, _ type: ValueType, unit: Int64) -> Operand? {
    switch type {
    case .integer:
      let (product, overflow) = number.multipliedReportingOverflow(by: unit)
      return overflow ? nil : .constant(product, .duration)
    case .decimal:
      return ArithmeticRule.Code.scale.folded(unit, number).map { .constant($0, .duration) }
    default: return nil
    }
  }
}
