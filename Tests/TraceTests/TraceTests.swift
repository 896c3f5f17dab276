import Foundation
import SpindleCommand
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import SpindleSystem
import TestSupport
import Testing

/// Every trace of the repository: what it expects, its log, and the same again.
@Suite struct TraceTests {
  static let paths = Repository.files(below: "Traces", suffix: ".trace")
  /// Where a run is cut; the whole is far more than any of them needs.
  ///
  /// A dozen traces make most of all steps, and what holds for a run holds for its beginning.
  static let steps = Effort.count(30_000 as Int64, whole: 20_000_000)

  @Test func thereAreTraces() {
    #expect(TraceTests.paths.count > 100)
  }

  @Test("a trace holds", arguments: paths)
  func traceHolds(path: String) {
    let (output, error) = (OutputSink(), OutputSink())
    let status = Tool.run(
      arguments: ["test", Repository.root + "/" + path, "--jobs", "1"],
      environment: HostEnvironment(), standardOutput: output, standardError: error)
    #expect(status == .held, "\(output.text)\(error.text)")
    #expect(!output.text.contains("without a recorded log"), "\(path)")
  }

  /// The second time no instructions are joined, no shortcut is taken but the one that changes the number of
  /// steps, and whatever grows or is cut does so at small sizes, which must not change anything either.
  @Test("a trace runs twice the same, and keeps the simulator's invariants", arguments: paths)
  func traceRunsTwiceTheSame(path: String) throws {
    let text = try Repository.text(path)
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let first = TestRun(text, name: path, limits: limits)
    // The whole state is checked after every event, which long runs are spared.
    limits.checksInvariants = (first.metrics?.entries ?? 0) < 20_000
    let second = TestRun(
      text, name: path, limits: limits, joined: false,
      sizes: StructureSizes(smallBy: UInt64(path.utf8.count)),
      shortcuts: [.repeatedQuanta, .busyRounds])
    #expect(first.messages == second.messages)
    #expect(first.digest == second.digest)
    #expect(first.log == second.log)
    #expect(first.record?.steps == second.record?.steps)
    #expect(first.program == nil || first.log.hasSuffix("digest \(first.digest)\n"))
    #expect(!Effort.isWhole || first.record?.outcome.kind != .stepLimit)
  }

  /// Nobody who says that it does not need every entry finds out that some were not made.
  @Test(
    "a trace comes to the same numbers without a complete log",
    arguments: Effort.sample(paths, oneIn: 3))
  func traceNeedsNoCompleteLog(path: String) throws {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let source = SourceText(name: path, try Repository.text(path))
    guard let program = compiler.compile(source).program else { return }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    func run(_ others: [any LogConsumer]) -> (RunMetrics, [Verdict]) {
      let (metrics, evaluator) = (Metrics(), ExpectationEvaluator(program))
      let record = Simulation(program, limits: limits).run(
        consumers: [metrics, evaluator] + others)
      return (metrics.result, evaluator.verdicts(metrics.result, record))
    }
    let (complete, partial) = (run([LogDigest()]), run([]))
    #expect(complete.0 == partial.0)
    #expect(complete.1 == partial.1)
  }

  @Test func logIsShort() throws {
    for path in Repository.files(below: "Traces", suffix: ".log") {
      let lines = try Repository.lines(path).filter { !$0.hasPrefix("#") }
      #expect(lines.count <= 201, "\(path)")
    }
  }

  @Test func everyLogHasATrace() {
    let traces = Set(TraceTests.paths)
    for path in Repository.files(below: "Traces", suffix: ".log") {
      #expect(traces.contains(path.dropLast(4) + ".trace"), "\(path)")
    }
  }
}
