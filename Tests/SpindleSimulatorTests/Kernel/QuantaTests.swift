import SpindleModel
import TestSupport
import Testing

/// Quanta that end while nobody waits.
@Suite struct QuantaTests {
  /// An hour of work has 3.6 · 10^12 quanta of 1 ns; behind none of them anybody waits.
  @Test(arguments: [
    "roundRobin(quantum: 1ns)", "fixedPriority(quantum: 1ns)", "fairShare(slice: 1ns)",
    "timeshare(quantum: 1ns)",
  ])
  func quantaOfALoneThreadTakeNoSteps(policy: String) throws {
    let run = TestRun(
      """
      trace "alone" { until: 2h }
      machine { platform: .macOS; cores: 2; costs: .zero; policy: .\(policy) }
      main {
          Thread.detachNewThread { sleep(1ms); work(30min) }
          work(1h)
      }
      """)
    #expect(run.messages == [])
    let record = try #require(run.record)
    #expect(record.outcome.kind == .finished)
    #expect(record.makespan == Instant(3_600_000_000_000))
    #expect(record.steps < 1_000)
    // The other thread wakes as one of the first's quanta ends, which therefore gives way once.
    #expect(record.schedulingEvents < 30)
  }
}
