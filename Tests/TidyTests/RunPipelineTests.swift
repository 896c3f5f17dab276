import TestSupport
import Testing

/// One way leads from a program to its run: a `RunRequest` says what is asked of it, and makes it.
@Suite struct RunPipelineTests {
  /// Where simulations are made, each with its reason.
  private static let makers = [
    "Sources/SpindleRun/RunRequest.swift": "is that way",
    "Sources/SpindleExplore/Runs/TrialRunner.swift": "gives the run a driver of its own",
    "Sources/SpindleBenchmarks/main.swift": "measures the simulator alone",
  ]

  @Test func simulationsAreMadeInOnePlace() throws {
    var found: Set<String> = []
    for path in Repository.files(below: "Sources", suffix: ".swift")
    where try Repository.lines(path).contains(where: Self.makesSimulation) {
      found.insert(path)
    }
    #expect(found.sorted() == Self.makers.keys.sorted())
  }

  @Test(arguments: [
    ("    var simulation = Simulation(program, limits: limits)", true),
    ("  /// Makes a `Simulation(program)`.", false),
    ("  func replay(_ simulation: Simulation) {", false),
    ("    LoopSimulation(program)", false),
  ])
  func rulesFind(row: (line: String, isFound: Bool)) {
    #expect(Self.makesSimulation(row.line[...]) == row.isFound)
  }

  private static func makesSimulation(_ line: Substring) -> Bool {
    let code = SourceTests.withoutTexts(line)
    return !code.drop { $0 == " " }.hasPrefix("//") && code.contains(/\bSimulation\(/)
  }
}
