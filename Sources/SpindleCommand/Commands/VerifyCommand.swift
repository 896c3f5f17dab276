import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle verify`: checks that traces run deterministically.
struct VerifyCommand {
  private let console: Console
  private let paths: [String]
  private let limits: RunLimits
  private let jobs: Int
  private let other: String?
  private let isQuiet: Bool

  /// How many runs are beside each other.
  private static let neighbours = 4

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    paths = arguments.operands
    limits = try arguments.limits()
    jobs = try arguments.jobs(console.environment)
    other = arguments[.with]
    isQuiet = arguments.has(.quiet)
    if paths.contains("-") {
      throw .usage(UsageText.filesNeeded("verify", "each is read by several processes"))
    }
    if let other, Files.kind(of: other) != .file {
      throw .file(FileFailure(purpose: .input, message: "no such file: '\(other)'"))
    }
  }

  /// One run and what came of it.
  private struct Way {
    /// What was different, in a phrase.
    let name: String
    /// All that is known of the run.
    let result: String
  }

  /// Verifies every trace; goes on after one that differs.
  func run() throws(CommandFailure) -> ExitStatus {
    var status = ExitStatus.held
    for path in paths {
      do {
        status = max(status, try verify(path))
      } catch {
        console.complain(error)
        status = max(status, error.status)
      }
    }
    return status
  }

  private func verify(_ path: String) throws(FileFailure) -> ExitStatus {
    let source = SourceText(
      name: FileName.shown(path), utf8: try Files.read(path, atMost: Files.greatestTrace))
    let (compiled, diagnostics) = Compiler.standard.compile(source)
    guard let program = compiled else {
      var report = DiagnosticReport(color: false)
      report.add(diagnostics, to: console.error)
      return report.status
    }
    let run = TraceRun(program, keepingOutput)
    let first = VerifyCommand.text(run)
    let ways = try processes(path) + neighbours(program) + [withoutConsumers(program, first, run)]
    let name = FileName.shown(path)
    if let odd = ways.first(where: { $0.result != first }) {
      console.output.write(
        "\(name): not deterministic: differs \(odd.name)\n\(VerifyCommand.difference(first, odd.result))"
      )
      return .notTheSame
    }
    if isQuiet { return .held }
    console.output.write(
      "\(name): deterministic: \(ways.count + 1) runs agree (hash seeds, environments, concurrent runs, "
        + "no observers); digest \(run.digest)\n")
    return .held
  }

  /// Runs in fresh processes.
  private func processes(_ path: String) throws(FileFailure) -> [Way] {
    let strange = [
      "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu", "COLUMNS=40", "TERM=dumb",
      "PADDING=" + String(repeating: "x", count: 60_000),
    ]
    let tool = Executable.path
    var starts: [(name: String, tool: String, environment: [String])] = [
      ("in another process", tool, []), ("in a second process", tool, []),
      ("with a fixed hash seed", tool, ["SWIFT_DETERMINISTIC_HASHING=1"]),
      ("in another environment", tool, strange),
    ]
    if let other { starts.append(("by '\(other)'", other, [])) }
    var options = ["--json", "--steps", "\(limits.steps)"]
    if limits.checksInvariants { options.append("--check-invariants") }
    var ways: [Way] = []
    for start in starts {
      let child = try ChildProcess.output(
        of: start.tool, ["simulate", path] + options, environment: start.environment)
      ways.append(Way(name: start.name, result: child))
    }
    return ways
  }

  /// What is asked of each run in this process.
  private var keepingOutput: RunRequest {
    var request = RunRequest(limits: limits)
    request.keepsOutput = true
    return request
  }

  /// Runs beside each other in this process.
  private func neighbours(_ program: Program) -> [Way] {
    let request = keepingOutput
    let threads = max(2, jobs)
    return ParallelRuns.map(VerifyCommand.neighbours, threads: threads) { _ in
      Way(
        name: "among concurrent runs in one process",
        result: VerifyCommand.text(TraceRun(program, request)))
    }
  }

  /// A run of which nothing is recorded; it has no more than its end.
  private func withoutConsumers(_ program: Program, _ first: String, _ run: TraceRun) -> Way {
    let record = RunRequest(limits: limits).run(program)
    let seen = run.metrics
    let isSame =
      record.outcome == seen.outcome && record.end == seen.end && record.makespan == seen.makespan
      && record.steps == seen.steps
      // An overload is found in what observers count.
      && record.findings == seen.findings.filter { $0.kind != .overload }
    let text = "\(record.outcome.kind.name) at \(record.end), makespan \(record.makespan)\n"
    return Way(name: "without observers", result: isSame ? first : text)
  }

  private static func text(_ run: TraceRun) -> String {
    run.json + "\n"
  }

  /// The first line in which two results differ.
  private static func difference(_ first: String, _ second: String) -> String {
    let comparison = LogComparison(Array(first.utf8))
    comparison.add(Array(second.utf8)[...])
    return comparison.text.indented
  }
}
