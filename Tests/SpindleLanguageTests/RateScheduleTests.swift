import SpindleModel
import TestSupport
import Testing

@testable import SpindleLanguage

/// `arrivals(rate:)`: when the arrivals of a schedule come, and what is refused.
@Suite struct RateScheduleTests {
  private static func perSecond(_ rates: (seconds: Int64, rate: Int64)...) -> RateSchedule {
    RateSchedule(
      rates.map { RateSchedule.Point(at: $0.seconds * 1_000_000_000, rate: $0.rate * 1_000_000) })
  }

  @Test func aRateIsEven() {
    let schedule = Self.perSecond((0, 4))
    #expect(
      (0..<4).map { schedule.moment(of: $0) } == [250, 500, 750, 1_000].map { $0 * 1_000_000 })
    // Each comes at the first nanosecond by which it is due.
    #expect(Self.perSecond((0, 3)).moment(of: 0) == 333_333_334)
    #expect(Self.perSecond((0, 3)).moment(of: 2) == 1_000_000_000)
  }

  /// From 0 to 2 in a second within 4 s the area is t * t / 4: one has come by 2 s, four by 4 s.
  @Test func aRampIsAParabola() {
    let schedule = Self.perSecond((0, 0), (4, 2))
    #expect(schedule.moment(of: 0) == 2_000_000_000)
    #expect(schedule.moment(of: 3) == 4_000_000_000)
    // Behind it two come in each second.
    #expect(schedule.moment(of: 4) == 4_500_000_000)
  }

  @Test func whatFallsToNothingEnds() {
    let schedule = Self.perSecond((1, 2), (3, 0))
    #expect(schedule.moment(of: 1) == 3_000_000_000)
    #expect(schedule.moment(of: 2) == nil)
  }

  @Test func aJumpTakesNoTime() {
    let schedule = Self.perSecond((0, 1), (2, 1), (2, 10))
    #expect(
      (0..<4).map { schedule.moment(of: $0) }
        == [1_000, 2_000, 2_100, 2_200].map { $0 * 1_000_000 })
  }

  /// Rates and moments at their limits do not overflow.
  @Test func limitsFit() {
    let points = [
      RateSchedule.Point(at: 0, rate: 0),
      RateSchedule.Point(at: RateSchedule.latest, rate: RateSchedule.greatest),
    ]
    #expect(RateSchedule(points).moment(of: 0) != nil)
    // So many take longer than there are nanoseconds.
    #expect(RateSchedule(points).moment(of: Int64.max) == nil)
  }

  @Test(arguments: [
    ("100", Messages.rateForm), ("100/d", Messages.rateForm), ("[:]", Messages.rateForm),
    ("[0s: 100]", Messages.rateForm), ("[1: 100/s]", Messages.rateMoment),
    ("[2s: 1/s, 1s: 1/s]", Messages.rateOrder), ("[0s: 0/s]", Messages.rateZero),
    ("2000000000/s", Messages.rateRange),
  ])
  func mistakesAreTold(rate: String, message: String) {
    let text = "main { }\narrivals(rate: \(rate)) { i in print(i) }\n"
    let run = TestRun(text, writesLog: false)
    #expect(run.diagnostics.map(\.message) == [message])
    #expect(TestRun(text, writesLog: false).program == nil)
  }
}
