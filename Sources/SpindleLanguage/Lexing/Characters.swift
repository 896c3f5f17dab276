extension UInt8 {
  /// `0` to `9`.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// An ASCII letter or `_`.
  var isLetter: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
  }

  /// An ASCII letter, digit or `_`.
  var isWordPart: Bool { isLetter || isDigit }
}

/// What a token that begins with a byte can be, as a number: the raw value of a sign's kind where the
/// sign is complete with this byte.
struct ByteClass: BitwiseCopyable, Equatable, Sendable {
  private let number: UInt8

  static let quote = ByteClass(number: 0x80)
  static let space = ByteClass(number: 0x81)
  static let newline = ByteClass(number: 0x82)
  static let slash = ByteClass(number: 0x83)
  /// A longer sign, perhaps, or something that the language has not.
  static let other = ByteClass(number: 0x84)
  static let letter = ByteClass(number: 0xC0)
  static let digit = ByteClass(number: 0xC1)

  /// Whether a name or number goes on with it.
  var isWordPart: Bool { number >= 0xC0 }

  /// The sign, nil while the token is not a complete sign.
  var sign: Token.Kind? { number < 0x80 ? unsafeBitCast(number, to: Token.Kind.self) : nil }

  /// The class of each byte; made once and never given back.
  static let table = LookupTable((0...UInt8.max).map { ByteClass($0) })

  private init(number: UInt8) { self.number = number }

  private init(_ byte: UInt8) {
    self =
      switch byte {
      case _ where byte.isLetter: .letter
      case _ where byte.isDigit: .digit
      case UInt8(ascii: "\""): .quote
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): .space
      case UInt8(ascii: "\n"): .newline
      case UInt8(ascii: "/"): .slash
      case UInt8(ascii: "("): ByteClass(.leftParenthesis)
      case UInt8(ascii: ")"): ByteClass(.rightParenthesis)
      case UInt8(ascii: "["): ByteClass(.leftBracket)
      case UInt8(ascii: "]"): ByteClass(.rightBracket)
      case UInt8(ascii: "{"): ByteClass(.leftBrace)
      case UInt8(ascii: "}"): ByteClass(.rightBrace)
      case UInt8(ascii: ","): ByteClass(.comma)
      case UInt8(ascii: ":"): ByteClass(.colon)
      case UInt8(ascii: ";"): ByteClass(.semicolon)
      default: .other
      }
  }

  private init(_ sign: Token.Kind) { number = sign.rawValue }
}

/// Constants that are looked up by number, by pointer: an array would count its references.
struct LookupTable<Element: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  private let start: UnsafePointer<Element>

  /// Creates a table, which stays for as long as the process.
  init(_ elements: [Element]) {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
    self.start = UnsafePointer(start)
  }

  /// The element at `index`, which must be one of the table's.
  subscript(index: Int) -> Element { start[index] }
}

extension Unicode.Scalar {
  /// Whether a name may have it: a letter or digit of any script, or a mark upon one.
  var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber:
      true
    default: false
    }
  }

  /// How many bytes it takes in UTF-8.
  var utf8Count: Int {
    switch value {
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x1_0000: 3
    default: 4
    }
  }
}

/// The offset of the first byte that is not valid UTF-8; nil when all are.
func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  var index = 0
  while index < bytes.count {
    // Eight bytes of ASCII at a time: nearly all that there is.
    while index + 8 <= bytes.count,
      UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    guard index < bytes.count else { break }
    if bytes[index] < 0x80 {
      index += 1
    } else if let length = sequenceLength(bytes, at: index) {
      index += length
    } else {
      return index
    }
  }
  return nil
}

/// The length of the sequence that begins at `index` with a byte of 0x80 or more; nil when invalid.
///
/// Source: the Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
private func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
  let first = bytes[index]
  let length: Int
  var second: ClosedRange<UInt8> = 0x80...0xBF
  switch first {
  case 0xC2...0xDF: length = 2
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xE1...0xEF: length = 3
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF1...0xF3: length = 4
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  default: return nil
  }
  guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
  for offset in 2..<max(2, length) where !(0x80...0xBF).contains(bytes[index + offset]) {
    return nil
  }
  return length
}
