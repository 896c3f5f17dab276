import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// Says how tests come out, while they run and at the end.
struct TestReport {
  private let console: Console
  private let options: TestOptions
  private let count: Int
  /// The status of the whole.
  private(set) var status = ExitStatus.held
  /// Whether no more tests are wanted.
  private(set) var isOver = false
  private(set) var cases: [TestCase] = []
  private var passed = 0
  private var failed = 0
  private var skipped = 0
  private var unrecorded = 0
  private var showsProgress: Bool
  /// How many logs were recorded, written anew, left.
  var recorded = 0
  var updated = 0
  var unchanged = 0
  var left = 0

  /// Begins the report of `count` tests.
  init(_ console: Console, _ options: TestOptions, count: Int) {
    (self.console, self.options, self.count) = (console, options, count)
    let host = console.environment
    showsProgress =
      host.errorIsTerminal && host.outputIsTerminal && host.allowsCursor
      && options.updates != .asked
  }

  /// Adds the next result, and shows it.
  mutating func add(_ result: TraceTest.Result) {
    status = max(status, result.status)
    cases.append(
      TestCase(
        name: TestReport.relative(result.path), failures: result.failures, notices: result.notices,
        duration: result.duration, isSkipped: result.isUnchanged))
    let name = FileName.shown(result.path)
    if case .missing = result.log, result.best?.hasRatchets != true { unrecorded += 1 }
    if result.isUnchanged {
      skipped += 1
      if options.isVerbose { write("unchanged \(name)\n") }
    } else if result.failures.isEmpty {
      passed += 1
      if options.isVerbose { write("passed \(name)\n") }
    } else {
      failed += 1
      let word = options.usesColor ? "\u{1B}[1;31mfailed\u{1B}[0m" : "failed"
      write("\(word) \(name)\n" + result.failures.map(\.text.indented).joined())
      console.output.flush()
      isOver = options.stopsAtFailure
    }
    if options.updates == .nothing, let proposal = result.best?.proposal { write(proposal) }
    if showsProgress { progress() }
  }

  /// Writes text below what was written, not into the line of progress.
  func write(_ text: String) {
    if showsProgress { console.error.write("\r\u{1B}[K") }
    console.output.write(text)
  }

  private func progress() {
    let done = passed + failed + skipped
    guard done < count else { return console.error.write("\r\u{1B}[K") }
    guard done % max(1, count / 100) == 0 else { return }
    let failures = failed > 0 ? ", \(failed) failed" : ""
    console.error.write("\r\u{1B}[K\(done) of \(count)\(failures)")
  }

  /// Writes what is said at the end, and the files of results.
  mutating func finish(orphans: [String]) throws(CommandFailure) {
    if showsProgress { console.error.write("\r\u{1B}[K") }
    try writeFiles()
    if options.annotates { write(GitHubText.annotations(cases)) }
    for orphan in orphans {
      write("no trace for \(FileName.shown(orphan)); remove it\n")
    }
    writeDurations()
    if options.updates != .nothing {
      let left = left > 0 ? ", \(left) left" : ""
      write("\(recorded) recorded, \(updated) updated, \(unchanged) unchanged\(left)\n")
    }
    if options.isQuiet && failed == 0 { return }
    var summary = "\(passed) passed, \(failed) failed"
    let rest = count - passed - failed - skipped
    if isOver && rest > 0 { summary += ", \(rest) not run" }
    if skipped > 0 { summary += ", \(skipped) unchanged since they passed (--all runs them)" }
    if unrecorded > 0 { summary += ", \(unrecorded) without a recorded log" }
    write(summary + "\n")
  }

  private func writeFiles() throws(CommandFailure) {
    let files: [(String?, () -> String)] = [
      (options.junit, { JUnitText.report(cases) }),
      (options.sarif, { SARIFText.report(cases, version: ToolVersion.text) }),
    ]
    for (path, text) in files {
      guard let path else { continue }
      try CommandFailure.wrap { () throws(FileFailure) in try WholeFile.write(text(), to: path) }
    }
  }

  private func writeDurations() {
    guard let most = options.durations else { return }
    let slowest = cases.enumerated().sorted {
      let (left, right) = ($0.element.duration, $1.element.duration)
      return left == right ? $0.offset < $1.offset : left > right
    }
    for (_, test) in slowest.prefix(most) {
      let time = Nanoseconds(test.duration / 1_000 * 1_000).approximate
      let padding = String(repeating: " ", count: max(0, 8 - time.count))
      write("\(padding)\(time)  \(FileName.shown(test.name))\n")
    }
  }

  /// A path without './' before it, as services that show files of a repository want it.
  private static func relative(_ path: String) -> String {
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
    return String(rest)
  }
}
