import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// The file that `--html` writes: where to, how large, and what it keeps in full.
struct HTMLOutput {
  /// Where to; `-` for standard output.
  let path: String
  private let size: Int
  private let window: ClosedRange<Instant>?

  /// The most entries of a log whose timeline is kept whole: some 500 MB.
  static let greatestTimeline: Int64 = 4_000_000
  /// The most entries of a log that a report carries for Perfetto too.
  private static let greatestPerfetto: Int64 = 200_000

  /// What the options ask for; nil when there is to be no report.
  init?(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let path = arguments[.html] else {
      for option in [OptionDescription.Name.htmlSize, .window] where arguments.has(option) {
        throw .usage(UsageText.htmlMissing(option.rawValue))
      }
      return nil
    }
    if path.isEmpty { throw .usage(UsageText.htmlFileNeeded) }
    self.path = path
    size = try HTMLOutput.size(arguments)
    window = try HTMLOutput.window(arguments)
  }

  private static func size(_ arguments: ParsedArguments) throws(CommandFailure) -> Int {
    guard let text = arguments[.htmlSize] else { return HTMLReport.standardSize }
    guard let (kind, value) = RangeText.value(text), kind == .size, value >= 300_000,
      value <= 10 << 20
    else {
      throw .usage(UsageText.htmlSize(text))
    }
    return Int(value)
  }

  private static func window(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> ClosedRange<Instant>? {
    guard let text = arguments[.window] else { return nil }
    guard let dots = RangeText.dots(text), text[dots].count == 3,
      let from = MomentText.value(ListText.trimmed(text[..<dots.lowerBound])),
      let to = MomentText.value(ListText.trimmed(text[dots.upperBound...])), from < to
    else {
      throw .usage(UsageText.windowForm(text))
    }
    return from...to
  }

  /// Runs a program once more for its timeline; nil when that is too long for one among several.
  func shown(_ run: TraceRun, label: String) throws(CommandFailure) -> HTMLReport.Run {
    if let window, window.lowerBound > run.metrics.end {
      throw .usage(
        UsageText.runEndsBefore("'--window \(window.lowerBound)…'", end: run.metrics.end))
    }
    let store = HTMLOutput.store(run, window)
    let shares = CoarseShares(end: run.metrics.end, threads: run.metrics.threadsCreated)
    var consumers: [any LogConsumer] = [Timeline(store), Timeline(shares)]
    let perfetto = Bytes()
    if run.metrics.entries <= HTMLOutput.greatestPerfetto {
      let export = ExportFormat.perfetto.makeExport { perfetto.bytes += $0 }
      consumers.append(Timeline(export))
    }
    run.explain(to: consumers)
    var shown = HTMLReport.Run(
      label: label, program: run.program, machine: run.record.machine, metrics: run.metrics,
      verdicts: run.verdicts, measured: run.measured, digest: run.digest, store: store,
      shares: shares)
    (shown.perfetto, shown.cut) = (perfetto.bytes, run.cut)
    return shown
  }

  /// What keeps a run's timeline: of one that is too long for memory the stretch that is asked for, or
  /// one around its first finding.
  private static func store(_ run: TraceRun, _ window: ClosedRange<Instant>?) -> TimelineStore {
    let entries = run.metrics.entries
    guard entries > greatestTimeline else { return TimelineStore() }
    let end = max(1, run.metrics.end.nanoseconds)
    let most = Int64(Int128(end) * Int128(greatestTimeline / 2) / Int128(entries))
    let found = window?.lowerBound ?? run.metrics.findings.first?.time ?? .start
    let from = window?.lowerBound ?? max(.start, found + Nanoseconds(-most / 2))
    let to = min(window?.upperBound ?? .distantFuture, from + Nanoseconds(most))
    return TimelineStore(window: from...to)
  }

  /// A report on runs of which the timelines are shown.
  func report(_ runs: [HTMLReport.Run]) -> HTMLReport {
    HTMLReport(runs, size: size, window: window)
  }

  /// Writes a report where it belongs.
  func write(_ report: HTMLReport, _ console: Console) throws(CommandFailure) {
    let bytes = report.bytes()
    try CommandFailure.wrap { () throws(FileFailure) in
      let output = try ResultOutput(path, console)
      output.write(bytes[...])
      try output.commit()
    }
  }

  /// Bytes that an export has written.
  private final class Bytes {
    var bytes: [UInt8] = []
  }
}
