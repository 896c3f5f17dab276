import SpindleExplore
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// What a search promises.
@Suite struct ExplorationTests {
  private static let racing = """
    trace "racing"
    machine { platform: .ideal; cores: 2 }
    let a = NSLock()
    let b = NSLock()
    var n = 0
    main(.tool) {
        let one = Thread(name: "one") { a.withLock { b.withLock { n += 1 } } }
        let two = Thread(name: "two") { b.withLock { a.withLock { n += 1 } } }
        let three = Thread(name: "three") { var m = 0; a.withLock { m = n }; a.withLock { n = m + 1 } }
        for t in [one, two, three] { t.start() }
        for t in [one, two, three] { t.join() }
    }
    expect { value(n) == 3 }
    """

  /// A search does not depend on how many jobs it has.
  @Test func jobsDoNotMatter() throws {
    let runner = try SmallPrograms.runner(Self.racing)
    func result(_ parallel: @escaping Explorer.Parallel) -> String {
      var bounds = ExploreBounds()
      bounds.runs = 150
      var explorer = Explorer(runner, .standard, bounds, parallel: parallel)
      let found = explorer.explore()
      return ExplorationText(
        runner.program, found, path: "racing.trace", style: TextStyle(width: 200)
      ).lines.joined(separator: "\n")
    }
    let alone = result { count, job in (0..<count).map(job) }
    // The other way round, on runners with names of other numbers.
    let backwards = result { count, job in Array((0..<count).reversed().map(job).reversed()) }
    #expect(alone == backwards)
    #expect(alone.contains("deadlock") && alone.contains("value(n) == 3"), "\(alone)")
  }

  /// Every printed schedule brings its failure about again, with the same log each time.
  @Test func schedulesReplay() throws {
    let found = try SmallPrograms.explored(Self.racing)
    #expect(found.failures.count >= 2)
    for failure in found.failures {
      var overrides = Overrides()
      overrides.schedule = try Schedule(parsing: failure.trial.schedule.text)
      let first = TestRun(Self.racing, overrides: overrides)
      let second = TestRun(Self.racing, overrides: overrides, writesLog: false)
      #expect(first.digest == second.digest)
      #expect(first.record?.outcome.kind == failure.trial.outcome.kind)
      #expect(first.verdicts.contains { !$0.holds })
    }
  }

  /// A driver that has nothing to change changes nothing.
  @Test(arguments: ["findings", "concurrency", "locks"])
  func emptyScheduleIsTheNormalRun(folder: String) throws {
    for path in Repository.files(below: "Traces/" + folder, suffix: ".trace") {
      let compiler = Compiler(catalogue: MachineCatalog.catalogue)
      let source = SourceText(name: path, try Repository.text(path))
      guard let program = compiler.compile(source).program, program.schedule == nil else {
        continue
      }
      func digest(_ driver: ScheduleDriver?) -> String {
        let digest = LogDigest()
        driver?.prepare(Schedule())
        // A busy wait that counts takes millions of steps, which a driver looks at one by one: both runs do, and stop.
        var limits = RunLimits()
        limits.steps = 200_000
        var simulation = Simulation(program, limits: limits)
        simulation.shortcuts.subtract(.skipsSteps)
        _ = simulation.run(consumers: [digest], driver: driver)
        return digest.text
      }
      #expect(digest(nil) == digest(ScheduleDriver()), "\(path)")
    }
  }

  /// A schedule of which a step is gone is told so at its place.
  @Test func goneStepsAreTold() {
    let run = TestRun(
      Self.racing + "\nschedule {\n    \"one\" locks gone before \"two\" locks b\n}\n")
    let verdict = run.verdicts.first
    #expect(verdict?.holds == false)
    #expect(verdict?.text.hasPrefix("schedule: \"one\" locks gone") == true)
    let place = verdict.flatMap { run.program?.source.position(of: $0.place) }
    #expect(place == "15:5")
  }

