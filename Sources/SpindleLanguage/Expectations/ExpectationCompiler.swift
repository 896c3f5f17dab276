import SpindleModel

/// What must hold at the end: `expect { }` to terms.
///
/// It runs when all code is made, and makes none: it reads names, constants and what there is to ask for.
struct ExpectationCompiler {
  private var expectations: [Expectation] = []
  /// Whether an expectation that counts is about the outcome.
  private var speaksOfOutcome = false
  /// The patterns of the kinds of work, once an expectation names one.
  var knownKinds: KindNames?
  /// What the program is known to do, or not to do, anywhere.
  var performed: [Primitive: Bool] = [:]

  /// The expectations of all `expect` blocks, for a machine of this platform.
  ///
  /// A trace that does not speak of its outcome expects `.finished`; `end` is where that stands when
  /// there is no block.
  static func compile(
    _ blocks: [Grammar.Block], end: SourceRange, on platform: Platform,
    _ reader: inout OutlineReader
  ) -> [Expectation] {
    var compiler = ExpectationCompiler()
    naming(platform, &reader) { reader in
      for block in blocks { compiler.compile(block, isTaken: true, &reader) }
    }
    if !compiler.speaksOfOutcome {
      let finished = ExpectationTerm.compare(
        .equal, .measure(.outcome), .value(.symbol(Outcome.Kind.finished.name)), nil)
      compiler.expectations.append(
        Expectation(condition: finished, place: blocks.first?.range ?? end))
    }
    return compiler.expectations
  }

  /// Gives the machine's platform its name while `body` reads, unless the trace has that name.
  static func naming(
    _ platform: Platform, _ reader: inout OutlineReader, _ body: (inout OutlineReader) -> Void
  ) {
    let isFree = reader.find("platform") == nil
    if isFree {
      let value = Int64(reader.intern(platform.rawValue).index)
      reader.names.declare(
        OutlineName(
          name: "platform", constant: value, type: .symbol(.platform),
          place: SourceRange(0, 0)))
    }
    body(&reader)
    if isFree { reader.names.removeLast() }
  }

  /// A term with the type of its value.
  struct TypedTerm {
    var term: ExpectationTerm
    var type: Vocabulary.MeasureType
    /// Whether it is a number without a unit, which may still become a decimal.
    var isLiteral = false
  }

  mutating func compile(
    _ block: Grammar.Block, isTaken: Bool, _ reader: inout OutlineReader
  ) {
    for statement in block.statements {
      switch statement.kind {
      case .expression(let expression):
        guard let made = best(expression, &reader) ?? term(expression, &reader) else {
          refuseLost(expression, &reader)
          continue
        }
        guard made.type == .plain(.boolean) || made.type == .plain(.unknown) else {
          reader.error(Messages.notAnExpectation, expression.range)
          continue
        }
        guard isTaken else { continue }
        expectations.append(Expectation(condition: made.term, place: expression.range))
        if speaks(made.term) { speaksOfOutcome = true }
      case .if(let choice): compile(choice, isTaken: isTaken, &reader)
      case .missing: break
      case .assignment(let target, nil, let assigned):
        let (left, right) = (target.range, assigned.range)
        let between = SourceRange(Int(left.upperBound), Int(right.lowerBound))
        let sign = reader.source.text(in: between).utf8.prefix { $0 != UInt8(ascii: "=") }.count
        let start = Int(between.lowerBound) + sign
        reader.error(Messages.assignedExpectation, SourceRange(start, start + 1))
      case .declaration(let declaration):
        reader.error(Messages.notAnExpectation, statement.range)
        declareNames(of: declaration, &reader)
      case .assignment, .guard, .while, .repeatWhile, .forIn, .switch, .labelled,
        .break, .continue, .fallthrough, .return, .defer, .doCatch, .throw:
        reader.error(Messages.notAnExpectation, statement.range)
      }
    }
  }

  /// The value of a condition over parameters and the platform; nil when it was refused.
  mutating func parameterCondition(
    _ condition: Grammar.Expression, _ reader: inout OutlineReader
  ) -> Int64? {
    guard let measure = measure(in: condition, &reader) else {
      return reader.constant(condition, .boolean)?.constant
    }
    reader.error(Messages.conditionOfRun, measure.range)
    return nil
  }

  /// The first name of a measure in a condition; nil when it has none.
  private func measure(in expression: Grammar.Expression, _ reader: inout OutlineReader) -> Grammar
    .Expression?
  {
    switch expression.kind {
    case .name(let name, _):
      reader.find(name) == nil && Vocabulary.measureWords.contains(name) ? expression : nil
    case .member(let base, _, _): measure(in: base, &reader)
    case .prefix(_, let inner): measure(in: inner, &reader)
    case .binary(_, let left, let right): measure(in: left, &reader) ?? measure(in: right, &reader)
    case .call(let call): measure(in: call.callee, &reader)
    default: nil
    }
  }

