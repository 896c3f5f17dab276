import SpindleModel
import SpindleSimulator

/// Runs a program under one schedule after another, and says which of them fail.
package struct Explorer {
  private let runner: TrialRunner
  private let strategy: ExploreStrategy
  private let bounds: ExploreBounds
  private let parallel: Parallel
  private var reversals: ReversalSearch
  private var holds: HoldSearch?
  /// How many schedules it was asked for.
  private var holdCount = 0
  private var predictions: [Schedule]
  private let profile: StepProfile
  private var exploration: Exploration

  /// Runs jobs by number, several at a time, and gives their results in the order of the numbers.
  package typealias Parallel = (Int, @escaping @Sendable (Int) -> Trial) -> [Trial]

  /// Creates a search.
  package init(
    _ runner: TrialRunner, _ strategy: ExploreStrategy, _ bounds: ExploreBounds,
    parallel: @escaping Parallel = { count, job in (0..<count).map(job) }
  ) {
    (self.runner, self.strategy, self.bounds, self.parallel) = (runner, strategy, bounds, parallel)
    let normal = runner.normal
    let races = normal.findings.filter { $0.kind == .dataRace }.flatMap(\.places)
    reversals = ReversalSearch(
      runner.program.places, predicted: Set(races), bounds)
    let predicted = strategy == .standard ? Predictions.schedules(normal) : []
    predictions = predicted.indices.filter { $0 % bounds.parts == bounds.part - 1 }
      .map { predicted[$0] }
    profile = StepProfile(normal)
    switch strategy {
    case .delays:
      let delay = bounds.late ?? Nanoseconds(normal.end.nanoseconds + 1_000_000)
      holds = HoldSearch(delaysOf: normal, by: delay, most: min(3, bounds.lines))
    case .preemptions: holds = HoldSearch(preemptionsOf: normal, most: min(3, bounds.lines))
    case .standard, .reversals, .drawn: holds = nil
    }
    exploration = Exploration(normal: normal, strategy: strategy, bounds: bounds)
    exploration.unvaried = runner.unvaried
  }

  /// What is to be run next.
  private enum Job: Sendable {
    case schedule(Schedule)
    case draw(DrawnStrategy, run: Int)
  }

  /// Searches to the end or to the bounds, and calls `progress` after each run.
  package mutating func explore(progress: (Trial) -> Void = { _ in }) -> Exploration {
    take(runner.normal, drawn: nil, run: 0)
    var batch = 1
    while exploration.runs < bounds.runs && !isDone {
      let jobs = nextJobs(min(batch, bounds.runs - exploration.runs))
      if jobs.isEmpty { break }
      let (runner, profile, seed) = (runner, profile, bounds.seed)
      let trials = parallel(jobs.count) { index in
        switch jobs[index] {
        case .schedule(let schedule): return runner.run(schedule)
        case .draw(let strategy, let run):
          return runner.run(
            Schedule(), chooser: strategy.chooser(profile, seed: seed, run: run))
        }
      }
      for (job, trial) in zip(jobs, trials) where !isDone {
        var drawn: DrawnStrategy?
        if case .draw(let strategy, _) = job { drawn = strategy }
        take(trial, drawn: drawn, run: exploration.runs)
        progress(trial)
      }
      // A search goes by what it has seen: the first batches are small.
      batch = min(64, batch + (exploration.runs >= 16 ? batch : 1))
    }
    settle()
    return exploration
  }

  private var isDone: Bool {
    bounds.stopsAtFailure && exploration.failures.contains { !$0.isUnwritten }
  }

  private mutating func nextJobs(_ count: Int) -> [Job] {
    var jobs: [Job] = []
    while jobs.count < count {
      let run = exploration.runs + jobs.count
      guard let job = nextJob(run) else { break }
      jobs.append(job)
    }
    return jobs
  }

  private mutating func nextJob(_ run: Int) -> Job? {
    switch strategy {
    case .drawn(let drawn): return .draw(drawn, run: bounds.numberInAll(run))
    case .delays, .preemptions: return nextHold().map { .schedule($0) }
    case .reversals: return reversals.next().map { .schedule($0) }
    case .standard:
      if !predictions.isEmpty { return .schedule(predictions.removeFirst()) }
      // Where all orders were seen, draws have nothing to add.
      if run % 4 == 3, !reversals.isExhausted {
        return .draw(
          DrawnStrategy.inTurn[run / 4 % DrawnStrategy.inTurn.count], run: bounds.numberInAll(run))
      }
      return reversals.next().map { .schedule($0) }
    }
  }

  /// The next schedule of a search by holds that is one of this part.
  private mutating func nextHold() -> Schedule? {
    for _ in 0..<(holdCount == 0 ? bounds.part - 1 : bounds.parts - 1) { _ = holds?.next() }
    holdCount += 1
    return holds?.next()
  }

  private mutating func take(_ trial: Trial, drawn: DrawnStrategy?, run: Int) {
    exploration.runs += 1
    if drawn == nil && !trial.isKept {
      exploration.unkept += 1
      reversals.refuse(trial)
      return
    }
    if drawn == nil && (trial.isTired || trial.hasForgotten) { exploration.cut += 1 }
    if trial.isTired {
      exploration.tired += 1
      return
    }
    if let late = bounds.late, trial.longestHold > late {
      exploration.tooLate += 1
      // What comes of it may need less.
      if drawn == nil { reversals.learn(trial) }
      return
    }
    if drawn == nil { reversals.learn(trial) }
    exploration.note(trial, drawn: drawn, run: run)
    if bounds.stopsAtFailure { findUnwritten() }
  }

  /// A failure that was drawn and can't be written as a schedule does not end a search: others may show it.
  private mutating func findUnwritten() {
    for index in exploration.failures.indices {
      let failure = exploration.failures[index]
      if failure.drawn == nil || failure.isUnwritten { continue }
      var minimizer = Minimizer(runner, bounds)
      if minimizer.minimized(failure).isEmpty { exploration.failures[index].isUnwritten = true }
    }
  }

  /// Makes each failure's schedule small, and says what the search has covered.
  private mutating func settle() {
    exploration.isExhausted = isExhausted && exploration.cut == 0
    exploration.leastWaiting =
      strategy == .standard || strategy == .reversals
      ? reversals.leastWaiting : holds.map(\.level)
    exploration.waiting = reversals.waitingCount
    var minimizer = Minimizer(runner, bounds)
    var kept: [Exploration.Failure] = []
    for failure in exploration.failures {
      let parts = minimizer.minimized(failure)
      if parts.isEmpty { exploration.unwritten += 1 }
      for part in parts {
        // Two ways may come to the same part.
        if let index = kept.firstIndex(where: { $0.kind == part.kind }) {
          kept[index].add(part)
        } else {
          kept.append(part)
        }
      }
    }
    exploration.failures = kept
    exploration.minimizingRuns = minimizer.runs
    exploration.readsClock = runner.asksForTime
  }

  private var isExhausted: Bool {
    switch strategy {
    case .standard, .reversals: reversals.isExhausted && predictions.isEmpty
    case .delays, .preemptions: holds?.isExhausted ?? true
    case .drawn: false
    }
  }
}