  /// A block that is no schedule is an error at the line.
  @Test func mistakesInABlockHavePlaces() {
    let run = TestRun("main { }\nschedule {\n    \"a\" grabs x late 1ms\n}\n")
    #expect(run.messages.contains { $0.hasPrefix("3:5: error: 'grabs' is no step") })
  }

  /// A late step is late by as much as is said, and no more.
  @Test func delaysAreKept() {
    let run = TestRun(
      """
      let a = NSLock()
      main(.tool) { a.lock(); a.unlock() }
      schedule { "main" locks a late 12ms }
      expect { makespan > 12ms; makespan < 13ms }
      """)
    let unmet = run.verdicts.filter { !$0.holds }
    #expect(unmet.isEmpty, "\(unmet)")
  }

  /// Whatever way to fail is drawn is written as a schedule: where the run crashed before the other step came, and
  /// where threads overtake each other at many objects.
  @Test(
    arguments: [.random, .urw, .surw, .pos, .pct(3)] as [DrawnStrategy],
    [Self.overtaking, Self.changing])
  func drawnFailuresAreWritten(strategy: DrawnStrategy, text: String) throws {
    let runner = try SmallPrograms.runner(text)
    for seed in 1...5 as ClosedRange<UInt64> {
      var bounds = ExploreBounds()
      (bounds.runs, bounds.seed, bounds.stopsAtFailure) = (300, seed, true)
      var explorer = Explorer(runner, .drawn(strategy), bounds)
      let found = explorer.explore()
      #expect(found.unwritten == 0 && found.failures.count == 1, "seed \(seed)")
      for failure in found.failures {
        let again = runner.run(failure.trial.schedule)
        #expect(again.isKept && again.failure == failure.kind, "\(failure.trial.schedule.text)")
      }
    }
  }

  private static let overtaking = """
    machine { platform: .ideal; cores: 2 }
    let stageOne = NSLock()
    let stageTwo = NSLock()
    var amount = 0
    var sum = 0
    main(.tool) {
        let setting = Thread {
            stageOne.withLock { amount = 1 }
            stageTwo.withLock { sum = amount + 1 }
        }
        let reader = Thread {
            let seen = stageOne.withLock { amount }
            stageTwo.withLock { if seen > 0 { precondition(sum == seen + 1) } }
        }
        setting.start()
        reader.start()
        setting.join()
        reader.join()
    }
    """

  private static let changing = """
    machine { platform: .ideal; cores: 4 }
    let one = NSLock()
    let other = NSLock()
    var value = 0
    main(.tool) {
        let adding = [Thread](count: 3) { i in
            one.withLock {
                let seen = value
                value += 1
                precondition(value == seen + 1)
            }
        }
        let taking = [Thread](count: 4) { i in other.withLock { value -= 1 } }
        for t in adding { t.start() }
        for t in taking { t.start() }
        for t in adding { t.join() }
        for t in taking { t.join() }
    }
    """

  /// Who is held too long is not counted.
  @Test func lateBoundsTheSearch() throws {
    let text = """
      machine { platform: .iOS; cores: 4 }
      let queue = DispatchQueue(label: "queue", attributes: .concurrent)
      var loads = 0
      var isThere = false
      main {
          queue.async(name: "first") { if !isThere { work(20ms); loads += 1; isThere = true } }
          queue.asyncAfter(deadline: .now() + 50ms, name: "second") { if !isThere { loads += 1; isThere = true } }
      }
      expect { value(loads) == 1 }
      """
    var bounds = ExploreBounds()
    bounds.late = Nanoseconds(40_000_000)
    let runner = try SmallPrograms.runner(text)
    var wide = Explorer(runner, .standard, bounds)
    let found = wide.explore()
    #expect(found.failures.count == 1)
    let least = try #require(found.failures.first?.leastDelay)
    #expect(least.rawValue > 29_000_000 && least.rawValue < 31_000_000, "\(least)")
    bounds.late = Nanoseconds(10_000_000)
    var narrow = Explorer(runner, .standard, bounds)
    let none = narrow.explore().failures
    #expect(none.isEmpty)
  }
}

