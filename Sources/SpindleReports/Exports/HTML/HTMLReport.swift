package import SpindleModel

/// One run, or several side by side, as one file that a browser opens without a network.
///
/// What went wrong comes first, in plain HTML that needs no script and can be printed; then a timeline
/// that is drawn from the numbers that the file carries. Equal runs make equal bytes.
package struct HTMLReport {
  /// A run of which a report shows the timeline.
  package struct Run {
    /// What it is called among several.
    package var label: String
    /// The program that ran, and on what.
    package var program: Program
    package var machine: ResolvedMachine
    /// The numbers of the run.
    package var metrics: RunMetrics
    /// What the trace expects.
    package var verdicts: [Verdict]
    /// What the measures of the program came to.
    package var measured: [MeasuredValue]
    /// The digest of its log; empty where it was not taken.
    package var digest: String
    /// Its timeline.
    package var store: TimelineStore
    /// How its time was spent, where there is no room for more.
    package var shares: CoarseShares
    /// The same for Perfetto; empty for none.
    package var perfetto: [UInt8] = []
    /// What cut the run off; nil when it ended by itself.
    package var cut: RunCut?

    /// Creates a run to be shown.
    package init(
      label: String, program: Program, machine: ResolvedMachine, metrics: RunMetrics,
      verdicts: [Verdict], measured: [MeasuredValue], digest: String, store: TimelineStore,
      shares: CoarseShares
    ) {
      (self.label, self.program, self.machine, self.metrics) = (label, program, machine, metrics)
      (self.verdicts, self.measured, self.digest) = (verdicts, measured, digest)
      (self.store, self.shares) = (store, shares)
    }
  }

  /// How large a file may be, in bytes.
  package static let standardSize = 2_000_000
  package static let greatestSize = 10_000_000

  let runs: [Run]
  let size: Int
  let window: ClosedRange<Instant>?
  /// Where other runs part from the first.
  package var partings: [RunDifference.Told] = []
  /// The comparison that the runs are part of; nil for one run.
  package var comparison: ComparisonReport?
  /// The text about the runs that have no timeline here; empty when all have one.
  package var leftOut = ""

  /// A report on runs, of at most `size` bytes as far as its tables allow; `window` is kept in full in any
  /// case.
  package init(_ runs: [Run], size: Int, window: ClosedRange<Instant>? = nil) {
    (self.runs, self.size, self.window) = (runs, size, window)
  }

  /// The whole file; the time that it takes is about that of the runs.
  package func bytes() -> [UInt8] {
    var page = HTMLPage(self)
    let parts = page.parts()
    let carried = data(room: size - parts.before.utf8.count - parts.after.utf8.count - 4_000)
    var bytes = Array(parts.before.utf8)
    bytes += Array(page.kept(carried.windows).utf8)
    bytes += Array("<script type=\"application/octet-stream\" id=\"data\">".utf8)
    bytes += carried.text
    bytes += Array("</script>\n".utf8)
    if runs.count == 1, !runs[0].perfetto.isEmpty {
      let packed = Base64.text(of: Deflate.gzip(runs[0].perfetto))
      if bytes.count + packed.count + parts.after.utf8.count <= size {
        bytes += Array("<script type=\"application/octet-stream\" id=\"perfetto\">".utf8)
        bytes += packed
        bytes += Array("</script>\n".utf8)
      }
    }
    return bytes + Array(parts.after.utf8)
  }

  // MARK: What the page carries

  private typealias Carried = (text: [UInt8], windows: [[ClosedRange<Instant>]?])

  /// The timelines in at most `room` bytes, and what is kept in full of each run; nil for all of it.
  private func data(room: Int) -> Carried {
    let counts = runs.map { run in
      ReportTables.count(run.store, in: [Instant.start ... .distantFuture])
    }
    let total = max(1, counts.reduce(0, +))
    let whole: [[ClosedRange<Instant>]?] = runs.map { run in
      run.store.keeps.map { [$0] }
    }
    var limit = Double(total)
    // Less than a byte for each row is not to be had.
    if total < room {
      let text = packed(whole)
      if text.count <= room { return (text, whole) }
      limit *= Double(max(room, 1)) / Double(text.count) * 0.9
    } else {
      limit = Double(max(room, 1)) / 5
    }
    var best: Carried?
    // How small rows get differs from stretch to stretch, so the number that fits is found by trying.
    for _ in 0..<HTMLReport.attempts {
      let windows = zip(runs, counts).map { run, count in
        ReportWindows(run, asked: window).chosen(
          limit: Int(limit * Double(count) / Double(total)))
      }
      let text = packed(windows)
      if text.count <= room && text.count > best?.text.count ?? 0 { best = (text, windows) }
      if text.count <= room && text.count * 5 > room * 4 { break }
      // What no stretch holds takes room too, so a step is not longer than by half.
      limit *= min(1.5, max(0.5, 0.95 * Double(max(room, 1)) / Double(text.count)))
    }
    let none: [[ClosedRange<Instant>]?] = runs.map { _ in [] }
    return best ?? (packed(none), none)
  }

  /// How often a number of rows is tried.
  private static let attempts = 10

  private func packed(_ windows: [[ClosedRange<Instant>]?]) -> [UInt8] {
    var (heads, columns) = ([JSONValue](), [UInt8]())
    for (run, windows) in zip(runs, windows) {
      var tables = ReportTables(run.store, windows: windows)
      if windows != nil { tables.add(run.shares) }
      heads.append(head(run, tables, windows))
      columns += tables.columns.bytes
    }
    let head = JSONValue.object([
      ("format", .integer(1)), ("runs", .array(heads)),
      (
        "partings",
        .array(
          partings.map { told in
            .object([
              ("run", .integer(Int64(told.run))), ("time", .integer(told.time.nanoseconds)),
            ])
          })
      ),
    ])
    let text = Array(head.text.utf8)
    var bytes: [UInt8] = []
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: text.count >> shift)) }
    return Base64.text(of: Deflate.gzip(bytes + text + columns))
  }

  /// The most bytes of a trace's text that are in a report.
  private static let greatestSource = 300_000

  private func head(
    _ run: Run, _ tables: ReportTables, _ windows: [ClosedRange<Instant>]?
  ) -> JSONValue {
    let source = run.program.source
    // The types that each Swift file may name come last.
    let shown = source.utf8.prefix(
      source.parts.last.flatMap { $0.isFile ? Int($0.start) : nil } ?? source.utf8.count)
    let isShown = shown.count <= HTMLReport.greatestSource
    return .object([
      ("label", .string(run.label)),
      ("title", .string(run.program.title)),
      ("file", .string(source.name)),
      ("end", .integer(run.metrics.end.nanoseconds)),
      ("makespan", .integer(run.metrics.makespan.nanoseconds)),
      ("cores", .integer(Int64(run.machine.cores.count))),
      ("coreLabels", .array(CoreKind.labels(run.machine.cores).map { .string($0) })),
      (
        "windows",
        windows.map { ranges in
          .array(
            ranges.map {
              .array([.integer($0.lowerBound.nanoseconds), .integer($0.upperBound.nanoseconds)])
            })
        } ?? .null
      ),
      ("findings", .array(run.metrics.findings.map(finding))),
      ("texts", .array(tables.texts.map { .string($0) })),
      ("source", isShown ? .string(String(decoding: shown, as: UTF8.self)) : .null),
      ("columns", .array(tables.columns.list)),
    ])
  }

  private func finding(_ finding: Finding) -> JSONValue {
    .object([
      ("kind", .string(finding.kind.rawValue)), ("time", .integer(finding.time.nanoseconds)),
    ])
  }
}
