import SpindleModel
import Testing

@testable import SpindleReports

/// The numbers of real-time threads, from logs made by hand.
@Suite struct DeadlineTests {
  /// Thread 1 becomes real-time before it starts, thread 2 while it runs; each wakes once more.
  private static func log() -> SmallLog {
    var log = SmallLog()
    log.addMain()
    log.addThread(1, "audio")
    log.add(0, .realtimeChanged, thread: 1, value: 5_000_000, detail: 1)
    log.add(0, .threadReady, thread: 1)
    log.addThread(2, "video")
    log.add(0, .threadReady, thread: 2)
    log.add(1, .realtimeChanged, thread: 2, value: 5_000_000)
    log.add(1, .threadPreempted, thread: 2, core: 0)
    log.add(1, .threadReady, thread: 2)
    log.add(2, .threadBlocked, thread: 1, detail: WaitReason.sleep.rawValue)
    log.add(2, .threadBlocked, thread: 2, detail: WaitReason.sleep.rawValue)
    log.add(3, .threadReady, thread: 1)
    log.add(3, .threadReady, thread: 2)
    return log
  }

  private static func json(_ log: SmallLog) -> String {
    JSONText.run(
      program: log.program, machine: log.machine, metrics: log.metrics, verdicts: [],
      digest: "")
  }

  @Test func aDeadlineBeginsWithAWakeOrAStart() {
    let metrics = Self.log().metrics.deadlines
    #expect(metrics?.threads == 2)
    #expect(metrics?.count == 3)
    #expect(metrics?.missed == 0)
  }

  @Test func theGreatestLatenessCounts() {
    var log = Self.log()
    log.add(9, .deadlineMissed, thread: 1, value: 1_000_000)
    log.add(9, .deadlineMissed, thread: 2, value: 3_000_000)
    log.add(10, .deadlineMissed, thread: 1, value: 2_000_000)
    let metrics = log.metrics.deadlines
    #expect(metrics?.missed == 3)
    #expect(metrics?.greatestLateness == .milliseconds(3))
  }

  @Test func anOrdinaryThreadAgainHasNone() {
    var log = Self.log()
    log.add(4, .realtimeChanged, thread: 1)
    log.add(5, .threadBlocked, thread: 1, detail: WaitReason.sleep.rawValue)
    log.add(6, .threadReady, thread: 1)
    #expect(log.metrics.deadlines?.count == 3)
  }

  @Test func aSlotIsTakenOverByAnOrdinaryThread() {
    var log = Self.log()
    log.add(4, .threadEnded, thread: 1)
    log.addThread(1, "other", at: 5)
    log.add(5, .threadReady, thread: 1)
    log.add(6, .threadBlocked, thread: 1, detail: WaitReason.sleep.rawValue)
    log.add(7, .threadReady, thread: 1)
    #expect(log.metrics.deadlines?.count == 3)
  }

  @Test func reportsHaveThemOnlyWhereThereAreRealtimeThreads() {
    var log = Self.log()
    log.add(9, .deadlineMissed, thread: 1, value: 1_500_000)
    let summary = SummaryTests.text(log)
    #expect(
      summary.contains(
        "deadlines   1 of 3 missed by 2 real-time threads, at most 1.5ms late"), "\(summary)")
    let json = Self.json(log)
    for line in [
      "\"threads\": 2", "\"count\": 3", "\"missed\": 1", "\"greatestLatenessNanoseconds\": 1500000",
    ] {
      #expect(json.contains(line))
    }
    var plain = SmallLog()
    plain.addMain()
    #expect(!SummaryTests.text(plain).contains("deadlines"))
    #expect(!Self.json(plain).contains("deadlines"))
  }
}
