package import SpindleModel

/// How a search goes.
package enum ExploreStrategy: Hashable, Sendable {
  /// Predictions first, then reversals, every fourth run drawn.
  case standard
  /// Reversals alone: a search that may come to its end.
  case reversals
  /// Steps that are late, and threads that are preempted.
  case delays, preemptions
  /// Draws alone.
  case drawn(DrawnStrategy)

  /// The names, as `--strategy` takes them.
  package static let names = [
    "standard", "reversals", "delays", "preemptions", "random", "urw", "surw", "pos", "pct",
  ]

  /// How it draws its runs; nil where it does not.
  var drawn: DrawnStrategy? {
    if case .drawn(let strategy) = self { strategy } else { nil }
  }

  /// The strategy of a name; `pct` may have its depth behind it, as `pct(3)`.
  package init?(_ text: String) {
    switch text {
    case "standard": self = .standard
    case "reversals": self = .reversals
    case "delays": self = .delays
    case "preemptions": self = .preemptions
    case "random": self = .drawn(.random)
    case "urw": self = .drawn(.urw)
    case "surw": self = .drawn(.surw)
    case "pos": self = .drawn(.pos)
    case "pct": self = .drawn(.pct(3))
    default:
      guard text.hasPrefix("pct("), text.hasSuffix(")"),
        let depth = Int(text.dropFirst(4).dropLast()),
        (1...100).contains(depth)
      else { return nil }
      self = .drawn(.pct(depth))
    }
  }
}

/// How far a search goes.
package struct ExploreBounds: Hashable, Sendable {
  /// How many runs at most, the normal one included.
  package var runs = 2_000
  /// How long a thread may be held in a run that counts; nil for any time.
  package var late: Nanoseconds?
  /// How many lines a schedule may have.
  package var lines = 64
  /// With what draws begin.
  package var seed: UInt64 = 0
  /// Whether the search ends with the first failure.
  package var stopsAtFailure = false
  /// Which part of the search it is, from 1, and of how many.
  ///
  /// The normal run is one of each part. A schedule of one reversal, and all that come of it, belong to the part that a number
  /// for its line says; predictions, holds and draws are dealt out in turn.
  package var part = 1
  package var parts = 1

  /// The number of a run of this part among those of all parts.
  func numberInAll(_ run: Int) -> Int { run == 0 ? 0 : (run - 1) * parts + part }

  package init() {}
}
