import SpindleLanguage
import SpindleModel
import SpindleReports

extension CompareCommand {
  /// Finds where the variants change places as a parameter grows, and prints it.
  func findCrossovers(
    _ range: CrossoverRange, in source: SourceText
  ) throws(CommandFailure) -> ExitStatus {
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--set": "--crossover"])
    guard let low = program(range, range.low, in: source, &report),
      let high = program(range, range.high, in: source, &report),
      let lower = low.parameters.first(where: { $0.name == range.name }),
      let upper = high.parameters.first(where: { $0.name == range.name })
    else { return report.status }
    let scale = try range.scale(from: lower, to: upper)
    let groups = VariantGroup.groups(
      try expandedAxes(in: source), base: base, parameters: low.parameters)
    guard let groups else {
      throw .usage("'--crossover' compares variants, and no list has several values")
    }
    let counts = groups.map(\.designs.count)
    let most = CrossoverRounds.mostPoints(designCounts: counts, scale: scale)
    if most * (seedCount ?? 1) > CompareCommand.mostRuns {
      throw .usage(
        "'--crossover' may need \(most) variants, and \(seedCount ?? 1) seeds of each are too many runs"
      )
    }
    return find(groups, range.name, on: scale, in: source)
  }

  /// The trace with a value for the parameter; nil when something is wrong with it, which is shown.
  private func program(
    _ range: CrossoverRange, _ value: String, in source: SourceText,
    _ report: inout DiagnosticReport
  ) -> Program? {
    var overrides = base
    overrides.parameters.append(Overrides.Assignment(name: range.name, value: value))
    let (program, diagnostics) = TraceRun.compiler.compile(source, overrides: overrides)
    // The runs themselves show the warnings.
    if program == nil { report.add(diagnostics, to: console.error) }
    return program
  }

  /// Runs rounds until all is found, and prints it.
  private func find(
    _ groups: [VariantGroup], _ name: String, on scale: ValueScale, in source: SourceText
  ) -> ExitStatus {
    var rounds = CrossoverRounds(designCounts: groups.map(\.designs.count), scale: scale)
    var report = newReport()
    var failed: [(variant: TraceVariant, runs: [Result])] = []
    while !rounds.isDone {
      let points = rounds.wanted
      let variants = points.map { point -> TraceVariant in
        var variant = groups[point.group].designs[point.design]
        let value = scale.text(point.value)
        variant.overrides.parameters.append(Overrides.Assignment(name: name, value: value))
        let words = [groups[point.group].label, variant.label, "\(name)=\(value)"]
        variant.label = words.filter { !$0.isEmpty }.joined(separator: ", ")
        return variant
      }
      guard let results = results(of: variants, in: source, &report) else { return report.status }
      rounds.learn(points, results.map { PairVerdict.makespans(of: $0.map(\.metrics)) })
      for (variant, runs) in zip(variants, results) {
        let failures = runs.filter { !$0.failures.isEmpty }
        if !failures.isEmpty { failed.append((variant, failures)) }
      }
    }
    let crossovers = Crossovers(
      parameter: name, scale: scale, seedCount: seedCount ?? 1,
      runCount: rounds.pointCount * (seedCount ?? 1),
      groups: groups.indices.map { group in
        Crossovers.Group(
          label: groups[group].label, designs: groups[group].designs.map(\.label),
          pairs: rounds.pairs(of: group))
      })
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    console.output.write(printsJSON ? crossovers.json + "\n" : crossovers.text(style: style))
    return showFailures(failed.map(\.variant), failed.map(\.runs))
  }
}
