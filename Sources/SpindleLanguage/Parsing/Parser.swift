import SpindleModel

/// Tokens to tree: always a tree, and a list of what is wrong.
///
/// Recursive descent, with the whole state in one value. A tree is nowhere deeper than
/// `deepestNesting`, so whoever walks it may recurse.
struct Parser {
  /// How deep a tree may be: blocks, brackets and chains of operators or members, all counted.
  static let deepestNesting = 256

  let source: SourceText
  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the tree is made.
  var arena: SyntaxArena
  var lexer: Lexer
  /// The token that is to be read next.
  var current: Token
  /// Where the last token that was read ends.
  var previousEnd: Int32 = 0
  var diagnostics: [Diagnostic] = []
  /// Where the last error is: a second one there is a consequence of the first.
  private var lastError: Int32 = -1
  /// No error is reported any more, since the rest of the text can't be understood.
  private var isSilent = false

  /// How many blocks and brackets are open here.
  var depth = 0
  /// How many levels the last expression, statement or block that was read has.
  var height = 0
  /// False at the top level of a condition, where a brace begins the body.
  var allowsTrailingClosures = true
  /// Whether the value of a pattern is read, behind which a `?` may stand.
  var isInPattern = false
  /// Whether an `async let` is read, whose value a task makes.
  var isInAsyncLet = false
  /// Whether what a loop goes through is read, behind whose `...` nothing may stand.
  var isInLoopHeader = false
  /// The type of what the function at hand throws, where it says that; nil for none.
  var thrownType: Word?
  /// Whether a brace behind the value that is being read may be one of observers.
  var mayBeObserved = false
  /// Whether the declaration that is being read is given up: only the end of the file follows.
  var isUnwinding = false
  /// How many tokens may still be looked at twice to find where a bracket is closed.
  var lookahead = 1_000_000
  /// How many parameters the closure has that is being read, by the `$0` and `$1` in it; and where the
  /// last of them stands.
  var shorthandCount = 0
  var shorthandPlace = SourceRange(0, 0)
  /// What follows from a line that binds several names at the top.
  var pendingDeclarations: [Declaration] = []
  /// The type parameters that have been refused so far.
  var typeParameters: Set<Word> = []
  /// The types of the trace whose type parameters have been refused so far.
  var genericTypes: Set<Word> = []
  /// The classes that stand for `Result`s so far.
  var resultTypes: Set<Word> = []
  /// Where reading goes on after unwinding.
  private var resumption = 0
  /// Where the declaration at the top begins that is being read.
  var declarationStart: Int32 = 0
  /// Whether the body of the next `main` is left to whoever asked for the declaration.
  var handsOutMain = false
  /// What the attributes that were read last say of where code runs.
  var isolation = Isolation.unspecified
  /// Whether they make a closure `@Sendable`.
  var isSendable = false
  /// Whether there has been an `await` in the closure that is being read.
  var isAwaiting = false
  /// Whether a `try` covers what is being read.
  var isTrying = false
  /// Whether they make a type a global actor.
  var isGlobalActor = false
  var isTaskLocal = false
  /// Whether they let the result of a function be left unused.
  var isDiscardable = false
  /// The bindings of `let (a, b) = (1, 2)` behind the first one.
  var pairBindings: [Binding] = []
  /// The trace's own global actors, once they have been asked for.
  var knownGlobalActors: Set<String>?
  /// The signs of the operators that the trace declares, and whether that has been told.
  var ownSigns: [[UInt8]] = []
  var hasOperatorDeclaration = false
  /// Whether the type that is being read says that it has an order, which is told of there.
  var isComparable = false
  /// The names that task groups have so far.
  var groups: Set<Word> = []
  /// Where the bracket of the last call is that was told of a `&` in it.
  var lastReference = -1
  /// The brace in front of the body of `main`, until that has been handed out.
  var openMain: Token?

  private init(_ source: SourceText, _ bytes: UnsafeBufferPointer<UInt8>, _ arena: SyntaxArena) {
    self.source = source
    self.bytes = bytes
    self.arena = arena
    lexer = Lexer(bytes)
    current = Token(kind: .endOfFile, flags: [], start: 0, end: 0)
  }

