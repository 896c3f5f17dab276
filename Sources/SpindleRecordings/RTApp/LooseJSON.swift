/// JSON as rt-app reads it: members keep their order and may repeat, may lack a value, and may have a comma
/// behind the last; comments may be anywhere.
///
/// Source: scheduler-tools/rt-app:doc/tutorial.txt, and its examples.
indirect enum LooseJSON: Hashable, Sendable {
  /// A member of an object; nil where it has no value.
  struct Member: Hashable, Sendable {
    var name: String
    var value: LooseJSON?
    /// Its line, from 1.
    var line: Int
  }

  case object([Member])
  case list([LooseJSON])
  case number(Int64)
  case text(String)
  case truth(Bool)

  /// The members of an object; none of other values.
  var members: [Member] {
    if case .object(let members) = self { return members }
    return []
  }

  /// The value of the first member with a name.
  subscript(name: String) -> LooseJSON? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    return member.value
  }

  var number: Int64? {
    if case .number(let number) = self { return number }
    return nil
  }

  var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// Reads a whole text.
  static func parse(_ bytes: [UInt8]) throws -> LooseJSON {
    var parser = LooseJSONParser(bytes)
    let value = try parser.value(depth: 0)
    try parser.end()
    return value
  }
}

private struct LooseJSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private static let deepest = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private func mistake(_ reason: String) -> RecordingMistake {
    RecordingMistake(.line(line), reason)
  }

  mutating func end() throws {
    try skip()
    if position < bytes.count { throw mistake("something follows the end of the workload") }
  }

  mutating func value(depth: Int) throws -> LooseJSON {
    try skip()
    if depth > Self.deepest { throw mistake("objects are nested too deeply") }
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth))
    case UInt8(ascii: "["): return .list(try list(depth))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: break
    }
    if take("true") { return .truth(true) }
    if take("false") { return .truth(false) }
    if position >= bytes.count { throw mistake("the workload ends before it is complete") }
    throw mistake("a value is expected here")
  }

  private mutating func members(_ depth: Int) throws -> [LooseJSON.Member] {
    position += 1
    var members: [LooseJSON.Member] = []
    while true {
      try skip()
      if take("}") { return members }
      guard next == UInt8(ascii: "\"") else {
        throw mistake(
          position < bytes.count
            ? "the name of a member is expected here" : "the workload ends before it is complete")
      }
      let start = line
      let name = try text()
      try skip()
      let value = take(":") ? try self.value(depth: depth + 1) : nil
      members.append(LooseJSON.Member(name: name, value: value, line: start))
      try skip()
      if !take(","), next != UInt8(ascii: "}") { throw mistake("a comma or '}' is expected here") }
    }
  }

  private mutating func list(_ depth: Int) throws -> [LooseJSON] {
    position += 1
    var values: [LooseJSON] = []
    while true {
      try skip()
      if take("]") { return values }
      values.append(try value(depth: depth + 1))
      try skip()
      if !take(","), next != UInt8(ascii: "]") { throw mistake("a comma or ']' is expected here") }
    }
  }

  private mutating func text() throws -> String {
    position += 1
    var found: [UInt8] = []
    while position < bytes.count, next != UInt8(ascii: "\"") {
      if next == UInt8(ascii: "\\") { position += 1 }
      if next == 0x0A { throw mistake("the text does not end on its line") }
      if position < bytes.count { found.append(next) }
      position += 1
    }
    guard take("\"") else { throw mistake("the text does not end") }
    return String(decoding: found, as: UTF8.self)
  }

  /// A number; digits behind its point do not count.
  private mutating func number() throws -> Int64 {
    let isNegative = take("-")
    var value: Int64 = 0
    let start = position
    while let digit = TextCursor.digit(next), position < bytes.count {
      guard value < 1_000_000_000_000_000 else { throw mistake("the number is too large") }
      value = value * 10 + digit
      position += 1
    }
    if position == start { throw mistake("a digit is expected here") }
    if take(".") { while TextCursor.digit(next) != nil { position += 1 } }
    return isNegative ? -value : value
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Skips spaces and comments.
  private mutating func skip() throws {
    while position < bytes.count {
      if take("/*") {
        while position < bytes.count, !take("*/") { advance() }
      } else if take("//") {
        while position < bytes.count, next != 0x0A { position += 1 }
      } else if next == 0x20 || next == 0x09 || next == 0x0D || next == 0x0A {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func advance() {
    if next == 0x0A { line += 1 }
    position += 1
  }
}
