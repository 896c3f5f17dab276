package import SpindleModel

/// Which of two variants is better in one measure of their runs.
package enum PairVerdict: String, Hashable, Sendable {
  /// Both finish; the first is better.
  case firstIsBetter
  /// Both finish; the second is better.
  case secondIsBetter
  /// Both finish; their values are equal, or differ by no more than chance.
  case noDifference
  /// The first finishes with every seed, the second does not.
  case onlyFirstFinishes
  /// The second finishes with every seed, the first does not.
  case onlySecondFinishes
  /// Neither finishes with every seed.
  case neitherFinishes

  /// Compares two variants, each by the values of its runs, one for each seed, or by nil when one of
  /// its runs did not finish or has no value.
  ///
  /// With several seeds a difference counts when it is real.
  package init(first: [Int64]?, second: [Int64]?, preferring preference: MeasurePreference) {
    switch (first, second) {
    case (nil, nil): self = .neitherFinishes
    case (_, nil): self = .onlyFirstFinishes
    case (nil, _): self = .onlySecondFinishes
    case (let first?, let second?):
      let difference = PairedDifference(
        first: first.map(Double.init), second: second.map(Double.init))
      self =
        if !difference.isReal {
          .noDifference
        } else {
          (difference.mean > 0) == (preference == .less) ? .firstIsBetter : .secondIsBetter
        }
    }
  }

  /// Whether the first is the better.
  var prefersFirst: Bool { self == .firstIsBetter || self == .onlyFirstFinishes }

  /// Whether the second is the better.
  var prefersSecond: Bool { self == .secondIsBetter || self == .onlySecondFinishes }
}
