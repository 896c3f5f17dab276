import SpindleModel
import Testing

@testable import SpindleSimulator

@Suite struct StepModeTests {
  @Test func verbsAreNumberedAsDeclared() {
    #expect(StepVerb.allCases.map { Int($0.place) } == Array(StepVerb.allCases.indices))
  }

  /// The order of two steps does not matter where both only look, and in a few cases more.
  private static func isFree(_ one: StepMode, _ other: StepMode) -> Bool {
    // The end of an item leaves its group.
    switch (one == .ends ? .leaves : one, other == .ends ? .leaves : other) {
    case (.releases, .tries), (.tries, .releases): false
    case (.releases, _), (_, .releases): true
    case (.reads, .reads), (.enters, .enters), (.leaves, .leaves), (.awaits, .awaits): true
    case (.leaves, .awaits), (.awaits, .leaves), (.takes, .feeds), (.feeds, .takes): true
    default: false
    }
  }

  @Test(arguments: StepMode.allCases)
  func conflictsFollowTheRule(mode: StepMode) {
    for other in StepMode.allCases {
      #expect(mode.conflicts(with: other) != Self.isFree(mode, other), "\(mode), \(other)")
    }
  }

  @Test(arguments: StepMode.allCases)
  func aModeCoversThoseWithFewerConflicts(mode: StepMode) {
    for other in StepMode.allCases {
      let covers = StepMode.allCases.allSatisfy {
        Self.isFree(other, $0) || !Self.isFree(mode, $0)
      }
      #expect(mode.covers(other) == covers, "\(mode), \(other)")
    }
  }
}
