import SpindleModel

extension Parser {
  /// All declarations of a trace.
  mutating func parseDeclarations() -> [Declaration] {
    var declarations: [Declaration] = []
    while let declaration = nextDeclaration() { declarations.append(declaration) }
    return declarations
  }

  /// The next declaration of a trace; nil when there is none.
  ///
  /// Where `main` is handed out in pieces, its body is left to whoever asked for it.
  mutating func nextDeclaration() -> Declaration? {
    if !pendingDeclarations.isEmpty { return pendingDeclarations.removeFirst() }
    if isUnwinding { resume() }
    while consume(.semicolon) {}
    guard current.kind != .endOfFile else { return nil }
    let (start, errors) = (current.start, diagnostics.count)
    declarationStart = start
    let declaration = parseDeclaration()
    if openMain == nil { endDeclaration(start, hasErrors: diagnostics.count > errors) }
    return declaration
  }

  private mutating func endDeclaration(_ start: Int32, hasErrors: Bool) {
    guard !isUnwinding else { return }
    if current.kind == .rightBrace {
      reportUnmatchedBrace(hasErrors: hasErrors)
    } else {
      endStatement(hasErrors: hasErrors)
    }
    if current.start == start && current.kind != .endOfFile { advance() }
  }

  /// Whether a line behind `offset` begins with a word that declares a name at the top.
  ///
  /// Only a hint, which costs little: it sees neither indented words nor comments.
  func declaresNames(behind offset: Int32) -> Bool {
    for start in source.lineStarts[source.lineNumber(at: offset)...] where start < bytes.count {
      guard bytes[Int(start)].isLetter else { continue }
      var ahead = lexer
      ahead.position = Int(start)
      let word = ahead.next()
      switch word.kind {
      case .let, .var, .func: return true
      case .identifier, .unknownCharacter:
        if Parser.mayDeclareNames.contains(text(word)) { return true }
      default: break
      }
    }
    return false
  }

  /// Words that may begin the line of a declaration, beside those that are reserved.
  private static let mayDeclareNames: Set<String> = [
    "param", "class", "actor", "struct", "@globalActor", "final", "public", "private", "internal",
    "fileprivate", "open", "package",
    "nonisolated", "weak", "enum", "extension", "protocol", "typealias", "@MainActor", "@TaskLocal",
    "@objc", "@objcMembers",
  ]

  /// Opens the body of `main`, whose statements are then asked for one at a time.
  mutating func beginMain(_ opening: Token) -> OpenStatements {
    _ = descend()
    advance()
    return OpenStatements(opening: opening, isIndented: !isAtLineStart(current))
  }

  /// Goes on behind the body of `main`.
  mutating func endMain() {
    openMain = nil
    ascend()
    endDeclaration(declarationStart, hasErrors: !diagnostics.isEmpty)
  }

  private mutating func reportUnmatchedBrace(hasErrors: Bool) {
    if !hasErrors { report(SyntaxMessage.unmatchedSign("}"), current.range) }
    while current.kind == .rightBrace { advance() }
  }

  private mutating func parseDeclaration() -> Declaration {
    let start = current.start
    let kind: Declaration.Kind
    switch current.kind {
    case .func:
      let function = parseFunction()
      if function.name.text == "main" {
        report(SyntaxMessage.mainFunction, function.name.range)
        kind = .main(mode: nil, function.body)
      } else {
        kind = .function(function)
      }
    case .let, .var: kind = parseTopBinding()
    case .identifier: kind = parseNamedDeclaration()
    case .rightBrace, .rightParenthesis, .rightBracket:
      report(SyntaxMessage.unmatchedSign(text(current)), current.range)
      while current.kind == .rightBrace || current.kind == .rightParenthesis
        || current.kind == .rightBracket
      {
        advance()
      }
      kind = .missing
    case .if, .guard, .while, .repeat, .for, .do, .defer, .throw, .return, .break, .continue:
      report(SyntaxMessage.statementAtTop(text(current)), current.range, belongsInMain: true)
      _ = parseStatement()
      kind = .missing
    case .unknownCharacter where bytes[Int(start)] == UInt8(ascii: "@"):
      skipAttributes()
      if current.kind != .endOfFile && !isUnwinding { return parseDeclaration() }
      kind = .missing
    case .number, .string, .leftParenthesis, .leftBracket, .dot, .minus, .not, .true, .false, .nil,
      .underscore:
      kind = parseTopExpression()
    default:
      reportUnexpected(SyntaxMessage.expectedDeclaration)
      skipToStatementEnd()
      kind = .missing
    }
    return Declaration(kind: kind, range: range(from: start))
  }

