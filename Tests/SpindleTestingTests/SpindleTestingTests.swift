import Foundation
import SpindleTesting
import Synchronization
import Testing

/// What tests of another package write and get; this target sees only what is public.
@Suite(.attachingRuns) struct SpindleTestingTests {
  static let text = """
    trace "Two workers"
    machine { platform: .ideal; cores: 2; costs: .zero }
    param count = 4
    let pool = ThreadPool(width: 2)
    main { for i in 0 ..< count { pool.async(name: "job\\(i)") { work(100ms) } } }

    """

  @Test func aTextIsRun() throws {
    let run = try simulate(SpindleTestingTests.text)
    // Four pieces of 100 ms on two cores.
    #expect(run.makespan == .milliseconds(200))
    #expect(run.outcome == .finished)
    #expect(run.findings.isEmpty && run.unmet.isEmpty)
    #expect(run.title == "Two workers")
    #expect(run.summary.contains("makespan    200ms"))
    #expect(run.log.contains("ends \"job3\", latency 200ms"))
    #expect(run.timeline.contains("pool-2"))
    #expect(try simulate(SpindleTestingTests.text).digest == run.digest)
  }

  @Test func settingsChangeTheRun() throws {
    let run = try simulate(
      SpindleTestingTests.text,
      .init(parameters: ["count": "3"], replacements: ["pool": "ThreadPool(width: 1)"], cores: 1))
    #expect(run.makespan == .milliseconds(300))
    let cut = try simulate(SpindleTestingTests.text, .init(until: "150ms"))
    #expect(cut.makespan == .milliseconds(150))
  }

  /// A policy that is handed over takes the place of the machine's, in the run and in all that is asked of it.
  @Test func aPolicyOfOnesOwnDecides() throws {
    let text = """
      machine { platform: .ideal; cores: 1 }
      main { for i in 0 ..< 3 { Thread(name: "t\\(i)") { work(1ms) }.start() } }
      """
    let run = try simulate(text, policy: LastFirst())
    #expect(try run.holds(#"order("t2", "t1", "t0")"#))
    #expect(run.summary.contains("policy lastFirst"))
    #expect(try simulate(text).holds(#"order("t0", "t1", "t2")"#))
  }

  /// A policy that is wrong fails the test that hands it over, and no other.
  @Test func aWrongPolicyIsAnIssue() throws {
    let text = "machine { platform: .ideal; cores: 1 } main { work(1ms) }"
    let told = Mutex<[String]>([])
    var run: SimulatedRun?
    try withKnownIssue {
      run = try simulate(text, policy: LastFirst(quantum: .zero))
    } matching: { issue in
      told.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    #expect(told.withLock { $0.count == 1 && $0[0].contains("outcome was .policyFault") })
    #expect(run?.outcome == .policyFault)
    #expect(run?.policyFault?.rule == .quantumIsPositive)
    #expect(run?.policyFault?.thread == "main")
  }

  @Test func measuresAreAskedByTheirTexts() throws {
    let run = try simulate(SpindleTestingTests.text)
    // The last two wait 100 ms for the first two.
    #expect(try run.duration(#"latency("job*").max"#) == .milliseconds(200))
    #expect(try run.number("threads.peak") == 3)
    #expect(try run.number("utilization") == 1)
    #expect(try run.holds(#"order("job0", "job2")"#))
    #expect(try !run.holds("makespan == 1s"))
    func refusal(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(refusal { _ = try run.duration("mackespan") }.contains("unknown name 'mackespan'"))
    #expect(refusal { _ = try run.duration("threads.peak") }.contains("is a count, not a duration"))
    #expect(refusal { _ = try run.number("switches, migrations") }.contains("asks 2 things"))
    #expect(
      refusal { _ = try run.duration(#"latency("x").max"#) }.contains(#"no "x" ended"#))
  }

  @Test func errorsAreThrown() {
    #expect(throws: TraceErrors.self) { try simulate("main { wrok(5ms) }") }
    do {
      try simulate("main { wrok(5ms) }", named: "typo.trace")
    } catch {
      #expect(error.description.hasPrefix("typo.trace:1:8: error: unknown"))
      #expect(error.description.contains("did you mean 'work'?"))
    }
  }

  @Test func whatIsNotMetIsAnIssue() throws {
    let text = SpindleTestingTests.text + "expect { makespan == 100ms; threads.peak == 3 }\n"
    let told = Mutex<[String]>([])
    try withKnownIssue {
      try simulate(text)
    } matching: { issue in
      told.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let messages = told.withLock { $0 }
    #expect(messages.count == 1)
    #expect(messages[0].contains("not met: makespan == 100ms\n  makespan was 200ms"))
    let quiet = try simulate(text, checksExpectations: false)
    #expect(quiet.unmet.count == 1)
  }

  @Test func filesAreCases() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let deep = folder.appendingPathComponent("deep")
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let failing = SpindleTestingTests.text + "expect { makespan == 100ms }\n"
    try SpindleTestingTests.text.write(
      to: folder.appendingPathComponent("b.trace"), atomically: true, encoding: .utf8)
    try failing.write(to: deep.appendingPathComponent("a.trace"), atomically: true, encoding: .utf8)
    let files = TraceFile.all(below: folder.path)
    #expect(files.map(\.testDescription) == ["b.trace", "deep/a.trace"])
    files[0].check()
    let one = try files[0].simulate(.init(parameters: ["count": "1"]))
    #expect(one.makespan == .milliseconds(100))
    let count = Mutex(0)
    withKnownIssue {
      files[1].check()
    } matching: { issue in
      count.withLock { $0 += 1 }
      return issue.comments.contains { $0.rawValue.contains("makespan was 200ms") }
    }
    #expect(count.withLock { $0 } == 1)
    #expect(TraceFile.all(below: "none").isEmpty)
  }

  /// A file that a text includes is beside the trace, or beside the test's own file where the test has the text.
  @Test func filesAreIncluded() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String) throws {
      let path = folder.appendingPathComponent(name)
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    let text = """
      include "*.swift"
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { Worker().run() }
      expect { makespan == 20ms }
      """
    try write("final class Worker { func run() { work(.milliseconds(20)) } }", "Worker.swift")
    try write(text, "a.trace")
    let file = TraceFile.all(below: folder.path)[0]
    file.check()
    #expect(try file.simulate().makespan == .milliseconds(20))
    let run = try simulate(text, filePath: folder.appendingPathComponent("Tests.swift").path)
    #expect(try run.duration("makespan") == .milliseconds(20))
    #expect(
      try explore(text, schedules: 5, filePath: folder.appendingPathComponent("T.swift").path)
        .failures.isEmpty)
    #expect(throws: TraceErrors.self) { try simulate(text, filePath: "/nowhere/Tests.swift") }
  }
}

/// Who became ready last runs first, until it waits.
private struct LastFirst: SchedulingPolicy {
  let name = "lastFirst"
  var quantum: Nanoseconds?
  private var ready: [ThreadID] = []

  init(quantum: Nanoseconds? = nil) { self.quantum = quantum }

  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    ready.append(thread)
  }

  mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? { ready.popLast() }

  func quantum(for thread: ThreadID) -> Nanoseconds? { quantum }
}
