/// Arithmetic of two whole numbers of which only the lowest bits count.
@usableFromInline
package enum WrappingOperation: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// In 64 bits.
  case add, subtract, multiply
  /// The first number in as many bits as the second one says: with a sign where that is negative.
  case narrow

  /// The result.
  ///
  /// `narrow` takes 1 to 63 bits.
  package func callAsFunction(_ one: Int64, _ other: Int64) -> Int64 {
    switch self {
    case .add: return one &+ other
    case .subtract: return one &- other
    case .multiply: return one &* other
    case .narrow:
      let left = 64 - Int64(other.magnitude)
      let shifted = one << left
      return other < 0
        ? shifted >> left : Int64(bitPattern: UInt64(bitPattern: shifted) >> UInt64(left))
    }
  }
}
