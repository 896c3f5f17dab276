/// Text to tokens, one at a time, in one pass; never fails.
///
/// A small value: a copy of it looks ahead. It reads bytes that somebody else keeps alive, and that
/// are valid UTF-8; through a pointer, since a token takes some 15 ns, and over an array about 40 %
/// more.
struct Lexer {
  private let bytes: UnsafeBufferPointer<UInt8>
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
  mutating func next() -> Token {
    var flags: Token.Flags = position == 0 ? [.newlineBefore, .spaceBefore] : []
    // Mostly there is one space, or none.
    if position < limit && bytes[position] == UInt8(ascii: " ") {
      position += 1
      flags.insert(.spaceBefore)
    }
    if position < limit && bytes[position] <= UInt8(ascii: "/"), let comment = skipTrivia(&flags) {
      return comment
    }
    guard position < limit else { return token(.endOfFile, flags, from: limit) }
    let start = position
    let byte = bytes[start]
    if byte.isLetter { return word(flags) }
    if byte.isDigit { return number(flags) }
    if byte == UInt8(ascii: "\"") { return string(flags) }
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

  /// Whether the next sign, after spaces, is a colon.
  func isColonNext() -> Bool {
    var index = position
    while index < limit && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
    {
      index += 1
    }
    return index < limit && bytes[index] == UInt8(ascii: ":")
  }

  private func token(_ kind: Token.Kind, _ flags: Token.Flags, from start: Int) -> Token {
    Token(kind: kind, flags: flags, start: Int32(start), end: Int32(position))
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
    let length = first < 0x80 ? 1 : scalar(at: start)?.utf8Count ?? 1
    position += length
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

// MARK: White space and comments

extension Lexer {
  /// Skips white space and comments; gives the comment out where they are kept, or not closed.
  private mutating func skipTrivia(_ flags: inout Token.Flags) -> Token? {
    while position < limit {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        var index = position + 1
        while index < limit && bytes[index] == UInt8(ascii: " ") { index += 1 }
        position = index
        flags.insert(.spaceBefore)
      case UInt8(ascii: "\n"):
        position += 1
        flags.formUnion([.newlineBefore, .spaceBefore])
      case UInt8(ascii: "/"):
        let following = byte(at: position + 1)
        let start = position
        if following == UInt8(ascii: "/") {
          skipLineComment()
          if keepsComments { return token(.lineComment, flags, from: start) }
        } else if following == UInt8(ascii: "*") {
          guard let lines = skipBlockComment() else {
            let opening = Token(
              kind: .unterminatedComment, flags: flags, start: Int32(start), end: Int32(start + 2))
            return opening
          }
          if keepsComments { return token(.blockComment, flags, from: start) }
          if lines { flags.insert(.newlineBefore) }
        } else {
          return nil
        }
        flags.insert(.spaceBefore)
      default:
        return nil
      }
    }
    return nil
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
  private mutating func word(_ flags: Token.Flags) -> Token {
    let start = position
    var letters: UInt64 = 0
    // A local position stays in a register of the processor.
    var index = start
    let end = limit
    while index < end {
      let byte = bytes[index]
      guard byte.isWordPart else { break }
      letters = letters << 8 | UInt64(byte)
      index += 1
    }
    position = index
    if position < limit && bytes[position] >= 0x80 && skipForeignLetters() {
      return token(.identifier, flags, from: start)
    }
    let length = position - start
    if length == 1 && letters == UInt64(UInt8(ascii: "_")) {
      return token(.underscore, flags, from: start)
    }
    return token(length <= 8 ? Keywords.kind(letters) : .identifier, flags, from: start)
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
    // The unit, right or wrong: whatever letters follow.
    while position < limit && bytes[position].isWordPart { position += 1 }
    if position < limit && bytes[position] >= 0x80 { _ = skipForeignLetters() }
    return token(.number, flags, from: start)
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