  private mutating func parseTopBinding() -> Declaration.Kind {
    if startsComputed { return parseComputed() }
    var further: [Declaration] = []
    let (isolation, isTaskLocal) = (takeIsolation(), takeTaskLocal())
    guard var binding = parseBinding() else { return .missing }
    (binding.isolation, binding.isTaskLocal) = (isolation, isTaskLocal)
    parseObservers(of: &binding)
    further = takePairBindings().map {
      Declaration(kind: .binding($0), range: $0.name.range)
    }
    parseFurtherBindings(like: binding) { parser, next, place in
      further.append(Declaration(kind: .binding(next), range: place))
    }
    pendingDeclarations += further
    return .binding(binding)
  }

  /// A declaration that begins with a word that is not reserved.
  private mutating func parseNamedDeclaration() -> Declaration.Kind {
    let start = current.start
    if isName(current, "main"), let kind = parseMain() { return kind }
    if isName(current, "expect"), peek().kind == .leftBrace || peek().isFirstOnLine {
      advance()
      return .expect(parseBlock("'expect'"))
    }
    if isName(current, "schedule"), peek().kind == .leftBrace { return parseSchedule() }
    if isName(current, "explore"), peek().kind == .leftBrace {
      advance()
      return .explore(parseSettings("'explore'"))
    }
    if isName(current, "machine"), peek().kind == .leftBrace || peek().isFirstOnLine {
      advance()
      return .machine(parseSettings("'machine'"))
    }
    if isName(current, "machine"), peek().kind == .leftParenthesis {
      report(SyntaxMessage.machineCall, current.range)
      skipToStatementEnd()
      return .missing
    }
    if isName(current, "trace"), lexer.following(0) != UInt8(ascii: "("),
      lexer.following(0) != UInt8(ascii: ".")
    {
      return parseTrace()
    }
    if isName(current, "param"), peek().kind == .identifier || peek().kind.isKeyword {
      return parseParameter()
    }
    if isParameterWord {
      report(SyntaxMessage.unknownDeclaration(text(current), nearest: "param"), current.range)
      return parseParameter()
    }
    if isName(current, "weak"), peek().kind == .var || peek().kind == .let {
      return parseTopBinding()
    }
    if isName(current, "import") {
      skipToStatementEnd()
      return .missing
    }
    if isName(current, "nonisolated") {
      isolation = parseNonisolated()
      return parseDeclaration().kind
    }
    if let type = parseTypeDeclaration() { return .type(type) }
    if skipOperatorDeclaration() { return .missing }
    if isName(current, "switch") {
      report(SyntaxMessage.statementAtTop("switch"), current.range, belongsInMain: true)
      _ = parseStatement()
      return .missing
    }
    if skipForeignWords() && current.start == start {
      skipToStatementEnd()
      return .missing
    }
    guard current.start == start else { return parseDeclaration().kind }
    return skipMisspelledDeclaration() ? .missing : parseTopExpression()
  }

  private mutating func parseTopExpression() -> Declaration.Kind {
    let errors = diagnostics.count
    let expression = parseExpression()
    switch current.kind {
    case .assign, .plusAssign, .minusAssign, .starAssign, .slashAssign, .percentAssign,
      .shiftLeftAssign, .shiftRightAssign, .bitAndAssign, .bitOrAssign, .bitXorAssign:
      if diagnostics.count == errors {
        report(SyntaxMessage.statementAtTop(text(current)), current.range, belongsInMain: true)
      }
      skipToStatementEnd()
      return .missing
    default: break
    }
    if diagnostics.count == errors {
      guard case .call = expression.kind else {
        if current.isFirstOnLine || current.kind == .endOfFile {
          report(SyntaxMessage.valueAtTop, expression.range, belongsInMain: true)
        } else {
          reportUnexpected(SyntaxMessage.statementEnd)
        }
        return .missing
      }
    }
    return .call(expression)
  }
}

// MARK: Blocks with a meaning of their own

extension Parser {
  /// `main { }`, `main(.tool) { }`; nil when it is something else.
  private mutating func parseMain() -> Declaration.Kind? {
    let next = peek()
    guard next.kind == .leftBrace || next.kind == .leftParenthesis || next.isFirstOnLine else {
      return nil
    }
    advance()
    var mode: Expression?
    if current.kind == .leftParenthesis && !current.isFirstOnLine {
      let opening = current
      advance()
      mode = current.kind == .rightParenthesis ? nil : parseEnclosedExpression()
      expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    }
    if handsOutMain && current.kind == .leftBrace && diagnostics.isEmpty {
      openMain = current
      handsOutMain = false
      return .main(mode: mode, CodeBlock(statements: SyntaxList(), range: current.range))
    }
    return .main(mode: mode, parseBlock("'main'"))
  }

