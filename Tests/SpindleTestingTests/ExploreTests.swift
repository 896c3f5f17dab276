import SpindleTesting
import Testing

/// Exploring from the tests of another package.
@Suite struct ExploreTests {
  private func trace(_ second: String) -> String {
    """
    let a = NSLock()
    let b = NSLock()
    main(.tool) {
        let one = Thread(name: "one") { a.withLock { b.withLock { work(1us) } } }
        let two = Thread(name: "two") { \(second) }
        one.start(); two.start(); one.join(); two.join()
    }
    """
  }

  /// What fails is told with a schedule that replays it.
  @Test func failuresHaveSchedules() throws {
    let text = trace("b.withLock { a.withLock { work(1us) } }")
    let explored = try explore(text, schedules: 50, recordsIssues: false)
    let failure = try #require(explored.failures.first)
    #expect(explored.failures.count == 1 && !explored.covered.isEmpty)
    #expect(failure.description.contains("deadlock"))
    let run = try simulate(
      text, SimulationSettings(schedule: failure.schedule), checksExpectations: false)
    #expect(run.outcome == .deadlock)
  }

  /// A trace that is right has been run under every order, and records no issue.
  @Test func whatIsRightRecordsNothing() throws {
    let explored = try explore(trace("a.withLock { b.withLock { work(1us) } }"), schedules: 200)
    #expect(explored.failures.isEmpty && explored.isComplete && explored.runs > 1)
  }

  /// A schedule that is none is an error of the call.
  @Test func mistakesAreThrown() {
    #expect(throws: TraceErrors.self) {
      try simulate("main { }", SimulationSettings(schedule: "one locks"))
    }
  }
}
