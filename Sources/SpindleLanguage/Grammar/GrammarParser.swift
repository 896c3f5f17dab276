import SpindleModel

/// Tokens to the tree of the text as it is written.
///
/// Recursive descent. A tree is nowhere deeper than `deepestNesting`, so that a stage which walks it may recurse.
/// Linear in the length of the text.
struct GrammarParser {
  /// How deep a tree may be: blocks, brackets and operators, all counted.
  static let deepestNesting = 256

  /// How many parameters a closure may have that are written as `$0`, `$1` and so on.
  static let mostShorthands = 16

  let source: SourceText
  /// Whether the text, or a part of it, is a Swift file.
  let hasSwift: Bool
  /// The platform of the machine, by which `#if os(…)` decides; nil where the text names none.
  let platform: String?
  let bytes: UnsafeBufferPointer<UInt8>
  var lexer: Lexer
  /// The token that is read next.
  var current: Token
  /// Where the last token that was read ends.
  var previousEnd: Int32 = 0
  var diagnostics: [Diagnostic] = []
  var depth = 0
  /// False at the top of a condition, where a brace begins the body.
  var allowsTrailingClosures = true
  /// How many parameters the closure that is being read has by its `$0`, `$1` ….
  var shorthandCount = 0
  /// Whether a pattern is read, in which `let x` is an expression.
  var bindsVariables: Bool?

  private init(
    _ source: SourceText, _ bytes: UnsafeBufferPointer<UInt8>, platform: String? = nil
  ) {
    (self.source, self.bytes, self.platform) = (source, bytes, platform)
    hasSwift = source.hasSwift
    lexer = Lexer(bytes)
    current = Token(kind: .endOfFile, flags: [], start: 0, end: 0)
  }

  /// The declarations of a text and what is wrong with its form, in the order of the text.
  static func parse(
    _ source: SourceText, platform: String? = nil
  ) -> (declarations: [Grammar.Declaration], diagnostics: [Diagnostic]) {
    source.utf8.withUnsafeBufferPointer { bytes in
      // Each file by itself: one that is not closed does not go on in the next one.
      var (start, declarations, found) = (0, [Grammar.Declaration](), [Diagnostic]())
      for end in source.parts.map({ Int($0.start) - 1 }) + [bytes.count] {
        var parser = GrammarParser(source, bytes, platform: platform)
        parser.lexer.limit = end
        if start > 0 { parser.lexer.position = start }
        parser.advance()
        declarations += parser.parseTop()
        found += parser.diagnostics
        start = end + 1
      }
      return (declarations, found)
    }
  }

  /// The expression from an offset on, which goes to the end of the text, and what is wrong with its form.
  static func parseExpression(
    in source: SourceText, from start: Int
  ) -> (value: Grammar.Expression, diagnostics: [Diagnostic]) {
    source.utf8.withUnsafeBufferPointer { bytes in
      var parser = GrammarParser(source, bytes)
      parser.lexer.position = start
      parser.previousEnd = Int32(start)
      parser.current = parser.lexer.next()
      let value = parser.parseExpression()
      if parser.current.kind != .endOfFile, parser.diagnostics.isEmpty {
        parser.report("the value continues behind its end", parser.current.range)
      }
      return (value, parser.diagnostics)
    }
  }

  // MARK: Tokens

  /// Goes on to the next token.
  mutating func advance() {
    previousEnd = current.end
    current = lexer.next()
    if current.kind == .unterminatedComment {
      report("a comment is not closed", current.range)
      stop()
    }
  }

  /// Lets the end of the text follow.
  mutating func stop() {
    lexer.position = lexer.limit
    current = Token(
      kind: .endOfFile, flags: [.newlineBefore, .spaceBefore], start: Int32(lexer.limit),
      end: Int32(lexer.limit))
  }

  /// The token behind the current one.
  func peek() -> Token {
    var ahead = lexer
    return ahead.next()
  }

  /// Whether the current token is of this kind; if so, goes on.
  mutating func consume(_ kind: Token.Kind) -> Bool {
    guard current.kind == kind else { return false }
    advance()
    return true
  }

  /// The text of a token, without backquotes.
  func text(_ token: Token) -> String {
    var (start, end) = (Int(token.start), Int(token.end))
    if token.kind == .identifier, bytes[start] == UInt8(ascii: "`") {
      (start, end) = (start + 1, end - 1)
    }
    return text(start, end)
  }

  func text(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Whether a token is the word `word`, not in backquotes.
  func isWord(_ token: Token, _ word: StaticString) -> Bool {
    let count = Int(token.end - token.start)
    guard count == word.utf8CodeUnitCount else { return false }
    return (0..<count).allSatisfy { bytes[Int(token.start) + $0] == word.utf8Start[$0] }
  }

  /// Whether the current token is the word `word`; if so, goes on.
  mutating func consume(word: StaticString) -> Bool {
    guard current.kind == .identifier || current.kind.isKeyword, isWord(current, word) else {
      return false
    }
    advance()
    return true
  }

  /// Whether the current token is an operator that is written so.
  func isSign(_ sign: StaticString) -> Bool {
    current.kind != .string && isWord(current, sign)
  }

  /// From `start` to the end of what has been read.
  func range(from start: Int32) -> SourceRange {
    SourceRange(Int(start), Int(max(start, previousEnd)))
  }

  /// Reports that the form of the text is wrong at a place.
  mutating func report(_ message: String, _ range: SourceRange) {
    if let last = diagnostics.last, last.range.lowerBound == range.lowerBound { return }
    diagnostics.append(
      Diagnostic(severity: .error, message: message, range: range, source: source))
  }

  /// Reports what is expected at the current token.
  mutating func reportExpected(_ what: String) {
    report("expected \(what)", current.range)
  }

  /// The token `kind`, which has to follow.
  mutating func expect(_ kind: Token.Kind, _ what: String) {
    if !consume(kind) { reportExpected(what) }
  }

  /// A name that is declared, or a member's: any word.
  mutating func parseName(_ what: String) -> Grammar.Name {
    let token = current
    guard token.kind.isWord || token.kind == .underscore else {
      reportExpected(what)
      return Grammar.Name(text: "_", range: SourceRange(Int(token.start), Int(token.start)))
    }
    advance()
    return Grammar.Name(text: text(token), range: token.range)
  }

  // MARK: Depth and lists

  /// Reads something one level deeper; nil, and the end of the text, where that is too deep.
  mutating func nested<Part>(_ read: (inout GrammarParser) -> Part) -> Part? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= GrammarParser.deepestNesting else {
      report("this is nested more than \(GrammarParser.deepestNesting) levels deep", current.range)
      stop()
      return nil
    }
    return read(&self)
  }

  /// The elements of a list in brackets, separated by commas; the opening bracket has been read.
  mutating func parseList<Part>(
    until closing: Token.Kind, _ what: String, _ read: (inout GrammarParser) -> Part
  ) -> [Part] {
    var parts: [Part] = []
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    defer { allowsTrailingClosures = outer }
    while current.kind != closing && current.kind != .endOfFile {
      let start = current.start
      parts.append(read(&self))
      if !consume(.comma) { break }
      if current.start == start { break }
    }
    expect(closing, what)
    return parts
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

  /// What `read` gives where it succeeds without a report; else everything is as it was before.
  mutating func attempt<Part>(_ read: (inout GrammarParser) -> Part?) -> Part? {
    var trial = self
    let errors = trial.diagnostics.count
    guard let part = read(&trial), trial.diagnostics.count == errors else { return nil }
    self = trial
    return part
  }
}
