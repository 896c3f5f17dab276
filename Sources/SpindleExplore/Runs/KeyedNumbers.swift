/// Numbers that are drawn one after another, the same for the same key on every machine.
struct KeyedNumbers {
  private var state: UInt64

  init(_ seed: UInt64, _ run: Int) { state = Self.mix(seed &* 0x9E37_79B9 ^ UInt64(run)) }

  /// The next 64 bits.
  ///
  /// Source: Steele, Lea and Flood 2014, SplitMix.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number below a bound, which is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// The place of a weight, as often as it is large; the last where all are 0.
  mutating func place(_ weights: [Int]) -> Int {
    let sum = weights.reduce(0, +)
    if sum == 0 { return below(weights.count) }
    var drawn = below(sum)
    for (place, weight) in weights.enumerated() {
      if drawn < weight { return place }
      drawn -= weight
    }
    return weights.count - 1
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
