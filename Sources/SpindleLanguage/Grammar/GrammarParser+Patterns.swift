import SpindleModel

/// Patterns.
extension GrammarParser {
  /// A pattern, in which names are bound behind `let` and `var` only.
  mutating func parsePattern() -> Grammar.Pattern {
    nested { $0.parsePatternAtDepth() }
      ?? Grammar.Pattern(kind: .missing, range: SourceRange(Int(previousEnd), Int(previousEnd)))
  }

  /// A pattern behind `let` or `var`: names in it are bound.
  mutating func parseBoundPattern(isVariable: Bool) -> Grammar.Pattern {
    let outer = bindsVariables
    bindsVariables = isVariable
    defer { bindsVariables = outer }
    return parsePattern()
  }

  private mutating func parsePatternAtDepth() -> Grammar.Pattern {
    growing { $0.parsePatternWithSuffixes() }
  }

  private mutating func parsePatternWithSuffixes() -> Grammar.Pattern {
    let start = current.start
    var pattern = parsePatternHead()
    repeat {
      if current.kind == .question, !current.hasSpaceBefore {
        advance()
        pattern = Grammar.Pattern(kind: .some(pattern), range: range(from: start))
      } else if current.kind == .coalesce, !current.hasSpaceBefore {
        // `x??` in a pattern is `x` twice in an optional.
        advance()
        let inner = Grammar.Pattern(kind: .some(pattern), range: range(from: start))
        pattern = Grammar.Pattern(kind: .some(inner), range: range(from: start))
      } else if isWord(current, "as"), current.kind == .identifier {
        advance()
        let type = parseType()
        pattern = Grammar.Pattern(kind: .asType(pattern, type), range: range(from: start))
      } else {
        return pattern
      }
    } while grow()
    return pattern
  }

  private mutating func parsePatternHead() -> Grammar.Pattern {
    let start = current.start
    switch current.kind {
    case .let, .var:
      let isVariable = current.kind == .var
      if bindsVariables != nil { report(SyntaxMessage.nestedBinding(text(current)), current.range) }
      advance()
      return parseBoundPattern(isVariable: isVariable)
    case .underscore:
      advance()
      return Grammar.Pattern(kind: .any, range: range(from: start))
    case .leftParenthesis: return parseTuplePattern()
    case .dot where startsRange: return parseValuePattern()
    case .dot:
      advance()
      guard current.kind.isWord, !current.hasSpaceBefore else {
        reportMissing(SyntaxMessage.expectedMember)
        return Grammar.Pattern(kind: .missing, range: range(from: start))
      }
      let name = parseName("a case")
      return parseCasePattern(owner: nil, name, start)
    case .identifier:
      if isWord(current, "is") {
        advance()
        return Grammar.Pattern(kind: .isType(parseType()), range: range(from: start))
      }
      if let bindsVariables, !isOwnerNext {
        let name = parseName("a name")
        return Grammar.Pattern(
          kind: .name(name, isVariable: bindsVariables), range: range(from: start))
      }
      if isOwnerNext, let (owner, name) = parseQualifiedCase(start) {
        return parseCasePattern(owner: owner, name, start)
      }
    case let kind where bindsVariables != nil && kind.isKeyword && !kind.isLiteral:
      report(SyntaxMessage.reservedName(text(current)), current.range)
      advance()
      return Grammar.Pattern(kind: .missing, range: range(from: start))
    default: break
    }
    return parseValuePattern()
  }

  private mutating func parseTuplePattern() -> Grammar.Pattern {
    let opening = current
    advance()
    let elements = parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
      $0.parsePatternElement()
    }
    let kind: Grammar.PatternKind =
      elements.count == 1 && elements[0].label == nil ? elements[0].pattern.kind : .tuple(elements)
    return Grammar.Pattern(kind: kind, range: range(from: opening.start))
  }

  private mutating func parseValuePattern() -> Grammar.Pattern {
    let outer = isInPattern
    isInPattern = true
    defer { isInPattern = outer }
    let value = parseExpression()
    return Grammar.Pattern(kind: .value(value), range: value.range)
  }

  /// Whether the name at hand is a type, of which a case follows: `let Stage.failed(code)`, `Box<Int>.full(let n)`.
  private var isOwnerNext: Bool {
    let next = peek()
    return next.kind == .dot || next.kind == .less && !next.hasSpaceBefore
  }

  /// Whether `.low...` is here: a range from a member of the type that is expected.
  private var startsRange: Bool {
    var ahead = lexer
    guard ahead.next().kind.isWord else { return false }
    let sign = text(ahead.next())
    return sign == "..." || sign == "..<"
  }

  /// `Stage.failed` in front of a `(`: only what has patterns in it has to be a case, any other value is compared.
  private mutating func parseQualifiedCase(
    _ start: Int32
  ) -> (owner: Grammar.Expression, name: Grammar.Name)? {
    attempt { parser in
      let first = parser.parseName("a type")
      var owner = Grammar.Expression(
        kind: .name(first.text, parser.parseExpressionTypeArguments()),
        range: parser.range(from: start))
      while parser.current.kind == .dot, parser.grow() {
        parser.advance()
        guard parser.current.kind.isWord else { return nil }
        let name = parser.parseName("a case")
        if parser.current.kind == .leftParenthesis {
          return parser.current.hasSpaceBefore ? nil : (owner, name)
        }
        owner = Grammar.Expression(
          kind: .member(owner, name, parser.parseExpressionTypeArguments()),
          range: parser.range(from: start))
      }
      return nil
    }
  }

  mutating func parseCasePattern(
    owner: Grammar.Expression?, _ name: Grammar.Name, _ start: Int32
  ) -> Grammar.Pattern {
    guard current.kind == .leftParenthesis, !current.hasSpaceBefore else {
      return Grammar.Pattern(kind: .enumCase(owner: owner, name, nil), range: range(from: start))
    }
    let opening = current
    advance()
    let elements = parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
      $0.parsePatternElement()
    }
    return Grammar.Pattern(
      kind: .enumCase(owner: owner, name, elements), range: range(from: start))
  }

  private mutating func parsePatternElement() -> (label: Grammar.Name?, pattern: Grammar.Pattern) {
    guard current.kind.isWord, peek().kind == .colon else { return (nil, parsePattern()) }
    let label = parseName("a label")
    advance()
    return (label, parsePattern())
  }
}
