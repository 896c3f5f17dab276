import SpindleModel

/// What must hold at the end: `expect { }` to terms.
extension Lowering {
  /// A term with the type of its value.
  struct TypedTerm {
    var term: ExpectationTerm
    var type: Vocabulary.MeasureType
    /// Whether it is a number without a unit, which may still become a decimal.
    var isLiteral = false
  }

  /// Lowers all `expect` blocks; a trace that does not speak of its outcome expects `.finished`.
  mutating func lowerExpectations(_ blocks: [CodeBlock], end: SourceRange) {
    let mark = scope.count
    let platform = arena.words.word("platform")
    if scope.findAtTop(platform) == nil {
      scope.declare(
        Symbol(
          name: platform,
          meaning: .constant(Int64(intern(program.machine.platform.rawValue).index)),
          type: .symbol(.platform), place: SourceRange(0, 0), frame: -1))
    }
    for block in blocks { lowerExpectations(block, isTaken: true) }
    scope.close(downTo: mark)
    guard !speaksOfOutcome else { return }
    let finished = ExpectationTerm.compare(
      .equal, .measure(.outcome), .value(.symbol(Outcome.Kind.finished.name)), nil)
    program.expectations.append(
      Expectation(condition: finished, place: blocks.first?.range ?? end))
  }

  private mutating func lowerExpectations(_ block: CodeBlock, isTaken: Bool) {
    for statement in block.statements {
      switch statement.kind {
      case .expression(let expression):
        guard let made = term(expression) else {
          refuseLost(expression)
          continue
        }
        guard made.type == .plain(.boolean) || made.type == .plain(.unknown) else {
          error(Messages.notAnExpectation, expression.range)
          continue
        }
        guard isTaken else { continue }
        program.expectations.append(Expectation(condition: made.term, place: expression.range))
        if speaks(made.term) { speaksOfOutcome = true }
      case .if(let choice):
        var isOpen = isTaken
        for branch in choice.branches {
          let known = parameterCondition(branch.condition)
          if known == nil { refuseLost(branch.condition) }
          let truth = known ?? 0
          lowerExpectations(branch.body, isTaken: isOpen && truth != 0)
          isOpen = isOpen && truth == 0
        }
        if let otherwise = choice.otherwise { lowerExpectations(otherwise, isTaken: isOpen) }
      case .binding(let binding):
        error(Messages.notAnExpectation, statement.range)
        declareAtTop(binding.value.name, .constant(0), .unknown)
      case .missing: break
      case .assignment(let assignment) where assignment.operation == nil:
        let (left, right) = (assignment.target.range, assignment.assigned.range)
        let between = SourceRange(Int(left.upperBound), Int(right.lowerBound))
        let sign = source.text(in: between).utf8.prefix { $0 != UInt8(ascii: "=") }.count
        let start = Int(between.lowerBound) + sign
        error(Messages.assignedExpectation, SourceRange(start, start + 1))
      default: error(Messages.notAnExpectation, statement.range)
      }
    }
  }

  /// The value of a condition over parameters and the platform; nil when it was refused.
  private mutating func parameterCondition(_ condition: Expression) -> Int64? {
    guard let measure = measure(in: condition) else {
      return constant(condition, .boolean)?.constant
    }
    error(Messages.conditionOfRun, measure.range)
    return nil
  }

  /// The first name of a measure in a condition; nil when it has none.
  private func measure(in expression: Expression) -> Expression? {
    switch expression.kind {
    case .name(let name):
      find(name) == nil && Vocabulary.measureWords.contains(name.text) ? expression : nil
    case .member(let member): measure(in: member.base)
    case .prefix(_, let inner): measure(in: inner)
    case .infix(_, let sides): measure(in: sides.left) ?? measure(in: sides.right)
    case .call(let call): measure(in: call.callee)
    default: nil
    }
  }

  /// Refuses what came to nothing while nothing was said of it: an expectation never vanishes.
  private mutating func refuseLost(_ expression: Expression) {
    if case .missing = expression.kind { return }
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    error(Messages.notAnExpectation, expression.range)
  }

  private func speaks(_ term: ExpectationTerm) -> Bool {
    switch term {
    case .measure(.outcome): true
    case .value, .measure: false
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      speaks(left) || speaks(right)
    case .not(let inner): speaks(inner)
    }
  }

