import SpindleModel

/// Declarations, at the top, in types and in bodies.
extension GrammarParser {
  /// The words that are modifiers of a declaration.
  static let modifierWords: Set<String> = [
    "private", "fileprivate", "internal", "public", "open", "package", "static", "final",
    "override",
    "mutating", "nonmutating", "lazy", "weak", "unowned", "nonisolated", "isolated", "indirect",
    "convenience", "required", "dynamic", "async", "distributed", "prefix", "postfix", "infix",
    "optional", "borrowing", "consuming",
  ]
  /// The words that begin a declaration.
  static let keywords: Set<String> = [
    "let", "var", "func", "init", "deinit", "subscript", "class", "struct", "enum", "actor",
    "protocol", "extension", "typealias", "associatedtype", "case", "import", "operator",
    "precedencegroup", "macro",
  ]

  // MARK: The top

  /// All declarations and statements of a text.
  mutating func parseTop() -> [Grammar.Declaration] {
    var declarations: [Grammar.Declaration] = []
    var branches = ConditionalBranches()
    while current.kind != .endOfFile {
      if current.kind == .semicolon {
        advance()
        continue
      }
      if skipsConditionalBranch(&branches) { continue }
      let before = current.start
      declarations.append(parseTopDeclaration())
      if current.start == before { advance() }
    }
    return declarations
  }

  private mutating func parseTopDeclaration() -> Grammar.Declaration {
    let start = current.start
    if current.kind == .identifier, let kind = parseSection() {
      return Grammar.Declaration(
        kind: kind, modifiers: Grammar.Modifiers(), range: range(from: start))
    }
    if startsDeclaration { return parseDeclaration() }
    let statement = parseStatement()
    return Grammar.Declaration(
      kind: .statement(statement), modifiers: Grammar.Modifiers(), range: statement.range)
  }

  /// A part of a trace that no Swift file has: `main`, `machine`, `expect` …; nil for anything else.
  private mutating func parseSection() -> Grammar.DeclarationKind? {
    if hasSwift, source.isSwift(at: current.start) { return nil }
    let name = Grammar.Name(text: text(current), range: current.range)
    let next = peek()
    switch name.text {
    case "main":
      guard next.kind == .leftBrace || next.kind == .leftParenthesis else { return nil }
      advance()
      var isTool = false
      if current.kind == .leftParenthesis {
        let argument = parseRawArgument()
        isTool = argument == ".tool"
        if !isTool { report(Messages.mainMode, current.range) }
      }
      return .main(isTool: isTool, parseBlock("'main'"))
    case "trace":
      guard next.kind == .string || next.kind == .leftBrace else { return nil }
      advance()
      if current.kind == .string { advance() }
    case "include":
      guard next.kind == .string else { return nil }
      advance()
      while current.kind == .string {
        advance()
        if !consume(.comma) { break }
      }
      if current.kind == .leftBrace, !current.isFirstOnLine { skipBraces() }
      return .include
    case "machine", "expect", "schedule", "explore":
      guard next.kind == .leftBrace else { return nil }
      advance()
    case "param":
      guard next.kind == .identifier else { return nil }
      advance()
      var open = 0
      while !current.isFirstOnLine || open > 0, current.kind != .endOfFile {
        if current.kind == .leftBracket { open += 1 }
        if current.kind == .rightBracket { open -= 1 }
        advance()
      }
      return .setting(name)
    default: return nil
    }
    if current.kind == .leftBrace { skipBraces() }
    return .setting(name)
  }

  mutating func skipBraces() {
    var open = 0
    while current.kind != .endOfFile {
      if current.kind == .leftBrace { open += 1 }
      if current.kind == .rightBrace { open -= 1 }
      advance()
      if open == 0 { return }
    }
  }

  // MARK: Any declaration

  /// Whether a declaration begins here.
  var startsDeclaration: Bool {
    switch current.kind {
    case .let, .var, .func: return true
    case .unknownCharacter: return isAttribute
    case .identifier: break
    default: return false
    }
    let word = text(current)
    if GrammarParser.keywords.contains(word) {
      switch word {
      case "init", "deinit", "subscript", "case": return true
      case "actor", "macro", "operator":
        return peek().kind == .identifier
      default: return peek().kind.isWord || peek().kind == .unknownOperator
      }
    }
    guard GrammarParser.modifierWords.contains(word) else { return false }
    let next = peek()
    if next.kind == .leftParenthesis { return hasModifierWithArgument }
    if next.kind == .let || next.kind == .var || next.kind == .func { return true }
    guard next.kind == .identifier else { return next.kind == .unknownCharacter }
    let following = text(next)
    return GrammarParser.keywords.contains(following)
      || GrammarParser.modifierWords.contains(following)
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
    switch current.kind {
    case .let, .var: return .variable(parseVariable())
    case .func: return .function(parseFunction())
    case .identifier: break
    default:
      reportExpected("a declaration")
      return .missing
    }
    let word = text(current)
    switch word {
    case "init": return parseInitializer()
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
      let name = parseName("a type")
      let generics = parseGenericParameters()
      expect(.assign, "'='")
      return .typeAlias(name, generics, parseType())
    case "associatedtype":
      advance()
      let name = parseName("a type")
      var bounds: [Grammar.TypeSyntax] = []
      if consume(.colon) { bounds = parseBounds() }
      if consume(.assign) { _ = parseType() }
      _ = parseRequirements()
      return .associatedType(name, bounds)
    case "import":
      while !current.isFirstOnLine || isWord(current, "import") {
        advance()
        if current.isFirstOnLine || current.kind == .endOfFile { break }
      }
      return .missing
    default:
      reportExpected("a declaration")
      return .missing
    }
  }

