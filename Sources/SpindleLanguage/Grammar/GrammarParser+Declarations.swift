import SpindleModel

/// Declarations, at the top, in types and in bodies.
extension GrammarParser {
  /// The words that are modifiers of a declaration.
  static let modifierWords = WordSet([
    "private", "fileprivate", "internal", "public", "open", "package", "static", "final",
    "override",
    "mutating", "nonmutating", "lazy", "weak", "unowned", "nonisolated", "isolated", "indirect",
    "convenience", "required", "dynamic", "async", "distributed", "prefix", "postfix", "infix",
    "optional", "borrowing", "consuming",
  ])
  /// The words that begin a declaration.
  static let keywords = WordSet([
    "let", "var", "func", "init", "deinit", "subscript", "class", "struct", "enum", "actor",
    "protocol", "extension", "typealias", "associatedtype", "case", "import", "operator",
    "precedencegroup", "macro",
  ])

  // MARK: Any declaration

  /// Whether a declaration begins here.
  var startsDeclaration: Bool {
    switch current.kind {
    case .let, .var, .func: return true
    case .unknownCharacter: return isAttribute
    case .identifier: break
    default: return false
    }
    let isKeyword = isAmong(current, GrammarParser.keywords)
    guard isKeyword || isAmong(current, GrammarParser.modifierWords) else { return false }
    let word = text(current)
    if isKeyword {
      switch word {
      case "init", "deinit", "subscript", "case": return true
      case "actor", "macro", "operator": return peek().kind == .identifier
      default:
        // A type whose name is missing is one all the same: `class { … }`.
        let next = peek()
        return next.kind.isWord || next.kind == .unknownOperator
          || (next.kind == .leftBrace || next.kind == .number) && !next.isFirstOnLine
            && Grammar.TypeDeclaration.Keyword(rawValue: word) != nil && word != "actor"
      }
    }
    let next = peek()
    if next.kind == .leftParenthesis { return hasModifierWithArgument }
    if next.kind == .let || next.kind == .var || next.kind == .func { return true }
    guard next.kind == .identifier else { return next.kind == .unknownCharacter }
    return isAmong(next, GrammarParser.keywords) || isAmong(next, GrammarParser.modifierWords)
  }

  /// Whether `private(set)`, `nonisolated(unsafe)` or the like is next, followed by a declaration.
  var hasModifierWithArgument: Bool {
    var ahead = lexer
    guard ahead.next().kind == .leftParenthesis, ahead.next().kind == .identifier,
      ahead.next().kind == .rightParenthesis
    else { return false }
    let next = ahead.next()
    switch next.kind {
    case .let, .var, .func: return true
    case .unknownCharacter: return bytes[Int(next.start)] == UInt8(ascii: "@")
    case .identifier:
      let word = text(next)
      return GrammarParser.keywords.contains(word) || GrammarParser.modifierWords.contains(word)
    default: return false
    }
  }

  mutating func parseModifiers() -> Grammar.Modifiers {
    var modifiers = Grammar.Modifiers()
    while true {
      if isAttribute {
        modifiers.attributes.append(parseAttribute())
        continue
      }
      guard current.kind == .identifier else { return modifiers }
      let word = text(current)
      let isClassMember =
        word == "class"
        && (peek().kind == .func || peek().kind == .var || isWord(peek(), "override")
          || isWord(peek(), "subscript"))
      guard GrammarParser.modifierWords.contains(word) || isClassMember else { return modifiers }
      let name = Grammar.Name(text: word, range: current.range)
      advance()
      let argument = current.kind == .leftParenthesis ? parseRawArgument() : nil
      modifiers.words.append((name, argument))
    }
  }

  /// A declaration with its modifiers.
  mutating func parseDeclaration() -> Grammar.Declaration {
    let start = current.start
    let modifiers = parseModifiers()
    let kind = nested { $0.parseDeclarationKind(modifiers) } ?? .missing
    return Grammar.Declaration(kind: kind, modifiers: modifiers, range: range(from: start))
  }

  private mutating func parseDeclarationKind(
    _ modifiers: Grammar.Modifiers
  ) -> Grammar.DeclarationKind {
    let hasBody = needsBodies && !isInProtocol
    switch current.kind {
    case .let, .var: return .variable(parseVariable(modifiers))
    case .func:
      return .function(parseFunction(hasBody: hasBody))
    case .identifier: break
    default:
      reportMissing(SyntaxMessage.expectedDeclared)
      skipToStatementEnd()
      return .missing
    }
    let word = text(current)
    switch word {
    case "init": return parseInitializer(hasBody: hasBody)
    case "deinit":
      advance()
      return .deinitializer(parseBlock("'deinit'"))
    case "subscript": return .subscript(parseSubscript())
    case "class", "struct", "enum", "actor", "protocol":
      guard let keyword = Grammar.TypeDeclaration.Keyword(rawValue: word) else { return .missing }
      return .type(parseTypeDeclaration(keyword))
    case "extension": return parseExtension()
    case "case": return .enumCases(parseCases())
    case "typealias":
      advance()
      let name = parseDeclaredName("'typealias'")
      let generics = parseGenericParameters()
      expect(.assign, "=", "and a type")
      return .typeAlias(name, generics, parseType())
    case "associatedtype":
      advance()
      let name = parseDeclaredName("'associatedtype'")
      var bounds: [Grammar.TypeSyntax] = []
      if consume(.colon) {
        bounds = parseBounds()
        while consume(.comma) { bounds += parseBounds() }
      }
      if consume(.assign) { _ = parseType() }
      return .associatedType(name, bounds, parseRequirements())
    case "import":
      while !current.isFirstOnLine || isWord(current, "import") {
        advance()
        if current.isFirstOnLine || current.kind == .endOfFile { break }
      }
      return .missing
    case "operator", "precedencegroup":
      refuseOperatorDeclaration()
      return .missing
    default:
      reportMissing(SyntaxMessage.expectedDeclared)
      skipToStatementEnd()
      return .missing
    }
  }

  // MARK: Type parameters

  mutating func parseGenericParameters() -> [Grammar.TypeParameter] {
    guard consume(.less) else { return [] }
    var parameters: [Grammar.TypeParameter] = []
    while current.kind == .identifier {
      if isWord(current, "each") { advance() }
      let name = parseDeclaredName("a type parameter")
      var bounds: [Grammar.TypeSyntax] = []
      if consume(.colon) { bounds = parseBounds() }
      parameters.append(Grammar.TypeParameter(name: name, bounds: bounds))
      if !consume(.comma) { break }
    }
    if !consumeClosingAngle() {
      reportMissing(SyntaxMessage.expectedSign(">", "behind the type parameters"))
    }
    return parameters
  }

  mutating func parseBounds() -> [Grammar.TypeSyntax] {
    let type = parseType()
    if case .composition(let parts) = type.kind { return parts }
    return [type]
  }

  mutating func parseRequirements() -> [Grammar.Requirement] {
    guard isWord(current, "where"), current.kind == .identifier else { return [] }
    advance()
    var requirements: [Grammar.Requirement] = []
    repeat {
      let left = parseType()
      let isSameType = current.kind == .equal
      guard isSameType || current.kind == .colon else {
        reportMissing(SyntaxMessage.expectedSign("==", "or ':' between two types"))
        break
      }
      advance()
      for right in isSameType ? [parseType()] : parseBounds() {
        requirements.append(
          Grammar.Requirement(left: left, right: right, isSameType: isSameType))
      }
    } while consume(.comma)
    return requirements
  }
}
