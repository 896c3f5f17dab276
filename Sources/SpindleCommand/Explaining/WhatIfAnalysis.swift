import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun

/// What-if: re-runs a trace with one change on its critical path and reports the difference in makespan.
struct WhatIfAnalysis {
  /// The trace and its settings, for a program in which every instruction stands for itself.
  let source: SourceText
  let overrides: Overrides
  let limits: RunLimits

  /// Runs of more steps than these are not repeated.
  private static let greatestRun: Int64 = 50_000_000

  /// What is said of each remedy of a run, in lines; none where there is nothing to say.
  func lines(_ store: TimelineStore, _ record: RunRecord, style: TextStyle) -> [String] {
    let lines =
      tried(store, record).flatMap { style.item($0) }
      + (store.lateWorkers().map { style.item($0) } ?? [])
    return lines.isEmpty ? [] : ["", style.bold("What it would take")] + lines
  }

  /// Each remedy of a run with what the run comes to that has it.
  private func tried(_ store: TimelineStore, _ record: RunRecord) -> [String] {
    let remedies = record.steps > WhatIfAnalysis.greatestRun ? [] : store.remedies()
    if remedies.isEmpty { return [] }
    var compiler = Compiler.standard
    compiler.joinsInstructions = false
    guard let program = compiler.compile(source, overrides: overrides).program else { return [] }
    return remedies.compactMap { remedy in
      guard let changed = ProgramChange.program(program, with: remedy.change) else { return nil }
      let run = RunRequest(limits: limits).run(changed)
      return "\(remedy.label): \(WhatIfAnalysis.words(run, instead: record))"
    }
  }

  /// What a changed run comes to beside the one that was made.
  private static func words(_ run: RunRecord, instead record: RunRecord) -> String {
    if run.outcome.kind != record.outcome.kind {
      return "the run would be \(run.outcome.kind.name)"
    }
    let makespan = "makespan \(run.makespan)"
    let change = run.makespan.nanoseconds - record.makespan.nanoseconds
    if change == 0 { return "\(makespan) still" }
    let length = Nanoseconds(abs(change))
    return "\(makespan), \(length) \(change < 0 ? "less" : "more")"
  }
}