  /// The tree of a trace, and what is wrong with its form, in the order of the text.
  static func parse(_ source: SourceText) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    let arena = SyntaxArena()
    let (declarations, diagnostics) = parse(source, from: 0, in: arena)
    let tree = SyntaxTree(source: source, arena: arena, declarations: declarations)
    return (tree, diagnostics)
  }

  /// The declarations from the offset `start` on, made in `arena`, and what is wrong with their form.
  static func parse(
    _ source: SourceText, from start: Int, in arena: SyntaxArena
  ) -> (declarations: [Declaration], diagnostics: [Diagnostic]) {
    run(source, arena, from: start, standard: []) { $0.parseDeclarations() }
  }

  /// Reads a trace piece by piece, `main` statement by statement.
  static func reading<Result>(_ source: SourceText, _ body: (inout Parser) -> Result?) -> Result? {
    run(source, SyntaxArena(), standard: nil) { parser in
      parser.handsOutMain = true
      return body(&parser)
    }.0
  }

  /// The expression that a whole text is, such as the value of an option, made in `arena`.
  static func parseExpression(
    _ source: SourceText, in arena: SyntaxArena
  ) -> (Expression, [Diagnostic]) {
    let missing = arena.expression(kind: .missing, range: SourceRange(0, source.utf8.count))
    return run(source, arena, standard: missing) { parser in
      let expression = parser.parseExpression()
      if parser.current.kind != .endOfFile { parser.reportUnexpected(SyntaxMessage.expectedEnd) }
      return expression
    }
  }

  private static func run<Result>(
    _ source: SourceText, _ arena: SyntaxArena, from start: Int = 0, standard: Result,
    _ body: (inout Parser) -> Result
  ) -> (Result, [Diagnostic]) {
    source.utf8.withUnsafeBufferPointer { bytes in
      var parser = Parser(source, bytes, arena)
      if start > 0 { parser.lexer.position = start }
      if let offset = firstInvalidUTF8(bytes) {
        parser.report(SyntaxMessage.notUTF8(bytes[offset]), SourceRange(offset, offset + 1))
        return (standard, parser.diagnostics)
      }
      parser.advance()
      let result = body(&parser)
      return (result, parser.sortedDiagnostics)
    }
  }

  /// In the order of the text, and one for each place: a second one there follows from the first.
  private var sortedDiagnostics: [Diagnostic] {
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
}

// MARK: Tokens

extension Parser {
  /// Goes on to the next token.
  mutating func advance() {
    previousEnd = current.end
    current = lexer.next()
    guard current.kind == .unterminatedComment else { return }
    report(SyntaxMessage.unterminatedComment, current.range)
    // What the comment swallows is not known, so nothing can be missed after it.
    isSilent = true
    lexer.position = lexer.limit
    current = endOfFile
  }

  /// Whether the current token is of this kind; if so, goes on.
  mutating func consume(_ kind: Token.Kind) -> Bool {
    guard current.kind == kind else { return false }
    advance()
    return true
  }

  /// The token behind the current one.
  @inline(__always)
  func peek() -> Token {
    var ahead = lexer
    return ahead.next()
  }

  /// The text of a token as a word.
  @inline(__always)
  func word(_ token: Token) -> Word {
    token.letters != 0
      ? arena.words.word(token.letters, count: Int(token.end - token.start))
      : isQuoted(token)
        ? word(Int(token.start) + 1, Int(token.end) - 1) : word(Int(token.start), Int(token.end))
  }

  /// Whether a name stands in backquotes.
  private func isQuoted(_ token: Token) -> Bool {
    token.kind == .identifier && bytes[Int(token.start)] == UInt8(ascii: "`")
  }

