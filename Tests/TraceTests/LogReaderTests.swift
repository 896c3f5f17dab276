import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// A log's text that is read back gives the reports that the run gave.
@Suite struct LogReaderTests {
  /// What a text comes to that is handed on in pieces; a class, since a closure fills it.
  private final class Pieces {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// What the reports say of a run.
  private struct Reports {
    let metrics = Metrics()
    let decisions = RunDecisions()
    let output = PrintedOutput()
    private let log = Pieces()
    private let intervals = Pieces()
    let consumers: [any LogConsumer]

    init() {
      let (log, intervals) = (log, intervals)
      let export = ExportFormat.jsonl.makeExport { intervals.bytes += $0 }
      consumers = [
        metrics, Timeline(decisions), output, LogText { log.bytes += $0 }, Timeline(export),
      ]
    }

    /// The log without the digest, which holds numbers that the text has no use for, nor the column's
    /// width before the first long time; nor which task of a name it is that somebody waits for.
    var text: [String] {
      var lines = log.text.split(separator: "\n")
      if let last = lines.popLast() { lines.append(last.prefix { $0 != "d" }) }
      return lines.map {
        LogReaderTests.without("waits for task", then: "#", $0.drop { $0 == " " })
      }
    }

    /// The intervals without places in the trace, and without those on actors, of which the log does
    /// not say which task it is; those that end with the run come in the order of their threads' numbers.
    var rows: [String] {
      intervals.text.split(separator: "\n").map { LogReaderTests.withoutPlace($0) }
        .filter { $0.firstRange(of: "\"began\": \"actor\"") == nil }.sorted()
    }
  }

  private static func withoutPlace(_ line: Substring) -> String {
    guard let found = line.firstRange(of: ", \"place\": \"") else { return String(line) }
    return String(line[..<found.lowerBound])
      + line[found.upperBound...].drop { $0 != "\"" }.dropFirst()
  }

  /// A line without the digits and colons, and what is written before them and behind, that follow on
  /// `text`; regular expressions are slow.
  private static func without(
    _ text: String, then sign: String, _ line: Substring
  ) -> String {
    guard let found = line.firstRange(of: text + sign) else { return String(line) }
    var rest = line[found.upperBound...].drop { $0.isNumber || $0 == ":" }
    if rest.first == "\"" { rest.removeFirst() }
    return line[..<found.lowerBound] + text + rest
  }

  /// What the text leaves out.
  private static func told(_ metrics: RunMetrics) -> RunMetrics {
    var told = metrics
    told.steps = 0
    (told.outcome.place, told.crash) = (nil, nil)
    for index in told.findings.indices {
      told.findings[index].places = []
      // Text has the words of a finding, and not which of them are names and amounts.
      told.findings[index].statement = FindingStatement(words: told.findings[index].explanation)
    }
    told.findingCounts = []
    // The log does not say what cores are like.
    told.energy = nil
    // What could be known ahead is computed from the program.
    told.realtime = nil
    // Which kind comes first of those that took equally long depends on the program's text, and
    // whether the trace gave a name is not said.
    told.kinds.sort { $0.pattern < $1.pattern }
    for index in told.kinds.indices {
      told.kinds[index].isNamed = false
      // Nor is a place.
      told.kinds[index].arrivals?.place = -1
    }
    // Nor how urgent a task is that stands in line for an actor: all together have to be the same.
    for index in told.actors.indices { told.actors[index].waits = [] }
    return told
  }

  /// In these an operation or its queue is given another name, and the log does not say whose it is.
  static let renaming = [
    "Traces/apps/job-scheduler.trace", "Traces/language/accepted/operation-classes.trace",
    "Traces/language/accepted/operation-queues.trace",
  ]

