import Foundation
import SpindleCommand
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import SpindleSystem

/// Holds what the tool makes of one input against what must hold of every input.
struct Judge {
  /// What a run may take; a run with the state checked takes a fraction of it.
  let steps: Int64
  /// Called before each part, so that whoever watches knows in which one it ended.
  let begin: (String) -> Void

  /// What came of an input.
  struct Result {
    /// Whether it was a trace that could be run.
    var ran = false
    /// What did not hold, each in one line.
    var faults: [String] = []

    /// Notes a fault.
    mutating func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
      if !holds { faults.append(fault()) }
    }
  }

  /// A call of the tool.
  private struct Call {
    let status: ExitStatus
    let output: String
    let error: String

    init(_ arguments: [String], input: [UInt8]) {
      let (output, error) = (OutputSink(), OutputSink())
      status = Tool.run(
        arguments: arguments, environment: HostEnvironment(standardInput: input),
        standardOutput: output, standardError: error)
      (self.output, self.error) = (output.text, error.text)
    }
  }

  /// Runs with more entries are not checked after each: that takes time by their square.
  private static let mostCheckedEntries = 20_000
  /// How many steps of such a run are checked all the same.
  private static let checkedSteps: Int64 = 2_000

  /// Judges a text.
  func judge(_ text: String) -> Result {
    var result = Result()
    let input = Array(text.utf8)
    begin("check")
    let check = Call(["check", "-"], input: input)
    begin("format")
    let formatted = format(input, check, &result)
    begin("simulate")
    let simulate = Call(["simulate", "-", "--json", "--steps", "\(steps)"], input: input)
    result.expect(
      check.output == simulate.error, "check and simulate say different things of the text")
    result.expect(
      (check.status == .traceErrors) == (simulate.status == .traceErrors),
      "check ends with \(check.status), simulate with \(simulate.status)")
    guard check.status == .held, simulate.status <= .notHeld else { return result }
    result.ran = true
    let isJSON = (try? JSONSerialization.jsonObject(with: Data(simulate.output.utf8))) != nil
    result.expect(isJSON, "the JSON is no JSON")
    run(input, simulate.output, formatted, &result)
    return result
  }

  /// The formatted text; nil when the text has no form.
  private func format(_ input: [UInt8], _ check: Call, _ result: inout Result) -> [UInt8]? {
    let once = Call(["format", "-"], input: input)
    guard once.status == .held else {
      result.expect(check.status == .traceErrors, "format refuses what check accepts")
      return nil
    }
    let formatted = Array(once.output.utf8)
    let twice = Call(["format", "-"], input: formatted)
    result.expect(
      twice.status == .held && twice.output == once.output, "formatted text is formatted anew")
    return formatted
  }

  /// Runs the trace once more with its state checked, and once formatted, step by step and without any shortcut.
  private func run(
    _ input: [UInt8], _ json: String, _ formatted: [UInt8]?, _ result: inout Result
  ) {
    begin("single steps")
    guard let single = Run(formatted ?? input, steps: steps, joined: false) else {
      result.faults.append("the formatted text has errors")
      return
    }
    let isShort = single.record.entries <= Self.mostCheckedEntries
    begin("invariants")
    let checked = Run(
      input, steps: isShort ? steps : Self.checkedSteps, joined: true, checksInvariants: true)
    guard isShort else { return }
    guard let checked else {
      result.faults.append("the text has errors the second time")
      return
    }
    // The tool's own, which explains a crash by a run more.
    begin("simulate again")
    let again = Call(
      ["simulate", "-", "--json", "--steps", "\(steps)", "--check-invariants"], input: input)
    result.expect(again.output == json, "the second run gives other JSON than the first")
    result.expect(
      checked.digest == single.digest && checked.record.steps == single.record.steps
        && checked.record.makespan == single.record.makespan,
      "formatted and step by step, the run is another: digest \(checked.digest), \(single.digest)")
  }
}

/// One run, with all its consumers.
private struct Run {
  let record: RunRecord
  let digest: String

  /// Runs a text; nil when it has errors.
  init?(_ input: [UInt8], steps: Int64, joined: Bool, checksInvariants: Bool = false) {
    var compiler = Compiler.standard
    compiler.joinsInstructions = joined
    let source = SourceText(name: "<stdin>", utf8: input)
    guard let program = compiler.compile(source).program else { return nil }
    var limits = RunLimits()
    limits.steps = steps
    limits.checksInvariants = checksInvariants
    var request = RunRequest(limits: limits)
    request.keepsOutput = true
    // Step by step is also without the shortcuts; but two of them change how many steps there are.
    if !joined { request.shortcuts = [.repeatedQuanta, .busyRounds] }
    // The log's text goes nowhere, but is made.
    let run = TraceRun(program, request, consumers: [LogText { _ in }])
    (record, digest) = (run.record, run.digest)
  }
}