  /// The text from `start` to `end` as a word.
  @inline(__always)
  func word(_ start: Int, _ end: Int) -> Word {
    arena.words.word(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end]))
  }

  /// The text of a token; no allocation up to 15 bytes.
  func text(_ token: Token) -> String {
    String(
      decoding: UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)]),
      as: UTF8.self)
  }

  /// Whether a token is the name `word`.
  @inline(__always)
  func isName(_ token: Token, _ word: StaticString) -> Bool {
    guard token.kind == .identifier, Int(token.end - token.start) == word.utf8CodeUnitCount else {
      return false
    }
    let start = Int(token.start)
    for index in 0..<word.utf8CodeUnitCount
    where bytes[start + index] != word.utf8Start[index] {
      return false
    }
    return true
  }

  /// From `start` to the end of what has been read.
  @inline(__always)
  func range(from start: Int32) -> SourceRange {
    SourceRange(Int(start), Int(max(start, previousEnd)))
  }

  private var endOfFile: Token {
    Token(
      kind: .endOfFile, flags: [.newlineBefore, .spaceBefore], start: Int32(lexer.limit),
      end: Int32(lexer.limit))
  }
}

extension Token {
  /// Its text's place.
  var range: SourceRange { SourceRange(Int(start), Int(end)) }
}

// MARK: Errors

extension Parser {
  /// Notes an error, unless it is a consequence of the last one.
  mutating func report(_ message: String, _ range: SourceRange, belongsInMain: Bool = false) {
    guard !isUnwinding, !isSilent, range.lowerBound != lastError else { return }
    lastError = range.lowerBound
    diagnostics.append(
      Diagnostic(
        severity: .error, message: message, range: range, source: source,
        belongsInMain: belongsInMain))
  }

  /// Notes that reading goes on at `offset`, where an error is a consequence of the last one.
  mutating func noteResumption(at offset: Int) {
    previousEnd = Int32(offset)
    lastError = Int32(offset)
  }

  /// Notes that the current token is not what should stand here.
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
      report(SyntaxMessage.foreign(text(current)), current.range)
    case .identifier:
      let word = text(current)
      let foreign = ForeignWord.all[word]?.message ?? ""
      report(foreign.isEmpty ? message("'\(word)'") : foreign, current.range)
    case .endOfFile:
      report(message("the end of the text"), current.range)
    default:
      let text = text(current)
      report(message(text.utf8.count <= 40 ? "'\(text)'" : "this"), current.range)
    }
  }

  /// Notes something that is missing: behind the last token when a new line follows, else here.
  mutating func reportMissing(_ message: (_ found: String) -> String) {
    if current.isFirstOnLine || current.kind == .endOfFile {
      report(message(""), SourceRange(Int(previousEnd), Int(previousEnd)))
    } else {
      reportUnexpected(message)
    }
  }
}

// MARK: Depth

extension Parser {
  /// Opens a level; false when that is one too many, and the declaration is given up.
  @inline(__always)
  mutating func descend() -> Bool {
    depth += 1
    return depth <= Parser.deepestNesting || descendTooDeep()
  }

  private mutating func descendTooDeep() -> Bool {
    abandonNesting(at: current.range)
    return false
  }

  /// Closes a level.
  mutating func ascend() {
    depth -= 1
  }

  /// Notes that what was read last has `levels`; false when the tree gets too deep with it.
  mutating func grow(to levels: Int, at range: SourceRange) -> Bool {
    height = levels
    guard depth + levels > Parser.deepestNesting else { return true }
    height = 1
    abandonNesting(at: range)
    return false
  }

  private mutating func abandonNesting(at range: SourceRange) {
    guard !isUnwinding else { return }
    report(SyntaxMessage.tooDeep(Parser.deepestNesting), range)
    abandon(resumingAt: nextDeclaration(from: Int(current.start)))
  }

  /// Gives the declaration at the top up: all that is read until then is the end of the file.
  mutating func abandon(resumingAt offset: Int) {
    isUnwinding = true
    resumption = offset
    stopLexer()
  }

  /// Lets the end of the file follow.
  mutating func stopLexer() {
    lexer.position = lexer.limit
    current = endOfFile
  }

  /// Goes on after a declaration that was given up.
  mutating func resume() {
    isUnwinding = false
    (depth, height, allowsTrailingClosures) = (0, 0, true)
    lexer.position = resumption
    previousEnd = Int32(resumption)
    current = lexer.next()
    current.flags.insert(.newlineBefore)
  }
}
