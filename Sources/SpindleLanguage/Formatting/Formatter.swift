package import SpindleModel

/// The canonical form of a trace: what it says stays, its white space is made regular.
///
/// Lines are indented by four spaces for each open bracket; a line that goes on with the one before
/// it is indented once more. Binary operators, commas and colons have their spaces; at most one
/// line in a row is empty. The writer's line breaks stay, but for these: a brace is on the line of what
/// it belongs to; a block that has a line break anywhere begins and ends with one; each statement
/// has its line except in a block on one line, and `;` is dropped where a line ends. Comments stay
/// where they are, and those behind code keep their column; a caret in a comment of its own stays under
/// what it points at. Formatting twice changes nothing more.
///
/// A text whose form is wrong is returned as it is, with the errors.
package func formatted(_ source: SourceText) -> (text: String, diagnostics: [Diagnostic]) {
  if source.isSwift {
    let message = "'format' is for traces; 'swift format' formats a Swift file"
    return (
      String(decoding: source.utf8, as: UTF8.self),
      [
        Diagnostic(
          severity: .error, message: message, range: SourceRange(0, 0), source: source)
      ]
    )
  }
  let (_, diagnostics) = GrammarParser.parse(source)
  guard diagnostics.isEmpty else {
    return (String(decoding: source.utf8, as: UTF8.self), diagnostics)
  }
  let text = source.utf8.withUnsafeBufferPointer { bytes in
    let tokens = AnnotatedTokens(bytes)
    var formatter = Formatter(bytes, tokens)
    return formatter.run()
  }
  return (text, [])
}

/// Writes tokens with the white space that belongs between them.
struct Formatter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let tokens: AnnotatedTokens
  private var output: [UInt8] = []
  /// The brackets that are open, innermost last; the first stands for the file.
  private var brackets = [Bracket(isBrace: true, outer: 0, inner: 0)]
  /// How far the line that is being written is indented.
  private var lineIndent = 0
  /// Where it begins in the output.
  private var lineStart = 0
  /// The last token that was written, nil at the start.
  private var previous: Int?
  /// The last one that is no comment.
  private var previousWord: Int?
  /// Whether a `;` stands behind it, written or dropped.
  private var isBehindSemicolon = false
  /// The tokens of the last line of code: their columns in the text and in the output.
  private var codeLine: [(before: Int, after: Int)] = []
  /// Where the line of the text begins that has been reached, and how far it has been looked for.
  private var textLineStart = 0
  private var textSeen = 0

  private struct Bracket {
    var isBrace: Bool
    /// The indentation of the line that closes it.
    var outer: Int
    /// The indentation of the lines in it.
    var inner: Int
    /// Whether the statement at hand begins with a word whose body is the next brace.
    var isHeader = false
    /// Whether that statement is a `switch`.
    var isSwitchHeader = false
    /// Whether it is the brace of a `switch`, whose cases stand as far left as the `switch` does.
    var isSwitch = false
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ tokens: AnnotatedTokens) {
    self.bytes = bytes
    self.tokens = tokens
    output.reserveCapacity(bytes.count + bytes.count / 8)
  }

  /// The whole text.
  mutating func run() -> String {
    for index in tokens.list.indices {
      let isSemicolon = tokens.list[index].kind == .semicolon
      if !isSemicolon || keepsSemicolon(at: index) { write(index) }
      if isSemicolon { isBehindSemicolon = true }
    }
    if !output.isEmpty { output.append(UInt8(ascii: "\n")) }
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func write(_ index: Int) {
    let token = tokens.list[index]
    let breaks = lineBreaks(before: index)
    if breaks > 0 {
      startLine(index, after: breaks)
    } else if previous != nil {
      writeSpaces(before: index)
    }
    if startsStatement(index, afterBreak: breaks > 0) {
      brackets[brackets.count - 1].isHeader = token.kind.beginsHeader
      brackets[brackets.count - 1].isSwitchHeader =
        token.kind == .identifier && tokens.isName(index, "switch")
    }
    open(index)
    if breaks > 0 && !token.kind.isComment { codeLine.removeAll(keepingCapacity: true) }
    if breaks > 0, token.kind == .lineComment, let caret = caret(in: index) {
      writeCaret(index, caret)
      previous = index
      return
    }
    if !token.kind.isComment {
      let before = column(of: Int(token.start))
      codeLine.append((before: before, after: output.count - lineStart))
    }
    var text = bytes[Int(token.start)..<Int(token.end)]
    if token.kind == .lineComment {
      while let last = text.last, last.isBlank { text = text.dropLast() }
    }
    output.append(contentsOf: text)
    if token.kind == .blockComment, let last = text.lastIndex(of: UInt8(ascii: "\n")) {
      lineStart = output.count - text.distance(from: last, to: text.endIndex) + 1
    }
    previous = index
    if !token.kind.isComment {
      previousWord = index
      isBehindSemicolon = false
    }
  }

  /// Keeps the book of open brackets.
  private mutating func open(_ index: Int) {
    switch tokens.list[index].kind {
    case .leftBrace:
      let isBody = brackets[brackets.count - 1].isHeader
      brackets[brackets.count - 1].isHeader = false
      let outer = isBody ? brackets[brackets.count - 1].inner : lineIndent
      let isSwitch = brackets[brackets.count - 1].isSwitchHeader
      brackets[brackets.count - 1].isSwitchHeader = false
      brackets.append(Bracket(isBrace: true, outer: outer, inner: outer + 4, isSwitch: isSwitch))
    case .leftParenthesis, .leftBracket:
      brackets.append(Bracket(isBrace: false, outer: lineIndent, inner: lineIndent + 4))
    case .rightBrace, .rightParenthesis, .rightBracket:
      if brackets.count > 1 { brackets.removeLast() }
    case .else:
      brackets[brackets.count - 1].isHeader = true
    default: break
    }
  }

  /// Whether a `;` stands between two statements of a block on one line, or keeps a line from
  /// going on with the one before.
  private func keepsSemicolon(at index: Int) -> Bool {
    guard let next = tokens.wordIndex(after: index) else { return false }
    let kind = tokens.list[next].kind
    guard kind != .rightBrace && kind != .semicolon, let previousWord else { return false }
    if kind.continuesLine { return true }
    let before = tokens.list[previousWord].kind
    if before == .leftBrace || tokens.endsParameters(previousWord) { return false }
    return tokens.isInOneLineBlock(index)
  }
}

