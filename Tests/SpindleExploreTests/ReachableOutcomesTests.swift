import SpindleExplore
import SpindleModel
import Testing

/// What reversals reach is what all interleavings come to.
@Suite struct ReachableOutcomesTests {
  /// A search that says that it has run every order of dependent steps has seen every outcome, and none that can't be.
  @Test func reversalsReachWhatAllInterleavingsDo() throws {
    var compared = 0
    for seed in UInt64(1)...40 {
      let text = SmallPrograms.random(seed)
      let runner = try SmallPrograms.runner(text)
      let all = AllInterleavings(runner, most: 1_000)
      if !all.isComplete { continue }
      var bounds = ExploreBounds()
      bounds.runs = 1_000
      var explorer = Explorer(runner, .reversals, bounds)
      var seen: Set<String> = [AllInterleavings.outcome(runner.normal)]
      let exploration = explorer.explore { trial in
        if trial.isKept { seen.insert(AllInterleavings.outcome(trial)) }
      }
      #expect(seen.isSubset(of: all.outcomes), "\(text)\n\(seen.subtracting(all.outcomes))")
      guard exploration.isExhausted else { continue }
      #expect(seen == all.outcomes, "\(text)\nmissing \(all.outcomes.subtracting(seen))")
      compared += 1
    }
    #expect(compared >= 12)
  }

  /// Draws give no outcome that can't be.
  @Test(arguments: [DrawnStrategy.random, .urw, .surw, .pos, .pct(2), .pct(3)])
  func drawsGivePossibleOutcomes(strategy: DrawnStrategy) throws {
    for seed in UInt64(1)...8 {
      let runner = try SmallPrograms.runner(SmallPrograms.random(seed))
      let all = AllInterleavings(runner, most: 400)
      if !all.isComplete { continue }
      var bounds = ExploreBounds()
      bounds.runs = 60
      var explorer = Explorer(runner, .drawn(strategy), bounds)
      _ = explorer.explore { trial in
        #expect(all.outcomes.contains(AllInterleavings.outcome(trial)))
      }
    }
  }
}
