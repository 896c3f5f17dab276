/// Text to tokens, one at a time, in one pass; never fails.
///
/// A small value: a copy of it looks ahead. It reads bytes that somebody else keeps alive, and that
/// are valid UTF-8; through pointers, and by a table of what each byte begins, since half of the time
/// that reading takes used to go to finding that out.
struct Lexer {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// What each byte begins.
  private let classes = ByteClass.table
  private let keywords = Keywords.table
  /// Where the next token or white space begins.
  var position: Int
  /// The text ends here.
  var limit: Int
  private let keepsComments: Bool

  /// Creates a lexer for all of `bytes`, without the mark that some editors put in front.
  init(_ bytes: UnsafeBufferPointer<UInt8>, keepsComments: Bool = false) {
    self.bytes = bytes
    self.keepsComments = keepsComments
    limit = bytes.count
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next token; the end of the file for ever when there is none.
  @inline(__always)
  mutating func next() -> Token {
    // Half of all tokens are signs of one character, with a space before them or not.
    var index = position
    guard index > 0 && index + 1 < limit else { return nextOfAnyKind() }
    let hasSpace = bytes[index] == UInt8(ascii: " ")
    if hasSpace { index += 1 }
    guard let kind = classes[Int(bytes[index])].sign else { return nextOfAnyKind() }
    position = index + 1
    return token(kind, hasSpace ? .spaceBefore : [], from: index)
  }

  @inline(never)
  private mutating func nextOfAnyKind() -> Token {
    // A local position stays in a register of the processor.
    var index = position
    var flags: Token.Flags = index == 0 ? [.newlineBefore, .spaceBefore] : []
    while index < limit {
      let first = classes[Int(bytes[index])]
      if first == .letter { return word(flags, from: index) }
      if let kind = first.sign {
        position = index + 1
        return token(kind, flags, from: index)
      }
      if first == .space {
        index += 1
        while index < limit && bytes[index] == UInt8(ascii: " ") { index += 1 }
        flags.insert(.spaceBefore)
        continue
      }
      if first == .newline {
        index += 1
        flags.formUnion([.newlineBefore, .spaceBefore])
        continue
      }
      position = index
      if first == .digit { return number(flags) }
      if first == .quote { return string(flags) }
      guard first == .slash else { return otherSign(flags) }
      switch readComment(flags) {
      case .none: return otherSign(flags)
      case .skipped(let added):
        flags.formUnion(added)
        index = position
      case .token(let comment): return comment
      }
    }
    position = index
    // Each loop that goes on to the end of a line ends there, too.
    return token(.endOfFile, flags.union([.newlineBefore, .spaceBefore]), from: limit)
  }

  /// A sign that may be longer than one character, or that the language has not.
  private mutating func otherSign(_ flags: Token.Flags) -> Token {
    let start = position
    let byte = bytes[start]
    let (kind, length) = sign(byte)
    if kind == .unknownCharacter { return unknown(flags) }
    position = start + length
    // `a?.b` is one sign, `a ?.b : .c` is two.
    if kind == .unknownOperator && byte == UInt8(ascii: "?") && flags.contains(.spaceBefore)
      && bytes[start + 1] == UInt8(ascii: ".")
    {
      position = start + 1
      return token(.question, flags, from: start)
    }
    return token(kind, flags, from: start)
  }

  private func token(_ kind: Token.Kind, _ flags: Token.Flags, from start: Int) -> Token {
    // A text is shorter than 2 GB.
    Token(
      kind: kind, flags: flags, start: Int32(truncatingIfNeeded: start),
      end: Int32(truncatingIfNeeded: position))
  }

  /// The byte at `index`, 0 behind the end.
  private func byte(at index: Int) -> UInt8 {
    index < limit ? bytes[index] : 0
  }

  /// The byte `distance` behind the position, 0 behind the end.
  func following(_ distance: Int) -> UInt8 {
    byte(at: position + distance)
  }

  /// The character at `index`, whose bytes are valid; nil when the limit cuts it.
  private func scalar(at index: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var rest = bytes[index..<limit].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }

  /// A name in another script, an attribute such as `@escaping`, a text in the wrong quotes, or a
  /// run of one strange character.
  private mutating func unknown(_ flags: Token.Flags) -> Token {
    let start = position
    let first = bytes[start]
    if first >= 0x80 && skipForeignLetters() { return token(.identifier, flags, from: start) }
    if first == UInt8(ascii: "$"), byte(at: start + 1).isDigit {
      position += 1
      skipDigits()
      return token(.identifier, flags, from: start)
    }
    if first == UInt8(ascii: "$"), byte(at: start + 1).isLetter {
      position += 1
      while position < limit && bytes[position].isWordPart { position += 1 }
      return token(.identifier, flags, from: start)
    }
    let length = first < 0x80 ? 1 : scalar(at: start)?.utf8Count ?? 1
    position += length
    if first == UInt8(ascii: "`"), byte(at: position).isWordPart {
      // `static let `default` = 1`: a name, whatever the word means elsewhere.
      var index = position
      while index < limit && bytes[index].isWordPart { index += 1 }
      if index < limit && bytes[index] == first {
        position = index + 1
        return token(.identifier, flags, from: start)
      }
    }
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "`") {
      skipQuoted(closing: [first])
    } else if first == 0xE2 && length == 3 && bytes[start + 1] == 0x80 && bytes[start + 2] == 0x9C {
      skipQuoted(closing: [0xE2, 0x80, 0x9D])
    } else if first < 0x80 {
      while position < limit && (bytes[position].isWordPart || bytes[position] == first) {
        position += 1
      }
    }
    return token(.unknownCharacter, flags, from: start)
  }