  // MARK: Terms

  /// The term of an expression; nil when it was refused.
  mutating func term(_ expression: Expression, expecting: ValueType? = nil) -> TypedTerm? {
    let range = expression.range
    switch expression.kind {
    case .infix(.and, let sides), .infix(.or, let sides):
      let first = truth(sides.left)
      guard let second = truth(sides.right), let first else { return nil }
      if case .infix(.and, _) = expression.kind {
        return TypedTerm(term: .and(first, second), type: .plain(.boolean))
      }
      return TypedTerm(term: .or(first, second), type: .plain(.boolean))
    case .prefix(.not, let inner):
      return truth(inner).map { TypedTerm(term: .not($0), type: .plain(.boolean)) }
    case .infix(.plusMinus, let sides):
      error(Messages.strayTolerance, sides.operatorRange)
      return nil
    case .infix(let operation, let sides):
      let (left, right, place) = (sides.left, sides.right, sides.operatorRange)
      if operation.isComparison { return comparisonTerm(operation, left, right, place) }
      return arithmeticTerm(operation, left, right, place)
    case .name(let name) where find(name) == nil:
      return measure(named: name.text, range)
    case .member(let member):
      return memberMeasure(member.base, member.name.text, member.nameRange)
    case .call(let call):
      if case .implicitMember = call.callee.kind { return constantTerm(expression, expecting) }
      return callMeasure(call)
    case .missing: return nil
    default: return constantTerm(expression, expecting)
    }
  }

  private mutating func truth(_ expression: Expression) -> ExpectationTerm? {
    guard let made = term(expression, expecting: .boolean) else { return nil }
    guard made.type == .plain(.boolean) || made.type == .plain(.unknown) else {
      error(Messages.notAnExpectation, expression.range)
      return nil
    }
    return made.term
  }

  private mutating func constantTerm(
    _ expression: Expression, _ expecting: ValueType?
  ) -> TypedTerm? {
    var hint = expecting
    if expecting == .instant { hint = nil }
    beginFrame(.anywhere, name: .none)
    frame.isReachable = false
    let made = value(expression, expecting: hint)
    abandonFrame()
    guard made.type != .unknown else { return nil }
    guard let constant = made.constant else {
      error(Messages.notConstant, expression.range)
      return nil
    }
    return TypedTerm(
      term: .value(expectationValue(constant, made.type)), type: .plain(made.type),
      isLiteral: made.isLiteral)
  }

  /// A constant of the program as one of an expectation.
  func expectationValue(_ value: Int64, _ type: ValueType) -> ExpectationValue {
    if value == noValue { return .none }
    return switch type.format {
    case .boolean: .boolean(value != 0)
    case .duration, .instant: .duration(Nanoseconds(value))
    case .size: .size(ByteCount(value))
    case .decimal: .decimal(FixedDecimal(billionths: value))
    case .string: .string(program.names[Int(value)])
    case .symbol: .symbol(program.names[Int(value)])
    case .integer, .thread, .object, .array: .integer(value)
    }
  }

  private mutating func arithmeticTerm(
    _ operation: Expression.InfixOperator, _ left: Expression, _ right: Expression,
    _ place: SourceRange
  ) -> TypedTerm? {
    guard var first = term(left), let second = term(right) else { return nil }
    guard case .plain(var a) = first.type, case .plain(let b) = second.type else {
      error(Messages.wholeComparison, place)
      return nil
    }
    var other = second
    promote(&first, &other)
    if case .plain(let promoted) = first.type { a = promoted }
    guard case .plain(let c) = other.type, b != .unknown, a != .unknown else { return nil }
    guard let rule = ArithmeticRule.rule(operation, a, c),
      let joined = ExpectationTerm.Arithmetic(rawValue: operation.rawValue), rule.code != .join
    else {
      error(Messages.noOperator(operation.rawValue, "\(a)", "\(c)"), place)
      return nil
    }
    let made = ExpectationTerm.arithmetic(joined, first.term, other.term)
    let isLiteral = first.isLiteral && other.isLiteral
    return TypedTerm(
      term: folded(rule, first.term, other.term, a, c) ?? made, type: .plain(rule.result),
      isLiteral: isLiteral)
  }

