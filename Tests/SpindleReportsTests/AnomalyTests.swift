import SpindleModel
import SpindleReports
import Testing

/// Cells of a grid that are worse than one expects.
@Suite struct AnomalyTests {
  static let axes = [
    SweepHeader.Axis(name: "a", values: ["1", "2", "3"], isQuantity: true),
    SweepHeader.Axis(name: "policy", values: ["x", "y"]),
    SweepHeader.Axis(name: "cores", values: ["1", "2", "3", "4"], isQuantity: true),
  ]

  private static func machine(_ speeds: [Int64]) -> CoreSpeeds {
    CoreSpeeds(
      speeds.map {
        CoreDescription(cluster: .performance, speed: Speed(numerator: $0, denominator: 10))
      })
  }

  /// What each pair that differs on one axis of quantities, by one place, is judged by; each pair for itself.
  private static func plainCount(_ cells: [AnomalyFinder.Facts]) -> Int {
    var count = 0
    for a in 0..<3 {
      for policy in 0..<2 {
        for cores in 0..<4 {
          let cell = cells[(a * 2 + policy) * 4 + cores]
          if a > 0, isAnomaly(cells[((a - 1) * 2 + policy) * 4 + cores], cell) { count += 1 }
          if cores > 0, isAnomaly(cells[(a * 2 + policy) * 4 + cores - 1], cell) { count += 1 }
        }
      }
    }
    return count
  }

  private static func isAnomaly(_ one: AnomalyFinder.Facts, _ other: AnomalyFinder.Facts) -> Bool {
    guard let first = one.makespans?.first, let second = other.makespans?.first, first != second
    else { return false }
    let (slow, fast) = first > second ? (one, other) : (other, one)
    guard (max(first, second) - min(first, second)) * 100 >= min(first, second) else {
      return false
    }
    // All machines of this test have equal cores.
    guard slow.machine == fast.machine else { return isMore(slow, fast) }
    let (work, input) = (slow.work[0] - fast.work[0], slow.input[0] - fast.input[0])
    return work <= 0 && input <= 0 && work + input < 0
  }

  private static func isMore(_ one: AnomalyFinder.Facts, _ other: AnomalyFinder.Facts) -> Bool {
    for (more, less) in [(1, 0), (2, 0), (2, 1)]
    where one.machine == machines[more] && other.machine == machines[less] {
      return true
    }
    return false
  }

  private static let machines = [machine([10]), machine([10, 10]), machine([20, 20])]

  @Test func eachPairOfNeighboursIsJudgedOnce() {
    var noise = SequentialTests.Noise(seed: 3)
    var found = 0
    for _ in 0..<200 {
      let cells = (0..<24).map { _ in
        AnomalyFinder.Facts(
          machine: AnomalyTests.machines[abs(Int(noise.next() * 7)) % 3],
          work: [Int64(noise.next() * 10)], input: [Int64(noise.next() * 3)],
          makespans: noise.next() > 7.5 ? nil : [Int64(noise.next() * 10)])
      }
      var finder = AnomalyFinder(AnomalyTests.axes, seedCount: 1)
      for cell in cells { finder.add(cell) }
      let sentences = finder.sentences
      let more = sentences.last.flatMap { last -> Int? in
        last.hasPrefix("And ") ? Int(last.split(separator: " ")[1]) : nil
      }
      let count = more.map { sentences.count - 1 + $0 } ?? sentences.count
      #expect(count == AnomalyTests.plainCount(cells))
      found += count
    }
    #expect(found > 500, "\(found)")
  }

  /// Of unlike cores each has its like: two fast ones and a slow one are no better than three of one speed
  /// between, and no worse.
  @Test func machinesThatCannotBeOrderedAreNotCompared() {
    var finder = AnomalyFinder(
      [.init(name: "cores", values: ["p", "q"], isQuantity: true)], seedCount: 1)
    finder.add(
      .init(machine: AnomalyTests.machine([20, 20, 5]), work: [1], input: [1], makespans: [1]))
    finder.add(
      .init(machine: AnomalyTests.machine([10, 10, 10]), work: [1], input: [1], makespans: [2]))
    #expect(finder.sentences.isEmpty)
    var ordered = AnomalyFinder(
      [.init(name: "cores", values: ["p", "q"], isQuantity: true)], seedCount: 1)
    ordered.add(
      .init(machine: AnomalyTests.machine([20, 5]), work: [1], input: [1], makespans: [1]))
    ordered.add(
      .init(machine: AnomalyTests.machine([10, 20]), work: [1], input: [1], makespans: [2]))
    #expect(
      ordered.sentences == [
        "Anomaly: on a faster machine it takes longer, cores=q: 2ns, and cores=p: 1ns."
      ])
  }

  /// An axis whose neighbours are too many runs apart is left out, so that memory has a bound.
  @Test func farNeighboursAreNotKept() {
    let axes = [
      SweepHeader.Axis(name: "a", values: ["1", "2"], isQuantity: true),
      SweepHeader.Axis(name: "b", values: (0..<1_000).map { "\($0)" }),
    ]
    #expect(AnomalyFinder(axes, seedCount: 65).isNeeded)
    #expect(!AnomalyFinder(axes, seedCount: 66).isNeeded)
  }
}
