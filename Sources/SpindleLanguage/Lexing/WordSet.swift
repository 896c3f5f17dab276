/// Words that begin with a small letter, and a quick answer for most tokens that are not among them.
struct WordSet: Sendable {
  private let texts: Set<String>
  /// For each first letter, the lengths of the words that begin with it, a bit each.
  private let lengths: [UInt32]

  init(_ words: [String]) {
    var lengths = [UInt32](repeating: 0, count: 26)
    for word in words {
      guard let first = word.utf8.first else { continue }
      lengths[Int(first - UInt8(ascii: "a"))] |= 1 << UInt32(word.utf8.count)
    }
    (texts, self.lengths) = (Set(words), lengths)
  }

  func contains(_ word: String) -> Bool { texts.contains(word) }

  /// Whether one of the words begins with `first` and has `count` bytes.
  func mayHave(first: UInt8, count: Int) -> Bool {
    let letter = first &- UInt8(ascii: "a")
    return letter < 26 && count < 32 && lengths[Int(letter)] & 1 << UInt32(count) != 0
  }
}
