import SpindleModel

/// Types as they are written.
extension GrammarParser {
  /// A type.
  mutating func parseType() -> Grammar.TypeSyntax {
    nested { $0.parseTypeAtDepth() } ?? missingType()
  }

  private func missingType() -> Grammar.TypeSyntax {
    Grammar.TypeSyntax(kind: .missing, range: SourceRange(Int(previousEnd), Int(previousEnd)))
  }

  private mutating func parseTypeAtDepth() -> Grammar.TypeSyntax {
    let start = current.start
    let (attributes, isInout) = parseTypeAttributes()
    let type = parseFunctionOrComposition()
    guard !attributes.isEmpty || isInout else { return type }
    return Grammar.TypeSyntax(
      kind: .attributed(type, attributes: attributes, isInout: isInout), range: range(from: start))
  }

  /// The words in front of a parameter's type that change nothing here.
  private static let parameterWords = WordSet(["sending", "borrowing", "consuming", "isolated"])

  /// What is in front of a type: attributes and words.
  private mutating func parseTypeAttributes() -> ([Grammar.Attribute], isInout: Bool) {
    var attributes: [Grammar.Attribute] = []
    var isInout = false
    while true {
      if isAttribute {
        attributes.append(parseAttribute())
      } else if isWord(current, "inout") && peek().kind != .comma {
        advance()
        isInout = true
      } else if isAmong(current, GrammarParser.parameterWords),
        startsType(peek())
      {
        let name = Grammar.Name(text: text(current), range: current.range)
        attributes.append(Grammar.Attribute(name: name))
        advance()
      } else if isWord(current, "nonisolated"), peek().kind == .leftParenthesis {
        var attribute = Grammar.Attribute(
          name: Grammar.Name(text: "nonisolated", range: current.range))
        advance()
        attribute.argument = parseRawArgument()
        attributes.append(attribute)
      } else {
        return (attributes, isInout)
      }
    }
  }

  private func startsType(_ token: Token) -> Bool {
    token.kind == .identifier || token.kind == .leftParenthesis || token.kind == .leftBracket
      || token.kind == .unknownCharacter
  }

  private mutating func parseFunctionOrComposition() -> Grammar.TypeSyntax {
    let start = current.start
    if isWord(current, "some") || isWord(current, "any"), startsType(peek()) {
      let isSome = isWord(current, "some")
      advance()
      let type = nested { $0.parseFunctionOrComposition() } ?? missingType()
      return Grammar.TypeSyntax(
        kind: isSome ? .some(type) : .any(type), range: range(from: start))
    }
    if current.kind == .leftParenthesis { return growing { $0.parseTupleOrFunction() } }
    var type = parsePostfixType()
    if current.kind == .bitAnd {
      var parts = [type]
      while consume(.bitAnd) { parts.append(parsePostfixType()) }
      type = Grammar.TypeSyntax(kind: .composition(parts), range: range(from: start))
    }
    return type
  }

  private mutating func parseTupleOrFunction() -> Grammar.TypeSyntax {
    let opening = current
    let start = current.start
    advance()
    let elements = parseList(until: .rightParenthesis, opening, SyntaxMessage.parenthesisEnd) {
      $0.parseTypeElement()
    }
    let before = (lexer: lexer, current: current, previousEnd: previousEnd)
    let (effects, thrown) = parseEffects()
    if current.kind == .arrow {
      advance()
      let result = parseType()
      return Grammar.TypeSyntax(
        kind: .function(
          parameters: elements, effects: effects, thrown: thrown, result: result),
        range: range(from: start))
    }
    (lexer, current, previousEnd) = before
    let place = range(from: start)
    let whole =
      elements.count == 1 && elements[0].label == nil
      ? elements[0].type
      : Grammar.TypeSyntax(kind: .tuple(elements), range: place)
    return parseTypeSuffixes(Grammar.TypeSyntax(kind: whole.kind, range: place), start)
  }

