import SpindleExplore
import SpindleModel
import Testing

/// Programs with a bug that somebody has put there, and the same without it.
@Suite struct PlantedBugTests {
  /// What is planted.
  enum Bug: CaseIterable { case order, inversion, lostSignal, lostUpdate }

  /// Each bug is found, its schedule names who is involved and is as small as can be; the correct twin fails never.
  @Test(arguments: Bug.allCases) func plantedBugsAreFound(bug: Bug) throws {
    for seed in UInt64(1)...25 {
      let text = Self.text(bug, seed, isCorrect: false)
      let runner = try SmallPrograms.runner(text)
      #expect(runner.normal.failure == nil, "the normal run fails\n\(text)")
      var bounds = ExploreBounds()
      bounds.runs = 300
      bounds.stopsAtFailure = true
      var explorer = Explorer(runner, .standard, bounds)
      let found = explorer.explore()
      guard let failure = found.failures.first else {
        Issue.record("not found in \(found.runs) runs\n\(text)")
        continue
      }
      let actors = Set(failure.trial.schedule.lines.flatMap(Self.actors))
      #expect(actors.isSubset(of: ["one", "two", "main"]), "\(failure.trial.schedule.text)\(text)")
      #expect(failure.trial.schedule.lines.count <= 2, "\(failure.trial.schedule.text)")
      expectMinimal(failure, runner)

      let twin = try SmallPrograms.explored(Self.text(bug, seed, isCorrect: true), runs: 60)
      #expect(
        twin.failures.isEmpty,
        "\(twin.failures.map(\.trial.schedule.text))\n\(Self.text(bug, seed, isCorrect: true))")
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

  private static func actors(_ line: Schedule.Line) -> [String] {
    switch line {
    case .order(let first, before: let second): [first.actor.name, second.actor.name]
    case .late(let step, by: _): [step.actor.name]
    }
  }

  /// What the two threads do, and what is expected.
  private static func bodies(_ bug: Bug, isCorrect: Bool) -> (String, String, String) {
    let (one, two, expected): (String, String, String)
    switch bug {
    case .order:
      one =
        isCorrect
        ? "a.withLock { first = 1; second = 1 }"
        : "a.withLock { first = 1 }\n        b.withLock { second = 1 }"
      two =
        isCorrect
        ? "a.withLock { if first == 1 { seen = second } }"
        : "var f = 0\n        a.withLock { f = first }\n        if f == 1 { b.withLock { seen = second } }"
      expected = "value(seen) == 1"
    case .inversion:
      one = "a.withLock { b.withLock { first += 1 } }"
      two = isCorrect ? one : "b.withLock { a.withLock { first += 1 } }"
      expected = "value(first) == 2"
    case .lostSignal:
      one =
        isCorrect
        ? "c.lock()\n        while first == 0 { c.wait() }\n        c.unlock()"
        : "c.lock()\n        c.wait()\n        c.unlock()"
      two = "c.lock()\n        first = 1\n        c.signal()\n        c.unlock()"
      expected = "value(first) == 1"
    case .lostUpdate:
      one =
        isCorrect
        ? "a.withLock { first += 1 }"
        : "var n = 0\n        a.withLock { n = first }\n        a.withLock { first = n + 1 }"
      two = one
      expected = "value(first) == 2"
    }
    return (one, two, expected)
  }

  /// A program of which threads 'one' and 'two' have the bug, and others do something else.
  private static func text(_ bug: Bug, _ seed: UInt64, isCorrect: Bool) -> String {
    var numbers = Numbers(seed &+ 77)
    let (one, two, expected) = bodies(bug, isCorrect: isCorrect)
    func noise(_ name: String) -> String {
      "    let \(name) = Thread(name: \"\(name)\") { "
        + numbers.pick([
          "d.withLock { other += 1 }", "d.withLock { other += 2 }; d.withLock { other -= 1 }",
          "_ = s.wait(timeout: .distantFuture); s.signal()", "work(1us)",
        ]) + " }\n"
    }
    return """
      trace "planted \(bug) \(seed)"
      machine { platform: .ideal; cores: 2 }
      let a = NSLock()
      let b = NSLock()
      let c = NSCondition()
      let d = NSLock()
      let s = DispatchSemaphore(value: 1)
      var first = 0
      var second = 0
      var seen = 1
      var other = 0
      main(.tool) {
      \(noise("x"))\(noise("y"))    let one = Thread(name: "one") {
              \(one)
          }
          let two = Thread(name: "two") {
              \(two)
          }
          for t in [\(numbers.below(2) == 0 ? "x, one, two, y" : "one, x, y, two")] { t.start() }
          for t in [x, y, one, two] { t.join() }
      }
      expect { \(expected) }
      """
  }
}
