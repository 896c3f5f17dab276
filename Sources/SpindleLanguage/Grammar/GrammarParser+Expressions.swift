import SpindleModel

/// Expressions, from the loosest operator down to the operands.
extension GrammarParser {
  /// How tightly an operator binds, and to which side operators of one kind go together.
  struct Precedence {
    var level: Int
    var isRight = false

    /// The precedence of an operator; nil if the text is not one.
    ///
    /// The groups are those of the standard library's declarations of operators.
    static func of(_ sign: String) -> Precedence? {
      switch sign {
      case "<<", ">>", "&<<", "&>>": Precedence(level: 9)
      case "*", "/", "%", "&", "&*": Precedence(level: 8)
      case "+", "-", "|", "^", "&+", "&-": Precedence(level: 7)
      case "...", "..<": Precedence(level: 6)
      case "is", "as": Precedence(level: 5)
      case "??": Precedence(level: 4, isRight: true)
      case "==", "!=", "<", "<=", ">", ">=", "===", "!==", "~=", "±": Precedence(level: 3)
      case "&&": Precedence(level: 2)
      case "||": Precedence(level: 1)
      default: nil
      }
    }
  }

  /// An expression.
  mutating func parseExpression() -> Grammar.Expression {
    nested { parser in
      let condition = parser.parseOperators(above: 0)
      guard parser.current.kind == .question, parser.current.hasSpaceBefore else {
        return condition
      }
      parser.advance()
      let first = parser.parseExpression()
      parser.expect(.colon, "':'")
      let second = parser.parseExpression()
      return Grammar.Expression(
        kind: .ternary(condition, first, second),
        range: condition.range.union(second.range))
    } ?? missing()
  }

  func missing() -> Grammar.Expression {
    Grammar.Expression(
      kind: .missing, range: SourceRange(Int(previousEnd), Int(previousEnd)))
  }

  /// Operands with operators that bind more tightly than `level`.
  private mutating func parseOperators(above level: Int) -> Grammar.Expression {
    var left = parsePrefix()
    var operands = 0
    joinWrappingShift()
    while let (sign, precedence) = binaryOperator, precedence.level > level {
      let token = current
      operands += 1
      if operands > 4 * GrammarParser.deepestNesting {
        report("this has too many operators: write it as several statements", token.range)
        stop()
        break
      }
      let name = Grammar.Name(text: sign, range: token.range)
      if sign == "is" || sign == "as" {
        left = parseCast(of: left)
        continue
      }
      advance()
      if sign == "..." || sign == "..<", endsRange {
        left = Grammar.Expression(
          kind: .range(from: left, to: nil, isClosed: sign == "...", sign: token.range),
          range: range(from: Int32(left.range.lowerBound)))
        continue
      }
      let right = nested { parser in
        parser.parseOperators(
          above: precedence.isRight ? precedence.level - 1 : precedence.level)
      }
      let other = right ?? missing()
      let place = left.range.union(other.range)
      left =
        sign == "..." || sign == "..<"
        ? Grammar.Expression(
          kind: .range(from: left, to: other, isClosed: sign == "...", sign: token.range),
          range: place)
        : Grammar.Expression(kind: .binary(name, left, other), range: place)
      joinWrappingShift()
    }
    return left
  }

  /// Makes one sign of `&<<` and `&>>`, which the tokens of a trace do not have.
  private mutating func joinWrappingShift() {
    guard current.kind == .bitAnd, Int(current.end) + 1 < bytes.count else { return }
    let sign = text(Int(current.end), Int(current.end) + 2)
    guard sign == "<<" || sign == ">>" else { return }
    current = Token(
      kind: .unknownOperator, flags: current.flags, start: current.start, end: current.end + 2)
    lexer.position = Int(current.end)
  }

  /// The operator between two operands that the current token is; nil for anything else.
  var binaryOperator: (String, Precedence)? {
    switch current.kind {
    case .identifier:
      guard isWord(current, "is") || isWord(current, "as") else { return nil }
      let sign = text(current)
      return Precedence.of(sign).map { (sign, $0) }
    case .string, .number, .underscore, .question: return nil
    default: break
    }
    let sign = text(current)
    guard let precedence = Precedence.of(sign) else { return nil }
    // As in Swift, a sign with white space on one side only belongs to the operand on the other side.
    let hasSpaceBehind = isSpace(at: Int(current.end))
    if current.hasSpaceBefore && !hasSpaceBehind,
      current.kind == .minus || current.kind == .plus || current.kind == .bitAnd
        || current.kind == .bitNot
    {
      return nil
    }
    return (sign, precedence)
  }

  private func isSpace(at offset: Int) -> Bool {
    offset >= bytes.count || bytes[offset] <= 0x20
  }

  /// Whether nothing follows that a range could end with.
  var endsRange: Bool {
    current.kind.endsExpression || current.isFirstOnLine || current.kind == .colon
      || (current.kind == .leftBrace && !allowsTrailingClosures)
      || current.kind == .assign || isWord(current, "where")
  }

