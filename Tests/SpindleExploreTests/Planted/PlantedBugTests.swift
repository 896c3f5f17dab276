import SpindleExplore
import SpindleModel
import TestSupport
import Testing

/// Programs with a bug that somebody has put there, and the same without it.
@Suite struct PlantedBugTests {
  /// How many schedules a bug may take.
  private static let mostRuns = 100
  /// The threads and items that are involved in a bug.
  private static let involved: Set = ["one", "two", "main", "reader", "waiter"]
  /// What others use beside a bug, and those who are involved do not.
  private static let besides: Set = ["d", "free", "noise", "other", "rest"]

  /// Each bug is found, its schedule names those that are involved and nobody else, and is as small as can be.
  @Test(arguments: PlantedBug.all) func plantedBugsAreFound(bug: PlantedBug) throws {
    for seed in UInt64(0)..<UInt64(Effort.count(4, whole: 20)) {
      let text = bug.text(seed: seed, isRight: false)
      let runner = try SmallPrograms.runner(text)
      #expect(runner.normal.failure == nil, "the normal run fails\n\(text)")
      var bounds = ExploreBounds()
      bounds.runs = Self.mostRuns
      bounds.stopsAtFailure = true
      var explorer = Explorer(runner, .standard, bounds)
      let found = explorer.explore()
      guard let failure = found.failures.first else {
        Issue.record("not found in \(found.runs) runs\n\(text)")
        continue
      }
      let schedule = failure.trial.schedule
      let actors = Set(schedule.lines.flatMap(Self.actors))
      #expect(!actors.isDisjoint(with: ["one", "two"]), "\(schedule.text)\n\(text)")
      // What others do beside them has no part in it.
      #expect(actors.isSubset(of: Self.involved), "\(schedule.text)\n\(text)")
      let objects = Set(schedule.lines.flatMap(Self.objects))
      #expect(objects.isDisjoint(with: Self.besides), "\(schedule.text)\n\(text)")
      #expect(schedule.lines.count <= 2, "\(schedule.text)\n\(text)")
      expectMinimal(failure, runner)
    }
  }

  /// The same without the bug fails under no schedule.
  @Test(arguments: PlantedBug.all) func rightProgramsDoNotFail(bug: PlantedBug) throws {
    for seed in UInt64(0)..<UInt64(Effort.count(4, whole: 20)) {
      let text = bug.text(seed: seed, isRight: true)
      let found = try SmallPrograms.explored(text, runs: Self.mostRuns)
      #expect(found.failures.isEmpty, "\(found.failures.map(\.trial.schedule.text))\n\(text)")
      #expect(found.unwritten == 0, "\(text)")
    }
  }

  /// Without any of its lines a schedule fails not, or in another way.
  private func expectMinimal(_ failure: Exploration.Failure, _ runner: TrialRunner) {
    let schedule = failure.trial.schedule
    #expect(runner.run(schedule).failure == failure.kind)
    for index in schedule.lines.indices {
      var fewer = schedule
      fewer.lines.remove(at: index)
      let trial = runner.run(fewer)
      #expect(
        trial.failure != failure.kind || !trial.isKept,
        "line \(index + 1) is not needed in\n\(schedule.text)")
    }
  }

  private static func objects(_ line: Schedule.Line) -> [String] {
    switch line {
    case .order(let first, before: let second): [first.object.name, second.object.name]
    case .late(let step, by: _): [step.object.name]
    }
  }

  private static func actors(_ line: Schedule.Line) -> [String] {
    switch line {
    case .order(let first, before: let second): [first.actor.name, second.actor.name]
    case .late(let step, by: _): [step.actor.name]
    }
  }
}