  private mutating func parseTrace() -> Declaration.Kind {
    advance()
    var title: String?
    if current.kind == .string && !current.isFirstOnLine {
      let range = current.range
      let text = parseString()
      if case .text(let only) = text.kind {
        title = only.text
      } else {
        report(SyntaxMessage.titleWithValue, range)
      }
    } else if current.kind == .leftBrace || current.isFirstOnLine {
      reportMissing { _ in SyntaxMessage.traceTitle }
    } else {
      reportUnexpected { _ in SyntaxMessage.traceTitle }
      skipToBlock()
    }
    guard current.kind == .leftBrace else { return .trace(title: title, settings: []) }
    return .trace(title: title, settings: parseSettings("'trace'"))
  }

  private mutating func parseParameter() -> Declaration.Kind {
    advance()
    let name = parseName("'param'")
    if current.kind == .colon {
      report(SyntaxMessage.parameterType, current.range)
      advance()
      _ = parseType()
    }
    var value = missing(at: previousEnd)
    if consume(.assign) {
      value = parseExpression()
    } else {
      reportMissing { _ in SyntaxMessage.bindingWithoutValue("param") }
    }
    let allowed = consume(.in) ? parseExpression() : nil
    return .parameter(name, value: value, allowed: allowed)
  }

  /// `{ name: value; name: value }`.
  private mutating func parseSettings(_ what: String) -> [Declaration.Setting] {
    var settings: [Declaration.Setting] = []
    let opening = current
    guard consume(.leftBrace) else {
      reportMissing(SyntaxMessage.expectedBlock(what))
      return []
    }
    let isIndented = !isAtLineStart(current)
    while true {
      switch current.kind {
      case .rightBrace:
        advance()
        return settings
      case .semicolon:
        advance()
        continue
      case .endOfFile:
        reportUnclosedBrace(opening)
        return settings
      default: break
      }
      if current.isFirstOnLine && startsDeclaration(inIndentedBlock: isIndented) {
        reportUnclosedBrace(opening)
        continue
      }
      let (start, errors) = (current.start, diagnostics.count)
      if let setting = parseSetting() { settings.append(setting) }
      if current.kind == .comma {
        report(SyntaxMessage.settingSeparator, current.range)
        advance()
      } else {
        endStatement(hasErrors: diagnostics.count > errors)
      }
      if current.start == start && current.kind != .endOfFile && current.kind != .rightBrace {
        advance()
      }
    }
  }

  private mutating func parseSetting() -> Declaration.Setting? {
    let name = current
    guard name.kind.isWord else {
      reportUnexpected(SyntaxMessage.settingForm)
      skipToStatementEnd()
      return nil
    }
    advance()
    if current.kind == .assign {
      report(SyntaxMessage.settingForm(""), current.range)
      advance()
    } else if !consume(.colon) {
      reportMissing(SyntaxMessage.settingForm)
      skipToStatementEnd()
      return nil
    }
    let value = parseExpression()
    return Declaration.Setting(name: Name(word: word(name), range: name.range), value: value)
  }
}

// MARK: Functions

extension Parser {
  /// `func name(label name: Type = value) -> Type { }`, of a type whose members run `around`.
  mutating func parseFunction(around: Isolation = .unspecified) -> Declaration.Function {
    let own = takeIsolation()
    let isolation = own.isUnspecified ? around : own
    let isDiscardable = takeDiscardable()
    advance()
    let name = parseFunctionName()
    if current.kind == .less {
      report(SyntaxMessage.typeParameters, current.range)
      while current.kind != .leftParenthesis && current.kind != .leftBrace && !current.isFirstOnLine
      {
        noteTypeParameter()
        advance()
      }
    }
    var parameters: [Declaration.Function.Parameter] = []
    if current.kind == .leftParenthesis {
      parameters = parseParameters()
    } else {
      reportMissing(SyntaxMessage.expectedSign("(", "and parameters behind the function's name"))
      skipToBlock()
    }
    let isAsync = skipEffects()
    let result = consume(.arrow) ? parseType() : nil
    if isName(current, "where") { skipToBlock() }
    let outer = isAwaiting
    let body = parseBlock("'func'")
    isAwaiting = outer
    return Declaration.Function(
      name: name, isolation: isolation, isAsync: isAsync, parameters: parameters, result: result,
      body: body, isDiscardable: isDiscardable)
  }
}
