/// The tokens of a trace, comments included, with what their white space depends on.
///
/// The trace has no errors in its form, so brackets match.
struct AnnotatedTokens {
  /// In the order of the text; without the end of the file.
  let list: [Token]
  private let bytes: UnsafeBufferPointer<UInt8>
  private var notes: [Note]

  private struct Note {
    /// What a sign is that can be several.
    var role = Role.plain
    /// Of a bracket the other one; of the word `in` behind a closure's parameters the brace.
    var partner: Int32 = -1
    /// The innermost brace that it is in; -1 at the top.
    var brace: Int32 = -1
    /// The next token that is no comment; -1 at the end.
    var next: Int32 = -1
    /// Of `{`: whether its block has a line break, and anything but `;` in it.
    var isMultiline = false
  }

  private enum Role: UInt8 {
    case plain
    /// Of an operator: before its only operand, or between two.
    case prefix, infix
    /// Of `?` and `:`, choosing between two values.
    case ternary
    /// Of `?` behind a type or value, of `!` behind a value, of `%` behind a number.
    case postfix
    /// Of a bracket: a call's or an element's. Of `.`: a member's.
    case joined
    /// Of `in`: ends the parameters of a closure.
    case endsParameters
    /// Of `{`: has parameters.
    case hasParameters
    /// Of `}`: ends the body of `repeat`.
    case closesRepeat
  }

