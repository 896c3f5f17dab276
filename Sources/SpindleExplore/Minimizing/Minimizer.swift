import SpindleModel
import SpindleSimulator

/// Makes the schedule of a failing run small: without any of its lines it does not fail so any more.
struct Minimizer {
  private let runner: TrialRunner
  private let bounds: ExploreBounds
  /// How many runs that took.
  private(set) var runs = 0

  /// How many runs one failure may take.
  private static let most = 600

  init(_ runner: TrialRunner, _ bounds: ExploreBounds) {
    (self.runner, self.bounds) = (runner, bounds)
  }

  /// The failure with a small schedule, or several that together are what it is; empty where its run can't be written as a
  /// schedule.
  ///
  /// Of several expectations that one run does not meet, each may need a smaller schedule, which is easier to understand.
  mutating func minimized(_ failure: Exploration.Failure) -> [Exploration.Failure] {
    if failure.run == 0 { return [failure] }
    var whole = failure
    let end = runs + Self.most
    if whole.drawn != nil {
      guard let written = written(whole.trial, whole.kind) else { return [] }
      whole.trial = written
      whole.linesBefore = written.schedule.lines.count
    }
    shrink(&whole, end)
    var left = Set(whole.kind.expectations).subtracting(runner.normal.failure?.expectations ?? [])
    var parts: [Exploration.Failure] = []
    repeat {
      var part = whole
      if left.count > 1 || !parts.isEmpty { shrink(&part, end, toPartWith: left) }
      left.subtract(part.kind.expectations)
      parts.append(part)
    } while !left.isEmpty
    if parts.contains(where: { $0.kind == whole.kind }) { parts = [whole] }
    if parts.contains(where: { $0.trial.schedule.lines.count > Self.mostLines }) { return [] }
    for index in parts.indices { parts[index].leastDelay = leastDelay(parts[index]) }
    return parts
  }

  /// Takes lines out of a failure's schedule while it fails in the same way, or still does not meet one of some
  /// expectations.
  private mutating func shrink(
    _ failure: inout Exploration.Failure, _ end: Int, toPartWith needed: Set<SourceRange> = []
  ) {
    // The lines that were last added are looked at last: they are mostly the ones that count.
    var size = max(1, failure.trial.schedule.lines.count / 2)
    while runs < end {
      var (start, shrank) = (0, false)
      while start < failure.trial.schedule.lines.count, runs < end {
        var fewer = failure.trial.schedule
        let stop = min(fewer.lines.count, start + size)
        fewer.lines.removeSubrange(start..<stop)
        if let trial = failing(fewer, failure.kind, toPartWith: needed) {
          failure.take(trial)
          shrank = true
        } else {
          start += size
        }
      }
      if size == 1 && !shrank { break }
      size = max(1, shrank ? min(size, failure.trial.schedule.lines.count / 2) : size / 2)
    }
    while runs < end,
      let shorter = joined(failure.trial.schedule, failure.kind, toPartWith: needed)
    {
      failure.take(shorter)
    }
  }

  /// A run with two lines joined to one, or with one less, that still fails in a way; nil where there is none.
  ///
  /// Of `a` before `b`, and something else of the thread of `b` before `c`, mostly only `a` before `c` counts.
  private mutating func joined(
    _ schedule: Schedule, _ kind: FailureKind, toPartWith needed: Set<SourceRange>
  ) -> Trial? {
    let lines = schedule.lines
    guard (2...Self.mostJoined).contains(lines.count) else { return nil }
    for one in lines.indices {
      var rest = lines
      rest.remove(at: one)
      if let trial = failing(Schedule(rest), kind, toPartWith: needed) { return trial }
      guard case .order(let first, before: let middle) = lines[one] else { continue }
      for other in lines.indices where other != one {
        guard case .order(let next, before: let last) = lines[other], next.actor == middle.actor,
          last.actor != first.actor
        else { continue }
        rest = lines.indices.filter { $0 != one && $0 != other }.map { lines[$0] }
        rest.insert(.order(first, before: last), at: min(one, other))
        if let trial = failing(Schedule(rest), kind, toPartWith: needed) { return trial }
      }
    }
    return nil
  }

  /// Schedules with more lines are not tried with lines joined.
  private static let mostJoined = 8

  /// The run of a schedule, where it is kept and fails in a way, or in a part of it with one of some expectations.
  private mutating func failing(
    _ schedule: Schedule, _ kind: FailureKind, toPartWith needed: Set<SourceRange> = []
  ) -> Trial? {
    runs += 1
    let trial = runner.run(schedule)
    guard trial.isKept, let failure = trial.failure else { return nil }
    guard failure == kind || isPart(failure, of: kind, with: needed) else { return nil }
    if let late = bounds.late, trial.longestHold > late { return nil }
    return trial
  }

  /// Whether a way to fail is a part of another and does not meet one of some expectations.
  private func isPart(
    _ failure: FailureKind, of other: FailureKind, with needed: Set<SourceRange>
  ) -> Bool {
    failure.isPart(of: other) && !needed.isDisjoint(with: failure.expectations)
  }

