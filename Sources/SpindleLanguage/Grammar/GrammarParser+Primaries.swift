import SpindleModel

/// The operands of an expression.
extension GrammarParser {
  mutating func parsePrimary() -> Grammar.Expression {
    switch current.kind {
    case .leftParenthesis: parseParentheses()
    case .leftBracket: parseBrackets()
    case .leftBrace where allowsTrailingClosures: parseClosure()
    case .if: parseChoice()
    case .identifier: isWord(current, "switch") ? parseChoice() : parseNameOrType()
    default: parseOtherPrimary()
    }
  }

  /// An operand that has no other in it, or hardly ever.
  private mutating func parseOtherPrimary() -> Grammar.Expression {
    let token = current
    switch token.kind {
    case .number: return parseNumber()
    case .string: return parseString()
    case .unterminatedString:
      reportUnexpected(SyntaxMessage.expectedExpression)
      resumeInText(token)
      return missing()
    case .true, .false:
      advance()
      return Grammar.Expression(kind: .boolean(token.kind == .true), range: token.range)
    case .nil:
      advance()
      return Grammar.Expression(kind: .nil, range: token.range)
    case .underscore:
      advance()
      return Grammar.Expression(kind: .discard, range: token.range)
    case .dot: return parseImplicitMember()
    case .let, .var:
      guard bindsVariables != nil else { break }
      let pattern = parsePattern()
      report("expected a value, found a pattern", pattern.range)
      return missing()
    case .unknownCharacter: return parseForeign()
    case .unknownOperator:
      // It counts as a value, so that nothing is missing where it is.
      reportUnexpected(SyntaxMessage.expectedExpression)
      advance()
      return missing()
    default: break
    }
    reportMissing(SyntaxMessage.expectedExpression)
    return missing()
  }

  /// An `if` or a `switch` as a value.
  private mutating func parseChoice() -> Grammar.Expression {
    guard let statement = nested({ $0.parseStatement() }) else { return missing() }
    return Grammar.Expression(kind: .choice(statement), range: statement.range)
  }

  private mutating func parseImplicitMember() -> Grammar.Expression {
    let start = current.start
    advance()
    guard current.kind.isWord, !current.hasSpaceBefore else {
      if current.kind == .number && !current.hasSpaceBefore {
        report(
          SyntaxMessage.decimalWithoutZero, SourceRange(Int(start), Int(current.end)))
        advance()
      } else {
        reportMissing(SyntaxMessage.expectedMember)
      }
      return missing()
    }
    let name = parseName("a member")
    return Grammar.Expression(kind: .implicitMember(name), range: range(from: start))
  }

  private mutating func parseNameOrType() -> Grammar.Expression {
    let token = current
    let next = peek()
    if isWord(token, "any") || isWord(token, "some"), next.kind == .identifier,
      !next.isFirstOnLine, !isWord(next, "as"), !isWord(next, "is"), !isWord(next, "where")
    {
      let type = parseType()
      return Grammar.Expression(kind: .type(type), range: type.range)
    }
    advance()
    let name = text(token)
    if current.kind.startsOperand, !current.isFirstOnLine, current.hasSpaceBefore,
      SyntaxMessage.wordsForSigns[name] != nil
    {
      report(SyntaxMessage.otherWord(name) ?? "", token.range)
      return nested { $0.parsePrefix() } ?? missing()
    }
    if name.hasPrefix("$"), name.dropFirst().allSatisfy(\.isNumber) {
      if let number = Int(name.dropFirst()), number < GrammarParser.mostShorthands {
        if number >= shorthandCount {
          (shorthandCount, shorthandPlace) = (number + 1, token.range)
        }
      } else {
        report(SyntaxMessage.shorthandTooLarge, token.range)
      }
    }
    let arguments = parseExpressionTypeArguments()
    return Grammar.Expression(
      kind: .name(name, arguments), range: range(from: token.start))
  }