  mutating func parseCast(of operand: Grammar.Expression) -> Grammar.Expression {
    var cast = Grammar.Cast.test
    if consume(word: "as") {
      cast = parseSign(question: Grammar.Cast.optional, not: .forced) ?? .coerce
    } else {
      advance()
    }
    let type = parseType()
    return Grammar.Expression(
      kind: .cast(operand, cast, type), range: operand.range.union(type.range))
  }

  /// What the `?` or `!` right behind a word makes of it; nil where there is neither.
  private mutating func parseSign<Meaning>(question: Meaning, not: Meaning) -> Meaning? {
    if current.hasSpaceBefore { return nil }
    if consume(.question) { return question }
    return consume(.not) ? not : nil
  }

  // MARK: In front

  /// An operand with its prefix operators.
  mutating func parsePrefix() -> Grammar.Expression {
    let start = current.start
    switch current.kind {
    case .minus, .plus, .not, .bitNot:
      let name = Grammar.Name(text: text(current), range: current.range)
      advance()
      if name.text == "-", current.kind == .number, !current.hasSpaceBefore {
        let literal = parsePostfix()
        return Grammar.Expression(kind: .prefix(name, literal), range: range(from: start))
      }
      let operand = nested { $0.parsePrefix() } ?? missing()
      return Grammar.Expression(kind: .prefix(name, operand), range: range(from: start))
    case .bitAnd:
      advance()
      let place = parsePostfix()
      return Grammar.Expression(kind: .reference(place), range: range(from: start))
    case .closedRange, .halfOpenRange:
      let (sign, isClosed) = (current.range, current.kind == .closedRange)
      advance()
      if isClosed, endsRange {
        return Grammar.Expression(
          kind: .range(from: nil, to: nil, isClosed: true, sign: sign), range: sign)
      }
      let to = parseOperators(above: 6)
      return Grammar.Expression(
        kind: .range(from: nil, to: to, isClosed: isClosed, sign: sign), range: range(from: start))
    case .identifier: return parseWords()
    default: return parsePostfix()
    }
  }

  /// `try`, `await` and what they cover, or an operand.
  private mutating func parseWords() -> Grammar.Expression {
    let start = current.start
    if isWord(current, "try"), !isMemberNext {
      advance()
      let attempt = parseSign(question: Grammar.Attempt.optional, not: .forced) ?? .plain
      let covered = nested { $0.parseOperators(above: 0) } ?? missing()
      return Grammar.Expression(kind: .attempt(attempt, covered), range: range(from: start))
    }
    if isWord(current, "await"), !isMemberNext {
      advance()
      let covered = nested { $0.parseOperators(above: 0) } ?? missing()
      return Grammar.Expression(kind: .await(covered), range: range(from: start))
    }
    for word: StaticString in ["copy", "consume", "unsafe"] where isWord(current, word) {
      let next = peek()
      if next.kind == .identifier && !next.isFirstOnLine { advance() }
    }
    return parsePostfix()
  }

  /// Whether the word at hand is a name that something is asked of.
  var isMemberNext: Bool {
    switch peek().kind {
    case .dot, .comma, .colon, .assign, .rightParenthesis: true
    default: false
    }
  }

  // MARK: Behind

  /// An operand with members, arguments, indices and closures behind it.
  mutating func parsePostfix() -> Grammar.Expression {
    let start = current.start
    var isChain = false
    var value = parsePrimary()
    var levels = 0
    loop: while true {
      levels += 1
      if levels > 4 * GrammarParser.deepestNesting {
        report("this has too many members in one expression", current.range)
        stop()
        break
      }
      switch current.kind {
      case .dot:
        advance()
        value = parseMember(of: value, start)
      case .unknownOperator where isSign("?."):
        let questioned = Grammar.Expression(
          kind: .questioned(value), range: SourceRange(Int(start), Int(current.start) + 1))
        advance()
        isChain = true
        value = parseMember(of: questioned, start)
      case .question where !current.hasSpaceBefore && bindsVariables == nil:
        guard continuesChain else { break loop }
        advance()
        isChain = true
        value = Grammar.Expression(kind: .questioned(value), range: range(from: start))
      case .not where !current.hasSpaceBefore && !current.isFirstOnLine:
        advance()
        value = Grammar.Expression(kind: .forced(value), range: range(from: start))
      case .leftParenthesis where !current.isFirstOnLine && !current.hasSpaceBefore:
        value = parseCall(value, start)
      case .leftBracket where !current.isFirstOnLine && !current.hasSpaceBefore:
        advance()
        let arguments = parseList(until: .rightBracket, "']'") { $0.parseArgument() }
        value = Grammar.Expression(kind: .subscripted(value, arguments), range: range(from: start))
      case .leftBrace where allowsTrailingClosures && takesClosure(value) && !current.isFirstOnLine:
        let call = Grammar.Call(
          callee: value, arguments: [], place: value.range, hasParentheses: false)
        value = parseTrailingClosures(call, start)
      default: break loop
      }
    }
    return isChain
      ? Grammar.Expression(kind: .chain(value), range: value.range) : value
  }

