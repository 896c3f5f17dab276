import SpindleExplore
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// A printed schedule brings the same run about again.
@Suite struct ScheduleReplayTests {
  /// How many schedules are looked at, and how many of one trace at most.
  private static let (all, most) = (Effort.count(5, whole: 1_000), Effort.count(2, whole: 6))

  /// The schedules of searches in the repository's traces, with all kinds of names in them.
  ///
  /// Each is read back as what was printed, and a run of the text, compiled anew, is the one that the search has seen. The
  /// first of each trace gives the same digest as an option and as a block.
  @Test func printedSchedulesReplay() throws {
    let paths = Repository.files(below: "Traces", suffix: ".trace")
    var count = 0
    for path in Effort.sample(paths, oneIn: 80) where count < Self.all {
      let text = try Repository.text(path)
      for (index, trial) in try Self.trials(path, text).enumerated() {
        count += 1
        let printed = trial.schedule.text
        var overrides = Overrides()
        overrides.schedule = try Schedule(parsing: printed)
        #expect(overrides.schedule == trial.schedule, "\(path): \(printed)")
        let option = TestRun(text, name: path, overrides: overrides, writesLog: false)
        let record = try #require(option.record, "\(path)")
        #expect(record.outcome == trial.outcome, "\(path): \(printed)")
        #expect(record.end == trial.end, "\(path): \(printed)")
        #expect(record.globals == trial.globals, "\(path): \(printed)")
        #expect(record.scheduleFaults.isEmpty, "\(path): \(printed)")
        if index > 0 { continue }
        let block = TestRun(text + "\nschedule {\n\(printed)}\n", name: path, writesLog: false)
        #expect(option.digest == block.digest, "\(path): \(printed)")
      }
    }
    #expect(count >= Self.all, "\(count) schedules")
  }

  /// Runs of a trace under schedules that they have kept: those that fail first.
  private static func trials(_ path: String, _ text: String) throws -> [Trial] {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    guard let program = compiler.compile(SourceText(name: path, text)).program else { return [] }
    var limits = RunLimits()
    limits.steps = 100_000
    let runner = TrialRunner(program, limits: limits)
    if runner.normal.outcome.kind == .stepLimit { return [] }
    var bounds = ExploreBounds()
    bounds.runs = 8
    var trials: [Trial] = []
    var explorer = Explorer(runner, .standard, bounds)
    let found = explorer.explore { trials.append($0) }
    return (found.failures.map(\.trial) + trials)
      .filter { $0.isKept && !$0.schedule.isEmpty && $0.outcome.kind != .stepLimit }
      .prefix(most).map { $0 }
  }
}
