import SpindleModel

/// What is not as it should be, told in one form everywhere.
extension GrammarParser {
  /// In the order of the text, and one for each place: a second one there follows from the first.
  var sortedDiagnostics: [Diagnostic] {
    // The standard sort does not promise to keep the order of equal offsets.
    let order = diagnostics.indices.sorted {
      (diagnostics[$0].range.lowerBound, $0) < (diagnostics[$1].range.lowerBound, $1)
    }
    var sorted: [Diagnostic] = []
    for index in order
    where sorted.last?.range.lowerBound != diagnostics[index].range.lowerBound
      && !followsFromOperator(diagnostics[index])
    {
      sorted.append(diagnostics[index])
    }
    return sorted
  }

  /// Reports that the current token is not what should be here.
  mutating func reportUnexpected(_ message: (_ found: String) -> String) {
    switch current.kind {
    case .unterminatedString:
      if let start = openValue(in: current) {
        report(SyntaxMessage.unterminatedValue, SourceRange(start, start + 2))
      } else {
        report(SyntaxMessage.unterminatedString, current.range)
      }
      // It took the rest of its line, so what is missing behind it is a consequence.
      lastError = current.end
    case .unknownCharacter, .unknownOperator:
      let text = text(current)
      report(SyntaxMessage.strange(text) ?? message("'\(text)'"), current.range)
    case .identifier:
      let word = text(current)
      report(SyntaxMessage.otherWord(word) ?? message("'\(word)'"), current.range)
    case .endOfFile:
      report(message("the end of the text"), current.range)
    default:
      let text = text(current)
      report(message(text.utf8.count <= 40 ? "'\(text)'" : "this"), current.range)
    }
  }

  /// Reports something that is missing: behind the last token when a new line follows, else here.
  mutating func reportMissing(_ message: (_ found: String) -> String) {
    if current.isFirstOnLine || current.kind == .endOfFile {
      report(message(""), SourceRange(Int(previousEnd), Int(previousEnd)))
    } else {
      reportUnexpected(message)
    }
  }

  /// The token `kind`, which has to follow.
  mutating func expect(_ kind: Token.Kind, _ sign: String, _ why: String) {
    if !consume(kind) { reportMissing(SyntaxMessage.expectedSign(sign, why)) }
  }

  // MARK: Names

  /// A member's name, a label or a case: any word.
  mutating func parseName(_ what: String) -> Grammar.Name {
    let token = current
    guard token.kind.isWord || token.kind == .underscore else {
      reportMissing(SyntaxMessage.expectedName(what))
      return Grammar.Name(text: "_", range: SourceRange(Int(token.start), Int(token.start)))
    }
    advance()
    return Grammar.Name(text: text(token), range: token.range)
  }

  /// A name that is declared here, which is no word of the language.
  mutating func parseDeclaredName(_ what: String) -> Grammar.Name {
    if current.kind.isKeyword { report(SyntaxMessage.reservedName(text(current)), current.range) }
    return parseName(what)
  }

  // MARK: Lists

  /// The elements of a list in brackets, separated by commas; `opening` has been read.
  mutating func parseList<Part>(
    until closing: Token.Kind, _ opening: Token, _ message: (Int) -> (String) -> String,
    _ read: (inout GrammarParser) -> Part
  ) -> [Part] {
    var parts: [Part] = []
    let outer = (allowsTrailingClosures, isInPattern)
    (allowsTrailingClosures, isInPattern) = (true, false)
    defer { (allowsTrailingClosures, isInPattern) = outer }
    while current.kind != closing && current.kind != .endOfFile {
      let start = current.start
      parts.append(read(&self))
      if !consume(.comma) { break }
      if current.start == start { break }
    }
    expectClosing(closing, opening, message)
    return parts
  }

  // MARK: Operators of one's own

