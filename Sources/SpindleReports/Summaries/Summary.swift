package import SpindleModel

/// A run in a few lines.
package struct Summary {
  private let program: Program
  private let machine: ResolvedMachine
  private let metrics: RunMetrics
  private let verdicts: [Verdict]
  private let digest: String
  private let output: PrintedLines?
  private let measured: [MeasuredValue]
  private let steadyState: SteadyState?
  private let cut: RunCut?
  private let style: TextStyle
  private var lines: [String] = []

  /// How many kinds of work are shown.
  private static let kindLimit = 10
  /// How many findings, and how many unmet expectations, are printed in full.
  private static let fullLimit = 10
  /// How many locks are shown.
  private static let lockLimit = 3
  /// How wide the words at the left edge are.
  private static let titleWidth = 12

  /// What `spindle simulate` prints of a run: aligned, within `width` columns where the names in the
  /// trace allow it, each line ended by a line break.
  package static func text(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, verdicts: [Verdict],
    digest: String, output: PrintedLines? = nil, width: Int = 80
  ) -> String {
    text(
      program: program, machine: machine, metrics: metrics, verdicts: verdicts,
      digest: digest, output: output, style: TextStyle(width: width))
  }

  /// The same in a style, which may have colors.
  package static func text(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, verdicts: [Verdict],
    digest: String, output: PrintedLines? = nil, measured: [MeasuredValue] = [],
    steadyState: SteadyState? = nil, cut: RunCut? = nil, style: TextStyle
  ) -> String {
    var summary = Summary(
      program: program, machine: machine, metrics: metrics, verdicts: verdicts,
      digest: digest, output: output, measured: measured, steadyState: steadyState, cut: cut,
      style: style)
    return summary.write()
  }

  private init(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, verdicts: [Verdict],
    digest: String, output: PrintedLines?, measured: [MeasuredValue], steadyState: SteadyState?,
    cut: RunCut?, style: TextStyle
  ) {
    (self.program, self.machine, self.metrics) = (program, machine, metrics)
    (self.measured, self.steadyState) = (measured, steadyState)
    (self.verdicts, self.digest, self.style) = (verdicts, digest, style)
    (self.output, self.cut) = (output, cut)
  }

  /// The rows of the requested measures alone, each ended by a line break; empty if no measure is requested.
  package static func measures(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, measured: [MeasuredValue],
    steadyState: SteadyState?, style: TextStyle
  ) -> String {
    var summary = Summary(
      program: program, machine: machine, metrics: metrics, verdicts: [], digest: "", output: nil,
      measured: measured, steadyState: steadyState, cut: nil, style: style)
    summary.writeMeasured()
    return summary.lines.map { $0 + "\n" }.joined()
  }

  private mutating func write() -> String {
    writeTitle()
    writeNumbers()
    writeMeasured()
    writeOutput()
    writeLocks()
    writeActors()
    writeAccelerators()
    writeKinds()
    writeSamples()
    writeRealtime()
    writeFindings()
    writeCrash()
    writeVerdicts()
    if verdicts.contains(where: { !$0.holds }) { separate() }
    row("digest", digest)
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func writeTitle() {
    lines += style.wrapped(program.title, indent: "", breaksWords: true)
      .map { style.paint($0, .bold) }
    let cores = Int64(machine.cores.count).counted("core")
    var text = "\(machine.platform.rawValue), \(cores), \(machine.memory), "
    text += "costs \(machine.costs), policy \(machine.policy), seed \(program.seed)"
    row("machine", text)
    if !program.parameters.isEmpty {
      row(
        "parameters", program.parameters.map { "\($0.name) = \($0.value)" }.joined(separator: ", "))
    }
  }

  private mutating func writeNumbers() {
    let outcome = metrics.outcome
    let isWhole = outcome.kind == .finished && cut == nil
    let words =
      cut?.words(at: metrics.end) ?? FindingLines.outcome(outcome, at: metrics.end, program.source)
    row("outcome", words, isWhole ? .green : .red)
    row("makespan", makespan)
    writeCores()
    row(
      "threads",
      "\(metrics.threadsCreated.grouped) created, peak \(metrics.threadsPeak.grouped), "
        + "\(metrics.threadsLive.grouped) alive at the end")
    if let energy = metrics.energy { row("energy", Summary.millijoules(energy)) }
    row(
      "memory",
      "peak \(metrics.memoryPeak.approximate), "
        + "\(metrics.reservedPeak.approximate) reserved for stacks")
    row(
      "switches",
      "\(metrics.switches.grouped): \(metrics.switchesVoluntary.grouped) voluntary, "
        + "\(metrics.switchesForced.grouped) forced; \(migrations)")
    if metrics.cacheRefills > 0 {
      row(
        "cold caches",
        "\(metrics.cacheRefills.counted("refill")), \(metrics.cacheRefillTime.approximate) in all")
    }
    if program.main != nil && !program.mainIsTool {
      row("main stall", "longest \(metrics.mainLongestStall.approximate)")
    }
    if let deadlines = metrics.deadlines {
      var text = "\(deadlines.missed.grouped) of \(deadlines.count.grouped) missed by "
      text += deadlines.threads.counted("real-time thread")
      if deadlines.missed > 0 {
        text += ", at most \(deadlines.greatestLateness.approximate) late"
      }
      row("deadlines", text)
    }
  }

  private var migrations: String {
    let all = metrics.migrations.counted("migration")
    let far = metrics.clusterMigrations
    return far > 0 ? "\(all), \(far.grouped) to another cluster" : all
  }

  /// Picojoules as millijoules, exactly: `126mJ`, `0.5mJ`.
  static func millijoules(_ energy: Int64) -> String {
    let (whole, rest) = energy.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest == 0 { return "\(whole.grouped)mJ" }
    return "\(whole.grouped)\(FixedDecimal(billionths: rest).description.dropFirst())mJ"
  }

  /// What was asked for, exactly.
  private mutating func writeMeasured() {
    for (number, (measure, value)) in zip(program.measures, measured).enumerated() {
      let isRepeated = number > 0 && measured[number - 1] == value
      let text =
        switch value {
        case .number(let value): measure.unit.exact(value) + interval(number)
        case .text(let text): text
        case .missing(let reason): isRepeated ? "none, likewise" : "none: \(reason)"
        }
      row(number == 0 ? "measured" : "", "\(measure.text): \(text)")
    }
    if let steadyState { row("", steadyState.remark(program.measures)) }
  }

  /// How sure a measure is behind a warm-up: ` ±12us`; nothing where all batches agree.
  private func interval(_ measure: Int) -> String {
    guard let interval = steadyState?.intervals[measure], interval.halfWidth > 0 else { return "" }
    return " ±\(program.measures[measure].unit.approximate(interval.halfWidth))"
  }

  /// What the trace printed, as far as it is short.
  private mutating func writeOutput() {
    guard let output, output.count > 0 else { return }
    let shown = output.first.prefix(10)
    for (number, line) in shown.enumerated() { row(number == 0 ? "output" : "", line) }
    let rest = output.count - Int64(shown.count)
    if rest > 0 { row("", "and \(rest.counted("more line")): --log - shows all") }
  }

  private var makespan: String {
    let exact = Nanoseconds(metrics.makespan.nanoseconds)
    let ended = metrics.end > metrics.makespan ? ", the run ended at \(metrics.end)" : ""
    return exact.description + ended
  }

  /// Cores one by one when they are few, in groups of like numbers else.
  private mutating func writeCores() {
    var text = "\(metrics.utilization) used"
    if metrics.overheadShare > .zero { text += ", \(metrics.overheadShare) of that by costs" }
    let cores = metrics.cores
    if cores.count > 1 && cores.count <= 16 {
      let each = cores.enumerated().map { "\($0): \($1.utilization)" }.joined(separator: ", ")
      text += "\n\(each)"
    } else if cores.count > 16 {
      let sorted = cores.map(\.utilization).sorted()
      let idle = sorted.count { $0 == .zero }
      text += "\neach \(sorted[0]) to \(sorted[sorted.count - 1]), "
      text += "half of them at most \(sorted[(sorted.count - 1) / 2]), \(idle) never used"
    }
    let kinds = CoreKind.all(machine.cores)
    if kinds.count > 1 {
      text += "\n" + kinds.map { "\($0.name): \($0.use(metrics))" }.joined(separator: ", ")
    }
    row("cores", text)
  }

  private mutating func writeLocks() {
    let fought = metrics.locks.filter { $0.waits > 0 }
    for (number, lock) in fought.prefix(Summary.lockLimit).enumerated() {
      row(
        number == 0 ? "locks" : "",
        "\(lock.name): \(lock.waits.counted("wait"))"
          + (lock.isSeveral ? " for several of the name" : "") + Summary.length(of: lock))
    }
    if fought.count > Summary.lockLimit {
      row("", "and \(fought.count - Summary.lockLimit) more")
    }
  }

  /// How long threads waited for a lock.
  ///
  /// Endless waits may have begun at the very end: then a length of zero would be misleading.
  private static func length(of lock: LockMetrics) -> String {
    assert(lock.unfinishedWaits <= lock.waits, "more threads wait for '\(lock.name)' than ever did")
    let length =
      ", \(lock.totalWait.approximate) in all, longest \(lock.longestWait.approximate)"
    if lock.unfinishedWaits == 0 { return length }
    let rest = lock.unfinishedWaits == 1 ? "1 lasts" : "\(lock.unfinishedWaits) last"
    return (lock.totalWait == .zero ? "" : length) + ", \(rest) when the run ends"
  }

  private mutating func writeActors() {
    let used = metrics.actors.filter { $0.turns > 0 }
    for (number, actor) in used.prefix(Summary.lockLimit).enumerated() {
      let waited = actor.waits.indices.reversed().filter { actor.waits[$0].longest > .zero }.map {
        let name = TaskPriority.allCases[$0].name
        return ", \(name) waited up to \(actor.waits[$0].longest.approximate)"
      }
      row(
        number == 0 ? "actors" : "",
        "\(actor.name): \(actor.turns.counted("turn")), held for \(actor.held.total.approximate), "
          + "longest \(actor.held.longest.approximate)" + waited.joined())
    }
    if used.count > Summary.lockLimit { row("", "and \(used.count - Summary.lockLimit) more") }
  }

  private mutating func writeAccelerators() {
    let used = metrics.accelerators
    for (number, device) in used.prefix(Summary.lockLimit).enumerated() {
      let waited = device.waited
      let line =
        waited.longest > .zero
        ? ", queued \(waited.total.approximate) in all, longest \(waited.longest.approximate)" : ""
      row(
        number == 0 ? "accelerator" : "",
        "\(device.name): \(device.served.count.counted("request")), "
          + "\(device.served.total.approximate) in all" + line)
    }
    if used.count > Summary.lockLimit { row("", "and \(used.count - Summary.lockLimit) more") }
  }

  private mutating func writeKinds() {
    guard !metrics.kinds.isEmpty else { return }
    var table = TextTable(columns: [
      .init("work", .left), .init("count"), .init("wait p50"), .init("p95"), .init("latency p50"),
      .init("p95"), .init("p99"), .init("max"),
    ])
    for kind in metrics.kinds.prefix(Summary.kindLimit) {
      var row = [kind.pattern, kind.count.grouped]
      row += kind.wait.count > 0 ? [kind.wait.p50, kind.wait.p95].map(\.approximate) : ["-", "-"]
      let latency = kind.latency
      row +=
        latency.count > 0
        ? [latency.p50, latency.p95, latency.p99, latency.max].map(\.approximate)
        : Array(repeating: "-", count: 4)
      table.add(row)
    }
    lines.append("")
    write(table, of: metrics.kinds.count, "kinds")
    let loads = PoolLoad.lines(metrics)
    for (number, line) in loads.enumerated() { row(number == 0 ? "load" : "", line) }
    if !loads.isEmpty { lines.append("") }
  }

  private mutating func writeSamples() {
    if metrics.samples.isEmpty { return }
    var table = TextTable(
      columns: [.init("samples", .left)] + SampleText.titles.map { .init($0) })
    for samples in metrics.samples.prefix(Summary.kindLimit) {
      table.add([samples.name] + SampleText.cells(samples))
    }
    separate()
    write(table, of: metrics.samples.count, "keys")
  }

  /// The first rows of a table, and how many more there are of what the rows stand for.
  private mutating func write(_ table: TextTable, of count: Int, _ what: String) {
    var rows = table.folded(width: style.width)
    rows[0] = style.paint(rows[0], .bold)
    lines += rows
    if count > Summary.kindLimit {
      lines.append("and \(Int64(count - Summary.kindLimit).grouped) more \(what)")
    }
    lines.append("")
  }

  /// What could be known ahead of threads that do jobs.
  private mutating func writeRealtime() {
    guard let report = metrics.realtime else { return }
    separate()
    for (number, sentence) in RealtimeText.sentences(report).enumerated() {
      row(number == 0 ? "real-time" : "", sentence)
    }
    var rows = RealtimeText.table(report, width: style.width)
    rows[0] = style.paint(rows[0], .bold)
    lines += [""] + rows + [""]
  }

  /// Those of one kind about the same places are printed as the first of them.
  private mutating func writeFindings() {
    guard !metrics.findings.isEmpty else { return }
    separate()
    let groups = FindingGroups(metrics.findings)
    for group in groups.groups.prefix(Summary.fullLimit) {
      lines += FindingLines.lines(group, program.source, style)
    }
    let told = groups.groups.prefix(Summary.fullLimit)
    let left = metrics.findingCounts.compactMap { found -> String? in
      let shown = told.reduce(0) { $0 + ($1.first.kind == found.kind ? $1.count : 0) }
      if found.count == shown { return nil }
      return "\(Int64(found.count - shown).grouped) \(found.kind.rawValue)"
    }
    if !left.isEmpty {
      lines += style.wrapped("not listed: \(left.joined(separator: ", "))", indent: "")
    }
    lines.append("")
  }

  /// The calls that led to a crash, and what was done with the object that it is about.
  private mutating func writeCrash() {
    guard let crash = metrics.crash else { return }
    separate()
    for (number, call) in CrashText.calls(crash, program.source).enumerated() {
      row(number == 0 ? "calls" : "", call)
    }
    if let name = crash.objectName, !crash.uses.isEmpty { row("last uses", "of \(name)") }
    for use in CrashText.uses(crash, program.source) { row("", use) }
  }

  private mutating func writeVerdicts() {
    guard !verdicts.isEmpty else { return }
    let failed = verdicts.filter { !$0.holds }
    separate()
    row("expected", expected, failed.isEmpty ? .green : .red)
    for verdict in failed.prefix(Summary.fullLimit) {
      lines += verdict.told(of: program.source, style: style, tellsFindings: false)
    }
    if failed.count > Summary.fullLimit {
      lines.append("and \(failed.count - Summary.fullLimit) more are not met")
    }
  }

  /// How many of the trace's own expectations are met, and whether it finished if it does not state its
  /// outcome.
  private var expected: String {
    let stated = verdicts.filter { !$0.isImplied }
    let met = "\(stated.count(where: \.holds)) of \(stated.count) met"
    guard let implied = verdicts.first(where: \.isImplied) else { return met }
    if stated.isEmpty { return implied.holds ? "to finish: met" : "to finish: not met" }
    return met + (implied.holds ? ", and finished" : ", but not finished")
  }

  /// An empty line, unless one is there.
  private mutating func separate() {
    if lines.last?.isEmpty == false { lines.append("") }
  }

  /// A word at the left edge, and a text beside it in as many lines as it needs.
  private mutating func row(_ title: String, _ text: String, _ ink: TextStyle.Ink? = nil) {
    let indent = String(repeating: " ", count: Summary.titleWidth)
    for (number, line) in style.wrapped(text, indent: indent).enumerated() {
      let body = String(line.dropFirst(Summary.titleWidth))
      let padding = String(repeating: " ", count: max(1, Summary.titleWidth - title.count))
      let head = number == 0 ? style.paint(title, .dim) + padding : indent
      lines.append(head + (number == 0 ? ink.map { style.paint(body, $0) } ?? body : body))
    }
  }
}
