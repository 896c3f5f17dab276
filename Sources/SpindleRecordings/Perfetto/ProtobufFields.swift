/// Reads the fields of one message of a protobuf, one after the other.
struct ProtobufFields {
  /// A field's value.
  enum Value: Hashable, Sendable {
    /// A number.
    case number(UInt64)
    /// The position of a text, bytes, or a message.
    case bytes(Range<Int>)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let end: Int
  /// Whether what came next was no field; then nothing more comes.
  private(set) var isDamaged = false

  /// The fields of the message at `range`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// The number of the next field and its value; nil behind the last.
  mutating func next() -> (field: UInt64, value: Value)? {
    guard position < end else { return nil }
    guard let key = Self.number(bytes, &position, end), key >> 3 > 0 else { return damage() }
    switch key & 7 {
    case 0:
      guard let value = Self.number(bytes, &position, end) else { return damage() }
      return (key >> 3, .number(value))
    case 1, 5:
      let count = key & 7 == 1 ? 8 : 4
      guard end - position >= count else { return damage() }
      var value: UInt64 = 0
      for place in 0..<count { value |= UInt64(bytes[position + place]) << UInt64(8 * place) }
      position += count
      return (key >> 3, .number(value))
    case 2:
      guard let length = Self.number(bytes, &position, end), length <= UInt64(end - position) else {
        return damage()
      }
      let start = position
      position += Int(length)
      return (key >> 3, .bytes(start..<position))
    default: return damage()
    }
  }

  private mutating func damage() -> (field: UInt64, value: Value)? {
    (isDamaged, position) = (true, end)
    return nil
  }

  /// A number of seven bits a byte, the lowest first; nil where it does not end.
  static func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ end: Int
  ) -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while position < end, shift < 70 {
      let byte = bytes[position]
      position += 1
      if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// The numbers of a packed field.
  static func packed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [UInt64] {
    var (numbers, position): ([UInt64], Int) = ([], range.lowerBound)
    while position < range.upperBound, let next = number(bytes, &position, range.upperBound) {
      numbers.append(next)
    }
    return numbers
  }
}
