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
    let start = current.start
    var pattern = parsePatternHead()
    while true {
      if current.kind == .question, !current.hasSpaceBefore {
        advance()
        pattern = Grammar.Pattern(kind: .some(pattern), range: range(from: start))
      } else if isWord(current, "as"), current.kind == .identifier {
        advance()
        let type = parseType()
        pattern = Grammar.Pattern(kind: .asType(pattern, type), range: range(from: start))
      } else {
        return pattern
      }
    }
  }

  private mutating func parsePatternHead() -> Grammar.Pattern {
    let start = current.start
    switch current.kind {
    case .let, .var:
      let isVariable = current.kind == .var
      advance()
      return parseBoundPattern(isVariable: isVariable)
    case .underscore:
      advance()
      return Grammar.Pattern(kind: .any, range: range(from: start))
    case .leftParenthesis:
      advance()
      let elements = parseList(until: .rightParenthesis, "')'") { $0.parsePatternElement() }
      if elements.count == 1, elements[0].label == nil {
        return Grammar.Pattern(kind: elements[0].pattern.kind, range: range(from: start))
      }
      return Grammar.Pattern(kind: .tuple(elements), range: range(from: start))
    case .dot:
      advance()
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
      if let pattern = attempt({ $0.parseQualifiedCase(start) }) { return pattern }
    default: break
    }
    let value = parseExpression()
    return Grammar.Pattern(kind: .value(value), range: value.range)
  }

  /// Whether the name at hand is a type, of which a case follows: `let Stage.failed(code)`.
  var isOwnerNext: Bool { peek().kind == .dot }

  private mutating func parseQualifiedCase(_ start: Int32) -> Grammar.Pattern? {
    var owner = Grammar.Expression(kind: .name(text(current), []), range: current.range)
    advance()
    guard current.kind == .dot else { return nil }
    while true {
      advance()
      guard current.kind.isWord else { return nil }
      let name = parseName("a case")
      if current.kind == .dot {
        owner = Grammar.Expression(kind: .member(owner, name, []), range: range(from: start))
        continue
      }
      // Only what has patterns in it has to be a case; any other value is compared.
      guard current.kind == .leftParenthesis, !current.hasSpaceBefore else { return nil }
      return parseCasePattern(owner: owner, name, start)
    }
  }

  mutating func parseCasePattern(
    owner: Grammar.Expression?, _ name: Grammar.Name, _ start: Int32
  ) -> Grammar.Pattern {
    guard current.kind == .leftParenthesis, !current.hasSpaceBefore else {
      return Grammar.Pattern(kind: .enumCase(owner: owner, name, nil), range: range(from: start))
    }
    advance()
    let elements = parseList(until: .rightParenthesis, "')'") { $0.parsePatternElement() }
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
