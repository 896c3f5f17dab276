/// A piece of the markup of an export.
enum ExportMark {
  /// The text between `<` and `>`.
  case tag(ExportTag)
  /// The text between two tags.
  case text(UnsafeBufferPointer<UInt8>)
  /// A tag that another one begins in, or that is too long.
  case damaged
}

/// A tag: its name, whether it opens or closes, and its attributes.
struct ExportTag {
  /// What it is called.
  let name: UnsafeBufferPointer<UInt8>
  /// Whether it begins an element, and whether it ends one; an empty element's does both.
  let opens: Bool
  let closes: Bool
  private let rest: UnsafeBufferPointer<UInt8>

  /// Takes the text between `<` and `>`; nil of what is not an element: comments and declarations.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, bytes.count)
    guard let first = bytes.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
      return nil
    }
    if first == UInt8(ascii: "/") { start = 1 }
    opens = start == 0
    if opens, end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    closes = !opens || end < bytes.count
    var position = start
    while position < end, !Self.isSpace(bytes[position]) { position += 1 }
    name = UnsafeBufferPointer(rebasing: bytes[start..<position])
    rest = UnsafeBufferPointer(rebasing: bytes[position..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  /// Whether it has a name.
  func isCalled(_ text: StaticString) -> Bool { Self.isEqual(name, text) }

  /// Whether bytes are those of a text.
  static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in bytes.indices where bytes[index] != text.utf8Start[index] { return false }
    return true
  }

  /// The value of an attribute, as written; nil where the tag has none.
  func attribute(_ wanted: StaticString) -> UnsafeBufferPointer<UInt8>? {
    var position = 0
    while position < rest.count {
      while position < rest.count, Self.isSpace(rest[position]) { position += 1 }
      let start = position
      while position < rest.count, rest[position] != UInt8(ascii: "=") { position += 1 }
      let name = UnsafeBufferPointer(rebasing: rest[start..<position])
      position += 1
      guard position < rest.count else { return nil }
      let quote = rest[position]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      let begin = position + 1
      position = begin
      while position < rest.count, rest[position] != quote { position += 1 }
      guard position < rest.count else { return nil }
      if Self.isEqual(name, wanted) { return UnsafeBufferPointer(rebasing: rest[begin..<position]) }
      position += 1
    }
    return nil
  }

  /// The number of an attribute; nil where it is not one.
  func number(_ wanted: StaticString) -> Int64? {
    attribute(wanted).flatMap { MarkupText.number($0) }
  }
}

/// Decodes the text of an export.
enum MarkupText {
  /// A whole number; nil of anything else, and of one that is too large.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard !bytes.isEmpty, bytes.count <= 20 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(Int64(byte - 0x30))
      if overflow || carry { return nil }
      value = sum
    }
    return bytes.count == 1 && isNegative ? nil : isNegative ? -value : value
  }

  /// Text with the five names of markup and the numbers of characters put in.
  static func plain(_ bytes: some Collection<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    let text = String(decoding: bytes, as: UTF8.self)
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";"), let character = character(rest[..<end].dropFirst())
      else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      result += character
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#", name.count < 10 else { return nil }
      let isHex = name.dropFirst().first == "x"
      return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
        .flatMap { Unicode.Scalar($0) }.map { String(Character($0)) }
    }
  }
}

extension RecordingBytes {
  /// How many bytes of an export are read at a time.
  private static var exportStep: Int { 1 << 18 }
  /// Longer tags and texts are damage: a backtrace is many short ones.
  private static var longestMark: Int { 1 << 20 }

  /// Calls `body` with each piece of markup and the line on which it ends, until that returns false; returns
  /// whether the recording ends within a tag.
  ///
  /// Only the piece that was read last is in memory.
  func forEachMark(_ body: (_ mark: ExportMark, _ line: Int) throws -> Bool) throws -> Bool {
    var (offset, line) = (0, 1)
    var rest: [UInt8] = []
    while true {
      let piece = try read(at: offset, count: Self.exportStep)
      offset += piece.count
      let isLast = piece.isEmpty
      let buffer = rest.isEmpty ? piece : rest + piece
      var scan = ExportScan(line: line)
      var goesOn = true
      try buffer.withUnsafeBufferPointer { bytes in
        while goesOn, let mark = scan.next(bytes, isLast: isLast) {
          goesOn = try body(mark, scan.line)
        }
      }
      if !goesOn { return false }
      line = scan.line
      if isLast { return scan.position < buffer.count }
      rest = Array(buffer[scan.position...])
      if rest.count > Self.longestMark {
        rest = []
        if try !body(.damaged, line) { return false }
      }
    }
  }
}

/// Finds pieces of markup in a buffer, one after the other.
private struct ExportScan {
  /// On which line the last piece ended.
  var line: Int
  /// Where the next one begins.
  private(set) var position = 0

  init(line: Int) { self.line = line }

  /// The next piece; nil where it continues behind the buffer.
  mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> ExportMark? {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else {
          guard isLast else { return nil }
          advance(bytes, to: bytes.count)
          return nil
        }
        let text = UnsafeBufferPointer(rebasing: bytes[position..<end])
        advance(bytes, to: end)
        return .text(text)
      }
      if stands("<!--", bytes) {
        guard skip(bytes, behind: "-->") else { return nil }
      } else if stands("<?", bytes) {
        guard skip(bytes, behind: "?>") else { return nil }
      } else {
        switch tagEnd(bytes) {
        case nil: return nil
        case .some(let end) where bytes[end] == UInt8(ascii: "<"):
          advance(bytes, to: end)
          return .damaged
        case .some(let end):
          let tag = ExportTag(UnsafeBufferPointer(rebasing: bytes[(position + 1)..<end]))
          advance(bytes, to: end + 1)
          if let tag { return tag.name.isEmpty ? .damaged : .tag(tag) }
        }
      }
    }
    return nil
  }

  /// Where the tag that begins here ends; the place of a `<` if that comes first.
  private func tagEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = position + 1
    var quote: UInt8 = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "<"): return place
      case UInt8(ascii: ">") where quote == 0: return place
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == 0 { quote = bytes[place] } else if quote == bytes[place] { quote = 0 }
      default: break
      }
      place += 1
    }
    return nil
  }

  private func stands(_ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    TextCursor(bytes).stands(text, at: position)
  }

  private mutating func skip(
    _ bytes: UnsafeBufferPointer<UInt8>, behind end: StaticString
  ) -> Bool {
    guard let place = TextCursor(bytes).first(end, from: position) else { return false }
    advance(bytes, to: place + end.utf8CodeUnitCount)
    return true
  }

  private mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>, to place: Int) {
    for index in position..<place where bytes[index] == 0x0A { line += 1 }
    position = place
  }
}