  /// Skips to behind the closing quote, when it is on this line.
  private mutating func skipQuoted(closing: [UInt8]) {
    var index = position
    while index < limit && bytes[index] != UInt8(ascii: "\n") {
      if bytes[index..<limit].starts(with: closing) {
        position = index + closing.count
        return
      }
      index += 1
    }
  }
}

// MARK: Comments

extension Lexer {
  /// What stands at a slash.
  private enum Comment {
    case none
    /// With what it says of the token behind it.
    case skipped(Token.Flags)
    /// Where comments are kept, or it is not closed.
    case token(Token)
  }

  /// Skips the comment that begins here, if one does.
  private mutating func readComment(_ flags: Token.Flags) -> Comment {
    let start = position
    switch byte(at: start + 1) {
    case UInt8(ascii: "/"):
      skipLineComment()
      if keepsComments { return .token(token(.lineComment, flags, from: start)) }
    case UInt8(ascii: "*"):
      guard let spansLines = skipBlockComment() else {
        return .token(
          Token(
            kind: .unterminatedComment, flags: flags, start: Int32(start), end: Int32(start + 2)))
      }
      if keepsComments { return .token(token(.blockComment, flags, from: start)) }
      if spansLines { return .skipped([.newlineBefore, .spaceBefore]) }
    default: return .none
    }
    return .skipped(.spaceBefore)
  }

  private mutating func skipLineComment() {
    while position < limit && bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// Whether the comment, which may hold others, spans lines; nil when it is not closed.
  private mutating func skipBlockComment() -> Bool? {
    var depth = 1
    var spansLines = false
    position += 2
    while position < limit {
      let current = bytes[position]
      position += 1
      if current == UInt8(ascii: "\n") {
        spansLines = true
      } else if current == UInt8(ascii: "/") && byte(at: position) == UInt8(ascii: "*") {
        depth += 1
        position += 1
      } else if current == UInt8(ascii: "*") && byte(at: position) == UInt8(ascii: "/") {
        depth -= 1
        position += 1
        if depth == 0 { return spansLines }
      }
    }
    return nil
  }
}

// MARK: Words and literals

extension Lexer {
  @inline(__always)
  private mutating func word(_ flags: Token.Flags, from start: Int) -> Token {
    var index = start + 1
    while index < limit && classes[Int(bytes[index])].isWordPart { index += 1 }
    position = index
    if index < limit && bytes[index] >= 0x80 && skipForeignLetters() {
      return token(.identifier, flags, from: start)
    }
    var token = token(.identifier, flags, from: start)
    guard index - start <= 8 else { return token }
    token.letters = letters(from: start, count: index - start)
    if bytes[start] == UInt8(ascii: "_") && index == start + 1 {
      token.kind = .underscore
    } else {
      token.kind = Keywords.kind(token.letters, in: keywords)
    }
    return token
  }

