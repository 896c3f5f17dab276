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
  private let outputPath: String?
  /// What a part of the search is of, for the others to be the same.
  private let identity: [String]

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
    outputPath = arguments[.output]
    identity = arguments.text(without: [.shard, .output, .jobs, .color])
    for option in [OptionDescription.Name.json, .save, .keep, .failFast, .require]
    where bounds.parts > 1 && arguments.has(option) {
      throw .usage(UsageText.partsHaveAForm(option.rawValue))
    }
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
    if let shard = try SweepCommand.shard(arguments) {
      (bounds.part, bounds.parts) = (shard.number, shard.count)
      // What is wanted of all parts, and the normal run in each.
      bounds.runs = (bounds.runs + shard.count - 2) / shard.count + 1
    }
    return bounds
  }

  /// Searches, and writes what was found.
  func run() throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console, costs: base.costs)
      if let keepsIn { try roles.write(keepsIn) }
      if let outputPath, outputPath != "-" { try roles.write(outputPath) }
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
    if bounds.parts > 1 {
      let part = ExplorationPart(
        exploration, version: ToolVersion.text, trace: trace(program, source), arguments: identity)
      try put(part.text)
      return report.status
    }
    return max(report.status, try tell(exploration, program, source))
  }

  /// Joins parts of one search, and writes what all of them have found.
  func join(_ parts: [ExplorationPart]) throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      try TraceReader(console.environment).read(path)
    }
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: base)
    report.add(diagnostics, to: console.error)
    guard let program else { return report.status }
    guard parts[0].trace == trace(program, source) else {
      throw .usage(UsageText.traceOfPartsChanged(path))
    }
    let exploration = Exploration(
      joining: parts, TrialRunner(program, limits: limits), strategy, bounds)
    return max(report.status, try tell(exploration, program, source))
  }

  /// What tells the trace of a part from others.
  private func trace(_ program: Program, _ source: SourceText) -> String {
    "\(program.title) (\(SweepHeader.digest(of: source.utf8)))"
  }

  /// Writes what was found; whether it is good.
  private func tell(
    _ exploration: Exploration, _ program: Program, _ source: SourceText
  ) throws(CommandFailure) -> ExitStatus {
    let text = ExplorationText(
      program, exploration, path: path,
      style: TextStyle(width: console.environment.width, usesColor: console.usesColor(color)))
    try put(
      printsJSON
        ? ExplorationJSON(program, exploration, text).text + "\n"
        : text.lines.map { "\($0)\n" }.joined())
    try write(exploration, source)
    let isCovered = exploration.isComplete || !requiresAll
    let isGood = exploration.failures.isEmpty && exploration.unwritten == 0
    return isGood && isCovered ? .held : .notHeld
  }

  /// Writes a text to where results go.
  private func put(_ text: String) throws(CommandFailure) {
    try CommandFailure.wrap { () throws(FileFailure) in
      let output = try ResultOutput(outputPath, console)
      output.write(text)
      try output.commit()
    }
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
