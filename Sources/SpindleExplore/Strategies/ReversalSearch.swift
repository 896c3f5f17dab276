import SpindleModel
import SpindleSimulator

/// Turns round, one after another, the pairs of steps of the runs that were seen whose order could be another one.
///
/// From each run whose order of dependent steps is new, each pair gives a schedule: that of the run, with the second step
/// before the first. When nothing is left, all orders of dependent steps were run. Pairs are grouped by their places in the
/// text: the earliest and the latest of each group come first, those of places that were not turned round before all.
/// Source: Abdulla, Aronis, Jonsson and Sagonas 2014, Optimal Dynamic Partial Order Reduction, of which the pairs are the
/// races; the order of the search is this one's own.
struct ReversalSearch {
  /// The runs whose pairs are to be turned round.
  private var opened: [Opened] = []
  /// What is to be run, by how early: a list for each.
  private var waiting: [Lane] = []
  /// The schedules that were run or are waiting.
  private var known: Set<Set<Schedule.Line>> = [[]]
  private var signatures: Set<UInt64> = []
  /// The pairs of places that were turned round.
  private var turned: Set<Places> = []
  /// The places of which a race was predicted.
  private let predicted: Set<SourceRange>
  private let places: [SourceRange]
  /// The most reversals in one schedule.
  private let most: Int

  private struct Opened {
    let lines: [Schedule.Line]
    let steps: [RecordedStep]
    let names: StepNames
    /// The steps of its lines of order, by number: the first and the second of each.
    let orders: [(first: Int, second: Int)]

    /// Whether its lines and the order of the code say that one step comes before another one.
    func isBefore(_ one: Int, _ other: Int) -> Bool {
      var reached = [one]
      var isUsed = Array(repeating: false, count: orders.count)
      while let step = reached.popLast() {
        if steps[step].key.actor == steps[other].key.actor && step <= other { return true }
        for (index, order) in orders.enumerated() where !isUsed[index] {
          if steps[order.first].key.actor == steps[step].key.actor && order.first >= step {
            isUsed[index] = true
            reached.append(order.second)
          }
        }
      }
      return false
    }
  }

  private struct Candidate {
    let run: Int
    let pair: StepPair
  }

  /// Candidates, the first of which is taken first.
  private struct Lane {
    private var candidates: [Candidate] = []
    private var head = 0

    var isEmpty: Bool { head == candidates.count }
    var count: Int { candidates.count - head }
    var left: ArraySlice<Candidate> { candidates[head...] }

    mutating func append(_ candidate: Candidate) { candidates.append(candidate) }

    mutating func popFirst() -> Candidate? {
      if isEmpty { return nil }
      head += 1
      return candidates[head - 1]
    }
  }

  private struct Places: Hashable {
    let first: Int32
    let second: Int32
  }

  init(_ program: [SourceRange], predicted: Set<SourceRange>, most: Int) {
    (places, self.predicted, self.most) = (program, predicted, most)
  }

  /// Whether all that follows from the runs that were seen was run.
  var isExhausted: Bool { waiting.allSatisfy(\.isEmpty) }

  /// How many reversals the shortest schedule has that waits; nil where none does.
  var leastWaiting: Int? {
    waiting.lazy.flatMap(\.left).map { opened[$0.run].lines.count + 1 }.min()
  }

  /// How many schedules wait.
  var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

  /// The next schedule; nil when none is left.
  mutating func next() -> Schedule? {
    for index in waiting.indices {
      while let candidate = waiting[index].popFirst() {
        if let schedule = schedule(candidate) { return schedule }
      }
    }
    return nil
  }

  private mutating func schedule(_ candidate: Candidate) -> Schedule? {
    let run = opened[candidate.run]
    // What its lines order already can't be turned round.
    if run.isBefore(Int(candidate.pair.first), Int(candidate.pair.second)) { return nil }
    let first = run.names.words(of: run.steps[Int(candidate.pair.first)])
    let second = run.names.words(of: run.steps[Int(candidate.pair.second)])
    if first.actor == second.actor { return nil }
    let lines = run.lines + [.order(second, before: first)]
    if !known.insert(Set(lines)).inserted { return nil }
    return Schedule(lines)
  }

  /// Takes note of a run of a schedule; its pairs are turned round later, if its order is new.
  mutating func learn(_ trial: Trial) {
    if !signatures.insert(trial.signature).inserted { return }
    if trial.schedule.lines.count >= most { return }
    let run = opened.count
    opened.append(
      Opened(
        lines: trial.schedule.lines, steps: trial.steps, names: trial.names,
        orders: Self.orders(trial)))
    let level = trial.schedule.lines.count
    var groups: [Places] = []
    var members: [Places: [StepPair]] = [:]
    for pair in trial.pairs {
      let group = Places(
        first: trial.steps[Int(pair.first)].place, second: trial.steps[Int(pair.second)].place)
      if members[group] == nil { groups.append(group) }
      members[group, default: []].append(pair)
    }
    for group in groups {
      guard let pairs = members[group]?.sorted(by: { $0.first < $1.first }) else { continue }
      let isNew = turned.insert(group).inserted
      for (index, pair) in pairs.enumerated() {
        let isEnd = index == 0 || index == pairs.count - 1
        var rank = 2 * level + (isNew && isEnd ? 0 : isEnd ? 2 : 5)
        if level == 0 && isEnd && isPredicted(group) { rank = 0 }
        put(Candidate(run: run, pair: pair), rank + 1)
      }
    }
  }

  /// Where the steps of a run's lines of order are among its steps.
  private static func orders(_ trial: Trial) -> [(first: Int, second: Int)] {
    if trial.schedule.isEmpty { return [] }
    var wanted: [Schedule.Step: Int] = [:]
    for line in trial.schedule.lines {
      guard case .order(let first, before: let second) = line else { continue }
      (wanted[first], wanted[second]) = (-1, -1)
    }
    for (index, step) in trial.steps.enumerated() {
      let words = trial.words(of: step)
      if wanted[words] != nil { wanted[words] = index }
    }
    return trial.schedule.lines.compactMap { line in
      guard case .order(let first, before: let second) = line, let one = wanted[first],
        let other = wanted[second], one >= 0, other >= 0
      else { return nil }
      return (one, other)
    }
  }

  private func isPredicted(_ group: Places) -> Bool {
    guard group.first >= 0, group.second >= 0, !predicted.isEmpty else { return false }
    return predicted.contains(places[Int(group.first)])
      && predicted.contains(places[Int(group.second)])
  }

  private mutating func put(_ candidate: Candidate, _ rank: Int) {
    while waiting.count <= rank { waiting.append(Lane()) }
    waiting[rank].append(candidate)
  }
}
