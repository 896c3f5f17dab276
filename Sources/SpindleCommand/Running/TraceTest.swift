import SpindleLanguage
import SpindleModel
import SpindleReports

/// The test of one trace: what it expects, and the log beside it.
struct TraceTest: Sendable {
  /// What came of it.
  struct Result: Sendable {
    /// The trace's path.
    let path: String
    /// Whether it passed, and if not, in which way it failed.
    var status = ExitStatus.held
    /// What went wrong, each in one or more lines.
    var failures: [String] = []
    /// What became of the log.
    var log = LogState.none

    /// Notes a failure.
    mutating func fail(_ status: ExitStatus, _ message: String) {
      self.status = max(self.status, status)
      failures.append(message)
    }
  }

  /// What became of the log beside a trace.
  enum LogState: Sendable {
    /// Nothing: it agrees, or there is none to be.
    case none
    /// It should be written: `reason` says why there is none to compare with.
    case recorded(String, reason: String)
    /// It should be written anew, since it differs from the run where `difference` says.
    case updated(String, difference: String)
    /// It agrees with the run.
    case unchanged
  }

  /// The trace's path.
  let path: String
  /// What ends a run, and how closely it is watched.
  let limits: RunLimits
  /// Whether the log is to be written where it differs.
  let updates: Bool

  /// How many diagnostics of one trace are shown.
  private static let messageLimit = 10

  /// The path of the log of the trace at `path`: `NAME.log` beside `NAME.trace`.
  static func logPath(for path: String) -> String {
    (path.hasSuffix(".trace") ? String(path.dropLast(6)) : path) + ".log"
  }

  /// Runs the test; writes nothing.
  func result() -> Result {
    var result = Result(path: path)
    let source: SourceText
    do {
      source = SourceText(name: FileName.shown(path), utf8: try Files.read(path))
    } catch {
      result.fail(error.status, error.message)
      return result
    }
    let notes = DiagnosticNotes(source)
    let (program, diagnostics) = TraceRun.compiler.compile(source)
    if notes.expectsErrors {
      fail(notes.differences(from: diagnostics), &result)
      checkRefusal(&result)
      return result
    }
    guard let program else {
      let limit = TraceTest.messageLimit
      let more = diagnostics.count - limit
      result.fail(
        .traceErrors,
        renderedReport(Array(diagnostics.prefix(limit))) + (more > 0 ? "and \(more) more\n" : ""))
      return result
    }
    if !notes.isEmpty { fail(notes.differences(from: diagnostics), &result) }
    run(program, &result)
    return result
  }

  /// Notes where the diagnostics are not those that the comments say; the first of them in full.
  private func fail(_ differences: [String], _ result: inout Result) {
    for difference in differences.prefix(TraceTest.messageLimit) {
      result.fail(.notHeld, difference)
    }
    let more = differences.count - TraceTest.messageLimit
    if more > 0 { result.fail(.notHeld, "and \(more) more") }
  }

  /// Checks what stands beside a trace that must be refused.
  private func checkRefusal(_ result: inout Result) {
    if Files.kind(of: TraceTest.logPath(for: path)) != .missing {
      result.fail(.notHeld, "a trace that must be refused has no log; remove \(shownLog)")
    }
  }

  /// The name of the log as messages have it.
  private var shownLog: String { FileName.shown(TraceTest.logPath(for: path)) }

  private func run(_ program: Program, _ result: inout Result) {
    let log = SnapshotRecorder()
    let run = TraceRun(program, limits: limits, consumers: [log])
    for verdict in run.verdicts where !verdict.holds {
      let lines = verdict.told(of: program.source, style: TextStyle(width: .max))
      result.fail(.notHeld, lines.joined(separator: "\n"))
    }
    let logPath = TraceTest.logPath(for: path)
    if Files.kind(of: logPath) == .other {
      // Who opens a pipe waits for somebody at its other end.
      let failure = FileFailure.noFile(logPath, .input)
      result.fail(failure.status, failure.message)
      return
    }
    result.log = state(of: log.text(run.metrics))
    guard !updates else { return }
    switch result.log {
    case .none, .unchanged: break
    case .recorded(_, let reason):
      let shown = FileName.shown(path)
      result.fail(
        .notHeld,
        "no log to compare with: \(reason)\n  'spindle test --update \(shown)' records it")
    case .updated(_, let difference):
      result.fail(.notHeld, "the run differs from \(shownLog)\n\(difference)")
    }
  }

  /// Compares the log beside the trace with the one of this run.
  private func state(of seen: String) -> LogState {
    let bytes: [UInt8]
    let log = TraceTest.logPath(for: path)
    do {
      bytes = try Files.read(log)
    } catch {
      let isMissing = Files.kind(of: log) == .missing
      return .recorded(seen, reason: isMissing ? "\(shownLog) is not there" : error.message)
    }
    guard let recorded = String(validating: bytes, as: UTF8.self) else {
      return .recorded(seen, reason: "\(shownLog) is no text in UTF-8")
    }
    guard let difference = Snapshot.difference(recorded: recorded, seen: seen) else {
      return .unchanged
    }
    return .updated(seen, difference: difference.text)
  }
}