  private mutating func parseTypeElement() -> (label: Grammar.Name?, type: Grammar.TypeSyntax) {
    guard current.kind.isWord || current.kind == .underscore else { return (nil, parseType()) }
    let next = peek()
    if next.kind == .colon {
      let label = parseName("a label")
      advance()
      return (label.text == "_" ? nil : label, parseType())
    }
    if current.kind == .underscore, next.kind.isWord {
      // `(_ name: Int) -> Void`.
      advance()
      advance()
      _ = consume(.colon)
      return (nil, parseType())
    }
    return (nil, parseType())
  }

  private mutating func parsePostfixType() -> Grammar.TypeSyntax {
    growing { $0.parseTypeWithSuffixes() }
  }

  private mutating func parseTypeWithSuffixes() -> Grammar.TypeSyntax {
    let opening = current
    let start = current.start
    switch current.kind {
    case .leftBracket:
      advance()
      let first = parseType()
      var kind = Grammar.TypeKind.array(first)
      if consume(.colon) { kind = .dictionary(first, parseType()) }
      expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
      return parseTypeSuffixes(Grammar.TypeSyntax(kind: kind, range: range(from: start)), start)
    case .leftParenthesis: return parseTupleOrFunction()
    case .identifier:
      let name = text(current)
      advance()
      let arguments = current.kind == .less ? parseTypeArguments() : []
      return parseTypeSuffixes(
        Grammar.TypeSyntax(kind: .name(name, arguments), range: range(from: start)), start)
    case .bitNot:
      // `~Copyable`.
      advance()
      let type = nested { $0.parsePostfixType() } ?? missingType()
      return Grammar.TypeSyntax(kind: type.kind, range: range(from: start))
    case .underscore:
      advance()
      return Grammar.TypeSyntax(kind: .name("_", []), range: range(from: start))
    default:
      reportMissing(SyntaxMessage.expectedType)
      return missingType()
    }
  }

  /// `<Int, String>`, at its `<`.
  mutating func parseTypeArguments() -> [Grammar.TypeSyntax] {
    let errors = diagnostics.count
    advance()
    var arguments: [Grammar.TypeSyntax] = []
    while current.kind != .endOfFile {
      arguments.append(parseType())
      if !consume(.comma) { break }
    }
    if consumeClosingAngle() { return arguments }
    if diagnostics.count == errors {
      reportMissing(SyntaxMessage.expectedSign(">", "behind the types"))
    }
    // Only words and commas are skipped: what else follows may be right.
    while current.kind == .identifier || current.kind == .comma, !current.isFirstOnLine {
      advance()
      if consumeClosingAngle() { break }
    }
    return arguments
  }

  private mutating func parseTypeSuffixes(
    _ type: Grammar.TypeSyntax, _ start: Int32
  ) -> Grammar.TypeSyntax {
    var type = type
    while !current.isFirstOnLine || current.kind == .dot {
      switch current.kind {
      case .question where !current.hasSpaceBefore, .not where !current.hasSpaceBefore:
        let isImplicit = current.kind == .not
        advance()
        type = Grammar.TypeSyntax(
          kind: isImplicit ? .implicit(type) : .optional(type), range: range(from: start))
      case .coalesce where !current.hasSpaceBefore:
        advance()
        let inner = Grammar.TypeSyntax(kind: .optional(type), range: range(from: start))
        type = Grammar.TypeSyntax(kind: .optional(inner), range: range(from: start))
      case .unknownOperator where isSign("?."):
        // `Int?.self`: the point belongs to what follows.
        previousEnd = current.start + 1
        lexer.position = Int(current.start) + 1
        current = lexer.next()
        type = Grammar.TypeSyntax(kind: .optional(type), range: range(from: start))
      case .dot:
        let next = peek()
        guard next.kind.isWord, !isWord(next, "self"), !isWord(next, "init"), isTypeMember(next)
        else { return type }
        advance()
        let name = parseName("a type")
        if name.text == "Type" || name.text == "Protocol" {
          type = Grammar.TypeSyntax(kind: .metatype(type), range: range(from: start))
          break
        }
        let arguments = current.kind == .less ? parseTypeArguments() : []
        type = Grammar.TypeSyntax(
          kind: .member(type, name, arguments), range: range(from: start))
      default: return type
      }
      if !grow() { break }
    }
    return type
  }

