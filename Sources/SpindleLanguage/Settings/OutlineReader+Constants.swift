import SpindleModel

/// Values that are known before the run.
extension OutlineReader {
  /// The value of an expression; `.unknown` where a mistake is reported, nil where only the run knows it.
  mutating func value(_ expression: Grammar.Expression, _ expecting: ValueType?) -> Operand? {
    let range = expression.range
    switch expression.kind {
    case .integer(let number): return integer(number, expecting, range)
    case .decimal(let billionths): return .constant(billionths, .decimal)
    case .duration(let length): return .constant(length, .duration)
    case .size(let size): return .constant(size, .size)
    case .percent: return refuse(Messages.strayPercent, range)
    case .string(let segments): return text(segments)
    case .boolean(let truth): return .constant(truth ? 1 : 0, .boolean)
    case .nil: return .constant(noValue, .null)
    case .name(let name, _): return named(name, range)
    case .implicitMember(let name): return member(name.text, expecting, range)
    case .array(let elements): return options(elements, expecting)
    case .member(let base, let name, _): return member(name, of: base, expecting, range)
    case .call(let made): return call(made)
    case .prefix(let sign, let inner): return prefix(sign, inner, expecting, range)
    case .binary: return expression.sides.flatMap { infix($0, expecting, range) }
    case .ternary(let condition, let first, let second):
      guard let test = boolean(condition) else { return nil }
      return value(test ? first : second, expecting)
    case .range: return refuse(Messages.strayRange, range)
    case .missing: return .unknown
    case .dictionary, .tuple, .compound, .subscripted, .closure, .forced, .questioned, .chain,
      .attempt, .await, .cast, .reference, .keyPath, .choice, .type, .discard, .foreign:
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
    if overflow { return refuse(Messages.decimalTooLarge, range) }
    return .constant(billionths, .decimal)
  }

  private mutating func text(_ segments: [Grammar.Segment]) -> Operand? {
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let part): text += part
      case .value(let expression):
        guard let made = value(expression, nil), let constant = made.constant else { return nil }
        if made.type == .unknown { return .unknown }
        text += written(constant, made.type)
      }
    }
    return .constant(Int64(intern(text).index), .string)
  }

  private mutating func named(_ name: String, _ range: SourceRange) -> Operand? {
    guard let number = find(name) else {
      if vocabulary.free.property(name) != nil { return nil }
      return unknownName(name, range)
    }
    names.use(number)
    if names[number].type == .unknown { return .unknown }
    return names[number].constant.map { .constant($0, names[number].type) }
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
    return refuse(
      Messages.unknownMember(name, of: family.rawValue, nearest: near, family.members), range)
  }

  /// `DispatchQoS.utility`.
  private mutating func member(
    _ name: Grammar.Name, of base: Grammar.Expression, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand? {
    guard case .name(let owner, _) = base.kind, find(owner) == nil else { return nil }
    return member(name.text, expecting, range)
  }

  private mutating func options(
    _ elements: [Grammar.Expression], _ expecting: ValueType?
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
  private mutating func call(_ call: Grammar.Call) -> Operand? {
    var name: String?
    switch call.callee.kind {
    case .name(let word, _): name = word
    case .implicitMember(let word), .member(_, let word, _): name = word.text
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
    _ sign: Grammar.Name, _ inner: Grammar.Expression, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    if sign.text == "!" {
      return boolean(inner).map { .constant($0 ? 0 : 1, .boolean) }
    }
    guard var made = value(inner, expecting), made.type != .unknown, let number = made.constant
    else { return .unknown }
    let isNumber = [.integer, .duration, .size, .decimal].contains(made.type)
    guard isNumber, sign.text != "~" || made.type == .integer else {
      return refuse(Messages.noOperator(sign.text, "\(made.type)"), range)
    }
    switch sign.text {
    case "-": made.location = .constant(number == .min ? number : -number)
    case "~": made.location = .constant(~number)
    default: break
    }
    return made
  }

  /// The value of a condition that is known before the run; nil for any other expression.
  private mutating func boolean(_ expression: Grammar.Expression) -> Bool? {
    guard let made = value(expression, .boolean) else { return nil }
    let test = converted(made, to: .boolean, expression.range)
    return test.type == .boolean ? test.constant.map { $0 != 0 } : nil
  }

  private mutating func infix(
    _ sides: Sides, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    switch sides.operation {
    case .and, .or:
      guard let left = boolean(sides.left), let right = boolean(sides.right) else { return nil }
      return .constant((sides.operation == .and ? left && right : left || right) ? 1 : 0, .boolean)
    case .plusMinus: return refuse(Messages.strayTolerance, sides.sign)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .identical,
      .notIdentical:
      return comparison(sides)
    case .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr,
      .bitXor:
      return arithmetic(sides, expecting, range)
    }
  }

  private mutating func arithmetic(
    _ sides: Sides, _ expecting: ValueType?,
    _ range: SourceRange
  ) -> Operand? {
    let operation = sides.operation
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
      return refuseBareSum(
        operation, left, right, sides.left.range, sides.right.range)
        ?? refuse(
          Messages.noOperator(operation.rawValue, "\(left.type)", "\(right.type)"),
          sides.sign)
    }
    if rule.code == .join {
      return .constant(Int64(intern(text(of: a) + text(of: b)).index), .string)
    }
    if let bound = rule.code.excess(a, b, rule.result) {
      return refuse(SyntaxMessage.numberTooLarge(source.text(in: range), bound), range)
    }
    guard let folded = rule.code.folded(a, b) else { return nil }
    var result = Operand.constant(folded, rule.result)
    result.isLiteral = left.isLiteral && right.isLiteral
    return result
  }

  private mutating func comparison(
    _ sides: Sides
  ) -> Operand? {
    var left: Operand?
    if case .implicitMember = sides.left.kind {} else { left = value(sides.left, nil) }
    guard let right = value(sides.right, left?.type) else { return nil }
    guard let left = left ?? value(sides.left, right.type) else { return nil }
    if left.type == .unknown || right.type == .unknown { return .unknown }
    guard let a = left.constant, let b = right.constant else { return nil }
    let isText = left.type == .string && right.type == .string
    guard left.type.accepts(right.type) || right.type.accepts(left.type) else {
      return refuse(
        Messages.noOperator(sides.operation.rawValue, "\(left.type)", "\(right.type)"),
        sides.sign)
    }
    let order = isText ? (text(of: a) < text(of: b), text(of: b) < text(of: a)) : (a < b, b < a)
    let truth: Bool? =
      switch sides.operation {
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
    if let message = missingUnit(operand, type, range) {
      return refuse(message, range)
    }
    return refuse(
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
