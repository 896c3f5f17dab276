import SpindleModel

/// Expressions, from the loosest operator down to the operands.
extension GrammarParser {
  /// How tightly an operator binds, and to which side operators of one kind go together.
  struct Precedence {
    var level: Int
    var isRight = false

    /// Operators that do not go together with one of their kind.
    static let range = 6
    static let comparison = 3

    /// The precedence of an operator; nil if the text is not one.
    ///
    /// The groups are those of the standard library's declarations of operators.
    static func of(_ sign: String) -> Precedence? {
      // Most texts that are asked about are words: one look at a byte answers for them.
      guard let first = sign.utf8.first, !first.isLetter || sign == "is" || sign == "as" else {
        return nil
      }
      return switch sign {
      case "<<", ">>", "&<<", "&>>": Precedence(level: 9)
      case "*", "/", "%", "&", "&*": Precedence(level: 8)
      case "+", "-", "|", "^", "&+", "&-": Precedence(level: 7)
      case "...", "..<", "±": Precedence(level: range)
      case "is", "as": Precedence(level: 5)
      case "??": Precedence(level: 4, isRight: true)
      case "==", "!=", "<", "<=", ">", ">=", "===", "!==", "~=": Precedence(level: comparison)
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
      guard parser.consume(.colon) else {
        parser.reportMissing(SyntaxMessage.colonInTernary)
        return parser.missing()
      }
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
    growing { $0.parseOperands(above: level) }
  }

  private mutating func parseOperands(above level: Int) -> Grammar.Expression {
    var left = parsePrefix()
    var last: Int?
    joinWrappingShift()
    while let (sign, precedence) = binaryOperator, precedence.level > level, grow() {
      let token = current
      if precedence.level == last {
        if precedence.level == Precedence.comparison {
          report(SyntaxMessage.chainedComparison, token.range)
        }
        if precedence.level == Precedence.range { report(SyntaxMessage.rangeChain, token.range) }
      }
      last = precedence.level
      let name = Grammar.Name(text: sign, range: token.range)
      if sign == "is" || sign == "as" {
        left = parseCast(of: left)
        continue
      }
      advance()
      if sign == "...", endsRange || !token.hasSpaceBefore && current.hasSpaceBefore && isOperator {
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
    case .string, .number, .underscore, .question, .leftParenthesis, .leftBrace: return nil
    case let kind where kind.endsExpression: return nil
    default: break
    }
    if isInPattern, current.kind == .coalesce, !current.hasSpaceBefore { return nil }
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

  /// Whether white space is at an offset, or a sign that counts as such, as in Swift.
  func isSpace(at offset: Int) -> Bool {
    offset >= lexer.limit || bytes[offset] <= 0x20 || ")]},;:".utf8.contains(bytes[offset])
  }

  /// Whether an operator is here that stands between two operands.
  private var isOperator: Bool { binaryOperator != nil }

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
  ///
  /// Each kind has a function of its own: what is nested deeply goes through this one, and has to be short of stack.
  mutating func parsePrefix() -> Grammar.Expression {
    switch current.kind {
    case .minus, .plus, .not, .bitNot: parseSigned()
    case .bitAnd: parseReference()
    case .closedRange, .halfOpenRange: parseRangeWithoutStart()
    case .identifier where isCoveringWord: parseCovered()
    default: parsePostfix()
    }
  }

  private mutating func parseSigned() -> Grammar.Expression {
    let start = current.start
    let name = Grammar.Name(text: text(current), range: current.range)
    advance()
    if name.text == "-", current.kind == .number, !current.hasSpaceBefore {
      let literal = parsePostfix()
      return Grammar.Expression(kind: .prefix(name, literal), range: range(from: start))
    }
    let operand = nested { $0.parsePrefix() } ?? missing()
    return Grammar.Expression(kind: .prefix(name, operand), range: range(from: start))
  }

  private mutating func parseReference() -> Grammar.Expression {
    let start = current.start
    advance()
    let place = parsePostfix()
    return Grammar.Expression(kind: .reference(place), range: range(from: start))
  }

  /// `...`, `...5`, `..<5`.
  private mutating func parseRangeWithoutStart() -> Grammar.Expression {
    let start = current.start
    let (sign, isClosed) = (current.range, current.kind == .closedRange)
    if isSpace(at: Int(current.end)), !isClosed || !peek().kind.endsExpression {
      return parsePostfix()
    }
    advance()
    if isClosed, endsRange {
      return Grammar.Expression(
        kind: .range(from: nil, to: nil, isClosed: true, sign: sign), range: sign)
    }
    let to = nested { $0.parseOperators(above: Precedence.range) } ?? missing()
    return Grammar.Expression(
      kind: .range(from: nil, to: to, isClosed: isClosed, sign: sign), range: range(from: start))
  }

  /// Whether `try`, `await` or a word that changes nothing is here, and covers what is behind it.
  private var isCoveringWord: Bool {
    if isWord(current, "try") || isWord(current, "await") { return !isMemberNext }
    guard isWord(current, "copy") || isWord(current, "consume") || isWord(current, "unsafe") else {
      return false
    }
    let next = peek()
    return next.kind == .identifier && !next.isFirstOnLine && !isWord(next, "as")
      && !isWord(next, "is")
  }

  /// `try`, `await` and what they cover.
  private mutating func parseCovered() -> Grammar.Expression {
    let word = current
    advance()
    if isWord(word, "try") {
      let attempt = parseSign(question: Grammar.Attempt.optional, not: .forced) ?? .plain
      let covered = nested { $0.parseOperators(above: 0) } ?? missing()
      return Grammar.Expression(kind: .attempt(attempt, covered), range: range(from: word.start))
    }
    if isWord(word, "await") {
      let covered = nested { $0.parseOperators(above: 0) } ?? missing()
      return Grammar.Expression(kind: .await(covered), range: range(from: word.start))
    }
    return nested { $0.parsePostfix() } ?? missing()
  }

  /// Whether the word at hand is a name that gets a value.
  var isMemberNext: Bool {
    switch peek().kind {
    case .colon, .assign: true
    default: false
    }
  }
}
