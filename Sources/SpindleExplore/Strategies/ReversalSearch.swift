import SpindleModel
import SpindleSimulator

/// Turns round, one after another, the pairs of steps of the runs that were seen whose order could be another one.
///
/// From each run whose order of dependent steps is new, each pair gives a schedule: that of the run, with the second step
/// before the first. When nothing is left, all orders of dependent steps were run. Pairs are grouped by their places in the
/// text: the earliest and the latest of each group come first, those of places that were not turned round before all. Where
/// the lines of a run speak against a reversal, or its schedule brought about another order of what comes before, all that
/// is written out.
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
  /// What each schedule that was asked for is to bring about, by the same number.
  private var asked: [UInt64: Asked] = [:]
  /// The runs that were seen, by their orders.
  private var signatures: [UInt64: Int] = [:]
  /// The pairs of places that were turned round.
  private var turned: Set<Places> = []
  /// The places of which a race was predicted.
  private let predicted: Set<SourceRange>
  private let places: CodeTable<SourceRange>
  /// The most reversals in one schedule.
  private let most: Int
  /// Which part of the search it is, from 0, and of how many.
  private let part: UInt64
  private let parts: UInt64
  /// Whether a schedule would have been too long.
  private var isCut = false

  private struct Opened {
    let lines: [Schedule.Line]
    /// How many reversals made it.
    let level: Int
    /// Its steps, and behind them those that were begun and not done.
    let steps: [RecordedStep]
    /// How many were done.
    let done: Int
    /// What steps use besides their objects.
    let otherUses: [StepUse]
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
    /// Whether all that comes before the pair is written out.
    var isWhole = false
    /// The run of the short schedule; -1 where it was not kept.
    var short = -1
  }

  /// What a schedule is to bring about, and what it did.
  private struct Asked {
    var candidates: [Candidate]
    /// The run; -1 where it was not kept, nil where it was not made yet.
    var run: Int?
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

  init(_ places: CodeTable<SourceRange>, predicted: Set<SourceRange>, _ bounds: ExploreBounds) {
    (self.places, self.predicted, most) = (places, predicted, bounds.lines)
    (part, parts) = (UInt64(bounds.part - 1), UInt64(bounds.parts))
  }

  /// Whether all that follows from the runs that were seen was run.
  var isExhausted: Bool { !isCut && waiting.allSatisfy(\.isEmpty) }

  /// How many reversals the shortest schedule has that waits; nil where none does.
  var leastWaiting: Int? {
    waiting.lazy.flatMap(\.left).map { opened[$0.run].level + 1 }.min()
  }

  /// How many schedules wait.
  var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

  /// The next schedule; nil when none is left.
  mutating func next() -> Schedule? {
    // A schedule that can't be made may put a whole one at the end.
    var index = 0
    while index < waiting.count {
      while let candidate = waiting[index].popFirst() {
        if let schedule = schedule(candidate) { return schedule }
      }
      index += 1
    }
    return nil
  }

  private mutating func schedule(_ candidate: Candidate) -> Schedule? {
    let run = opened[candidate.run]
    let first = run.steps[Int(candidate.pair.first)]
    let second = run.steps[Int(candidate.pair.second)]
    if first.key.actor == second.key.actor { return nil }
    if candidate.isWhole {
      let whole = WholeReversal(run.steps, run.otherUses, candidate.pair)
      if candidate.short >= 0 {
        let short = opened[candidate.short]
        let done = short.steps.prefix(short.done)
        if whole.holds(in: done, short.names, run.names) { return nil }
      }
      guard let orders = whole.lines else {
        isCut = true
        return nil
      }
      let lines = orders.map {
        Schedule.Line.order(run.names.words(of: $0), before: run.names.words(of: $1))
      }
      let number = orders.reduce(0) { $0 &+ Self.number(run.names, $1.first, before: $1.second) }
      return note(Schedule(lines), number, candidate)
    }
    // What its lines order already is turned round without them.
    if run.isBefore(Int(candidate.pair.first), Int(candidate.pair.second)) {
      putWhole(candidate)
      return nil
    }
    let number = run.number &+ Self.number(run.names, second, before: first)
    return note(
      Schedule(
        run.lines + [.order(run.names.words(of: second), before: run.names.words(of: first))]),
      number, candidate)
  }

  /// A schedule that is asked for; nil where it was before.
  private mutating func note(
    _ schedule: Schedule, _ number: UInt64, _ candidate: Candidate
  ) -> Schedule? {
    if known.insert(number).inserted {
      asked[number] = Asked(candidates: [candidate])
      return schedule
    }
    if candidate.isWhole { return nil }
    if let run = asked[number]?.run {
      putWhole(candidate, short: run)
    } else {
      asked[number]?.candidates.append(candidate)
    }
    return nil
  }

  /// A schedule was run: what it was to bring about is brought about in another way, if the run has not.
  private mutating func close(_ number: UInt64, run: Int) {
    guard let candidates = asked[number]?.candidates else { return }
    asked[number] = Asked(candidates: [], run: run)
    for candidate in candidates where !candidate.isWhole { putWhole(candidate, short: run) }
  }

  /// Of pairs with others between them, these are enough.
  private mutating func putWhole(_ candidate: Candidate, short: Int = -1) {
    if candidate.pair.isFar { return }
    var candidate = candidate
    (candidate.isWhole, candidate.short) = (true, short)
    put(candidate, 2 * opened[candidate.run].level + Self.wholeRank)
  }

  /// Behind all others of its level.
  private static let wholeRank = 9

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

  /// Takes note of a schedule that was not kept.
  mutating func refuse(_ trial: Trial) {
    close(Self.number(of: trial), run: -1)
  }

  /// A number for the set of the lines of a run.
  private static func number(of trial: Trial) -> UInt64 {
    trial.schedule.lines.reduce(0) { $0 &+ number($1, trial.names) }
  }

  /// Takes note of a run of a schedule; its pairs are turned round later, if its order is new.
  mutating func learn(_ trial: Trial) {
    let number = Self.number(of: trial)
    let source = asked[number]?.candidates.first
    let level = source.map { opened[$0.run].level + 1 } ?? trial.schedule.lines.count
    defer { if let run = signatures[trial.signature] { close(number, run: run) } }
    if level >= most || signatures[trial.signature] != nil { return }
    let run = opened.count
    signatures[trial.signature] = run
    opened.append(
      Opened(
        lines: trial.schedule.lines, level: level,
        steps: trial.pending.isEmpty ? trial.steps : trial.steps + trial.pending,
        done: trial.steps.count, otherUses: trial.otherUses, names: trial.names, number: number,
        orders: Self.orders(trial)))
    var groups: [(places: Places, pairs: [StepPair])] = []
    var known: [Places: Int] = [:]
    for pair in trial.pairs where level > 0 || isOfPart(pair, opened[run]) {
      let steps = opened[run].steps
      let places = Places(
        first: steps[Int(pair.first)].place, second: steps[Int(pair.second)].place)
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

  /// Whether the reversal of a pair of the normal run, and what comes of it, is one of this part.
  private func isOfPart(_ pair: StepPair, _ run: Opened) -> Bool {
    if parts == 1 { return true }
    let (first, second) = (run.steps[Int(pair.first)], run.steps[Int(pair.second)])
    return Self.number(run.names, second, before: first) % parts == part
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
