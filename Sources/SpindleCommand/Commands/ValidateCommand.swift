import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import SpindleSystem

/// `spindle validate`: runs real programs on this machine, simulates the same text with the costs of this
/// machine, and holds both side by side.
///
/// What runs is a program of its own beside this one, `spindle-validate`, which has its own text in it.
struct ValidateCommand {
  private let arguments: ParsedArguments
  private let console: Console

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  private var isQuick: Bool { arguments.has(.quick) }
  /// After so many programs the costs are measured once more.
  private static let callsBetween = 8
  /// How often each program is run.
  private var rounds: Int { isQuick ? 3 : 7 }

  /// Measures and simulates; the status is 1 where others had too much of the machine.
  func run() throws(CommandFailure) -> ExitStatus {
    let (listed, text) = try CommandFailure.wrap { () throws(FileFailure) in
      (try HostTool.validate.output(["list"]), try HostTool.validate.output(["texts"]))
    }
    guard let plan = ValidationPlan(listed) else { throw Self.noList }
    // What is wrong with costs that are given is said before minutes are spent.
    var mistakes = DiagnosticReport(color: false, optionNames: [:])
    if let costs = arguments[.costs],
      compiled(plan.calls[0], plan, text, costs, &mistakes) == nil
    {
      return mistakes.status
    }
    if let noise = try noise(), noise > Calibration.mostNoise, !arguments.has(.force) {
      return refuse("others have \(noise / 10).\(noise % 10)% of the processors", "10%")
    }
    var (results, calibrations): ([String: ValidatedCall], [Calibration]) = ([:], [])
    try CommandFailure.wrap { () throws(FileFailure) in
      try measure(plan, &results, &calibrations)
    }
    guard let costs = costs(calibrations) else { return .notHeld }
    let status = try predict(plan, text, costs, &results)
    if status != .held { return status }
    let noisy = results.values.count { !$0.isQuiet }
    if noisy * 3 > results.count && !arguments.has(.force) {
      return refuse("other processes disturbed \(noisy) of \(results.count) programs", "a third")
    }
    let report = ValidationReport(plan, results)
    console.output.write(report.text(width: console.environment.width))
    if noisy > 0 {
      console.warn(
        "other processes disturbed most runs of \(noisy) of \(results.count) programs")
    }
    return .held
  }

  private static var noList: CommandFailure {
    .file(
      FileFailure(
        purpose: .input,
        message:
          "'\(HostTool.validate.path)' printed unexpected output instead of a list of programs")
    )
  }

  private func refuse(_ reason: String, _ most: String) -> ExitStatus {
    console.complain(
      "\(reason); the limit is \(most). Nothing is compared, since the other processes would explain the "
        + "differences; '--force' shows the comparison anyway")
    return .notHeld
  }

  /// The share of the processors that others have, in thousandths; nil where that can't be told.
  private func noise() throws(CommandFailure) -> Int? {
    let text = try CommandFailure.wrap { () throws(FileFailure) in
      try HostTool.validate.output(["noise"])
    }
    let words = text.split { $0 == " " || $0 == "\n" }
    return words.count == 2 ? Int(words[1]) : nil
  }

  // MARK: Costs

  /// The costs of this machine: those that the options name, or the middle of what was measured between the programs; nil
  /// where others disturbed that.
  private func costs(_ calibrations: [Calibration]) -> String? {
    if let given = arguments[.costs] { return given }
    guard let calibration = Calibration(middleOf: calibrations) else { return nil }
    if !calibration.isQuiet && !arguments.has(.force) {
      _ = refuse(
        "other processes used \(calibration.noiseText) of the processors during calibration", "10%")
      return nil
    }
    return calibration.expression
  }

  /// Measures costs, once.
  private func calibrate() throws(FileFailure) -> Calibration {
    guard let calibration = Calibration(try HostTool.calibrate.output(["--once"])) else {
      throw FileFailure(
        purpose: .input, message: "'\(HostTool.calibrate.path)' printed unexpected output")
    }
    return calibration
  }

