import SpindleModel

/// Operators.
extension Lowering {
  mutating func prefix(
    _ operation: Expression.PrefixOperator, _ inner: Expression, _ expecting: ValueType?,
    target: Register?, _ range: SourceRange
  ) -> Operand {
    if operation == .not {
      let made = coerce(value(inner, expecting: .boolean), to: .boolean, inner.range)
      if let constant = made.constant { return .constant(constant == 0 ? 1 : 0, .boolean) }
      let from = register(of: made, range)
      let result = target ?? frame.allocate()
      emit(.not(result, from), range)
      return .register(result, .boolean)
    }
    if operation == .invert { return inverted(inner, target: target, range) }
    let made = unwrap(value(inner, expecting: expecting), inner.range)
    switch made.type {
    case .unknown: return .unknown
    case .integer, .duration, .size, .decimal: break
    case .boolean, .instant, .string, .symbol, .options, .choice, .handle, .generic, .instance,
      .optionalOf,
      .arrayOf, .dictionaryOf, .setOf,
      .functionOf, .void, .null:
      return refuse(Messages.noOperator(operation.rawValue, "\(made.type)"), range)
    }
    guard operation == .minus else { return made }
    if let constant = made.constant, constant != Int64.min {
      var result = Operand.constant(-constant, made.type)
      result.isLiteral = made.isLiteral
      return result
    }
    let from = register(of: made, range)
    let result = target ?? frame.allocate()
    emit(.negate(result, from), range)
    return .register(result, made.type)
  }

  /// `~a`: all bits turned over.
  private mutating func inverted(
    _ inner: Expression, target: Register?, _ range: SourceRange
  ) -> Operand {
    let made = unwrap(value(inner, expecting: .integer), inner.range)
    guard made.type == .integer else {
      return made.type.isUnknown
        ? .unknown : refuse(Messages.noOperator("~", "\(made.type)"), range)
    }
    let all = Operand.constant(-1, .integer)
    return arithmetic(.bitXor, made, all, range, target: target, range)
  }

  mutating func infix(
    _ operation: Expression.InfixOperator, _ left: Expression, _ right: Expression,
    _ place: SourceRange, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    switch operation {
    case .and, .or:
      return logical(left, right, stop: operation == .or, target: target, range)
    case .plusMinus:
      return refuse(Messages.strayTolerance, place)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .identical,
      .notIdentical:
      guard let pair = comparison(operation, left, right, place) else {
        return Operand(type: .boolean, location: .register(target ?? frame.allocate()))
      }
      return emitComparison(pair, target: target, range)
    case .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr,
      .bitXor:
      let (first, second) = pair(left, right, operation, expecting)
      if first.type != second.type,
        let refused = checker.refuseBareSum(operation, first, second, left.range, right.range)
      {
        return refused
      }
      return arithmetic(operation, first, second, place, target: target, range)
    }
  }

  private mutating func logical(
    _ left: Expression, _ right: Expression, stop: Bool, target: Register?, _ range: SourceRange
  ) -> Operand {
    let result = target ?? frame.allocate()
    let made = value(left, expecting: .boolean, target: target)
    let first = coerce(made, to: .boolean, left.range)
    if let constant = first.constant {
      let wasReachable = frame.isReachable
      if (constant != 0) == stop { frame.isReachable = false }
      let second = coerce(value(right, expecting: .boolean), to: .boolean, right.range)
      frame.isReachable = wasReachable
      return (constant != 0) == stop ? first : second
    }
    self.place(first, in: result, left.range)
    let end = frame.label()
    let to = frame.target(end)
    emit(stop ? .jumpIf(result, to) : .jumpUnless(result, to), range)
    let second = value(right, expecting: .boolean, target: target)
    self.place(coerce(second, to: .boolean, right.range), in: result, right.range)
    frame.mark(end)
    return .register(result, .boolean)
  }

  /// Both sides of an operator, the left one first and safe from what the right one does.
  private mutating func pair(
    _ left: Expression, _ right: Expression, _ operation: Expression.InfixOperator,
    _ expecting: ValueType?
  ) -> (Operand, Operand) {
    let isProduct = operation == .multiply
    let hint: ValueType? = !isProduct && expecting?.unwrapped == .decimal ? .decimal : nil
    var first = unwrap(value(left, expecting: hint), left.range)
    if !isSimple(right) && !isQuiet(right) { first = steady(first, left) }
    let rightHint: ValueType? = !isProduct && first.type == .decimal ? .decimal : nil
    let second = unwrap(value(right, expecting: rightHint), right.range)
    if first.isLiteral, !isProduct, second.type == .decimal, let number = first.constant {
      first = decimal(number, left.range)
    }
    return (first, second)
  }

