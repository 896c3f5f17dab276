import SpindleModel

/// Operators: functions that are found among the declarations of the operands' types.
extension BodyChecker {
  /// Whether an object may be of both types.
  private func fitsTogether(_ one: SwiftType, _ other: SwiftType) -> Bool {
    let (a, b) = (solver.shallow(one).unwrappedFully, solver.shallow(other).unwrappedFully)
    guard let first = a.nominal, let second = b.nominal else { return true }
    return first.isSubclass(of: second) || second.isSubclass(of: first)
  }

  /// Whether values of a type have an identity.
  private func isReference(_ type: SwiftType) -> Bool {
    switch solver.shallow(type) {
    case .nominal(let nominal, let arguments):
      nominal.builtin == .optional
        ? arguments.allSatisfy(isReference) : nominal.isReference || nominal.handle != nil
    case .variable: solver.literal(type) == nil
    case .existential, .parameter, .member, .error: true
    case .tuple, .function, .metatype: false
    }
  }

  func inferBinary(
    _ sign: Grammar.Name, _ left: Grammar.Expression, _ right: Grammar.Expression,
    _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    switch sign.text {
    case "??": return inferCoalesce(left, sign, right, expected, range)
    case "===", "!==":
      let one = infer(left, nil)
      let other = infer(right, nil)
      for side in [one, other] where !isReference(side.type) {
        return refuse(
          "'\(sign.text)' is for objects, and \(solver.shown(side.type)) is a value", sign.range)
      }
      guard fitsTogether(one.type, other.type) else {
        return refuse(
          Messages.noOperator(
            sign.text, "\(solver.shown(one.type))", "\(solver.shown(other.type))"), sign.range)
      }
      return node(.identity(one, other, isEqual: sign.text == "==="), known.boolean, range)
    case "&&", "||":
      let one = check(left, known.boolean)
      let other = check(right, known.boolean)
      return node(
        .logical(one, other, isAnd: sign.text == "&&"), known.boolean, range)
    case "==", "!=":
      if case .nil = right.kind { return nilTest(left, sign.text == "==", range) }
      if case .nil = left.kind { return nilTest(right, sign.text == "==", range) }
    default: break
    }
    let hint = isComparison(sign.text) ? nil : expected
    let one: Typed.Expression
    let other: Typed.Expression
    if isContextual(left), !isContextual(right) {
      // What is added to a moment is a length.
      let isMoment = hint.map { solver.shallow($0).nominal?.builtin == .instant } ?? false
      other = infer(right, isMoment ? nil : hint)
      one = infer(left, owner(of: left, other.type, hint))
    } else {
      one = infer(left, implicitName(left) == nil ? numericHint(hint) : hint)
      other = infer(right, operandHint(sign.text, one.type, right))
    }
    if one.type.isError || other.type.isError { return failed(range) }
    if solver.isOpen(one.type), solver.isOpen(other.type) {
      return deferOperator(sign, one, other, expected, range)
    }
    return applyOperator(sign, one, other, range, expected)
  }

  func isComparison(_ sign: String) -> Bool {
    ["==", "!=", "<", ">", "<=", ">=", "~="].contains(sign)
  }

  /// The type of numbers that an operand of arithmetic has where the result is one.
  private func numericHint(_ type: SwiftType?) -> SwiftType? {
    guard let type = type.map({ solver.shallow($0).unwrappedFully }) else { return nil }
    switch type.nominal?.builtin {
    case .integer, .double, .fixedInteger: return type
    default: return type.nominal?.builtin == nil ? type : nil
    }
  }

  func operandHint(
    _ sign: String, _ left: SwiftType, _ right: Grammar.Expression
  ) -> SwiftType? {
    let left = solver.shallow(left)
    if solver.isOpen(left) { return solver.literal(left) == nil ? nil : left }
    if implicitName(right) != nil, isContextual(right) { return owner(of: right, sign, left) }
    switch left.nominal?.builtin {
    case .duration, .instant, .size: return nil
    default: return isComparison(sign) ? left : operand(of: sign, left, right)
    }
  }

  /// Puts off an operator whose operands are literals until it is known what is expected of them.
  private func deferOperator(
    _ sign: Grammar.Name, _ left: Typed.Expression, _ right: Typed.Expression,
    _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    let isShift = sign.text == "<<" || sign.text == ">>"
    if !isShift, !solver.unify(left.type, right.type) {
      return refuse("the operands of '\(sign.text)' do not fit together", sign.range)
    }
    let type = isComparison(sign.text) ? known.boolean : left.type
    if !isComparison(sign.text), let expected, solver.literal(expected) != nil {
      _ = solver.unify(left.type, expected)
    }
    let made = node(.error, type, range)
    deferred.append(
      DeferredOperator(node: made, name: sign, left: left, right: right))
    return made
  }

