import SpindleModel

/// The values of a parameter between two bounds, divided evenly or, over more than a hundredfold, by
/// ratio.
///
/// All arithmetic is on whole numbers, so that every machine takes the same values.
package struct ValueScale: Hashable, Sendable {
  /// What the values are, and so how they are written.
  package enum Kind: String, Hashable, Sendable { case number, duration, size }

  /// What the values are.
  package let kind: Kind
  /// The least value: a number, nanoseconds or bytes.
  package let lower: Int64
  /// The greatest value.
  package let upper: Int64

  /// Creates the scale from `lower` to `upper`, which is greater.
  package init(_ kind: Kind, from lower: Int64, to upper: Int64) {
    precondition(lower < upper, "a scale has two ends")
    (self.kind, self.lower, self.upper) = (kind, lower, upper)
  }

  /// Whether equal ratios are equally far apart, and not equal differences.
  package var isLogarithmic: Bool { lower > 0 && upper / lower > 100 }

  /// The values to sample first: both ends and those that halve the scale four times, 17 in all where there
  /// are that many.
  package var samples: [Int64] { samples(4) }

  /// Both ends and the values that halve the scale so often.
  package func samples(_ halvings: Int) -> [Int64] {
    var values = [lower, upper]
    for _ in 0..<halvings {
      var finer = [values[0]]
      for (left, right) in zip(values, values.dropFirst()) {
        if let middle = middle(left, right) { finer.append(middle) }
        finer.append(right)
      }
      values = finer
    }
    return values
  }

  /// A value about halfway between two, with three digits where that is near enough; nil where none
  /// is between them.
  package func middle(_ left: Int64, _ right: Int64) -> Int64? {
    guard left < right, left + 1 < right else { return nil }
    let exact =
      isLogarithmic
      ? Int64(ValueScale.root(of: UInt128(left) * UInt128(right)))
      : Int64((Int128(left) + Int128(right)) >> 1)
    for value in [rounded(exact), exact, left + 1] where left < value && value < right {
      return value
    }
    return nil
  }

  /// Whether two values are within 1 % of each other; where 1 % is less than a ten-thousandth of an
  /// even scale, that is enough.
  package func isClose(_ left: Int64, _ right: Int64) -> Bool {
    let distance = Int128(right) - Int128(left)
    var tolerance = max(1, Int128(right.magnitude) / 100)
    if !isLogarithmic { tolerance = max(tolerance, (Int128(upper) - Int128(lower)) / 10_000) }
    return distance <= tolerance
  }

  /// The value as a trace writes it: `183us`.
  package func text(_ value: Int64) -> String {
    switch kind {
    case .number: "\(value)"
    case .duration: Nanoseconds(value).description
    case .size: ByteCount(value).description
    }
  }

  /// The nearest value that is written with few digits, within half a percent.
  private func rounded(_ value: Int64) -> Int64 {
    let base: Int64 = kind == .size ? 1_024 : 10
    var grain: Int64 = 1
    while value.magnitude / UInt64(grain) >= 100 * UInt64(base) { grain *= base }
    let nearest = (Int128(value) + Int128(grain / 2)) / Int128(grain) * Int128(grain)
    return Int64(clamping: nearest)
  }

  /// The whole part of the square root.
  private static func root(of square: UInt128) -> UInt128 {
    var root: UInt128 = 0
    var bit: UInt128 = 1 << 63
    while bit > 0 {
      let next = root | bit
      if next * next <= square { root = next }
      bit >>= 1
    }
    return root
  }
}
