import SpindleSimulator

/// Numbers that are drawn one after another, the same for the same key on every machine.
struct KeyedNumbers {
  private var state: UInt64

  init(_ seed: UInt64, _ run: Int) {
    // Without the constant that `mix` adds.
    state = RandomStreams.mix((seed &* 0x9E37_79B9 ^ UInt64(run)) &- RandomStreams.golden)
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 { RandomStreams.next(&state) }

  /// A number below a bound, which is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// The place of a weight, as often as it is large; the last where all are 0.
  @inline(__always)
  mutating func place(of count: Int, weight: (Int) -> Int) -> Int {
    var sum = 0
    for place in 0..<count { sum += weight(place) }
    if sum == 0 { return below(count) }
    var drawn = below(sum)
    for place in 0..<count {
      let weight = weight(place)
      if drawn < weight { return place }
      drawn -= weight
    }
    return count - 1
  }
}
