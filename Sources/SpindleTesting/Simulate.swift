import SpindleLanguage
import SpindleModel
import SpindleReports
public import SpindleSimulator
import Testing

/// Runs a trace in virtual time, and gives back what happened.
///
/// What the trace itself expects is expected of the test too: each line of its `expect` that does not
/// hold is recorded as an issue, and so is an end other than `finished` where it does not speak of that.
///
/// The text is called `name` in messages, and changed as the settings say, which are what the options of
/// `spindle simulate` are. A `policy` of one's own takes the place of the one that its machine names. Without
/// `checksExpectations` what the trace expects is only told, by ``SimulatedRun/unmet``. Files that the text includes are
/// looked for beside the test's own file.
///
/// - Throws: ``TraceErrors`` when the text has errors.
@discardableResult
public func simulate(
  _ text: String, named name: String = "trace", _ settings: SimulationSettings = .init(),
  policy: (any SchedulingPolicy)? = nil, checksExpectations: Bool = true, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column
) throws(TraceErrors) -> SimulatedRun {
  try TestedText(text, named: name, beside: filePath).run(
    settings, policy: policy, checksExpectations: checksExpectations,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

extension TestedText {
  /// Runs it, and records an issue for each expectation that does not hold.
  func run(
    _ settings: SimulationSettings, policy: (any SchedulingPolicy)?, checksExpectations: Bool,
    at location: SourceLocation
  ) throws(TraceErrors) -> SimulatedRun {
    let run = try SimulatedRun(self, settings, policy: policy)
    SimulatedRuns.current?.add(run)
    guard checksExpectations else { return run }
    for failure in run.unmet { Issue.record(Comment(rawValue: failure), sourceLocation: location) }
    return run
  }
}

/// What is changed of a trace before it runs, in its own words.
public struct SimulationSettings: Hashable, Sendable {
  /// Values of parameters by their names, as the trace would write them: `["images": "100"]`.
  public var parameters: [String: String]
  /// Executors in place of a `let` at the top: `["pool": "ThreadPool(width: 8)"]`.
  public var replacements: [String: String]
  /// The policy: `"roundRobin(quantum: 10ms)"`.
  public var policy: String?
  /// How many cores there are.
  public var cores: Int?
  /// Whose defaults hold: `"iOS"`.
  public var platform: String?
  /// What acts cost: `"zero"`.
  public var costs: String?
  /// What random numbers are drawn from.
  public var seed: UInt64?
  /// When the run ends: `"2s"`.
  public var until: String?
  /// What is to be different from the normal run: `"\"a\" locks x before \"b\" locks x"`.
  public var schedule: String?

  /// Creates settings; what is left out stays as the trace has it.
  public init(
    parameters: [String: String] = [:], replacements: [String: String] = [:],
    policy: String? = nil, cores: Int? = nil, platform: String? = nil, costs: String? = nil,
    seed: UInt64? = nil, until: String? = nil, schedule: String? = nil
  ) {
    (self.parameters, self.replacements) = (parameters, replacements)
    (self.policy, self.cores, self.platform, self.costs) = (policy, cores, platform, costs)
    (self.seed, self.until, self.schedule) = (seed, until, schedule)
  }

  /// As the compiler takes them; by name, so that nothing depends on the order of a dictionary.
  ///
  /// - Throws: ``TraceErrors`` when the schedule is none.
  func checkedOverrides() throws(TraceErrors) -> Overrides {
    var overrides = overrides
    guard let schedule else { return overrides }
    do {
      overrides.schedule = try Schedule(parsing: schedule)
    } catch {
      throw TraceErrors(
        description: "schedule:\(error.line):\(error.column): error: \(error.message)")
    }
    return overrides
  }

  /// The same without the schedule.
  var overrides: Overrides {
    var overrides = Overrides()
    func assignments(_ values: [String: String]) -> [Overrides.Assignment] {
      values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
    }
    overrides.parameters = assignments(parameters)
    overrides.replacements = assignments(replacements)
    (overrides.policy, overrides.platform, overrides.costs) = (policy, platform, costs)
    overrides.cores = cores.map { "\($0)" }
    overrides.seed = seed.map { "\($0)" }
    overrides.until = until
    return overrides
  }
}

/// What is wrong with the text of a trace, or with what is asked of its run.
public struct TraceErrors: Error, CustomStringConvertible {
  /// All mistakes, each with its place, as `spindle check` prints them.
  public let description: String
}
