/// The reserved words, found by their letters packed into 64 bits.
///
/// No reserved word is longer than eight letters, so a word is compared as one integer.
struct Keywords: Sendable {
  /// Every reserved word with its kind.
  static let all: [(text: String, kind: Token.Kind)] = [
    ("let", .let), ("var", .var), ("func", .func), ("if", .if), ("else", .else),
    ("guard", .guard), ("while", .while), ("repeat", .repeat), ("for", .for), ("in", .in),
    ("break", .break), ("continue", .continue), ("return", .return), ("defer", .defer),
    ("do", .do), ("catch", .catch), ("throw", .throw), ("true", .true), ("false", .false),
    ("nil", .nil),
  ]

  /// By a hash of the letters; made once and never given back.
  static let table: LookupTable<Slot> = {
    var slots = Array(repeating: Slot(letters: 0, kind: .identifier), count: 128)
    for (text, kind) in all {
      var letters: UInt64 = 0
      for (place, byte) in text.utf8.enumerated() { letters |= UInt64(byte) << UInt64(8 * place) }
      var index = start(letters)
      while slots[index].letters != 0 { index = (index + 1) & 127 }
      slots[index] = Slot(letters: letters, kind: kind)
    }
    return LookupTable(slots)
  }()

  /// The kind of the word whose up to eight letters are packed into `letters`, the first one lowest.
  @inline(__always)
  static func kind(_ letters: UInt64, in table: LookupTable<Slot>) -> Token.Kind {
    var index = start(letters)
    while true {
      let slot = table[index]
      if slot.letters == letters { return slot.kind }
      if slot.letters == 0 { return .identifier }
      index = (index + 1) & 127
    }
  }

  private static func start(_ letters: UInt64) -> Int {
    Int(truncatingIfNeeded: (letters &* 0x9E37_79B9_7F4A_7C15) >> 57)
  }

  /// A word with its kind.
  struct Slot: BitwiseCopyable {
    fileprivate var letters: UInt64
    fileprivate var kind: Token.Kind
  }
}