  /// Passes over `infix operator |>` or `precedencegroup P { … }`, which no program may have.
  mutating func refuseOperatorDeclaration() {
    let isOperator = isWord(current, "operator")
    report(SyntaxMessage.ownOperator, current.range)
    if isOperator { noteOwnSign(from: Int(current.end)) }
    skipToStatementEnd()
  }

  /// Reports a function that is an operator of one's own.
  mutating func checkOperator(_ name: Grammar.Name) {
    let sign = name.text
    guard !["!", "~", "-", "+"].contains(sign), Precedence.of(sign) == nil,
      !(sign.hasSuffix("=") && Precedence.of(String(sign.dropLast())) != nil)
    else { return }
    if ownSigns.isEmpty { report(SyntaxMessage.ownOperator, name.range) }
    noteOwnSign(from: Int(name.range.lowerBound))
  }

  /// Notes the sign at or behind an offset, up to a space or what can't belong to it.
  private mutating func noteOwnSign(from offset: Int) {
    var start = offset
    while start < lexer.limit, bytes[start] == UInt8(ascii: " ") { start += 1 }
    var end = start
    while end < lexer.limit, bytes[end] > UInt8(ascii: " "), !"():,{".utf8.contains(bytes[end]),
      !bytes[end].isLetter
    {
      end += 1
    }
    if end > start { ownSigns.append(Array(bytes[start..<end])) }
  }

  /// Whether an error is in a line that uses an operator of one's own, and follows from that.
  private func followsFromOperator(_ diagnostic: Diagnostic) -> Bool {
    guard !ownSigns.isEmpty, diagnostic.message != SyntaxMessage.ownOperator else { return false }
    let line = source.lineNumber(at: diagnostic.range.lowerBound)
    let start = Int(source.lineStarts[line - 1])
    let end = line < source.lineStarts.count ? Int(source.lineStarts[line]) : bytes.count
    let text = bytes[start..<max(start, min(end, bytes.count))]
    return ownSigns.contains { sign in
      text.indices.contains { text[$0...].starts(with: sign) }
    }
  }

  // MARK: Texts without an end

  /// Goes on behind a text that is not closed: at the brackets in it that belong to what is around.
  mutating func resumeInText(_ token: Token) {
    let position = outerBrackets(in: token)
    if let position { lexer.position = position }
    advance()
    // An error there is a consequence of this one.
    if let position { (previousEnd, lastError) = (Int32(position), Int32(position)) }
  }

  /// Where the `\(` is that takes the end of a text for its own: `"\(n"`; nil when none does.
  private func openValue(in token: Token) -> Int? {
    guard token.flags.contains(.hasEscapes) else { return nil }
    var start: Int?
    var depth = 0
    for index in Int(token.start) + 1..<Int(token.end) {
      let before = bytes[index - 1]
      switch bytes[index] {
      case UInt8(ascii: "(") where depth > 0: depth += 1
      case UInt8(ascii: "(") where before == UInt8(ascii: "\\"): (start, depth) = (index - 1, 1)
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: "\"") where depth > 0:
        // Behind a value the quote ends the text; else it begins a text within the value.
        return before.isWordPart || before == UInt8(ascii: ")") ? start : nil
      default: break
      }
    }
    return nil
  }

  /// Where, in a text that is not closed, `)` and a brace are that nothing in it opens or closes.
  private func outerBrackets(in token: Token) -> Int? {
    // A longer one is not worth it: any text is read in linear time.
    guard token.end - token.start <= 1_000 else { return nil }
    var open: [Int] = []
    var brace: Int?
    for index in Int(token.start)..<Int(token.end) where brace == nil {
      if bytes[index] == UInt8(ascii: "{") {
        open.append(index)
      } else if bytes[index] == UInt8(ascii: "}"), open.popLast() == nil {
        brace = index
      }
    }
    guard var position = brace ?? open.first else { return nil }
    var closing: Int?
    while position > Int(token.start) {
      position -= 1
      if bytes[position] == UInt8(ascii: ")") {
        closing = position
      } else if bytes[position] != UInt8(ascii: " ") {
        break
      }
    }
    return closing
  }
}
