import SpindleExplore
import SpindleModel
import TestSupport
import Testing

/// What a search reaches is what can be reached: by all interleavings in the simulator, and by a model that shares no
/// code with it.
@Suite struct ReachableOutcomesTests {
  private static let parts = 8
  /// Of programs that take two locks in both orders, runs that deadlock lead to others that do: the steps for which
  /// threads wait for ever count, too.
  private static let deadlocking: [UInt64] = [1_632, 3_552]

  /// A search that says that it has run every order of dependent steps has seen every outcome, and none that can't be.
  @Test(arguments: 0..<parts, ModelProgram.Flavour.allCases)
  func searchesReachWhatTheModelDoes(part: Int, flavour: ModelProgram.Flavour) throws {
    var compared = 0
    let count = UInt64(Effort.count(96, whole: 4_000) / Self.parts)
    let seeds = UInt64(part) * count..<UInt64(part + 1) * count
    for seed in Array(seeds) + (part == 0 ? Self.deadlocking : []) {
      let program = ModelProgram(seed: seed, flavour)
      let possible = ModelOutcomes(program).all
      let runner = try SmallPrograms.runner(program.text)
      var bounds = ExploreBounds()
      bounds.runs = 1_500
      var explorer = Explorer(runner, .reversals, bounds)
      var seen: Set<String> = [AllInterleavings.outcome(runner.normal)]
      let exploration = explorer.explore { trial in
        if trial.isKept { seen.insert(AllInterleavings.outcome(trial)) }
      }
      let invented = seen.subtracting(possible)
      #expect(invented.isEmpty, "\(program.text)\nimpossible: \(invented.sorted())")
      guard exploration.isComplete else { continue }
      let missing = possible.subtracting(seen)
      #expect(missing.isEmpty, "\(program.text)\nmissing: \(missing.sorted())")
      compared += 1
    }
    #expect(compared * 3 > count, "\(compared) of \(count) searches came to their end")
  }

  /// All interleavings of the steps in front of which a thread can be held are all that the model can do.
  @Test(arguments: ModelProgram.Flavour.allCases)
  func interleavingsReachWhatTheModelDoes(flavour: ModelProgram.Flavour) throws {
    var compared = 0
    for seed in UInt64(0)..<UInt64(Effort.count(30, whole: 1_000)) {
      let program = ModelProgram(seed: seed, flavour)
      let possible = ModelOutcomes(program).all
      let all = AllInterleavings(
        try SmallPrograms.runner(program.text), most: Effort.count(150, whole: 2_000))
      let invented = all.outcomes.subtracting(possible)
      #expect(invented.isEmpty, "\(program.text)\nimpossible: \(invented.sorted())")
      if !all.isComplete { continue }
      let missing = possible.subtracting(all.outcomes)
      #expect(missing.isEmpty, "\(program.text)\nmissing: \(missing.sorted())")
      compared += 1
    }
    #expect(compared >= 4, "\(compared)")
  }

  /// Draws give no outcome that can't be.
  @Test(arguments: [DrawnStrategy.random, .urw, .surw, .pos, .pct(2), .pct(3)])
  func drawsGivePossibleOutcomes(strategy: DrawnStrategy) throws {
    for seed in UInt64(0)..<UInt64(Effort.count(20, whole: 200)) {
      let program = ModelProgram(seed: seed, ModelProgram.Flavour.allCases[Int(seed % 3)])
      let possible = ModelOutcomes(program).all
      let runner = try SmallPrograms.runner(program.text)
      var bounds = ExploreBounds()
      bounds.runs = 60
      var explorer = Explorer(runner, .drawn(strategy), bounds)
      _ = explorer.explore { trial in
        let outcome = AllInterleavings.outcome(trial)
        #expect(possible.contains(outcome), "\(program.text)\n\(outcome)")
      }
    }
  }
}