  /// Up to eight bytes in one number, the first one lowest.
  @inline(__always)
  private func letters(from start: Int, count: Int) -> UInt64 {
    if start + 8 <= bytes.count {
      let eight = UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: start, as: UInt64.self)
      return UInt64(littleEndian: eight)
        & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }
    var letters: UInt64 = 0
    for index in 0..<count { letters |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return letters
  }

  /// Skips letters and digits of any script; whether there was one that is not ASCII.
  private mutating func skipForeignLetters() -> Bool {
    var skipped = false
    while position < limit {
      if bytes[position].isWordPart {
        position += 1
      } else if bytes[position] >= 0x80, let scalar = scalar(at: position), scalar.isLetter {
        position += scalar.utf8Count
        skipped = true
      } else {
        break
      }
    }
    return skipped
  }

  private mutating func number(_ flags: Token.Flags) -> Token {
    let start = position
    skipDigits()
    if byte(at: position) == UInt8(ascii: ".") && byte(at: position + 1).isDigit {
      position += 1
      skipDigits()
    }
    skipExponent()
    // The unit, right or wrong: whatever letters follow.
    while position < limit && bytes[position].isWordPart { position += 1 }
    if position < limit && bytes[position] >= 0x80 { _ = skipForeignLetters() }
    return token(.number, flags, from: start)
  }

  /// Skips the sign of an exponent, which no word goes on with: `1e-3`.
  private mutating func skipExponent() {
    let sign = byte(at: position + 1)
    guard byte(at: position) | 0x20 == UInt8(ascii: "e"),
      sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+"), byte(at: position + 2).isDigit
    else { return }
    position += 2
    skipDigits()
  }

  private mutating func skipDigits() {
    while position < limit && (bytes[position].isDigit || bytes[position] == UInt8(ascii: "_")) {
      position += 1
    }
  }

  private mutating func string(_ flags: Token.Flags) -> Token {
    let start = position
    var index = start + 1
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        position = index + 1
        return token(.string, flags, from: start)
      case UInt8(ascii: "\n"):
        position = index
        return token(.unterminatedString, flags, from: start)
      case UInt8(ascii: "\\"):
        position = index
        return stringWithEscapes(flags, from: start)
      default:
        index += 1
      }
    }
    position = index
    return token(.unterminatedString, flags, from: start)
  }

  /// Goes on at a backslash.
  ///
  /// The stack holds the open parentheses of each value that is open.
  private mutating func stringWithEscapes(_ flags: Token.Flags, from start: Int) -> Token {
    let flags = flags.union(.hasEscapes)
    var values: [Int] = []
    var isInText = true
    while position < limit && bytes[position] != UInt8(ascii: "\n") {
      let current = bytes[position]
      position += 1
      if isInText {
        if current == UInt8(ascii: "\"") {
          if values.isEmpty { return token(.string, flags, from: start) }
          isInText = false
        } else if current == UInt8(ascii: "\\") {
          let escaped = byte(at: position)
          if escaped == UInt8(ascii: "\n") { break }
          position = min(position + 1, limit)
          if escaped == UInt8(ascii: "(") {
            values.append(1)
            isInText = false
          }
        }
      } else if current == UInt8(ascii: "\"") {
        isInText = true
      } else if current == UInt8(ascii: "(") {
        values[values.count - 1] += 1
      } else if current == UInt8(ascii: ")") {
        values[values.count - 1] -= 1
        if values.last == 0 {
          values.removeLast()
          isInText = true
        }
      }
    }
    return token(.unterminatedString, flags, from: start)
  }
}
