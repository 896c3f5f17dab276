/// A place in a line of text, which moves to the right as the line is read.
struct TextCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next byte is.
  var position: Int
  /// Where the text ends.
  var end: Int

  /// Begins at the start of a line.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    (self.bytes, position, end) = (bytes, 0, bytes.count)
  }

  /// The next byte; 0 at the end.
  var next: UInt8 { position < end ? bytes[position] : 0 }

  /// The text from here to the end, or to another place.
  func text(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<bytes.count)
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  mutating func skipSpaces() {
    while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
  }

  /// Goes behind `literal` where that comes next.
  mutating func take(_ literal: StaticString) -> Bool {
    guard stands(literal, at: position) else { return false }
    position += literal.utf8CodeUnitCount
    return true
  }

  /// Whether `literal` is at a place.
  func stands(_ literal: StaticString, at place: Int) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard place >= 0, end - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != literal.utf8Start[index] { return false }
    return true
  }

  /// The first position of `literal` from `start` on.
  func first(_ literal: StaticString, from start: Int) -> Int? {
    let last = end - literal.utf8CodeUnitCount
    var place = start
    while place <= last {
      if stands(literal, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// The last position of `literal` from `start` on.
  func last(_ literal: StaticString, from start: Int) -> Int? {
    var place = end - literal.utf8CodeUnitCount
    while place >= start {
      if stands(literal, at: place) { return place }
      place -= 1
    }
    return nil
  }

  /// The digits that come next, as a number; nil where none do, or too many.
  mutating func digits() -> Int64? {
    var (value, place): (Int64, Int) = (0, position)
    while place < end, let digit = Self.digit(bytes[place]) {
      guard value < 900_000_000_000_000_000 else { return nil }
      value = value * 10 + digit
      place += 1
    }
    if place == position { return nil }
    position = place
    return value
  }

  /// A number of a thread, or a priority, which may be negative.
  mutating func number() -> Int32? {
    let start = position
    let isNegative = take("-")
    guard let value = digits(), let number = Int32(exactly: isNegative ? -value : value) else {
      position = start
      return nil
    }
    return number
  }

  /// A number as `0x1f`, or with decimal digits.
  mutating func wideNumber() -> UInt64? {
    guard take("0x") else { return digits().map { UInt64($0) } }
    var (value, count): (UInt64, Int) = (0, 0)
    while position < end, count < 16, let digit = Self.hexDigit(bytes[position]) {
      (value, count, position) = (value << 4 | digit, count + 1, position + 1)
    }
    return count > 0 ? value : nil
  }

  /// A moment in seconds, with up to nine digits after the point that count; in nanoseconds.
  mutating func seconds() -> Int64? {
    guard let whole = digits(), whole < 9_000_000_000, take(".") else { return nil }
    let start = position
    var (fraction, scale): (Int64, Int64) = (0, 1_000_000_000)
    while position < end, let digit = Self.digit(bytes[position]) {
      if scale > 1 { (fraction, scale) = (fraction * 10 + digit, scale / 10) }
      position += 1
    }
    return position > start ? whole * 1_000_000_000 + fraction * scale : nil
  }

  static func digit(_ byte: UInt8) -> Int64? {
    byte >= 0x30 && byte <= 0x39 ? Int64(byte - 0x30) : nil
  }

  private static func hexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x41...0x46: UInt64(byte - 0x41 + 10)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    default: nil
    }
  }
}