  /// Whether something of a chain follows the `?` at hand.
  var continuesChain: Bool {
    let next = peek()
    if next.kind == .leftParenthesis || next.kind == .leftBracket {
      return !next.hasSpaceBefore
    }
    return next.kind == .dot || next.kind == .not || isOptionalAssignment(next)
  }

  /// Whether `a? = b` is written, which assigns where there is a value.
  private func isOptionalAssignment(_ next: Token) -> Bool {
    switch next.kind {
    case .assign, .plusAssign, .minusAssign, .starAssign, .slashAssign, .percentAssign,
      .shiftLeftAssign, .shiftRightAssign, .bitAndAssign, .bitOrAssign, .bitXorAssign:
      true
    default: false
    }
  }

  func takesClosure(_ value: Grammar.Expression) -> Bool {
    switch value.kind {
    case .name, .member, .implicitMember, .subscripted: true
    default: false
    }
  }

  mutating func parseMember(
    of base: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    if current.kind == .number {
      let token = current
      advance()
      // `pair.0.1` has one number behind the first point.
      var value = base
      for part in text(token).split(separator: ".") {
        value = Grammar.Expression(
          kind: .member(value, Grammar.Name(text: String(part), range: token.range), []),
          range: range(from: start))
      }
      return value
    }
    let name = parseName("a member")
    let arguments = parseExpressionTypeArguments()
    return Grammar.Expression(kind: .member(base, name, arguments), range: range(from: start))
  }

  /// Type arguments behind a name in an expression, where what follows tells that they are some.
  mutating func parseExpressionTypeArguments() -> [Grammar.TypeSyntax] {
    guard current.kind == .less, !current.hasSpaceBefore else { return [] }
    return attempt { parser in
      let arguments = parser.parseTypeArguments()
      switch parser.current.kind {
      case .leftParenthesis where !parser.current.hasSpaceBefore, .rightParenthesis, .rightBracket,
        .dot, .comma, .colon, .semicolon, .endOfFile, .rightBrace, .leftBrace:
        return arguments
      default: return parser.current.isFirstOnLine ? arguments : nil
      }
    } ?? []
  }

  mutating func parseCall(
    _ callee: Grammar.Expression, _ start: Int32
  ) -> Grammar.Expression {
    if let labels = compoundLabels {
      while !consume(.rightParenthesis) { advance() }
      return Grammar.Expression(kind: .compound(callee, labels), range: range(from: start))
    }
    advance()
    let arguments = parseList(until: .rightParenthesis, "')'") { $0.parseArgument() }
    let call = Grammar.Call(
      callee: callee, arguments: arguments, place: range(from: start), hasParentheses: true)
    if current.kind == .leftBrace, allowsTrailingClosures, !current.isFirstOnLine {
      return parseTrailingClosures(call, start)
    }
    return Grammar.Expression(kind: .call(call), range: range(from: start))
  }

  /// The labels of a name like `load(_:completion:)`; nil where a call is at hand.
  private var compoundLabels: [String]? {
    var labels: [String] = []
    var ahead = lexer
    while true {
      let label = ahead.next()
      if label.kind == .rightParenthesis { return labels.isEmpty ? nil : labels }
      guard label.kind == .identifier || label.kind == .underscore, ahead.next().kind == .colon
      else { return nil }
      labels.append(text(label))
    }
  }

  private mutating func parseTrailingClosures(
    _ call: Grammar.Call, _ start: Int32
  ) -> Grammar.Expression {
    var call = call
    let first = parseClosure()
    call.arguments.append(Grammar.Argument(label: nil, value: first, isTrailing: true))
    while current.kind == .identifier {
      var ahead = lexer
      guard ahead.next().kind == .colon, ahead.next().kind == .leftBrace else { break }
      let label = parseName("a label")
      advance()
      call.arguments.append(
        Grammar.Argument(label: label, value: parseClosure(), isTrailing: true))
    }
    return Grammar.Expression(kind: .call(call), range: range(from: start))
  }

  /// `label: value` or `value`, in brackets.
  mutating func parseArgument() -> Grammar.Argument {
    if current.kind.isWord || current.kind == .underscore, peek().kind == .colon {
      let label = parseName("a label")
      advance()
      return Grammar.Argument(
        label: label.text == "_" ? nil : label, value: parseOperatorOrExpression())
    }
    return Grammar.Argument(label: nil, value: parseOperatorOrExpression())
  }

  /// An operator alone, as in `reduce(0, +)`, or an expression.
  private mutating func parseOperatorOrExpression() -> Grammar.Expression {
    let next = peek().kind
    if next == .rightParenthesis || next == .comma, Precedence.of(text(current)) != nil,
      current.kind != .identifier
    {
      let token = current
      advance()
      return Grammar.Expression(kind: .name(text(token), []), range: token.range)
    }
    return parseExpression()
  }
}
