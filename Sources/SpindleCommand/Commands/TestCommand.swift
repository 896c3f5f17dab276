import SpindleModel
import SpindleReports

/// `spindle test`: checks traces against what they expect and against their logs.
struct TestCommand {
  private let console: Console
  private let paths: [String]
  private let updates: Bool
  private let jobs: Int
  private let limits: RunLimits
  private let junit: String?
  private let usesColor: Bool

  /// Creates the command; throws when logs would be written by a machine that nobody watches.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    paths = arguments.operands
    updates = arguments.has(.update)
    jobs = try arguments.jobs(console.environment)
    limits = try arguments.limits()
    junit = arguments[.junit]
    usesColor = console.usesColor(try arguments.colorChoice())
    if paths.contains("-") {
      throw .usage("'test' needs files: it reads no standard input, since logs stand beside traces")
    }
    if updates && console.environment.isContinuousIntegration {
      throw .usage("'--update' writes logs for a person to read; it is refused while CI is set")
    }
  }

  /// How many tests came out how.
  private struct Tally {
    var passed = 0
    var failed = 0
    var recorded = 0
    var updated = 0
    var unchanged = 0
    var status = ExitStatus.held
    var cases: [TestCase] = []
  }

  /// Runs all tests, on several host threads; what it prints does not depend on how many.
  func run() throws(CommandFailure) -> ExitStatus {
    let tests = try tracePaths().map {
      TraceTest(path: $0, limits: limits, updates: updates)
    }
    var tally = Tally()
    ParallelRuns.run(tests.count, threads: jobs) { index in
      tests[index].result()
    } deliver: { _, result in
      var result = result
      if updates { writeLog(&result, &tally) }
      show(result, &tally)
    }
    if let junit {
      try CommandFailure.wrap { () throws(FileFailure) in
        try WholeFile.write(JUnitText.report(tally.cases), to: junit)
      }
    }
    if updates {
      console.output.write(
        "\(tally.recorded) recorded, \(tally.updated) updated, \(tally.unchanged) unchanged\n")
    }
    console.output.write("\(tally.passed) passed, \(tally.failed) failed\n")
    return tally.status
  }

  /// The traces to test: files as given, folders with all that is below, none twice.
  private func tracePaths() throws(CommandFailure) -> [String] {
    var found: [String] = []
    var known: Set<String> = []
    for path in paths {
      var below = [path]
      if Files.kind(of: path) == .folder {
        below = try CommandFailure.wrap { () throws(FileFailure) in
          try Files.files(below: path, suffix: ".trace")
        }
        if below.isEmpty {
          throw .file(FileFailure(purpose: .input, message: "no traces in '\(path)'"))
        }
      } else if Files.kind(of: path) == .missing {
        throw .file(FileFailure(purpose: .input, message: "no such file: '\(path)'"))
      }
      found += below.filter { known.insert($0).inserted }
    }
    return found
  }

  private func writeLog(_ result: inout TraceTest.Result, _ tally: inout Tally) {
    let path = TraceTest.logPath(for: result.path)
    do {
      switch result.log {
      case .none: return
      case .unchanged: tally.unchanged += 1
      case .recorded(let text, _):
        try WholeFile.write(text, to: path)
        tally.recorded += 1
        console.output.write("recorded \(path)\n")
      case .updated(let text, let difference):
        try WholeFile.write(text, to: path)
        tally.updated += 1
        console.output.write("updated \(path)\n\(indented(difference))")
      }
    } catch {
      result.fail(error.status, error.message)
    }
  }

  private func show(_ result: TraceTest.Result, _ tally: inout Tally) {
    tally.status = max(tally.status, result.status)
    tally.cases.append(TestCase(name: result.path, failures: result.failures))
    if result.failures.isEmpty {
      tally.passed += 1
      return
    }
    tally.failed += 1
    let word = usesColor ? "\u{1B}[1;31mfailed\u{1B}[0m" : "failed"
    console.output.write("\(word) \(result.path)\n")
    for failure in result.failures { console.output.write(indented(failure)) }
    console.output.flush()
  }

  private func indented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let end = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    return lines[..<end].map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }
}
