/// The patterns of the kinds of work of a trace: which of them a name or another pattern fits.
///
/// In a pattern each `*` stands for any text. What has none is looked up; of the others only those are
/// tried that begin alike.
struct KindNames: Sendable {
  /// How many patterns there are.
  let count: Int
  /// Whether there is work that may have any name.
  private let areAll: Bool
  private let all: Set<String>
  /// The UTF-8 of all, in order.
  private let sorted: [[UInt8]]
  /// Those with a `*`, by the text before the first one.
  private let byBeginning: [[UInt8]: [[UInt8]]]

  private static let star = UInt8(ascii: "*")

  /// Looks at patterns, of which several may be equal; with `areAll` there is work of any name, too.
  init(_ patterns: [String], areAll: Bool = false) {
    (count, self.areAll) = (patterns.count, areAll)
    all = Set(patterns)
    let texts = patterns.map { Array($0.utf8) }
    sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
    byBeginning = Dictionary(grouping: texts.filter { $0.contains(Self.star) }) { pattern in
      Array(pattern.prefix { $0 != Self.star })
    }
  }

  /// Whether a kind has a pattern that, taken as a text, is what `pattern` says.
  func hasText(like pattern: String) -> Bool {
    if areAll || all.contains(pattern) { return true }
    let wanted = Array(pattern.utf8)
    let beginning = wanted.prefix { $0 != Self.star }
    if beginning.count == wanted.count { return false }
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].lexicographicallyPrecedes(beginning) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    while low < sorted.count && sorted[low].starts(with: beginning) {
      if Self.matches(wanted, sorted[low]) { return true }
      low += 1
    }
    return false
  }

  /// Whether a kind has a pattern that says what `name` is.
  func hasPattern(for name: String) -> Bool {
    if areAll || all.contains(name) { return true }
    if byBeginning.isEmpty { return false }
    let text = Array(name.utf8)
    return (0...text.count).contains { length in
      byBeginning[Array(text[..<length])]?.contains { Self.matches($0, text) } ?? false
    }
  }

  /// Whether `text` is what `pattern` says, where each `*` stands for any text.
  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var (p, t) = (0, 0)
    var (lastStar, resume) = (-1, 0)
    while t < text.count {
      if p < pattern.count && pattern[p] == star {
        (lastStar, resume) = (p, t)
        p += 1
      } else if p < pattern.count && pattern[p] == text[t] {
        p += 1
        t += 1
      } else if lastStar >= 0 {
        resume += 1
        (p, t) = (lastStar + 1, resume)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == star }
  }
}
