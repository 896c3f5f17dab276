package import SpindleModel

/// Finds cells of a grid that are worse where one expects them to be better: with more cores, on a faster
/// machine, or with less work, input and output.
///
/// All three can be: Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied
/// Mathematics 17, 1969. Cells come in the order of the grid, and each is compared with those before it on
/// one axis. Only what that needs is kept of a cell, as long as it is needed: at most ``mostKept`` runs, so
/// that an axis whose neighbours are farther apart is not checked.
package struct AnomalyFinder: Sendable {
  /// What a cell is compared by.
  package struct Facts: Hashable, Sendable {
    /// Its machine.
    package var machine: CoreSpeeds
    /// The work that was done, by seed, in nanoseconds of cores.
    package var work: [Int64]
    /// How long all input and output took together, by seed, in nanoseconds.
    package var input: [Int64]
    /// When the last work ended, by seed; nil when a run did not end by itself.
    package var makespans: [Int64]?

    /// Creates the facts of a cell.
    package init(machine: CoreSpeeds, work: [Int64], input: [Int64], makespans: [Int64]?) {
      (self.machine, self.work, self.input, self.makespans) = (machine, work, input, makespans)
    }

    /// What it has less of than another cell, with each seed; nil when it has more of something.
    func lack(to other: Facts) -> String? {
      func relation(_ mine: [Int64], _ its: [Int64]) -> (isLess: Bool, isMore: Bool) {
        let pairs = zip(mine, its)
        return (pairs.allSatisfy { $0 < $1 }, pairs.contains { $0 > $1 })
      }
      let (less, shorter) = (relation(work, other.work), relation(input, other.input))
      if less.isMore || shorter.isMore { return nil }
      switch (less.isLess, shorter.isLess) {
      case (true, true): return "with less work and io"
      case (true, false): return "with less work"
      case (false, true): return "with less io"
      case (false, false): return nil
      }
    }
  }

  /// How many runs are kept.
  package static let mostKept = 65_536
  /// How many anomalies are printed.
  private static let most = 5

  private let axes: [SweepHeader.Axis]
  /// By axis: how far its neighbours are apart; 0 where they are not compared.
  private let strides: [Int]
  /// The last cells, in a ring.
  private var ring: [Facts] = []
  private let room: Int
  private var count = 0
  private var told: [String] = []
  private var foundCount = 0

  /// Creates a finder for the grid over these axes, whose cells have this many runs.
  package init(_ axes: [SweepHeader.Axis], seedCount: Int) {
    self.axes = axes
    var (strides, stride) = ([Int](repeating: 0, count: axes.count), 1)
    for index in axes.indices.reversed() {
      let (runs, overflow) = stride.multipliedReportingOverflow(by: seedCount)
      if overflow || runs > AnomalyFinder.mostKept { break }
      if axes[index].isQuantity { strides[index] = stride }
      stride *= axes[index].values.count
    }
    self.strides = strides
    room = strides.max() ?? 0
  }

  /// Whether any axis is checked.
  package var isNeeded: Bool { room > 0 }

  /// Takes in the next cell.
  package mutating func add(_ facts: Facts) {
    guard room > 0 else { return }
    precondition(
      facts.work.count == facts.input.count
        && facts.makespans.map { $0.count == facts.work.count } ?? true,
      "a cell has \(facts.work.count) runs, and \(facts.input.count) with input")
    for index in axes.indices where strides[index] > 0 && place(of: count, index) > 0 {
      let before = count - strides[index]
      guard let sentence = sentence(before, ring[before % room], count, facts) else { continue }
      foundCount += 1
      if told.count < AnomalyFinder.most { told.append(sentence) }
    }
    if ring.count < room { ring.append(facts) } else { ring[count % room] = facts }
    count += 1
  }

  /// What was found, a sentence each.
  package var sentences: [String] {
    let more = foundCount - told.count
    return more > 0 ? told + ["And \(more) more anomalies."] : told
  }

  /// The place of a cell on an axis.
  private func place(of cell: Int, _ axis: Int) -> Int {
    cell / strides[axis] % axes[axis].values.count
  }

  /// The sentence about two cells; nil when neither should be better and is worse.
  private func sentence(_ one: Int, _ first: Facts, _ other: Int, _ second: Facts) -> String? {
    let isSame = first.machine == second.machine
    let expectation: String
    let secondIsBetter: Bool
    if !isSame {
      secondIsBetter = second.machine.isBetter(than: first.machine)
      guard secondIsBetter || first.machine.isBetter(than: second.machine) else { return nil }
      expectation =
        first.machine.count == second.machine.count ? "on a faster machine" : "with more cores"
    } else {
      guard first.machine.isUniform else { return nil }
      let lack = second.lack(to: first)
      guard let words = lack ?? first.lack(to: second) else { return nil }
      (secondIsBetter, expectation) = (lack != nil, words)
    }
    let (better, worse) = secondIsBetter ? (second, first) : (first, second)
    guard let times = AnomalyFinder.times(slow: better, fast: worse) else { return nil }
    let (slow, fast) = secondIsBetter ? (other, one) : (one, other)
    return "Anomaly: \(expectation) it takes longer, \(name(slow)): \(times.slow), and "
      + "\(name(fast)): \(times.fast)."
  }

  /// The mean makespans of two cells when that of the slow one is really greater.
  private static func times(slow: Facts, fast: Facts) -> (slow: String, fast: String)? {
    guard let first = fast.makespans, let second = slow.makespans else { return nil }
    let difference = PairedDifference(
      first: first.map(Double.init), second: second.map(Double.init))
    // The effect of costs is not an anomaly.
    guard difference.isReal, difference.mean * 100 >= Sample(first).mean else { return nil }
    return (
      MeasureUnit.duration.approximate(Sample(second).mean),
      MeasureUnit.duration.approximate(Sample(first).mean)
    )
  }

  private func name(_ cell: Int) -> String {
    var (rest, words) = (cell, [String]())
    for axis in axes.reversed() {
      words.append("\(axis.name)=\(axis.values[rest % axis.values.count])")
      rest /= axis.values.count
    }
    return words.reversed().joined(separator: ", ")
  }
}

