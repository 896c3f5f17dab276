/// How many values were above each of some limits.
struct LimitCounts {
  private let limits: [Int64]
  /// In the order of `limits`.
  private var above: [Int64]

  init(_ limits: [Int64]) {
    self.limits = limits
    above = limits.map { _ in 0 }
  }

  mutating func add(_ value: Int64) {
    for index in limits.indices where value > limits[index] { above[index] += 1 }
  }

  /// How many values were above one of the limits.
  func count(above limit: Int64) -> Int64 {
    limits.firstIndex(of: limit).map { above[$0] } ?? 0
  }

  /// Forgets all values.
  mutating func forget() { self = LimitCounts(limits) }
}
