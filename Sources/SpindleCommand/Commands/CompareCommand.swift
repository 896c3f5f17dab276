import SpindleLanguage
import SpindleModel
import SpindleReports

/// `spindle compare`: runs variants of one trace and puts them side by side.
struct CompareCommand {
  let console: Console
  let base: Overrides
  let axes: [VariantAxis]
  let seedCount: Int?
  let printsJSON: Bool
  let color: ColorChoice
  private let path: String
  private let crossover: CrossoverRange?
  private let limits: RunLimits
  private let jobs: Int
  private let checksExpectations: Bool

  /// The most runs that one command makes.
  static let mostRuns = 1_000_000

  /// Creates the command; throws when a list can't be read.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    path = arguments.operands[0]
    base = try arguments.overrides(listsMachines: true)
    limits = try arguments.limits()
    jobs = try arguments.jobs(console.environment)
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) }
    checksExpectations = arguments.has(.expect)
    printsJSON = arguments.has(.json)
    color = try arguments.colorChoice()
    axes = try CompareCommand.axes(arguments)
    crossover = arguments.has(.crossover) ? try CrossoverRange(arguments) : nil
    if let name = crossover?.name, axes.contains(where: { $0.subject == .parameter(name) }) {
      throw .usage("'--set' and '--crossover' both give '\(name)'")
    }
  }

  /// Compiles every variant, runs each with every seed, and prints the table, or the crossovers.
  func run() throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(path)
      return try TraceReader(console.environment).read(path)
    }
    if let crossover { return try findCrossovers(crossover, in: source) }
    let axes = try expandedAxes(in: source)
    let variants = VariantAxis.variants(axes, base: base)
    if variants.count * (seedCount ?? 1) > CompareCommand.mostRuns {
      throw .usage("\(variants.count) variants of \(seedCount ?? 1) seeds are too many runs")
    }
    var report = newReport()
    guard let results = results(of: variants, in: source, &report) else { return report.status }
    return show(variants, results)
  }

  /// The axes with the values that the trace lists where all of them are asked for; refuses too many.
  func expandedAxes(in source: SourceText) throws(CommandFailure) -> [VariantAxis] {
    let compiler = TraceRun.compiler
    let expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: source, base, compiler)
    }
    try VariantAxis.checkCount(expanded)
    return expanded
  }

  /// A report on what is wrong with variants.
  func newReport() -> DiagnosticReport {
    DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--policy": "--policies"])
  }

  /// What one run leaves behind: little, since there can be very many.
  struct Result: Sendable {
    let metrics: RunMetrics
    let failures: [Verdict]
    let seed: UInt64
    let source: SourceText
  }

  /// The runs of every variant, one for each seed; nil when one has errors.
  func results(
    of variants: [TraceVariant], in source: SourceText, _ report: inout DiagnosticReport
  ) -> [[Result]]? {
    let compiler = TraceRun.compiler
    var (programs, good, instructions): ([Program?], Int, Int) = ([], 0, 0)
    ParallelRuns.run(variants.count, threads: jobs) { index in
      compiler.compile(source, overrides: variants[index].overrides)
    } deliver: { _, compiled in
      report.add(compiled.diagnostics, to: console.error)
      guard let program = compiled.program else { return }
      good += 1
      instructions += program.instructions.count + CompareCommand.leastInstructions
      programs.append(instructions <= CompareCommand.mostInstructions ? program : nil)
    }
    guard good == variants.count else { return nil }
    return runs(programs) { index in
      guard let again = compiler.compile(source, overrides: variants[index].overrides).program
      else { fatalError("a variant that has no errors has none the next time") }
      return again
    }
  }

  /// How many instructions of variants are kept between compiling and running them, about 100 MB of
  /// programs; what is more is compiled again, so that a comparison of long traces fits.
  private static let mostInstructions = 1_000_000
  /// What a program counts for that has hardly any.
  private static let leastInstructions = 200

  /// All runs, by variant and seed; `compile` makes the programs that were not kept.
  ///
  /// Equal seeds draw equal numbers in every variant.
  private func runs(
    _ programs: [Program?], _ compile: @escaping @Sendable (Int) -> Program
  ) -> [[Result]] {
    let seeds = seedCount ?? 1
    let (limits, checksExpectations) = (limits, checksExpectations)
    let results = ParallelRuns.map(programs.count * seeds, threads: jobs) { index in
      var program = programs[index / seeds] ?? compile(index / seeds)
      program.seed &+= UInt64(index % seeds)
      let run = TraceRun(
        program, limits: limits, checksExpectations: checksExpectations, takesDigest: false)
      return Result(
        metrics: run.metrics, failures: run.verdicts.filter { !$0.holds }, seed: program.seed,
        source: program.source)
    }
    return programs.indices.map { Array(results[($0 * seeds)..<(($0 + 1) * seeds)]) }
  }

  private func show(_ variants: [TraceVariant], _ results: [[Result]]) -> ExitStatus {
    let comparison = Comparison(
      variants: zip(variants, results).map { variant, runs in
        Comparison.Variant(
          label: variant.label.isEmpty ? "as written" : variant.label, runs: runs.map(\.metrics))
      })
    if printsJSON {
      console.output.write(comparison.json + "\n")
    } else {
      let style = TextStyle(
        width: console.environment.width, usesColor: console.usesColor(color))
      console.output.write(comparison.text(style: style))
    }
    return showFailures(variants, results)
  }

  /// Shows what did not hold that the trace expects; the status says whether there was any.
  func showFailures(_ variants: [TraceVariant], _ results: [[Result]]) -> ExitStatus {
    var status = ExitStatus.held
    for (variant, runs) in zip(variants, results) {
      for run in runs {
        for verdict in run.failures {
          status = .notHeld
          if !printsJSON { show(verdict, of: run, variant.label) }
        }
      }
    }
    return status
  }

  private func show(_ verdict: Verdict, of run: Result, _ label: String) {
    var place = label.isEmpty ? [] : [label]
    if seedCount != nil { place.append("seed \(run.seed)") }
    let prefix = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    let lines = verdict.told(of: run.source, style: style, prefix: prefix)
    console.output.write("\n" + lines.joined(separator: "\n") + "\n")
  }

  private static func axes(_ arguments: ParsedArguments) throws(CommandFailure) -> [VariantAxis] {
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
    return axes
  }
}
