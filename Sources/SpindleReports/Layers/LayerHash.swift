/// A digest of a sequence of words that joins with that of the next sequence: a polynomial in an odd
/// number, modulo 2^64, with the words as its coefficients.
///
/// So the digest of any stretch follows from those of the stretches in it. Words must be well mixed.
struct SequenceHash: Hashable, Sendable {
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The value of the polynomial.
  private(set) var value: UInt64 = 0
  /// The base to the power of the number of words.
  private var power: UInt64 = 1

  /// The digest of nothing.
  init() {}

  /// Adds a word at the end.
  @inline(__always)
  mutating func append(_ word: UInt64) {
    value = value &* SequenceHash.base &+ word
    power = power &* SequenceHash.base
  }

  /// Adds another sequence at the end.
  mutating func append(_ next: SequenceHash) {
    value = value &* next.power &+ next.value
    power = power &* next.power
  }
}

/// Ways to mix numbers into digests.
enum LayerHash {
  /// Mixes all bits of a number into all others: the final steps of SplitMix64.
  @inline(__always)
  static func mixed(_ word: UInt64) -> UInt64 {
    var mixed = word &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Mixes two numbers, whose order counts.
  @inline(__always)
  static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 { mixed(mixed(left) ^ right) }

  /// The digest of a text.
  static func text(_ utf8: some Collection<UInt8>) -> UInt64 {
    var state = UInt64(utf8.count)
    for byte in utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mixed(state)
  }

  /// The bits of a digest that a file keeps of each of many.
  static func short(_ value: UInt64) -> UInt64 { value >> 40 }

  /// The letters of base 64 that no separator is among (RFC 4648, section 5).
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// A short digest, or the lowest bits of a number, as `count` letters of six bits each.
  static func letters(_ value: UInt64, count: Int = 4) -> String {
    let bytes = (0..<count).reversed().map { alphabet[Int(value >> (6 * UInt64($0)) & 63)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what `letters` writes; nil when it is not that.
  static func digest(_ text: Substring, count: Int = 4) -> UInt64? {
    guard text.utf8.count == count else { return nil }
    var value: UInt64 = 0
    for byte in text.utf8 {
      guard let letter = alphabet.firstIndex(of: byte) else { return nil }
      value = value << 6 | UInt64(letter)
    }
    return value
  }

  /// A number as `digits` hexadecimal digits.
  static func hexadecimal(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
