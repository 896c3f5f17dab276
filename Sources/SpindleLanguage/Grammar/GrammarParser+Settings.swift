import SpindleModel

/// The parts of a trace that are no code: settings, parameters, expectations and schedules.
extension GrammarParser {
  /// A part of a trace that no Swift file has: `main`, `machine`, `expect` …; nil for anything else.
  mutating func parseSection() -> Grammar.DeclarationKind? {
    guard isTrace else { return nil }
    let next = peek()
    let hasBlock = next.kind == .leftBrace || next.isFirstOnLine
    switch text(current) {
    case "main" where hasBlock || next.kind == .leftParenthesis: return parseMain()
    case "include" where next.kind == .string:
      skipInclusion()
      return .include
    case "trace" where next.kind != .leftParenthesis && next.kind != .dot:
      return .setting(parseTrace())
    case "machine" where hasBlock:
      advance()
      return .setting(.machine(parseSettings("'machine'")))
    case "machine" where next.kind == .leftParenthesis:
      report(SyntaxMessage.machineCall, current.range)
      skipToStatementEnd()
      return .missing
    case "explore" where next.kind == .leftBrace:
      advance()
      return .setting(.explore(parseSettings("'explore'")))
    case "expect" where hasBlock:
      advance()
      return .setting(.expect(parseExpectations()))
    case "schedule" where next.kind == .leftBrace: return .setting(.schedule(parseSchedule()))
    case "param" where next.kind == .identifier || next.kind.isKeyword:
      return .setting(parseParameter())
    default: return nil
    }
  }

  private mutating func parseMain() -> Grammar.DeclarationKind {
    advance()
    var isTool = false
    if current.kind == .leftParenthesis, !current.isFirstOnLine {
      let (start, errors) = (current.start, diagnostics.count)
      isTool = parseRawArgument() == ".tool"
      if !isTool, diagnostics.count == errors { report(Messages.mainMode, range(from: start)) }
    }
    return .main(isTool: isTool, parseBlock("'main'"))
  }

  private mutating func skipInclusion() {
    advance()
    while current.kind == .string {
      advance()
      if !consume(.comma) { break }
    }
    guard current.kind == .leftBrace, !current.isFirstOnLine else { return }
    let opening = current
    while !consume(.rightBrace) {
      guard current.kind != .endOfFile else { return reportUnclosedBrace(opening) }
      advance()
    }
  }

  /// `trace "title" { seed: 1 }`.
  private mutating func parseTrace() -> Grammar.Section {
    advance()
    var title: String?
    if current.kind == .string, !current.isFirstOnLine {
      let text = parseString()
      title = text.literalText
      if title == nil { report(SyntaxMessage.titleWithValue, text.range) }
    } else if current.kind == .leftBrace || current.isFirstOnLine {
      reportMissing { _ in SyntaxMessage.traceTitle }
    } else {
      reportUnexpected { _ in SyntaxMessage.traceTitle }
      skipToBlock()
    }
    guard current.kind == .leftBrace else { return .trace(title: title, []) }
    return .trace(title: title, parseSettings("'trace'"))
  }

  /// `param n = 6`, `param pool = "warm" in ["warm", "cold"]`.
  private mutating func parseParameter() -> Grammar.Section {
    advance()
    let name = parseDeclaredName("'param'")
    if current.kind == .colon {
      report(SyntaxMessage.parameterType, current.range)
      advance()
      _ = parseType()
    }
    guard consume(.assign) else {
      let place = current.range
      if !consume(.in) {
        reportMissing { _ in SyntaxMessage.bindingWithoutValue("param") }
      } else if !refuseValues(of: name, parseExpression()) {
        report(SyntaxMessage.bindingWithoutValue("param"), place)
      }
      return .parameter(name, value: missing(), allowed: nil)
    }
    let value = parseExpression()
    if current.kind == .comma && !current.isFirstOnLine {
      refuseList(of: name, from: value, in: value)
    } else if current.kind != .in {
      _ = refuseValues(of: name, value)
    }
    guard consume(.in) else { return .parameter(name, value: value, allowed: nil) }
    let allowed = parseExpression()
    if current.kind == .comma && !current.isFirstOnLine {
      refuseList(of: name, from: allowed, in: value)
    }
    return .parameter(name, value: value, allowed: allowed)
  }