  /// Reads the tokens of `bytes`, which somebody else keeps alive.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var lexer = Lexer(bytes, keepsComments: true)
    var list: [Token] = []
    list.reserveCapacity(bytes.count / 4)
    var token = lexer.next()
    while token.kind != .endOfFile {
      list.append(token)
      token = lexer.next()
    }
    self.list = list
    self.bytes = bytes
    notes = Array(repeating: Note(), count: list.count)
    noteNextWords()
    annotate()
  }

  private mutating func annotate() {
    var open: [(index: Int, ternaries: Int, line: Int)] = []
    var ternaries = 0
    var lines = LineCounter(bytes)
    var brace: Int32 = -1
    var previous: Int?
    for index in list.indices where !list[index].kind.isComment {
      let kind = list[index].kind
      if kind == .rightBrace, let last = open.last { brace = notes[last.index].brace }
      notes[index].brace = brace
      switch kind {
      case .leftBrace, .leftParenthesis, .leftBracket:
        open.append((index, ternaries, lines.line(at: list[index].start)))
        ternaries = 0
        if kind == .leftBrace {
          brace = Int32(index)
          noteParameters(index)
        } else if let previous, isOperandEnd(previous) || list[previous].kind == .repeat,
          !endsCaptures(previous), !precedesValue(previous)
        {
          notes[index].role = .joined
        }
      case .rightBrace, .rightParenthesis, .rightBracket:
        if let last = open.popLast() {
          notes[index].partner = Int32(last.index)
          notes[last.index].partner = Int32(index)
          ternaries = last.ternaries
          let isBroken = lines.line(at: list[index].start) > last.line
          notes[last.index].isMultiline = isBroken && !isEmpty(last.index, index)
          if kind == .rightBrace, let word = wordIndex(before: last.index),
            list[word].kind == .repeat
          {
            notes[index].role = .closesRepeat
          }
        }
      case .question:
        notes[index].role = list[index].hasSpaceBefore ? .ternary : .postfix
        if list[index].hasSpaceBefore { ternaries += 1 }
      case .colon where ternaries > 0:
        notes[index].role = .ternary
        ternaries -= 1
      case .dot, .unknownOperator:
        // The only such operator of a trace whose form is right is `?.`.
        if let previous, isOperandEnd(previous), !precedesValue(previous) {
          notes[index].role = .joined
        }
      case .less where previous.map { beginsTypes($0, index) } == true: noteTypes(index)
      default:
        if kind.isOperator && notes[index].role != .joined {
          notes[index].role = roleOfOperator(index, previous)
        }
      }
      previous = index
    }
    noteBracesOfComments()
  }

  /// Whether a `<` begins types: `Task<Int, Never>`, `func swapped<A, B>`.
  private func beginsTypes(_ name: Int, _ sign: Int) -> Bool {
    // The root of a key path, `\Box<Int>.value`, is one token with its backslash.
    let start = Int(list[name].start)
    let isRoot = bytes[start] == UInt8(ascii: "\\")
    guard list[name].kind == .identifier || isRoot, !list[sign].hasSpaceBefore else { return false }
    if let before = wordIndex(before: name), list[before].kind == .func { return true }
    return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[isRoot ? start + 1 : start]
  }

  /// Notes the angle brackets around types.
  private mutating func noteTypes(_ opening: Int) {
    var depth = 1
    for index in opening + 1..<min(list.count, opening + 64) {
      switch list[index].kind {
      case .greater, .shiftRight:
        depth -= list[index].kind == .greater ? 1 : 2
        guard depth <= 0 else { continue }
        (notes[opening].role, notes[index].role) = (.joined, .joined)
        return
      case .less: depth += 1
      case .identifier, .comma, .leftBracket, .rightBracket, .leftParenthesis, .rightParenthesis,
        .question, .dot, .arrow, .colon:
        break
      default: return
      }
    }
  }

  private mutating func noteNextWords() {
    var next: Int32 = -1
    for index in list.indices.reversed() {
      notes[index].next = next
      if !list[index].kind.isComment { next = Int32(index) }
    }
  }

  /// A comment is in the brace that the token behind it is in.
  private mutating func noteBracesOfComments() {
    var brace: Int32 = -1
    for index in list.indices.reversed() {
      if list[index].kind.isComment {
        notes[index].brace = brace
      } else {
        brace = list[index].kind == .rightBrace ? notes[index].partner : notes[index].brace
      }
    }
  }

  /// Whether there is nothing but `;` between two brackets.
  private func isEmpty(_ opening: Int, _ closing: Int) -> Bool {
    var index = opening + 1
    while index < closing && list[index].kind == .semicolon { index += 1 }
    return index == closing
  }

  private mutating func noteParameters(_ opening: Int) {
    guard let end = endOfParameters(opening) else { return }
    notes[opening].role = .hasParameters
    notes[end].role = .endsParameters
    notes[end].partner = Int32(opening)
  }

  /// The word `in` behind what a closure captures and is given: names, types, brackets.
  private func endOfParameters(_ opening: Int) -> Int? {
    var index = opening + 1
    var depth = 0
    while index < list.count {
      switch list[index].kind {
      // A member of that name ends nothing.
      case .in where list[index - 1].kind == .dot: return nil
      case .in: return depth == 0 ? index : nil
      case .leftParenthesis:
        (index, depth) = (index + 1, depth + 1)
      case .rightParenthesis:
        (index, depth) = (index + 1, depth - 1)
      case .identifier, .underscore, .comma, .leftBracket, .rightBracket, .colon, .arrow, .question,
        .dot, .assign, .unknownCharacter, .less, .greater:
        index += 1
      default: return nil
      }
    }
    return nil
  }

  /// Whether it is the `]` of a closure's capture list.
  private func endsCaptures(_ index: Int) -> Bool {
    guard list[index].kind == .rightBracket, notes[index].partner >= 0,
      let brace = wordIndex(before: Int(notes[index].partner))
    else { return false }
    return list[brace].kind == .leftBrace && notes[brace].role == .hasParameters
  }

  /// Whether it is a word of Swift's behind which a value begins, and no name: `case .success`.
  private func precedesValue(_ index: Int) -> Bool {
    guard list[index].kind == .identifier else { return false }
    let isWord =
      isName(index, "case") || isName(index, "try") || isName(index, "await")
      || isName(index, "switch") || isName(index, "where")
    return isWord && wordIndex(before: index).map { list[$0].kind != .dot } ?? true
  }

  private func roleOfOperator(_ index: Int, _ previous: Int?) -> Role {
    let token = list[index]
    guard let previous, isOperandEnd(previous) else { return .prefix }
    let next = index + 1 < list.count ? list[index + 1] : nil
    switch token.kind {
    case .minus, .plus:
      // The rule of the parser: on a new line, a sign with nothing behind it begins a statement.
      return token.isFirstOnLine && next?.hasSpaceBefore == false ? .prefix : .infix
    case .not:
      return token.hasSpaceBefore ? .prefix : .postfix
    case .percent where !token.hasSpaceBefore && list[previous].kind == .number:
      guard let next = wordIndex(after: index), !hasBreak(before: next) else { return .postfix }
      return list[next].kind.beginsOperand ? .infix : .postfix
    case .closedRange, .halfOpenRange:
      // One with one end only, `500...` and `..<100`, is written without a space, as in Swift.
      if precedesValue(previous) { return .prefix }
      guard let next = wordIndex(after: index) else { return .postfix }
      return list[next].kind.beginsOperand && !isName(next, "where") ? .infix : .postfix
    case .coalesce where !token.hasSpaceBefore:
      // `Int??` is an optional of an optional, and `x??.y` goes on in one.
      if let next, next.kind == .dot, !next.hasSpaceBefore { return .postfix }
      guard let next = wordIndex(after: index) else { return .postfix }
      return list[next].kind.beginsOperand ? .infix : .postfix
    default:
      return .infix
    }
  }
}

// MARK: Questions

