import SpindleModel

/// The top of a text.
extension GrammarParser {
  /// Where reading was, to go back there.
  private struct Mark {
    var offset: Int
    var lastError: Int32
    var errors: Int
  }

  /// All declarations and statements of a text.
  mutating func parseTop() -> [Grammar.Declaration] {
    var declarations: [Grammar.Declaration] = []
    var branches = ConditionalBranches()
    while true {
      if isUnwinding { resume() }
      if consume(.semicolon) { continue }
      if current.kind == .endOfFile { break }
      if skipsConditionalBranch(&branches) { continue }
      let mark = Mark(
        offset: Int(current.start), lastError: lastError, errors: diagnostics.count)
      declarationStart = current.start
      let declaration = parseTopDeclaration()
      if readsAgain {
        readsAgain = false
        isUnwinding = false
        diagnostics.removeSubrange(mark.errors...)
        lastError = mark.lastError
        go(to: mark.offset)
        continue
      }
      endDeclaration(from: mark)
      declarations.append(declaration)
    }
    reportOpen(branches)
    return declarations
  }

  private mutating func endDeclaration(from mark: Mark) {
    guard !isUnwinding else { return }
    let hasErrors = diagnostics.count > mark.errors
    if current.kind == .rightBrace {
      if !hasErrors { report(SyntaxMessage.unmatchedSign("}"), current.range) }
      while consume(.rightBrace) {}
    } else if !isSection {
      // `machine { cores: 2 } main { }` is as good on one line.
      endStatement(hasErrors: hasErrors)
    }
    if current.start == mark.offset { advance() }
  }

  private mutating func parseTopDeclaration() -> Grammar.Declaration {
    let start = current.start
    let kind: Grammar.DeclarationKind
    if current.kind == .identifier, let section = parseSection() {
      kind = section
    } else if startsDeclaration {
      return parseDeclaration()
    } else if isTrace {
      kind = parseStatementOfTrace()
    } else {
      kind = .statement(parseStatement())
    }
    return Grammar.Declaration(
      kind: kind, modifiers: Grammar.Modifiers(), range: range(from: start))
  }

  /// What is at the top of a trace and declares nothing: a call says what the world outside does, all else belongs
  /// in `main`.
  private mutating func parseStatementOfTrace() -> Grammar.DeclarationKind {
    switch current.kind {
    case .rightBrace, .rightParenthesis, .rightBracket:
      report(SyntaxMessage.unmatchedSign(text(current)), current.range)
      while current.kind == .rightBrace || current.kind == .rightParenthesis
        || current.kind == .rightBracket
      {
        advance()
      }
      return .missing
    case .if, .guard, .while, .repeat, .for, .do, .defer, .throw, .return, .break, .continue:
      return refuseStatement()
    case .identifier:
      if isWord(current, "switch") { return refuseStatement() }
      if let section = parseSectionWithoutBrace() { return section }
      return skipMisspelledDeclaration() ? .missing : parseTopExpression()
    case .number, .string, .unterminatedString, .leftParenthesis, .leftBracket, .dot, .minus,
      .not, .true, .false, .nil, .underscore:
      return parseTopExpression()
    case .unknownCharacter where !isHashComment && bytes[Int(current.start)] == UInt8(ascii: "#"):
      return parseTopExpression()
    default:
      reportUnexpected(SyntaxMessage.expectedDeclaration)
      skipToStatementEnd()
      return .missing
    }
  }

  private mutating func refuseStatement() -> Grammar.DeclarationKind {
    report(SyntaxMessage.statementAtTop(text(current)), current.range, belongsInMain: true)
    _ = parseStatement()
    return .missing
  }

  private mutating func parseTopExpression() -> Grammar.DeclarationKind {
    let errors = diagnostics.count
    let statement = parseStatement()
    guard diagnostics.count == errors else { return .missing }
    switch statement.kind {
    case .assignment(_, let sign, _):
      let place = sign?.range ?? assignmentPlace(in: statement)
      report(
        SyntaxMessage.statementAtTop(source.text(in: place)), place, belongsInMain: true)
      return .missing
    case .expression(let value):
      if isCall(value) || !(current.isFirstOnLine || current.kind == .semicolon) { break }
      report(SyntaxMessage.valueAtTop, value.range, belongsInMain: true)
      return .missing
    default: break
    }
    return .statement(statement)
  }

  /// The sign of an assignment, which is behind its target.
  private func assignmentPlace(in statement: Grammar.Statement) -> SourceRange {
    guard case .assignment(let target, _, _) = statement.kind else { return statement.range }
    var ahead = lexer
    ahead.position = Int(target.range.upperBound)
    return ahead.next().range
  }

  private func isCall(_ value: Grammar.Expression) -> Bool {
    switch value.kind {
    case .call, .foreign, .missing: true
    case .attempt(_, let inner), .await(let inner), .chain(let inner): isCall(inner)
    default: false
    }
  }

  /// A part of a trace whose brace is missing, where its word is alone on its line; nil for anything else.
  private mutating func parseSectionWithoutBrace() -> Grammar.DeclarationKind? {
    guard peek().isFirstOnLine else { return nil }
    let word = text(current)
    switch word {
    case "main":
      advance()
      return .main(isTool: false, parseBlock("'main'"))
    case "expect", "machine", "schedule", "explore":
      advance()
      reportMissing(SyntaxMessage.expectedBlock("'\(word)'"))
      go(to: nextDeclaration(from: Int(current.start)))
      return .missing
    default: return nil
    }
  }

  // MARK: Words at the top

  /// Notes a word at the top that is nearly one that begins a declaration, or that has settings
  /// behind it, and skips what belongs to it; whether there was one.
  private mutating func skipMisspelledDeclaration() -> Bool {
    let next = peek()
    guard !next.isFirstOnLine else { return false }
    let words: [String]
    switch next.kind {
    case .leftBrace: words = ["main", "machine", "expect"]
    case .string: words = ["trace"]
    case .identifier: words = ["param", "func", "let", "var"]
    default: return false
    }
    let word = text(current)
    if next.kind == .identifier, word == "parameter" || word == "parameters" {
      report(SyntaxMessage.unknownDeclaration(word, nearest: "param"), current.range)
    } else if let near = nearest(word, in: words) {
      report(SyntaxMessage.unknownDeclaration(word, nearest: near), current.range)
    } else if next.kind == .leftBrace, isSettingBehindBrace {
      reportUnexpected(SyntaxMessage.expectedDeclaration)
    } else {
      return false
    }
    skipToStatementEnd()
    return true
  }

  private var isSettingBehindBrace: Bool {
    var ahead = lexer
    _ = ahead.next()
    return ahead.next().kind == .identifier && ahead.next().kind == .colon
  }

  /// Whether the text declares a function of this name, which a word of a trace then is in a body.
  mutating func declares(_ word: String) -> Bool {
    if let known = declaredWords[word] { return known }
    let wanted = Array("func \(word)".utf8)
    var isDeclared = false
    var index = 0
    while !isDeclared, index + wanted.count < end {
      isDeclared =
        bytes[index] == wanted[0] && bytes[index + 5] == wanted[5]
        && bytes[index..<(index + wanted.count)].elementsEqual(wanted)
        && !bytes[index + wanted.count].isWordPart
      index += 1
    }
    declaredWords[word] = isDeclared
    return isDeclared
  }
}
