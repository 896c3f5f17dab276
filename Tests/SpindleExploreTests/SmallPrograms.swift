import SpindleExplore
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import Testing

/// Small traces that the tests of exploring make.
enum SmallPrograms {
  /// A compiled trace.
  static func program(_ text: String) throws -> Program {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (program, diagnostics) = compiler.compile(SourceText(name: "test.trace", text))
    return try #require(program, "\(diagnostics.map(\.message)) in\n\(text)")
  }

  /// A runner of a trace.
  static func runner(_ text: String) throws -> TrialRunner {
    TrialRunner(try program(text), limits: RunLimits())
  }

  /// A search in a trace.
  static func explored(
    _ text: String, _ strategy: ExploreStrategy = .standard, runs: Int = 500, jobs: Int = 1
  ) throws -> Exploration {
    var bounds = ExploreBounds()
    bounds.runs = runs
    var explorer = Explorer(try runner(text), strategy, bounds)
    return explorer.explore()
  }
}

/// All interleavings of the visible steps of a small program, by running it again for each: choices are made one after
/// another, and the last that has another way is changed.
struct AllInterleavings {
  /// What the runs came to: how each ended, and the values of the top level.
  private(set) var outcomes: Set<String> = []
  private(set) var runs = 0
  /// Whether all were run.
  private(set) var isComplete = false

  init(_ runner: TrialRunner, most: Int) {
    var prefix: [Int] = []
    while runs < most {
      let walk = Walk(prefix)
      let trial = runner.run(Schedule(), chooser: walk)
      runs += 1
      outcomes.insert(Self.outcome(trial))
      var (taken, counts) = (walk.taken, walk.counts)
      while let last = taken.last, last + 1 >= counts[counts.count - 1] {
        taken.removeLast()
        counts.removeLast()
      }
      guard let last = taken.popLast() else {
        isComplete = true
        return
      }
      prefix = taken + [last + 1]
    }
  }

  /// What a run came to, as a text.
  static func outcome(_ trial: Trial) -> String {
    "\(trial.outcome.kind.name) \(trial.globals.suffix(2))"
  }

  /// Goes a way that is given, and behind it always the first.
  private final class Walk: StepChooser {
    private let prefix: [Int]
    private(set) var taken: [Int] = []
    private(set) var counts: [Int] = []

    init(_ prefix: [Int]) { self.prefix = prefix }

    func choose(among held: [HeldStep]) -> Int {
      let choice = taken.count < prefix.count ? prefix[taken.count] : 0
      taken.append(choice)
      counts.append(held.count)
      return choice
    }
  }
}
