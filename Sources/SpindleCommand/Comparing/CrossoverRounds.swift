import SpindleModel
import SpindleReports

/// The searches for the crossovers of all pairs of all groups, which share their runs.
///
/// They go in rounds: all runs that are wanted next can be done side by side, and so what is found
/// does not depend on how many are.
struct CrossoverRounds {
  /// A design of a group at a value of the parameter.
  struct Point: Hashable, Sendable {
    /// The group.
    let group: Int
    /// The design's place in it.
    let design: Int
    /// The parameter's value.
    let value: Int64
  }

  private struct Pair {
    let group: Int
    let first: Int
    let second: Int
    var search: CrossoverSearch
  }

  private let preference: MeasurePreference
  private var pairs: [Pair] = []
  private var known: [Point: [Int64]?] = [:]

  /// Creates the searches for groups of so many designs each.
  init(designCounts: [Int], scale: ValueScale, preference: MeasurePreference) {
    self.preference = preference
    for (group, count) in designCounts.enumerated() {
      for first in 0..<count {
        for second in first + 1..<count {
          pairs.append(
            Pair(group: group, first: first, second: second, search: CrossoverSearch(scale)))
        }
      }
    }
  }

  /// How many points groups of so many designs need at most.
  static func mostPoints(designCounts: [Int], scale: ValueScale) -> Int {
    let samples = scale.samples.count
    return designCounts.reduce(0) { sum, count in
      let pairs = count * (count - 1) / 2
      return sum + count * samples + 2 * pairs * (CrossoverSearch.mostValues - samples)
    }
  }

  /// How many points have been run.
  var pointCount: Int { known.count }

  /// The points to run next, each once, in order; none when all is found.
  var wanted: [Point] {
    var points: [Point] = []
    var seen: Set<Point> = []
    for pair in pairs {
      for value in pair.search.wanted {
        for design in [pair.first, pair.second] {
          let point = Point(group: pair.group, design: design, value: value)
          if known[point] == nil && seen.insert(point).inserted { points.append(point) }
        }
      }
    }
    return points
  }

  /// Whether all is found.
  var isDone: Bool { pairs.allSatisfy { $0.search.wanted.isEmpty } }

  /// Takes in what the runs of the points came to that were wanted; nil for one that did not finish.
  mutating func learn(_ points: [Point], _ values: [[Int64]?]) {
    precondition(
      points.count == values.count, "\(points.count) points come to \(values.count) values")
    for (point, value) in zip(points, values) { known.updateValue(value, forKey: point) }
    for index in pairs.indices {
      let (group, first, second) = (pairs[index].group, pairs[index].first, pairs[index].second)
      let (known, preference) = (known, preference)
      pairs[index].search.learn { value in
        let left = known[Point(group: group, design: first, value: value)]
        let right = known[Point(group: group, design: second, value: value)]
        return PairVerdict(first: left ?? nil, second: right ?? nil, preferring: preference)
      }
    }
  }

  /// Whether each design of a group came to the same, finished or not, wherever it was run.
  func isUnmoved(_ group: Int) -> Bool {
    var seen: [Int: [Int64]?] = [:]
    for (point, value) in known where point.group == group {
      if let other = seen[point.design], other != value { return false }
      seen.updateValue(value, forKey: point.design)
    }
    return true
  }

  /// The pairs of a group with what was found.
  func pairs(of group: Int) -> [Crossovers.Pair] {
    pairs.filter { $0.group == group }.map {
      Crossovers.Pair(first: $0.first, second: $0.second, stretches: $0.search.stretches)
    }
  }
}
