import SpindleModel
import SpindleSimulator

extension Exploration {
  /// Joins the parts of one search, which are there all and once.
  ///
  /// The runs of failing schedules are made again; the normal run, which each part has made, counts once.
  package init(
    joining parts: [ExplorationPart], _ runner: TrialRunner, _ strategy: ExploreStrategy,
    _ bounds: ExploreBounds
  ) {
    self.init(normal: runner.normal, strategy: strategy, bounds: bounds)
    let more = parts.count - 1
    let counts = parts.map(\.counts)
    runs = counts.reduce(0) { $0 + $1.runs } - more
    minimizingRuns = counts.reduce(0) { $0 + $1.minimizingRuns }
    failing = counts.reduce(0) { $0 + $1.failing } - (runner.normal.failure == nil ? 0 : more)
    unkept = counts.reduce(0) { $0 + $1.unkept }
    tired = counts.reduce(0) { $0 + $1.tired }
    tooLate = counts.reduce(0) { $0 + $1.tooLate }
    cut = counts.reduce(0) { $0 + $1.cut }
    unwritten = counts.reduce(0) { $0 + $1.unwritten }
    waiting = counts.reduce(0) { $0 + $1.waiting }
    isExhausted = counts.allSatisfy(\.isExhausted)
    leastWaiting = counts.map(\.leastWaiting).filter { $0 >= 0 }.min()
    readsClock = runner.asksForTime
    let bits = counts.reduce(0) { $0 | $1.unvaried }
    unvaried = Set(UnvariedOrder.allCases.filter { bits & 1 << Int($0.rawValue) != 0 })
    for part in parts { signatures.formUnion(part.orders) }
    for failure in parts.flatMap(\.failures).sorted(by: Self.isBefore) { add(failure, runner) }
  }

  /// The order of failures: that of the runs that showed them.
  private static func isBefore(
    _ one: ExplorationPart.Failure, _ other: ExplorationPart.Failure
  ) -> Bool {
    (one.run, one.schedule.text) < (other.run, other.schedule.text)
  }

  /// Adds a way to fail; of two schedules for one the shorter is kept, of equally long ones the first.
  private mutating func add(_ failure: ExplorationPart.Failure, _ runner: TrialRunner) {
    let trial = failure.run == 0 ? runner.normal : runner.run(failure.schedule)
    guard let kind = trial.failure else { return }
    let made = Failure(
      kind: kind, run: failure.run, drawn: ExploreStrategy(failure.drawn)?.drawn,
      count: failure.count, trial: trial,
      leastDelay: failure.leastDelay < 0 ? nil : Nanoseconds(failure.leastDelay),
      linesBefore: failure.linesBefore)
    guard let index = failures.firstIndex(where: { $0.kind == kind }) else {
      failures.append(made)
      return
    }
    if failure.run != 0 { failures[index].add(made) }
  }
}
