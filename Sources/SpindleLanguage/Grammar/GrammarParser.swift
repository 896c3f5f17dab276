import SpindleModel

/// Tokens to the tree of the text as it is written: always a tree, and a list of what is wrong.
///
/// Recursive descent. A tree is nowhere deeper than `deepestNesting`, so that a stage which walks it may recurse.
/// Linear in the length of the text.
struct GrammarParser {
  /// How deep a tree may be: blocks, brackets and operators, all counted.
  static let deepestNesting = 256

  /// How many parameters a closure may have that are written as `$0`, `$1` and so on.
  static let mostShorthands = 16

  let source: SourceText
  /// Whether what is read is a trace, and no Swift file: statements at its top belong in `main`.
  let isTrace: Bool
  /// Whether each function has a body; those of the library that the simulator itself does have none.
  let needsBodies: Bool
  let bytes: UnsafeBufferPointer<UInt8>
  var lexer: Lexer
  /// The token that is read next.
  var current: Token
  /// Where the last token that was read ends.
  var previousEnd: Int32 = 0
  /// Where what is read as a whole ends; a value in a text ends before that.
  var end: Int

  var diagnostics: [Diagnostic] = []
  /// Where the last error is: a second one there is a consequence of the first.
  var lastError: Int32 = -1
  /// No error is reported any more, since the rest of the text can't be understood.
  var isSilent = false
  /// Whether the declaration that is being read is given up: only the end of the text follows.
  var isUnwinding = false
  /// Where reading goes on after unwinding.
  private var resumption = 0
  /// Where the declaration at the top begins that is being read.
  var declarationStart: Int32 = 0
  /// Whether a declaration in the first column ends each block that is indented.
  ///
  /// Swift does not go by indentation. But where a brace is missing, it shows which one that is: the declaration is
  /// then read once more, with this.
  var endsAtFirstColumn = false
  /// Whether the declaration at hand is to be read once more.
  var readsAgain = false
  /// How many tokens may still be looked at twice to find where a bracket is closed.
  var lookahead = 1_000_000
  /// Whether what is read is only tried, and what of it is wrong is not reported.
  private var isTrial = false
  /// Whether something is wrong with what is tried.
  private var hasFailed = false
  /// The signs of the operators that the text declares.
  var ownSigns: [[UInt8]] = []
  /// Which words the text declares as functions, as far as that has been asked.
  var declaredWords: [String: Bool] = [:]

  /// How many blocks and brackets are open here.
  var depth = 0
  /// How deep the deepest part is of what is being read: see `growing`.
  private var reach = 0
  /// False at the top of a condition, where a brace begins the body.
  var allowsTrailingClosures = true
  /// How many parameters the closure that is being read has by its `$0`, `$1` …, and where the last of them is.
  var shorthandCount = 0
  var shorthandPlace = SourceRange(0, 0)
  /// In the body of a `_read` or a `_modify`: which of both, and whether a `yield` has been read there.
  var yielding: Yielding?
  /// Whether a pattern is read, in which `let x` is an expression.
  var bindsVariables: Bool?
  /// Whether expectations are read, in which a number may be a percentage.
  var readsPercentages = false
  /// Whether the value of a pattern is read, behind which a `?` may be.
  var isInPattern = false
  /// How many types are open here.
  var openTypes = 0
  /// Whether the members of a protocol are read, which have no bodies.
  var isInProtocol = false

  private init(
    _ source: SourceText, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0,
    needsBodies: Bool = true
  ) {
    (self.source, self.bytes, self.needsBodies) = (source, bytes, needsBodies)
    isTrace = !source.isSwift(at: Int32(start))
    lexer = Lexer(bytes)
    end = bytes.count
    current = Token(kind: .endOfFile, flags: [], start: 0, end: 0)
    if start > 0 { (lexer.position, previousEnd) = (start, Int32(start)) }
  }

  /// The declarations of a text and what is wrong with its form, in the order of the text.
  static func parse(
    _ source: SourceText, needsBodies: Bool = true
  ) -> (declarations: [Grammar.Declaration], diagnostics: [Diagnostic]) {
    source.utf8.withUnsafeBufferPointer { bytes in
      if let offset = firstInvalidUTF8(bytes) {
        let message = SyntaxMessage.notUTF8(bytes[offset])
        let place = SourceRange(offset, offset + 1)
        return (
          [], [Diagnostic(severity: .error, message: message, range: place, source: source)]
        )
      }
      // Each file by itself: one that is not closed does not go on in the next one.
      var (start, declarations, found) = (0, [Grammar.Declaration](), [Diagnostic]())
      for end in source.parts.map({ Int($0.start) - 1 }) + [bytes.count] {
        var parser = GrammarParser(source, bytes, from: start, needsBodies: needsBodies)
        (parser.lexer.limit, parser.end) = (end, end)
        parser.advance()
        declarations += parser.parseTop()
        found += parser.sortedDiagnostics
        start = end + 1
      }
      return (declarations, found)
    }
  }

