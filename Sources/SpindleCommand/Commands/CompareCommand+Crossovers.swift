import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

extension CompareCommand {
  /// Finds where the variants change places as a parameter grows, and prints it.
  func findCrossovers(
    _ range: CrossoverRange, in sources: [SourceText]
  ) throws(CommandFailure) -> ExitStatus {
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--set": "--crossover"])
    guard let low = program(range, range.low, in: sources[0], &report),
      let high = program(range, range.high, in: sources[0], &report),
      let lower = low.parameters.first(where: { $0.name == range.name }),
      let upper = high.parameters.first(where: { $0.name == range.name })
    else { return report.status }
    let scale = try range.scale(from: lower, to: upper)
    let groups = VariantGroup.groups(
      try expandedAxes(in: sources), base: base, parameters: low.parameters)
    guard let groups else {
      throw .usage(UsageText.crossoverAlone)
    }
    let counts = groups.map(\.designs.count)
    let most = CrossoverRounds.mostPoints(designCounts: counts, scale: scale)
    if most * (seedCount ?? 1) > CompareCommand.mostRuns {
      throw .usage(UsageText.crossoverRuns(most, seeds: seedCount ?? 1))
    }
    let measure = try decidingMeasure(low.measures)
    // A parameter decides of what draws: each variant may be the one.
    let draws = groups.lazy.flatMap(\.designs).contains { design in
      var overrides = design.overrides
      overrides.parameters.append(Overrides.Assignment(name: range.name, value: range.low))
      let source = sources[design.file]
      return Compiler.standard.compile(source, overrides: overrides).program?.drawsNumbers
        ?? false
    }
    return find(groups, range.name, measure, on: scale, in: sources, drawsNumbers: draws)
  }

  /// What the variants are compared by: the one measure that is asked for, or nil for the makespan.
  private func decidingMeasure(
    _ measures: [RequestedMeasure]
  ) throws(CommandFailure) -> (text: String, preference: MeasurePreference)? {
    guard let measure = measures.first else { return nil }
    if measures.count > 1 {
      throw .usage(UsageText.crossoverMeasures(measures.count))
    }
    guard let preference = ComparedColumn(measure).preference else {
      throw .usage(UsageText.noPreference("--crossover", measure.text))
    }
    return (measure.text, preference)
  }

  /// The trace with a value for the parameter; nil when something is wrong with it, which is shown.
  private func program(
    _ range: CrossoverRange, _ value: String, in source: SourceText,
    _ report: inout DiagnosticReport
  ) -> Program? {
    var overrides = base
    overrides.parameters.append(Overrides.Assignment(name: range.name, value: value))
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    // The runs themselves show the warnings.
    if program == nil { report.add(diagnostics, to: console.error) }
    return program
  }

  /// Runs rounds until all is found, and prints it.
  private func find(
    _ groups: [VariantGroup], _ name: String,
    _ measure: (text: String, preference: MeasurePreference)?, on scale: ValueScale,
    in sources: [SourceText], drawsNumbers: Bool
  ) -> ExitStatus {
    var rounds = CrossoverRounds(
      designCounts: groups.map(\.designs.count), scale: scale,
      preference: measure?.preference ?? .less)
    var report = newReport()
    var failed: [(variant: TraceVariant, runs: [ComparedRun])] = []
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
      guard let results = results(of: variants, in: sources, &report) else { return report.status }
      rounds.learn(points, results.map { values(of: $0, by: measure != nil) })
      for (variant, runs) in zip(variants, results) {
        let failures = runs.filter { !$0.failures.isEmpty }
        if !failures.isEmpty { failed.append((variant, failures)) }
      }
    }
    let crossovers = Crossovers(
      parameter: name, measure: measure?.text ?? "makespan", scale: scale,
      seedCount: seedCount ?? 1,
      runCount: rounds.pointCount * (seedCount ?? 1), drawsNumbers: drawsNumbers,
      groups: groups.indices.map { group in
        Crossovers.Group(
          label: groups[group].label, designs: groups[group].designs.map(\.label),
          pairs: rounds.pairs(of: group), isUnmoved: rounds.isUnmoved(group))
      })
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    console.output.write(
      format == .json
        ? crossovers.json + "\n" : crossovers.text(style: style, tellsMethod: !isQuiet))
    return showFailures(failed.map(\.variant), failed.map(\.runs))
  }

  /// What each run of a variant came to; nil when one did not end by itself or has no value.
  private func values(of runs: [ComparedRun], by measured: Bool) -> [Int64]? {
    var values: [Int64] = []
    for run in runs {
      let value = measured ? run.measured[0].number : run.metrics.makespan.nanoseconds
      guard run.isWhole, let value else { return nil }
      values.append(value)
    }
    return values
  }
}