extension ExplorationTests {
  /// Calls that are over at once are steps, too: a dependency that comes too late does not order two operations.
  @Test func lateDependenciesOrderNothing() throws {
    let found = try SmallPrograms.explored(
      """
      machine { platform: .iOS; cores: 4 }
      let queue = OperationQueue()
      var text = 0
      var shown = -1
      main {
          let load = BlockOperation(name: "load") { text = 7 }
          let show = BlockOperation(name: "show") { shown = text }
          queue.addOperation(load)
          queue.addOperation(show)
          show.addDependency(load)
      }
      expect { value(shown) == 7 }
      """)
    #expect(found.failures.map(\.trial.schedule.lines.count) == [1])
  }

  /// What the normal run predicts, and a trace expects, is predicted in each run: the empty schedule fails no more than
  /// the normal run.
  @Test func predictionsAreExpected() throws {
    let found = try SmallPrograms.explored(
      """
      machine { platform: .ideal; cores: 2 }
      var n = 0
      main(.tool) {
          let one = Thread(name: "one") { n = 1 }
          let two = Thread(name: "two") { n = 2 }
          one.start()
          two.start()
          one.join()
          two.join()
      }
      expect { findings == [.dataRace] }
      """)
    #expect(found.isComplete && found.orders > 1)
    #expect(found.failures.isEmpty, "\(found.failures.map(\.trial.schedule.text))")
  }

  /// For as long as a schedule holds the main thread, that is no hang; a wait for another thread that is held is one.
  @Test func holdsOfTheMainThreadAreNoHangs() throws {
    let found = try SmallPrograms.explored(
      """
      machine { platform: .iOS; cores: 4; costs: .zero }
      let a = NSLock()
      let b = NSLock()
      main {
          DispatchQueue.global().asyncAfter(deadline: .now() + 400ms, name: "late") { b.withLock { } }
          DispatchQueue.global().async(name: "job") { a.withLock { b.withLock { } } }
          sleep(1ms)
          b.withLock { }
          a.withLock { }
      }
      expect { findings == [] }
      """)
    let held = found.failures.flatMap { $0.trial.schedule.lines.map(\.held.actor.name) }
    #expect(
      found.failures.count == 1 && held.allSatisfy { $0 == "job" },
      "\(found.failures.map(\.trial.schedule.text))")
  }

  /// A run that fails for two reasons is reported as two failures with one line each; an expectation that the normal run
  /// does not meet adds none.
  @Test(arguments: [0, 1]) func reasonsAreReported(apart normal: Int) throws {
    let found = try SmallPrograms.explored(
      """
      machine { platform: .ideal; cores: 4 }
      var (a, b, x, y) = (0, 0, 0, 0)
      main(.tool) {
          let threads = [
              Thread(name: "sets a") { a = 1 }, Thread(name: "reads a") { sleep(1ms); x = a },
              Thread(name: "sets b") { b = 1 }, Thread(name: "reads b") { sleep(1ms); y = b },
          ]
          for thread in threads { thread.start() }
          for thread in threads { thread.join() }
      }
      expect {
          value(x) == 1
          value(y) == 1
          value(a) == \(1 - normal)
      }
      """, .drawn(.random))
    let texts = found.failures.map {
      "\($0.trial.unmet.map(\.text)) \($0.trial.schedule.text.split(separator: "\n").count)"
    }
    // Most draws turn both orders: none of them is a way of its own.
    let usual = normal == 0 ? "" : ", \"value(a) == 0\""
    let expected = ["[\"value(x) == 1\"\(usual)] 1", "[\"value(y) == 1\"\(usual)] 1"]
    #expect(texts.filter { !$0.hasSuffix("] 0") }.sorted() == expected, "\(texts)")
    #expect(texts.count == 2 + normal, "\(texts)")
  }
}