  /// Joins two values.
  mutating func arithmetic(
    _ operation: Expression.InfixOperator, _ left: Operand, _ right: Operand, _ place: SourceRange,
    target: Register?, _ range: SourceRange
  ) -> Operand {
    guard left.type != .unknown, right.type != .unknown else { return .unknown }
    if operation == .add, left.type.isArray {
      let (first, second) = (ofOneType(left, right.type, range), ofOneType(right, left.type, range))
      if let made = joinedArrays(first, second, range) { return made }
    }
    guard let rule = ArithmeticRule.rule(operation, left.type, right.type) else {
      var message = Messages.noOperator(operation.rawValue, "\(left.type)", "\(right.type)")
      if left.type == .boolean, right.type == .boolean, operation == .bitAnd || operation == .bitOr
      {
        message += "; did you mean '\(operation.rawValue)\(operation.rawValue)'?"
      }
      return refuse(message, place)
    }
    if let a = left.constant, let b = right.constant {
      if rule.code == .join {
        let text = names[Int(a)] + names[Int(b)]
        return .constant(Int64(intern(text).index), .string)
      }
      if let bound = rule.code.excess(a, b, rule.result) {
        return refuse(SyntaxMessage.numberTooLarge(source.text(in: range), bound), range)
      }
      if let folded = rule.code.folded(a, b) {
        var result = Operand.constant(folded, rule.result)
        result.isLiteral = left.isLiteral && right.isLiteral
        return result
      }
    }
    let (a, b) = (register(of: left, range), register(of: right, range))
    let result = target ?? frame.allocate()
    if rule.result == .decimal { program.decimals.insert(range) }
    emit(rule, result, a, b, range)
    return .register(result, rule.result)
  }

  private mutating func emit(
    _ rule: ArithmeticRule, _ result: Register, _ a: Register, _ b: Register, _ range: SourceRange
  ) {
    switch rule.code {
    case .add: emit(.add(result, a, b), range)
    case .subtract: emit(.subtract(result, a, b), range)
    case .multiply: emit(.multiply(result, a, b), range)
    case .divide: emit(.divide(result, a, b), range)
    case .remainder: emit(.remainder(result, a, b), range)
    case .shiftLeft: emit(.shiftLeft(result, a, by: b), range)
    case .shiftRight: emit(.shiftRight(result, a, by: b), range)
    case .bitAnd: emit(.bitAnd(result, a, b), range)
    case .bitOr: emit(.bitOr(result, a, b), range)
    case .bitXor: emit(.bitXor(result, a, b), range)
    case .scale: emit(.scale(result, a, by: b), range)
    case .scaleRight: emit(.scale(result, b, by: a), range)
    case .unscale: emit(.unscale(result, a, by: b), range)
    case .ratio: emit(.ratio(result, a, b), range)
    case .advance: emit(.advance(result, a, by: b), range)
    case .advanceRight: emit(.advance(result, b, by: a), range)
    case .retreat:
      let opposite = frame.allocate()
      emit(.negate(opposite, b), range)
      emit(.advance(result, a, by: opposite), range)
    case .join:
      emit(.textBegin, range)
      emit(.textValue(a, .string), range)
      emit(.textValue(b, .string), range)
      emit(.textEnd(result), range)
    }
  }

  // MARK: Comparisons

  /// Both sides of a comparison, checked; nil when it was refused.
  mutating func comparison(
    _ operation: Expression.InfixOperator, _ left: Expression, _ right: Expression,
    _ place: SourceRange
  ) -> ComparisonPair? {
    var (first, second): (Operand, Operand)
    if case .implicitMember = left.kind {
      second = value(right)
      first = value(left, expecting: second.type)
    } else {
      first = value(left, expecting: right.isNil ? presence(of: left) : nil)
      if !isSimple(right) && !isQuiet(right) { first = steady(first, left) }
      second = value(right, expecting: left.isNil ? presence(of: right) : first.type)
    }
    if first.isLiteral, let number = first.constant, second.type.unwrapped == .decimal {
      first = decimal(number, left.range)
    }
    if second.type == .null { first = optional(first, left) }
    guard first.type != .unknown, second.type != .unknown else { return nil }
    if first.type.unwrapped == .symbol(.mode), second.type == .string {
      second = mode(named: second, right.range)
    } else if second.type.unwrapped == .symbol(.mode), first.type == .string {
      first = mode(named: first, left.range)
    }
    if operation.needsOrder {
      first = unwrap(first, left.range)
      second = unwrap(second, right.range)
      if first.type == .symbol(.taskPriority), second.type == first.type {
        first = rawValue(ofPriority: first, left.range)
        second = rawValue(ofPriority: second, right.range)
      }
    }
    if let made = collectionsAreEqual(first, second, operation, place) { return made }
    guard isComparable(first, second, operation, left, right, place) else { return nil }
    if operation.needsOrder, first.type == .string {
      return textOrder(operation, first, second, place)
    }
    return ordered(operation, first, second)
  }

