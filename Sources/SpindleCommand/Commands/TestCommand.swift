import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem
import Synchronization

/// `spindle test`: checks traces against what they expect and against their logs.
struct TestCommand {
  let console: Console
  let options: TestOptions
  private let paths: [String]
  private let jobs: Int

  /// Creates the command; throws when its options contradict each other or the place it runs in.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    paths = arguments.operands
    jobs = try arguments.jobs(console.environment)
    options = try TestOptions(arguments, console)
    if paths.contains("-") {
      throw .usage(
        UsageText.filesNeeded("test", "it reads no standard input, since logs are beside traces"))
    }
  }

  /// Runs all tests, on several host threads; what it prints does not depend on how many.
  func run() throws(CommandFailure) -> ExitStatus {
    let found = try tracePaths()
    try CommandFailure.wrap { () throws(FileFailure) in try checkRoles(found.paths) }
    let selected = try TestSelection(options).select(found.paths, console)
    let tests = selected.map { path in
      var test = TraceTest(path: path, limits: options.limits, keepsLog: options.keepsLog)
      (test.seed, test.seedCount) = (options.seed, options.seedCount)
      test.schedules = options.schedules
      return test
    }
    if options.lists {
      // Those that would run: without a file of digests that is all, whatever passed here before.
      let watch = options.keepsPassed ? nil : try PassKeeper(options).watch
      for test in tests where watch?.hasPassed(test) != true {
        console.output.write("\(FileName.shown(test.path))\n")
      }
      return .held
    }
    var report = TestReport(console, options, count: tests.count)
    var passes = try PassKeeper(options)
    let watch = passes.watch
    let keeper = BaselineKeeper(console, options)
    let stop = StopSign()
    ParallelRuns.run(tests.count, threads: jobs) { index in
      stop.isSet ? nil : watch.result(tests[index])
    } deliver: { index, watched in
      guard let watched, !report.isOver else { return }
      var result = watched.result
      if !result.isUnchanged { keeper.keep(&result, tests[index], &report) }
      passes.note(result, watched.digest)
      report.add(result)
      if report.isOver { stop.set() }
    }
    for (name, failure) in found.unreadable where !report.isOver {
      var result = TraceTest.Result(path: name)
      result.fail(failure)
      report.add(result)
    }
    try report.finish(orphans: orphans())
    try passes.write()
    return report.status
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
    let logs = traces.map(TraceTest.logPath) + traces.map(BestState.path)
    var roles = FileRoles(console)
    for path in options.outputs { try roles.write(path) }
    if let path = options.passedBefore, !options.keepsPassed { try roles.read(path) }
    if options.updates != .nothing {
      for log in logs { try roles.write(log) }
    } else {
      try roles.read(logs)
    }
    try roles.read(traces)
  }

  /// The recorded logs and bests in the folders whose traces are gone.
  private func orphans() throws(CommandFailure) -> [String] {
    var orphans: [String] = []
    for path in paths where Files.kind(of: path) == .folder {
      for (suffix, start) in [(".log", "# spindle log "), (".best", BestRecord.header)] {
        let records = try CommandFailure.wrap { () throws(FileFailure) in
          try Files.files(below: path, suffix: suffix).paths
        }
        orphans += records.filter { record in
          let trace = String(record.dropLast(suffix.utf8.count)) + ".trace"
          return Files.kind(of: trace) == .missing && Files.begins(record, with: start)
        }
      }
    }
    return orphans
  }
}

/// Whether it is time to stop, as several threads may ask.
private final class StopSign: Sendable {
  private let isUp = Atomic(false)

  var isSet: Bool { isUp.load(ordering: .relaxed) }
  func set() { isUp.store(true, ordering: .relaxed) }
}
