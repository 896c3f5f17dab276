import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `spindle reduce`: makes a trace small that still fails for the same reason.
struct ReduceCommand {
  private let console: Console
  private let path: String
  private let keep: String?
  private let output: String?
  private let limits: RunLimits
  /// The first seed that is tried; nil for the trace's own.
  private let seed: UInt64?
  /// With how many seeds it is tried.
  private let seedCount: Int
  /// The schedule that is given in place of the trace's own.
  private let schedule: Schedule?

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    path = arguments.operands[0]
    keep = arguments[.keep]
    output = arguments[.output]
    limits = try arguments.limits()
    seed = try arguments.number(.seed, in: 0...Int64.max).map { UInt64($0) }
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) } ?? 1
    schedule = try arguments.schedule()
  }

  /// Reduces the trace and writes what is left.
  func run() throws(CommandFailure) -> ExitStatus {
    let whole = try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console)
      if let output { try roles.write(output) }
      try roles.read(path)
      return try TraceReader(console.environment).read(path)
    }
    var report = DiagnosticReport(color: console.usesColor(.auto, onError: true))
    let (program, diagnostics) = KeptFailure.compiled(whole, schedule)
    report.add(diagnostics.filter { $0.severity == .error }, to: console.error)
    guard let program else { return report.status }
    guard let (source, run, goal) = try failure(of: program) else {
      console.complain(nothing(program))
      return .notHeld
    }
    let faults = run.record.scheduleFaults
    if !faults.isEmpty {
      return UnkeptSchedule.report(faults, of: program.source, console, color: .auto)
    }
    // What is left needs no more than a little longer than all of it did.
    var limits = limits
    limits.steps = min(limits.steps, 4 * run.metrics.steps + 10_000)
    let kept = KeptFailure(
      goal: goal, troubles: KeptFailure.troubles(run), end: run.metrics.outcome.kind,
      limits: limits, succeeds: succeeds)
    let (small, tries) = try CommandFailure.wrap { () throws(FileFailure) in
      try kept.reduced(source, needed(program, goal, limits))
    }
    let text = regressionTest(small, goal, limits)
    try CommandFailure.wrap { () throws(FileFailure) in
      if let output { try WholeFile.write(text, to: output) } else { console.output.write(text) }
    }
    console.error.write(
      "\(lines(source)) to \(lines(small)) lines in \(tries) tries: \(goal.name)\n")
    return .held
  }

  /// The schedule that has to be kept beside the trace while it is made smaller: none where the trace fails without it.
  ///
  /// A command is given the trace as it is, with its own schedule.
  private func needed(_ program: Program, _ goal: ReductionGoal, _ limits: RunLimits) -> Schedule? {
    if case .command = goal { return schedule }
    guard let scheduled = program.schedule, !scheduled.schedule.isEmpty else { return nil }
    var normal = program
    normal.schedule = nil
    let isShown = goal.isShown(by: TraceRun(normal, .judged(limits: limits)))
    return isShown ? Schedule() : scheduled.schedule
  }

  /// The trace with the first seed with which it shows what is to be kept, its run, and what that is.
  ///
  /// Nil where it shows nothing. Where nothing is asked for, a seed with a warning comes behind those with more than
  /// that. The seed is set in the trace, so that what is left needs no option, and becomes less as any number.
  private func failure(
    of program: Program
  ) throws(CommandFailure) -> (source: SourceText, run: TraceRun, goal: ReductionGoal)? {
    var program = program
    let own = program.seed
    var warning: (source: SourceText, run: TraceRun, goal: ReductionGoal)?
    let first = seed ?? own
    for index in 0..<UInt64(seedCount) {
      guard let seed = Int64(exactly: first &+ index) else { break }
      program.seed = UInt64(seed)
      let run = TraceRun(program, .judged(limits: limits))
      guard let goal = try goal(run) else { continue }
      let source = program.seed == own ? program.source : program.source.with(seed: seed)
      guard try isShown(goal, run, source) else { continue }
      if keep != nil || !goal.isWarning { return (source, run, goal) }
      warning = warning ?? (source, run, goal)
    }
    return warning
  }

  private func nothing(_ program: Program) -> String {
    let first = seed ?? program.seed
    let seeds =
      seedCount > 1
      ? " with the seeds from \(first) to \(first &+ UInt64(seedCount) &- 1)"
      : seed == nil ? "" : " with seed \(first)"
    guard let keep else {
      return "nothing goes wrong in '\(path)'\(seeds); '--keep' says what to look for"
    }
    return "'\(path)' does not show '\(keep)'\(seeds)"
  }

  private func lines(_ source: SourceText) -> Int {
    source.utf8.split(separator: 0x0A).count { line in line.contains { $0 > 0x20 } }
  }

  /// What is to be kept: as asked, or what goes wrong first; nil when nothing does.
  private func goal(_ run: TraceRun) throws(CommandFailure) -> ReductionGoal? {
    guard let keep else { return ReductionGoal.first(in: run) }
    let words = keep.split(separator: " ")
    let stated = run.verdicts.filter { !$0.isImplied }
    if let verdict = stated.first(where: { $0.text == words.joined(separator: " ") }) {
      return ReductionGoal(verdict, of: run.program.source)
    }
    guard words.count == 2 else {
      return words == ["outcome"] ? ReductionGoal.first(in: run) : try command(keep, stated.count)
    }
    switch words[0] {
    case "finding":
      guard let kind = Finding.Kind(rawValue: String(words[1])) else {
        let known = Finding.Kind.allCases.map(\.rawValue)
        throw .usage(
          UsageText.findingUnknown(words[1], near: Spelling.proposal(String(words[1]), in: known)))
      }
      return ReductionGoal.finding(kind, in: run)
    case "outcome":
      let known = Outcome.Kind.allCases
      guard let kind = known.first(where: { $0.name == words[1] }) else {
        throw .usage(
          UsageText.outcomeUnknown(
            words[1], near: Spelling.proposal(String(words[1]), in: known.map(\.name))))
      }
      return ReductionGoal(kind, run)
    case "expectation":
      guard let number = Int(words[1]), stated.indices.contains(number - 1) else {
        throw .usage(UsageText.expectationUnknown(words[1], of: stated.count, in: path))
      }
      return ReductionGoal(stated[number - 1], of: run.program.source)
    default: return try command(keep, stated.count)
    }
  }

  /// A command of the shell, whose first word has to be one: what was meant for something else is not run.
  private func command(_ text: String, _ expectations: Int) throws(CommandFailure) -> ReductionGoal
  {
    let word = text.prefix { !$0.isWhitespace && !"<>|;&()".contains($0) }
    let quoted = word.replacing("'", with: "'\\''")
    let isKnown = system("command -v '\(quoted)' >/dev/null 2>&1 </dev/null") == 0
    if !word.isEmpty && isKnown { return .command(text) }
    throw .usage(UsageText.keptUnknown(text, of: expectations, path))
  }

  private func isShown(
    _ goal: ReductionGoal, _ run: TraceRun, _ source: SourceText
  ) throws(CommandFailure) -> Bool {
    guard case .command(let command) = goal else { return goal.isShown(by: run) }
    return try CommandFailure.wrap { () throws(FileFailure) in
      try succeeds(command, KeptFailure.text(source, schedule))
    }
  }

  /// Whether a command ends with 0 when it is given the trace in a file of its own.
  private func succeeds(_ command: String, _ source: SourceText) throws(FileFailure) -> Bool {
    let folder = console.environment.temporaryFolder
    var name = Array("\(folder)/spindle-reduce-XXXXXX.trace".utf8CString)
    let descriptor = mkstemps(&name, 6)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    defer { unlink(path) }
    defer { close(descriptor) }
    try Files.write(source.utf8[...], to: descriptor, path: path)
    let quoted = path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    let status = system("\(command) '\(quoted)' >/dev/null 2>&1 </dev/null")
    if status & 0x7F == SIGINT || status & 0x7F == SIGTERM {
      throw FileFailure(purpose: .input, message: "'\(command)' was interrupted")
    }
    return status == 0
  }

  /// The trace with what it shows, so that it can be tested for that.
  private func regressionTest(
    _ small: SourceText, _ goal: ReductionGoal, _ limits: RunLimits
  ) -> String {
    let text = String(decoding: small.utf8, as: UTF8.self)
    let heading = "// Reduced from \(FileName.shown(path)): \(goal.name).\n"
    switch goal {
    case .expectation, .command: return heading + text
    case .finding, .outcome: break
    }
    guard let program = Compiler.standard.compile(small).program else { return heading + text }
    let run = TraceRun(program, .judged(limits: limits))
    guard run.verdicts.allSatisfy(\.isImplied) else { return heading + text }
    let metrics = run.metrics
    var kinds: [String] = []
    for finding in metrics.findings where !kinds.contains(".\(finding.kind.rawValue)") {
      kinds.append(".\(finding.kind.rawValue)")
    }
    return heading + text + """
      expect {
          outcome == .\(metrics.outcome.kind.name)
          findings == [\(kinds.joined(separator: ", "))]
      }

      """
  }
}
