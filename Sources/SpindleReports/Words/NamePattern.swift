/// A text in which each `*` matches any characters, or none.
enum NamePattern {
  /// Whether `text` holds a `*`.
  static func isPattern(_ text: String) -> Bool { text.utf8.contains(0x2A) }

  /// Whether the whole of `name` matches `pattern`; linear in both but for many `*`.
  static func matches(_ name: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
    var (position, place) = (name.startIndex, 0)
    var (retryPosition, retryPlace) = (name.startIndex, -1)
    while position < name.endIndex {
      if place < pattern.count && pattern[place] == 0x2A {
        (retryPosition, retryPlace) = (position, place)
        place += 1
      } else if place < pattern.count && pattern[place] == name[position] {
        position += 1
        place += 1
      } else if retryPlace >= 0 {
        retryPosition += 1
        (position, place) = (retryPosition, retryPlace + 1)
      } else {
        return false
      }
    }
    while place < pattern.count && pattern[place] == 0x2A { place += 1 }
    return place == pattern.count
  }
}
