import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle diff`: says where two runs, or their logs, part, why, and what that costs.
struct DiffCommand {
  private let arguments: ParsedArguments
  private let console: Console
  private let base: Overrides
  private let axes: [VariantAxis]
  private let limits: RunLimits
  private let color: ColorChoice

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.arguments, self.console) = (arguments, console)
    var base = try arguments.overrides(listsMachines: true)
    var axes = try CompareCommand.axes(arguments)
    // One trace is compared with its normal run; two settings, or two traces, both have the schedule.
    if arguments.operands.count == 1, !axes.contains(where: \.hasSeveralValues) {
      base.schedule = nil
    } else {
      axes.removeAll(where: \.isSchedule)
    }
    (self.base, self.axes) = (base, axes)
    limits = try arguments.limits()
    color = try arguments.colorChoice()
    try TraceReader.checkStandardInput(arguments.operands)
  }

  /// Makes both runs and compares them; the status is 1 where they differ.
  func run() throws(CommandFailure) -> ExitStatus {
    let sources = try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(arguments.operands)
      let reader = TraceReader(console.environment)
      return try arguments.operands.map { (path) throws(FileFailure) in try reader.read(path) }
    }
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--policy": "--policies"])
    var sides: [RunDifference.Side] = []
    var status = ExitStatus.held
    let logs = try sources.map { (source) throws(CommandFailure) in try ReadLog.read(source) }
    if logs.allSatisfy({ $0 != nil }) {
      try ReadLog.refuseSettings(arguments)
      if sources.count < 2 { throw .usage(UsageText.diffNeedsTwo("is one")) }
    }
    for (index, (label, source, overrides)) in try runs(sources).enumerated() {
      if sources.count == 2, let log = logs[index] {
        let decisions = RunDecisions()
        log.replay(to: [Timeline(decisions)])
        sides.append(RunDifference.Side(label, decisions))
        continue
      }
      let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
      report.add(diagnostics, to: console.error)
      guard let program else { continue }
      let decisions = RunDecisions()
      let record = RunRequest.explained(limits: limits)
        .run(program, consumers: [Timeline(decisions)])
      status = max(
        status,
        UnkeptSchedule.report(record.scheduleFaults, of: source, console, color: color))
      sides.append(RunDifference.Side(label, decisions))
    }
    guard sides.count == 2 else { return report.status }
    let style = TextStyle(
      width: console.environment.width, usesColor: console.usesColor(color))
    let difference = RunDifference(sides[0], sides[1], style: style)
    console.output.write(difference.lines().joined(separator: "\n") + "\n")
    return max(status, difference.isEmpty ? .held : .notHeld)
  }

  /// The two runs: of two traces, or of one in two settings.
  private func runs(
    _ sources: [SourceText]
  ) throws(CommandFailure) -> [(label: String, source: SourceText, overrides: Overrides)] {
    let expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: sources[0], base, Compiler.standard)
    }
    try VariantAxis.checkCount(expanded)
    let variants = VariantAxis.variants(expanded, base: base)
    if sources.count == 2 {
      guard variants.count == 1 else {
        throw .usage(UsageText.oneSettingEach(variants.count))
      }
      let isSame = sources[0].name == sources[1].name
      return sources.enumerated().map { index, source in
        (isSame ? "\(source.name)#\(index + 1)" : source.name, source, variants[0].overrides)
      }
    }
    guard variants.count == 2 else {
      throw .usage(UsageText.diffNeedsTwo(variants.count == 1 ? "is one" : "are \(variants.count)"))
    }
    return variants.map { ($0.label, sources[0], $0.overrides) }
  }
}
