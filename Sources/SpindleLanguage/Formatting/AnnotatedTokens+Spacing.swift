import SpindleModel

extension AnnotatedTokens {
  /// Whether a space goes between two tokens that follow one another on a line.
  func isSpaced(_ first: Int, _ second: Int) -> Bool {
    let (before, token) = (list[first].kind, list[second].kind)
    // `&<<` is one sign.
    if before == .bitAnd, token == .shiftLeft || token == .shiftRight,
      list[first].end == list[second].start
    {
      return false
    }
    // `#"a"#` is one text, whatever its signs are called here; a sign such as `&+` stands as it is written.
    if [before, token].contains(where: { $0 == .unknownCharacter || $0 == .unknownOperator }) {
      return list[first].end < list[second].start
    }
    switch token {
    case .comma, .semicolon, .rightParenthesis, .rightBracket:
      return false
    case .colon:
      return isInfix(second)
    case .slash where isRate(second):
      return false
    case .leftBrace, .blockComment:
      return before != .leftParenthesis && before != .leftBracket
    case .less where isJoined(second), .greater where isJoined(second),
      .shiftRight where isJoined(second):
      return false
    case .leftParenthesis, .leftBracket, .dot:
      if isJoined(second) { return false }
    case .question, .percent, .not, .closedRange, .coalesce:
      if isPostfix(second) { return false }
    case .plus, .minus:
      // Two signs without a space would be another operator.
      if isPrefix(first) && before == token { return true }
    default:
      break
    }
    if before == .slash && isRate(first) { return false }
    return before != .leftParenthesis && before != .leftBracket && before != .dot
      && !(before == .less && isJoined(first)) && !isPrefix(first)
  }

  /// Whether a sign is that of a rate, `100/s`: between a number and a unit of time.
  private func isRate(_ sign: Int) -> Bool {
    guard sign > 0, list[sign - 1].kind == .number, sign + 1 < list.count,
      ["us", "ms", "s", "min", "h"].contains(where: { isName(sign + 1, $0) })
    else { return false }
    // A unit has no members, and is not called.
    guard sign + 2 < list.count else { return true }
    switch list[sign + 2].kind {
    case .dot, .leftParenthesis, .leftBracket: return false
    default: return true
    }
  }
}

extension Token.Kind {
  /// Whether it is a comment.
  var isComment: Bool { self == .lineComment || self == .blockComment }

  /// Whether it is a bracket that closes another.
  var isClosing: Bool {
    self == .rightBrace || self == .rightParenthesis || self == .rightBracket
  }

  /// Whether it is `=`, or one with an operator.
  var isAssignment: Bool {
    switch self {
    case .assign, .plusAssign, .minusAssign, .starAssign, .slashAssign, .percentAssign,
      .shiftLeftAssign, .shiftRightAssign, .bitAndAssign, .bitOrAssign, .bitXorAssign:
      true
    default: false
    }
  }

  /// Whether it is an operator that has operands on both sides, or one before its only one.
  var isOperator: Bool {
    switch self {
    case .plus, .minus, .star, .slash, .percent, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor,
      .bitNot, .not, .plusMinus, .equal, .notEqual, .identical,
      .notIdentical, .less, .lessOrEqual, .greater, .greaterOrEqual, .and, .or, .coalesce,
      .closedRange,
      .halfOpenRange:
      true
    default: false
    }
  }

  /// Whether an operand can begin with it.
  var beginsOperand: Bool {
    switch self {
    case .identifier, .number, .string, .leftParenthesis, .leftBracket, .dot, .true, .false, .nil,
      .minus, .not, .bitNot:
      true
    default: false
    }
  }

  /// Whether it would go on with the line before, where a statement begins with it.
  var continuesLine: Bool { self == .dot || self == .minus || self == .plus }

  /// Whether a brace behind it belongs to it, and so on its line.
  var mayHaveBlock: Bool {
    switch self {
    case .comma, .semicolon, .leftParenthesis, .leftBracket, .leftBrace, .rightBrace, .lineComment,
      .blockComment:
      false
    default: true
    }
  }

  /// Whether the statement that it begins ends with a block of its own.
  var beginsHeader: Bool {
    switch self {
    case .if, .guard, .while, .for, .func, .repeat, .do, .defer: true
    default: false
    }
  }

  /// Whether a statement can't end with it.
  var leavesStatementOpen: Bool {
    switch self {
    case .let, .var, .func, .if, .guard, .while, .for, .in, .throw, .dot, .not, .arrow: true
    default: false
    }
  }
}
