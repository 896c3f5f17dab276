import Foundation
import SpindleCommand
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSystem
import TestSupport
import Testing

/// Input that no trace file in the repository can show: each is a clear error, never a crash or a hang.
@Suite struct BadInputTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let message: String

    init(_ claim: String, _ text: String, _ message: String) {
      (testDescription, self.text, self.message) = (claim, text, message)
    }
  }

  static func nested(_ open: String, _ inside: String, _ close: String) -> String {
    let depth = 10_000
    return "main {\n    record(\"x\", " + String(repeating: open, count: depth) + inside
      + String(repeating: close, count: depth) + ")\n}\n"
  }

  static let deep = "nested more than"
  static let rows = [
    Row("an empty file", "", "main"),
    Row("a file of comments", "// nothing\n/* at all */\n", "main"),
    Row("10,000 parentheses", nested("(", "1", ")"), deep),
    Row("10,000 brackets", nested("[", "1", "]"), deep),
    Row("10,000 times not", nested("!", "true", ""), deep),
    Row("10,000 times minus", nested("- ", "1", ""), deep),
    Row("10,000 sums", nested("1 + ", "1", ""), deep),
    Row(
      "10,000 times else",
      "main { if 1 > 2 { }" + String(repeating: " else if 1 > 2 { }", count: 10_000) + " }", deep),
    Row(
      "10,000 braces",
      "main {" + String(repeating: "if true {", count: 10_000)
        + String(repeating: "}", count: 10_000) + "}", deep),
    Row(
      "10,000 braces that stay open", "main " + String(repeating: "{ do ", count: 10_000), deep),
  ]

  @Test("a text is answered", arguments: rows)
  func textIsAnswered(row: Row) {
    var limits = RunLimits()
    limits.steps = 1_000_000
    let run = TestRun(row.text, limits: limits)
    #expect(run.program == nil)
    #expect(run.messages.contains { $0.contains(row.message) }, "\(run.messages.prefix(3))")
    #expect(run.messages.count <= 3, "one mistake is told once")
  }

  /// As many as a tree may have levels; each `else if` is one in its `else`.
  @Test func hundredTimesElse() {
    let run = TestRun(
      "var reached = false\nmain { if 1 > 2 { }"
        + String(repeating: " else if 1 > 2 { }", count: 100)
        + " else { reached = true } }\nexpect { value(reached) == true }")
    #expect(run.record?.outcome.kind == .finished)
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds))
    #expect(run.messages.count == 101 && run.messages.allSatisfy { $0.contains("always false") })
  }

  @Test func bytesThatAreNoTextAreNamed() throws {
    let path = NSTemporaryDirectory() + "spindle-\(UUID().uuidString).trace"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([0x6D, 0x61, 0x69, 0x6E, 0x20, 0xFF, 0x7B, 0x7D]).write(to: URL(fileURLWithPath: path))
    let (status, text) = spindle("simulate", path)
    #expect(status == .traceErrors)
    #expect(text.contains(":1:6: error: "), "\(text)")
    #expect(text.contains("UTF-8"))
  }

  @Test func folderIsNoTrace() {
    let (status, text) = spindle("simulate", NSTemporaryDirectory())
    #expect(status == .noInput)
    #expect(text.contains("folder"), "\(text)")
  }

  @Test func missingFileIsNamed() {
    let (status, text) = spindle("simulate", "/no/such/file.trace")
    #expect(status == .noInput)
    #expect(text.contains("/no/such/file.trace"))
  }

  @Test func endlessLoopReachesTheLimitOfSteps() throws {
    var limits = RunLimits()
    limits.steps = 100_000
    let run = TestRun("main { for i in 0 ..< 1_000_000_000_000 { } }", limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.map(\.kind) == [.livelock])
    #expect(try #require(run.record).steps <= 100_001)
  }

  /// A tenth of the steps may be at one instant, and never less than 100 million where there are so many.
  @Test func atOneInstantThereAreFewerSteps() {
    var limits = RunLimits()
    #expect(limits.stepsAtOneInstant == 100_000_000)
    limits.steps = 5_000_000_000
    #expect(limits.stepsAtOneInstant == 500_000_000)
    limits.steps = 200_000_000
    #expect(limits.stepsAtOneInstant == 100_000_000)
    limits.steps = 1_000_000
    #expect(limits.stepsAtOneInstant == 1_000_000)
  }

  /// Those that only wake each other take long for a step: a turn counts as many as could run meanwhile.
  @Test(arguments: [
    "main { Task { while true { await Task.yield() } } }",
    "main { Task.detached { while true { await Task.yield() } } }",
    """
    actor Log { var n = 0; func add() { n += 1 } }
    main { let log = Log(); Task.detached { while true { await log.add() } } }
    """,
    """
    let ping = DispatchSemaphore(value: 0)
    let pong = DispatchSemaphore(value: 0)
    main {
        Thread.detachNewThread { while true { ping.wait(); pong.signal() } }
        while true { ping.signal(); pong.wait() }
    }
    """,
  ])
  func circleOfTurnsIsALivelock(text: String) {
    var limits = RunLimits()
    limits.steps = 1_000_000
    let run = TestRun("machine { costs: .zero }\n\(text)", limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.contains { $0.kind == .livelock } == true)
    // Eleven of the sixteen looks that a run has.
    #expect(run.record.map { $0.steps < 690_000 } == true)
  }

  /// Five turns take more steps than such a limit has, and end: that is no sign of a loop without an end.
  ///
  /// From a hundred steps for each instruction on it is one.
  @Test(arguments: [3, 20, 100_000])
  func fewStepsAreNoLivelock(steps: Int64) throws {
    var limits = RunLimits()
    limits.steps = steps
    let loops = steps == 100_000
    let turns = loops ? 1_000_000 : 5
    let run = TestRun("main { for i in 0 ..< \(turns) { print(i) } }", limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.map(\.kind) == (loops ? [.livelock] : []))
  }

  @Test func loopThatLetsTimePassIsNoLivelock() {
    var limits = RunLimits()
    limits.steps = 10_000
    let run = TestRun("main { while true { sleep(1us) } }", limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
    #expect(run.record?.findings.contains { $0.kind == .livelock } == false)
  }

  @Test func endlessRecursionEnds() {
    var limits = RunLimits()
    limits.steps = 10_000_000
    let run = TestRun("func f() { f() }\nmain { f() }", limits: limits)
    #expect(run.record?.outcome.kind == .crashed || run.record?.outcome.kind == .stepLimit)
  }

  @Test func noParameterIsInvented() {
    var overrides = Overrides()
    overrides.parameters = [Overrides.Assignment(name: "moduls", value: "3")]
    let run = TestRun("param modules = 1\nmain { record(\"m\", modules) }", overrides: overrides)
    #expect(run.program == nil)
    #expect(run.diagnostics.contains { $0.message.contains("modules") }, "\(run.messages)")
  }

  private func spindle(_ arguments: String...) -> (SpindleSystem.ExitStatus, String) {
    let (output, error) = (OutputSink(), OutputSink())
    let status = Tool.run(
      arguments: arguments, environment: HostEnvironment(), standardOutput: output,
      standardError: error)
    return (status, output.text + error.text)
  }
}
