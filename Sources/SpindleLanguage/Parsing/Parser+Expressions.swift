import SpindleModel

/// How tightly an operator binds, and what it makes of its two sides.
private struct Operation {
  var precedence: Int
  var kind: Kind

  enum Kind {
    case infix(Expression.InfixOperator)
    case range(isClosed: Bool)
    case coalesce
  }

  static let comparison = 3
  static let coalesce = 4
  static let range = 5

  init?(_ kind: Token.Kind) {
    switch kind {
    case .or: self.init(.or, 1)
    case .and: self.init(.and, 2)
    case .equal: self.init(.equal, Operation.comparison)
    case .notEqual: self.init(.notEqual, Operation.comparison)
    case .less: self.init(.less, Operation.comparison)
    case .lessOrEqual: self.init(.lessOrEqual, Operation.comparison)
    case .greater: self.init(.greater, Operation.comparison)
    case .greaterOrEqual: self.init(.greaterOrEqual, Operation.comparison)
    case .identical: self.init(.identical, Operation.comparison)
    case .notIdentical: self.init(.notIdentical, Operation.comparison)
    case .closedRange: self.init(precedence: Operation.range, kind: .range(isClosed: true))
    case .halfOpenRange: self.init(precedence: Operation.range, kind: .range(isClosed: false))
    case .coalesce: self.init(precedence: Operation.coalesce, kind: .coalesce)
    case .plusMinus: self.init(.plusMinus, 6)
    case .plus: self.init(.add, 7)
    case .minus: self.init(.subtract, 7)
    case .star: self.init(.multiply, 8)
    case .slash: self.init(.divide, 8)
    case .percent: self.init(.remainder, 8)
    case .shiftLeft: self.init(.shiftLeft, 9)
    case .shiftRight: self.init(.shiftRight, 9)
    case .bitAnd: self.init(.bitAnd, 8)
    case .bitOr: self.init(.bitOr, 7)
    case .bitXor: self.init(.bitXor, 7)
    default: return nil
    }
  }

  private init(_ infix: Expression.InfixOperator, _ precedence: Int) {
    self.init(precedence: precedence, kind: .infix(infix))
  }

  private init(precedence: Int, kind: Kind) {
    (self.precedence, self.kind) = (precedence, kind)
  }
}

extension Expression.InfixOperator {
  /// The operator with two sides that a token is; nil for any other token.
  init?(_ kind: Token.Kind) {
    guard case .infix(let infix)? = Operation(kind)?.kind else { return nil }
    self = infix
  }
}

extension Parser {
  /// An expression, with everything that may be in one.
  mutating func parseExpression() -> Expression {
    guard descend() else { return missing(at: current.start) }
    defer { ascend() }
    let first: Expression
    if current.kind.isPrefix {
      first = parsePrefix()
    } else {
      height = 1
      let primary = parsePrimary()
      // Most expressions are one token, and what follows ends them.
      if current.kind.endsExpression { return primary }
      first = parsePostfix(primary)
    }
    let condition = parseInfix(first, above: 0)
    guard current.kind == .question, !isInPattern || current.hasSpaceBefore else {
      return condition
    }
    return parseConditional(condition)
  }

  /// An expression in brackets, where closures may follow calls again.
  mutating func parseEnclosedExpression() -> Expression {
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    defer { allowsTrailingClosures = outer }
    return parseExpression()
  }

  private mutating func parseConditional(_ condition: Expression) -> Expression {
    let sign = current.range
    var levels = height
    advance()
    let first = parseExpression()
    levels = max(levels, height)
    guard consume(.colon) else {
      reportMissing(SyntaxMessage.colonInTernary)
      return missing(at: condition.range.lowerBound)
    }
    let second = parseExpression()
    guard grow(to: max(levels, height) + 1, at: sign) else { return condition }
    return arena.expression(
      kind: .conditional(
        arena.node(Expression.Conditional(condition: condition, first: first, second: second))),
      range: range(from: condition.range.lowerBound))
  }

  /// Operators behind `first` that bind more tightly than `precedence`, left to right.
  private mutating func parseInfix(_ first: Expression, above precedence: Int) -> Expression {
    var left = parseCast(first)
    var lastPrecedence = Int.max
    while let operation = Operation(current.kind), operation.precedence > precedence,
      continuesExpression
    {
      let sign = current.range
      if operation.precedence == lastPrecedence {
        switch lastPrecedence {
        case Operation.comparison: report(SyntaxMessage.chainedComparison, sign)
        case Operation.range: report(SyntaxMessage.rangeChain, sign)
        default: break
        }
      }
      lastPrecedence = operation.precedence
      let levels = height
      advance()
      // `a ?? b ?? c` is `a ?? (b ?? c)`; all others begin with the left one.
      let least =
        operation.precedence == Operation.coalesce ? Operation.coalesce - 1 : operation.precedence
      let isEndless = isEndlessRange(operation)
      let right =
        isEndless
        ? arena.expression(kind: .integer(Int64.max), range: sign)
        : isOpenRange(operation)
          ? missing(at: sign.upperBound) : parseInfix(parsePrefix(), above: least)
      guard grow(to: max(levels, height) + 1, at: sign) else { return left }
      let whole = range(from: left.range.lowerBound)
      switch operation.kind {
      case .infix(let infix):
        let sides = Expression.Sides(left: left, right: right, operatorRange: sign)
        left = arena.expression(kind: .infix(infix, arena.node(sides)), range: whole)
      case .coalesce:
        let sides = Expression.Sides(left: left, right: right, operatorRange: sign)
        left = arena.expression(kind: .coalesce(arena.node(sides)), range: whole)
      case .range(let isClosed):
        let bounds = Expression.Bounds(
          from: left, to: right, isClosed: isClosed && !isEndless)
        left = arena.expression(kind: .range(arena.node(bounds)), range: whole)
      }
    }
    return left
  }

