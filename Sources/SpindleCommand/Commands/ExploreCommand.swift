import SpindleExplore
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle explore`: runs a trace under other schedules, and says which fail.
struct ExploreCommand {
  private let console: Console
  private let path: String
  private let base: Overrides
  private let strategy: ExploreStrategy
  private let bounds: ExploreBounds
  private let savesTo: String?
  private let keepsIn: String?
  private let requiresAll: Bool
  private let printsJSON: Bool
  private let color: ColorChoice
  private let limits: RunLimits
  private let jobs: Int

  /// Creates the command; throws when an option can't be understood.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    path = arguments.operands[0]
    var base = try arguments.gridOverrides()
    base.schedule = Schedule()
    self.base = base
    let name = arguments[.strategy] ?? "standard"
    guard let strategy = ExploreStrategy(name) else {
      throw .usage(
        UsageText.strategyUnknown(name, near: Spelling.proposal(name, in: ExploreStrategy.names)))
    }
    self.strategy = strategy
    bounds = try ExploreCommand.bounds(arguments)
    savesTo = arguments[.save]
    keepsIn = arguments[.keep]
    if let word = arguments[.require], word != "complete" {
      throw .usage(UsageText.requireForm(word))
    }
    requiresAll = arguments.has(.require)
    printsJSON = arguments.has(.json)
    color = try arguments.colorChoice()
    limits = try arguments.limits()
    jobs = try arguments.jobs(console.environment)
  }

  /// The bounds that the options give.
  private static func bounds(_ arguments: ParsedArguments) throws(CommandFailure) -> ExploreBounds {
    var bounds = ExploreBounds()
    if let runs = try arguments.number(.runs, in: 1...100_000_000) { bounds.runs = Int(runs) }
    if let lines = try arguments.number(.reversals, in: 1...1_000) { bounds.lines = Int(lines) }
    if let text = arguments[.late] {
      guard let moment = MomentText.value(text), moment > .start else {
        throw .usage(UsageText.lateForm(text))
      }
      bounds.late = Nanoseconds(moment.nanoseconds)
    }
    if let seed = try arguments.number(.seed, in: 0...Int64.max) { bounds.seed = UInt64(seed) }
    bounds.stopsAtFailure = arguments.has(.failFast)
    return bounds
  }

  /// Searches, and writes what was found.
  func run() throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console, costs: base.costs)
      if let keepsIn { try roles.write(keepsIn) }
      try roles.read(path)
      return try TraceReader(console.environment).read(path)
    }
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: base)
    report.add(diagnostics, to: console.error)
    guard let program else { return report.status }
    let runner = TrialRunner(program, limits: limits)
    var progress = Progress("explore", of: bounds.runs, console, isAlone: true)
    var explorer = Explorer(runner, strategy, bounds) { [jobs] count, job in
      ParallelRuns.mapParts(count, threads: jobs, job: job)
    }
    let exploration = explorer.explore { _ in progress.step() }
    progress.end()
    let text = ExplorationText(
      program, exploration, path: path,
      style: TextStyle(width: console.environment.width, usesColor: console.usesColor(color)))
    if printsJSON {
      console.output.write(ExplorationJSON(program, exploration, text).text + "\n")
    } else {
      console.output.write(text.lines.map { "\($0)\n" }.joined())
    }
    try write(exploration, source)
    let isCovered = exploration.isComplete || !requiresAll
    let isGood = exploration.failures.isEmpty && exploration.unwritten == 0
    return max(report.status, isGood && isCovered ? .held : .notHeld)
  }

  /// Writes schedules and a test where they are wanted.
  private func write(_ exploration: Exploration, _ source: SourceText) throws(CommandFailure) {
    let scheduled = exploration.failures.filter { !$0.trial.schedule.isEmpty }
    for (index, failure) in scheduled.enumerated() {
      guard let savesTo else { break }
      let head = "// A schedule under which \(FileName.shown(path)) fails.\n"
      try CommandFailure.wrap { () throws(FileFailure) in
        try WholeFile.write(
          head + failure.trial.schedule.text, to: "\(savesTo)-\(index + 1).schedule")
      }
    }
    guard let keepsIn, let first = scheduled.first else { return }
    let text = ScheduledTrace.text(of: source, with: first.trial.schedule)
    try CommandFailure.wrap { () throws(FileFailure) in try WholeFile.write(text, to: keepsIn) }
  }
}