  func operators(_ name: String, _ types: [SwiftType]) -> [Candidate] {
    var found: [Candidate] = []
    for type in types {
      let shallow = solver.shallow(type)
      for owner in [shallow, shallow.wrapped.map { solver.shallow($0) }].compactMap({ $0 }) {
        for member in members(name, of: owner) where member.symbol.isStatic {
          guard let symbol = member.symbol as? FunctionSymbol else { continue }
          // An operator of a generic type is used with whatever arguments the operands have.
          var substitution = member.substitution
          if case .nominal = owner, !symbol.isProtocolExtension, !symbol.isRequirement {
            substitution = [:]
          }
          // That of a protocol is there for each type of an operand.
          if found.contains(where: {
            $0.symbol === symbol && $0.substitution == substitution
          }) {
            continue
          }
          found.append(Candidate(symbol: symbol, receiver: nil, substitution: substitution))
        }
      }
    }
    for symbol in table.globals[name] ?? [] {
      if let function = symbol as? FunctionSymbol {
        found.append(Candidate(symbol: function, receiver: nil, substitution: [:]))
      }
    }
    return found
  }

  /// The call that an operator comes to.
  func applyOperator(
    _ sign: Grammar.Name, _ left: Typed.Expression, _ right: Typed.Expression,
    _ range: SourceRange, _ expected: SwiftType?
  ) -> Typed.Expression {
    if let tuple = compareTuples(sign, left, right, range) { return tuple }
    var types = [left.type, right.type]
    if let expected { types.append(expected) }
    let candidates = operators(sign.text, types).filter { $0.symbol.parameters.count == 2 }
    var best: (candidate: Candidate, cost: Int)?
    for candidate in candidates {
      let mark = solver.mark
      let substitution = open(candidate)
      let parameters = candidate.symbol.parameters
      var cost: Int? = candidate.symbol.isProtocolExtension ? 1 : 0
      for (parameter, value) in zip(parameters, [left, right]) {
        let type = parameter.type.substituting(substitution)
        guard let one = operandCost(value, type) else {
          cost = nil
          break
        }
        cost = cost.map { $0 + one }
      }
      if let known = cost, let expected, !solver.isOpen(expected) {
        let result = candidate.symbol.result.substituting(substitution)
        if !solver.attempt({ $0.unify(result, expected) }) { cost = known + 1 }
      }
      if !hasBounds(candidate.symbol, substitution) { cost = nil }
      solver.undo(to: mark)
      if let cost, cost < best?.cost ?? .max { best = (candidate, cost) }
    }
    guard let best else {
      return refuseOperator(sign, left, right)
    }
    return call(best.candidate, [left, right], range, sign)
  }

  // MARK: Particular operators

  func nilTest(
    _ value: Grammar.Expression, _ isEqual: Bool, _ range: SourceRange
  ) -> Typed.Expression {
    let made = infer(value, nil)
    if made.type.isError { return made }
    if hasNil(made.type), conforms(made.type, to: known.equatable) {
      let sign = Grammar.Name(text: isEqual ? "==" : "!=", range: range)
      return applyOperator(sign, made, inferNil(made.type, range), range, known.boolean)
    }
    guard solver.shallow(made.type).wrapped != nil else {
      // Swift warns that it is always the same.
      let wrapped = node(.wrapped(made), known.optional(made.type), made.range)
      return node(.nilTest(wrapped, isEqual: isEqual), known.boolean, range)
    }
    return node(.nilTest(made, isEqual: isEqual), known.boolean, range)
  }

  private func inferCoalesce(
    _ left: Grammar.Expression, _ sign: Grammar.Name, _ right: Grammar.Expression,
    _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    let value = infer(left, expected.map { $0.wrapped == nil ? known.optional($0) : $0 })
    if value.type.isError { return value }
    guard let wrapped = solver.shallow(value.type).wrapped else {
      // Swift warns that the right side is never used.
      if table.current == table.source { bodies.presentValues.append((value, sign.range)) }
      let made = check(right, value.type)
      return node(
        .coalesce(node(.wrapped(value), known.optional(value.type), value.range), made),
        value.type, range)
    }
    let other = infer(right, wrapped)
    if let made = converted(other, to: wrapped) {
      return node(.coalesce(value, made), wrapped, range)
    }
    let optional = known.optional(wrapped)
    return node(
      .coalesce(value, convert(other, to: optional), keepsOptional: true), optional, range)
  }

