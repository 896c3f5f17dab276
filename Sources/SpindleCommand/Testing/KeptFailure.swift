import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// A failure that a trace goes on to show while it is made smaller, under a schedule if there is one.
struct KeptFailure {
  let goal: ReductionGoal
  /// What goes wrong besides: that may go, and nothing else may come.
  let troubles: Set<Finding.Kind>
  /// How the run ends: another crash, kill or refusal must not come either.
  let end: Outcome.Kind
  let limits: RunLimits
  /// Whether a command ends with 0 when it is given a trace.
  let succeeds: (String, SourceText) throws(FileFailure) -> Bool

  /// Whether a trace shows it under a schedule, and not without.
  private func isShown(
    by candidate: SourceText, _ schedule: Schedule?
  ) throws(FileFailure) -> Bool {
    guard var program = Self.compiled(candidate, schedule).program else { return false }
    if case .command(let command) = goal {
      return try succeeds(command, Self.text(candidate, schedule))
    }
    let run = TraceRun(program, .judged(limits: limits))
    guard goal.isShown(by: run), Self.troubles(run).isSubset(of: troubles),
      run.record.scheduleFaults.isEmpty, mayEnd(run.metrics.outcome.kind)
    else { return false }
    guard let schedule, !schedule.isEmpty else { return true }
    // What fails by itself needs no schedule, and is another failure.
    program.schedule = nil
    return !goal.isShown(by: TraceRun(program, .judged(limits: limits)))
  }

  /// Whether a smaller trace may end so: that the run stops early is no part of what was seen.
  private func mayEnd(_ kind: Outcome.Kind) -> Bool {
    switch kind {
    case .finished, .deadlock, .timeLimit, .stepLimit: true
    case .crashed, .killed, .refused, .policyFault: kind == end
    }
  }

  /// The smallest trace that shows it with the shortest schedule, as a block of the trace, and how many were tried.
  ///
  /// What only a line speaks of that is not needed is not needed either: lines go first, and again when the trace is
  /// smaller.
  func reduced(
    _ source: SourceText, _ schedule: Schedule?
  ) throws(FileFailure) -> (small: SourceText, tries: Int) {
    var (small, tries, schedule) = (source, 0, schedule)
    var count = -1
    while true {
      if let longer = schedule { schedule = try shortened(longer, small, &tries) }
      let left = schedule?.lines.count ?? 0
      if count == left { return (Self.text(small, schedule), tries) }
      count = left
      let present = schedule
      var reducer = Reducer { (candidate) throws(FileFailure) in
        try isShown(by: candidate, present)
      }
      small = try reducer.reduced(small)
      tries += reducer.tries
    }
  }

  /// A schedule without the lines that are not needed; the last one stays.
  private func shortened(
    _ schedule: Schedule, _ source: SourceText, _ tries: inout Int
  ) throws(FileFailure) -> Schedule {
    var (short, index) = (schedule, 0)
    while short.lines.count > 1, index < short.lines.count {
      var fewer = short
      fewer.lines.remove(at: index)
      tries += 1
      if try isShown(by: source, fewer) { short = fewer } else { index += 1 }
    }
    return short
  }

  /// The program of a trace, with a schedule in place of its own if there is one.
  static func compiled(
    _ source: SourceText, _ schedule: Schedule?
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    var overrides = Overrides()
    overrides.schedule = schedule
    return Compiler.standard.compile(source, overrides: overrides)
  }

  /// The text of a trace with a schedule, if there is one.
  static func text(_ source: SourceText, _ schedule: Schedule?) -> SourceText {
    guard let schedule, !schedule.isEmpty else { return source }
    return SourceText(name: source.name, ScheduledTrace.text(of: source, with: schedule))
  }

  /// The kinds of errors and warnings that were found in a run.
  static func troubles(_ run: TraceRun) -> Set<Finding.Kind> {
    Set(run.metrics.findings.lazy.map(\.kind).filter { $0.severity != .note })
  }
}
