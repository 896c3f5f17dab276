import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle simulate`: runs traces and says what happened.
struct SimulateCommand {
  let console: Console
  let paths: [String]
  let log: String?
  let exports: [ExportRequest]
  let html: HTMLOutput?
  let format: ComparisonReport.Format
  let table: RunTableSubject?
  let color: ColorChoice
  /// Whether only problems and requested results are printed.
  let isQuiet: Bool
  /// With how many seeds each trace is run; nil for its own alone.
  let seedCount: Int?
  /// Whether only the place of an unmet expectation is reported.
  private let hidesExpected: Bool
  let limits: RunLimits
  let jobs: Int
  let observing: ObservedPart?
  private let base: Overrides
  private let axes: [VariantAxis]

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    paths = arguments.operands
    limits = try arguments.limits()
    jobs = try arguments.jobs(console.environment)
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) }
    observing = try arguments.observedPart(hasBatches: seedCount == nil)
    log = arguments[.log]
    format = try arguments.format(standard: .table, json: .json)
    table = try SimulateCommand.table(arguments)
    exports = try arguments.all(.export).map { (text) throws(CommandFailure) in
      try ExportRequest(text)
    }
    html = try HTMLOutput(arguments)
    color = try arguments.colorChoice()
    isQuiet = arguments.has(.quiet)
    hidesExpected = arguments.has(.hideExpected)
    if hidesExpected && seedCount != nil {
      throw .usage(UsageText.oneRunOfSeeds(OptionDescription.Name.hideExpected.rawValue))
    }
    var base = try arguments.overrides()
    base.measures = arguments.measures([.measure])
    base.cores = try arguments.single(.cores, listedBy: .cores)
    if let cores = base.cores { try ParsedArguments.checkCores(cores) }
    var axes: [VariantAxis] = []
    for assignment in try arguments.assignments(.set) {
      if assignment.value == "all" {
        let subject = VariantAxis.Subject.parameter(assignment.name)
        axes.append(try VariantAxis(subject, list: "all", option: "--set"))
      } else {
        try ParsedArguments.checkSingle(
          assignment.value, shown: "\(assignment.name)=\(assignment.value)", .set, listedBy: .set)
        base.parameters.append(assignment)
      }
    }
    (self.base, self.axes) = (base, axes)
    try TraceReader.checkStandardInput(paths)
    let results =
      table != nil
      ? "'--table'"
      : format == .table ? nil : arguments.has(.json) ? "'--json'" : "'--format \(format.rawValue)'"
    let wanting =
      [results, log == "-" ? "'--log -'" : nil].compactMap { $0 }
      + exports.filter { $0.path == "-" }.map { "'--export \($0.format.rawValue)=-'" }
      + (html?.path == "-" ? ["'--html -'"] : [])
    if wanting.count > 1 {
      throw .usage(UsageText.outputTwice(wanting[0], wanting[1]))
    }
    if (format == .csv || format == .markdown) && table == nil && base.measures.isEmpty {
      throw .usage(UsageText.formatNeedsTable(format.rawValue))
    }
    if paths.count > 1, let option = fileOption {
      throw .usage(UsageText.oneTrace(option, not: paths.count))
    }
    if seedCount != nil, let option = fileOption ?? (table == nil ? nil : "--table") {
      throw .usage(UsageText.oneRunOfSeeds(option))
    }
  }

  /// Whether '--measure' was given.
  var asksForMeasures: Bool { !base.measures.isEmpty }

  /// Runs every trace; goes on after one that can't be read or has errors.
  func run() throws(CommandFailure) -> ExitStatus {
    try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console, costs: base.costs)
      for path in [log, html?.path].compactMap({ $0 }) + exports.map(\.path) where path != "-" {
        try roles.write(path)
      }
      try roles.read(paths)
    }
    var status = ExitStatus.held
    let output = SimulateOutput(self, isSeries: isSeries, isOneTrace: paths.count == 1)
    for path in paths {
      do {
        let source = try CommandFailure.wrap { () throws(FileFailure) in
          try TraceReader(console.environment).read(path)
        }
        status = max(status, try simulate(source, output))
      } catch {
        guard case .file(let failure) = error else { throw error }
        console.complain(failure)
        status = max(status, failure.status)
      }
    }
    output.finish()
    return status
  }

  /// An option that is given and takes one run only.
  private var fileOption: String? {
    log != nil ? "--log" : html != nil ? "--html" : exports.isEmpty ? nil : "--export"
  }

  /// Whether standard output is for a file's bytes, so that the summary goes to standard error.
  var givesOutputAway: Bool {
    log == "-" || html?.path == "-" || exports.contains { $0.path == "-" }
  }

  /// Whether the command line asks for more than one run.
  private var isSeries: Bool { paths.count > 1 || !axes.isEmpty }

  private func simulate(
    _ source: SourceText, _ output: SimulateOutput
  ) throws(CommandFailure) -> ExitStatus {
    let compiler = Compiler.standard
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    var status = ExitStatus.held
    let expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: source, base, compiler)
    }
    try VariantAxis.checkCount(expanded)
    let variants = VariantAxis.variants(expanded, base: base)
    if variants.count > 1, let option = fileOption {
      throw .usage(UsageText.oneRun(option, not: variants.count))
    }
    for variant in variants {
      let (program, diagnostics) = compiler.compile(source, overrides: variant.overrides)
      report.add(diagnostics, to: console.error)
      guard let program else { continue }
      let heading =
        (paths.count > 1 ? [source.name] : []) + (variant.label.isEmpty ? [] : [variant.label])
      let isLimited = variant.overrides.until != nil
      if let seedCount {
        let runs = SeededRuns(
          program, seedCount, limits: limits, observing: observing, isLimited: isLimited,
          jobs: jobs)
        if !runs.failures.isEmpty { status = .notHeld }
        output.show(runs, heading: heading)
        continue
      }
      let rows = table?.table
      var run = try perform(program, rows)
      if isLimited && run.cut == nil && run.reachedHorizon { run.cut = .until }
      if run.cut == .interrupt {
        run.forgetVerdicts()
        status = max(status, .interrupted)
        let moment = run.metrics.end
        console.warn(
          "cut off by ^C at \(moment): expectations were not evaluated; "
            + "'--until \(moment)' cuts off at the same time")
      }
      if format == .table || format == .json || html != nil { run.findUses() }
      if hidesExpected { run.hideExpected() }
      if !run.holds {
        status = .notHeld
        if !hidesExpected, format == .table || html != nil {
          run.findCauses(style: output.summaryStyle)
        }
      }
      output.show(run, rows, heading: heading)
      if let html {
        let shown = try html.shown(run, label: program.title)
        try html.write(html.report([shown]), console)
      }
    }
    return max(status, report.status)
  }

  /// Runs a program and writes its log and its exports where they are wanted.
  private func perform(
    _ program: Program, _ rows: (any RunTable)?
  ) throws(CommandFailure) -> TraceRun {
    let files = try RunFiles(log: log, exports: exports, console)
    let watch = RunWatch.make(console)
    if watch != nil { Interruption.watch() }
    let showsOutput = format == .json || format == .table && rows == nil && log != "-"
    var request = RunRequest(limits: limits)
    (request.keepsOutput, request.observing) = (showsOutput, observing)
    var run = TraceRun(
      program, request,
      consumers: (rows.map { [$0] } ?? []) + files.consumers + (watch.map { [$0] } ?? []))
    if let watch {
      Interruption.endWatch()
      if watch.stopsRun { run.cut = .interrupt }
    }
    try files.commit()
    return run
  }

  private static func table(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> RunTableSubject? {
    guard let text = arguments[.table] else { return nil }
    guard let subject = RunTableSubject(rawValue: text) else {
      let known = RunTableSubject.allCases.map(\.rawValue)
      throw .usage(
        UsageText.tableUnknown(
          text, of: "\(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")",
          near: Spelling.proposal(text, in: known)))
    }
    return subject
  }
}