  /// Whether the name of a member begins with a capital letter, as types do.
  func isTypeMember(_ token: Token) -> Bool {
    let first = bytes[Int(token.start)]
    return first >= UInt8(ascii: "A") && first <= UInt8(ascii: "Z")
  }

  /// `async throws(E)`, in front of an arrow or a body.
  mutating func parseEffects() -> (Grammar.Effects, Grammar.TypeSyntax?) {
    var effects = Grammar.Effects()
    var thrown: Grammar.TypeSyntax?
    while true {
      if consume(word: "async") || consume(word: "reasync") {
        effects.isAsync = true
      } else if consume(word: "rethrows") {
        (effects.isThrowing, effects.isRethrowing) = (true, true)
      } else if current.kind == .identifier, isWord(current, "throws") {
        advance()
        effects.isThrowing = true
        if current.kind == .leftParenthesis {
          let opening = current
          advance()
          let type = parseType()
          thrown = type
          if case .name("Never", _) = type.kind { effects.isThrowing = false }
          expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
        }
      } else {
        return (effects, thrown)
      }
    }
  }

  // MARK: Attributes

  /// Whether an attribute begins here.
  var isAttribute: Bool {
    current.kind == .unknownCharacter && bytes[Int(current.start)] == UInt8(ascii: "@")
  }

  /// The attributes of types that take no arguments: a parenthesis behind them begins the type.
  private static let bareAttributes: Set = ["escaping", "Sendable", "autoclosure"]

  /// `@Sendable`, `@builtin(add)`, `@TaskLocal`.
  mutating func parseAttribute() -> Grammar.Attribute {
    let token = current
    let name = Grammar.Name(
      text: text(Int(token.start) + 1, Int(token.end)),
      range: SourceRange(Int(token.start), Int(token.end)))
    advance()
    var attribute = Grammar.Attribute(name: name)
    if current.kind == .less { attribute.typeArguments = parseTypeArguments() }
    if current.kind == .leftParenthesis, !current.hasSpaceBefore,
      !GrammarParser.bareAttributes.contains(name.text)
    {
      let start = Int(current.end)
      if attribute.mayBeWrapper, let arguments = parseAttributeArguments() {
        (attribute.arguments, attribute.argument) = (arguments, text(start, Int(previousEnd) - 1))
      } else {
        attribute.argument = parseRawArgument()
      }
    }
    return attribute
  }

  /// The arguments of a property wrapper; nil where something else is in the parentheses.
  private mutating func parseAttributeArguments() -> [Grammar.Argument]? {
    attempt { parser in
      let opening = parser.current
      parser.advance()
      return parser.parseList(until: .rightParenthesis, opening, SyntaxMessage.argumentEnd) {
        $0.parseArgument()
      }
    }
  }

  /// The text between parentheses that are balanced.
  mutating func parseRawArgument() -> String {
    let start = Int(current.end)
    var behind = (lexer: lexer, current: current, previousEnd: previousEnd)
    var open = 0
    while current.kind != .endOfFile {
      if current.kind == .leftParenthesis { open += 1 }
      if current.kind == .rightParenthesis { open -= 1 }
      let end = Int(current.start)
      advance()
      if open == 0 { return text(start, end) }
    }
    // It is missing on its line, most likely.
    while true {
      behind.previousEnd = behind.current.end
      behind.current = behind.lexer.next()
      if behind.current.isFirstOnLine || behind.current.kind == .leftBrace { break }
    }
    guard !isSilent else { return "" }
    (lexer, current, previousEnd) = behind
    reportMissing(SyntaxMessage.parenthesisEnd(opening: line(of: Int32(start))))
    return ""
  }

  /// Splits a sign that begins with `>` so that the `>` alone closes a list of type arguments.
  mutating func consumeClosingAngle() -> Bool {
    switch current.kind {
    case .greater:
      advance()
      return true
    case .shiftRight, .greaterOrEqual, .shiftRightAssign:
      previousEnd = current.start + 1
      lexer.position = Int(current.start) + 1
      current = lexer.next()
      return true
    default: return false
    }
  }
}
