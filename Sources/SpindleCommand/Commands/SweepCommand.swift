import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle sweep`: runs a trace for every cell of a grid, or for a part of the cells.
struct SweepCommand {
  private let console: Console
  private let path: String
  private let base: Overrides
  private let lists: [Overrides.Assignment]
  private let seedCount: Int
  private let format: ComparisonReport.Format
  private let shard: SweepShard?
  private let outputPath: String?
  private let color: ColorChoice
  private let limits: RunLimits
  private let observing: ObservedPart?
  private let jobs: Int

  /// The most cells that a grid may have.
  static let mostCells = 10_000_000
  /// The most parts that a grid may be cut into.
  static let mostShards = 100_000

  /// Creates the command; throws when an option can't be understood.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    path = arguments.operands[0]
    var base = try arguments.gridOverrides()
    base.measures =
      arguments.has(.measure)
      ? arguments.measures([.measure])
      : [Overrides.Assignment(name: OptionDescription.Name.measure.rawValue, value: "makespan")]
    self.base = base
    lists = try arguments.assignments(.over)
    if lists.isEmpty { throw .usage(UsageText.listNeeded("sweep", "NAME=LIST")) }
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) } ?? 1
    format = try arguments.format(standard: .table, json: .json)
    shard = try SweepCommand.shard(arguments)
    outputPath = arguments[.output]
    color = try arguments.colorChoice()
    limits = try arguments.limits()
    observing = try arguments.observedPart()
    jobs = try arguments.jobs(console.environment)
    for option in [OptionDescription.Name.format, .json] where shard != nil && arguments.has(option)
    {
      throw .usage(UsageText.partsHaveAForm(option.rawValue))
    }
  }

  /// Runs the cells, and writes each as soon as those before it are written.
  func run() throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console, costs: base.costs)
      if let outputPath, outputPath != "-" { try roles.write(outputPath) }
      try roles.read(path)
      return try TraceReader(console.environment).read(path)
    }
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true),
      optionNames: base.parameters.isEmpty ? ["--set": "--over"] : [:])
    guard let program = program(source, base, &report) else { return report.status }
    let axes = try axes(program)
    let grid = SweepGrid(
      source: source, base: base, axes: axes, seedCount: seedCount, limits: limits,
      observing: observing)
    let header = header(program, axes, source)
    guard header.cellCount <= SweepCommand.mostCells else {
      let counts = axes.map { "\($0.values.count)" }.joined(separator: " x ")
      throw .usage(UsageText.gridOver(counts, most: SweepCommand.mostCells))
    }
    for variant in grid.probes where self.program(source, variant.overrides, &report) == nil {
      return report.status
    }
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    let writer: any SweepWriter =
      shard.map { SweepPartWriter(header, $0) } ?? SweepForm.writer(format, header, style)
    return try write(grid, of: header.cellCount, by: writer, &report)
  }

  private func write(
    _ grid: SweepGrid, of cellCount: Int, by writer: any SweepWriter,
    _ report: inout DiagnosticReport
  ) throws(CommandFailure) -> ExitStatus {
    let part = shard ?? SweepShard(number: 1, of: 1)
    let output = try CommandFailure.wrap { () throws(FileFailure) in
      try ResultOutput(outputPath, console)
    }
    let count = part.cellCount(of: cellCount)
    var progress = Progress(
      "sweep", of: count, console, isAlone: outputPath != nil || writer is SweepHeatMap)
    output.write(writer.begin())
    let isWhole = ParallelRuns.stream(count, threads: jobs) { place in
      grid.run(part.cell(place))
    } deliver: { _, result in
      report.add(result.diagnostics, to: console.error)
      guard let cell = result.cell else { return false }
      output.write(writer.add(cell))
      progress.step()
      return true
    }
    progress.end()
    guard isWhole else { return report.status }
    output.write(writer.end())
    try CommandFailure.wrap { () throws(FileFailure) in try output.commit() }
    return .held
  }

  private func program(
    _ source: SourceText, _ overrides: Overrides, _ report: inout DiagnosticReport
  ) -> Program? {
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    report.add(diagnostics, to: console.error)
    return program
  }

  /// What varies: parameters, parts of the machine by their names, and values at the top.
  private func axes(_ program: Program) throws(CommandFailure) -> [VariantAxis] {
    var axes: [VariantAxis] = []
    for list in lists {
      if base.parameters.contains(where: { $0.name == list.name }) {
        throw .usage(UsageText.givenByBoth("--over", list.name))
      }
      let subject = VariantAxis.Subject(list.name, of: program)
      let axis = try VariantAxis(subject, list: list.value, option: "--over")
      axes.append(try axis.expanded(by: program.parameters))
    }
    return axes
  }

  private func header(
    _ program: Program, _ axes: [VariantAxis], _ source: SourceText
  ) -> SweepHeader {
    SweepHeader(
      version: ToolVersion.text,
      trace: "\(program.title) (\(SweepHeader.digest(of: source.utf8)))",
      options: SweepForm.options(base, limits, observing),
      axes: axes.map(\.headerAxis),
      columns: program.measures.map { ComparedColumn($0) }, seedCount: seedCount)
  }

  /// The part that `K/N` asks for.
  static func shard(_ arguments: ParsedArguments) throws(CommandFailure) -> SweepShard? {
    guard let text = arguments[.shard] else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      (1...mostShards).contains(count), (1...count).contains(number)
    else {
      throw .usage(UsageText.shardForm(text, most: mostShards))
    }
    return SweepShard(number: number, of: count)
  }
}

/// The forms of a sweep.
enum SweepForm {
  /// What writes a sweep in a form: of two axes the table is a map where there is room for one.
  static func writer(
    _ format: ComparisonReport.Format, _ header: SweepHeader, _ style: TextStyle
  ) -> any SweepWriter {
    switch format {
    case .table: SweepHeatMap(header, style: style) ?? SweepTable(header, style: style)
    case .csv: SweepCSV(header)
    case .markdown: SweepMarkdown(header)
    case .json: SweepJSON(header)
    }
  }

  /// The options that hold for all cells, in one spelling.
  static func options(
    _ base: Overrides, _ limits: RunLimits, _ observing: ObservedPart?
  ) -> String {
    let single = [
      ("policy", base.policy), ("cores", base.cores), ("platform", base.platform),
      ("costs", base.costs), ("seed", base.seed), ("until", base.until),
    ]
    var words = single.compactMap { name, value in value.map { "--\(name) \($0)" } }
    words += base.parameters.map { "--set \($0.name)=\($0.value)" }
    words += base.replacements.map { "--replace \($0.name)=\($0.value)" }
    if limits.steps != RunLimits().steps { words.append("--steps \(limits.steps)") }
    switch observing?.warmUp {
    case .until(let moment): words.append("--warm-up \(moment)")
    case .found: words.append("--warm-up auto")
    case nil: break
    }
    return words.joined(separator: " ")
  }
}

extension ParsedArguments {
  /// What is the same in all runs of a grid or search.
  func gridOverrides() throws(CommandFailure) -> Overrides {
    var base = try overrides()
    base.cores = try single(.cores)
    if let cores = base.cores { try ParsedArguments.checkCores(cores) }
    for assignment in try assignments(.set) {
      try ParsedArguments.checkSingle(
        assignment.value, shown: "\(assignment.name)=\(assignment.value)", .set)
      base.parameters.append(assignment)
    }
    base.replacements = try assignments(.replace)
    return base
  }
}