// MARK: Carets

extension Formatter {
  /// Where the caret of a comment such as `//  ^ error: …` stands; nil when it has none.
  private func caret(in index: Int) -> Int? {
    let token = tokens.list[index]
    let text = bytes[Int(token.start) + 2..<Int(token.end)]
    guard !codeLine.isEmpty, let first = text.firstIndex(where: { !$0.isBlank }) else { return nil }
    return bytes[first] == UInt8(ascii: "^") ? first : nil
  }

  /// Writes a comment so that its caret stays under the token that it points at.
  private mutating func writeCaret(_ index: Int, _ caret: Int) {
    let before = column(of: caret)
    let target = codeLine.last { $0.before <= before } ?? codeLine[0]
    let after = max(2, before + target.after - target.before)
    output.removeSubrange(lineStart...)
    let indent = after >= lineIndent + 2 ? lineIndent : 0
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    output.append(contentsOf: [UInt8(ascii: "/"), UInt8(ascii: "/")])
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: after - indent - 2))
    var text = bytes[caret..<Int(tokens.list[index].end)]
    while let last = text.last, last.isBlank { text = text.dropLast() }
    output.append(contentsOf: text)
  }

  /// The column, in bytes from 0, of an offset in its line of the text; offsets only grow.
  private mutating func column(of offset: Int) -> Int {
    while textSeen < offset {
      if bytes[textSeen] == UInt8(ascii: "\n") { textLineStart = textSeen + 1 }
      textSeen += 1
    }
    return offset - textLineStart
  }
}

// MARK: Line breaks

