package import SpindleModel
package import SpindleSimulator

/// What a search has come to.
package struct Exploration: Sendable {
  /// The normal run.
  package let normal: Trial
  package let strategy: ExploreStrategy
  package let bounds: ExploreBounds
  /// How many runs there were, the normal one included; those that make schedules small are apart.
  package internal(set) var runs = 0
  package internal(set) var minimizingRuns = 0
  /// How many failed.
  package internal(set) var failing = 0
  /// How many were not runs of their schedules, went on without holds, or held somebody for too long.
  package internal(set) var unkept = 0
  package internal(set) var tired = 0
  package internal(set) var tooLate = 0
  /// How many runs of the search itself, and not of a draw, were cut or do not show all that could follow from them.
  package internal(set) var cut = 0
  /// How many orders of dependent steps were seen.
  package var orders: Int { signatures.count }
  /// One for each way to fail, in the order in which they were found.
  package internal(set) var failures: [Failure] = []
  /// How many ways to fail were seen whose runs could not be written as a schedule.
  package internal(set) var unwritten = 0
  /// Whether nothing was left to run.
  package internal(set) var isExhausted = false
  /// How many lines the shortest schedule has that was not run, and how many such schedules are known.
  package internal(set) var leastWaiting: Int?
  package internal(set) var waiting = 0
  /// What may come in another order on a real machine, and that no schedule varied.
  package internal(set) var unvaried: Set<UnvariedOrder> = []
  /// The same in words, in a fixed order.
  package var textsOfUnvaried: [String] {
    UnvariedOrder.allCases.filter(unvaried.contains).map(\.text)
  }
  /// Whether everything was run that could come in another order.
  package var isComplete: Bool { isExhausted && unvaried.isEmpty }
  /// Whether the program may depend on how late it is.
  package internal(set) var readsClock = false
  /// The orders of dependent steps that were seen, by their numbers.
  var signatures: Set<UInt64> = []

  init(normal: Trial, strategy: ExploreStrategy, bounds: ExploreBounds) {
    (self.normal, self.strategy, self.bounds) = (normal, strategy, bounds)
  }

  /// A way to fail.
  package struct Failure: Sendable {
    package private(set) var kind: FailureKind
    /// The number of the run that showed it, from 0 for the normal one.
    package let run: Int
    /// How that run was drawn; nil where it was not.
    package let drawn: DrawnStrategy?
    /// How many runs failed so.
    package internal(set) var count = 1
    /// The run, with the smallest schedule that is known.
    package internal(set) var trial: Trial
    /// What the least delay is that brings it about, for a schedule of one line: nil where it is not known or needs none.
    package internal(set) var leastDelay: Nanoseconds?
    /// Whether the run was drawn, and no schedule is known for it.
    package internal(set) var isUnwritten = false
    /// The number of lines before it was made small.
    package internal(set) var linesBefore: Int

    /// Takes another run that fails so, or does not meet fewer expectations.
    mutating func take(_ other: Trial) {
      trial = other
      if let failure = other.failure { kind = failure }
    }

    /// Counts the runs of another failure of this kind; of two schedules the shorter is kept, of equally long ones this.
    mutating func add(_ other: Failure) {
      count += other.count
      guard other.trial.schedule.lines.count < trial.schedule.lines.count else { return }
      (trial, leastDelay, linesBefore) = (other.trial, other.leastDelay, other.linesBefore)
    }

    /// Where it is: a crash, what is not met, or what was found.
    package var place: SourceRange? {
      kind.place ?? trial.unmet.first { !$0.isImplied && kind.outcome == nil }?.place
        ?? trial.findings.first { $0.kind.severity == .error }?.places.first
    }
  }

  mutating func note(_ trial: Trial, drawn: DrawnStrategy?, run: Int) {
    signatures.insert(trial.signature)
    unvaried.formUnion(trial.unvaried)
    guard let kind = trial.failure else { return }
    failing += 1
    if let index = failures.firstIndex(where: { $0.kind == kind }) {
      failures[index].count += 1
      let known = failures[index].trial.schedule.lines.count
      let isBetter = failures[index].drawn != nil || trial.schedule.lines.count < known
      if drawn == nil && failures[index].run > 0 && isBetter {
        failures[index] = Failure(
          kind: kind, run: failures[index].run, drawn: nil, count: failures[index].count,
          trial: trial, linesBefore: trial.schedule.lines.count)
      }
      return
    }
    failures.append(
      Failure(
        kind: kind, run: run, drawn: drawn, trial: trial,
        linesBefore: trial.schedule.lines.count))
  }
}
