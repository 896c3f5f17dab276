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
  /// The schedules that were run or are waiting, by a number for the set of their lines.
  ///
  /// In a million of them, two numbers are equal by chance once in ten million searches.
  private var known: Set<UInt64> = [0]
  private var signatures: Set<UInt64> = []
  /// The pairs of places that were turned round.
  private var turned: Set<Places> = []
  /// The places of which a race was predicted.
  private let predicted: Set<SourceRange>
  private let places: CodeTable<SourceRange>
  /// The most reversals in one schedule.
  private let most: Int

  private struct Opened {
    let lines: [Schedule.Line]
    let steps: [RecordedStep]
    let names: StepNames
    /// The number of the set of its lines.
    let number: UInt64
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

    func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second)))
    }
  }

  init(_ places: CodeTable<SourceRange>, predicted: Set<SourceRange>, most: Int) {
    (self.places, self.predicted, self.most) = (places, predicted, most)
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
    let first = run.steps[Int(candidate.pair.first)]
    let second = run.steps[Int(candidate.pair.second)]
    if first.key.actor == second.key.actor { return nil }
    let number = run.number &+ Self.number(run.names, second, before: first)
    if !known.insert(number).inserted { return nil }
    return Schedule(
      run.lines + [.order(run.names.words(of: second), before: run.names.words(of: first))])
  }

  /// A number for a line of order, the same in all runs.
  private static func number(
    _ names: StepNames, _ first: RecordedStep, before second: RecordedStep
  ) -> UInt64 {
    number(names.hash(first.key, first.time), before: names.hash(second.key, second.time))
  }

  private static func number(_ first: UInt64, before second: UInt64) -> UInt64 {
    RandomStreams.mix(first &+ RandomStreams.mix(second))
  }

  /// A number for a line of a run, the same in all runs.
  private static func number(_ line: Schedule.Line, _ names: StepNames) -> UInt64 {
    let held = names.hash(line.held)
    switch line {
    case .order(let first, before: _): return number(names.hash(first), before: held)
    case .late(_, let length): return RandomStreams.mix(held ^ UInt64(bitPattern: length.rawValue))
    }
  }

  /// Takes note of a run of a schedule; its pairs are turned round later, if its order is new.
  mutating func learn(_ trial: Trial) {
    if !signatures.insert(trial.signature).inserted { return }
    if trial.schedule.lines.count >= most { return }
    let run = opened.count
    var number: UInt64 = 0
    for line in trial.schedule.lines { number &+= Self.number(line, trial.names) }
    opened.append(
      Opened(
        lines: trial.schedule.lines, steps: trial.steps, names: trial.names, number: number,
        orders: Self.orders(trial)))
    let level = trial.schedule.lines.count
    var groups: [(places: Places, pairs: [StepPair])] = []
    var known: [Places: Int] = [:]
    for pair in trial.pairs {
      let places = Places(
        first: trial.steps[Int(pair.first)].place, second: trial.steps[Int(pair.second)].place)
      if let group = known[places] {
        groups[group].pairs.append(pair)
      } else {
        known[places] = groups.count
        groups.append((places, [pair]))
      }
    }
    for (group, members) in groups {
      let pairs = members.sorted { $0.first < $1.first }
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
    let wanted = trial.schedule.lines.flatMap { line -> [StepOfRun?] in
      guard case .order(let first, before: let second) = line else { return [nil, nil] }
      return [first, second].map { step in
        trial.names.key(of: step).map { StepOfRun(key: $0, time: Int32(clamping: step.time)) }
      }
    }
    let places = self.places(of: wanted, in: trial.steps)
    return stride(from: 0, to: places.count, by: 2).compactMap { line in
      guard let first = places[line], let second = places[line + 1] else { return nil }
      return (first, second)
    }
  }

  private struct StepOfRun: Hashable {
    let key: StepKey
    let time: Int32
  }

  /// Where some steps are among those of a run.
  private static func places(of wanted: [StepOfRun?], in steps: [RecordedStep]) -> [Int?] {
    var places: [Int?] = Array(repeating: nil, count: wanted.count)
    if wanted.count <= mostInTurn {
      for (index, step) in steps.enumerated() {
        for (place, one) in wanted.enumerated() where one?.time == step.time {
          if one?.key == step.key { places[place] = index }
        }
      }
      return places
    }
    var known: [StepOfRun: Int] = [:]
    for (index, step) in steps.enumerated() {
      known[StepOfRun(key: step.key, time: step.time)] = index
    }
    return wanted.map { one in one.flatMap { known[$0] } }
  }

  /// So many steps are looked for one after another, which takes less time than a table.
  private static let mostInTurn = 8

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