  /// The run of those of some lines that can be kept together, where it fails in a way.
  private mutating func failingWithoutFaults(
    _ lines: [Schedule.Line], _ kind: FailureKind
  ) -> Trial? {
    var lines = lines
    for _ in 0..<Self.mostRepairs {
      runs += 1
      let trial = runner.run(Schedule(lines))
      if trial.isKept { return failing(Schedule(lines), kind) }
      if trial.isTired { return nil }
      let faulty = Set(trial.faultyLines)
      lines = lines.indices.filter { !faulty.contains($0) }.map { lines[$0] }
    }
    return nil
  }

  /// How often lines that could not be kept are left out.
  private static let mostRepairs = 40

  /// A drawn run as the schedule of the pairs whose order is not that of the normal run.
  private mutating func written(_ drawn: Trial, _ kind: FailureKind) -> Trial? {
    var places: [Schedule.Step: Int] = [:]
    for (place, step) in runner.normal.steps.enumerated() {
      places[runner.normal.words(of: step)] = place
    }
    var (turned, all): ([Schedule.Line], [Schedule.Line]) = ([], [])
    for pair in drawn.pairs where Int(pair.second) < drawn.steps.count {
      let (first, second) = (drawn.step(pair.first), drawn.step(pair.second))
      if first.actor == second.actor { continue }
      let line = Schedule.Line.order(first, before: second)
      all.append(line)
      guard let one = places[first], let other = places[second] else {
        turned.append(line)
        continue
      }
      if one > other { turned.append(line) }
    }
    if let trial = failing(Schedule(turned), kind) { return trial }
    let missing = missing(in: drawn)
    if !missing.isEmpty, let trial = failing(Schedule(turned + missing), kind) { return trial }
    if all.count > turned.count, let trial = failing(Schedule(all + missing), kind) { return trial }
    let switches = switches(in: drawn)
    if let trial = failing(Schedule(switches), kind) { return trial }
    // A draw may let a step be done that another thread stands in front of: no line says so.
    for lines in [turned, turned + missing, switches] {
      if let trial = failingWithoutFaults(lines, kind) { return trial }
    }
    return nil
  }

  /// The order of all steps of a drawn run: a line for each change from one actor to another.
  private func switches(in drawn: Trial) -> [Schedule.Line] {
    var lines: [Schedule.Line] = []
    for (first, second) in zip(drawn.steps, drawn.steps.dropFirst())
    where first.key.actor != second.key.actor {
      lines.append(.order(drawn.words(of: first), before: drawn.words(of: second)))
    }
    return lines + missing(in: drawn, isOfAnyObject: true)
  }

  /// The order of what a drawn run has done before what it came to no more, as it crashed or went on for too long.
  ///
  /// Of each actor, the first step on each object, or on any, that only the normal run has comes behind the last one of
  /// another actor.
  private func missing(in drawn: Trial, isOfAnyObject: Bool = false) -> [Schedule.Line] {
    var done: [StepKey: Int32] = [:]
    for step in drawn.steps { done[step.key] = step.time }
    var seen: Set<StepKey> = []
    return runner.normal.steps.compactMap { step in
      if step.time <= done[step.key, default: 0] { return nil }
      let object = isOfAnyObject ? -1 : step.key.object
      let use = StepKey(actor: step.key.actor, verb: .reads, object: object)
      guard seen.insert(use).inserted else { return nil }
      let last = drawn.steps.last {
        $0.key.actor != step.key.actor
          && (isOfAnyObject
            || $0.key.object == step.key.object && $0.mode.conflicts(with: step.mode))
      }
      return last.map { .order(drawn.words(of: $0), before: runner.normal.words(of: step)) }
    }
  }

  /// More lines than that are no schedule that a person reads, or that a run reads often.
  private static let mostLines = 400

  /// The least delay of the held step that still fails, where the schedule is one line and time is needed.
  private mutating func leastDelay(_ failure: Exploration.Failure) -> Nanoseconds? {
    guard failure.trial.schedule.lines.count == 1,
      case .order(_, before: let step) = failure.trial.schedule.lines[0],
      failure.trial.longestHold > .zero
    else { return nil }
    func fails(_ delay: Int64, _ minimizer: inout Minimizer) -> Bool {
      minimizer.failing(
        Schedule([.late(step, by: Nanoseconds(delay))]), failure.kind) != nil
    }
    let held = failure.trial.longestHold.rawValue
    let failing = [held, held + 1, held + held / 100 + 1_000].first { fails($0, &self) }
    guard var most = failing else { return nil }
    var least: Int64 = 0
    // To a thousandth of the length, which is more than any machine keeps.
    while most - least > max(1, most / 1_000) {
      let middle = least + (most - least) / 2
      if middle > 0 && fails(middle, &self) { most = middle } else { least = middle }
    }
    return Nanoseconds(most)
  }
}
