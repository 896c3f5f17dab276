import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator

/// Holds the runs of a program that is right against what must hold of every such program.
struct ProgramJudge {
  /// What a run may take.
  let steps: Int64
  /// Called before each part, so that whoever watches knows in which one it ended.
  let begin: (String) -> Void

  /// One way to run it.
  private struct Way {
    var joined = true
    var shortcuts = ShortcutSet.all
    var checksInvariants = false
  }

  /// Judges a text.
  func judge(_ text: String) -> Judge.Result {
    var result = Judge.Result()
    begin("check")
    var compiler = Compiler.standard
    let (program, diagnostics) = compiler.compile(SourceText(name: "random.trace", text))
    let errors = diagnostics.filter { $0.severity == .error }
    guard let program, errors.isEmpty else {
      result.faults.append(
        "a right program is refused: \(errors.first?.message ?? "without an error")")
      return result
    }
    compiler.joinsInstructions = false
    let plain = compiler.compile(SourceText(name: "random.trace", text)).program
    result.ran = true
    begin("laws")
    let first = run(program, Way(checksInvariants: true), &result, holdsLaws: true)
    begin("plain twin")
    let twin = run(plain ?? program, Way(joined: false, shortcuts: .none), &result)
    begin("some shortcuts")
    // Which of them are on is another half of all for each text.
    let half = ShortcutSet(rawValue: UInt32(truncatingIfNeeded: Self.hash(text)))
    let some = run(program, Way(shortcuts: half), &result)
    result.expect(first == twin, "without any shortcut the run is another")
    result.expect(first == some, "with the shortcuts \(half.rawValue & 0xFFF) the run is another")
    return result
  }

  /// A number of a text, the same each time (FNV-1a).
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 17
  }

  /// Runs the program in one way; returns what must be the same in all.
  private func run(
    _ program: Program, _ way: Way, _ result: inout Judge.Result, holdsLaws: Bool = false
  ) -> String {
    var limits = RunLimits()
    limits.steps = steps
    limits.checksInvariants = way.checksInvariants
    let laws = ConservationLaws()
    var request = RunRequest(limits: limits)
    request.shortcuts = way.shortcuts
    let run = TraceRun(program, request, consumers: holdsLaws ? [laws] : [])
    let record = run.record
    result.expect(
      record.outcome.kind == .finished && record.outcome.exitCode == 0,
      "the program ends as \(record.outcome.kind): \(record.outcome.message)")
    if holdsLaws {
      for verdict in run.verdicts {
        result.expect(verdict.holds, "an expectation of the program does not hold")
      }
      for violation in laws.violations.prefix(5) { result.faults.append(violation) }
    }
    return "\(run.digest) \(record.end.nanoseconds) \(record.makespan.nanoseconds) \(record.cores)"
  }
}
