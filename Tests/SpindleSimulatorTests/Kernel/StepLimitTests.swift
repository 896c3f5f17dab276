import SpindleModel
import TestSupport
import Testing

/// Nothing goes on past the limit of steps, however few instructions it has.
@Suite struct StepLimitTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let location: SourceLocation

    init(_ claim: String, _ text: String, location: SourceLocation = #_sourceLocation) {
      (testDescription, self.text, self.location) = (claim, text, location)
    }
  }

  /// What would go on for an hour of virtual time or more, with few instructions or none.
  static let endless = [
    Row(
      "quanta of two threads",
      """
      machine { platform: .ideal; cores: 1; policy: .roundRobin(quantum: 1ns) }
      main { Thread.detachNewThread { work(1h) }; work(1h) }
      """),
    Row(
      "ticks of a policy",
      """
      trace "ticks" { until: 50000h }
      machine { platform: .macOS; cores: 1; policy: .timeshare(quantum: 40000h); costs: .zero }
      main { Thread.detachNewThread { work(30000h) }; work(30000h) }
      """),
    Row(
      "a timer with an empty handler",
      """
      machine { platform: .macOS; cores: 1 }
      main { Timer.scheduledTimer(withTimeInterval: 1ns, repeats: true) { } }
      """),
    Row(
      "a source with an empty handler",
      """
      machine { platform: .linux; cores: 2 }
      let source = DispatchSource.makeTimerSource(queue: .global())
      main {
          source.setEventHandler { }
          source.schedule(deadline: .distantPast, repeating: 1ns)
          source.resume()
      }
      """),
    Row(
      "a source without a handler",
      """
      machine { platform: .linux; costs: .zero }
      let pipe = Pipe()
      let source = DispatchSource.makeWriteSource(fileDescriptor: pipe, queue: .main)
      main { source.resume() }
      """),
    Row(
      "code that runs inside a call",
      """
      machine { platform: .ideal; cores: 1 }
      let queue = OperationQueue()
      main {
          while true {
              let operation = Operation { }
              operation.ready(when: { for i in 0 ..< 1000 { }; return false })
              queue.addOperation(operation)
          }
      }
      """),
  ]

  @Test("the limit of steps ends it", arguments: endless)
  func ends(row: Row) throws {
    var limits = RunLimits()
    limits.steps = 50_000
    let run = TestRun(row.text, limits: limits)
    #expect(run.messages == [], sourceLocation: row.location)
    let record = try #require(run.record, sourceLocation: row.location)
    #expect(record.outcome.kind == .stepLimit, sourceLocation: row.location)
    #expect(record.schedulingEvents < 4 * limits.steps, sourceLocation: row.location)
    #expect(record.entries < 10 * limits.steps, sourceLocation: row.location)
  }

  /// A run may take as many steps as the limit says, and not one more: what ends with a sleep, an item or an arrival.
  @Test(arguments: [
    "main { sleep(1ms); work(1ms) }",
    "main { sleep(1ms) }",
    "main { DispatchQueue.global().asyncAfter(deadline: .now() + 1ms) { } }",
    "main { io(1ms) }\nat(2ms) { }",
    "main { Thread.detachNewThread { work(1ms) }; work(2ms); exit() }",
  ])
  func theLastStepIsAllowed(text: String) throws {
    let whole = try #require(TestRun(text, joined: false).record)
    #expect(whole.outcome.kind == .finished)
    var limits = RunLimits()
    limits.steps = whole.steps
    #expect(TestRun(text, limits: limits, joined: false).record?.outcome.kind == .finished)
    limits.steps -= 1
    #expect(TestRun(text, limits: limits, joined: false).record?.outcome.kind == .stepLimit)
  }
}