  /// Refuses what came to nothing while nothing was said of it: an expectation never vanishes.
  mutating func refuseLost(_ expression: Grammar.Expression, _ reader: inout OutlineReader) {
    if case .missing = expression.kind { return }
    guard !reader.diagnosis.hasErrors else { return }
    reader.error(Messages.notAnExpectation, expression.range)
  }

  private func speaks(_ term: ExpectationTerm) -> Bool {
    switch term {
    case .measure(.outcome): true
    case .value, .measure: false
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      speaks(left) || speaks(right)
    case .not(let inner), .best(let inner, _, _): speaks(inner)
    }
  }

  // MARK: Terms

  /// The term of an expression; nil when it was refused.
  mutating func term(
    _ expression: Grammar.Expression, expecting: ValueType? = nil, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    let range = expression.range
    switch expression.kind {
    case .binary(let sign, let left, _) where sign.text == "??" && asks(left, reader):
      return term(left, &reader)
    case .binary:
      guard let sides = expression.sides else {
        return constantTerm(expression, expecting, &reader)
      }
      return term(sides, &reader)
    case .prefix(let sign, let inner) where sign.text == "!":
      return truth(inner, &reader).map { TypedTerm(term: .not($0), type: .plain(.boolean)) }
    case .name(let name, _) where reader.find(name) == nil:
      return measure(named: name, range, &reader)
    case .member(let base, let name, _):
      return memberMeasure(base, name.text, name.range, &reader)
    case .call(let call):
      if case .implicitMember = call.callee.kind {
        return constantTerm(expression, expecting, &reader)
      }
      return callMeasure(call, &reader)
    case .subscripted(let base, let arguments) where asks(base, reader):
      return refuseElement(base, arguments.first?.value ?? base, &reader)
    case .forced(let inner) where asks(inner, reader),
      .chain(let inner) where asks(inner, reader),
      .questioned(let inner) where asks(inner, reader):
      return term(inner, &reader)
    case .missing: return nil
    default: return constantTerm(expression, expecting, &reader)
    }
  }

  private mutating func term(_ sides: Sides, _ reader: inout OutlineReader) -> TypedTerm? {
    switch sides.operation {
    case .and, .or:
      let first = truth(sides.left, &reader)
      guard let second = truth(sides.right, &reader), let first else { return nil }
      return TypedTerm(
        term: sides.operation == .and ? .and(first, second) : .or(first, second),
        type: .plain(.boolean))
    case .plusMinus:
      reader.error(Messages.strayTolerance, sides.sign)
      return nil
    case let operation where operation.isComparison: return comparisonTerm(sides, &reader)
    default: return arithmeticTerm(sides, &reader)
    }
  }

