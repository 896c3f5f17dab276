extension Sequence where Element: Hashable {
  /// The element that occurs most often, the first of several; nil for an empty sequence.
  ///
  /// O(n).
  func mostFrequent() -> Element? {
    var counts: [Element: Int] = [:]
    var most = 0
    for element in self {
      counts[element, default: 0] += 1
      most = Swift.max(most, counts[element, default: 0])
    }
    return first { counts[$0] == most }
  }
}