  /// Reports several values behind each other, and reads them to the last.
  private mutating func refuseList(
    of name: Grammar.Name, from first: Grammar.Expression, in value: Grammar.Expression
  ) {
    let comma = current.range
    var last = first
    while current.kind == .comma && !current.isFirstOnLine {
      advance()
      last = parseExpression()
    }
    let all = text(Int(first.range.lowerBound), Int(last.range.upperBound))
    report(
      SyntaxMessage.parameterValues(name.text, first: text(value), all: "[\(all)]"), comma)
  }

  /// Reports an array or a range where a parameter has one value; whether it is one.
  private mutating func refuseValues(
    of name: Grammar.Name, _ values: Grammar.Expression
  ) -> Bool {
    let first: Grammar.Expression?
    switch values.kind {
    case .array(let elements): first = elements.first
    case .range(let from, _, _, _): first = from
    default: first = nil
    }
    guard let first else { return false }
    report(
      SyntaxMessage.parameterValues(name.text, first: text(first), all: text(values)), values.range)
    return true
  }

  private func text(_ expression: Grammar.Expression) -> String {
    text(Int(expression.range.lowerBound), Int(expression.range.upperBound))
  }

  /// `{ name: value; name: value }`.
  private mutating func parseSettings(_ what: String) -> [Grammar.Setting] {
    var settings: [Grammar.Setting] = []
    let opening = current
    guard consume(.leftBrace) else {
      reportMissing(SyntaxMessage.expectedBlock(what))
      return []
    }
    let isIndented = !isAtLineStart(current)
    while current.kind != .rightBrace {
      if current.kind == .endOfFile || endsBlock(isIndented: isIndented) {
        reportUnclosedBrace(opening)
        return settings
      }
      if consume(.semicolon) { continue }
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
    advance()
    return settings
  }

  private mutating func parseSetting() -> Grammar.Setting? {
    let token = current
    guard token.kind.isWord else {
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
    let name = Grammar.Name(text: text(token), range: token.range)
    return Grammar.Setting(name: name, value: parseExpression())
  }

  private mutating func parseExpectations() -> Grammar.Block {
    let outer = readsPercentages
    readsPercentages = true
    defer { readsPercentages = outer }
    return parseBlock("'expect'")
  }

  /// A `schedule` block, whose lines have a form of their own: what stands between its braces.
  private mutating func parseSchedule() -> SourceRange {
    advance()
    let opening = current
    while current.kind != .rightBrace && current.kind != .endOfFile { advance() }
    let inside = SourceRange(Int(opening.end), Int(max(opening.end, current.start)))
    if !consume(.rightBrace) { reportUnclosedBrace(opening) }
    return inside
  }

  /// The platform that the machine of a trace names; nil where it names none.
  ///
  /// An `#if` needs it, and may come before it in the text.
  static func platform(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var lexer = Lexer(bytes)
    var (token, depth, isMachine) = (lexer.next(), 0, false)
    func text(_ token: Token) -> String {
      String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
    }
    while token.kind != .endOfFile, token.kind != .unterminatedComment {
      if token.kind == .leftBrace { depth += 1 }
      if token.kind == .rightBrace { depth -= 1 }
      let word = token.kind == .identifier ? text(token) : ""
      token = lexer.next()
      if depth == 0, !word.isEmpty { isMachine = word == "machine" && token.kind == .leftBrace }
      guard depth == 1, isMachine, word == "platform", token.kind == .colon else { continue }
      token = lexer.next()
      if token.kind == .dot { token = lexer.next() }
      return text(token)
    }
    return nil
  }
}