extension Formatter {
  /// How many line breaks go before a token: 2 for an empty line.
  private func lineBreaks(before index: Int) -> Int {
    guard let previous else { return 0 }
    let (token, before) = (tokens.list[index], tokens.list[previous])
    let written = min(2, tokens.breaks(before: index))
    let least = before.kind == .lineComment ? 1 : 0
    switch token.kind {
    case .rightBrace:
      return max(least, tokens.isMultiline(closing: index) ? 1 : 0)
    case .rightParenthesis, .rightBracket:
      return max(least, min(1, written))
    case .leftBrace where before.kind.mayHaveBlock && !tokens.endsParameters(previous):
      return 0
    case .else where before.kind == .rightBrace, .catch where before.kind == .rightBrace:
      return 0
    case .while where tokens.closesRepeat(previous):
      return 0
    case _ where before.kind == .rightBrace && tokens.isLabelledClosure(index):
      return 0
    default: break
    }
    let isTrailing = token.kind.isComment && written == 0
    if before.kind == .leftBrace || tokens.endsParameters(previous) {
      let opening = before.kind == .leftBrace ? previous : tokens.opening(ofParameters: previous)
      if tokens.hasParameters(previous) || isTrailing { return 0 }
      return tokens.isMultiline(opening: opening) ? 1 : min(1, written)
    }
    if before.kind == .leftParenthesis || before.kind == .leftBracket { return min(1, written) }
    if isBehindSemicolon && !isTrailing && !tokens.isInOneLineBlock(index) {
      return max(1, written)
    }
    return max(least, written)
  }

  private mutating func startLine(_ index: Int, after breaks: Int) {
    for _ in 0..<breaks { output.append(UInt8(ascii: "\n")) }
    lineStart = output.count
    lineIndent = indentation(of: index)
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: lineIndent))
  }

  /// How far a token is indented that begins a line.
  private func indentation(of index: Int) -> Int {
    let token = tokens.list[index]
    let bracket = brackets[brackets.count - 1]
    if token.kind.isClosing { return bracket.outer }
    var shown = index
    if token.kind.isComment {
      // A comment belongs to what comes after it.
      guard let next = tokens.wordIndex(after: index), !tokens.list[next].kind.isClosing else {
        return bracket.inner
      }
      shown = next
    }
    if bracket.isSwitch && tokens.beginsCase(shown) { return bracket.outer }
    return bracket.inner + (goesOn(shown) ? 4 : 0)
  }

  /// Whether a token that begins a line goes on with what the line before began.
  private func goesOn(_ index: Int) -> Bool {
    guard let previousWord else { return false }
    let (kind, before) = (tokens.list[index].kind, tokens.list[previousWord].kind)
    if tokens.endsParameters(previousWord) || isBehindSemicolon { return false }
    if kind == .dot { return tokens.isOperandEnd(previousWord) }
    if tokens.isInfix(index) || kind == .question || kind == .arrow || kind == .in { return true }
    if kind == .colon || kind.isAssignment { return true }
    return tokens.isInfix(previousWord) || before.isAssignment
      // `a!` is a whole operand.
      || before.leavesStatementOpen && !tokens.isOperandEnd(previousWord)
      || before == .comma && brackets[brackets.count - 1].isBrace
      || before == .colon && !tokens.list[index].kind.isComment
        && !brackets[brackets.count - 1].isSwitch
  }

  private func startsStatement(_ index: Int, afterBreak: Bool) -> Bool {
    guard brackets[brackets.count - 1].isBrace, !tokens.list[index].kind.isComment else {
      return false
    }
    guard let previousWord else { return true }
    if tokens.list[previousWord].kind == .leftBrace || tokens.endsParameters(previousWord) {
      return true
    }
    if isBehindSemicolon { return true }
    return afterBreak && !goesOn(index) && tokens.list[index].kind != .else
  }
}

// MARK: Spaces

extension Formatter {
  private mutating func writeSpaces(before index: Int) {
    guard let previous else { return }
    let count =
      tokens.list[index].kind == .lineComment
      ? spacesBeforeComment(index, previous) : tokens.isSpaced(previous, index) ? 1 : 0
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
  }

  /// Two, unless the writer put the comment further right: then it keeps its column.
  private func spacesBeforeComment(_ index: Int, _ previous: Int) -> Int {
    let token = tokens.list[index]
    guard token.start - tokens.list[previous].end > 2 else { return 2 }
    var start = Int(token.start)
    while start > 0 && bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    let line = bytes[start..<Int(token.start)]
    let column = line.characterCount - line.prefix { $0.isBlank }.count + lineIndent
    return max(2, column - output[lineStart...].characterCount)
  }
}

extension Collection<UInt8> {
  /// How many characters UTF-8 has, roughly: combining marks count by themselves.
  fileprivate var characterCount: Int {
    reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}
