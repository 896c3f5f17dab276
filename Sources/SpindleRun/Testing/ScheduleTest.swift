import SpindleExplore
import SpindleModel
import SpindleReports

/// The test of a trace under other schedules.
struct ScheduleTest {
  /// A way to fail under a schedule.
  struct Failure {
    /// What is said of it.
    let text: String
    /// Where it is in the trace.
    let place: SourceRange?
  }

  private let program: Program
  private let path: String
  private let limits: RunLimits
  private let bounds: ExploreBounds
  /// Whether the search must have come to its end.
  private let mustEnd: Bool

  /// How many runs a trace gets that does not say how many.
  private static let standardRuns = 500

  /// Creates the test; nil where neither the trace nor the command line asks for one.
  ///
  /// With 0 `schedules` there is none at all. A trace whose `explore` says how many reversals, and not how many runs, is to
  /// be run under all schedules with so many.
  init?(_ program: Program, path: String, limits: RunLimits, schedules: Int?) {
    let asked = program.exploration
    guard schedules != 0, asked != nil || schedules != nil, program.schedule == nil else {
      return nil
    }
    var bounds = ExploreBounds()
    bounds.runs = asked?.runs ?? schedules ?? Self.standardRuns
    if let reversals = asked?.reversals {
      bounds.lines = reversals
      if asked?.runs == nil { bounds.runs = Self.mostRuns }
    }
    bounds.late = asked?.late
    mustEnd = asked?.reversals != nil
    (self.program, self.path, self.limits, self.bounds) = (program, path, limits, bounds)
  }

  /// How many runs a level may take.
  private static let mostRuns = 100_000

  /// What goes wrong, each way once.
  func failures() -> [Failure] {
    var explorer = Explorer(
      TrialRunner(program, limits: limits), mustEnd ? .reversals : .standard, bounds)
    let exploration = explorer.explore()
    let text = ExplorationText(
      program, exploration, path: path, style: TextStyle(width: .max))
    var failures = exploration.failures.enumerated().map { index, failure in
      Failure(
        text: "fails under another schedule\n"
          + text.lines(of: failure, number: index + 1).joined(separator: "\n"),
        place: failure.place)
    }
    if mustEnd && !exploration.isExhausted && failures.isEmpty {
      failures.append(
        Failure(
          text: "the schedules that 'explore' asks for were not all run: \(text.covered)",
          place: program.exploration?.place))
    }
    return failures
  }
}
