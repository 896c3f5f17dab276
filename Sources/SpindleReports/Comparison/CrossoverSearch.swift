/// Finds the values of a parameter at which the verdict on two variants changes.
///
/// It does not assume that there is one change, or any: it samples the scale first, and then halves every
/// step between neighbours that differ, until they are within 1 % of each other. A change that reverts
/// between two neighbours that agree is missed.
///
/// It lists the values that it needs and gets the verdicts, so that many searches share their runs and run in
/// parallel.
package struct CrossoverSearch: Sendable {
  /// Values in a row with one verdict.
  package struct Stretch: Hashable, Sendable {
    /// What was found at all of them.
    package var verdict: PairVerdict
    /// The first of them.
    package var first: Int64
    /// The last of them.
    package var last: Int64

    /// Creates a stretch.
    package init(_ verdict: PairVerdict, from first: Int64, to last: Int64) {
      (self.verdict, self.first, self.last) = (verdict, first, last)
    }
  }

  /// The most values that a search samples; changes that are not narrowed down by then stay wide.
  package static let mostValues = 200

  private let scale: ValueScale
  private var known: [Stretch] = []
  private var count = 0
  /// The values that are needed next, ascending; empty when the search is over.
  package private(set) var wanted: [Int64]

  /// Creates a search without verdicts.
  package init(_ scale: ValueScale) {
    self.scale = scale
    wanted = scale.samples
  }

  /// Takes in the verdicts on the wanted values.
  package mutating func learn(_ verdict: (Int64) -> PairVerdict) {
    count += wanted.count
    known += wanted.map { Stretch(verdict($0), from: $0, to: $0) }
    known.sort { $0.first < $1.first }
    known = CrossoverSearch.joined(known)
    assert(
      zip(known, known.dropFirst()).allSatisfy { $0.last < $1.first },
      "two verdicts are known of one value")
    wanted = zip(known, known.dropFirst()).compactMap { left, right in
      scale.isClose(left.last, right.first) ? nil : scale.middle(left.last, right.first)
    }
    wanted = Array(wanted.prefix(max(0, CrossoverSearch.mostValues - count)))
  }

  /// The scale in stretches with one verdict each, ascending; none is like its neighbour.
  package var stretches: [Stretch] { known }

  private static func joined(_ stretches: [Stretch]) -> [Stretch] {
    var joined: [Stretch] = []
    for stretch in stretches {
      if let last = joined.last, last.verdict == stretch.verdict {
        joined[joined.count - 1].last = stretch.last
      } else {
        joined.append(stretch)
      }
    }
    return joined
  }
}