  /// The result of joining two constants; nil when one is not known before the run.
  private func folded(
    _ rule: ArithmeticRule, _ left: ExpectationTerm, _ right: ExpectationTerm, _ a: ValueType,
    _ b: ValueType
  ) -> ExpectationTerm? {
    guard case .value(let first) = left, case .value(let second) = right,
      let one = bits(first), let two = bits(second), let result = rule.code.folded(one, two)
    else { return nil }
    return .value(expectationValue(result, rule.result))
  }

  private func bits(_ value: ExpectationValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .duration(let length): length.rawValue
    case .size(let size): size.rawValue
    case .decimal(let number): number.billionths
    default: nil
    }
  }

  /// Makes a whole number a decimal where the other side is one.
  private func promote(_ first: inout TypedTerm, _ second: inout TypedTerm) {
    for isFirst in [true, false] {
      let (literal, other) = isFirst ? (first, second) : (second, first)
      guard literal.isLiteral, other.type == .plain(.decimal),
        case .value(.integer(let number)) = literal.term
      else { continue }
      let (billionths, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
      guard !overflow else { continue }
      let decimal = TypedTerm(
        term: .value(.decimal(FixedDecimal(billionths: billionths))), type: .plain(.decimal))
      if isFirst { first = decimal } else { second = decimal }
    }
  }

  // MARK: Comparisons

  private mutating func comparisonTerm(
    _ operation: Expression.InfixOperator, _ left: Expression, _ right: Expression,
    _ place: SourceRange
  ) -> TypedTerm? {
    guard let comparison = ExpectationTerm.Comparison(rawValue: operation.rawValue) else {
      error(Messages.identityInExpectation, place)
      return nil
    }
    if let whole = wholeComparison(comparison, left, right, place) { return whole.term }
    let (expected, tolerance) = splitTolerance(right)
    var (first, second): (TypedTerm?, TypedTerm?)
    if case .implicitMember = left.kind {
      second = term(expected)
      if case .plain(let type) = second?.type { first = term(left, expecting: type) }
    } else {
      first = term(left)
      guard case .plain(let type) = first?.type else { return nil }
      second = term(expected, expecting: type)
    }
    guard var a = first, var b = second else { return nil }
    promote(&a, &b)
    guard case .plain(let one) = a.type, case .plain(let two) = b.type else { return nil }
    for (literal, type, range) in [(b, one, expected.range), (a, two, left.range)]
    where literal.isLiteral {
      var bare = Operand.constant(0, .integer)
      bare.isLiteral = true
      guard let message = missingUnit(bare, type, range) else { continue }
      error(message, range)
      return nil
    }
    let fits =
      (one.accepts(two) || two.accepts(one) || one.unwrapped.accepts(two.unwrapped)
        || two == .null)
      && (!operation.needsOrder || one.unwrapped.isOrdered && two.unwrapped.isOrdered)
    guard fits else {
      error(Messages.noOperator(operation.rawValue, "\(one)", "\(two)"), place)
      return nil
    }
    var allowed: ExpectationTerm.Tolerance?
    if let tolerance {
      guard let made = self.tolerance(tolerance, operation, one) else { return nil }
      allowed = made
    }
    return TypedTerm(
      term: .compare(comparison, a.term, b.term, allowed), type: .plain(.boolean))
  }

  private func splitTolerance(_ expression: Expression) -> (Expression, Expression?) {
    guard case .infix(.plusMinus, let sides) = expression.kind else {
      return (expression, nil)
    }
    return (sides.left, sides.right)
  }

  private mutating func tolerance(
    _ expression: Expression, _ operation: Expression.InfixOperator, _ type: ValueType
  ) -> ExpectationTerm.Tolerance? {
    guard operation == .equal || operation == .notEqual else {
      error(Messages.toleranceOperator, expression.range)
      return nil
    }
    if case .percent(let percent) = expression.kind {
      if percent.billionths < 0 { error(Messages.negative("a tolerance"), expression.range) }
      return .percent(percent)
    }
    let unit: ValueType = type == .instant ? .duration : type.unwrapped
    guard unit.isOrdered else {
      error(Messages.toleranceOperator, expression.range)
      return nil
    }
    guard let value = constant(expression, unit)?.constant else { return nil }
    if value < 0 { error(Messages.negative("a tolerance"), expression.range) }
    return .absolute(value)
  }
}
