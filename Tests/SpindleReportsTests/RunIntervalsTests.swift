import Testing

@testable import SpindleReports

/// A run of any length has a bounded number of intervals, which together have all of its entries.
@Suite struct RunIntervalsTests {
  /// A step behind which an interval ends, of this level, where it is done again and again.
  private static func step(ofLevel level: Int) -> StepWords.Step {
    for upper in UInt64(1)..<65_536 {
      let window = upper << 48 | upper << 32 | upper << 16 | upper
      if LayerHash.mixed(window).trailingZeroBitCount == level {
        return StepWords.Step(order: upper << 48, duration: 0)
      }
    }
    fatalError("no step has the level \(level)")
  }

  // One below the lowest level that counts, that one, and some above: to remove the ends of a level that
  // none has removes nothing.
  @Test(arguments: [1, 2, 3, 6, 9])
  func theSameStepAgainAndAgain(level: Int) {
    let step = RunIntervalsTests.step(ofLevel: level)
    var intervals = RunIntervals()
    for time in 0..<Int64(20_000) {
      intervals.add(step, at: time)
      #expect(intervals.closed.count < 512)
      if intervals.closed.count >= 512 { return }
    }
    #expect(intervals.all.reduce(0) { $0 + $1.count } == 20_000)
  }
}