  /// Whether nothing stands behind the `...` of a pattern, as in `case 500...:`.
  private func isOpenRange(_ operation: Operation) -> Bool {
    guard isInPattern, case .range(isClosed: true) = operation.kind else { return false }
    switch current.kind {
    case .colon, .comma, .rightParenthesis, .assign: return true
    default: return isName(current, "where")
    }
  }

  /// Whether nothing stands behind the `...` of what a loop goes through, as in `for n in 0... {`.
  private func isEndlessRange(_ operation: Operation) -> Bool {
    guard isInLoopHeader, case .range(isClosed: true) = operation.kind else { return false }
    return current.kind == .leftBrace || isName(current, "where")
  }

  /// Whether the operator at hand goes on with the expression: `-x` on a new line does not.
  private var continuesExpression: Bool {
    guard current.isFirstOnLine, current.kind == .minus || current.kind == .plus else {
      return true
    }
    return lexer.following(0).isWhiteSpace
  }

  private mutating func parsePrefix() -> Expression {
    let prefix: Expression.PrefixOperator
    switch current.kind {
    case .not: prefix = .not
    case .minus: prefix = .minus
    case .plus: prefix = .plus
    case .bitNot: prefix = .invert
    default:
      height = 1
      return parsePostfix(parsePrimary())
    }
    let sign = current.range
    guard descend() else { return missing(at: sign.lowerBound) }
    defer { ascend() }
    advance()
    let operand = parsePrefix()
    guard grow(to: height + 1, at: sign) else { return operand }
    return arena.expression(kind: .prefix(prefix, operand), range: range(from: sign.lowerBound))
  }

  /// A value with the members, calls and elements behind it.
  private mutating func parsePostfix(_ primary: Expression) -> Expression {
    var base = primary
    var hasOptional = false
    while true {
      let levels = height
      let next: Expression
      switch current.kind {
      case .dot:
        next = parseMember(of: base)
      case .leftParenthesis where !current.isFirstOnLine:
        next = parseCall(base)
      case .leftBracket where !current.isFirstOnLine:
        next = parseElement(of: base)
      case .leftBrace
      where allowsTrailingClosures && base.takesClosure
        && !(mayBeObserved && startsObservers)
        && (!current.isFirstOnLine || reportsBraceOnNextLine()):
        next = parseBraceCall(base)
      case .not where !current.hasSpaceBefore:
        next = unwrapped(base)
      case .question where !current.hasSpaceBefore && bindsOptional:
        advance()
        hasOptional = true
        next = bound(base)
      case .question where isInPattern && !current.hasSpaceBefore:
        return chained(base, hasOptional)
      case .question where !current.hasSpaceBefore:
        report(SyntaxMessage.optionalChaining, current.range)
        advance()
        continue
      case .unknownOperator where isOptionalChaining:
        hasOptional = true
        next = parseMember(of: bound(base))
      default:
        return chained(base, hasOptional)
      }
      let isWithinLimit = grow(
        to: max(levels, height) + 1,
        at: SourceRange(
          Int(previousEnd), Int(previousEnd)))
      guard isWithinLimit else { return base }
      base = next
    }
  }

  private mutating func parseMember(of base: Expression) -> Expression {
    advance()
    let name = current
    guard name.kind.isWord, !name.isFirstOnLine else {
      if name.kind == .number && !name.hasSpaceBefore {
        report(SyntaxMessage.foreignMember(text(name)), name.range)
        advance()
      } else {
        reportMissing(SyntaxMessage.expectedMember)
      }
      height = 1
      return missing(at: base.range.lowerBound)
    }
    advance()
    height = 1
    return arena.expression(
      kind: .member(
        arena.node(
          Expression.MemberAccess(base: base, name: word(name), nameRange: name.range))),
      range: range(from: base.range.lowerBound))
  }

  private mutating func parseElement(of base: Expression) -> Expression {
    let opening = current
    advance()
    if let open = refuseOpenSlice(of: base, opening) { return open }
    let index = parseEnclosedExpression()
    var levels = height
    var fallback: Expression?
    if current.kind == .comma, isName(peek(), "default") {
      advance()
      advance()
      if consume(.colon) {
        fallback = parseEnclosedExpression()
        levels = max(levels, height)
      } else {
        reportMissing(SyntaxMessage.expectedSign(":", "behind 'default'"))
      }
    } else if current.kind == .comma {
      report(SyntaxMessage.oneIndex, current.range)
      skipToClosing(.rightBracket)
    }
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    height = levels
    return arena.expression(
      kind: .element(
        arena.node(Expression.ElementAccess(base: base, index: index, fallback: fallback))),
      range: range(from: base.range.lowerBound))
  }

  /// What stands where nothing could be read.
  @inline(__always)
  func missing(at start: Int32) -> Expression {
    arena.expression(kind: .missing, range: SourceRange(Int(start), Int(max(start, previousEnd))))
  }
}

extension Expression {
  /// Whether a block behind it is an argument: it is a name or a member, and no literal.
  fileprivate var takesClosure: Bool {
    switch kind {
    case .name, .member, .implicitMember, .array, .call, .element, .bind, .unwrap, .missing,
      .specialized, .dictionary:
      true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate var isWhiteSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\t")
      || self == UInt8(ascii: "\r")
  }
}
