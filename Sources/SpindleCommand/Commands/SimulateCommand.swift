import SpindleLanguage
import SpindleModel
import SpindleReports

/// `spindle simulate`: runs traces and says what happened.
struct SimulateCommand {
  private let console: Console
  private let paths: [String]
  private let base: Overrides
  private let axes: [VariantAxis]
  private let limits: RunLimits
  private let log: String?
  private let printsJSON: Bool
  private let color: ColorChoice

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    paths = arguments.operands
    limits = try arguments.limits()
    log = arguments[.log]
    printsJSON = arguments.has(.json)
    color = try arguments.colorChoice()
    var base = try arguments.overrides()
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
    if log == "-" && printsJSON {
      throw .usage("'--json' and '--log -' both want standard output")
    }
    if log != nil && paths.count > 1 {
      throw .usage("'--log' takes the log of one trace, not of \(paths.count)")
    }
  }

  /// Runs every trace; goes on after one that can't be read or has errors.
  func run() throws(CommandFailure) -> ExitStatus {
    try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console)
      if let log, log != "-" { try roles.write(log) }
      try roles.read(paths)
    }
    var status = ExitStatus.held
    var runCount = 0
    for path in paths {
      do {
        let source = try CommandFailure.wrap { () throws(FileFailure) in
          try TraceReader(console.environment).read(path)
        }
        status = max(status, try simulate(source, &runCount))
      } catch {
        guard case .file(let failure) = error else { throw error }
        console.complain(failure)
        status = max(status, failure.status)
      }
    }
    if printsJSON && isSeries { console.output.write(runCount == 0 ? "[]\n" : "\n]\n") }
    return status
  }

  /// Whether the command line asks for more than one run.
  private var isSeries: Bool { paths.count > 1 || !axes.isEmpty }

  private func simulate(
    _ source: SourceText, _ runCount: inout Int
  ) throws(CommandFailure) -> ExitStatus {
    let compiler = TraceRun.compiler
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    var status = ExitStatus.held
    let expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: source, base, compiler)
    }
    try VariantAxis.checkCount(expanded)
    let variants = VariantAxis.variants(expanded, base: base)
    if variants.count > 1 && log != nil {
      throw .usage("'--log' takes the log of one run, not of \(variants.count)")
    }
    for variant in variants {
      let (program, diagnostics) = compiler.compile(source, overrides: variant.overrides)
      report.add(diagnostics, to: console.error)
      guard let program else { continue }
      let run = try perform(program)
      if !run.holds { status = .notHeld }
      let heading = paths.count > 1 ? [source.name] : []
      let label = variant.label.isEmpty ? [] : [variant.label]
      show(run, heading: heading + label, isFirst: runCount == 0)
      runCount += 1
    }
    return max(status, report.status)
  }

  /// Runs a program and writes its log where it is wanted.
  private func perform(_ program: Program) throws(CommandFailure) -> TraceRun {
    guard let log else {
      return TraceRun(program, limits: limits, keepsOutput: !printsJSON)
    }
    let output = console.output
    if log == "-" {
      let text = LogText(limit: nil) { output.write($0) }
      return TraceRun(program, limits: limits, consumers: [text])
    }
    return try CommandFailure.wrap { () throws(FileFailure) in
      let file = try WholeFile(log)
      let text = LogText(limit: nil) { file.write($0) }
      let run = TraceRun(
        program, limits: limits, keepsOutput: !printsJSON, consumers: [text])
      try file.commit()
      return run
    }
  }

  private func show(_ run: TraceRun, heading: [String], isFirst: Bool) {
    if printsJSON {
      let text = JSONText.run(
        program: run.program, machine: run.machine, metrics: run.metrics,
        verdicts: run.verdicts, digest: run.digest)
      let start = isSeries ? (isFirst ? "[\n" : ",\n") : ""
      console.output.write(start + text + (isSeries ? "" : "\n"))
      return
    }
    let goesToError = log == "-"
    let sink = goesToError ? console.error : console.output
    let style = TextStyle(
      width: console.environment.width,
      usesColor: console.usesColor(color, onError: goesToError))
    if !isFirst { sink.write("\n") }
    if !heading.isEmpty { sink.write("== \(heading.joined(separator: ", ")) ==\n") }
    sink.write(
      Summary.text(
        program: run.program, machine: run.machine, metrics: run.metrics,
        verdicts: run.verdicts, digest: run.digest, output: run.output, style: style))
  }
}
