import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator

/// By how much a run would be shorter if something on its critical path were otherwise: exactly, by running it.
struct WhatItTakes {
  /// The trace and its settings, for a program in which every instruction stands for itself.
  let source: SourceText
  let overrides: Overrides
  let limits: RunLimits

  /// Runs of more steps than these are not repeated.
  private static let greatestRun: Int64 = 50_000_000

  /// What is said of each remedy of a run, in lines; none where there is nothing to say.
  func lines(_ store: TimelineStore, _ record: RunRecord, style: TextStyle) -> [String] {
    let remedies = record.steps > WhatItTakes.greatestRun ? [] : store.remedies()
    if remedies.isEmpty { return [] }
    var compiler = TraceRun.compiler
    compiler.joinsInstructions = false
    guard let program = compiler.compile(source, overrides: overrides).program else { return [] }
    let lines = remedies.flatMap { remedy -> [String] in
      guard let changed = ProgramChange.program(program, with: remedy.change) else { return [] }
      let run = Simulation(changed, limits: limits).run(consumers: [])
      return style.item("\(remedy.label): \(WhatItTakes.words(run, instead: record))")
    }
    return lines.isEmpty ? [] : ["", style.bold("What it would take")] + lines
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
