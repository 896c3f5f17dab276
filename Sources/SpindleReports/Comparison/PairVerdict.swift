package import SpindleModel

/// Which of two variants is better in the makespan of their runs.
package enum PairVerdict: String, Hashable, Sendable {
  /// Both finish; the makespan of the first is less.
  case firstIsFaster
  /// Both finish; the makespan of the second is less.
  case secondIsFaster
  /// Both finish; their makespans are equal, or differ by no more than chance.
  case noDifference
  /// The first finishes with every seed, the second does not.
  case onlyFirstFinishes
  /// The second finishes with every seed, the first does not.
  case onlySecondFinishes
  /// None of the two finishes with every seed.
  case neitherFinishes

  /// Compares two variants, each by the makespans of its runs, one for each seed, or by nil when one
  /// of its runs did not finish.
  ///
  /// With several seeds a difference counts when it is real.
  package init(first: [Nanoseconds]?, second: [Nanoseconds]?) {
    switch (first, second) {
    case (nil, nil): self = .neitherFinishes
    case (_, nil): self = .onlyFirstFinishes
    case (nil, _): self = .onlySecondFinishes
    case (let first?, let second?):
      let difference = PairedDifference(
        first: first.map { Double($0.rawValue) }, second: second.map { Double($0.rawValue) })
      self =
        if !difference.isReal {
          .noDifference
        } else {
          difference.mean > 0 ? .firstIsFaster : .secondIsFaster
        }
    }
  }

  /// The makespans of a variant's runs; nil when one of them did not finish.
  package static func makespans(of runs: [RunMetrics]) -> [Nanoseconds]? {
    guard runs.allSatisfy({ $0.outcome.kind == .finished }) else { return nil }
    return runs.map { Nanoseconds($0.makespan.nanoseconds) }
  }

  /// Whether the first is the better.
  var prefersFirst: Bool { self == .firstIsFaster || self == .onlyFirstFinishes }

  /// Whether the second is the better.
  var prefersSecond: Bool { self == .secondIsFaster || self == .onlySecondFinishes }
}
