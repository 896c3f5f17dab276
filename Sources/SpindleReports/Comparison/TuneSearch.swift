/// Searches the values of several parameters for those that optimize a measure.
///
/// It evaluates a coarse grid first, and then, from the best point of it, halves the distances to the
/// neighbours on each axis, moves to a better one, and continues until neighbours are within 1 % or there is
/// nothing between them: a pattern search. Source: Hooke and Jeeves, "Direct search solution of numerical and
/// statistical problems", Journal of the ACM 8, 1961.
///
/// It lists the points that it needs and gets their values, so that its result does not depend on how many
/// are computed in parallel. It misses what is between evaluated points: of several valleys it follows that
/// of the lowest point of its grid.
package struct TuneSearch: Sendable {
  /// The values of one parameter.
  package enum Axis: Hashable, Sendable {
    /// All between two bounds.
    case scale(ValueScale)
    /// The number of listed values; all of them are evaluated.
    case list(Int)
  }

  /// A value on each axis: a number of its scale, or a place in its list.
  package typealias Point = [Int64]

  /// The most points that are evaluated after the grid.
  package static let mostSteps = 1_000

  private let axes: [Axis]
  private let prefersMore: Bool
  private var known: [Point: Double?] = [:]
  /// The points that were evaluated, in order.
  package private(set) var order: [Point] = []
  /// How many of them the grid has.
  package let gridCount: Int
  /// The points that are needed next; empty when the search is over.
  package private(set) var wanted: [Point]
  private var lower: Point = []
  private var upper: Point = []
  /// The best point so far; nil when no point is allowed.
  package private(set) var best: Point?

  /// Creates a search without values.
  package init(_ axes: [Axis], prefersMore: Bool) {
    (self.axes, self.prefersMore) = (axes, prefersMore)
    wanted = TuneSearch.grid(axes)
    gridCount = wanted.count
  }

  /// The value of a point that was evaluated; nil when it is not allowed, or has none.
  package func value(of point: Point) -> Double? { known[point] ?? nil }

  /// Takes in the values of the points that were wanted; nil for one that is not allowed.
  package mutating func learn(_ values: [Double?]) {
    precondition(values.count == wanted.count, "each point that was wanted has a value")
    let isGrid = order.isEmpty
    for (point, value) in zip(wanted, values) {
      known.updateValue(value, forKey: point)
      order.append(point)
    }
    if isGrid { begin() } else { step() }
    next()
  }

  // MARK: The grid

  /// How often each scale is halved for the grid: the more axes, the less.
  private static func halvings(_ count: Int) -> Int { count == 1 ? 4 : count == 2 ? 3 : 2 }

  /// The values of an axis on the grid.
  private static func values(_ axis: Axis, _ halvings: Int) -> [Int64] {
    switch axis {
    case .scale(let scale): scale.samples(halvings)
    case .list(let count): (0..<Int64(count)).map { $0 }
    }
  }

  /// How many points the grid over these axes has; `Int.max` when they are more than that.
  package static func gridSize(_ axes: [Axis]) -> Int {
    let halvings = halvings(axes.count)
    return axes.reduce(1) { total, axis in
      let (size, overflow) = total.multipliedReportingOverflow(by: values(axis, halvings).count)
      return overflow ? .max : size
    }
  }

  private static func grid(_ axes: [Axis]) -> [Point] {
    let halvings = halvings(axes.count)
    return axes.reduce([[]]) { points, axis in
      let values = values(axis, halvings)
      return points.flatMap { point in values.map { point + [$0] } }
    }
  }

  /// Goes to the best point of the grid, with its neighbours on each axis as bounds.
  private mutating func begin() {
    for point in order where isBetter(point, than: best) { best = point }
    guard let best else { return }
    (lower, upper) = (best, best)
    for index in axes.indices {
      guard case .scale(let scale) = axes[index] else { continue }
      let values = scale.samples(TuneSearch.halvings(axes.count))
      guard let place = values.firstIndex(of: best[index]) else { continue }
      lower[index] = values[max(0, place - 1)]
      upper[index] = values[min(values.count - 1, place + 1)]
    }
  }

  // MARK: Steps

  /// A point between the best one and a bound.
  private struct Candidate {
    let axis: Int
    let isUpper: Bool
    let point: Point
  }

  /// The points halfway to the bounds of each axis, known or not.
  private var halfway: [Candidate] {
    guard let best else { return [] }
    var points: [Candidate] = []
    for index in axes.indices {
      guard case .scale(let scale) = axes[index] else { continue }
      for (isUpper, bound) in [(false, lower[index]), (true, upper[index])] {
        let (left, right) = isUpper ? (best[index], bound) : (bound, best[index])
        guard left < right, !scale.isClose(left, right), let middle = scale.middle(left, right)
        else { continue }
        var point = best
        point[index] = middle
        points.append(Candidate(axis: index, isUpper: isUpper, point: point))
      }
    }
    return points
  }

  private mutating func next() {
    wanted = []
    while best != nil && order.count - gridCount < TuneSearch.mostSteps {
      let points = halfway
      if points.isEmpty { return }
      for candidate in points
      where known[candidate.point] == nil && !wanted.contains(candidate.point) {
        wanted.append(candidate.point)
      }
      if !wanted.isEmpty { return }
      step()
    }
  }

  /// Moves to the best of the points halfway, or else brings the bounds there.
  private mutating func step() {
    guard let old = best else { return }
    let points = halfway
    var chosen: Candidate?
    for candidate in points where isBetter(candidate.point, than: chosen?.point ?? old) {
      chosen = candidate
    }
    guard let chosen else {
      for candidate in points {
        let value = candidate.point[candidate.axis]
        if candidate.isUpper {
          upper[candidate.axis] = value
        } else {
          lower[candidate.axis] = value
        }
      }
      return
    }
    best = chosen.point
    if chosen.isUpper {
      lower[chosen.axis] = old[chosen.axis]
    } else {
      upper[chosen.axis] = old[chosen.axis]
    }
  }

  /// Whether a point is allowed and better than another, or than none.
  private func isBetter(_ point: Point, than other: Point?) -> Bool {
    guard let value = value(of: point) else { return false }
    guard let other, let known = self.value(of: other) else { return true }
    return prefersMore ? value > known : value < known
  }
}
