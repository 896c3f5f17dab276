import SpindleModel

/// Draws that depend on a key and never on when they are made: integers only, the same everywhere.
///
/// A key is a hash of the seed, of the activity and of the place in the text; see `Site`.
package enum RandomStreams {
  /// The place of what a scheduling policy draws: the stream of no activity.
  static let policySalt: UInt32 = 4

  /// The key of what happens for the `ordinal`-th time at the place `salt` of a frame.
  @inline(__always)
  static func key(_ frame: UInt64, salt: UInt32, ordinal: Int64) -> UInt64 {
    mix(
      frame &+ UInt64(salt) &* 0x9E37_79B9_7F4A_7C15
        &+ UInt64(bitPattern: ordinal) &* 0xD1B5_4A32_D192_ED03)
  }

  /// The next number of SplitMix64, whose state moves on by the constant that `mix` adds.
  package static func next(_ state: inout UInt64) -> UInt64 {
    defer { state &+= golden }
    return mix(state)
  }

  /// The odd number nearest to 2^64 divided by the golden ratio.
  package static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The finaliser of SplitMix64: every bit of the result depends on every bit of the value.
  ///
  /// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
  @inline(__always)
  package static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Turns a key into a duration of a given distribution.
///
/// Logarithms and powers come from tables of 256 segments that are computed with integers, once for
/// all runs of a process; between two entries they are linear, which is off by less than 1 in 100,000.
struct Sampler: ~Copyable {
  /// The tables; nothing writes them once they are made, and they live as long as the process.
  private struct Tables: @unchecked Sendable {
    /// log2(1 + i/256) · 2^24, rounded, for i from 0 to 256.
    let logarithms: UnsafePointer<Int32>
    /// 2^(i/256) · 2^30, rounded, for i from 0 to 256.
    let powers: UnsafePointer<UInt32>

    init() {
      let logarithms = UnsafeMutablePointer<Int32>.allocate(capacity: 257)
      let powers = UnsafeMutablePointer<UInt32>.allocate(capacity: 257)
      let roots = Sampler.rootsOfTwo()
      for index in 0...256 {
        logarithms[index] = Sampler.logarithm(of: UInt64(256 + index) << 54)
        powers[index] = Sampler.power(index, roots)
      }
      self.logarithms = UnsafePointer(logarithms)
      self.powers = UnsafePointer(powers)
    }
  }

  private static let tables = Tables()
  private let logarithms = tables.logarithms
  private let powers = tables.powers

  /// log2(value / 2^62) · 2^24 for a value from 2^62 up to 2^63, bit by bit.
  private static func logarithm(of value: UInt64) -> Int32 {
    if value >> 63 == 1 { return 1 << 24 }
    var (x, result) = (value, Int32(0))
    for _ in 0..<26 {
      // x is in [1, 2) with 62 bits after the point; its square is in [1, 4).
      x = UInt64(truncatingIfNeeded: (UInt128(x) &* UInt128(x)) >> 62)
      result <<= 1
      if x >> 63 == 1 {
        result |= 1
        x >>= 1
      }
    }
    return (result + 2) >> 2
  }

  /// 2^(1/2), 2^(1/4) and so on to 2^(1/256), each with 62 bits after the point.
  private static func rootsOfTwo() -> [UInt64] {
    var root = UInt128(1) << 125
    return (1...8).map { _ in
      let factor = squareRoot(root)
      root = UInt128(factor) << 62
      return factor
    }
  }

  /// 2^(index/256) · 2^30, from the square roots of two.
  private static func power(_ index: Int, _ roots: [UInt64]) -> UInt32 {
    var result = UInt64(1) << 62
    for bit in 1...8 where index >> (8 - bit) & 1 == 1 {
      result = UInt64(truncatingIfNeeded: (UInt128(result) &* UInt128(roots[bit - 1])) >> 62)
    }
    if index == 256 { return 1 << 31 }
    return UInt32(truncatingIfNeeded: (result + (1 << 31)) >> 32)
  }

  /// The square root of `value`, rounded down.
  private static func squareRoot(_ value: UInt128) -> UInt64 {
    var root: UInt128 = 0
    for bit in (0..<64).reversed() {
      let candidate = root | (1 << UInt128(bit))
      if candidate &* candidate <= value { root = candidate }
    }
    return UInt64(truncatingIfNeeded: root)
  }

  /// −log2(u) · 2^24 for u = (key + ½) / 2^64, nearly.
  @inline(__always)
  private func negativeLogarithm(_ key: UInt64) -> UInt64 {
    let shift = (key | 1).leadingZeroBitCount
    let mantissa = (key << UInt64(shift)) << 1
    let segment = Int(mantissa >> 56)
    let fraction = Int64((mantissa >> 40) & 0xFFFF)
    let low = Int64(logarithms[segment])
    let high = Int64(logarithms[segment &+ 1])
    let logarithm = low &+ ((high &- low) &* fraction) >> 16
    return UInt64(shift &+ 1) << 24 &- UInt64(bitPattern: logarithm)
  }

  /// An exponential draw with this mean; at most about 44 times the mean.
  @inline(__always)
  func exponential(_ key: UInt64, mean: Int64) -> Int64 {
    exponential(key, factor: Self.timesLogarithmOfTwo(UInt64(max(0, mean))))
  }

  /// An exponential draw with the mean whose product with ln 2 is `factor`.
  @inline(__always)
  func exponential(_ key: UInt64, factor: UInt64) -> Int64 {
    saturated((UInt128(negativeLogarithm(key)) &* UInt128(factor)) >> 24)
  }

  /// mean · 0.693147180559945309, rounded to nearest.
  ///
  /// A division of 128 bits would cost as much as the rest of the draw: the quotient is guessed by a
  /// multiplication with ln 2 · 2^64, which is at most one too small, and corrected.
  @inline(__always)
  static func timesLogarithmOfTwo(_ mean: UInt64) -> UInt64 {
    let unit: UInt128 = 1_000_000_000_000_000_000
    let scaled = UInt128(mean) &* 693_147_180_559_945_309 &+ unit / 2
    let guess = mean.multipliedFullWidth(by: 0xB172_17F7_D1CF_79A4).high
    let rest = scaled &- UInt128(guess) &* unit
    return rest >= unit ? guess &+ 1 : guess
  }

  /// A draw from `least` to `most`, both included; `least` when the range is empty.
  @inline(__always)
  func uniform(_ key: UInt64, least: Int64, most: Int64) -> Int64 {
    if most <= least { return max(0, least) }
    let span = UInt64(bitPattern: most &- least) &+ 1
    if span == 0 { return max(0, Int64(bitPattern: key)) }
    let offset = UInt64(truncatingIfNeeded: (UInt128(key) &* UInt128(span)) >> 64)
    return max(0, least &+ Int64(bitPattern: offset))
  }

  /// A normal draw: the sum of twelve uniform ones, which has exactly the asked mean and deviation
  /// and ends at six deviations.
  ///
  /// A negative draw is 0.
  func normal(_ key: UInt64, mean: Int64, deviation: Int64) -> Int64 {
    var sum: Int64 = 0
    for term in 0..<12 {
      sum += Int64(RandomStreams.mix(key &+ UInt64(term) &* 0xA076_1D64_78BD_642F) >> 32)
    }
    // Twelve uniform draws of 32 bits: mean 6 · 2^32, deviation 2^32.
    let offset = (Int128(sum - (6 << 32)) * Int128(deviation)) >> 32
    let drawn = Int128(mean) + offset
    return drawn < 0 ? 0 : saturated(UInt128(drawn))
  }

  /// A Pareto draw: `least` · u^(−1/shape); the shape is in billionths.
  func pareto(_ key: UInt64, least: Int64, shape: Int64) -> Int64 {
    if shape <= 0 { return max(0, least) }
    let exponent = UInt128(negativeLogarithm(key)) * 1_000_000_000 / UInt128(UInt64(shape))
    let whole = exponent >> 24
    if whole > 34 { return least <= 0 ? 0 : Self.longest }
    let fraction = UInt64(truncatingIfNeeded: exponent & 0xFF_FFFF)
    let segment = Int(fraction >> 16)
    let (low, high) = (UInt64(powers[segment]), UInt64(powers[segment + 1]))
    let power = low + ((high - low) * (fraction & 0xFFFF)) >> 16
    return saturated((UInt128(UInt64(max(0, least))) * UInt128(power) << whole) >> 30)
  }

  /// What is drawn longer is as long as a length of time can be.
  private static let longest = Nanoseconds.longest.rawValue

  @inline(__always)
  private func saturated(_ value: UInt128) -> Int64 {
    value > UInt128(UInt64(Self.longest)) ? Self.longest : Int64(truncatingIfNeeded: value)
  }
}
