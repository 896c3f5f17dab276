import SpindleExplore
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import Testing

/// Runs a trace under many other orders and delays, and records an issue for each way in which it fails.
///
/// Each issue says under which schedule it fails, which ``simulate(_:named:_:policy:checksExpectations:fileID:filePath:line:column:)``
/// takes as ``SimulationSettings/schedule``. The search is the one of `spindle explore`, with at most so many `schedules` and
/// no thread held for longer than `late`. Where the trace's expectations are wanted of all schedules, they say what
/// never may happen.
///
/// - Throws: ``TraceErrors`` when the text has errors.
@discardableResult
public func explore(
  _ text: String, named name: String = "trace", _ settings: SimulationSettings = .init(),
  schedules: Int = 1_000, late: Duration? = nil, recordsIssues: Bool = true,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) throws(TraceErrors) -> ExploredSchedules {
  let explored = try ExploredSchedules(
    TestedText(text, named: name, beside: filePath), settings, schedules: schedules, late: late)
  let location = SourceLocation(
    fileID: fileID, filePath: filePath, line: line, column: column)
  for failure in explored.failures where recordsIssues {
    Issue.record(Comment(rawValue: failure.description), sourceLocation: location)
  }
  return explored
}

/// What came of a search for schedules under which a trace fails.
public struct ExploredSchedules: Sendable {
  /// How many runs there were.
  public let runs: Int
  /// Whether no order of dependent steps is left that was not run.
  public let isComplete: Bool
  /// What was covered, as `spindle explore` says it.
  public let covered: String
  /// One for each way to fail.
  public let failures: [FailingSchedule]

  /// A schedule under which a trace fails.
  public struct FailingSchedule: Sendable, CustomStringConvertible {
    /// The schedule, a line for each change; empty where the normal run fails.
    ///
    /// Without any one of the lines the trace passes.
    public let schedule: String
    /// What goes wrong, and why.
    public let description: String
  }

  init(
    _ text: TestedText, _ settings: SimulationSettings, schedules: Int, late: Duration?
  ) throws(TraceErrors) {
    var overrides = try settings.checkedOverrides()
    overrides.schedule = Schedule()
    let program = try text.program(overrides)
    var bounds = ExploreBounds()
    bounds.runs = max(1, schedules)
    if let late {
      let parts = late.components
      bounds.late = Nanoseconds(
        parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }
    var explorer = Explorer(TrialRunner(program, limits: RunLimits()), .standard, bounds)
    let exploration = explorer.explore()
    let text = ExplorationText(
      program, exploration, path: text.source.name, style: TextStyle(width: .max))
    runs = exploration.runs
    isComplete = exploration.isExhausted
    covered = text.covered
    failures = exploration.failures.enumerated().map { index, failure in
      FailingSchedule(
        schedule: failure.trial.schedule.text,
        description: text.lines(of: failure, number: index + 1).joined(separator: "\n"))
    }
  }
}
