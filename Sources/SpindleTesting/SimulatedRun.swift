import SpindleLanguage
// Who asks for an outcome or a number, or hands over a policy, needs no import of theirs.
@_exported public import SpindleModel
@_exported public import SpindleReports
import SpindleRun
@_exported public import SpindleSimulator

/// A trace's run, which has ended.
public struct SimulatedRun: Sendable {
  /// How it ended.
  public let outcome: Outcome.Kind
  /// Which rule the policy broke, where that ended the run.
  public let policyFault: PolicyFault?
  /// When the last code of the trace or the last work ended, since the start.
  public let makespan: Duration
  /// All its numbers.
  public let metrics: RunMetrics
  /// What was found in it, each kind once, in the order in which it was found.
  public let findings: [Finding.Kind]
  /// What the trace expects and what does not hold, with what was seen; empty when all does.
  public let unmet: [String]
  /// The digest of its log: equal digests mean equal runs.
  public let digest: String
  /// What `spindle simulate` prints of it.
  public let summary: String
  private let text: TestedText
  private let program: Program
  private let settings: SimulationSettings
  private let policy: (any SchedulingPolicy)?
  private let end: Instant

  /// The longest log that is kept as text, in entries.
  private static let longestLog: Int64 = 200_000

  /// Compiles a text and runs it, under a policy in place of its machine's where one is given.
  init(
    _ text: TestedText, _ settings: SimulationSettings, policy: (any SchedulingPolicy)? = nil
  ) throws(TraceErrors) {
    let program = try text.program(settings.checkedOverrides())
    var request = RunRequest()
    (request.keepsOutput, request.policy) = (true, policy)
    let run = TraceRun(program, request)
    (self.text, self.program) = (text, program)
    (self.settings, self.policy) = (settings, policy)
    (metrics, end) = (run.metrics, run.record.end)
    (outcome, policyFault) = (run.record.outcome.kind, run.record.policyFault)
    makespan = .nanoseconds(run.record.makespan.nanoseconds)
    var kinds: [Finding.Kind] = []
    for finding in run.record.findings where !kinds.contains(finding.kind) {
      kinds.append(finding.kind)
    }
    findings = kinds
    digest = run.digest
    unmet = run.verdicts.filter { !$0.holds }.map {
      $0.told(of: program.source, style: TextStyle(width: .max)).joined(separator: "\n")
    }
    summary = run.summary()
  }

  /// The title of the trace.
  public var title: String { program.title }

  /// A time that is asked in the language of expectations, as `latency("frame*").p99`.
  ///
  /// The run is made again for it, and is the same.
  /// - Throws: ``TraceErrors`` when it is no time, or has no value in this run.
  public func duration(_ measure: String) throws(TraceErrors) -> Duration {
    .nanoseconds(try answer(measure, [.duration]).value)
  }

  /// A number, a size in bytes, or a share, as `threads.peak`, `memory.peak`, `utilization`.
  ///
  /// - Throws: ``TraceErrors`` when it is no such number, or has no value in this run.
  public func number(_ measure: String) throws(TraceErrors) -> Double {
    let (unit, number) = try answer(measure, [.count, .size, .decimal, .share])
    return unit == .decimal || unit == .share ? Double(number) / 1e9 : Double(number)
  }

  /// Whether a condition holds, as `order("a", "b") && findings == []`.
  ///
  /// - Throws: ``TraceErrors`` when it is none, or can't be answered in this run.
  public func holds(_ condition: String) throws(TraceErrors) -> Bool {
    try answer(condition, [.truth]).value != 0
  }

  /// The log as text; of a very long run a sentence that says so.
  public var log: String {
    guard metrics.entries <= SimulatedRun.longestLog else {
      return "The log has \(metrics.entries) entries: 'spindle simulate --log FILE' writes it.\n"
    }
    let bytes = CollectedBytes()
    runAgain([LogText(limit: nil) { bytes.bytes += $0 }])
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  /// A picture of the run: a lane of letters for each thread.
  public var timeline: String {
    guard metrics.entries <= SimulatedRun.longestLog else {
      return
        "The log has \(metrics.entries) entries: 'spindle timeline FILE --from TIME' draws a part.\n"
    }
    let store = TimelineStore()
    runAgain([Timeline(store)])
    var picture = LanePicture(store, from: .start, to: end, style: TextStyle(width: 100))
    return picture.lines(by: .thread).joined(separator: "\n") + "\n"
  }

  private func runAgain(_ consumers: [any LogConsumer]) {
    var request = RunRequest()
    request.policy = policy
    _ = request.run(program, consumers: consumers)
  }

  /// The program with one measure that is asked for.
  private func asking(_ measure: String) throws(TraceErrors) -> Program {
    var overrides = try settings.checkedOverrides()
    overrides.measures = [.init(name: "measure", value: measure)]
    return try text.program(overrides)
  }

  private func answer(
    _ measure: String, _ units: [MeasureUnit]
  ) throws(TraceErrors) -> (unit: MeasureUnit, value: Int64) {
    let program = try asking(measure)
    guard let request = program.measures.first, program.measures.count == 1 else {
      throw TraceErrors(description: "'\(measure)' asks \(program.measures.count) things, not one")
    }
    guard units.contains(request.unit) else {
      let wanted = units.map(\.rawValue).joined(separator: ", ")
      throw TraceErrors(description: "'\(measure)' is a \(request.unit.rawValue), not a \(wanted)")
    }
    var wanted = RunRequest.numbers(limits: RunLimits())
    wanted.policy = policy
    switch TraceRun(program, wanted).measured[0] {
    case .number(let number): return (request.unit, number)
    case .text(let text): throw TraceErrors(description: "'\(measure)' is '\(text)'")
    case .missing(let reason): throw TraceErrors(description: "'\(measure)': \(reason)")
    }
  }
}

/// Keeps text; a class, since a log's writer hands it piece by piece to a closure.
private final class CollectedBytes {
  var bytes: [UInt8] = []
}
