import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// One run of one trace with its timeline, for the commands that look into it.
struct ExplainedRun {
  let program: Program
  let store: TimelineStore
  let record: RunRecord
  /// Who wrote the values that are asked for; nil where none are.
  var history: ValueHistory?
  let style: TextStyle
  /// What the run can be made again with, otherwise; nil for a log that was read.
  let again: WhatIfAnalysis?
  /// 1 where the run is not one of its schedule.
  let status: ExitStatus

  /// Reads, compiles and runs the trace that a command names, or reads its log.
  ///
  /// Gives the status instead when the trace has errors, which are told.
  static func make(
    _ arguments: ParsedArguments, _ console: Console, width: Int? = nil
  ) throws(CommandFailure) -> (run: ExplainedRun?, status: ExitStatus) {
    let color = try arguments.colorChoice()
    let style = TextStyle(
      width: width ?? console.environment.width, usesColor: console.usesColor(color))
    let limits = try arguments.limits()
    var overrides = try arguments.overrides()
    overrides.cores = try arguments.single(.cores, listedBy: .cores)
    if let cores = overrides.cores { try ParsedArguments.checkCores(cores) }
    overrides.parameters = try arguments.assignments(.set)
    for assignment in overrides.parameters {
      try ParsedArguments.checkSingle(
        assignment.value, shown: "\(assignment.name)=\(assignment.value)", .set, listedBy: .set)
    }
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(arguments.operands)
      return try TraceReader(console.environment).read(arguments.operands[0])
    }
    let store = TimelineStore()
    let history = arguments[.value].map { ValueHistory(of: $0) }
    let metrics = Metrics()
    let consumers: [any LogConsumer] = [Timeline(store), metrics] + (history.map { [$0] } ?? [])
    if let log = try ReadLog.read(source) {
      try ReadLog.refuseSettings(arguments)
      log.replay(to: consumers)
      let program = log.run.program
      var record = log.record
      record.findings = metrics.result.findings
      let read = ExplainedRun(
        program: program, store: store, record: record, history: history, style: style,
        again: nil, status: .held)
      return (read, .held)
    }
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    report.add(diagnostics, to: console.error)
    guard let program else { return (nil, report.status) }
    var request = RunRequest.explained(limits: limits)
    request.tracesWrites = history != nil
    var record = request.run(program, consumers: consumers)
    record.crash?.findUses(program, request)
    record.findings = metrics.result.findings
    let again = WhatIfAnalysis(source: source, overrides: overrides, limits: limits)
    let made = ExplainedRun(
      program: program, store: store, record: record, history: history, style: style,
      again: again,
      status: UnkeptSchedule.report(
        record.scheduleFaults, of: program.source, console, color: color))
    return (made, made.status)
  }
}