  // MARK: Simulating

  private func predict(
    _ plan: ValidationPlan, _ text: String, _ costs: String,
    _ results: inout [String: ValidatedCall]
  ) throws(CommandFailure) -> ExitStatus {
    var report = DiagnosticReport(color: false, optionNames: [:])
    for call in plan.calls {
      guard let program = compiled(call, plan, text, costs, &report) else { return report.status }
      let marks = MarkTimes()
      let run = TraceRun(program, .numbers(limits: RunLimits()), consumers: [marks])
      guard run.metrics.outcome.kind == .finished, let span = marks.span else {
        throw .file(
          FileFailure(
            purpose: .input, message: "\(call) did not come to its end in the simulation"))
      }
      results[call]?.predicted = span
      results[call]?.predictedThreads = run.metrics.threadsLive
    }
    return .held
  }

  /// The program of a call, on this machine; nil where that is wrong, which is told.
  private func compiled(
    _ call: String, _ plan: ValidationPlan, _ text: String, _ costs: String,
    _ report: inout DiagnosticReport
  ) -> Program? {
    let source = SourceText(
      name: "the trace of \(call)", utf8: Array((text + Self.main(of: call, plan)).utf8))
    var overrides = Overrides()
    overrides.costs = costs
    overrides.platform = Calibration.platform
    overrides.cores = "\(max(1, min(console.environment.processorCount, 1_024)))"
    let (program, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    // Each trace has all programs in it, and uses one: no warning is for who compares.
    report.add(diagnostics.filter { $0.severity == .error }, to: console.error)
    return program
  }

  /// What the trace of a call does: between two marks what is measured of the real program.
  static func main(of call: String, _ plan: ValidationPlan) -> String {
    let (call, before) = plan.program(call)
    let lines = [before, "mark(\"begin\")", call, "mark(\"end\")"].compactMap { $0 }
    return "\nmain(.tool) {\n" + lines.map { "    \($0)\n" }.joined() + "}\n"
  }

  // MARK: Measuring

  /// Runs all programs in turn, again and again, so that what disturbs for a while disturbs few runs of each;
  /// those that were disturbed once more.
  ///
  /// A machine is faster in one moment than in the next, so its costs are measured as often in between.
  private func measure(
    _ plan: ValidationPlan, _ results: inout [String: ValidatedCall],
    _ calibrations: inout [Calibration]
  ) throws(FileFailure) {
    let calls = plan.calls
    for call in calls { results[call] = ValidatedCall() }
    var progress = Progress(
      "running real programs", of: calls.count * rounds, console, isAlone: true)
    for round in 0..<2 * rounds {
      for (place, call) in calls.enumerated() {
        if round < rounds && arguments[.costs] == nil && place % Self.callsBetween == 0 {
          calibrations.append(try calibrate())
        }
        let result = results[call] ?? ValidatedCall()
        if round >= rounds && result.quietCount * 2 > rounds { continue }
        let (program, before) = plan.program(call)
        let text = try HostTool.validate.output(["run", program] + (before.map { [$0] } ?? []))
        guard let run = ValidationRun(text) else {
          throw FileFailure(
            purpose: .input, message: "'\(HostTool.validate.path)' did not run \(call): \(text)")
        }
        results[call]?.add(run)
        if round < rounds { progress.step() }
      }
    }
    progress.end()
  }
}

/// When the first and the last mark of a run were.
private final class MarkTimes: LogConsumer {
  private var times: (first: Instant, last: Instant)?

  /// What lies between them; nil without marks.
  var span: Nanoseconds? { times.map { $0.last - $0.first } }

  func begin(_ run: RunDescription) {}

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries where entry.event == .mark {
      let time = Instant(entry.time)
      times = (times?.first ?? time, time)
    }
  }

  func end(_ record: RunRecord) {}
}
