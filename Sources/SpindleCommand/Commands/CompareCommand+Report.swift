import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSystem

extension CompareCommand {
  /// Prints the comparison in the form that is wanted, and what did not hold.
  func show(
    _ variants: [TraceVariant], _ results: [[ComparedRun]], _ axes: [VariantAxis],
    in sources: [SourceText]
  ) throws(CommandFailure) -> ExitStatus {
    var columns = ColumnChoice(results)
    let sorted = try columns.sorted()
    let tradeOff = try columns.tradeOff()
    var comparison = Comparison(
      columns: columns.all, equal: columns.equal,
      variants: zip(variants, results).map { variant, runs in
        Comparison.Variant(
          label: variant.label.isEmpty ? "as written" : variant.label,
          settings: variant.settings,
          runs: runs.map { run in
            Comparison.Run(
              seed: run.seed, outcome: run.metrics.outcome.kind, isCut: run.isCut,
              values: columns.values(run))
          })
      }, settingNames: VariantAxis.settingNames(axes))
    if let precision {
      comparison.precision = .init(text: precision.text, isReached: precision.isReached(results))
    }
    var report = ComparisonReport(comparison, sortedBy: sorted, tradeOff: tradeOff)
    report.isQuiet = isQuiet
    report.remarks = anomalies(results, axes) + refusals(variants, results)
    let style = TextStyle(
      width: console.environment.width, usesColor: console.usesColor(color))
    // Standard output is for the page's bytes where that is asked for.
    let sink = html?.path == "-" ? console.error : console.output
    sink.write(report.text(format, style: style))
    if let html { try writeHTML(html, variants, results, report, in: sources) }
    return showFailures(variants, results)
  }

  /// Where variants are worse that one expects to be better.
  private func anomalies(_ results: [[ComparedRun]], _ axes: [VariantAxis]) -> [String] {
    let varying = axes.filter { $0.values.count > 1 }.map(\.headerAxis)
    var finder = AnomalyFinder(varying, seedCount: results[0].count)
    for runs in results {
      finder.add(
        AnomalyFinder.Facts(
          machine: runs[0].program.machine, work: runs.map(\.metrics.work),
          input: runs.map(\.inputTime.rawValue),
          makespans: runs.allSatisfy(\.isWhole)
            ? runs.map { $0.metrics.makespan.nanoseconds } : nil))
    }
    return finder.sentences
  }

  /// Why policies refused variants, one sentence for each variant.
  private func refusals(_ variants: [TraceVariant], _ results: [[ComparedRun]]) -> [String] {
    zip(variants, results).compactMap { variant, runs in
      guard let run = runs.first(where: { $0.metrics.outcome.kind == .refused }) else { return nil }
      let words = FindingLines.outcome(
        run.metrics.outcome, at: run.metrics.end, run.program.source)
      return "\(variant.label.isEmpty ? "as written" : variant.label) \(words)"
    }
  }

  /// Shows what did not hold that the trace expects; the status says whether there was any.
  func showFailures(_ variants: [TraceVariant], _ results: [[ComparedRun]]) -> ExitStatus {
    var status = ExitStatus.held
    for (variant, runs) in zip(variants, results) {
      for run in runs {
        for verdict in run.failures {
          status = .notHeld
          if format == .table { show(verdict, of: run, variant.label) }
        }
      }
    }
    return status
  }

  private func show(_ verdict: Verdict, of run: ComparedRun, _ label: String) {
    var place = label.isEmpty ? [] : [label]
    if seedCount != nil { place.append("seed \(run.seed)") }
    let prefix = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    let lines = verdict.told(of: run.program.source, style: style, prefix: prefix)
    console.output.write("\n" + lines.joined(separator: "\n") + "\n")
  }
}

/// Which columns a comparison has: those that are asked for, else those in which the variants differ.
private struct ColumnChoice {
  private(set) var all: [ComparedColumn]
  private(set) var equal: [(column: ComparedColumn, value: MeasuredValue)] = []
  private let standard: StandardColumns?
  private let measures: [RequestedMeasure]
  /// By column behind the standard ones: the number of its measure.
  private var sources: [Int] = []

  init(_ results: [[ComparedRun]]) {
    let program = results[0][0].program
    measures = program.measures
    let isAsked = measures.contains { $0.option == OptionDescription.Name.measure.rawValue }
    if isAsked {
      (standard, all) = (nil, [])
      for (index, measure) in measures.enumerated()
      where measure.option == OptionDescription.Name.measure.rawValue { _ = column(of: index) }
    } else {
      let chosen = StandardColumns(
        results.map { $0.map(\.metrics) },
        hasMain: results.contains { $0.contains(where: \.program.hasMain) })
      (standard, all, equal) = (chosen, chosen.columns, chosen.equal)
    }
  }

  /// What a run comes to in all columns.
  func values(_ run: ComparedRun) -> [MeasuredValue] {
    (standard?.values(run.metrics) ?? []) + sources.map { run.measured[$0] }
  }

  /// The column that the variants are sorted by; nil when they are not.
  mutating func sorted() throws(CommandFailure) -> Int? {
    let asked = indices(.sort)
    guard asked.count <= 1 else { throw .usage(UsageText.oneMeasure("--sort", not: asked.count)) }
    guard let index = asked.first else { return nil }
    if measures[index].unit == .text {
      throw .usage(UsageText.noNumber("--sort", measures[index].text))
    }
    return column(of: index)
  }

  /// The columns whose trade-off is marked.
  mutating func tradeOff() throws(CommandFailure) -> [Int] {
    let asked = indices(.pareto)
    guard !asked.isEmpty else { return [] }
    guard asked.count > 1 else { throw .usage(UsageText.paretoMeasures) }
    var columns: [Int] = []
    for index in asked {
      if ComparedColumn(measures[index]).preference == nil {
        throw .usage(UsageText.noPreference("--pareto", measures[index].text))
      }
      columns.append(column(of: index))
    }
    return columns
  }

  private func indices(_ option: OptionDescription.Name) -> [Int] {
    measures.indices.filter { measures[$0].option == option.rawValue }
  }

  /// The column of a measure, which is made where there is none yet.
  private mutating func column(of index: Int) -> Int {
    let text = measures[index].text
    if let known = all.firstIndex(where: { $0.measure == text }) { return known }
    all.append(ComparedColumn(measures[index]))
    sources.append(index)
    equal.removeAll { $0.column.measure == text }
    return all.count - 1
  }
}
