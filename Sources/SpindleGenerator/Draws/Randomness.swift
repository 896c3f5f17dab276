/// Numbers that look random and are the same for the same seed.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct Randomness {
  private var state: UInt64

  /// Creates the numbers of a seed.
  package init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0xD6E8_FEB8_6659_FD93 }

  /// The next number below `limit`, which is at least 1.
  package mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }

  /// Whether a throw with `count` sides shows the first.
  package mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  /// One of several, which are not none.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
