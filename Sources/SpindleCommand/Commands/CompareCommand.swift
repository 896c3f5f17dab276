import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle compare`: runs variants of traces and puts them side by side.
struct CompareCommand {
  let console: Console
  let base: Overrides
  let axes: [VariantAxis]
  let seedCount: Int?
  let precision: PrecisionTarget?
  let format: ComparisonReport.Format
  let color: ColorChoice
  let limits: RunLimits
  let observing: ObservedPart?
  let jobs: Int
  let checksExpectations: Bool
  let html: HTMLOutput?
  /// Whether only the table and the problems are printed.
  let isQuiet: Bool
  private let paths: [String]
  private let crossover: CrossoverRange?
  private let costs: String?

  /// The most runs that one command makes.
  static let mostRuns = 1_000_000

  /// Creates the command; throws when a list can't be read.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    (paths, costs) = (arguments.operands, arguments[.costs])
    var base = try arguments.overrides(listsMachines: true)
    base.measures = arguments.measures([.measure, .sort, .pareto])
    // The schedule is an axis: what it changes is compared with the normal run.
    base.schedule = nil
    self.base = base
    limits = try arguments.limits()
    observing = try arguments.observedPart()
    jobs = try arguments.jobs(console.environment)
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) }
    precision = try PrecisionTarget(arguments)
    checksExpectations = arguments.has(.expect)
    isQuiet = arguments.has(.quiet)
    format = try arguments.format(standard: .table, json: .json)
    color = try arguments.colorChoice()
    axes = try CompareCommand.axes(arguments)
    html = try HTMLOutput(arguments)
    crossover = arguments.has(.crossover) ? try CrossoverRange(arguments) : nil
    try TraceReader.checkStandardInput(paths)
    if let twice = paths.indices.first(where: { paths[..<$0].contains(paths[$0]) }) {
      throw .usage(UsageText.traceTwice(paths[twice]))
    }
    try checkCrossover(arguments)
  }

  private func checkCrossover(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let name = crossover?.name else { return }
    if axes.contains(where: { $0.subject == .parameter(name) }) {
      throw .usage(UsageText.givenByBoth("--crossover", name))
    }
    for option in [OptionDescription.Name.sort, .pareto, .untilPrecision, .html]
    where arguments.has(option) {
      throw .usage(UsageText.tableOfCrossover(option.rawValue))
    }
    if format == .csv || format == .markdown {
      throw .usage(UsageText.sentencesOrJSON("--crossover", not: format.rawValue))
    }
  }

  /// Compiles every variant, runs each with every seed, and prints the table, or the crossovers.
  func run() throws(CommandFailure) -> ExitStatus {
    var sources: [SourceText] = []
    var roles = FileRoles(console, costs: costs)
    if let html, html.path != "-" {
      try CommandFailure.wrap { () throws(FileFailure) in try roles.write(html.path) }
    }
    for path in paths {
      sources.append(
        try CommandFailure.wrap { () throws(FileFailure) in
          try roles.read(path)
          return try TraceReader(console.environment).read(path)
        })
    }
    if let crossover { return try findCrossovers(crossover, in: sources) }
    let axes = try expandedAxes(in: sources)
    let variants = VariantAxis.variants(axes, base: base)
    let seeds = precision?.counts(upTo: seedCount).last ?? seedCount ?? 1
    if variants.count * seeds > CompareCommand.mostRuns {
      throw .usage(UsageText.tooManyRuns(variants: variants.count, seeds: seeds))
    }
    var report = newReport()
    guard let results = results(of: variants, in: sources, &report) else { return report.status }
    return try show(variants, results, axes, in: sources)
  }

  /// The axes with the values that the traces list where all of them are asked for, and with that of
  /// the traces where there are several; refuses too many.
  func expandedAxes(in sources: [SourceText]) throws(CommandFailure) -> [VariantAxis] {
    let compiler = Compiler.standard
    var expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: sources[0], base, compiler)
    }
    if paths.count > 1 { expanded.insert(VariantAxis(files: paths), at: 0) }
    try VariantAxis.checkCount(expanded)
    return expanded
  }

  /// A report on what is wrong with variants.
  func newReport() -> DiagnosticReport {
    DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--policy": "--policies"])
  }

  static func axes(_ arguments: ParsedArguments) throws(CommandFailure) -> [VariantAxis] {
    var axes: [VariantAxis] = []
    if let list = arguments[.policies] {
      axes.append(try VariantAxis(.policy, list: list, option: "--policies"))
    }
    for assignment in try arguments.assignments(.replace) {
      let subject = VariantAxis.Subject.replacement(assignment.name)
      axes.append(try VariantAxis(subject, list: assignment.value, option: "--replace"))
    }
    for assignment in try arguments.assignments(.set) {
      let subject = VariantAxis.Subject.parameter(assignment.name)
      axes.append(try VariantAxis(subject, list: assignment.value, option: "--set"))
    }
    let machines: [(VariantAxis.Subject, OptionDescription.Name)] = [
      (.cores, .cores), (.platform, .platform), (.costs, .costs),
    ]
    for (subject, option) in machines {
      guard let list = arguments[option] else { continue }
      axes.append(try VariantAxis(subject, list: list, option: option.rawValue))
    }
    if let schedule = try arguments.schedule() { axes.append(VariantAxis(schedule)) }
    return axes
  }
}