  // MARK: Variables

  private mutating func parseVariable() -> Grammar.Variable {
    let isLet = current.kind == .let
    advance()
    var variable = Grammar.Variable(isLet: isLet, entries: [])
    repeat {
      let start = current.start
      let pattern = parseBoundPattern(isVariable: !isLet)
      var entry = Grammar.Variable.Entry(
        pattern: pattern, type: nil, value: nil, accessors: nil, range: pattern.range)
      if consume(.colon) { entry.type = parseType() }
      if consume(.assign) {
        entry.value = parseInitialValue()
      }
      if current.kind == .leftBrace, !current.isFirstOnLine || entry.value == nil {
        entry.accessors = parseAccessors()
      }
      entry.range = range(from: start)
      variable.entries.append(entry)
    } while consume(.comma)
    return variable
  }

  /// The initial value of a variable, which observers in braces may follow.
  private mutating func parseInitialValue() -> Grammar.Expression {
    let outer = allowsTrailingClosures
    defer { allowsTrailingClosures = outer }
    if hasObserversAhead() { allowsTrailingClosures = false }
    return parseExpression()
  }

  /// Whether the first brace on this line is one of observers.
  private func hasObserversAhead() -> Bool {
    var ahead = lexer
    var token = current
    var open = 0
    while token.kind != .endOfFile, !token.isFirstOnLine || token.start == current.start {
      switch token.kind {
      case .leftParenthesis, .leftBracket: open += 1
      case .rightParenthesis, .rightBracket: open -= 1
      case .leftBrace where open == 0:
        let first = ahead.next()
        return isWord(first, "didSet") || isWord(first, "willSet")
      case .semicolon, .rightBrace: return false
      default: break
      }
      token = ahead.next()
    }
    return false
  }

  /// `{ get set }`, `{ get { } set { } }`, `{ willSet { } didSet { } }`, or the body of a getter.
  mutating func parseAccessors() -> Grammar.Accessors {
    let start = current.start
    if let accessors = attempt({ $0.parseNamedAccessors() }) { return accessors }
    let body = parseBlock("a computed property")
    return Grammar.Accessors(getter: body, range: range(from: start))
  }

  private mutating func parseNamedAccessors() -> Grammar.Accessors? {
    let start = current.start
    advance()
    var accessors = Grammar.Accessors(range: SourceRange(Int(start), Int(start)))
    var count = 0
    while current.kind != .rightBrace {
      while isAttribute { _ = parseAttribute() }
      while isWord(current, "mutating") || isWord(current, "nonmutating")
        || isWord(current, "nonisolated")
      {
        advance()
      }
      guard current.kind == .identifier else { return nil }
      let word = text(current)
      guard ["get", "set", "willSet", "didSet", "_read", "_modify"].contains(word) else {
        return nil
      }
      advance()
      var name: Grammar.Name?
      if current.kind == .leftParenthesis {
        guard word != "get" else { return nil }
        advance()
        name = parseName("a name")
        guard consume(.rightParenthesis) else { return nil }
      }
      let (effects, _) = parseEffects()
      let next = current.kind
      guard next == .leftBrace || next == .rightBrace || next == .identifier || isAttribute else {
        return nil
      }
      count += 1
      let body = next == .leftBrace ? parseBlock("'\(word)'") : nil
      switch word {
      case "get", "_read":
        (accessors.getter, accessors.getterEffects) = (body, effects)
        if body == nil { accessors.isRequirement = true }
      case "set", "_modify":
        (accessors.setter, accessors.setterName) = (body, name)
        accessors.readsFirst = word == "_modify"
        if body == nil { (accessors.isRequirement, accessors.requiresSetter) = (true, true) }
      case "willSet": (accessors.willSet, accessors.willSetName) = (body, name)
      default: (accessors.didSet, accessors.didSetName) = (body, name)
      }
    }
    advance()
    guard count > 0 else { return nil }
    accessors.range = range(from: start)
    return accessors
  }

  // MARK: Type parameters

  mutating func parseGenericParameters() -> [Grammar.TypeParameter] {
    guard consume(.less) else { return [] }
    var parameters: [Grammar.TypeParameter] = []
    while current.kind == .identifier {
      if isWord(current, "each") { advance() }
      let name = parseName("a type parameter")
      var bounds: [Grammar.TypeSyntax] = []
      if consume(.colon) { bounds = parseBounds() }
      parameters.append(Grammar.TypeParameter(name: name, bounds: bounds))
      if !consume(.comma) { break }
    }
    if !consumeClosingAngle() { reportExpected("'>'") }
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
        reportExpected("':' or '=='")
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
