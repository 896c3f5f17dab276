import SpindleLanguage
import SpindleModel
import SpindleRecordings
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle replay`: simulates a recording on the machine that it was recorded on, holds both side by side,
/// and then says what would be on another one.
struct ReplayCommand {
  private let arguments: ParsedArguments
  private let console: Console
  private let axes: [VariantAxis]
  private let base: Overrides
  private let limits: RunLimits
  private let color: ColorChoice
  private let choice: RecordingChoice

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.arguments, self.console) = (arguments, console)
    axes = try CompareCommand.axes(arguments)
    // The trace of a recording has its cores as a parameter, which the option would hide.
    if axes.contains(where: { $0.subject == .cores }),
      axes.contains(where: { $0.subject == .parameter("cores") })
    {
      throw .usage(UsageText.givenByBoth("--cores", "cores"))
    }
    base = try arguments.overrides(listsMachines: true)
    limits = try arguments.limits()
    color = try arguments.colorChoice()
    choice = try ImportedRecording.choice(arguments)
  }

  /// Replays the recording; the status is 1 where what was asked for is refused.
  func run() throws(CommandFailure) -> ExitStatus {
    let recording = try ImportedRecording(.init(arguments, console), choice)
    if let warning = recording.warning { console.warn(warning) }
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true), optionNames: ["--policy": "--policies"])
    let question = try question(recording, &report)
    if report.status != .held { return report.status }
    let program = try recording.program(
      takesOthers: arguments[.others] != "none", keepsProbes: true)
    guard let table = replayed(program, recording, &report) else {
      return max(report.status, .notHeld)
    }
    var lines = ["\(recording.name): \(program.summary)", ""]
    lines += table.lines()
    lines += ["", verdict(table)]
    console.output.write(lines.joined(separator: "\n") + "\n")
    guard let question else { return .held }
    guard table.isConsistent || arguments.has(.force) else {
      console.complain(
        "the simulation of the recording is off by more than 5%, so forecasts for other machines "
          + "are refused; '--force' shows them anyway")
      return .notHeld
    }
    for doubt in table.doubts(program) { console.warn(doubt) }
    if program.cores == 1, asksForMoreCores {
      console.warn(
        "forecasts for several cores may be inaccurate: the recording is of one core, on which threads rarely "
          + "contend for locks")
    }
    return whatIf(question, program, &report)
  }

  /// Whether a machine with more than one core is asked about.
  private var asksForMoreCores: Bool {
    axes.contains { axis in
      (axis.subject == .cores || axis.subject == .parameter("cores"))
        && axis.values.contains { $0 != "1" }
    }
  }

  private func verdict(_ table: ReplayTable) -> String {
    let text =
      "recorded \(table.recorded.approximate), simulated \(table.simulated.approximate): "
      + (table.error == 0 ? "the same" : ReplayTable.percent(table.error))
    if table.isConsistent { return text }
    let hint = "; '--level threads' keeps each worker where it ran"
    return text + ", which is too far off to trust it" + (table.hasPool ? hint : "")
  }

  private func replayed(
    _ program: RecordedProgram, _ recording: ImportedRecording, _ report: inout DiagnosticReport
  ) -> ReplayTable? {
    let (compiled, diagnostics) = Compiler.standard.compile(
      recording.trace(program, endsWithMain: false), overrides: base)
    report.add(diagnostics, to: console.error)
    guard let compiled else { return nil }
    return activity(of: compiled, "the recording").map {
      ReplayTable(program, $0, style: style)
    }
  }

  /// Runs a program to its end; nil where something else ended it, which is told: what it took until then says
  /// nothing of the recording.
  private func activity(of program: Program, _ what: String) -> ActivityTable? {
    let table = ActivityTable()
    let record = RunRequest(limits: limits).run(program, consumers: [table])
    let reason: String
    switch record.outcome.kind {
    case .finished, .deadlock: return table
    case .stepLimit: reason = "by the limit of \(limits.steps) steps; '--steps' sets another"
    case .timeLimit: reason = "by the limit of an hour; '--until' sets another"
    case .crashed, .killed, .refused, .policyFault: reason = record.outcome.message
    }
    console.complain("the run of \(what) ended before its end: \(reason)")
    return nil
  }

  private var style: TextStyle {
    TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
  }

  /// What is asked beside the recording.
  private struct Question {
    let program: RecordedProgram
    let source: SourceText
    let variants: [TraceVariant]
  }

  /// What is asked, with what is wrong with it told before anything is run; nil where nothing is.
  private func question(
    _ recording: ImportedRecording, _ report: inout DiagnosticReport
  ) throws(CommandFailure) -> Question? {
    if axes.isEmpty { return nil }
    let program = try recording.program(takesOthers: arguments[.others] == "threads")
    let source = recording.trace(program)
    let expanded = try axes.map { (axis) throws(CommandFailure) in
      try axis.expanded(in: source, base, Compiler.standard)
    }
    try VariantAxis.checkCount(expanded)
    // Each value by itself: there may be 10,000 variants.
    for axis in expanded {
      for variant in VariantAxis.variants([axis], base: base) {
        let diagnostics = Compiler.standard.compile(source, overrides: variant.overrides)
          .diagnostics
        report.add(diagnostics.filter { $0.severity == .error }, to: console.error)
      }
    }
    return Question(
      program: program, source: source,
      variants: VariantAxis.variants(expanded, base: base))
  }

  /// The program alone, on the recorded machine and on those that are asked for; `recorded` is the program beside
  /// what else ran.
  private func whatIf(
    _ question: Question, _ recorded: RecordedProgram, _ report: inout DiagnosticReport
  ) -> ExitStatus {
    let (program, source) = (question.program, question.source)
    var table = TextTable(columns: [
      .init("what if", .left), .init("makespan"), .init("difference"), .init("waiting"),
      .init("switches"),
    ])
    var (first, isWhole): (Int64?, Bool) = (nil, true)
    let variants = [TraceVariant(label: "the recorded machine", overrides: base)]
    for variant in variants + question.variants {
      let (compiled, diagnostics) = Compiler.standard.compile(
        source, overrides: variant.overrides)
      report.add(diagnostics, to: console.error)
      guard let compiled else { continue }
      guard let activity = activity(of: compiled, variant.label) else {
        isWhole = false
        continue
      }
      let replay = ReplayTable(program, activity, style: style)
      let span = replay.simulated.rawValue
      if first == nil, let doubt = replay.doubt(beside: recorded, probes: program.probes) {
        console.warn(doubt)
      }
      let base = first ?? span
      let share = base == 0 ? 0 : (Double(span) - Double(base)) / Double(base)
      let rows = replay.pairs.map(\.simulated)
      table.add([
        variant.label, replay.simulated.approximate,
        first == nil ? "" : ReplayTable.percent(share),
        Nanoseconds(rows.reduce(0) { $0 + $1.waited }).approximate,
        rows.reduce(0) { $0 + $1.switches }.description,
      ])
      first = base
    }
    let beside = program.takesOthers ? "beside what else ran" : "alone"
    let probes =
      program.probes > .zero ? ", without \(program.probes.approximate) that probes took" : ""
    console.output.write("\nThe program \(beside)\(probes):\n" + table.rendered(width: style.width))
    return isWhole ? report.status : max(report.status, .notHeld)
  }
}
