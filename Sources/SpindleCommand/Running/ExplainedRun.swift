import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator

/// One run of one trace with its timeline, for the commands that look into it.
struct ExplainedRun {
  let program: Program
  let store: TimelineStore
  let record: RunRecord
  let style: TextStyle
  /// What the run can be made again with, otherwise; nil for a log that was read.
  let again: WhatItTakes?

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
    if let log = try ReadLog.read(source) {
      try ReadLog.refuseSettings(arguments)
      log.replay(to: [Timeline(store)])
      let program = log.run.program
      let read = ExplainedRun(
        program: program, store: store, record: log.record, style: style, again: nil)
      return (read, .held)
    }
    var report = DiagnosticReport(color: console.usesColor(color, onError: true))
    let (program, diagnostics) = TraceRun.compiler.compile(source, overrides: overrides)
    report.add(diagnostics, to: console.error)
    guard let program else { return (nil, report.status) }
    let record = Simulation(program, limits: limits).run(consumers: [Timeline(store)])
    let again = WhatItTakes(source: source, overrides: overrides, limits: limits)
    let made = ExplainedRun(
      program: program, store: store, record: record, style: style, again: again)
    return (made, .held)
  }
}

extension ParsedArguments {
  /// The moment that an option gives, such as `192ms`; nil when it is not given.
  func moment(_ name: OptionDescription.Name) throws(CommandFailure) -> Instant? {
    guard let text = self[name] else { return nil }
    guard let time = MomentText.value(text) else {
      throw .usage(UsageText.momentForm(name.rawValue, not: text))
    }
    return time
  }
}

/// Reads moments of virtual time: a number with a unit, as traces write durations.
enum MomentText {
  private static let units: [(name: String, size: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("min", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// The moment; nil for a text that is none, is negative, or is later than any moment.
  static func value(_ text: String) -> Instant? {
    if text == "0" { return .start }
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "_" || $0 == "." }
    let unit = text.dropFirst(digits.count)
    guard let size = units.first(where: { $0.name == unit })?.size else { return nil }
    let parts = digits.filter { $0 != "_" }.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: size)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return Instant(product) }
    var (scale, fraction) = (size, Int64(0))
    guard !parts[1].isEmpty else { return nil }
    for digit in parts[1] {
      guard scale % 10 == 0, let value = digit.wholeNumberValue else { return nil }
      scale /= 10
      fraction += Int64(value) * scale
    }
    let (sum, isTooLate) = product.addingReportingOverflow(fraction)
    return isTooLate ? nil : Instant(sum)
  }
}
