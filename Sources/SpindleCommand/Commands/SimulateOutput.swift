import SpindleModel
import SpindleReports
import SpindleRun

/// Writes what `spindle simulate` says of its runs, one after another.
///
/// A class, since what is written depends on what was before.
final class SimulateOutput {
  private let command: SimulateCommand
  private let isSeries: Bool
  private let isOneTrace: Bool
  private var runCount = 0
  /// What the runs came to, for the forms that are written when all are known.
  private var columns: [ComparedColumn] = []
  private var variants: [Comparison.Variant] = []
  private var console: Console { command.console }

  /// Begins to write; in a series there are several runs.
  init(_ command: SimulateCommand, isSeries: Bool, isOneTrace: Bool) {
    (self.command, self.isSeries, self.isOneTrace) = (command, isSeries, isOneTrace)
  }

  /// Writes what is said of one run.
  func show(_ run: TraceRun, _ rows: (any RunTable)?, heading: [String]) {
    if let rows {
      show(rows.text, of: run, heading)
    } else {
      switch command.format {
      case .table: if !showSummary(run, heading) { return }
      case .json: showJSON(json(run))
      case .csv, .markdown: keep(run, heading)
      }
    }
    runCount += 1
  }

  /// Writes what is said of runs with several seeds.
  func show(_ runs: SeededRuns, heading: [String]) {
    var variant = runs.variant
    variant.label = heading.isEmpty ? "as written" : heading.joined(separator: ", ")
    switch command.format {
    case .table:
      let hidesNumbers = command.isQuiet && !command.asksForMeasures
      if hidesNumbers && runs.failures.isEmpty { return }
      write(heading, to: console.output)
      let style = style(onError: false)
      if !hidesNumbers {
        console.output.write(SeedSpread(runs.columns, variant).text(style))
      }
      for failure in runs.failures {
        let (first, count) = (failure.seeds[0], failure.seeds.count)
        let prefix =
          variant.runs.count == 1 ? "" : "\(count) of \(variant.runs.count), first seed \(first): "
        let lines = failure.verdict.told(of: runs.source, style: style, prefix: prefix)
        console.output.write("\n" + lines.joined(separator: "\n") + "\n")
      }
    case .json:
      let report = ComparisonReport(Comparison(columns: runs.columns, variants: [variant]))
      showJSON(String(report.text(.json, style: TextStyle()).dropLast()))
    case .csv, .markdown:
      columns = runs.columns
      variants.append(variant)
    }
    runCount += 1
  }

  /// Writes what is written when all runs are over.
  func finish() {
    if command.format == .json && isSeries {
      // Where one trace can't be run nothing is printed, with and without variants.
      if runCount > 0 || !isOneTrace { console.output.write(runCount == 0 ? "[]\n" : "\n]\n") }
    }
    guard !variants.isEmpty else { return }
    let report = ComparisonReport(Comparison(columns: columns, variants: variants))
    console.output.write(report.text(command.format, style: TextStyle()))
  }

  private func json(_ run: TraceRun) -> String {
    run.json
  }

  private func showJSON(_ text: String) {
    let start = isSeries ? (runCount == 0 ? "[\n" : ",\n") : ""
    console.output.write(start + text + (isSeries ? "" : "\n"))
  }

  private func keep(_ run: TraceRun, _ heading: [String]) {
    columns = run.program.measures.map { ComparedColumn($0) }
    let label = heading.isEmpty ? run.program.title : heading.joined(separator: ", ")
    let kept = Comparison.Run(
      seed: run.program.seed, outcome: run.metrics.outcome.kind, isCut: run.cut != nil,
      values: run.measured)
    variants.append(Comparison.Variant(label: label, runs: [kept]))
  }

  /// Writes a summary, or with '--quiet' the requested measures and the problems; returns whether anything was written.
  private func showSummary(_ run: TraceRun, _ heading: [String]) -> Bool {
    let sink = command.givesOutputAway ? console.error : console.output
    let text =
      command.isQuiet ? run.quietText(style: summaryStyle) : run.summary(style: summaryStyle)
    if text.isEmpty { return false }
    write(heading, to: sink)
    sink.write(text)
    return true
  }

  /// Writes a table of threads, items or samples, how a run ended that did not finish, and for people what did not hold.
  private func show(_ text: some RunTableText, of run: TraceRun, _ heading: [String]) {
    let label = heading.joined(separator: ", ")
    let ending = type(of: text).ending(run.metrics, cut: run.cut, run.program.source)
    switch command.format {
    case .table:
      write(heading, to: console.output)
      let style = style(onError: false)
      console.output.write(text.table(style: style))
      if let ending { console.output.write(style.paragraph(ending).joined(separator: "\n") + "\n") }
      for verdict in run.verdicts where !verdict.holds {
        let lines = verdict.told(of: run.program.source, style: style)
        console.output.write("\n" + lines.joined(separator: "\n") + "\n")
      }
    case .markdown:
      if isSeries { console.output.write("\(runCount == 0 ? "" : "\n")\(label)\n\n") }
      console.output.write(text.markdown)
      if let ending { console.output.write("\n\(ending)\n") }
    case .csv:
      let fields = isSeries ? ["run"] : []
      if runCount == 0 { console.output.write(CSVText.line(fields + text.csvTitle)) }
      console.output.write(text.csv(behind: isSeries ? [label] : []))
      if let ending { console.warn(label.isEmpty ? ending : "\(label): \(ending)") }
    case .json: showJSON(text.json(label: label, run.metrics.outcome, cut: run.cut))
    }
  }

  private func write(_ heading: [String], to sink: OutputSink) {
    if runCount > 0 { sink.write("\n") }
    if !heading.isEmpty { sink.write("== \(heading.joined(separator: ", ")) ==\n") }
  }

  /// How the summary is written: to standard error where a file's bytes go to standard output.
  var summaryStyle: TextStyle { style(onError: command.givesOutputAway) }

  private func style(onError: Bool) -> TextStyle {
    TextStyle(
      width: console.environment.width,
      usesColor: console.usesColor(command.color, onError: onError))
  }
}