  private mutating func parseParentheses() -> Grammar.Expression {
    let start = current.start
    if let type = functionTypeInParentheses() { return type }
    let opening = current
    advance()
    let outer = bindsVariables
    bindsVariables = nil
    defer { bindsVariables = outer }
    let elements = parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
      $0.parseArgument()
    }
    let place = range(from: start)
    if elements.count == 1, elements[0].label == nil {
      return Grammar.Expression(kind: elements[0].value.kind, range: place)
    }
    return Grammar.Expression(kind: .tuple(elements), range: place)
  }

  /// `((Int) -> Void).self`, `((any Error)?).none`: a type in parentheses as a value.
  private mutating func functionTypeInParentheses() -> Grammar.Expression? {
    let next = peek()
    let isAttribute =
      next.kind == .unknownCharacter && bytes[Int(next.start)] == UInt8(ascii: "@")
    guard
      next.kind == .leftParenthesis || isAttribute || isWord(next, "any") || isWord(next, "some")
    else { return nil }
    return attempt { parser in
      let type = parser.parseType()
      guard parser.current.kind == .dot || parser.current.kind == .leftParenthesis else {
        return nil
      }
      switch type.kind {
      case .function, .any, .optional, .attributed: break
      default: return nil
      }
      return Grammar.Expression(kind: .type(type), range: type.range)
    }
  }

  private mutating func parseBrackets() -> Grammar.Expression {
    let start = current.start
    if let type = typeInBrackets() { return type }
    let opening = current
    advance()
    if current.kind == .colon, peek().kind == .rightBracket {
      advance()
      advance()
      return Grammar.Expression(kind: .dictionary([]), range: range(from: start))
    }
    let outer = bindsVariables
    bindsVariables = nil
    defer { bindsVariables = outer }
    let errors = diagnostics.count
    var values: [Grammar.Expression] = []
    var entries: [(key: Grammar.Expression, value: Grammar.Expression)] = []
    _ = parseList(until: .rightBracket, opening, SyntaxMessage.bracketEnd) { parser in
      let value = parser.parseExpression()
      if parser.consume(.colon) {
        entries.append((value, parser.parseExpression()))
      } else {
        values.append(value)
      }
    }
    if !entries.isEmpty && !values.isEmpty && diagnostics.count == errors {
      report("an entry of a dictionary has a key and a value", values[0].range)
    }
    return Grammar.Expression(
      kind: entries.isEmpty ? .array(values) : .dictionary(entries), range: range(from: start))
  }

  /// `[Int]()`, `[String: Int].self`: a type in brackets as a value.
  private mutating func typeInBrackets() -> Grammar.Expression? {
    let next = peek()
    guard next.kind == .identifier || next.kind == .leftBracket || next.kind == .leftParenthesis
    else { return nil }
    return attempt { parser in
      let start = parser.current.start
      let type = parser.parseType()
      guard parser.isTypeBehindBracket(type, start) else { return nil }
      switch parser.current.kind {
      case .leftParenthesis where !parser.current.isFirstOnLine, .dot:
        return Grammar.Expression(kind: .type(type), range: type.range)
      default: return nil
      }
    }
  }

  /// Whether what was read as a type in brackets can be one: `[items]` is no type, `[Item]()` is.
  private func isTypeBehindBracket(_ type: Grammar.TypeSyntax, _ start: Int32) -> Bool {
    func isNamed(_ type: Grammar.TypeSyntax) -> Bool {
      switch type.kind {
      case .name(let name, _):
        name.first.map { $0.isUppercase } ?? false
      case .array(let inner), .optional(let inner), .implicit(let inner), .metatype(let inner):
        isNamed(inner)
      case .dictionary(let key, let value): isNamed(key) && isNamed(value)
      case .tuple(let elements): !elements.isEmpty && elements.allSatisfy { isNamed($0.type) }
      case .member(_, let name, _): name.text.first.map { $0.isUppercase } ?? false
      case .function, .any, .some, .composition, .attributed: true
      case .missing: false
      }
    }
    guard isNamed(type) else { return false }
    // `[Color.red].map` is an array of a value; its last member is no type, and was not read as one.
    return bytes[Int(previousEnd) - 1] == UInt8(ascii: "]")
      || bytes[Int(previousEnd) - 1] == UInt8(ascii: "?")
  }

  /// What begins with a sign that is no operator.
  mutating func parseForeign() -> Grammar.Expression {
    let token = current
    let first = bytes[Int(token.start)]
    if first == UInt8(ascii: "\\") { return parseKeyPath() }
    if first == UInt8(ascii: "#") {
      if let text = parseRawString() { return text }
      if isHashComment {
        report(SyntaxMessage.hash, token.range)
        skipToStatementEnd()
        return missing()
      }
      let word = text(token)
      if word == "#" {
        report(SyntaxMessage.foreign(word), token.range)
        while !current.isFirstOnLine || current.start == token.start, current.kind != .endOfFile {
          advance()
        }
        return missing()
      }
      advance()
      if current.kind == .leftParenthesis, !current.hasSpaceBefore { _ = parseRawArgument() }
      return Grammar.Expression(kind: .foreign(word), range: range(from: token.start))
    }
    reportUnexpected(SyntaxMessage.expectedExpression)
    advance()
    return missing()
  }

  /// What the root of a key path is called in it: no name that a program can write.
  static let keyPathRoot = "\\"

  mutating func parseKeyPath() -> Grammar.Expression {
    let start = current.start
    lexer.position = Int(start) + 1
    advance()
    let type = current.kind == .dot ? nil : parseType()
    let root = Grammar.Expression(
      kind: .name(GrammarParser.keyPathRoot, []), range: range(from: start))
    let path = parseLinks(of: root, start, isKeyPath: true)
    return Grammar.Expression(kind: .keyPath(root: type, path), range: range(from: start))
  }
}