  private mutating func isComparable(
    _ first: Operand, _ second: Operand, _ operation: Expression.InfixOperator,
    _ left: Expression, _ right: Expression, _ place: SourceRange
  ) -> Bool {
    let (a, b) = (first.type, second.type)
    for (type, value, number) in [(a, second, right), (b, first, left)] {
      guard let message = checker.missingUnit(value, type, number.range) else { continue }
      error(message, number.range)
      return false
    }
    let isSame = operation == .identical || operation == .notIdentical
    if !isNilTest(a, b), a.className != nil, b.className != nil, !operation.needsOrder,
      let message = inequality(a.unwrapped, isSame: isSame)
    {
      error(message, place)
      return false
    }
    let fits =
      (a.accepts(b) || b.accepts(a) || a.unwrapped.accepts(b.unwrapped) || isNilTest(a, b)
        || isSame && mayBeSame(a, b))
      && (isNilTest(a, b) || !a.isCollection && !b.isCollection && !a.isFunction && !b.isFunction)
      && a != .void
      && (!operation.needsOrder || a.isOrdered && b.isOrdered || a == .string && b == .string)
      && (!isSame || a.hasIdentity || a == .null)
    guard !fits else { return true }
    if operation.needsOrder, checker.unordered.contains("\(a.unwrapped)") { return false }
    error(Messages.noOperator(operation.rawValue, "\(a)", "\(b)"), place)
    return false
  }

  /// Why two instances of a type can't be compared so; nil where they can.
  func inequality(_ type: ValueType, isSame: Bool) -> String? {
    if let index = structure(of: type) {
      let name = checker.classes[index].name.text
      return isSame
        ? Messages.structIdentity(name)
        : Messages.structEquality(name, isSaid: checker.classes[index].isEquatable)
    }
    if isSame { return nil }
    return payloads(of: type).map { Messages.payloadEquality(checker.classes[$0].name.text) }
      ?? Messages.instanceEquality
  }

  /// Whether an object of any class may be the other one.
  private func mayBeSame(_ a: ValueType, _ b: ValueType) -> Bool {
    a.className != nil && b.className != nil && (a.unwrapped.isAnyObject || b.unwrapped.isAnyObject)
  }

  private func isNilTest(_ a: ValueType, _ b: ValueType) -> Bool {
    if case .optionalOf = a { return b == .null }
    if case .optionalOf = b { return a == .null }
    return a == .null && b == .null
  }

  private func ordered(
    _ operation: Expression.InfixOperator, _ left: Operand, _ right: Operand
  ) -> ComparisonPair {
    switch operation {
    case .equal, .identical:
      ComparisonPair(left: left, right: right, code: .equal, isSwapped: false)
    case .less: ComparisonPair(left: left, right: right, code: .less, isSwapped: false)
    case .lessOrEqual:
      ComparisonPair(left: left, right: right, code: .lessOrEqual, isSwapped: false)
    case .greater: ComparisonPair(left: right, right: left, code: .less, isSwapped: true)
    case .greaterOrEqual:
      ComparisonPair(left: right, right: left, code: .lessOrEqual, isSwapped: true)
    case .notEqual, .notIdentical:
      ComparisonPair(left: left, right: right, code: .notEqual, isSwapped: false)
    case .or, .and, .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight,
      .bitAnd, .bitOr, .bitXor, .plusMinus:
      preconditionFailure("only comparisons compare")
    }
  }

  /// The truth of a comparison.
  mutating func emitComparison(
    _ pair: ComparisonPair, target: Register?, _ range: SourceRange
  ) -> Operand {
    if let folded = pair.folded { return .constant(folded ? 1 : 0, .boolean) }
    let (a, b) = (register(of: pair.left, range), register(of: pair.right, range))
    let result = target ?? frame.allocate()
    switch pair.code {
    case .equal: emit(.equal(result, a, b), range)
    case .notEqual: emit(.notEqual(result, a, b), range)
    case .less: emit(.less(result, a, b), range)
    case .lessOrEqual: emit(.lessOrEqual(result, a, b), range)
    }
    return .register(result, .boolean)
  }
}
