package import SpindleModel

/// Takes the measures of a run in consecutive windows of its time: when a window begins, all counts are
/// forgotten, and what is under way continues.
///
/// A class, since the simulator gets it and the caller reads it.
package final class RunWindows: LogConsumer {
  private let program: Program
  /// When the windows begin, ascending; the last one continues to the end.
  private let starts: [Int64]
  private var tally = MetricsTally()
  private var observations: Observations
  private var names = NameTable([])
  private var machine: ResolvedMachine?
  private var use = CoreUseTally()
  private var memory: Int64 = 0
  /// How many windows have begun.
  private var begun = 0
  /// What the measures came to in each window that is over but the last.
  private var earlier: [[MeasuredValue]] = []
  private var last: RunMetrics?

  /// Creates a consumer for one run of `program`, with windows that begin at these moments, ascending.
  package init(_ program: Program, starts: [Instant]) {
    precondition(
      zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "windows begin at \(starts)")
    (self.program, self.starts) = (program, starts.map(\.nanoseconds))
    observations = Observations(Inquiry(program, asked: program.measures.map(\.term)))
  }

  package var needsEveryEntry: Bool { observations.inquiry.needsWaiting }

  package func begin(_ run: RunDescription) {
    tally.prepare(run.program, cores: run.machine.cores)
    (names, machine) = (run.names, run.machine)
    observations.begin(run.names)
    use = CoreUseTally(coreCount: run.machine.cores.count)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    var rest = entries[...]
    while begun < starts.count, let time = rest.last?.time, time >= starts[begun] {
      let cut = rest.firstIndex { $0.time >= starts[begun] } ?? rest.endIndex
      take(UnsafeBufferPointer(rebasing: rest[..<cut]))
      rest = rest[cut...]
      turn(at: starts[begun])
    }
    take(UnsafeBufferPointer(rebasing: rest))
  }

  package func end(_ record: RunRecord) {
    let end = record.makespan > .start ? record.makespan : record.end
    while begun < starts.count && starts[begun] < end.nanoseconds { turn(at: starts[begun]) }
    if begun == starts.count, (starts.last ?? 0) < end.nanoseconds {
      last = numbers(until: end.nanoseconds, of: self.record(until: end, endOfRun: record.end))
    }
  }

  /// The numbers of a run with those of the last window in place of those that windows have; nil when the
  /// run was over before it began.
  private func observed(_ whole: RunMetrics) -> RunMetrics? {
    guard let last else { return nil }
    var metrics = whole
    (metrics.threadsPeak, metrics.threadsCreated) = (last.threadsPeak, last.threadsCreated)
    metrics.memoryPeak = last.memoryPeak
    (metrics.switchesVoluntary, metrics.switchesForced) =
      (last.switchesVoluntary, last.switchesForced)
    (metrics.migrations, metrics.clusterMigrations) = (last.migrations, last.clusterMigrations)
    (metrics.cacheRefills, metrics.cacheRefillTime) = (last.cacheRefills, last.cacheRefillTime)
    (metrics.kinds, metrics.items) = (last.kinds, last.items)
    metrics.mainLongestStall = last.mainLongestStall
    (metrics.windowUse, metrics.windowSpan) = (last.windowUse, last.windowSpan)
    return metrics
  }

  /// What each measure came to in the last window; nil when the run was over before it began.
  package func values(_ whole: RunMetrics, _ record: RunRecord) -> [MeasuredValue]? {
    observed(whole).map { values($0, record: record) }
  }

  /// What each measure came to in each window; fewer than there are windows when the run was over before.
  package func allValues(_ whole: RunMetrics, _ record: RunRecord) -> [[MeasuredValue]] {
    earlier + (values(whole, record).map { [$0] } ?? [])
  }

  private func take(_ entries: UnsafeBufferPointer<LogEntry>) {
    tally.receive(entries)
    observations.receive(entries)
    for entry in entries {
      switch entry.event {
      case .memoryChanged: memory = entry.value
      case .threadRuns: use.runs(entry)
      case .threadPreempted, .threadBlocked, .threadEnded, .threadKilled: use.leaves(entry)
      default: break
      }
    }
  }

  /// Ends a window, if one has begun, and begins the next.
  private func turn(at time: Int64) {
    if begun > 0 {
      let record = record(until: Instant(time), endOfRun: Instant(time))
      earlier.append(values(numbers(until: time, of: record), record: record))
    }
    tally.restart(memory: memory)
    observations.forget()
    use.restart(at: time)
    begun += 1
  }

  /// The record of a run that ends with a window.
  ///
  /// Behind the last one the main thread may be busy, or wait, up to the end of the whole run.
  private func record(until time: Instant, endOfRun: Instant) -> RunRecord {
    guard let machine else { fatalError("a window ends before its run begins") }
    return RunRecord(on: machine, outcome: .init(.finished), end: endOfRun, makespan: time)
  }

  private func numbers(until time: Int64, of record: RunRecord) -> RunMetrics {
    var numbers = tally.soFar(record, program, names: names)
    numbers.energy = nil
    numbers.windowUse = use.share(until: time)
    numbers.windowSpan = Nanoseconds(time - (begun > 0 ? starts[begun - 1] : 0))
    return numbers
  }

  private func values(_ metrics: RunMetrics, record: RunRecord) -> [MeasuredValue] {
    let evaluation = Evaluation(
      program: program, metrics: metrics, record: record, names: names,
      observations: observations)
    return program.measures.map { RunWindows.value($0.term, evaluation) }
  }
}

extension RunWindows {
  private static func value(_ term: ExpectationTerm, _ evaluation: Evaluation) -> MeasuredValue {
    do {
      return MeasuredValue(try evaluation.value(term))
    } catch {
      return .missing(error.explanation)
    }
  }
}

/// How long the cores were used in a window, from the log: from when a core gets a thread to when it loses
/// it, its own work and costs are all there is.
private struct CoreUseTally {
  /// By core: since when it has a thread; -1 for none.
  private var since: [Int64]
  private var start: Int64 = 0
  private var used = Int128(0)

  init(coreCount: Int = 0) { since = Array(repeating: -1, count: coreCount) }

  mutating func runs(_ entry: LogEntry) {
    let core = Int(entry.core)
    if core >= 0 && core < since.count { since[core] = entry.time }
  }

  mutating func leaves(_ entry: LogEntry) {
    let core = Int(entry.core)
    guard core >= 0 && core < since.count && since[core] >= 0 else { return }
    used += Int128(entry.time - max(start, since[core]))
    since[core] = -1
  }

  /// Forgets what was before.
  mutating func restart(at time: Int64) { (start, used) = (time, 0) }

  /// The share of the cores' time since the start.
  func share(until end: Int64) -> FixedDecimal {
    let whole = Int128(end - start) * Int128(since.count)
    guard whole > 0 else { return FixedDecimal(billionths: 0) }
    var sum = used
    for begin in since where begin >= 0 { sum += Int128(max(0, end - max(start, begin))) }
    let share = (min(sum, whole) * Int128(FixedDecimal.scale) + whole / 2) / whole
    return FixedDecimal(billionths: Int64(share))
  }
}
