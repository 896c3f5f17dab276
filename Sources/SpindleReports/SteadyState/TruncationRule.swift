/// Where a series of observations is cut so that the rest has the least error: MSER-5.
///
/// A run begins empty, and its first observations are not those of its long run. For each cut one computes
/// the variance of the rest, divided by its number: too early a cut keeps what is unlike the rest, too late a
/// one leaves little. The cut with the least quotient is taken. Five observations in a row are one, their
/// mean; the last five of these do not count, since few values may be alike by chance; and a cut in the
/// second half means that the run is too short. Sources: White, "An effective truncation heuristic for bias
/// reduction in simulation output", Simulation 69, 1997; White, Cobb and Spratt, "A comparison of five
/// steady-state truncation heuristics for simulation", Winter Simulation Conference 2000; Hoad, Robinson and
/// Davies, "Automating warm-up length estimation", Journal of the Operational Research Society 61, 2010.
package enum TruncationRule {
  /// The fewest means that are judged: 50 observations.
  package static let fewest = 10
  /// How many of the last means no cut may leave alone.
  private static let last = 5

  /// How many of the first means are cut off.
  ///
  /// Nil when there are too few, or the least quotient is in the second half. Linear in their number.
  package static func cut(_ means: [Double]) -> Int? {
    guard means.count >= fewest else { return nil }
    // From the end, so that each quotient needs one step more: Welford's sums.
    var (count, mean, squares) = (0.0, 0.0, 0.0)
    var (best, least) = (0, Double.infinity)
    for index in means.indices.reversed() {
      count += 1
      let distance = means[index] - mean
      mean += distance / count
      squares += distance * (means[index] - mean)
      guard index <= means.count - last else { continue }
      let quotient = squares / (count * count)
      // Of equal ones the first, which leaves most.
      if quotient <= least { (best, least) = (index, quotient) }
    }
    return best <= means.count / 2 ? best : nil
  }
}

/// A series of observations in memory that does not grow with its length: means of five in a row, or of
/// twice as many each time that there are more than 65,536 of them.
package struct ObservedSeries {
  private static let most = 65_536
  private var groupSize = 5
  /// The means, in order.
  package private(set) var means: [Double] = []
  /// When the first observation of each mean was made.
  package private(set) var times: [Int64] = []
  private var (sum, count, first) = (0.0, 0, Int64(0))

  /// Creates a series of nothing.
  package init() {}

  /// Takes in the next observation.
  package mutating func add(_ value: Int64, at time: Int64) {
    if count == 0 { first = time }
    sum += Double(value)
    count += 1
    guard count == groupSize else { return }
    assert(times.last ?? .min <= first, "an observation of \(first)ns comes late")
    means.append(sum / Double(groupSize))
    times.append(first)
    (sum, count) = (0, 0)
    if means.count > ObservedSeries.most { halve() }
  }

  private mutating func halve() {
    precondition(
      means.count == times.count, "\(means.count) means begin at \(times.count) moments")
    // One is left over, and begins the next mean.
    let pairs = means.count / 2
    let rest = means.count % 2 == 1 ? means[means.count - 1] : nil
    if let rest {
      (sum, count, first) = (rest * Double(groupSize), groupSize, times[times.count - 1])
    }
    for pair in 0..<pairs {
      means[pair] = (means[2 * pair] + means[2 * pair + 1]) / 2
      times[pair] = times[2 * pair]
    }
    means.removeLast(means.count - pairs)
    times.removeLast(times.count - pairs)
    groupSize *= 2
  }
}