/// How fast the cores of a machine are, the fastest first.
package struct CoreSpeeds: Hashable, Sendable {
  /// In millionths of the reference speed, descending.
  private let speeds: [Int64]

  /// Creates the speeds of cores.
  package init(_ cores: [CoreDescription]) {
    speeds = cores.map { $0.speed.numerator * 1_000_000 / $0.speed.denominator }.sorted(by: >)
  }

  /// Reads `2x1000000,4x350000`; nil for another text.
  init?(_ text: String) {
    var speeds: [Int64] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let fields = part.split(separator: "x", omittingEmptySubsequences: false)
      guard fields.count == 2, let count = Int(fields[0]), let speed = Int64(fields[1]),
        (1...1_000_000).contains(count)
      else { return nil }
      speeds += repeatElement(speed, count: count)
    }
    self.speeds = speeds
  }

  /// As `init` reads it.
  var text: String {
    var parts: [(count: Int, speed: Int64)] = []
    for speed in speeds {
      if parts.last?.speed == speed {
        parts[parts.count - 1].count += 1
      } else {
        parts.append((1, speed))
      }
    }
    return parts.map { "\($0.count)x\($0.speed)" }.joined(separator: ",")
  }

  /// How many cores there are.
  var count: Int { speeds.count }

  /// Whether all are equally fast.
  var isUniform: Bool { speeds.first == speeds.last }

  /// Whether there are at least as many, each at least as fast as its like, and not all the same.
  func isBetter(than other: CoreSpeeds) -> Bool {
    count >= other.count && self != other && zip(speeds, other.speeds).allSatisfy { $0 >= $1 }
  }
}