  /// The expression that a part of a text is, such as the value of an option, and what is wrong with its form.
  static func parseExpression(
    in source: SourceText, at place: SourceRange
  ) -> (value: Grammar.Expression, diagnostics: [Diagnostic]) {
    source.utf8.withUnsafeBufferPointer { bytes in
      var parser = GrammarParser(source, bytes)
      (parser.lexer.position, parser.lexer.limit) = (Int(place.lowerBound), Int(place.upperBound))
      (parser.end, parser.readsPercentages) = (Int(place.upperBound), true)
      parser.advance()
      parser.previousEnd = place.lowerBound
      let value = parser.parseExpression()
      if parser.current.kind != .endOfFile, parser.diagnostics.isEmpty {
        parser.reportUnexpected(SyntaxMessage.expectedEnd)
      }
      return (value, parser.sortedDiagnostics)
    }
  }

  // MARK: Tokens

  /// Goes on to the next token.
  mutating func advance() {
    previousEnd = current.end
    current = lexer.next()
    if current.kind == .unterminatedComment {
      report(SyntaxMessage.unterminatedComment, current.range)
      fallSilent()
    }
  }

  /// Lets the end of the text follow, where it is not known what the rest is.
  mutating func fallSilent() {
    isSilent = true
    stop()
  }

  /// Lets the end of the text follow.
  private mutating func stop() {
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

  /// Whether the text of a token is one of some words.
  func isAmong(_ token: Token, _ words: WordSet) -> Bool {
    let start = Int(token.start)
    return start < bytes.count
      && words.mayHave(first: bytes[start], count: Int(token.end) - start)
      && words.contains(text(token))
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

  // MARK: Depth

  /// Reads something one level deeper; nil, and nothing more of this declaration, where that is too deep.
  mutating func nested<Part>(_ read: (inout GrammarParser) -> Part) -> Part? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= GrammarParser.deepestNesting else {
      abandonNesting(at: current.range)
      return nil
    }
    reach = max(reach, depth)
    return read(&self)
  }

  /// Reads something that grows to the left, such as a chain of members: each link has all that is before it in it.
  mutating func growing<Part>(_ read: (inout GrammarParser) -> Part) -> Part {
    let outer = reach
    reach = depth
    let part = read(&self)
    reach = max(outer, reach)
    return part
  }

  /// Notes one more link around what is being read; false where that is too deep.
  mutating func grow() -> Bool {
    reach += 1
    if reach <= GrammarParser.deepestNesting { return true }
    abandonNesting(at: SourceRange(Int(previousEnd), Int(previousEnd)))
    return false
  }

  private mutating func abandonNesting(at range: SourceRange) {
    guard !isUnwinding else { return }
    report(SyntaxMessage.tooDeep(GrammarParser.deepestNesting), range)
    abandon(resumingAt: isTrial ? end : nextDeclaration(from: Int(current.start)))
  }

  // MARK: Giving up

  /// Gives the declaration at the top up: all that is read until then is the end of the text.
  mutating func abandon(resumingAt offset: Int) {
    isUnwinding = true
    resumption = offset
    stop()
  }

  /// Goes on after a declaration that was given up.
  mutating func resume() {
    isUnwinding = false
    go(to: resumption)
  }

  /// Goes on at an offset, where a line begins or may begin.
  mutating func go(to offset: Int) {
    reach = 0
    lexer.position = offset
    previousEnd = Int32(offset)
    current = lexer.next()
    current.flags.insert(.newlineBefore)
  }

  /// Keeps the end of the text in front of what is being given up.
  mutating func stayAtEnd() {
    if isUnwinding || isSilent { stop() }
  }

  /// What `read` gives where nothing is wrong with it; else everything is as it was before.
  ///
  /// Only for what is short or can't be nested in what is tried: else the time may double with each level.
  mutating func attempt<Part>(_ read: (inout GrammarParser) -> Part?) -> Part? {
    var trial = self
    (trial.isTrial, trial.hasFailed) = (true, false)
    guard let part = read(&trial), !trial.hasFailed else { return nil }
    (trial.isTrial, trial.hasFailed) = (isTrial, hasFailed)
    self = trial
    return part
  }

  /// Reports that the form of the text is wrong at a place, unless that is a consequence of the last error.
  mutating func report(
    _ message: String, _ range: SourceRange, belongsInMain: Bool = false
  ) {
    guard !isTrial else { return hasFailed = true }
    guard !isUnwinding, !isSilent, range.lowerBound != lastError else { return }
    lastError = range.lowerBound
    diagnostics.append(
      Diagnostic(
        severity: .error, message: message, range: range, source: source,
        belongsInMain: belongsInMain))
  }
}