extension AnnotatedTokens {
  /// Whether a value can end with this token.
  func isOperandEnd(_ index: Int) -> Bool {
    switch list[index].kind {
    case .identifier, .underscore, .number, .string, .rightParenthesis, .rightBracket, .rightBrace,
      .true, .false, .nil:
      return true
    case .question, .percent, .not, .closedRange, .coalesce: return notes[index].role == .postfix
    case .greater: return notes[index].role == .joined
    case let kind where kind.isKeyword:
      // `.repeat` is a member.
      return wordIndex(before: index).map { list[$0].kind == .dot } ?? false
    default: return false
    }
  }

  /// Whether it is an operator between two operands.
  func isInfix(_ index: Int) -> Bool { notes[index].role == .infix || isTernary(index) }

  private func isTernary(_ index: Int) -> Bool { notes[index].role == .ternary }

  /// Whether it is the `in` behind a closure's parameters.
  func endsParameters(_ index: Int) -> Bool { notes[index].role == .endsParameters }

  /// Whether it is the brace of a closure with parameters.
  func hasParameters(_ index: Int) -> Bool { notes[index].role == .hasParameters }

  /// The brace of the closure whose parameters end with the `in` at `index`.
  func opening(ofParameters index: Int) -> Int { Int(notes[index].partner) }

  /// Whether it is the brace that closes the body of `repeat`.
  func closesRepeat(_ index: Int) -> Bool { notes[index].role == .closesRepeat }

  /// Whether a case of a `switch` begins with it, where one may stand.
  func beginsCase(_ index: Int) -> Bool {
    if list[index].kind == .unknownCharacter { return isName(index, "@unknown") }
    guard list[index].kind == .identifier else { return false }
    if isName(index, "case") { return true }
    guard isName(index, "default"), let colon = wordIndex(after: index) else { return false }
    return list[colon].kind == .colon
  }

  /// Whether it is the name `word`.
  func isName(_ index: Int, _ word: StaticString) -> Bool {
    let text = bytes[Int(list[index].start)..<Int(list[index].end)]
    return text.elementsEqual(
      UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Whether it is the label of a closure: `teardown: {`.
  func isLabelledClosure(_ index: Int) -> Bool {
    guard list[index].kind.isWord, let colon = wordIndex(after: index),
      list[colon].kind == .colon, let brace = wordIndex(after: colon)
    else { return false }
    return list[brace].kind == .leftBrace
  }

  /// The next token that is no comment.
  func wordIndex(after index: Int) -> Int? {
    let next = Int(notes[index].next)
    return next < 0 ? nil : next
  }

  /// The token before that is no comment.
  func wordIndex(before index: Int) -> Int? {
    var next = index - 1
    while next >= 0 && list[next].kind.isComment { next -= 1 }
    return next >= 0 ? next : nil
  }

  /// How many line breaks the writer put between a token and the one before it.
  func breaks(before index: Int) -> Int {
    guard index > 0 else { return 0 }
    var count = 0
    for offset in Int(list[index - 1].end)..<Int(list[index].start)
    where bytes[offset] == UInt8(ascii: "\n") {
      count += 1
    }
    return count
  }

  /// Whether the parser sees a new line before the token: comments may hold it.
  private func hasBreak(before index: Int) -> Bool {
    var current = index
    while current > 0 {
      if breaks(before: current) > 0 { return true }
      guard list[current - 1].kind.isComment else { return false }
      current -= 1
      if bytes[Int(list[current].start)..<Int(list[current].end)].contains(UInt8(ascii: "\n")) {
        return true
      }
    }
    return true
  }

  /// Whether the innermost block is on one line.
  func isInOneLineBlock(_ index: Int) -> Bool {
    let brace = Int(notes[index].brace)
    return brace >= 0 && !isMultiline(opening: brace)
  }

  /// Whether the block that the brace at `closing` ends spans lines.
  func isMultiline(closing: Int) -> Bool { isMultiline(opening: Int(notes[closing].partner)) }

  /// Whether the block of the brace at `opening` has a line break, and anything in it.
  func isMultiline(opening: Int) -> Bool { notes[opening].isMultiline }

  /// Whether it is the bracket of a call or element, or the point of a member.
  func isJoined(_ index: Int) -> Bool { notes[index].role == .joined }

  /// Whether it belongs to what is before it: a type's `?`, a percentage's `%`.
  func isPostfix(_ index: Int) -> Bool { notes[index].role == .postfix }

  /// Whether it is an operator before its only operand.
  func isPrefix(_ index: Int) -> Bool { notes[index].role == .prefix }
}

/// Counts line breaks from where it last was.
private struct LineCounter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var count = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The line of `target`, counted from 0; each is at or behind the one before.
  mutating func line(at target: Int32) -> Int {
    while offset < target {
      if bytes[offset] == UInt8(ascii: "\n") { count += 1 }
      offset += 1
    }
    return count
  }
}
