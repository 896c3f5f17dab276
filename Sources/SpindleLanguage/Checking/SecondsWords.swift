import SpindleModel

/// Which values of a trace Swift counts in seconds: those whose type is written `TimeInterval`, those that
/// `timeIntervalSince…` gives, and those that come from one of them.
///
/// It goes by the words of the text, and is asked of mistakes only.
struct SecondsWords {
  private let bytes: [UInt8]
  private let tokens: [Token]
  /// The names, labels and functions that have, take or give such a value.
  private var words: Set<String> = []

  /// Reads all of a text.
  init(_ source: SourceText) {
    bytes = source.utf8
    var found: [Token] = []
    bytes.withUnsafeBufferPointer { buffer in
      var lexer = Lexer(buffer)
      var token = lexer.next()
      while token.kind != .endOfFile {
        found.append(token)
        token = lexer.next()
      }
    }
    tokens = found
    for index in tokens.indices where isType(index) { noteType(at: index) }
    for index in tokens.indices { noteValue(at: index) }
  }

  /// Whether a number at a place is one of seconds.
  func areSeconds(at place: SourceRange) -> Bool {
    guard let index = tokens.firstIndex(where: { $0.end > place.lowerBound }) else { return false }
    let first = statement(before: index)
    let whole = first...statement(behind: index)
    if whole.contains(where: { text($0) == "Duration" }) { return false }
    if whole.contains(where: isInSeconds) { return true }
    let opensBody = first > 0 && tokens[first - 1].kind == .leftBrace
    return (opensBody || tokens[first].kind == .return) && isResult(at: first)
  }

  // MARK: Words

  private func text(_ index: Int) -> String {
    let token = tokens[index]
    return String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }

  private func isType(_ index: Int) -> Bool {
    tokens[index].kind == .identifier && ["TimeInterval", "CFTimeInterval"].contains(text(index))
  }

  private func isInSeconds(_ index: Int) -> Bool {
    guard tokens[index].kind == .identifier else { return false }
    let word = text(index)
    return isType(index) || word.hasPrefix("timeInterval") || words.contains(word)
  }

  /// Notes what is declared with the type at `index`: `name: [String: TimeInterval]`, `f() -> TimeInterval`.
  private mutating func noteType(at index: Int) {
    var index = index - 1
    while index > 0 {
      switch tokens[index].kind {
      case .leftBracket, .leftParenthesis, .less, .question, .identifier, .unknownCharacter:
        index -= 1
      case .comma: index = opening(before: index)
      case .arrow:
        index -= 1
        while index > 0, tokens[index].kind == .identifier { index -= 1 }
        guard tokens[index].kind == .rightParenthesis else { return }
        index = opening(before: index) - 1
        guard index > 1, tokens[index].kind == .identifier else { continue }
        if text(index - 1) == "func" {
          words.insert(text(index))
          return
        }
      case .colon:
        if index > 1, tokens[index - 2].kind == .leftBracket {
          index -= 2
          continue
        }
        return noteName(at: index - 1)
      default: return
      }
    }
  }

  /// Notes a name in front of a type; of a parameter also the label, or where it has none the function.
  private mutating func noteName(at index: Int) {
    words.insert(text(index))
    guard index > 0 else { return }
    if tokens[index - 1].kind == .identifier { words.insert(text(index - 1)) }
    guard tokens[index - 1].kind == .underscore else { return }
    let function = opening(before: index) - 1
    if function >= 0 { words.insert(text(function)) }
  }

  /// Notes `let name = …` and `for name in …` where what follows is in seconds.
  private mutating func noteValue(at index: Int) {
    guard index + 3 < tokens.count, tokens[index + 1].kind == .identifier else { return }
    switch (tokens[index].kind, tokens[index + 2].kind) {
    case (.let, .assign), (.var, .assign), (.for, .in): break
    default: return
    }
    let value = index + 3...max(index + 3, statement(behind: index + 3))
    if value.contains(where: isInSeconds) { words.insert(text(index + 1)) }
  }

  // MARK: Places

  /// The bracket that is open in front of a token; -1 for none.
  private func opening(before index: Int) -> Int {
    var (index, depth) = (index - 1, 0)
    while index >= 0 {
      switch tokens[index].kind {
      case .rightParenthesis, .rightBracket, .rightBrace: depth += 1
      case .leftParenthesis, .leftBracket, .leftBrace, .less:
        if depth == 0 { return index }
        if tokens[index].kind != .less { depth -= 1 }
      default: break
      }
      index -= 1
    }
    return -1
  }

  /// Whether a line that ends before the token at `index` goes on with it.
  private func continues(at index: Int) -> Bool {
    guard tokens[index].isFirstOnLine else { return true }
    switch tokens[index].kind {
    case .dot, .question, .colon, .coalesce, .rightParenthesis, .rightBracket: return true
    default: break
    }
    switch tokens[index - 1].kind {
    case .comma, .leftParenthesis, .leftBracket, .assign, .question, .colon, .coalesce, .arrow,
      .plus,
      .minus, .star, .slash:
      return true
    default: return false
    }
  }

  /// The first token of the statement that a token is in.
  private func statement(before index: Int) -> Int {
    var (index, depth) = (index, 0)
    while index > 0, depth > 0 || continues(at: index) {
      switch tokens[index - 1].kind {
      case .rightParenthesis, .rightBracket: depth += 1
      case .leftParenthesis, .leftBracket: depth = max(0, depth - 1)
      case .rightBrace where depth == 0, .leftBrace where depth == 0, .semicolon where depth == 0:
        return index
      default: break
      }
      index -= 1
    }
    return index
  }

  /// The last token of the statement, or of the head of it, that a token is in.
  private func statement(behind index: Int) -> Int {
    var index = index
    while index + 1 < tokens.count, continues(at: index + 1) {
      switch tokens[index + 1].kind {
      case .leftBrace, .rightBrace, .semicolon: return index
      default: index += 1
      }
    }
    return index
  }

  /// Whether a statement is in the body of something whose result is in seconds.
  private func isResult(at index: Int) -> Bool {
    var brace = opening(before: index)
    while brace > 0 {
      if tokens[brace].kind == .leftBrace {
        if tokens[statement(before: brace)..<brace].contains(where: { $0.kind == .func }) {
          break
        }
        if isType(brace - 1) { return true }
      }
      brace = opening(before: brace)
    }
    guard brace > 1 else { return false }
    return isType(tokens[brace - 1].kind == .question ? brace - 2 : brace - 1)
  }
}