  @Test(
    "a log that is read back gives the same reports",
    // Each is run twice and written many ways.
    arguments: Effort.sample(
      TraceTests.paths.filter { !renaming.contains($0) }, oneIn: 4, from: 1))
  func sameReports(path: String) throws {
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let run = TestRun(try Repository.text(path), name: path, limits: limits)
    guard let program = run.program else { return }
    let (first, second) = (Reports(), Reports())
    _ = Simulation(program, limits: limits).run(consumers: first.consumers)
    let reader = try LogReader(Array(run.log.utf8))
    reader.replay(to: second.consumers)
    #expect(reader.digest == run.digest)
    #expect(reader.run.program.title == program.title)
    #expect(reader.run.program.parameters.map(\.value) == program.parameters.map(\.value))
    for (one, other) in zip(first.text, second.text) where one != other {
      Issue.record("\(one) is read as \(other)")
      break
    }
    #expect(first.text.count == second.text.count)
    let (one, other) = (first.decisions.decisions, second.decisions.decisions)
    for (one, other) in zip(one, other) where one != other {
      Issue.record("\(one) is read as \(other)")
      break
    }
    #expect(one.count == other.count)
    let (left, right) = (
      LogReaderTests.told(first.metrics.result), LogReaderTests.told(second.metrics.result)
    )
    for (one, other) in zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
    where "\(one.value)" != "\(other.value)" {
      Issue.record("\(one.label ?? "") is \(one.value), and is read as \(other.value)")
    }
    #expect(left == right)
    #expect(
      first.metrics.result.actors.map(\.totalWait) == second.metrics.result.actors.map(\.totalWait))
    #expect(first.rows == second.rows)
    #expect("\(first.output.result)" == "\(second.output.result)")
  }

  private static let small = """
    # spindle log 2
    # Small
    # iOS, 1 core, 1GB, zero, fifo, seed 7
    # n = 3
                  0s      main            is created, main thread, stack 1MB
                  0s   0  main            runs, switch
                 5ms   0  main            ends, worked 5ms
                 5ms      world           the run ends, finished, nothing is left to do
    # finished at 5ms, makespan 5ms
    # entries 5, memory peak 0B, digest 0123456789abcdef
    """

  @Test func numbersOfAHandWrittenLog() throws {
    let reader = try LogReader(Array(LogReaderTests.small.utf8))
    let metrics = Metrics()
    reader.replay(to: [metrics])
    // 5 ms of own work on one core, of a run of 5 ms.
    #expect(metrics.result.cores.map(\.busy) == [.milliseconds(5)])
    #expect(metrics.result.cores.map(\.idle) == [.zero])
    #expect(metrics.result.threadsCreated == 1)
    #expect(reader.run.program.seed == 7)
    #expect(reader.run.program.parameters == [Parameter(name: "n", value: "3", allowed: [])])
    #expect(reader.record.makespan == Instant(5_000_000))
  }

  @Test(
    "what cannot be read is told with its line",
    arguments: [
      ("# spindle log 2", "# spindle log 3", 1, "it is not a log of format 2"),
      ("# iOS, 1 core", "# iOS, one core", 3, "the machine can't be read"),
      ("runs, switch", "flies, switch", 6, "'flies' is not a known step"),
      ("runs, switch", "announces a b = true", 6, "'announces a b' is not a known step"),
      ("0  main            runs", "0  mane            runs", 6, "was not made before"),
      ("             5ms   0  main            ends, worked 5ms\n", "", 9, "have 4"),
      ("# finished at 5ms", "# 12 more lines\n# finished at 5ms", 9, "12 more lines were left out"),
      ("# finished at 5ms, makespan 5ms\n", "", 9, "unexpected line"),
      ("             5ms      world", "           never      world", 8, "it begins with no time"),
      ("worked 5ms", "held by \"x", 7, "a quote is not closed"),
    ])
  func faultsAreTold(_ fault: (was: String, now: String, line: Int, message: String)) throws {
    let text = LogReaderTests.small.replacing(fault.was, with: fault.now)
    #expect(text != LogReaderTests.small)
    do {
      _ = try LogReader(Array(text.utf8))
      Issue.record("\(fault.now) was read")
    } catch {
      #expect(error.message.contains(fault.message), "\(error)")
      #expect(error.line == fault.line, "\(error)")
    }
  }

  /// A log of which digests are kept has no lines to be read.
  @Test func digestsAreNoLog() throws {
    let logs = Repository.files(below: "Traces", suffix: ".log").lazy.map {
      (try? Repository.text($0)) ?? ""
    }
    let digests = try #require(logs.first { $0.contains("# layers 2 of ") })
    let message = "digests are kept of this log, not its lines; '--log' writes a whole one"
    #expect(throws: LogReadingError(line: 4, message: message)) {
      _ = try LogReader(Array(digests.utf8))
    }
  }
}
