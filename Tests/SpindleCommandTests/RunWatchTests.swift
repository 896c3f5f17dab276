import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleCommand

/// What a terminal is told of a long run, and how ^C ends it.
@Suite struct RunWatchTests {
  /// A trace of which a chunk of the log is a part only: 4,000 times half a millisecond.
  private static let long = """
    trace "long" { until: 4s }
    machine { cores: 1; costs: .zero }
    main { for i in 0..<4000 { mark("m"); work(500us) } }
    """

  /// What is written, and a clock that goes on by a second at each look; a class, since closures share it.
  private final class Terminal {
    var lines: [String] = []
    var time: Int64 = 0
  }

  private func run(_ consumers: [any LogConsumer], until: Instant? = nil) throws -> RunRecord {
    let source = SourceText(name: "long.trace", Self.long)
    var program = try #require(Compiler.standard.compile(source).program)
    if let until { program.until = until }
    return Simulation(program).run(consumers: consumers)
  }

  @Test func aTerminalIsToldHowFarItIs() throws {
    let terminal = Terminal()
    let watch = RunWatch(
      clock: {
        terminal.time += 1_000_000_000
        return terminal.time
      }, isAsked: { false }, write: { terminal.lines.append($0) })
    let (metrics, record) = (Metrics(), try run([watch]))
    _ = try run([metrics])
    #expect(record.end == Instant(2_000_000_000))
    #expect(terminal.lines.count > 3)
    // It was begun at 1 s, and each look is a second later.
    let third = try #require(terminal.lines.dropFirst(2).first)
    let words = try #require(
      third.firstMatch(
        of:
          /\r\u{1B}\[Kat (.+) of 4s, ([0-9,]+) events a second, ([0-9]+)s left \(\^C ends it here\)/
      ))
    // Of 4 s in which it can go on, what is left takes as long for each as what was.
    let moment = try #require(MomentText.value(String(words.1)))
    let left = (4_000_000_000 - moment.nanoseconds) * 3 / moment.nanoseconds
    #expect(abs(left - (Int64(words.3) ?? -9)) <= 1)
    #expect(terminal.lines.last == "\r\u{1B}[K")
  }

  @Test func aShortRunSaysNothing() throws {
    let terminal = Terminal()
    let watch = RunWatch(
      clock: { 0 }, isAsked: { false }, write: { terminal.lines.append($0) })
    _ = try run([watch])
    #expect(terminal.lines.isEmpty)
  }

  /// A run that is ended by hand is the run that is cut off there by the trace.
  @Test func whatIsCutOffIsAPartOfTheRun() throws {
    var looks = 0
    let watch = RunWatch(
      clock: { 0 },
      isAsked: {
        looks += 1
        return looks == 3
      }, write: { _ in })
    let (metrics, digest) = (Metrics(), LogDigest())
    let record = try run([metrics, digest, watch])
    #expect(watch.stopsRun)
    #expect(record.end > .start && record.end < Instant(2_000_000_000))
    let (again, same) = (Metrics(), LogDigest())
    let cut = try run([again, same], until: record.end)
    #expect(cut.end == record.end)
    #expect(metrics.result == again.result)
    #expect(digest.text == same.text)
  }

  /// A run that stands still at one instant and records nothing is ended too.
  @Test func aRunThatStandsStillEnds() throws {
    let source = SourceText(
      name: "still.trace", "machine { cores: 1; costs: .zero }\nmain { while true { } }")
    let program = try #require(Compiler.standard.compile(source).program)
    var looks = 0
    let watch = RunWatch(
      clock: { 0 },
      isAsked: {
        looks += 1
        return looks == 2
      }, write: { _ in })
    let record = Simulation(program).run(consumers: [watch])
    #expect(watch.stopsRun)
    #expect(record.end == .start)
    #expect(record.outcome.kind == .timeLimit)
    #expect(record.steps > 1 << 22 && record.steps < 1 << 24)
    #expect(record.findings.isEmpty)
  }

  /// Whether somebody looks changes nothing of the run: its limit comes at the same step.
  @Test func looksChangeNothing() throws {
    let source = SourceText(
      name: "still.trace", "main { work(1ms); var i = 0; while true { i += 1 } }")
    let program = try #require(Compiler.standard.compile(source).program)
    var limits = RunLimits()
    limits.steps = (2 << 22) + 12_345
    let watch = RunWatch(clock: { 0 }, isAsked: { false }, write: { _ in })
    let (watched, plain) = (LogDigest(), LogDigest())
    let one = Simulation(program, limits: limits).run(consumers: [watched, watch])
    let other = Simulation(program, limits: limits).run(consumers: [plain])
    #expect(one.steps == limits.steps)
    #expect(one.outcome == other.outcome)
    #expect(one.findings == other.findings)
    #expect(one.findings.contains { $0.kind == .livelock })
    #expect(one.steps == other.steps && watched.text == plain.text)
  }

  @Test func onlyATerminalIsWatched() {
    func console(_ isTerminal: Bool, _ terminal: String) -> Console {
      let environment = HostEnvironment(
        variables: ["TERM": terminal], errorIsTerminal: isTerminal)
      return Console(environment: environment, output: OutputSink(), error: OutputSink())
    }
    #expect(RunWatch.make(console(true, "xterm")) != nil)
    #expect(RunWatch.make(console(false, "xterm")) == nil)
    #expect(RunWatch.make(console(true, "dumb")) == nil)
  }
}
