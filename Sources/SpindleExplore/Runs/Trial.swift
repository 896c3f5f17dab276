package import SpindleModel
package import SpindleSimulator

/// What came of one run under a schedule or a strategy.
package struct Trial: Sendable {
  /// The changes that were asked for.
  package var schedule: Schedule
  /// How it fails; nil where it does not.
  package var failure: FailureKind?
  /// The lines that were not kept, each with why; such a run is not one of that schedule.
  package var faults: [LineFault]
  /// Which lines these are, by their numbers.
  package var faultyLines: [Int]
  /// Whether nobody was held any more when the run had taken too many steps.
  package var isTired: Bool
  /// Whether there were more uses of one object than are kept, so that pairs may be missing.
  package var hasForgotten: Bool
  /// What the order of its dependent steps comes to.
  package var signature: UInt64
  /// Its steps, and the pairs of them that could come in the other order.
  package var steps: [RecordedStep]
  package var pairs: [StepPair]
  /// The steps that were begun and not done.
  ///
  /// In pairs they are numbered behind those that were done.
  package var pending: [RecordedStep]
  /// What steps use besides their objects, in the order of the steps.
  package var otherUses: [StepUse]
  /// What may come in another order on a real machine, and that no schedule varies.
  package var unvaried: Set<UnvariedOrder>
  /// The numbers of the steps' names.
  package var names: StepNames
  /// How long a thread was held at most.
  package var longestHold: Nanoseconds
  package var outcome: Outcome
  package var end: Instant
  package var findings: [Finding]
  package var stepCount: Int64
  /// The values of the top level when it ended.
  package var globals: [Int64]
  /// The cycles of locks that were predicted in it.
  package var cycles: [[PredictedStep]]
  /// What is said of each expectation that was not met.
  package var unmet: [Unmet]

  /// An expectation that was not met.
  package struct Unmet: Sendable {
    package let text: String
    package let seen: String
    package let place: SourceRange
    package let isImplied: Bool
  }

  /// Whether it is a run of its schedule.
  package var isKept: Bool { faults.isEmpty && !isTired }

  /// A step in the words of a schedule.
  package func step(_ index: Int32) -> Schedule.Step { words(of: steps[Int(index)]) }

  /// A step in the words of a schedule.
  package func words(of step: RecordedStep) -> Schedule.Step { names.words(of: step) }
}

/// In which way a run fails: equal for two runs that fail for one reason.
package struct FailureKind: Hashable, Sendable {
  /// How the run ended, where it should have finished; nil where only expectations are not met.
  package let outcome: Outcome.Kind?
  /// Where it crashed.
  package let place: SourceRange?
  /// The expectations that are not met; empty where the run did not come to its end.
  package let expectations: [SourceRange]
  /// What was found that the normal run does not have.
  package let findings: [Found]

  /// Whether fewer of the same expectations are not met, and all else is the same.
  func isPart(of other: FailureKind) -> Bool {
    outcome == other.outcome && place == other.place && findings == other.findings
      && !expectations.isEmpty && Set(expectations).isSubset(of: other.expectations)
  }

  /// A finding without its words.
  package struct Found: Hashable, Sendable {
    package let kind: Finding.Kind
    /// Where it is; empty where threads wait, which may do so at many places for one reason.
    package let places: [SourceRange]
    /// What threads wait for, each once, in the order of the names.
    package let objects: [String]

    /// What is left of a finding.
    init(_ finding: Finding) {
      kind = finding.kind
      let waits = finding.statement.waits
      var names: Set<String> = []
      for wait in waits {
        for subject in wait.subjects where Self.isWaitedFor(subject.role) {
          names.insert("\(wait.reason.name) \(subject.name)")
        }
      }
      objects = names.sorted()
      places =
        names.isEmpty
        ? finding.places.sorted(by: SourceRange.isBefore)
        : []
    }

    /// Whether what plays a part is waited for, and does not wait.
    private static func isWaitedFor(_ role: Finding.Role) -> Bool {
      switch role {
      case .lock, .semaphore, .condition, .group, .queue, .operation, .once, .accelerator, .actor,
        .stream:
        true
      default: false
      }
    }
  }
}

extension SourceRange {
  /// The order of places in a text: by where they begin, then by where they end.
  static func isBefore(_ one: SourceRange, _ other: SourceRange) -> Bool {
    (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
  }
}
