import SpindleModel

/// Which values of a trace Swift counts in seconds: those whose type is written `TimeInterval`, those that
/// `timeIntervalSince…` gives, and those that come from one of them.
///
/// It goes by the words of the text, and is asked of mistakes only.
struct SecondsWords {
  private let bytes: [UInt8]
  private let tokens: [Token]
  private let places: TokenPlaces
  /// The names, labels and functions that have, take or give such a value.
  private var words: Set<String> = []
  /// How many tokens before each one are such words, say `Duration`, or are a `func`.
  private var (inSeconds, lengths, functions): ([Int32], [Int32], [Int32]) = ([0], [0], [0])

  /// Reads all of a text, in time that is linear in its length; each question is answered at once.
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
    (tokens, places) = (found, TokenPlaces(found))
    for index in tokens.indices where isType(index) { noteType(at: index) }
    for index in tokens.indices { noteValue(at: index) }
    for index in tokens.indices {
      inSeconds.append(inSeconds[index] + (isInSeconds(index) ? 1 : 0))
      lengths.append(lengths[index] + (text(index) == "Duration" ? 1 : 0))
      functions.append(functions[index] + (tokens[index].kind == .func ? 1 : 0))
    }
  }

  /// Whether a number at a place is one of seconds.
  func areSeconds(at place: SourceRange) -> Bool {
    var (index, end) = (0, tokens.count)
    while index < end {
      let middle = (index + end) / 2
      if tokens[middle].end > place.lowerBound { end = middle } else { index = middle + 1 }
    }
    guard index < tokens.count else { return false }
    let (first, behind) = (places.statements[index], places.ends[index] + 1)
    if lengths[behind] > lengths[first] { return false }
    if inSeconds[behind] > inSeconds[first] { return true }
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
      case .comma: index = places.openings[index]
      case .arrow:
        index -= 1
        while index > 0, tokens[index].kind == .identifier { index -= 1 }
        guard tokens[index].kind == .rightParenthesis else { return }
        index = places.openings[index] - 1
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
    let function = places.openings[index] - 1
    if function >= 0 { words.insert(text(function)) }
  }

  /// Notes `let name = …` and `for name in …` where what follows is in seconds.
  private mutating func noteValue(at index: Int) {
    guard index + 3 < tokens.count, tokens[index + 1].kind == .identifier else { return }
    switch (tokens[index].kind, tokens[index + 2].kind) {
    case (.let, .assign), (.var, .assign), (.for, .in): break
    default: return
    }
    let value = index + 3...places.ends[index + 3]
    if value.contains(where: isInSeconds) { words.insert(text(index + 1)) }
  }

  /// Whether a statement is in the body of something whose result is in seconds.
  private func isResult(at index: Int) -> Bool {
    var brace = places.openings[index]
    while brace > 0 {
      if tokens[brace].kind == .leftBrace {
        if functions[brace] > functions[places.statements[brace]] { break }
        if isType(brace - 1) { return true }
      }
      brace = places.openings[brace]
    }
    guard brace > 1 else { return false }
    return isType(tokens[brace - 1].kind == .question ? brace - 2 : brace - 1)
  }
}

/// Where brackets and statements begin and end, by token.
private struct TokenPlaces {
  private let tokens: [Token]
  /// The bracket that is open in front of each token; -1 for none.
  private(set) var openings: [Int] = []
  /// The first token of the statement that each one is in.
  private(set) var statements: [Int] = []
  /// The last token of that statement, or of the head of it.
  private(set) var ends: [Int]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    ends = Array(tokens.indices)
    // The bracket that each closing one belongs to; of the second ones braces are none.
    var (all, round): ([Int?], [Int?]) = ([], [])
    var (openAll, openRound): ([Int], [Int]) = ([], [])
    for index in tokens.indices {
      openings.append(opening(before: index, all))
      statements.append(statement(before: index, round))
      all.append(nil)
      round.append(nil)
      switch tokens[index].kind {
      case .leftParenthesis, .leftBracket:
        openAll.append(index)
        openRound.append(index)
      case .leftBrace: openAll.append(index)
      case .rightParenthesis, .rightBracket:
        all[index] = openAll.popLast()
        round[index] = openRound.popLast()
      case .rightBrace: all[index] = openAll.popLast()
      default: break
      }
    }
    for index in tokens.indices.dropLast().reversed() where continues(at: index + 1) {
      switch tokens[index + 1].kind {
      case .leftBrace, .rightBrace, .semicolon: break
      default: ends[index] = ends[index + 1]
      }
    }
  }

  private func opening(before index: Int, _ pairs: [Int?]) -> Int {
    if index == 0 { return -1 }
    switch tokens[index - 1].kind {
    case .leftParenthesis, .leftBracket, .leftBrace, .less: return index - 1
    case .rightParenthesis, .rightBracket, .rightBrace:
      return pairs[index - 1].map { openings[$0] } ?? -1
    default: return openings[index - 1]
    }
  }

  private func statement(before index: Int, _ pairs: [Int?]) -> Int {
    guard index > 0, continues(at: index) else { return index }
    switch tokens[index - 1].kind {
    case .leftBrace, .rightBrace, .semicolon: return index
    case .rightParenthesis, .rightBracket: return pairs[index - 1].map { statements[$0] } ?? 0
    default: return statements[index - 1]
    }
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
}