  /// Tuples are compared element by element.
  private func compareTuples(
    _ sign: Grammar.Name, _ left: Typed.Expression, _ right: Typed.Expression,
    _ range: SourceRange
  ) -> Typed.Expression? {
    guard case .tuple(let parts) = solver.shallow(left.type), !parts.isEmpty,
      case .tuple(let others) = solver.shallow(right.type), parts.count == others.count,
      isComparison(sign.text)
    else { return nil }
    let one = local("left", left.type, isVariable: false, left.range)
    let other = local("right", right.type, isVariable: false, right.range)
    func compare(_ name: String, _ index: Int) -> Typed.Expression {
      let own = Grammar.Name(text: name, range: sign.range)
      let part = node(
        .element(node(.local(one), one.type, left.range), index), parts[index].type, range)
      let second = node(
        .element(node(.local(other), other.type, right.range), index), others[index].type, range)
      let isOpen = solver.isOpen(part.type) && solver.isOpen(second.type)
      return isOpen
        ? deferOperator(own, part, second, nil, range)
        : applyOperator(own, part, second, range, nil)
    }
    var result: Typed.Expression
    switch sign.text {
    case "==", "!=":
      result = compare("==", 0)
      for index in parts.indices.dropFirst() {
        result = node(.logical(result, compare("==", index), isAnd: true), known.boolean, range)
      }
      if sign.text == "!=" {
        result = node(
          .ternary(result, truth(false, range), truth(true, range)), known.boolean, range)
      }
    default:
      // The first pair of elements that differ decides.
      result = compare(sign.text, parts.count - 1)
      let strict = String(sign.text.prefix(1))
      for index in parts.indices.dropLast().reversed() {
        let rest = node(
          .logical(compare("==", index), result, isAnd: true), known.boolean, range)
        result = node(.logical(compare(strict, index), rest, isAnd: false), known.boolean, range)
      }
    }
    return node(.bind([(one, left), (other, right)], result), known.boolean, range)
  }

  func truth(_ value: Bool, _ range: SourceRange) -> Typed.Expression {
    Typed.Expression(.constant(value ? 1 : 0), known.boolean, range)
  }

  func inferPrefix(
    _ sign: Grammar.Name, _ operand: Grammar.Expression, _ expected: SwiftType?,
    _ range: SourceRange
  ) -> Typed.Expression {
    if sign.text == "-" {
      switch operand.kind {
      case .integer(let value):
        let made = integer(0 &- value, expected, range)
        made.isBeyondInt = value < 0 && value != .min
        return made
      case .decimal(let value):
        return infer(
          Grammar.Expression(kind: .decimal(-value), range: range), expected)
      default: break
      }
    }
    let value = infer(operand, sign.text == "!" ? known.boolean : expected)
    if value.type.isError { return value }
    if solver.isOpen(value.type), solver.literal(value.type) != nil {
      solver.settleLiterals(from: firstVariable ?? 0)
    }
    for candidate in operators(sign.text, [value.type])
    where candidate.symbol.parameters.count == 1 {
      let mark = solver.mark
      let type = candidate.symbol.parameters[0].type.substituting(open(candidate))
      let fits = operandCost(value, type) != nil
      solver.undo(to: mark)
      if fits { return call(candidate, [value], range, sign) }
    }
    return refuse(Messages.noOperator(sign.text, "\(solver.shown(value.type))"), sign.range)
  }

  /// An operator as a function: `reduce(0, +)`.
  func operatorValue(
    _ name: String, _ expected: SwiftType?, _ range: SourceRange
  ) -> Typed.Expression {
    if case .function(var wanted)? = expected, wanted.parameters.count == 1, taker.isArgument,
      case .tuple(let parts) = solver.shallow(wanted.parameters[0].type), parts.count == 2
    {
      // `zip(a, b).map(+)`: the operands are the elements of a tuple.
      wanted.parameters = parts.map { FunctionType.Parameter(type: $0.type) }
      return operatorValue(name, .function(wanted), range)
    }
    guard case .function(let wanted)? = expected,
      wanted.parameters.count == 2 || wanted.parameters.count == 1
    else {
      return refuse("'\(name)' needs a function type to be used as a value", range)
    }
    let inner = Typed.FunctionScope(scope)
    (inner.isExpanded, inner.isolation) = (true, scope.isolation)
    let outer = scope
    scope = inner
    let parameters = wanted.parameters.enumerated().map { index, parameter in
      local("$\(index)", parameter.type, isVariable: false, range)
    }
    let operands = parameters.map { use($0, range) }
    let sign = Grammar.Name(text: name, range: range)
    let value: Typed.Expression
    if operands.count == 1 {
      value =
        operators(name, [operands[0].type]).first { $0.symbol.parameters.count == 1 }
        .map { call($0, operands, range, sign) } ?? failed(range)
    } else if solver.isOpen(operands[0].type), solver.isOpen(operands[1].type) {
      value = deferOperator(sign, operands[0], operands[1], wanted.result, range)
    } else {
      value = applyOperator(sign, operands[0], operands[1], range, wanted.result)
    }
    _ = solver.attempt { $0.unify(value.type, wanted.result) }
    scope = outer
    let closure = Typed.Closure(wanted, range, inner)
    closure.parameters = parameters
    closure.body = [Typed.Statement(kind: .return(value), range: range)]
    closure.result = wanted.result
    finishClosure(closure)
    return node(.closure(closure), .function(wanted), range)
  }
}
