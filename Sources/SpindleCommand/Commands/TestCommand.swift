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
    let found = try tracePaths()
    try CommandFailure.wrap { () throws(FileFailure) in try checkRoles(found.paths) }
    let tests = found.paths.map {
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
    for (name, failure) in found.unreadable {
      var result = TraceTest.Result(path: name)
      result.fail(failure.status, failure.message)
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
  private func tracePaths() throws(CommandFailure) -> Files.Found {
    var found = Files.Found()
    for path in paths {
      if Files.kind(of: path) == .folder {
        let below = try CommandFailure.wrap { () throws(FileFailure) in
          try Files.files(below: path, suffix: ".trace")
        }
        if below.paths.isEmpty && below.unreadable.isEmpty {
          throw .file(FileFailure(purpose: .input, message: "no traces in '\(path)'"))
        }
        found.paths += below.paths
        found.unreadable += below.unreadable
      } else if Files.kind(of: path) == .missing {
        throw .file(FileFailure(purpose: .input, message: "no such file: '\(path)'"))
      } else {
        found.paths.append(path)
      }
    }
    var known: Set<String> = []
    var folders: [Substring: String] = [:]
    found.paths.removeAll { path in
      !known.insert(TestCommand.place(of: path, &folders)).inserted
    }
    return found
  }

  /// A path whose folder has one spelling; a link with a name of its own is a test of its own.
  private static func place(of path: String, _ folders: inout [Substring: String]) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[...$0] } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let resolved = folders[folder] ?? Files.resolved(String(folder))
    folders[folder] = resolved
    return "\(resolved)/\(name)"
  }

  /// Sees to it that no trace, and no log that is compared, is written over.
  private func checkRoles(_ traces: [String]) throws(FileFailure) {
    let logs = traces.map(TraceTest.logPath)
    var roles = FileRoles(console)
    if let junit { try roles.write(junit) }
    if updates {
      for log in logs { try roles.write(log) }
    } else {
      try roles.read(logs)
    }
    try roles.read(traces)
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
        console.output.write("recorded \(FileName.shown(path))\n")
      case .updated(let text, let difference):
        try WholeFile.write(text, to: path)
        tally.updated += 1
        console.output.write("updated \(FileName.shown(path))\n\(indented(difference))")
      }
    } catch {
      result.fail(error.status, error.message)
    }
  }

  private func show(_ result: TraceTest.Result, _ tally: inout Tally) {
    tally.status = max(tally.status, result.status)
    let name = FileName.shown(result.path)
    tally.cases.append(TestCase(name: name, failures: result.failures))
    if result.failures.isEmpty {
      tally.passed += 1
      return
    }
    tally.failed += 1
    let word = usesColor ? "\u{1B}[1;31mfailed\u{1B}[0m" : "failed"
    console.output.write("\(word) \(name)\n")
    for failure in result.failures { console.output.write(indented(failure)) }
    console.output.flush()
  }

  private func indented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let end = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    return lines[..<end].map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }
}
