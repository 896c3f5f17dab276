import SpindleLanguage
import SpindleTesting
import Testing

/// A policy: the thread that became ready last runs first, for as long as it has work.
struct LastFirst: SchedulingPolicy {
  let name = "lastFirst"
  private var ready: [ThreadID] = []

  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    ready.append(thread)
  }
  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? { ready.popLast() }
  func quantum(for thread: ThreadID) -> Nanoseconds? { nil }
}

/// A consumer of the timeline: how long threads were ready without a core, and the items as they end.
final class Waits: TimelineConsumer {
  private(set) var ready = Nanoseconds.zero
  private(set) var items: [String] = []
  private(set) var marks: [String] = []
  private var run: RunDescription?

  func begin(_ run: RunDescription) { self.run = run }
  func stateEnded(_ slice: ThreadSlice) {
    if slice.state == .ready { ready = ready + slice.length }
  }
  func itemEnded(_ item: ItemSlice) {
    if let run { items.append(item.name(in: run.names, run.program)) }
  }
  func noted(_ note: TimelineNote) {
    if let run, note.kind == .mark { marks.append(run.names.text(note.name)) }
  }
}

@Suite(.attachingRuns) struct TourTests {
  static let text = """
    trace "Three jobs"
    param length = 10ms
    machine { platform: .ideal; cores: 1; costs: .zero }
    let pool = ThreadPool(width: 3)
    main {
        for i in 0 ..< 3 { pool.async(name: "job\\(i)") { work(length); mark("done \\(i)") } }
    }
    expect { count(of: "job*") == 3; makespan == 30ms }
    """

  /// A trace and its run, each step by itself.
  @Test func theLibrary() throws {
    let source = SourceText(name: "jobs.trace", TourTests.text)
    var overrides = Overrides()
    overrides.parameters = [.init(name: "length", value: "20ms")]
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (compiled, diagnostics) = compiler.compile(source, overrides: overrides)
    let program = try #require(compiled, "\(renderedReport(diagnostics))")

    // What looks at the run: numbers, what the trace expects, the timeline.
    let (metrics, expectations) = (Metrics(), ExpectationEvaluator(program))
    let waits = Waits()
    var limits = RunLimits()
    limits.horizon = Instant.start + .seconds(1)
    let record = Simulation(program, limits: limits, policy: LastFirst())
      .run(consumers: [metrics, expectations, Timeline(waits)])

    #expect(record.outcome.kind == .finished && record.findings.isEmpty)
    #expect(record.makespan == Instant.start + .milliseconds(60))
    #expect(metrics.result.threadsPeak == 4 && metrics.result.utilization.description == "100.0%")
    let unmet = expectations.verdicts(metrics.result, record).filter { !$0.holds }
    #expect(unmet.map(\.text) == ["makespan == 30ms"] && unmet[0].seen == "makespan was 60ms")
    // The second waits for one job, the third for two.
    #expect(waits.ready == .milliseconds(60))
    #expect(
      waits.items == ["job2", "job1", "job0"] && waits.marks == ["done 2", "done 1", "done 0"])
  }

  /// The same in a test: a trace, its run, and any measure by its text.
  @Test func aTest() throws {
    let run = try simulate(TourTests.text, .init(parameters: ["length": "10ms"]))
    #expect(run.makespan == .milliseconds(30))
    #expect(try run.duration(#"latency("job*").max"#) == .milliseconds(30))
    #expect(try run.number("threads.peak") == 4)
    #expect(try run.holds(#"order("job0", "job1")"#))
    let other = try simulate(TourTests.text, policy: LastFirst())
    #expect(other.makespan == run.makespan && other.digest != run.digest)
    #expect(try explore(TourTests.text, schedules: 10).failures.isEmpty)
  }
}