  private mutating func truth(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> ExpectationTerm?
  {
    guard let made = term(expression, expecting: .boolean, &reader) else { return nil }
    guard made.type == .plain(.boolean) || made.type == .plain(.unknown) else {
      reader.error(Messages.notAnExpectation, expression.range)
      return nil
    }
    return made.term
  }

  private mutating func constantTerm(
    _ expression: Grammar.Expression, _ expecting: ValueType?, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    var hint = expecting
    if expecting == .instant { hint = nil }
    let made = reader.unrun(expression, expecting: hint)
    guard made.type != .unknown else { return nil }
    guard let constant = made.constant else {
      var message = Messages.notConstant
      if case .name(let name, _) = expression.kind, made.type.format != .object,
        made.type.format != .thread
      {
        message = Messages.changesInTheRun(name)
      }
      reader.error(message, expression.range)
      return nil
    }
    return TypedTerm(
      term: .value(expectationValue(constant, made.type, reader)), type: .plain(made.type),
      isLiteral: made.isLiteral)
  }

  /// A constant of the program as one of an expectation.
  func expectationValue(_ value: Int64, _ type: ValueType, _ reader: OutlineReader)
    -> ExpectationValue
  {
    expectationValue(value, type.toldFormat, reader)
  }

  /// A constant of a format; what a run records carries no other word on what it is.
  func expectationValue(_ value: Int64, _ format: ValueFormat, _ reader: OutlineReader)
    -> ExpectationValue
  {
    if value == noValue { return .none }
    return switch format {
    case .boolean: .boolean(value != 0)
    case .duration, .instant: .duration(Nanoseconds(value))
    case .size: .size(ByteCount(value))
    case .decimal: .decimal(FixedDecimal(billionths: value))
    case .string, .quoted: .string(reader.text(of: value))
    case .symbol: .symbol(reader.text(of: value))
    case .integer, .thread, .object, .array: .integer(value)
    }
  }

  private mutating func arithmeticTerm(
    _ sides: Sides, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    let (operation, place) = (sides.operation, sides.sign)
    guard var first = term(sides.left, &reader), let second = term(sides.right, &reader) else {
      return nil
    }
    guard case .plain(var a) = first.type, case .plain(let b) = second.type else {
      reader.error(Messages.wholeComparison, place)
      return nil
    }
    var other = second
    promote(&first, &other)
    if case .plain(let promoted) = first.type { a = promoted }
    guard case .plain(let c) = other.type, b != .unknown, a != .unknown else { return nil }
    guard let rule = ArithmeticRule.rule(operation, a, c),
      let joined = ExpectationTerm.Arithmetic(rawValue: operation.rawValue), rule.code != .join
    else {
      reader.error(Messages.noOperator(operation.rawValue, "\(a)", "\(c)"), place)
      return nil
    }
    let made = ExpectationTerm.arithmetic(joined, first.term, other.term)
    let isLiteral = first.isLiteral && other.isLiteral
    return TypedTerm(
      term: folded(rule, first.term, other.term, a, c, reader) ?? made, type: .plain(rule.result),
      isLiteral: isLiteral)
  }

  /// The result of joining two constants; nil when one is not known before the run.
  private func folded(
    _ rule: ArithmeticRule, _ left: ExpectationTerm, _ right: ExpectationTerm, _ a: ValueType,
    _ b: ValueType, _ reader: OutlineReader
  ) -> ExpectationTerm? {
    guard case .value(let first) = left, case .value(let second) = right,
      let one = bits(first), let two = bits(second), let result = rule.code.folded(one, two)
    else { return nil }
    return .value(expectationValue(result, rule.result, reader))
  }

  private func bits(_ value: ExpectationValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .duration(let length): length.rawValue
    case .size(let size): size.rawValue
    case .decimal(let number): number.billionths
    case .boolean, .string, .symbol, .none, .list, .table, .timeline: nil
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
    _ sides: Sides, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    let (operation, left, right, place) = (sides.operation, sides.left, sides.right, sides.sign)
    guard let comparison = ExpectationTerm.Relation(rawValue: operation.rawValue) else {
      reader.error(Messages.identityInExpectation, place)
      return nil
    }
    if let whole = wholeComparison(comparison, left, right, place, &reader) { return whole.term }
    let (expected, tolerance) = splitTolerance(right)
    var (first, second): (TypedTerm?, TypedTerm?)
    if case .implicitMember = left.kind {
      second = term(expected, &reader)
      if case .plain(let type) = second?.type { first = term(left, expecting: type, &reader) }
    } else {
      first = term(left, &reader)
      guard case .plain(let type) = first?.type else { return nil }
      second =
        percentage(expected, comparedWith: type) ?? term(expected, expecting: type, &reader)
    }
    guard var a = first, var b = second else { return nil }
    promote(&a, &b)
    guard case .plain(let one) = a.type, case .plain(let two) = b.type else { return nil }
    if refusesBareNumber(b, one, expected.range, &reader) { return nil }
    if refusesBareNumber(a, two, left.range, &reader) { return nil }
    let fits =
      (one.accepts(two) || two.accepts(one) || one.unwrapped.accepts(two.unwrapped)
        || two == .null)
      && (!operation.needsOrder || one.unwrapped.isOrdered && two.unwrapped.isOrdered)
    guard fits else {
      reader.error(Messages.noOperator(operation.rawValue, "\(one)", "\(two)"), place)
      return nil
    }
    var allowed: ExpectationTerm.Tolerance?
    if let tolerance {
      guard let made = self.tolerance(tolerance, operation, one, &reader) else { return nil }
      allowed = made
    }
    return TypedTerm(
      term: .compare(comparison, a.term, b.term, allowed), type: .plain(.boolean))
  }

  private func splitTolerance(_ expression: Grammar.Expression) -> (
    Grammar.Expression, Grammar.Expression?
  ) {
    guard let sides = expression.sides, sides.operation == .plusMinus else {
      return (expression, nil)
    }
    return (sides.left, sides.right)
  }

  mutating func tolerance(
    _ expression: Grammar.Expression, _ operation: InfixOperator, _ type: ValueType,
    _ reader: inout OutlineReader
  ) -> ExpectationTerm.Tolerance? {
    guard operation == .equal || operation == .notEqual else {
      reader.error(Messages.toleranceOperator, expression.range)
      return nil
    }
    if case .percent(let billionths) = expression.kind {
      return .percent(FixedDecimal(billionths: billionths))
    }
    let unit: ValueType = type == .instant ? .duration : type.unwrapped
    guard unit.isOrdered else {
      reader.error(Messages.toleranceOperator, expression.range)
      return nil
    }
    guard let value = reader.constant(expression, unit)?.constant else { return nil }
    if value < 0 { reader.error(Messages.negative("a tolerance"), expression.range) }
    return .absolute(value)
  }
}
